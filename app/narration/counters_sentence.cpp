#include "narration/counters_sentence.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "base/numbers.h"
#include "narration/wording.h"

namespace stridescope::narration {
std::string counterAmount(double value, model::CounterUnit unit) {
  switch (unit) {
    case model::CounterUnit::Percent:
      return std::isfinite(value) ? decimalText(value, 1) + " %" : std::string(kNoNumber);
    case model::CounterUnit::Warps:
      return decimalText(value, 2);
    case model::CounterUnit::Count:
    case model::CounterUnit::Bytes:
      break;
  }
  return roundedFigure(value);
}

std::string counterDifference(const std::optional<double>& modelled, const std::optional<double>& measured,
                              model::CounterUnit unit) {
  if (!modelled || !measured) return {};
  if (*modelled == *measured) return "equal";
  const double difference = *measured - *modelled;
  if (!std::isfinite(difference)) return std::string(kNoNumber);
  return (difference < 0 ? "-" : "+") + counterAmount(std::abs(difference), unit);
}

std::string whyDifferent(model::Counter counter, double modelled, double measured) {
  if (measured == modelled) return {};
  const bool isLoad =
      counter == model::Counter::SharedLoadWavefronts || counter == model::Counter::SharedLoadConflicts;
  if (measured < modelled)
    return isLoad
               ? "The compiler loads less than the text says: it keeps in a register what was just loaded, "
                 "or loads neighbouring words with one instruction."
               : "The compiler stores less than the text says.";
  return "Shared memory was gone through more often than these accesses need: the counter includes "
         "wavefronts "
         "that were lost to other traffic of the SM, another number in each run.";
}

std::string knownDifference(std::string_view variant, model::Counter counter) {
  const bool ofLoads =
      counter == model::Counter::SharedLoadWavefronts || counter == model::Counter::SharedLoadConflicts;
  const bool merges = variant.starts_with("k_way_merge");
  if (ofLoads && (variant == "warm_up" || variant == "warp_guarded"))
    return "The compiler keeps in a register what was just loaded.";
  if (ofLoads && variant == "tile_columns")
    return "The compiler loads four neighbouring words with one instruction.";
  if (ofLoads && merges) return "The compiler loads less than the text says.";
  if (!ofLoads && (merges || variant == "warp_redux"))
    return "The counter tells of wavefronts, as many as conflicts, that these stores do not need: another "
           "number in each run.";
  return {};
}

std::string countedLaunch(MeasuredFrom from, const model::CounterRecord& record, std::size_t launch) {
  std::string text = countedOn(from, record.executor.device);
  text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
  const model::LaunchCounters& of = record.launches[launch];
  return text + ": launch " + figure(launch + 1) + " of " + figure(record.launches.size()) + ", " +
         count(of.grid, "block") + " of " + count(of.block, "thread") + ". " + std::string(kWarm);
}

std::string cappedRatios(const model::LaunchCounters& launch) {
  std::string text;
  for (const model::CounterValue& each : launch.values) {
    const model::CounterFacts& facts = model::factsOf(each.counter);
    if (each.value <= launch.find(each.counter).value_or(each.value)) continue;
    text += fmt::format("{}{}: counted as {}, shown as {}.", text.empty() ? "" : " ", facts.title,
                        counterAmount(each.value, facts.unit),
                        counterAmount(*launch.find(each.counter), facts.unit));
  }
  if (text.empty()) return {};
  return text +
         " The parts of a ratio are counted in separate runs of the kernel, which differ where it is short.";
}

std::string measuredDivergence(MeasuredFrom from, const std::optional<model::CounterRecord>& record,
                               std::size_t launch) {
  std::optional<double> targets;
  if (record) targets = record->launches[launch].find(model::Counter::DivergentBranchTargets);
  if (!targets) return "Divergent branches measured: not available here.";
  return "Divergent branch targets measured: " + counterAmount(*targets, model::CounterUnit::Count) +
         " in this launch, " + countedOn(from, record->executor.device) + ".";
}

std::string noCounters() {
  return "No counters are recorded of this kernel at this type, operator, block size, n, and data. A GPU "
         "that "
         "runs it here counts them, or one that records it with --counters.";
}

}  // namespace stridescope::narration
