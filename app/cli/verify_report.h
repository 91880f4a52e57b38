// What `verify` prints: a line, or a JSON object, for each case as it is done, and the totals.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "cli/commands.h"
#include "cli/json_writer.h"
#include "cli/verify_check.h"
#include "kernels/catalog.h"

namespace stridescope::cli {

class VerifyReport {
 public:
  // `pairing`: whose traces are compared, "NVIDIA H100 80GB HBM3 against the CPU executor". `whyAlone`, a
  // sentence: why no trace is compared with another's; empty if they are. JSON has it with each case, text
  // once in the totals.
  VerifyReport(std::ostream& out, std::string pairing, std::string whyAlone, bool json);

  // `failure`: an engine could not do it, as the verdicts' `why` says; Limit, or Missing for any other
  // reason. Right: it could.
  void add(const model::Experiment& experiment, const Verdicts& verdicts, ExitCode failure);

  // The totals. Wrong if anything is wrong, different, missing or unexpected; else Missing if an engine
  // failed; else Limit if a run met a limit.
  ExitCode finish();

 private:
  void addText(const model::Experiment& experiment, const Verdicts& verdicts, bool failed);
  void addJson(const model::Experiment& experiment, const Verdicts& verdicts, bool failed);
  std::string totalsText() const;
  void writeTotals();

  std::ostream& out_;
  std::string pairing_, whyAlone_;
  std::optional<JsonWriter> json_;                              // none: lines of text
  std::size_t cases_ = 0, failed_ = 0, limited_ = 0, bad_ = 0;  // `failed_` counts the `limited_`, too
  std::array<std::size_t, 3> results_{}, traces_{};
  std::array<std::size_t, 4> reports_{};
};

// `verify --counters`: what the hardware counts of shared memory, held against the model.

// Counts each variant that demonstrates no bug: one block in int, int64, float and double, at every legal
// block size; on the GPU that --engine names, or as recorded. Prints a line for each difference, and "N of M
// equal"; or the same as `counters --json`. Wrong if one differs that is not known to (docs/measured.md).
ExitCode verifyCounters(const Context& context, const std::string& engine,
                        std::span<const kernels::Variant* const> variants, bool json);

}  // namespace stridescope::cli
