// What `time` is asked for: from what was typed to a plan.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "measure/timing_board.h"

namespace stridescope::cli {

// The options as they were typed.
struct TimeOptions {
  std::vector<std::string> variants;
  bool all = false, baselines = false, noCpu = false, warmL2 = false, graph = false, interleaved = false;
  std::optional<std::string> count, size, sizes, threads, type, op, samples, seconds, gpu, gpus;

  void declare(Options& options);  // all but --json and --csv
  bool hasMore() const;            // than variants and --gpu
};

// The plan; everything that can be wrong without running it is an error of kind Usage.
Result<measure::TimingPlan> readTimingPlan(const TimeOptions& options);

// "2^10..2^30": every power of two from the first to the last; "1000,2^20": these.
Result<std::vector<std::uint64_t>> parseSizes(std::string_view option, std::string_view given);

// "int:+,float:max": types and operators that can be timed together.
Result<std::vector<std::pair<model::ElementType, model::Operator>>> parseReductions(std::string_view option,
                                                                                    std::string_view given);

}  // namespace stridescope::cli
