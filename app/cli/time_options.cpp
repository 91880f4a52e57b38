#include "cli/time_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <tuple>

#include "base/numbers.h"
#include "cli/commands.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/timing_data.h"
#include "model/experiment_fields.h"

namespace stridescope::cli {
namespace {

constexpr std::uint64_t kDefaultSize = 1ull << 24;
constexpr std::uint64_t kMaxElements = 1ull << 36;
constexpr std::uint64_t kDefaultSamples = 101;
constexpr std::uint64_t kMaxSamples = 1'000'000;
constexpr double kMaxSeconds = 86'400;
constexpr std::uint64_t kMaxGpus = 1024;
constexpr unsigned kMaxThreads = 1024;
constexpr std::string_view kRangeMark = "..";

template <class Enum, std::size_t N>
std::vector<std::string> namesOf(const std::array<Enum, N>& values) {
  std::vector<std::string> names;
  for (Enum value : values) names.emplace_back(model::nameOf(value));
  return names;
}

// Between commas; blanks beside a comma, or in its place, separate as well.
std::vector<std::string_view> split(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> parts;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return parts;
    if (text.front() == ',') text.remove_prefix(1);
  }
}

Result<std::vector<std::uint64_t>> powersBetween(std::string_view option, std::string_view first,
                                                 std::string_view last) {
  const auto from = parseNumberWithin(option, first, 1, kMaxElements);
  if (!from) return tl::unexpected(from.error());
  const auto to = parseNumberWithin(option, last, *from, kMaxElements);
  if (!to) return tl::unexpected(to.error());
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = std::bit_ceil(*from); size <= *to; size *= 2) sizes.push_back(size);
  if (sizes.empty())
    return usageError(fmt::format("There is no power of two from {} to {} for {}.", first, last, option));
  return sizes;
}

Result<double> parseSeconds(std::string_view given) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), seconds);
  if (error != std::errc() || end != given.data() + given.size() || !(seconds > 0) || seconds > kMaxSeconds)
    return usageError(fmt::format("--seconds takes a number such as 0.5 or 10, not \"{}\".", given));
  return seconds;
}

Result<model::ElementType> parseType(std::string_view option, std::string_view given) {
  const auto type = model::parseElementType(given);
  return type ? Result<model::ElementType>(*type)
              : tl::unexpected(
                    notOneOf(option, given, namesOf(model::kElementTypes), aliasNames(model::Named::Type)));
}

Result<model::Operator> parseOperator(std::string_view option, std::string_view given) {
  const auto op = model::parseOperator(given);
  return op ? Result<model::Operator>(*op)
            : tl::unexpected(
                  notOneOf(option, given, namesOf(model::kOperators), aliasNames(model::Named::Operator)));
}

Result<void> checkIsTimed(model::ElementType type, model::Operator op) {
  if (measure::isTimed(type, op)) return {};
  return usageError(fmt::format("{} on {} is not timed: its result could not be checked.", model::nameOf(op),
                                model::nameOf(type)));
}

Result<void> readReduction(const TimeOptions& options, measure::TimingPlan& plan) {
  if (options.type) {
    const auto type = parseType("--type", *options.type);
    if (!type) return tl::unexpected(type.error());
    plan.type = *type;
  }
  if (options.op) {
    const auto op = parseOperator("--op", *options.op);
    if (!op) return tl::unexpected(op.error());
    plan.op = *op;
  }
  return checkIsTimed(plan.type, plan.op);
}

Result<void> readCases(const TimeOptions& options, measure::TimingPlan& plan) {
  const struct {
    std::string_view option;
    const std::optional<std::string>& text;
  } given[] = {{"-n", options.count}, {"--size", options.size}, {"--sizes", options.sizes}};
  plan.sizes = {kDefaultSize};
  for (const auto& each : given) {
    if (!each.text) continue;
    for (const auto& other : given)
      if (other.text && other.option != each.option)
        return usageError(fmt::format("time takes either {} or {}, not both.", each.option, other.option));
    // After -n a comma or a blank groups digits, if it can; in a list of sizes it separates.
    if (each.option == "-n" && typedNumber(*each.text)) {
      const auto count = parseNumberWithin(each.option, *each.text, 1, kMaxElements);
      if (!count) return tl::unexpected(count.error());
      plan.sizes = {*count};
      continue;
    }
    auto sizes = parseSizes(each.option, *each.text);
    if (!sizes) return tl::unexpected(sizes.error());
    plan.sizes = std::move(*sizes);
  }
  if (options.threads) {
    plan.threads.clear();
    for (const std::string_view text : split(*options.threads)) {
      const auto threads = parseNumberWithin("--threads", text, 1, kMaxThreads);
      if (!threads) return tl::unexpected(threads.error());
      plan.threads.push_back(unsigned(*threads));
    }
  }
  return {};
}

Result<void> readLimits(const TimeOptions& options, measure::TimingPlan& plan) {
  if (options.samples) {
    const auto samples = parseNumberWithin("--samples", *options.samples, 1, kMaxSamples);
    if (!samples) return tl::unexpected(samples.error());
    plan.samplesPerCase = *samples;
  }
  if (options.seconds) {
    const auto seconds = parseSeconds(*options.seconds);
    if (!seconds) return tl::unexpected(seconds.error());
    plan.secondsPerCase = *seconds;
  }
  if (!options.samples && !options.seconds) plan.samplesPerCase = kDefaultSamples;
  if (options.gpu) {
    const auto gpu = parseNumberWithin("--gpu", *options.gpu, 0, kMaxGpus);
    if (!gpu) return tl::unexpected(gpu.error());
    plan.gpu = unsigned(*gpu);
  }
  return {};
}

bool isOverSeveral(const std::string& id) {
  const kernels::Variant* const variant = kernels::findVariant(variantNamed(id));
  return variant != nullptr && variant->isOfSeveralGpus();
}

// With --gpus, or where a variant of several GPUs is named.
Result<void> readGroup(const TimeOptions& options, measure::TimingPlan& plan) {
  const bool named = std::ranges::any_of(options.variants, isOverSeveral);
  if (!options.gpus && !named) return {};
  plan.gpus = model::kDefaultGpus;
  if (options.gpus) {
    const auto gpus = parseNumberWithin("--gpus", *options.gpus, model::kMinGpusTogether, model::kMaxGpus);
    if (!gpus) return tl::unexpected(gpus.error());
    plan.gpus = unsigned(*gpus);
  }
  for (const auto& [given, option, why] :
       {std::tuple(options.gpu.has_value(), "--gpu", "several are those from number 0 on"),
        std::tuple(options.graph, "--graph", "launches on several GPUs are not made into one CUDA graph"),
        std::tuple(options.baselines, "--baselines", "one GPU alone and NCCL stand beside the variants")})
    if (given) return usageError(fmt::format("time takes no {} with several GPUs: {}.", option, why));
  return {};
}

// One GPU alone stands first where a variant leaves one result.
Result<void> readGroupSubjects(const TimeOptions& options, measure::TimingPlan& plan) {
  const std::vector<model::TimingSubject> offered = measure::groupSubjects(plan.type, plan.op);
  if (options.variants.empty()) plan.subjects = offered;
  for (const std::string& id : options.variants) {
    const model::TimingSubject subject{model::SubjectKind::SeveralGpus, std::string(variantNamed(id))};
    if (kernels::findVariant(subject.id) == nullptr)
      return usageError("There is no variant '" + id + "'. `stridescope list` names them.");
    if (!isOverSeveral(id))
      return usageError(subject.id +
                        " runs on one GPU: time it without --gpus and without variants of "
                        "several GPUs.");
    if (std::ranges::find(offered, subject) == offered.end())
      return usageError(fmt::format("{} does not offer {} on {}.", subject.id, model::nameOf(plan.op),
                                    model::nameOf(plan.type)));
    if (std::ranges::find(plan.subjects, subject) == plan.subjects.end()) plan.subjects.push_back(subject);
  }
  const bool sums = std::ranges::any_of(plan.subjects, [](const model::TimingSubject& subject) {
    return subject != measure::kOneGpu && !measure::leavesArrays(subject);
  });
  std::erase(plan.subjects, measure::kOneGpu);
  if (sums) plan.subjects.insert(plan.subjects.begin(), measure::kOneGpu);
  if (plan.subjects.empty()) return usageError("No variant of several GPUs offers this reduction.");
  return {};
}

Result<void> readSubjects(const TimeOptions& options, measure::TimingPlan& plan) {
  if (!options.variants.empty() && options.all)
    return usageError("time takes either variants or --all, not both.");
  if (plan.gpus > 0) return readGroupSubjects(options, plan);
  if (options.variants.empty()) plan.subjects = measure::variantSubjects(plan.type, plan.op);
  for (const std::string& id : options.variants) {
    model::Experiment experiment;
    experiment.variant = variantNamed(id);
    experiment.type = plan.type;
    experiment.op = plan.op;
    experiment.threads = plan.threads.front();
    experiment.elements = plan.sizes.front();
    const auto checked = engine::checkedExperiment(experiment, true);
    if (!checked) return tl::unexpected(checked.error());
    const model::TimingSubject subject{model::SubjectKind::Variant, checked->variant};
    if (std::ranges::find(plan.subjects, subject) == plan.subjects.end()) plan.subjects.push_back(subject);
  }
  if (options.baselines)
    for (model::TimingSubject& baseline : measure::baselineSubjects(plan.type, plan.op))
      if (!options.noCpu || baseline.kind != model::SubjectKind::CpuBaseline)
        plan.subjects.push_back(std::move(baseline));
  return {};
}

}  // namespace

void TimeOptions::declare(Options& options) {
  options.value("variants", variants, "Some of `stridescope list`; all without", "VARIANT");
  options.flag("--all", all, "Every variant that offers the type and the operator");
  options.flag("--baselines", baselines, "CUB, Thrust and the CPU beside them");
  options.olderFlag("--peers", baselines);
  options.flag("--no-cpu", noCpu, "Without the baselines on the CPU");
  options.value("-n", count, "Elements: 1000, 65,537, 2^24 (default)", "N");
  options.value("--size", size, "The same, or several: 1000,2^20", "N,...");
  options.value("--sizes", sizes, "Every power of two: 2^10..2^30", "A..B");
  options.value("--threads", threads,
                "of a block, or several: 32,64,128; each variant's default unless given", "THREADS");
  options.value("--type", type, std::string(model::experimentField("type").help), "TYPE");
  options.value("--op", op, "+ (default) * min max & | ^, or add (sum) mul (product) and or xor", "OPERATOR");
  options.value("--samples", samples, "of each, at every size: 101 unless given", "N");
  options.value("--seconds", seconds, "at every size, in place of a number of samples", "S");
  options.flag("--interleaved", interleaved,
               "Each repetition takes one sample of all, in place of each alone with CUB");
  options.flag("--warm-l2", warmL2, "The same input again and again, so that it may lie in the caches");
  options.flag("--graph", graph, "Launches as one CUDA graph: the work without the cost of launching");
  options.value("--gpu", gpu, "The driver's number of the GPU: 0 unless given", "N");
  options.value("--gpus", gpus, "Over so many GPUs of this host together: 2 to 8", "N");
}

bool TimeOptions::hasMore() const {
  return all || baselines || noCpu || warmL2 || graph || interleaved || count || size || sizes || threads ||
         type || op || samples || seconds || gpus;
}

Result<std::vector<std::uint64_t>> parseSizes(std::string_view option, std::string_view given) {
  const auto mark = given.find(kRangeMark);
  if (mark != std::string_view::npos)
    return powersBetween(option, given.substr(0, mark), given.substr(mark + kRangeMark.size()));
  std::vector<std::uint64_t> sizes;
  for (const std::string_view text : split(given)) {
    const auto size = parseNumberWithin(option, text, 1, kMaxElements);
    if (!size) return tl::unexpected(size.error());
    sizes.push_back(*size);
  }
  return sizes;
}

Result<std::vector<std::pair<model::ElementType, model::Operator>>> parseReductions(std::string_view option,
                                                                                    std::string_view given) {
  std::vector<std::pair<model::ElementType, model::Operator>> reductions;
  for (const std::string_view text : split(given)) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      return usageError(
          fmt::format("{} takes types and operators such as int:+,float:max, not \"{}\".", option, given));
    const auto type = parseType(option, text.substr(0, colon));
    if (!type) return tl::unexpected(type.error());
    const auto op = parseOperator(option, text.substr(colon + 1));
    if (!op) return tl::unexpected(op.error());
    if (auto timed = checkIsTimed(*type, *op); !timed) return tl::unexpected(timed.error());
    reductions.emplace_back(*type, *op);
  }
  return reductions;
}

Result<measure::TimingPlan> readTimingPlan(const TimeOptions& options) {
  measure::TimingPlan plan;
  plan.warmL2 = options.warmL2;
  plan.interleaved = options.interleaved;
  plan.graph = options.graph;
  for (const auto read : {readReduction, readCases, readLimits, readGroup, readSubjects})
    if (auto done = read(options, plan); !done) return tl::unexpected(done.error());
  return plan;
}

}  // namespace stridescope::cli
