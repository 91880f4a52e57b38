// What `verify` prints: a line, or a JSON object, for each case as it is done, and the totals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "model/experiment.h"
#include "report/json_writer.h"

namespace stridescope::report {

// What was compared of a case, and what came of it.

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

class VerifyReport {
 public:
  // `pairing`: whose traces are compared, "NVIDIA H100 80GB HBM3 against the CPU executor". `whyAlone`, a
  // sentence: why no trace is compared with another's; empty if they are. JSON has it with each case, text
  // once in the totals.
  VerifyReport(std::ostream& out, std::string pairing, std::string whyAlone, bool json);

  // `failed`: an engine could not do it, as the verdicts' `why` says.
  void add(const model::Experiment& experiment, const Verdicts& verdicts, bool failed);
  // The totals.
  void finish();

  std::size_t failed() const { return failed_; }
  std::size_t bad() const { return bad_; }  // cases that are not good

 private:
  void addText(const model::Experiment& experiment, const Verdicts& verdicts, bool failed);
  void addJson(const model::Experiment& experiment, const Verdicts& verdicts, bool failed);
  std::string totalsText() const;
  void finishJson();

  std::ostream& out_;
  std::string pairing_, whyAlone_;
  std::optional<JsonWriter> json_;  // none: lines of text
  std::size_t cases_ = 0, failed_ = 0, bad_ = 0;
  std::array<std::size_t, 3> results_{}, traces_{};
  std::array<std::size_t, 4> reports_{};
};

}  // namespace stridescope::report
