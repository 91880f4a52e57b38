#include "lesson_prices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>
#include <sstream>
#include <vector>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "lab/known/recorded.h"
#include "lab/sources/sources.h"
#include "narration/why_sentences.h"
#include "views/reading/lesson.h"

namespace stridescope::views::test {
namespace {

const lab::sources::RecordSet& shipped() {
  static const lab::sources::RecordSet records =
      lab::sources::recordsIn(STRIDESCOPE_SOURCE "/assets/recordings/h200-variants.stride");
  return records;
}

// Times over two GPUs.
const std::vector<model::GroupTimingRecord>& shippedOverGpus() {
  static const lab::sources::RecordSet records =
      lab::sources::recordsIn(STRIDESCOPE_SOURCE "/assets/recordings/h200-several-gpus.stride");
  return records.of<model::GroupTimingRecord>().all();
}

template <class Record>
std::optional<Record> recordOf(const model::Experiment& experiment) {
  for (const Record& record : shipped().of<Record>().all())
    if (tellsOf(record, experiment)) return record;
  return std::nullopt;
}

std::string lessOrMore(double change) {
  return timeText(std::abs(change)) + (change < 0 ? " less" : " more");
}

// {{... = over_gpus V N}}: the variant's time for n ints, with +; {{... = over_gpus V N beside S}}: that of
// S, which was sampled in the same repetitions.
Result<std::string> timeOverGpus(const std::vector<std::string>& words) {
  const std::uint64_t elements = sizeOf(words[2]);
  const auto& all = shippedOverGpus();
  const auto found = std::ranges::find_if(all, [&](const model::GroupTimingRecord& record) {
    const model::Experiment& of = record.experiment;
    return of.variant == words[1] && of.elements == elements && of.gpus == 2 &&
           of.type == model::ElementType::Int && of.op == model::Operator::Add;
  });
  if (found == all.end()) return usageError("no time over two GPUs is recorded of " + words[1]);
  if (words.size() == 3) return timeText(found->microseconds);
  const auto other = std::ranges::find(found->others, words[4], &model::PairedTime::subject);
  if (other == found->others.end()) return usageError(words[4] + " was not sampled beside " + words[1]);
  return timeText(other->microseconds);
}

Result<std::string> priceOf(const analysis::ReductionCost& cost, const std::string& step) {
  const std::string kind = step == "launches" ? "launch" : step;
  double sum = 0;
  bool found = false;
  for (const analysis::PricedStep& each : cost.prices->steps) {
    const bool isStride = each.kind == analysis::PricedKind::Stride;
    if (isStride ? std::to_string(*each.stride) != kind : analysis::nameOf(each.kind) != kind) continue;
    sum += each.microseconds;
    found = true;
  }
  return found ? Result<std::string>(timeText(sum)) : usageError("it has no step \"" + step + "\"");
}

// What the stride that costs most does.
Result<std::string> mostOfStrides(const analysis::ReductionCost& cost) {
  std::map<std::uint64_t, double> sums;
  for (const analysis::PricedStep& step : cost.prices->steps)
    if (step.kind == analysis::PricedKind::Stride) sums[*step.stride] += step.microseconds;
  if (sums.empty()) return usageError("it has no strides");
  return timeText(std::ranges::max(std::views::values(sums)));
}

// A block with as many elements as its launch takes.
Result<lab::Run> runOfOneBlock(model::Experiment experiment, const kernels::Variant& variant) {
  experiment.elements = std::uint64_t(experiment.threads) * variant.launch.elementsPerThread;
  engine::JobControl job;
  return engine::host::makeHostEngine()->record(experiment, job).map([](model::Trace&& trace) {
    return lab::runOf(std::move(trace));
  });
}

Result<std::string> cyclesOf(const std::string& id, const std::string& ofRound) {
  const kernels::Variant* const variant = kernels::findVariant(id);
  if (variant == nullptr) return usageError("no variant is called \"" + id + "\"");
  const auto run = runOfOneBlock({.variant = id, .threads = variant->defaultThreads}, *variant);
  if (!run) return tl::unexpected(run.error());
  const lab::RunCycles cycles = lab::cyclesOf(*run, shipped().of<model::ClockRecord>().all());
  if (cycles.launches.empty()) return usageError("no cycles are recorded of " + id);
  const auto& rounds = run->analysis.launches.at(0).rounds;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const std::string name =
        rounds[i].stride ? std::to_string(*rounds[i].stride) : std::string(analysis::nameOf(rounds[i].kind));
    if (name != ofRound) continue;
    if (const analysis::Cycles* const known = cycles.launches.front().alone.at(i))
      return std::to_string(known->median);
  }
  return usageError("no cycles are known of the round \"" + ofRound + "\"");
}

}  // namespace

const std::vector<model::CostRecord>& shippedCosts() { return shipped().of<model::CostRecord>().all(); }

Result<analysis::ReductionCost> shippedCost(const std::string& id, const std::string& size) {
  const kernels::Variant* const variant = kernels::findVariant(id);
  if (variant == nullptr) return usageError("no variant is called \"" + id + "\"");
  const auto experiment = engine::checkedExperiment({.variant = id,
                                                     .threads = variant->defaultThreads,
                                                     .elements = sizeOf(size),
                                                     .data = kernels::defaultData(id, model::Operator::Add)},
                                                    true);
  if (!experiment) return tl::unexpected(experiment.error());
  auto cost = recordOf<model::CostRecord>(*experiment);
  auto prices = recordOf<model::PeelRecord>(*experiment);
  if (!cost || !prices) return usageError("no prices are recorded of " + id + " at " + size);
  engine::JobControl job;
  // A few blocks pass the same marks as many, and are stepped sooner.
  model::Experiment few = *experiment;
  few.elements = 4 * std::uint64_t(few.threads) * variant->launch.elementsPerThread;
  auto trace = engine::host::makeHostEngine()->record(few, job);
  if (!trace) return tl::unexpected(trace.error());
  analysis::ReductionCost reduction{
      .cost = *std::move(cost),
      .prices = lab::stepPrices(lab::runOf(*std::move(trace)), *std::move(prices), {}, job)};
  if (reduction.prices->steps.empty()) return usageError("the steps of " + id + " have no names");
  return reduction;
}

bool isMeasured(std::string_view what) {
  static constexpr std::array<std::string_view, 13> kWords{"over_gpus",
                                                           "price",
                                                           "most_of_strides",
                                                           "costliest",
                                                           "gain",
                                                           "grid",
                                                           "all",
                                                           "largest",
                                                           "largest_sum",
                                                           "against",
                                                           "against_sum",
                                                           "cycles",
                                                           "idle_multiprocessors"};
  const std::string_view first = what.substr(0, what.find_first_of(" \n"));
  return std::ranges::find(kWords, first) != kWords.end();
}

Result<std::string> measuredWords(std::string_view what) {
  std::istringstream stream{std::string(what)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.size() == 3 && words[0] == "costliest")
    return shippedCost(words[1], words[2]).map([](const analysis::ReductionCost& cost) {
      return narration::costliestPhrase(*cost.prices);
    });
  if (words.size() == 3 && words[0] == "most_of_strides")
    return shippedCost(words[1], words[2]).and_then(mostOfStrides);
  const bool isOfTwo = words.size() == 5 && words[3] == "beside";
  if (words[0] == "over_gpus" && (words.size() == 3 || isOfTwo)) return timeOverGpus(words);
  if (words.size() == 3 && words[0] == "cycles") return cyclesOf(words[1], words[2]);
  if (words.size() == 3 && words[0] == "idle_multiprocessors")
    return shippedCost(words[1], words[2]).map([](const analysis::ReductionCost& cost) {
      const std::uint64_t all = cost.cost.limits.multiprocessors;
      return std::to_string(all - std::min(all, cost.cost.launches.front().grid));
    });
  if (words.size() == 4 && words[0] == "price")
    return shippedCost(words[1], words[3]).and_then([&](const auto& cost) {
      return priceOf(cost, words[2]);
    });
  if (words.size() != 5 || words[2] != "over") return usageError("these are not the words of a price");
  const auto after = shippedCost(words[1], words[4]), before = shippedCost(words[3], words[4]);
  if (!after) return tl::unexpected(after.error());
  if (!before) return tl::unexpected(before.error());
  const analysis::RungChange change = analysis::changeFrom(*before, *after);
  if (words[0] == "gain")
    return change.isSameTime() ? Result<std::string>(usageError("the time is the same within its spread"))
                               : lessOrMore(-change.saved);
  if (words[0] == "all") return lessOrMore(analysis::changeOf(change.steps));
  if (words[0] == "grid") {
    return change.grid ? Result<std::string>(lessOrMore(*change.grid))
                       : usageError("the grids are the same, or take the same time within its spread");
  }
  const auto& steps = words[0].starts_with("against") ? change.against : change.largest;
  if (steps.empty()) return usageError("no step differs so by more than two measurements of one step");
  return words[0].ends_with("_sum") ? lessOrMore(analysis::changeOf(steps)) : narration::stepsPhrase(steps);
}

}  // namespace stridescope::views::test
