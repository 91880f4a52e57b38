#include "report/verification.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/numbers.h"
#include "engine/experiment_check.h"

namespace stridescope::report {
namespace {

std::string inCapitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return capitals;
}

// What is bad catches the eye.
std::string loud(std::string_view name, bool isBad) { return isBad ? inCapitals(name) : std::string(name); }

// How many cases have each verdict, in the words of both: "12 right, 0 wrong, 0 not compared".
template <class Verdict>
std::string countsText(std::span<const std::size_t> counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", figure(counts[i]), nameOf(Verdict(i)));
  return text;
}

template <class Verdict>
void writeCounts(JsonWriter& json, std::string_view name, std::span<const std::size_t> counts) {
  json.object(name, [&] {
    for (std::size_t i = 0; i < counts.size(); ++i) json.member(nameOf(Verdict(i)), counts[i]);
  });
}

}  // namespace

std::string_view nameOf(ResultVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames{"right", "wrong", "not compared"};
  return kNames[std::size_t(verdict)];
}

std::string_view nameOf(TracesVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames{"equal", "different", "not compared"};
  return kNames[std::size_t(verdict)];
}

std::string_view nameOf(ReportVerdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"expected report found", "missing", "unexpected",
                                                   "none expected"};
  return kNames[std::size_t(verdict)];
}

bool Verdicts::isGood() const {
  return result != ResultVerdict::Wrong && traces != TracesVerdict::Different &&
         report != ReportVerdict::Missing && report != ReportVerdict::Unexpected;
}

VerifyReport::VerifyReport(std::ostream& out, std::string pairing, std::string whyAlone, bool json)
    : out_(out), pairing_(std::move(pairing)), whyAlone_(std::move(whyAlone)) {
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
  failed_ += failed;
  bad_ += !verdicts.isGood();
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
  const bool alone = !failed && verdicts.traces == TracesVerdict::NotCompared && !whyAlone_.empty();
  json_->breakLine();
  json_->object([&] {
    writeFields(*json_, experiment, kFields);
    json_->member("result", nameOf(verdicts.result));
    json_->member("traces", nameOf(verdicts.traces));
    json_->member("report", nameOf(verdicts.report));
    json_->member("failed", failed);
    json_->member("why", !alone                 ? verdicts.why
                         : verdicts.why.empty() ? whyAlone_
                                                : verdicts.why + ' ' + whyAlone_);
  });
  json_->flush();
}

std::string VerifyReport::totalsText() const {
  std::string text = fmt::format("results: {}\n", countsText<ResultVerdict>(results_));
  text += fmt::format("traces ({}): {}{}\n", pairing_, countsText<TracesVerdict>(traces_),
                      whyAlone_.empty() ? "" : ". " + whyAlone_);
  text += fmt::format("reports: {}\n", countsText<ReportVerdict>(reports_));
  return text + fmt::format("{} cases{}: {}\n", figure(cases_),
                            failed_ > 0 ? fmt::format(", {} failed", figure(failed_)) : "",
                            bad_ > 0      ? fmt::format("{} NOT as they should be", figure(bad_))
                            : failed_ > 0 ? "the rest as they should be"
                                          : "all as they should be");
}

void VerifyReport::finishJson() {
  json_->breakLine();
  json_->endArray();
  json_->object("totals", [&] {
    json_->member("cases", cases_);
    json_->member("compared", pairing_);
    writeCounts<ResultVerdict>(*json_, "result", results_);
    writeCounts<TracesVerdict>(*json_, "traces", traces_);
    writeCounts<ReportVerdict>(*json_, "report", reports_);
    json_->member("failed", failed_);
  });
  json_->endObject();
  json_->endLine();
}

void VerifyReport::finish() {
  if (json_)
    finishJson();
  else
    out_ << totalsText();
}

}  // namespace stridescope::report
