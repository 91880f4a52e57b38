// The figures of Why: bounds with their formulas, what a GPU does at most, and what changed in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using analysis::BoundKind;
using analysis::ChangedFigure;
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

std::string_view titleOf(BoundKind kind) {
  constexpr std::array<std::string_view, analysis::kBoundKinds.size()> titles{
      "grids that do nothing",    "reading the input once", "loads in flight",     "instructions issued",
      "shared-memory wavefronts", "bank conflicts",         "waiting at barriers", "tail of the grid"};
  return titles[std::size_t(kind)];
}

std::string formulaOf(const analysis::Bound& bound, const analysis::ReductionCost& reduction) {
  const model::GpuLimits& limits = reduction.cost.limits;
  const model::LaunchCost& launch = reduction.cost.launches.front();
  const std::string time = timeText(bound.microseconds);
  const double conflicts = analysis::counted(reduction, Counter::SharedLoadConflicts) +
                           analysis::counted(reduction, Counter::SharedStoreConflicts);
  switch (bound.kind) {
    case BoundKind::EmptyGrid:
      return fmt::format(
          "{}, {} together, with empty kernels: {}. Measured beside the reduction; one empty block took {} "
          "when "
          "the GPU was opened.",
          launchesText(reduction.cost.launches.size()), count(blocksOf(reduction.cost), "block"), time,
          timeText(limits.launchMicroseconds));
    case BoundKind::Memory:
      return fmt::format("{} × {} ÷ {} = {}. The input once, at the measured peak read bandwidth.",
                         count(reduction.cost.experiment.elements, "element"),
                         count(model::bytesOf(reduction.cost.experiment.type), "byte"), bandwidth(limits),
                         time);
    case BoundKind::LoadsInFlight: {
      const double blocks =
          std::min(double(launch.grid), double(launch.residentBlocks) * limits.multiprocessors);
      return fmt::format(
          "{} × {} × {} asked for at once = {} in flight. Little's law: {} of latency × {} "
          "need {}. "
          "With no more in flight, memory would take {}. Bytes as the text asks for them{}; blocks as the "
          "driver "
          "computes; latency and bandwidth measured.",
          count(std::uint64_t(blocks), "resident block"), count(launch.block, "thread"),
          count(reduction.loads.bytes, "byte"), bytesText(analysis::bytesInFlight(reduction)),
          timeText(limits.latencyNanoseconds / 1e3), bandwidth(limits),
          bytesText(analysis::bytesNeededInFlight(limits)), time,
          reduction.loads.inLoop ? " in one trip of its loop, of which the compiler may overlap several"
                                 : "");
    }
    case BoundKind::Instructions:
      return fmt::format(
          "{} instructions of warps ÷ ({} × {} schedulers) = {}. Counted by the hardware; a scheduler issues "
          "at most one a cycle.",
          roundedFigure(analysis::counted(reduction, Counter::Instructions)), cyclesPerSecond(limits),
          analysis::kSchedulers, time);
    case BoundKind::SharedMemory:
      return fmt::format(
          "{} wavefronts without conflicts ÷ ({}) = {}. Counted by the hardware; one a cycle.",
          roundedFigure(analysis::counted(reduction, Counter::SharedLoadWavefronts) +
                        analysis::counted(reduction, Counter::SharedStoreWavefronts) - conflicts),
          cyclesPerSecond(limits), time);
    case BoundKind::BankConflicts:
      return fmt::format(
          "{} wavefronts that conflicts cost ÷ ({}) = {}. Counted by the hardware; one a cycle.",
          roundedFigure(conflicts), cyclesPerSecond(limits), time);
    case BoundKind::Barriers:
      return fmt::format(
          "{} of the time that warps are resident they wait at barriers (stall reasons, counted by the "
          "hardware) = {} of the time after the launch. Meanwhile other warps may work.",
          percentText(analysis::barrierShare(reduction)), time);
    case BoundKind::Tail:
      return fmt::format("From the last block's start to the last one's end: {}, marked by the blocks.",
                         time);
  }
  return {};
}

}  // namespace

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
  return capitalized(text) + ": measured when the GPU was opened.";
}

std::string emptyLaunchSentence(const model::CostRecord& cost) {
  if (cost.emptyMicroseconds <= 0 || cost.limits.launchMicroseconds <= cost.emptyMicroseconds) return {};
  const auto [then, beside] = timesText(cost.limits.launchMicroseconds, cost.emptyMicroseconds);
  return fmt::format(
      "The empty launch is no lower bound: it took {} when the GPU was opened. Beside this "
      "reduction, {} of the same grid{} with empty kernels took {}.",
      then, launchesText(cost.launches.size()), cost.launches.size() == 1 ? "" : "s", beside);
}

BoundText boundText(const analysis::Bound& bound, const analysis::ReductionCost& reduction) {
  return {std::string(titleOf(bound.kind)), timeText(bound.microseconds), formulaOf(bound, reduction)};
}

std::vector<ChangeText> changeTexts(const analysis::RungChange& change) {
  constexpr std::array<std::string_view, analysis::kChangedFigures.size()> titles{
      "time",
      "launches",
      "blocks",
      "instructions",
      "wavefronts",
      "bank conflicts",
      "bytes in flight",
      "DRAM, share of its peak, L2 warm",
      "grids that do nothing"};
  const auto amount = [](ChangedFigure figure, double value) {
    switch (figure) {
      case ChangedFigure::BytesInFlight:
        return bytesText(value);
      case ChangedFigure::DramShare:
        return counterAmount(value, model::CounterUnit::Percent);
      case ChangedFigure::EmptyGrid:
      case ChangedFigure::Time:
        return timeText(value);
      default:
        return roundedFigure(value);
    }
  };
  std::vector<ChangeText> texts;
  for (const analysis::Change& each : change.changes) {
    const auto factor = each.factor();
    const auto [before, after] =
        each.figure == ChangedFigure::Time
            ? timesOf(change)
            : std::array{amount(each.figure, each.before), amount(each.figure, each.after)};
    texts.push_back({each.figure, std::string(titles[std::size_t(each.figure)]), before, after,
                     factor ? factorText(*factor) : "-"});
  }
  return texts;
}

std::string boundsSentence(const analysis::SizeBounds& bounds) {
  const auto size = [](double n) { return "n = 2^" + decimalText(std::log2(n), 1); };
  std::string text;
  if (bounds.emptyGridUntil)
    text = "up to " + size(*bounds.emptyGridUntil) + " a grid that does nothing takes at least half as long";
  if (bounds.memoryFrom)
    text += (text.empty() ? "from " : ", and from ") + size(*bounds.memoryFrom) +
            " on reading the input once at the peak bandwidth " +
            (text.empty() ? "takes at least half as long" : "does");
  return text.empty() ? text : capitalized(text) + ".";
}

std::string payoffSentence(const analysis::GroupPayoff& payoff, unsigned gpus, const std::string& what) {
  using Kind = analysis::GroupPayoff::Kind;
  const std::string beginning = fmt::format("{} GPUs ", gpus), end = " (" + what + ").";
  switch (payoff.kind) {
    case Kind::Unknown:
      return {};
    case Kind::Never:
      return beginning + "take no less time than one at the largest n" + end;
    case Kind::Always:
      return beginning + "take less time than one at every n" + end;
    case Kind::From:
      break;
  }
  return beginning + "take less time than one from n = 2^" + decimalText(std::log2(payoff.from.elements), 1) +
         " on" + end;
}

std::string linksText(std::span<const model::GpuLink> links) {
  constexpr double kAlike = 1.05;
  std::string text;
  const auto add = [&](const std::string& what, double model::GpuLink::*figure, const auto& shown) {
    double least = 0, most = 0;
    for (const model::GpuLink& link : links) {
      if (link.*figure <= 0) continue;
      least = least == 0 ? link.*figure : std::min(least, link.*figure);
      most = std::max(most, link.*figure);
    }
    if (most <= 0) return;
    text += (text.empty() ? "links: " : ", ") + what + " ";
    text += most < kAlike * least ? shown((least + most) / 2) : shown(least) + " to " + shown(most);
  };
  const auto rate = [](double value) { return decimalText(value, 0) + " GB/s"; };
  add("copies", &model::GpuLink::copyGigabytesPerSecond, rate);
  add("loads", &model::GpuLink::loadGigabytesPerSecond, rate);
  add("a message", &model::GpuLink::messageNanoseconds, [](double value) { return timeText(value / 1e3); });
  return text;
}

}  // namespace stridescope::narration
