#include "cli/verify_report.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "cli/field_json.h"
#include "engine/experiment_summary.h"

namespace stridescope::cli {
namespace {

std::string inCapitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return capitals;
}

// What is bad catches the eye.
std::string loud(std::string_view name, bool isBad) { return isBad ? inCapitals(name) : std::string(name); }

}  // namespace

VerifyReport::VerifyReport(std::ostream& out, std::string pairing, bool json)
    : out_(out), pairing_(std::move(pairing)) {
  if (!json) return;
  json_.emplace(out);
  json_->beginObject();
  json_->key("cases");
  json_->beginArray();
}

void VerifyReport::add(const model::Experiment& experiment, const Verdicts& verdicts, bool failed) {
  if (json_)
    addJson(experiment, verdicts, failed);
  else
    addText(experiment, verdicts, failed);
  ++cases_;
  if (failed) ++failed_;
  if (!verdicts.isGood()) ++bad_;
  ++results_[std::size_t(verdicts.result)];
  ++traces_[std::size_t(verdicts.traces)];
  ++reports_[std::size_t(verdicts.report)];
}

void VerifyReport::addText(const model::Experiment& experiment, const Verdicts& verdicts, bool failed) {
  std::string line = engine::summaryOf(experiment) + ": ";
  if (failed) {
    line += "FAILED";
  } else {
    line += "result " + loud(nameOf(verdicts.result), verdicts.result == ResultVerdict::Wrong);
    line += ", traces " + loud(nameOf(verdicts.traces), verdicts.traces == TracesVerdict::Different);
    if (verdicts.report == ReportVerdict::Found) line += ", expected report found";
    if (verdicts.report == ReportVerdict::Missing) line += ", expected report MISSING";
    if (verdicts.report == ReportVerdict::Unexpected) line += ", UNEXPECTED report";
  }
  out_ << line << (verdicts.why.empty() ? "" : ". " + verdicts.why) << "\n";
}

void VerifyReport::addJson(const model::Experiment& experiment, const Verdicts& verdicts, bool failed) {
  constexpr std::array<std::string_view, 6> kFields{"variant", "type", "op", "threads", "elements", "data"};
  json_->breakLine();
  json_->beginObject();
  writeFields(*json_, experiment, kFields);
  json_->member("result", nameOf(verdicts.result));
  json_->member("traces", nameOf(verdicts.traces));
  json_->member("report", nameOf(verdicts.report));
  json_->member("failed", failed);
  json_->member("why", verdicts.why);
  json_->endObject();
  json_->flush();
}

std::string VerifyReport::totalsText() const {
  std::string text =
      fmt::format("results: {} right, {} wrong, {} not compared\n", results_[0], results_[1], results_[2]);
  text += fmt::format("traces ({}): {} equal, {} different, {} not compared\n", pairing_, traces_[0],
                      traces_[1], traces_[2]);
  text += fmt::format("reports: {} expected and found, {} missing, {} unexpected, {} none expected\n",
                      reports_[0], reports_[1], reports_[3], reports_[2]);
  return text + fmt::format("{} cases{}: {}\n", cases_,
                            failed_ > 0 ? fmt::format(", {} failed", failed_) : "",
                            bad_ > 0      ? fmt::format("{} NOT as they should be", bad_)
                            : failed_ > 0 ? "the rest as they should be"
                                          : "all as they should be");
}

void VerifyReport::writeTotals() {
  json_->breakLine();
  json_->endArray();
  json_->key("totals");
  json_->beginObject();
  json_->member("cases", cases_);
  json_->member("compared", pairing_);
  json_->key("result");
  json_->beginObject();
  json_->member("right", results_[0]);
  json_->member("wrong", results_[1]);
  json_->member("not compared", results_[2]);
  json_->endObject();
  json_->key("traces");
  json_->beginObject();
  json_->member("equal", traces_[0]);
  json_->member("different", traces_[1]);
  json_->member("not compared", traces_[2]);
  json_->endObject();
  json_->key("report");
  json_->beginObject();
  json_->member("expected report found", reports_[0]);
  json_->member("missing", reports_[1]);
  json_->member("unexpected", reports_[3]);
  json_->member("none expected", reports_[2]);
  json_->endObject();
  json_->member("failed", failed_);
  json_->endObject();
  json_->endObject();
  json_->endLine();
}

ExitCode VerifyReport::finish() {
  if (json_)
    writeTotals();
  else
    out_ << totalsText();
  if (bad_ > 0) return ExitCode::Wrong;
  return failed_ > 0 ? ExitCode::Missing : ExitCode::Right;
}

}  // namespace stridescope::cli
