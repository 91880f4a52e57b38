// The text of a kernel, prepared for walking through events: which loops a site stands in, which step
// and function it belongs to, and where the functions call each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/trace.h"

namespace stridescope::analysis {

// Events do not tell that a function was called; the kernel's model does.
class KernelFunctions {
 public:
  // Without a model the text counts as one function.
  KernelFunctions(const model::KernelModel& kernel, std::size_t sites);

  std::uint32_t functionOf(std::uint32_t site) const { return functionOf_[site]; }
  std::uint32_t kernel() const { return kernel_; }  // the __global__ function

  bool calls(std::uint32_t caller, std::uint32_t callee) const;

  // Where `caller` calls `callee` for the first time after it has passed `passed` of the text's sites: the
  // number of sites with lesser ids than what is evaluated after the call. nullopt if the text has no such
  // call.
  std::optional<std::uint32_t> nextCall(std::uint32_t caller, std::uint32_t callee,
                                        std::uint32_t passed) const;

 private:
  std::vector<std::uint32_t> functionOf_;  // per site
  std::vector<model::KernelCall> calls_;   // in the order of the text
  std::uint32_t kernel_ = 0;
};

class SiteTable {
 public:
  explicit SiteTable(const model::Trace& trace);

  // The loops around the site, outermost first. A Loop site and the loads of its condition stand in their own
  // loop.
  std::span<const std::uint32_t> loopsOf(std::uint32_t site) const {
    return std::span(loops_).subspan(firstLoop_[site], firstLoop_[site + 1] - firstLoop_[site]);
  }
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
  std::vector<std::uint32_t> step_;
  std::vector<bool> isLoop_;
};

}  // namespace stridescope::analysis
