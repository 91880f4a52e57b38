#include "analysis/kernel_functions.h"

#include <algorithm>

#include "analysis/function_scan.h"

namespace stridescope::analysis {
namespace {

std::vector<std::size_t> lineStartsOf(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  return starts;
}

std::vector<std::size_t> offsetsOf(const std::vector<model::Site>& sites, std::string_view text) {
  const auto lines = lineStartsOf(text);
  std::vector<std::size_t> offsets;
  for (const model::Site& site : sites)
    offsets.push_back(lines[std::min(std::size_t(site.line), lines.size()) - 1] + std::size_t(site.column) -
                      1);
  return offsets;
}

// Is the site evaluated before a call at this offset of its function? Stores come at the end of their
// statement.
bool comesBefore(const model::Site& site, std::size_t siteOffset, std::size_t callOffset,
                 std::string_view text) {
  if (siteOffset >= callOffset) return false;
  if (site.kind != model::SiteKind::Store && site.kind != model::SiteKind::Update) return true;
  return text.substr(siteOffset, callOffset - siteOffset).find_first_of(";{}") != std::string_view::npos;
}

}  // namespace

KernelFunctions::KernelFunctions(std::string_view text, const std::vector<model::Site>& sites)
    : functionOf_(sites.size(), 0) {
  const std::vector<FunctionText> functions = findFunctions(text);
  const std::vector<std::size_t> offsets = offsetsOf(sites, text);
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    if (functions[i].isKernel) kernel_ = i;
    for (std::size_t site = 0; site < sites.size(); ++site)
      if (offsets[site] >= functions[i].begin && offsets[site] < functions[i].end) functionOf_[site] = i;
  }
  for (std::uint32_t caller = 0; caller < functions.size(); ++caller)
    for (const NameInText& call : functions[caller].calls) {
      const auto callee = std::ranges::find(functions, call.name, &FunctionText::name);
      if (callee == functions.end()) continue;
      std::uint32_t sitesBefore = 0;
      for (std::uint32_t site = 0; site < sites.size(); ++site)
        if (functionOf_[site] == caller && comesBefore(sites[site], offsets[site], call.offset, text))
          sitesBefore = site + 1;
      calls_.push_back({caller, std::uint32_t(callee - functions.begin()), sitesBefore});
    }
}

bool KernelFunctions::calls(std::uint32_t caller, std::uint32_t callee) const {
  return std::ranges::any_of(calls_, [&](const Call& c) { return c.caller == caller && c.callee == callee; });
}

std::optional<std::uint32_t> KernelFunctions::nextCall(std::uint32_t caller, std::uint32_t callee,
                                                       std::uint32_t passed) const {
  for (const Call& call : calls_)
    if (call.caller == caller && call.callee == callee && call.sitesBefore >= passed) return call.sitesBefore;
  return std::nullopt;
}

}  // namespace stridescope::analysis
