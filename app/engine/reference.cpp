#include "engine/reference.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"

namespace stridescope::engine {
namespace {

// Sebastiano Vigna's splitmix64: the state advanced by the golden ratio's fraction, then mixed.
std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kRandomRange = 101, kDigitRange = 10;

// Integer patterns, in two's complement; every pattern's values are integers.
std::int64_t patternValue(const model::Experiment& experiment, std::uint64_t i) {
  switch (experiment.data) {
    case model::DataPattern::Ramp:
      return std::int64_t(i);
    case model::DataPattern::Ones:
      return 1;
    case model::DataPattern::Alternating:
      if (i % 2 == 0) return 1;
      return experiment.type == model::ElementType::Unsigned ? 0 : -1;
    case model::DataPattern::Random:
      return std::int64_t(splitmix64(experiment.seed + i) % kRandomRange);
    case model::DataPattern::Digits:
      return std::int64_t(splitmix64(experiment.seed + i) % kDigitRange);
    case model::DataPattern::Given:
      break;  // inputElement() has it
  }
  return 0;
}

// Combines from left to right. Subtraction begins with the first element, as a person would.
std::uint64_t plainLoop(const model::Experiment& experiment) {
  const bool subtracts = experiment.op == model::Operator::Subtract && experiment.elements > 0;
  std::uint64_t value = subtracts ? inputElement(experiment, 0) : identityOf(experiment);
  for (std::uint64_t i = subtracts ? 1 : 0; i < experiment.elements; ++i)
    value = model::combineBits(experiment.type, experiment.op, value, inputElement(experiment, i));
  return value;
}

// Whether a floating min or max and the expected one are zeros of different sign, and both are among the
// elements.
bool isTheOtherZero(const model::Experiment& experiment, std::uint64_t result, std::uint64_t expected) {
  const bool isExtreme = experiment.op == model::Operator::Min || experiment.op == model::Operator::Max;
  if (!model::isFloating(experiment.type) || !isExtreme || result == expected) return false;
  const std::uint64_t sign = std::uint64_t{1} << (8 * model::bytesOf(experiment.type) - 1);
  if (((result | expected) & ~sign) != 0) return false;
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    if (inputElement(experiment, i) == result) return true;
  return false;
}

// Why a floating min or max is another than the loop's, where a nan among the elements is the reason; else
// empty.
std::string nanNote(const model::Experiment& experiment) {
  const bool isExtreme = experiment.op == model::Operator::Min || experiment.op == model::Operator::Max;
  if (!isExtreme || !model::isFloating(experiment.type)) return {};
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    if (model::isNan(experiment.type, inputElement(experiment, i)))
      return "Element " + figure(i) + " is nan, which is neither less nor greater than a number: " +
             std::string(model::wordOf(experiment.op)) +
             " then keeps its first operand, so that the order decides.";
  return {};
}

}  // namespace

std::uint64_t inputElement(const model::Experiment& experiment, std::uint64_t i) {
  if (experiment.data == model::DataPattern::Given) {
    const model::GivenData* const given = experiment.given.get();
    return given != nullptr && i < given->values.size() ? given->values[i] : identityOf(experiment);
  }
  const std::int64_t value = patternValue(experiment, i);
  return model::withType(experiment.type,
                         [&](auto zero) { return model::bitsOfElement(decltype(zero)(value)); });
}

namespace {

model::DeviceUse useOf(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  return kernel == nullptr ? model::DeviceUse::One : kernel->devices;
}

// The place in the data of the device's first element, and of how many.
struct DeviceRange {
  std::uint64_t first = 0, count = 0;
};

DeviceRange rangeOf(const model::Experiment& experiment, unsigned device) {
  const std::uint64_t n = experiment.elements;
  if (useOf(experiment) != model::DeviceUse::PartEach)
    return {useOf(experiment) == model::DeviceUse::One ? 0 : device * n, n};
  const std::uint64_t part = n / experiment.gpus + (n % experiment.gpus != 0);
  const std::uint64_t first = std::min(n, part * device);
  return {first, std::min(part, n - first)};
}

std::uint64_t elementOfRange(const model::Experiment& experiment, const DeviceRange& range, std::uint64_t i) {
  const bool isShifted = experiment.data == model::DataPattern::Given && range.first >= experiment.elements;
  if (!isShifted || experiment.elements == 0) return inputElement(experiment, range.first + i);
  return inputElement(experiment, (range.first / experiment.elements + i) % experiment.elements);
}

}  // namespace

std::uint64_t inputElement(const model::Experiment& experiment, unsigned device, std::uint64_t i) {
  return elementOfRange(experiment, rangeOf(experiment, device), i);
}

std::uint64_t elementsOfDevice(const model::Experiment& experiment, unsigned device) {
  return rangeOf(experiment, device).count;
}

std::vector<std::uint8_t> makeInput(const model::Experiment& experiment, std::uint64_t paddedElements,
                                    unsigned device) {
  const unsigned width = model::bytesOf(experiment.type);
  std::vector<std::uint8_t> bytes(paddedElements * width);
  const DeviceRange range = rangeOf(experiment, device);
  const std::uint64_t given = std::min(range.count, paddedElements);
  for (std::uint64_t i = 0; i < given; ++i) {
    const std::uint64_t element = elementOfRange(experiment, range, i);
    std::memcpy(bytes.data() + i * width, &element, width);  // little-endian: the low bytes come first
  }
  const std::uint64_t identity = identityOf(experiment);
  for (std::uint64_t i = given; i < paddedElements; ++i)
    std::memcpy(bytes.data() + i * width, &identity, width);
  return bytes;
}

Check checkResult(const model::Experiment& experiment, std::uint64_t resultBits) {
  if (model::isFloating(experiment.type) &&
      (experiment.op == model::Operator::Add || experiment.op == model::Operator::Multiply)) {
    const bool isSum = experiment.op == model::Operator::Add;
    if (experiment.type == model::ElementType::Float) {
      const auto result = model::elementOfBits<float>(resultBits);
      return isSum ? checkSum(experiment, result) : checkProduct(experiment, result);
    }
    const auto result = model::elementOfBits<double>(resultBits);
    return isSum ? checkSum(experiment, result) : checkProduct(experiment, result);
  }
  const std::uint64_t expected = plainLoop(experiment);
  if (isTheOtherZero(experiment, resultBits, expected))
    return {model::printElement(experiment.type, resultBits), true,
            "Both 0 and -0 are the " + std::string(model::wordOf(experiment.op)) +
                " of the elements: they are equal, and the order decides which one is left."};
  const std::string printed = model::printElement(experiment.type, expected);
  const auto exact = exactIfWrapped(experiment);
  const bool ok = model::sameElement(experiment.type, resultBits, expected);
  return {printed, ok,
          exact ? wrappedNote(experiment, *exact, printed)
          : ok  ? std::string()
                : nanNote(experiment)};
}

namespace {

constexpr std::size_t kMaxPrintedValues = 1 << 16;  // a result is a text that recordings hold, too

struct Verdict {
  std::string result, expected, note;
  bool ok = false;
};

// `valueAt(i)` of `count` values.
template <class ValueAt>
std::string printed(model::ElementType type, std::size_t count, const ValueAt& valueAt) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, kMaxPrintedValues); ++i) {
    if (i > 0) text += ' ';
    text += model::printElement(type, valueAt(i));
  }
  if (count > kMaxPrintedValues) text += " ... (" + std::to_string(count) + " values)";
  return text;
}

std::string printed(model::ElementType type, const std::vector<MergedElement>& merged) {
  return printed(type, merged.size(), [&](std::size_t i) { return merged[i].value; });
}

// " from list 3"; empty where the lists are not known.
std::string fromList(const RunValues& run, std::uint32_t list) {
  return run.origins ? " from list " + figure(list) : std::string();
}

// The first value that is not as it must be, in a sentence; empty: there is none.
std::string firstWrong(model::ElementType type, const RunValues& run,
                       const std::vector<MergedElement>& expected) {
  if (run.values.size() != expected.size())
    return figure(run.values.size()) + " values came out; it must be " + figure(expected.size()) + ".";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint32_t origin = run.origins ? (*run.origins)[i] : expected[i].origin;
    if (model::sameElement(type, run.values[i], expected[i].value) && origin == expected[i].origin) continue;
    return "Element " + figure(i) + " is " + grouped(model::printElement(type, run.values[i])) +
           fromList(run, origin) + "; it must be " + grouped(model::printElement(type, expected[i].value)) +
           fromList(run, expected[i].origin) + ".";
  }
  return {};
}

Verdict judgeMerge(const model::Experiment& experiment, const std::optional<RunValues>& run) {
  const std::vector<MergedElement> expected = mergeOf(experiment, listsOf(experiment));
  Verdict verdict{.result = {}, .expected = printed(experiment.type, expected), .note = {}};
  if (!run) return verdict;
  verdict.result =
      printed(experiment.type, run->values.size(), [&](std::size_t i) { return run->values[i]; });
  verdict.note = firstWrong(experiment.type, *run, expected);
  verdict.ok = verdict.note.empty();
  return verdict;
}

// Judges one element of the arrays that devices combine: what they have there is reduced as any elements.
class ElementJudge {
 public:
  explicit ElementJudge(const model::Experiment& whole) : whole_(whole) {
    one_.type = whole.type;
    one_.op = whole.op;
    one_.elements = whole.gpus;
    one_.data = model::DataPattern::Given;
    for (unsigned device = 0; device < whole.gpus; ++device) ranges_.push_back(rangeOf(whole, device));
  }

  Check check(std::uint64_t i, std::uint64_t bits) {
    std::vector<std::uint64_t> values;
    for (const DeviceRange& range : ranges_) values.push_back(elementOfRange(whole_, range, i));
    model::GivenData given;
    given.values = std::move(values);
    one_.given = model::SharedData(std::move(given));
    return checkResult(one_, bits);
  }

 private:
  const model::Experiment& whole_;
  model::Experiment one_;
  std::vector<DeviceRange> ranges_;
};

// Why the arrays are not as they must be, in a sentence; empty: they are.
std::string faultOfElement(const model::Experiment& experiment, const RunValues& run, std::uint64_t i,
                           const Check& check) {
  const auto valueOn = [&](unsigned device) { return run.values[device * experiment.elements + i]; };
  const auto is = [&](unsigned device, const std::string& wanted) {
    return "Element " + figure(i) + " of GPU " + std::to_string(device) + " is " +
           grouped(model::printElement(experiment.type, valueOn(device))) + "; it must be " + grouped(wanted);
  };
  if (!check.ok) return is(0, check.expected) + ".";
  for (unsigned device = 1; device < experiment.gpus; ++device)
    if (valueOn(device) != valueOn(0))
      return is(device, model::printElement(experiment.type, valueOn(0))) + ", as on GPU 0.";
  return {};
}

Verdict judgeArrays(const model::Experiment& experiment, const std::optional<RunValues>& run) {
  const std::uint64_t n = experiment.elements;
  Verdict verdict;
  if (run && run->values.size() != n * experiment.gpus) {
    verdict.note = figure(run->values.size()) + " values came out; it must be " + figure(n) + " on each of " +
                   std::to_string(experiment.gpus) + " GPUs.";
    return verdict;
  }
  ElementJudge judge(experiment);
  std::string rest = n > kMaxPrintedValues ? " ... (" + std::to_string(n) + " values)" : "";
  for (std::uint64_t i = 0; i < n; ++i) {
    const Check check = judge.check(i, run ? run->values[i] : 0);
    if (i < kMaxPrintedValues) verdict.expected.append(i == 0 ? "" : " ").append(check.expected);
    if (run && verdict.note.empty()) verdict.note = faultOfElement(experiment, *run, i, check);
  }
  verdict.expected += rest;
  if (!run) return verdict;
  verdict.result = printed(experiment.type, n, [&](std::size_t i) { return run->values[i]; });
  verdict.ok = verdict.note.empty();
  return verdict;
}

Verdict judgeReduction(const model::Experiment& experiment, const std::optional<RunValues>& run) {
  Verdict verdict;
  if (run) verdict.result = model::printElement(experiment.type, run->values.front());
  if (experiment.op == model::Operator::Custom) return verdict;
  // A run without a result is told what is expected of one that is a number.
  Check check = checkResult(experiment, run ? run->values.front() : 0);
  verdict.expected = std::move(check.expected);
  verdict.note = std::move(check.note);
  verdict.ok = check.ok;
  return verdict;
}

std::string whyNoResult(const model::Trace& trace) {
  constexpr const char* kNoEnd = "The run did not end";
  if (trace.launches.empty() || trace.launches.back().recorded().problems.empty())
    return std::string(kNoEnd) + ".";
  return std::string(kNoEnd) + ": " + trace.launches.back().recorded().problems.front().text;
}

// ---- A person's own operator.

model::TrialVerdict verdictOn(const model::OperatorTrial& trial, model::TrialProperty property) {
  const auto found = std::ranges::find(trial.findings, property, &model::TrialFinding::property);
  return found == trial.findings.end() ? model::TrialVerdict::Holds : found->verdict;
}

// The sentence that warns of the identity; nullptr: it does no harm, or none is known.
const std::string* warningOfIdentity(const model::OperatorTrial& trial) {
  for (const model::TrialFinding& finding : trial.findings) {
    const bool ofIdentity = finding.property == model::TrialProperty::LeftIdentity ||
                            finding.property == model::TrialProperty::RightIdentity;
    if (ofIdentity && finding.isWarning) return &finding.sentence;
  }
  return nullptr;
}

bool isFiniteNumber(const std::string& value) {
  return !value.ends_with("inf") && value.find("nan") == std::string::npos;
}

std::string noteOn(const model::Trace& trace) {
  const model::OperatorTrial& trial = trace.trial;
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  const auto fails = [&](model::TrialProperty property) {
    return verdictOn(trial, property) == model::TrialVerdict::Fails;
  };
  const bool orderDecides = fails(model::TrialProperty::Associative) ||
                            (fails(model::TrialProperty::Commutative) && !(kernel && kernel->keepsOrder));
  if (trace.expected.empty()) return "The result is compared with nothing. " + trial.whyNotTried;
  if (trace.ok)
    return orderDecides
               ? "Equal this time; but the operator lets the order decide, and a plain loop has another."
               : std::string();
  if (fails(model::TrialProperty::Associative))
    return "The operator is not associative: the order of the brackets decides, and a plain loop's are from "
           "left to right.";
  if (orderDecides)
    return "The operator is not commutative, and this variant combines elements out of their order.";
  if (const std::string* const warning = warningOfIdentity(trial))
    return *warning + " The plain loop does without it.";
  if (!model::isFloating(trace.experiment.type)) return {};
  if (!isFiniteNumber(trace.result) || !isFiniteNumber(trace.expected))
    return "Where a partial result overflows or is nan, the order decides what becomes of it; the result is "
           "held against a plain loop's order.";
  return "No bound on the rounding of a custom operator is known, so the two must be equal; the order "
         "decides "
         "the last digits.";
}

}  // namespace

void judge(model::Trace& trace, const std::optional<RunValues>& values) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  const bool merges = kernel != nullptr && kernel->merges();
  const bool hasArrays = kernel != nullptr && kernel->devices == model::DeviceUse::ArrayEach;
  Verdict verdict = merges      ? judgeMerge(trace.experiment, values)
                    : hasArrays ? judgeArrays(trace.experiment, values)
                                : judgeReduction(trace.experiment, values);
  trace.result = std::move(verdict.result);
  trace.expected = std::move(verdict.expected);
  trace.ok = values.has_value() && verdict.ok;
  trace.checkNote = values ? std::move(verdict.note) : whyNoResult(trace);
  trace.verdictIsRecorded = false;
}

void judge(model::Trace& trace, model::OperatorTrial trial, std::string expected) {
  trace.trial = std::move(trial);
  trace.expected = std::move(expected);
  if (trace.result.empty()) return;  // the note says why it did not end
  trace.ok = !trace.expected.empty() && trace.result == trace.expected;
  trace.checkNote = noteOn(trace);
}

bool isLess(model::ElementType type, std::uint64_t a, std::uint64_t b) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return model::elementOfBits<T>(a) < model::elementOfBits<T>(b);
  });
}

SortedLists listsOf(const model::Experiment& experiment) {
  SortedLists lists;
  if (const model::GivenData* given = experiment.given.get();
      given != nullptr && !given->listLengths.empty()) {
    lists.values = given->values;
    lists.starts.push_back(0);
    for (std::uint32_t length : given->listLengths) lists.starts.push_back(lists.starts.back() + length);
    return lists;
  }
  const std::uint64_t count = experiment.lists != 0 ? experiment.lists : experiment.threads;
  for (std::uint64_t list = 0; list < count; ++list) {
    lists.starts.push_back(std::uint32_t(lists.values.size()));
    for (std::uint64_t i = list; i < experiment.elements; i += count)
      lists.values.push_back(inputElement(experiment, i));
    std::ranges::sort(lists.values.begin() + std::ptrdiff_t(lists.starts.back()), lists.values.end(),
                      [&](std::uint64_t a, std::uint64_t b) { return isLess(experiment.type, a, b); });
  }
  lists.starts.push_back(std::uint32_t(lists.values.size()));
  return lists;
}

std::vector<std::uint64_t> interleavedValues(const SortedLists& lists) {
  std::vector<std::uint64_t> values;
  for (std::uint32_t j = 0; values.size() < lists.values.size(); ++j)
    for (std::size_t list = 0; list + 1 < lists.starts.size(); ++list)
      if (lists.starts[list] + j < lists.starts[list + 1])
        values.push_back(lists.values[lists.starts[list] + j]);
  return values;
}

std::vector<MergedElement> mergeOf(const model::Experiment& experiment, const SortedLists& lists) {
  std::vector<MergedElement> merged;
  for (std::uint32_t list = 0; list + 1 < lists.starts.size(); ++list)
    for (std::uint32_t i = lists.starts[list]; i < lists.starts[list + 1]; ++i)
      merged.push_back({lists.values[i], list});
  std::ranges::stable_sort(merged, [&](const MergedElement& a, const MergedElement& b) {
    return isLess(experiment.type, a.value, b.value);
  });
  return merged;
}

}  // namespace stridescope::engine
