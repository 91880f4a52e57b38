#include "engine/sandbox/combine_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/reference.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/confinement.h"
#include "engine/worker/worker_engine.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::engine::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCommand = "combine-worker";
constexpr std::uint64_t kElementsBetweenLooks = 16;  // at the clock
constexpr std::chrono::milliseconds kBetweenFoldReports{100};

class CombineEngine final : public Engine {
 public:
  explicit CombineEngine(const host::CompiledCombine& combine)
      : host_(host::makeHostEngine({}, combine)), combine_(host::onBits(combine)) {}

  model::Executor executor() const override { return host_->executor(); }
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    return host_->record(experiment, job);
  }
  Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) override {
    return tryCombine(experiment, combine_, job);
  }
  // Begins with the first element, as a person would: a wrong identity does not change what must come out.
  Result<std::string> foldInput(const model::Experiment& experiment, JobControl& job) override {
    std::uint64_t value = experiment.elements == 0 ? identityOf(experiment) : inputElement(experiment, 0);
    auto reported = Clock::now();
    for (std::uint64_t i = 1; i < experiment.elements; ++i) {
      value = combine_(value, inputElement(experiment, i));
      if (i % kElementsBetweenLooks != 0 || Clock::now() - reported < kBetweenFoldReports) continue;
      reported = Clock::now();
      if (job.cancel) return cancelled();
      if (job.progress)
        job.progress(float(double(i) / double(experiment.elements)), "a plain loop to compare with");
    }
    return model::printElement(experiment.type, value);
  }

 private:
  std::unique_ptr<Engine> host_;
  BitsCombine combine_;
};

constexpr std::uint64_t kSeed = 20070911;
constexpr int kRandomCases = 4000;
constexpr int kPasses = 2;  // over triples, then over pairs
constexpr std::uint64_t kTriedElements = 512;
constexpr std::chrono::milliseconds kBetweenTrialReports{100};

// Two ways to calculate what should be one value, as text, and the two values.
struct CounterExample {
  model::TrialVerdict verdict{};
  std::string first, firstValue, second, secondValue;

  // Numbers of up to four characters are as readable as a single digit.
  std::size_t length() const {
    return std::max<std::size_t>(4, std::max(firstValue.size(), secondValue.size()));
  }
};

std::string call(const std::string& a, const std::string& b) { return "combine(" + a + ", " + b + ")"; }

// In the order in which they are tried: the first are those that a person would take.
template <class T>
std::vector<T> smallNumbers() {
  std::vector<T> numbers{4, 2, 6, 1, 3, 0, 5, 10, 7};
  if constexpr (std::is_signed_v<T>) numbers.insert(numbers.end(), {-1, -2, -3});
  return numbers;
}

template <class T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return {T(0.1),   T(0.2),        T(0.3),           T(-0.7),       T(1e10),           T(-1e10),
            T(1e-10), Limits::max(), Limits::lowest(), Limits::min(), Limits::epsilon(), T(0)};
  else
    return {0,
            1,
            2,
            T(~T(0)),
            Limits::min(),
            T(Limits::min() + 1),
            Limits::max(),
            T(Limits::max() - 1),
            T(T(1) << (sizeof(T) * 4))};
}

template <class T>
class Trial {
 public:
  Trial(const model::Experiment& experiment, const BitsCombine& combine, const JobControl& job)
      : experiment_(experiment), combine_(combine), job_(job) {}

  // Nothing: cancelled.
  std::optional<model::OperatorTrial> run() {
    overTriples(0, [this](T a, T b, T c) { associate(a, b, c); });
    overPairs(1, [this](T a, T b) {
      commute(a, b);
      meetIdentity(a, left_, right_);
    });
    overElements([this](T a) { meetIdentity(a, leftOfElements_, rightOfElements_); });
    if (job_.cancel) return std::nullopt;
    model::TrialFinding left = identity(model::TrialProperty::LeftIdentity, left_, leftOfElements_);
    model::TrialFinding right = identity(model::TrialProperty::RightIdentity, right_, rightOfElements_);
    if (left.isWarning) right.isWarning = false;  // one of them is enough
    return model::OperatorTrial{
        .findings = {associative(), std::move(left), std::move(right), commutative()}};
  }

 private:
  T combine(T a, T b) const {
    return model::elementOfBits<T>(combine_(model::bitsOfElement(a), model::bitsOfElement(b)));
  }
  static std::string text(T value) {
    for (model::ElementType type : model::kElementTypes)
      if (model::withType(type, [](auto zero) { return std::is_same_v<decltype(zero), T>; }))
        return model::printElement(type, model::bitsOfElement(value));
    return {};
  }

  model::TrialVerdict compare(T one, T other, std::initializer_list<T> involved) const {
    if (one == other) return model::TrialVerdict::Holds;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(one) && std::isnan(other)) return model::TrialVerdict::Holds;
      T largest = std::max(std::abs(one), std::abs(other));
      bool finite = std::isfinite(one) && std::isfinite(other);
      for (T value : involved) {
        largest = std::max(largest, std::abs(value));
        finite = finite && std::isfinite(value);
      }
      if (!finite || std::abs(one - other) <= 16 * std::numeric_limits<T>::epsilon() * largest)
        return model::TrialVerdict::UpToRounding;
    }
    return model::TrialVerdict::Fails;
  }

  // Whether combine(e, a), or combine(a, e), is a. An infinity or nan that was given is no overflow: only
  // what comes of large finite numbers may be one.
  model::TrialVerdict compareWithOperand(T result, T identity, T operand) const {
    const model::TrialVerdict verdict = compare(result, operand, {});
    if constexpr (std::is_floating_point_v<T>) {
      const bool isGivenFinite = std::isfinite(identity) && std::isfinite(operand);
      const T largest = std::max(std::abs(identity), std::abs(operand));
      const bool mayOverflow = isGivenFinite && largest > std::cbrt(std::numeric_limits<T>::max());
      const bool isFinite = isGivenFinite && std::isfinite(result);
      if (verdict == model::TrialVerdict::UpToRounding && !isFinite && !mayOverflow)
        return model::TrialVerdict::Fails;
    }
    return verdict;
  }

  // Keeps the worse one, and of equally bad ones the more readable, and of those the first.
  static void keep(std::optional<CounterExample>& kept, CounterExample found) {
    const bool better = !kept || found.verdict > kept->verdict ||
                        (found.verdict == kept->verdict && found.length() < kept->length());
    if (better) kept = std::move(found);
  }

  void associate(T a, T b, T c) {
    const T ab = combine(a, b), bc = combine(b, c);
    const T leftFirst = combine(ab, c), rightFirst = combine(a, bc);
    const model::TrialVerdict verdict = compare(leftFirst, rightFirst, {a, b, c, ab, bc});
    if (verdict == model::TrialVerdict::Holds) return;
    keep(associativity_, {verdict, call(call(text(a), text(b)), text(c)), text(leftFirst),
                          call(text(a), call(text(b), text(c))), text(rightFirst)});
  }

  void commute(T a, T b) {
    const T one = combine(a, b), other = combine(b, a);
    const model::TrialVerdict verdict = compare(one, other, {a, b});
    if (verdict == model::TrialVerdict::Holds) return;
    keep(commutativity_, {verdict, call(text(a), text(b)), text(one), call(text(b), text(a)), text(other)});
  }

  void meetIdentity(T a, std::optional<CounterExample>& left, std::optional<CounterExample>& right) {
    const T neutral = model::elementOfBits<T>(experiment_.custom.identityBits);
    const std::string name = text(neutral), value = text(a);
    const T before = combine(neutral, a), after = combine(a, neutral);
    if (const auto verdict = compareWithOperand(before, neutral, a); verdict != model::TrialVerdict::Holds)
      keep(left, {verdict, call(name, value), text(before), {}, value});
    if (const auto verdict = compareWithOperand(after, neutral, a); verdict != model::TrialVerdict::Holds)
      keep(right, {verdict, call(value, name), text(after), {}, value});
  }

  // What the identity may meet in the run: the first elements, and what they come to one after another.
  template <class Visit>
  void overElements(Visit visit) {
    std::optional<T> partial;
    for (std::uint64_t i = 0; i < std::min(experiment_.elements, kTriedElements) && !job_.cancel; ++i) {
      const T element = model::elementOfBits<T>(inputElement(experiment_, i));
      visit(element);
      partial = partial ? combine(*partial, element) : element;
      if (i > 0) visit(*partial);
      report(1);
    }
  }

  // `pass` is the first or the second of the two.
  template <class Visit>
  void overTriples(int pass, Visit visit) {
    const std::vector<T> small = smallNumbers<T>(), edge = edges<T>();
    const double cases = double(kPasses) * double(1 + cube(small.size()) + cube(edge.size()) + kRandomCases);
    double done = pass * cases / kPasses;
    const auto visitNext = [&](T a, T b, T c) {
      if (job_.cancel) return;
      visit(a, b, c);
      report(float(++done / cases));
    };
    visitNext(small[0], small[1], small[2]);  // the first of equally readable ones is shown
    for (const auto& numbers : {small, edge})
      for (T a : numbers)
        for (T b : numbers)
          for (T c : numbers) visitNext(a, b, c);
    std::mt19937_64 random(kSeed);
    for (int i = 0; i < kRandomCases && !job_.cancel; ++i) {
      const bool isSmall = i % 2 == 0;
      const T a = anyNumber(random, isSmall), b = anyNumber(random, isSmall), c = anyNumber(random, isSmall);
      visitNext(a, b, c);
    }
  }
  template <class Visit>
  void overPairs(int pass, Visit visit) {
    overTriples(pass, [&](T a, T b, T) { visit(a, b); });
  }
  static std::size_t cube(std::size_t count) { return count * count * count; }

  // By the clock: a call takes a nanosecond or a second.
  void report(float fraction) {
    if (!job_.progress || std::chrono::steady_clock::now() - reported_ < kBetweenTrialReports) return;
    reported_ = std::chrono::steady_clock::now();
    job_.progress(fraction, "trying combine");
  }

  // Integers: any of the type, or 0 to 100 if `small`. Floating types: -100 to 100, with a fraction unless
  // `small`.
  static T anyNumber(std::mt19937_64& random, bool small) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<T>) {
      const T number = T(std::int64_t(bits)) / T(9.223372036854775808e18) * 100;
      return small ? std::round(number) : number;
    } else {
      return small ? T(bits % 101) : T(bits);
    }
  }

  static std::string sentenceOf(const CounterExample& found) {
    return found.first + " = " + found.firstValue + ", but " + found.second + " = " + found.secondValue + ".";
  }

  model::TrialFinding associative() const {
    model::TrialFinding finding{.property = model::TrialProperty::Associative};
    if (!associativity_) return finding;
    finding.verdict = associativity_->verdict;
    finding.isWarning = finding.verdict == model::TrialVerdict::Fails;
    finding.sentence = finding.isWarning
                           ? "combine is not associative: " + sentenceOf(*associativity_) +
                                 " So the result depends on where the tree sets its brackets."
                           : "combine is associative only up to rounding: " + sentenceOf(*associativity_);
    return finding;
  }

  // `any`: among the numbers of every trial, the most readable ones; `ofElements`: among the run's.
  model::TrialFinding identity(model::TrialProperty property, const std::optional<CounterExample>& any,
                               const std::optional<CounterExample>& ofElements) const {
    model::TrialFinding finding{.property = property};
    if (!any && !ofElements) return finding;
    const bool elementsFail = ofElements && ofElements->verdict == model::TrialVerdict::Fails;
    const bool anyFails = any && any->verdict == model::TrialVerdict::Fails;
    const CounterExample& found = !any || (elementsFail && !anyFails) ? *ofElements : *any;
    finding.verdict = found.verdict;
    const model::Kernel* const kernel = kernels::kernelOf(experiment_);
    const bool isUsed = kernel == nullptr || kernels::usesIdentity(*kernel, experiment_);
    finding.isWarning = elementsFail && isUsed;
    const std::string example = found.first + " = " + found.firstValue + ", not " + found.secondValue + ".";
    if (finding.verdict != model::TrialVerdict::Fails)
      finding.sentence = experiment_.custom.identity + " is the identity only up to rounding: " + example;
    else
      finding.sentence =
          experiment_.custom.identity + " is not the operator's identity: " + example +
          (!isUsed        ? " In this run it fills nothing up, so that does no harm."
           : elementsFail ? " In this run it stands where there is no element, or begins "
                            "threads' own results, so it may show in the result."
                          : " None of the elements that were tried shows that, so it may do no "
                            "harm in this run.");
    return finding;
  }

  model::TrialFinding commutative() const {
    model::TrialFinding finding{.property = model::TrialProperty::Commutative};
    if (!commutativity_) return finding;
    const model::Kernel* const kernel = kernels::kernelOf(experiment_);
    const bool harmless = kernel != nullptr && kernel->keepsOrder;
    finding.verdict = commutativity_->verdict;
    finding.isWarning = finding.verdict == model::TrialVerdict::Fails && !harmless;
    finding.sentence =
        "combine is not commutative: " + sentenceOf(*commutativity_) +
        (harmless ? " '" + experiment_.variant + "' combines neighbours in their order, so that does no harm."
                  : " '" + experiment_.variant +
                        "' combines elements out of their order, so its result may not be a plain loop's.");
    return finding;
  }

  const model::Experiment& experiment_;
  const BitsCombine& combine_;
  const JobControl& job_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
  std::optional<CounterExample> associativity_, commutativity_, left_, right_;
  std::optional<CounterExample> leftOfElements_, rightOfElements_;
};

}  // namespace

std::string_view embeddedCudaFunctions(std::string_view fileName);  // generated from kernels/recording/host/

namespace {

// The person's text has a file of its own, so that what the compiler quotes of it is what they wrote.
constexpr std::string_view kTextFile = "combine";
constexpr std::string_view kFunctionsFile = "cuda_functions.h";
constexpr std::string_view kSourceFile = "operator.cpp";

std::string sourceOf(const model::CustomOperator& custom, model::ElementType type) {
  std::ostringstream source;
  const std::string personsText = "\n#line 1 \"" + std::string(kTextFile) + "\"\n" + custom.combine + "\n";
  source << "#include \"" << kFunctionsFile << "\"\nusing T = " << model::cppNameOf(type)
         << ";\nstatic T combine(T a, T b) {\n";
  if (kernels::hasOwnReturn(custom.combine))
    source << personsText;
  else
    source << "return" << personsText << ";\n";
  source << "}\n#line 1 \"" << kSourceFile << "\"\nextern \"C\" __attribute__((visibility(\"default\"))) T "
         << kCombineSymbol << "(T a, T b) { return combine(a, b); }\n";
  return source.str();
}

}  // namespace

Result<ObjectFile> compileCombine(const model::CustomOperator& custom, model::ElementType type,
                                  const JobControl& job, const ProcessLimits& limits) {
  return compileObject(
      {.what = "combine",
       .textFile = std::string(kTextFile),
       .textLines = unsigned(1 + std::ranges::count(custom.combine, '\n')),
       .files = {{std::string(kTextFile), custom.combine + "\n"},
                 {std::string(kFunctionsFile), std::string(embeddedCudaFunctions(kFunctionsFile))},
                 {std::string(kSourceFile), sourceOf(custom, type)}},
       .source = std::string(kSourceFile),
       .options = {"-O1", "-fno-finite-loops", "-fvisibility=hidden"},
       .cause = ErrorCause::CombineText,
       .limits = limits},
      job);
}

worker::WorkerCommand combineWorkerCommand(const std::string& program,
                                           const CombineWorkerArguments& arguments) {
  return {.program = program,
          .arguments = {std::string(kCommand), arguments.file, std::string(model::nameOf(arguments.type))},
          .name = "stridescope",
          .environment = variablesOfTheLoader(),
          .subject = "The process that runs your combine",
          .causeOfSilence = "combine is too slow, or does not end",
          .advice = "Fix its text, or take other numbers."};
}

std::optional<CombineWorkerArguments> combineWorkerArguments(int argc, const char* const* argv) {
  if (argc != 4 || argv[1] != kCommand) return std::nullopt;
  const auto type = model::parseElementType(argv[3]);
  if (!type) return std::nullopt;
  return CombineWorkerArguments{.file = argv[2], .type = *type};
}

int serveCombine(const CombineWorkerArguments& arguments, const GuardLimits& limits) {
  // Made while the process may still read about itself.
  guardProcess(arguments.type, limits);
  auto engine = std::make_unique<CombineEngine>(watchedCombine(arguments.type));
  const auto confined = confineFiles(arguments.file, "combine");
  return worker::serveEngine([&]() -> Result<std::unique_ptr<Engine>> {
    if (!confined) return tl::unexpected(confined.error());
    const auto combine = loadConfined(arguments.file, kCombineSymbol, "combine", guardLoading);
    if (!combine) return tl::unexpected(combine.error());
    guardCalls(reinterpret_cast<host::AnyFunction>(*combine));
    return std::move(engine);
  });
}

Result<model::OperatorTrial> tryCombine(const model::Experiment& experiment, const BitsCombine& combine,
                                        const JobControl& job) {
  return model::withType(experiment.type, [&](auto zero) -> Result<model::OperatorTrial> {
    auto trial = Trial<decltype(zero)>(experiment, combine, job).run();
    if (!trial) return cancelled();
    return std::move(*trial);
  });
}

}  // namespace stridescope::engine::sandbox
