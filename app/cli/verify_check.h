// One case of `verify`: what was compared, and what came of it. Nothing counts as equal that was not
// compared.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "lab/run.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::cli {

// Against a plain loop on the CPU (Trace::ok). A broken variant's result depends on chance and is not
// compared, nor is one of which a right kernel may make another: partial results can overflow in some order.
enum class ResultVerdict : std::uint8_t { Right, Wrong, NotCompared };

// Every event and snapshot of one engine against another's. If an older program made the recording,
// assignments are left out: it did not record them. Different, too, where the snapshots are not what the
// trace's own stores give.
enum class TracesVerdict : std::uint8_t { Equal, Different, NotCompared };

// Races, undefined shuffles, divergent barriers, an operator whose order matters. A broken variant has one
// that it must be reported for (Variant::report); Unexpected: a report of another variant.
enum class ReportVerdict : std::uint8_t { Found, Missing, Unexpected, NoneExpected };

std::string_view nameOf(ResultVerdict verdict);  // "right", "wrong", "not compared"
std::string_view nameOf(TracesVerdict verdict);  // "equal", "different", "not compared"
std::string_view nameOf(ReportVerdict verdict);  // "expected report found", "missing", "none expected", ...

struct Verdicts {
  ResultVerdict result = ResultVerdict::NotCompared;
  TracesVerdict traces = TracesVerdict::NotCompared;
  ReportVerdict report = ReportVerdict::NoneExpected;
  std::string why;  // sentences: what is not right, equal or as expected, and what was not compared

  // Nothing is wrong, different, missing or unexpected.
  bool isGood() const;
};

// `other` is another engine's trace of the experiment; null: `whyAlone`, a sentence, says why there is none.
Verdicts verdictsOf(const lab::Run& run, const model::Trace* other, const std::string& whyAlone);

// Nothing could be compared, as this sentence says.
Verdicts notCompared(std::string why);

// Which experiments `verify` runs.

enum class Thoroughness {
  Quick,    // every variant once for each type, and once for its smallest and largest block
  Default,  // every type and operator at one size; every block size, pattern and odd number of elements in
            // int
  Full,  // block sizes x types x operators x patterns, and the odd numbers of elements for each type; blocks
         // of less than a warp, or of no power of two, with random data alone
};

// Legal experiments (see experiment_check.h), without repeats, variant after variant.
std::vector<model::Experiment> verifyMatrix(std::span<const kernels::Variant* const> variants,
                                            Thoroughness thoroughness);

}  // namespace stridescope::cli
