#include "narration/measured_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/numbers.h"
#include "model/machine_code.h"
#include "narration/text_maps.h"
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

// "launch 0 (3 in all), "; nothing where there is but one.
std::string launchOf(std::size_t launch, std::size_t all) {
  return all == 1 ? std::string() : "launch " + figure(launch) + " (" + figure(all) + " in all), ";
}

std::string countedLaunch(MeasuredFrom from, const model::CounterRecord& record, std::size_t launch) {
  const std::string text = capitalized(countedOn(from, record.executor.device));
  const model::LaunchCounters& of = record.launches[launch];
  return text + ": " + launchOf(launch, record.launches.size()) + count(of.grid, "block") + " of " +
         count(of.block, "thread") + ". " + std::string(kWarm);
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

std::string openedOne(std::string_view what) {
  return "File > " + std::string(kOpenEntry) + " shows a recording that has " + std::string(what) + ".";
}

std::string noCounters() {
  return "No counters are recorded of this kernel at this type, operator, block size, n, and data. A GPU "
         "that runs it here counts them, and " +
         openedOne("them");
}

namespace {

std::string_view counted(MeasuredFrom from) {
  return from == MeasuredFrom::Recording ? "recorded" : "counted";
}

}  // namespace

std::string countedOn(MeasuredFrom from, const std::string& device) {
  return std::string(counted(from)) + " on " + device;
}

std::string countedCycles(MeasuredFrom from, const analysis::Cycles* cycles,
                          const analysis::Cycles* reference, const std::string& referenceName) {
  if (cycles == nullptr) return {};
  std::string text = capitalized(std::string(counted(from))) + ": " + count(cycles->median, "cycle");
  if (reference != nullptr)
    text += "; " + referenceName + ", with as many active threads, takes " + figure(reference->median);
  return text + ".";
}

std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& counted) {
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return {};
  std::string text;
  if (alone != nullptr) text = count(alone->median, "cycle") + " alone";
  if (inGrid != nullptr)
    text += alone != nullptr ? ", " + figure(inGrid->median) + " in a full grid"
                             : count(inGrid->median, "cycle") + " in a full grid";
  return text + ", " + counted + ".";
}

std::string warpCycles(const analysis::WarpRound& round) {
  std::string text = "works " + count(round.arrive - round.begin, "cycle");
  if (round.end > round.arrive)
    text += ", then waits " + figure(round.end - round.arrive) + " at the barrier";
  return text;
}

std::string clockedLaunch(MeasuredFrom from, const model::ClockRecord& record) {
  const std::string block = record.company == model::ClockedGrid::Alone
                                ? "one block alone"
                                : "block " + figure(record.block) + " of " + figure(record.grid) +
                                      ", n = " + sizeText(record.elements);
  return capitalized(countedOn(from, record.executor.device)) + ": " + block + ", the median of " +
         count(record.firstWarp.size(), "run") + ". The launch took " + timeText(record.clockedMicroseconds) +
         " with clocks, " + timeText(record.cleanMicroseconds) + " without.";
}

std::string noCycles(model::ClockedGrid company, bool other) {
  if (other)
    return company == model::ClockedGrid::Alone ? "No cycles of one block alone are recorded for this launch."
                                                : "No cycles in a full grid are recorded for this launch.";
  return "No cycles are recorded of this kernel at this type, operator, and block size. A GPU that runs it "
         "here counts them, and " +
         openedOne("them");
}

std::string codeSentence(const model::MachineCode& code, const std::vector<unsigned>& lines) {
  std::vector<model::CodeLine> ofRound;
  for (const model::CodeLine& line : code.lines)
    if (line.line > 0 && std::ranges::find(lines, line.line) != lines.end()) ofRound.push_back(line);
  const model::CodeCounts counts = model::countsOf(ofRound);
  if (counts.instructions == 0) return "No instruction is tied to the lines of this round.";
  std::string text = "The lines of this round: " + count(counts.instructions, "instruction");
  if (counts.predicated > 0) text += ", " + figure(counts.predicated) + " of them predicated";
  if (counts.branches == 0) return text + ", and no branch with a predicate: none can diverge.";
  return text + ", and " + figure(counts.branches) + (counts.branches == 1 ? " branch" : " branches") +
         " with a predicate, the kind that can diverge.";
}

std::string compiledCode(const model::MachineCode& code, bool live) {
  std::string text =
      std::string(nameOf(code.kind)) + " for " + code.target + ", compiled by " + code.executor.compiler;
  if (live)
    return text + (code.executor.device.empty() ? " on this machine." : " for " + code.executor.device + ".");
  return text + "; recorded on " + code.executor.device + ".";
}

std::string noMachineCode(const model::Trace& trace) {
  if (model::leavesArrays(trace))
    return "The machine code of a kernel of your own is that of its run on a GPU. Choose a GPU as the "
           "engine. "
           "nvdisasm of the CUDA toolkit lists it.";
  return "No machine code is recorded of this kernel at this type, operator, and block size, and it could "
         "not be "
         "compiled here.";
}

namespace {

constexpr double kCostWorthTelling = 0.08;  // a share of the time without marks
constexpr double kFewSlots = 0.005;

std::string microseconds(std::uint64_t nanoseconds) { return timeText(double(nanoseconds) / 1e3); }

std::string wavesText(double waves) {
  const double tenths = std::round(waves * 10) / 10;
  std::string text = factorText(tenths);
  if (const std::size_t point = text.find('.'); point != std::string::npos)
    while (text.ends_with('0') || text.ends_with('.')) {
      const bool wasPoint = text.ends_with('.');
      text.pop_back();
      if (wasPoint) break;
    }
  return text;
}

}  // namespace

std::string markedRun(MeasuredFrom from, const model::TimelineRecord& record) {
  const std::string who = from == MeasuredFrom::Recording ? "Recorded on " : "Marked on ";
  return who + record.executor.device + ", " + count(record.multiprocessors, "SM") +
         ": n = " + sizeText(record.experiment.elements) + ", the run with the median time of " +
         figure(record.runs) + ". Its launches take " + timeText(record.markedMicroseconds) +
         " with a mark of each block, and " + timeText(record.cleanMicroseconds) + " without.";
}

std::string launchTimes(const model::TimelineRecord& record, const analysis::GridTimeline& timeline,
                        std::size_t launch) {
  const analysis::LaunchTimes& times = timeline.launches[launch];
  std::string text;
  if (timeline.launches.size() > 1)
    text = "Launch " + figure(launch) + " (" + figure(timeline.launches.size()) + " in all): ";
  text += count(times.blocks, "block") + " of " + count(record.launches[launch].block, "thread");
  const std::uint64_t atOnce = std::uint64_t(times.residentBlocks) * record.multiprocessors;
  if (times.waves > 1)
    text += ", " + wavesText(times.waves) + " waves of the " + figure(atOnce) + " that fit at once";
  else if (atOnce > 0)
    text += ", less than a wave: " + figure(atOnce) + " fit at once";
  text += ", in " + microseconds(times.time.length()) + ".";
  if (launch < timeline.gaps.size() && timeline.gaps[launch].length() > 0)
    text += " " + microseconds(timeline.gaps[launch].length()) + " pass " + gapName(timeline, launch) + ".";
  if (times.used < record.multiprocessors) {
    const unsigned idle = record.multiprocessors - times.used;
    text += " " + count(idle, "SM") + (idle == 1 ? " has" : " have") + " no block of it.";
  }
  const double filled = atOnce == 0 ? 0 : times.tailResident / double(atOnce);
  // A recording may say that fewer blocks fit at once than its own marks show.
  if (times.waves > 1 && times.tail().length() > 0 && filled > kFewSlots && filled <= 1)
    text += " After the last block's start, for " + microseconds(times.tail().length()) + ", " +
            percentText(filled) + " of the places are filled (the tail).";
  return text;
}

std::string gapName(const analysis::GridTimeline& timeline, std::size_t gap) {
  if (gap == 0) return "before the first block";
  if (gap == timeline.launches.size()) return "after the last block";
  return "between launches " + figure(gap - 1) + " and " + figure(gap);
}

std::string blockTimes(const analysis::GridTimeline& timeline, const analysis::BlockBar& bar) {
  std::string text = "block " + figure(bar.block) + " of " + figure(timeline.launches[bar.launch].blocks);
  if (timeline.launches.size() > 1) text += ", launch " + figure(bar.launch);
  return text + ": SM " + figure(timeline.rows[bar.row].multiprocessor) + ", from " +
         microseconds(bar.time.begin) + ", for " + microseconds(bar.time.length());
}

std::string markingCost(const model::TimelineRecord& record) {
  if (record.cleanMicroseconds <= 0) return {};
  const double cost = record.markedMicroseconds / record.cleanMicroseconds - 1;
  if (cost <= kCostWorthTelling) return {};
  return "The marks cost " + percentText(cost) + " of the time, so bars are longer than without them.";
}

std::string noTimeline(const std::vector<std::uint64_t>& sizes) {
  std::string text =
      "No timeline is recorded of this kernel at this type, operator, block size, and n. A GPU that runs it "
      "here marks it, and " +
      openedOne("it");
  return sizes.empty() ? text : text + " " + recordedSizes(sizes);
}

namespace {

constexpr std::size_t kLabelColumns = 12, kMaxRows = 24;

std::string padded(std::string text, std::size_t columns) {
  const std::size_t length = charactersIn(text);
  return length < columns ? text + std::string(columns - length, ' ') : text;
}

char digitOf(double share) {
  if (share <= 0) return '.';
  const int tenths = int(std::ceil(share * 10 - 1e-9));
  return tenths >= 10 ? '#' : char('0' + std::max(1, tenths));
}

std::string lineOf(const std::string& name, const analysis::TimeSpan& span) {
  return padded(name, 28) + timeText(double(span.begin) / 1e3) + " to " + timeText(double(span.end) / 1e3) +
         ", " + timeText(double(span.length()) / 1e3) + "\n";
}

}  // namespace

std::string timelineMap(const analysis::GridTimeline& timeline) {
  constexpr std::size_t kColumns = kTextColumns - kLabelColumns;
  const std::size_t perRow = (timeline.rows.size() + kMaxRows - 1) / kMaxRows;
  std::string text = padded("SM", kLabelColumns) + "0 to " + timeText(double(timeline.nanoseconds) / 1e3) +
                     ": tenths of the places that are filled\n";
  for (std::size_t first = 0; first < timeline.rows.size(); first += perRow) {
    const std::size_t last = std::min(first + perRow, timeline.rows.size()) - 1;
    text += padded(first == last ? figure(first) : figure(first) + "-" + figure(last), kLabelColumns);
    for (std::size_t column = 0; column < kColumns; ++column) {
      const analysis::TimeSpan span{timeline.nanoseconds * column / kColumns,
                                    timeline.nanoseconds * (column + 1) / kColumns};
      double resident = 0;
      for (std::size_t row = first; row <= last; ++row)
        resident += timeline.rows[row].residency.average(span);
      text += digitOf(timeline.slots == 0 ? 0 : resident / double(last - first + 1) / timeline.slots);
    }
    text += "\n";
  }
  text += "\n";
  for (std::size_t gap = 0; gap < timeline.gaps.size(); ++gap) {
    if (timeline.gaps[gap].length() > 0) text += lineOf(gapName(timeline, gap), timeline.gaps[gap]);
    if (gap < timeline.launches.size()) text += lineOf("launch " + figure(gap), timeline.launches[gap].time);
  }
  return text;
}

}  // namespace stridescope::narration
