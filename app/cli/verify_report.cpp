#include "cli/verify_report.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/field_json.h"
#include "engine/experiment_summary.h"

namespace stridescope::cli {
namespace {

using Json = nlohmann::ordered_json;

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
    : out_(out), pairing_(std::move(pairing)), json_(json) {
  if (json_) out_ << "{\"cases\":[";
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
  Json json = Json::object();
  addFields(json, experiment, kFields);
  json["result"] = nameOf(verdicts.result);
  json["traces"] = nameOf(verdicts.traces);
  json["report"] = nameOf(verdicts.report);
  json["failed"] = failed;
  json["why"] = verdicts.why;
  out_ << (cases_ == 0 ? "\n" : ",\n") << json.dump(-1, ' ', false, Json::error_handler_t::replace);
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

std::string VerifyReport::totalsJson() const {
  const Json json{
      {"cases", cases_},
      {"compared", pairing_},
      {"result", {{"right", results_[0]}, {"wrong", results_[1]}, {"not compared", results_[2]}}},
      {"traces", {{"equal", traces_[0]}, {"different", traces_[1]}, {"not compared", traces_[2]}}},
      {"report",
       {{"expected report found", reports_[0]},
        {"missing", reports_[1]},
        {"unexpected", reports_[3]},
        {"none expected", reports_[2]}}},
      {"failed", failed_}};
  return "\n],\"totals\":" + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "}\n";
}

ExitCode VerifyReport::finish() {
  out_ << (json_ ? totalsJson() : totalsText());
  if (bad_ > 0) return ExitCode::Wrong;
  return failed_ > 0 ? ExitCode::Missing : ExitCode::Right;
}

}  // namespace stridescope::cli
