// A legal trace, whatever it means: analysis, its text and its JSON take it.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/compare.h"
#include "fuzz_one.h"
#include "mutated_trace.h"
#include "report/runs.h"

namespace stridescope::fuzz {

void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  const auto trace = mutatedTrace(input);
  if (!trace) return;
  MemoryBudget budget(std::uint64_t{64} << 20);
  const lab::Run run = lab::runOf(*trace, budget);
  if (report::stepText(run, std::nullopt).empty()) std::abort();
  if (report::stepText(run, report::RoundRange{0, 2}).empty()) std::abort();
  std::ostringstream json;
  report::writeStepJson(json, run, std::nullopt, budget);
  if (!nlohmann::json::accept(json.str())) std::abort();
  analysis::replayDifference(*trace);
  if (analysis::firstDifference(*trace, *trace)) std::abort();  // it is equal to itself
}

}  // namespace stridescope::fuzz
