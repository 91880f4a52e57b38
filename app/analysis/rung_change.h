// What changed in cost from one variant to the next, at the same experiment on the same GPU, and which change
// explains the time. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/time_parts.h"

namespace stridescope::analysis {

enum class ChangedFigure : std::uint8_t {
  Time,  // microseconds
  Launches,
  Blocks,        // all launches' together
  Instructions,  // executed by warps
  Wavefronts,    // in shared memory
  Conflicts,     // the wavefronts of them that conflicts cost
  BytesInFlight,
  DramShare,  // percent of the peak, in the launch with the most blocks
  Launching,  // microseconds of empty kernels
};
inline constexpr std::array kChangedFigures{
    ChangedFigure::Time,          ChangedFigure::Launches,   ChangedFigure::Blocks,
    ChangedFigure::Instructions,  ChangedFigure::Wavefronts, ChangedFigure::Conflicts,
    ChangedFigure::BytesInFlight, ChangedFigure::DramShare,  ChangedFigure::Launching};
std::string_view nameOf(ChangedFigure figure);  // "launches", "bytes_in_flight": in JSON

struct Change {
  ChangedFigure figure{};
  double before = 0, after = 0;
  // Over what was before; nullopt: that was nothing.
  std::optional<double> factor() const { return before > 0 ? std::optional(after / before) : std::nullopt; }
};

struct RungChange {
  std::vector<Change> changes{};  // the figures that are known for both, in the order of kChangedFigures
  // The figure that saves most time by itself (as analysis/time_parts.h reckons it), where the time got less
  // and that covers a good part of what was saved; nullopt: no change does.
  std::optional<ChangedFigure> cause{};
  // By itself it took at least as long before as anything else: launching, memory, another limit.
  bool wasLimit = false;
  double saved = 0;      // microseconds of the time; negative: it takes longer
  double explained = 0;  // microseconds that the cause saves by itself, at most `saved`
  const Change* find(ChangedFigure figure) const;
  double timeFactor() const { return find(ChangedFigure::Time)->factor().value_or(1); }
  // The times are the same, as far as their quartiles tell them apart.
  bool sameTime = false;
};

// Requires records of the same elements.
RungChange changeFrom(const ReductionCost& before, const ReductionCost& after);

}  // namespace stridescope::analysis
