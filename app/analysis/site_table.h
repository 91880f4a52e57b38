// The sites of a kernel's text, prepared for walking through events: which loops a site stands in, which
// statement, step and function it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/kernel_functions.h"
#include "model/trace.h"

namespace stridescope::analysis {

class SiteTable {
 public:
  explicit SiteTable(const model::Trace& trace);

  // The loops around the site, outermost first. A Loop site and the loads of its condition stand in their own
  // loop.
  std::span<const std::uint32_t> loopsOf(std::uint32_t site) const {
    return std::span(loops_).subspan(firstLoop_[site], firstLoop_[site + 1] - firstLoop_[site]);
  }
  int statementOf(std::uint32_t site) const { return statement_[site]; }
  const KernelFunctions& functions() const { return functions_; }
  bool isLoop(std::uint32_t site) const { return isLoop_[site]; }
  // The first site of the step of straight-line code (model::SiteModel) that the site belongs to.
  std::optional<std::uint32_t> stepOf(std::uint32_t site) const {
    return step_[site] == kNoStep ? std::nullopt : std::optional(step_[site]);
  }

 private:
  static constexpr std::uint32_t kNoStep = ~0u;

  KernelFunctions functions_;
  std::vector<std::uint32_t> loops_, firstLoop_;
  std::vector<int> statement_;
  std::vector<std::uint32_t> step_;
  std::vector<bool> isLoop_;
};

}  // namespace stridescope::analysis
