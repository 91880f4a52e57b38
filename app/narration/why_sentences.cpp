#include "narration/why_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using analysis::ChangedFigure;
using analysis::LimitKind;
using model::Counter;

// "1.08 MB", in units of 10^6 bytes; below a megabyte "64 KB".
std::string bytesText(double bytes) {
  if (bytes >= 1e6) return factorText(bytes / 1e6) + " MB";
  if (bytes >= 1e3) return factorText(bytes / 1e3) + " KB";
  return roundedFigure(bytes) + " bytes";
}

std::string bandwidth(const model::GpuLimits& limits) {
  return gigabytesText(limits.readGigabytesPerSecond) + " GB/s";
}

std::string shareText(double part, double whole) { return whole > 0 ? percentText(part / whole) : ""; }

std::uint64_t blocksOf(const model::CostRecord& cost) {
  return std::accumulate(
      cost.launches.begin(), cost.launches.end(), std::uint64_t{0},
      [](std::uint64_t sum, const model::LaunchCost& launch) { return sum + launch.grid; });
}

std::string launchesText(std::uint64_t launches) {
  return launches == 1 ? "1 launch" : figure(launches) + " launches";
}

std::string clockText(const model::GpuLimits& limits) {
  return roundedFigure(limits.clockMegahertz) + " MHz";
}

// "132 SMs x 1980 MHz"
std::string cyclesPerSecond(const model::GpuLimits& limits) {
  return count(limits.multiprocessors, "SM") + " × " + clockText(limits);
}

std::string_view titleOf(LimitKind kind) {
  constexpr std::array<std::string_view, analysis::kLimitKinds.size()> titles{
      "loads in flight", "instructions issued", "shared-memory wavefronts",
      "bank conflicts",  "waiting at barriers", "tail of the grid"};
  return titles[std::size_t(kind)];
}

std::string formulaOf(const analysis::Limit& limit, const analysis::ReductionCost& reduction) {
  const model::GpuLimits& limits = reduction.cost.limits;
  const model::LaunchCost& launch = reduction.cost.launches.front();
  const std::string time = timeText(limit.microseconds);
  const double conflicts = analysis::counted(reduction, Counter::SharedLoadConflicts) +
                           analysis::counted(reduction, Counter::SharedStoreConflicts);
  switch (limit.kind) {
    case LimitKind::LoadsInFlight: {
      const double blocks =
          std::min(double(launch.grid), double(launch.residentBlocks) * limits.multiprocessors);
      return fmt::format(
          "{} × {} × {} asked for at once = {} in flight. Little's law: {} of latency × {} "
          "need {}. "
          "At what is in flight, memory takes {}. Bytes as the text asks for them; blocks as the driver "
          "computes; latency and bandwidth measured.",
          count(std::uint64_t(blocks), "resident block"), count(launch.block, "thread"),
          count(reduction.loads.bytes, "byte"), bytesText(analysis::bytesInFlight(reduction)),
          timeText(limits.latencyNanoseconds / 1e3), bandwidth(limits),
          bytesText(analysis::bytesNeededInFlight(limits)), time);
    }
    case LimitKind::Instructions:
      return fmt::format(
          "{} instructions of warps ÷ ({} × {} schedulers) = {}. Counted by the hardware; a scheduler issues "
          "at most one a cycle.",
          roundedFigure(analysis::counted(reduction, Counter::Instructions)), cyclesPerSecond(limits),
          analysis::kSchedulers, time);
    case LimitKind::SharedMemory:
      return fmt::format(
          "{} wavefronts without conflicts ÷ ({}) = {}. Counted by the hardware; one a cycle.",
          roundedFigure(analysis::counted(reduction, Counter::SharedLoadWavefronts) +
                        analysis::counted(reduction, Counter::SharedStoreWavefronts) - conflicts),
          cyclesPerSecond(limits), time);
    case LimitKind::BankConflicts:
      return fmt::format(
          "{} wavefronts that conflicts cost ÷ ({}) = {}. Counted by the hardware; one a cycle.",
          roundedFigure(conflicts), cyclesPerSecond(limits), time);
    case LimitKind::Barriers:
      return fmt::format(
          "{} of the time that warps are resident they wait at barriers (stall reasons, counted by the "
          "hardware) = {} of the time after the launch. Meanwhile other warps may work.",
          percentText(analysis::barrierShare(reduction)), time);
    case LimitKind::Tail:
      return fmt::format("From the last block's start to the last one's end: {}, marked by the blocks.",
                         time);
  }
  return {};
}

std::string indented(const std::string& sentences) {
  constexpr std::size_t kIndent = 4;
  std::string text;
  for (const char c : wrapped(sentences, kTextColumns - kIndent)) {
    if (text.empty() || text.back() == '\n') text.append(kIndent, ' ');
    text += c;
  }
  return text + "\n";
}

// "Half the instructions", "4.0 times the bytes in flight"
std::string amountOf(double factor, const std::string& noun) {
  if (factor <= 0) return "No " + noun;
  if (factor < 0.05) return "Hardly any " + noun;
  if (factor > 0.46 && factor < 0.54) return "Half the " + noun;
  if (factor > 0.235 && factor < 0.265) return "A quarter of the " + noun;
  if (factor < 1) return percentText(factor) + " of the " + noun;
  return factorText(factor) + " times the " + noun;
}

std::string causeOf(const analysis::RungChange& change) {
  const auto factorOf = [&](ChangedFigure figure) { return change.find(figure)->factor().value_or(1); };
  switch (*change.cause) {
    case ChangedFigure::Instructions:
      return amountOf(factorOf(ChangedFigure::Instructions), "instructions");
    case ChangedFigure::Wavefronts:
      return amountOf(factorOf(ChangedFigure::Wavefronts), "shared-memory wavefronts");
    case ChangedFigure::Conflicts:
      return amountOf(factorOf(ChangedFigure::Conflicts), "bank conflicts");
    case ChangedFigure::BytesInFlight:
      return amountOf(factorOf(ChangedFigure::BytesInFlight), "bytes in flight");
    default: {
      const analysis::Change& launches = *change.find(ChangedFigure::Launches);
      const double blocks = factorOf(ChangedFigure::Blocks);
      if (blocks < std::min(1.0, launches.factor().value_or(1))) return amountOf(blocks, "blocks");
      return launchesText(std::uint64_t(launches.after)) + " in place of " +
             figure(std::uint64_t(launches.before));
    }
  }
}

std::string_view wasTheLimit(ChangedFigure cause) {
  switch (cause) {
    case ChangedFigure::Instructions:
      return "instructions were the limit";
    case ChangedFigure::Wavefronts:
      return "shared memory was the limit";
    case ChangedFigure::Conflicts:
      return "bank conflicts were the limit";
    case ChangedFigure::BytesInFlight:
      return "too few loads were in flight";
    default:
      return "launching was the limit";
  }
}

}  // namespace

std::string costedRun(MeasuredFrom from, const model::CostRecord& cost) {
  const std::string who = from == MeasuredFrom::Recording ? "Recorded on " : "Measured on ";
  return who + cost.executor.device + ": n = " + sizeText(cost.experiment.elements) + ", " +
         count(cost.experiment.threads, "thread") + " per block. " + timeText(cost.microseconds) +
         " from the first launch to the last, the median of " + count(cost.runs, "run") +
         ", the input not in L2.";
}

std::string gpuLimits(const model::GpuLimits& limits) {
  std::string text;
  const auto add = [&](bool known, const std::string& fact) {
    if (known) text += (text.empty() ? "" : ", ") + fact;
  };
  add(limits.readGigabytesPerSecond > 0, "peak read bandwidth " + bandwidth(limits));
  add(limits.latencyNanoseconds > 0, "memory latency " + roundedFigure(limits.latencyNanoseconds) + " ns");
  add(limits.launchMicroseconds > 0, "an empty launch " + timeText(limits.launchMicroseconds));
  add(limits.multiprocessors > 0 && limits.clockMegahertz > 0,
      count(limits.multiprocessors, "SM") + " at " + clockText(limits));
  if (text.empty()) return text;
  text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ": measured.";
}

PartText launchingText(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts) {
  const model::CostRecord& cost = reduction.cost;
  return {"launching", timeText(parts.launching), shareText(parts.launching, parts.total),
          fmt::format("{}, {} together, with empty kernels: {}. Measured; one empty block takes {}.",
                      launchesText(cost.launches.size()), count(blocksOf(cost), "block"),
                      timeText(parts.launching), timeText(cost.limits.launchMicroseconds))};
}

PartText memoryText(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts) {
  const model::CostRecord& cost = reduction.cost;
  return {"memory", timeText(parts.memory), shareText(parts.memory, parts.total),
          fmt::format("{} × {} ÷ {} = {}. The input once, at the measured peak read bandwidth.",
                      count(cost.experiment.elements, "element"),
                      count(model::bytesOf(cost.experiment.type), "byte"), bandwidth(cost.limits),
                      timeText(parts.memory))};
}

PartText restText(const analysis::TimeParts& parts) {
  const double rest = parts.rest();
  if (rest < 0)
    return {"overlap", timeText(-rest), shareText(-rest, parts.total),
            fmt::format("{} of launching and {} of memory are {} more than the {} that it takes: the first "
                        "blocks load while others are launched.",
                        timeText(parts.launching), timeText(parts.memory), timeText(-rest),
                        timeText(parts.total))};
  return {"the rest", timeText(rest), shareText(rest, parts.total),
          fmt::format("{} - {} of launching - {} of memory = {}.", timeText(parts.total),
                      timeText(parts.launching), timeText(parts.memory), timeText(rest))};
}

PartText limitText(const analysis::Limit& limit, const analysis::ReductionCost& reduction,
                   const analysis::TimeParts& parts) {
  return {std::string(titleOf(limit.kind)), timeText(limit.microseconds),
          shareText(limit.microseconds, parts.total), formulaOf(limit, reduction)};
}

std::string whySentence(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts) {
  const double rest = parts.rest();
  std::string text;
  if (parts.launching >= parts.total)
    text = fmt::format("Launching {} alone, with nothing in them, takes as long as this: {}.",
                       count(blocksOf(reduction.cost), "block"), timeText(parts.launching));
  else if (parts.launching >= parts.memory && parts.launching >= rest)
    text = fmt::format("Launching {} takes {} of the time, with nothing in them.",
                       count(blocksOf(reduction.cost), "block"), percentText(parts.launching / parts.total));
  else if (parts.memory >= rest)
    text = fmt::format("Reading the input once at the peak bandwidth takes {} of the time.",
                       percentText(parts.memory / parts.total));
  else
    text = fmt::format("{} of the time is neither launching nor memory.", percentText(rest / parts.total));
  if (rest < 0) return text + " Launching and memory overlap by " + timeText(-rest) + ".";
  if (rest < analysis::kUnexplainedShare * parts.total)
    return text + " Launching and memory leave " + timeText(rest) + ".";
  if (!parts.limits.empty()) {
    const analysis::Limit& limit = parts.limits.front();
    text += fmt::format(" The rest, {}, is bound most by {}: {} by itself.", timeText(rest),
                        titleOf(limit.kind), timeText(limit.microseconds));
  }
  if (!parts.isExplained())
    text += fmt::format(" {} ({}) are not explained by these parts.", timeText(parts.unexplained()),
                        percentText(parts.unexplained() / parts.total));
  return text;
}

std::vector<ChangeText> changeTexts(const analysis::RungChange& change) {
  constexpr std::array<std::string_view, analysis::kChangedFigures.size()> titles{"time",
                                                                                  "launches",
                                                                                  "blocks",
                                                                                  "instructions",
                                                                                  "wavefronts",
                                                                                  "bank conflicts",
                                                                                  "bytes in flight",
                                                                                  "DRAM, share of the peak",
                                                                                  "launching, empty"};
  const auto amount = [](ChangedFigure figure, double value) {
    switch (figure) {
      case ChangedFigure::BytesInFlight:
        return bytesText(value);
      case ChangedFigure::DramShare:
        return counterAmount(value, model::CounterUnit::Percent);
      case ChangedFigure::Launching:
      case ChangedFigure::Time:
        return timeText(value);
      default:
        return roundedFigure(value);
    }
  };
  std::vector<ChangeText> texts;
  for (const analysis::Change& each : change.changes) {
    const auto factor = each.factor();
    texts.push_back({each.figure, std::string(titles[std::size_t(each.figure)]),
                     amount(each.figure, each.before), amount(each.figure, each.after),
                     factor ? factorText(*factor) : "-"});
  }
  return texts;
}

std::string changeSentence(const analysis::RungChange& change) {
  if (change.sameTime) return "The same time: what changed was not the limit.";
  const double factor = change.timeFactor();
  if (factor >= 1) {
    std::string text = factor < 1.005 ? "Nearly the same time" : factorText(factor) + " times the time";
    const analysis::Change* const instructions = change.find(ChangedFigure::Instructions);
    if (instructions && instructions->factor().value_or(1) > 1.05)
      text += ", with " + factorText(*instructions->factor()) + " times the instructions";
    return text + ".";
  }
  const std::string time = percentText(factor) + " of the time";
  if (!change.cause) return time + "; none of these changes explains that by itself.";
  std::string text =
      causeOf(change) + ", and " + time + ": " +
      std::string(change.wasLimit ? wasTheLimit(*change.cause) : "of what changed, that counts most") + ".";
  if (change.saved - change.explained > analysis::kUnexplainedShare * change.saved)
    text += " That explains " + timeText(change.explained) + " of the " + timeText(change.saved) +
            " that are saved.";
  return text;
}

std::string boundsSentence(const analysis::SizeBounds& bounds) {
  const auto size = [](double n) { return "n = 2^" + decimalText(std::log2(n), 1); };
  std::string text;
  if (bounds.launchingUntil) text = "launching takes most of the time up to " + size(*bounds.launchingUntil);
  if (bounds.memoryFrom)
    text += (text.empty() ? "memory takes most of the time from " : ", and memory from ") +
            size(*bounds.memoryFrom) + " on";
  if (text.empty()) return text;
  text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

std::string otherBlocks(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction) {
  const unsigned threads = before.cost.experiment.threads;
  return threads == reduction.cost.experiment.threads ? "" : ", " + count(threads, "thread") + " per block";
}

std::string whyText(MeasuredFrom from, const analysis::ReductionCost& reduction,
                    const analysis::ReductionCost* before) {
  const analysis::TimeParts parts = analysis::timePartsOf(reduction);
  const auto paragraph = [](const std::string& sentences) { return wrapped(sentences, kTextColumns) + "\n"; };
  std::string text = paragraph(costedRun(from, reduction.cost)) + paragraph(gpuLimits(reduction.cost.limits));
  const auto add = [&](const PartText& part) {
    text += fmt::format("  {:<26} {:>10} {:>6}\n", part.title, part.time, part.share);
    text += indented(part.formula);
  };
  add(launchingText(reduction, parts));
  add(memoryText(reduction, parts));
  add(restText(parts));
  text += paragraph(whySentence(reduction, parts));
  if (!parts.limits.empty()) text += "By itself:\n";
  for (const analysis::Limit& limit : parts.limits) add(limitText(limit, reduction, parts));
  if (before == nullptr) return text;
  const analysis::RungChange change = analysis::changeFrom(*before, reduction);
  text += fmt::format("\nFrom {}{}:\n", before->cost.experiment.variant, otherBlocks(*before, reduction));
  for (const ChangeText& row : changeTexts(change))
    text += fmt::format("  {:<26} {:>14} {:>14} {:>7}{}\n", row.title, row.before, row.after, row.factor,
                        change.cause == row.figure ? "  largest cause" : "");
  return text + paragraph(changeSentence(change));
}

std::string noCosts() {
  return "Nothing is recorded of what this kernel's time is made of at this type, operator, block size, and "
         "n. "
         "A GPU that runs it here measures it, or one that records it with --costs.";
}

}  // namespace stridescope::narration
