// What each step of a reduction costs, from a kernel that was ended behind each of its marks
// (model/peel_record.h). Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "model/peel_record.h"

namespace stridescope::analysis {

enum class PricedKind : std::uint8_t {
  Empty,    // the grid without a round: its blocks start and end
  Load,     // a round that brings elements in
  Stride,   // a round that combines at one stride
  Combine,  // a round that does so without one, or several things
  Write,    // a round that brings results out
  Launch,   // a further launch as one
};
inline constexpr std::array kPricedKinds{PricedKind::Empty,   PricedKind::Load,  PricedKind::Stride,
                                         PricedKind::Combine, PricedKind::Write, PricedKind::Launch};
std::string_view nameOf(PricedKind kind);  // "empty", ...: in JSON

struct PricedStep {
  PricedKind kind{};
  std::optional<std::uint64_t> stride{};  // a Stride's
  unsigned launch = 0;
  std::optional<unsigned> round{};  // the launch's; nullopt: the grid without a round, and a launch as one
  double microseconds = 0;          // negative within the spread
  double low = 0, high = 0;         // with 95 % confidence
  friend bool operator==(const PricedStep&, const PricedStep&) = default;
};

// The steps in order, one for each round of the first launch that a mark tells apart: what lies behind the
// last mark belongs to the round that is open there. They add up to the record's whole. `first`: of the first
// launch of a run of the same experiment. Empty: the run's first warp goes another way than the one on the
// GPU, so that no step can be named.
std::vector<PricedStep> pricedSteps(const model::PeelRecord& record, const LaunchAnalysis& first);

}  // namespace stridescope::analysis
