// stridescope time
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/json_writer.h"
#include "cli/long_work.h"
#include "cli/time_options.h"
#include "measure/timing_rows.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

// What was timed, as a table for people and as JSON. CSV is measure/timing_rows.h's.

bool isRecorded(const measure::TimingSeries& series) {
  return series.source == measure::SeriesSource::Recorded;
}

std::string deviceText(const measure::TimingSeries& series) {
  std::string text = series.executor.device;
  if (isRecorded(series)) text = "recorded on " + text + ", " + series.executor.recordedOn.substr(0, 10);
  if (series.ceiling) {
    text +=
        fmt::format("; peak read bandwidth (measured) {} GB/s, copy {} GB/s",
                    decimalText(series.ceiling->read.median, 0), decimalText(series.ceiling->copy.median, 0));
    if (series.ceiling->datasheet > 0)
      text += fmt::format(" of {} GB/s (theoretical)", decimalText(series.ceiling->datasheet, 0));
  }
  if (series.limits && series.limits->latencyNanoseconds > 0)
    text += fmt::format("; memory latency {} ns", decimalText(series.limits->latencyNanoseconds, 0));
  if (series.limits && series.limits->launchMicroseconds > 0)
    text += fmt::format("; an empty launch {} µs", decimalText(series.limits->launchMicroseconds, 2));
  return text;
}

std::string caseText(const model::TimingCase& timingCase) {
  std::string text = fmt::format("{} {}, {} elements", model::nameOf(timingCase.type),
                                 model::nameOf(timingCase.op), sizeText(timingCase.elements));
  if (timingCase.threads > 0) text += fmt::format(", {} threads per block", timingCase.threads);
  if (timingCase.graph) text += ", as a CUDA graph";
  if (timingCase.warmL2) text += ", WARM L2: the same input again and again";
  return text;
}

std::string speedUp(const std::optional<measure::Ratio>& ratio) {
  return ratio && ratio->median > 0 ? decimalText(1 / ratio->median, 2) + "x" : "";
}

std::string ratioText(const std::optional<measure::Ratio>& ratio) {
  return ratio ? fmt::format("{} ({} to {})", decimalText(ratio->median, 3),
                             decimalText(ratio->interval.low, 3), decimalText(ratio->interval.high, 3))
               : "";
}

std::string intervalText(const measure::Summary& time) {
  return decimalText(time.medianInterval.low, 2) + " to " + decimalText(time.medianInterval.high, 2);
}

const std::vector<report::Column>& timeColumns() {
  static const std::vector<report::Column> all{
      {.isText = true, .width = 33, .gap = 2},
      {.heading = "median us", .width = 10},
      {.heading = "95 % interval", .isText = true, .width = 22, .gap = 2},
      {.heading = "GB/s", .width = 8},
      {.heading = "ceiling", .width = 7},
      {.heading = "to first", .width = 8},
      {.heading = "to prev.", .width = 8},
      {.heading = "time / CUB's time", .isText = true, .gap = 2},
  };
  return all;
}

std::string tableRow(const measure::TimeRow& row) {
  const measure::TimingPoint& point = *row.point;
  const double share = measure::shareOfCeiling(row);
  return report::textLine(timeColumns(),
                          {row.series->label, decimalText(point.time.median, 2), intervalText(point.time),
                           decimalText(measure::gigabytesPerSecond(point), 1),
                           share > 0 ? decimalText(100 * share, 1) + " %" : "", speedUp(point.toFirst),
                           speedUp(point.toPrevious), ratioText(point.toCub)}) +
         "\n";
}

void writeInterval(JsonWriter& json, std::string_view key, const measure::Interval& interval) {
  json.member(key, std::array{interval.low, interval.high});
}

void writeRatio(JsonWriter& json, std::string_view key, const std::optional<measure::Ratio>& ratio) {
  if (!ratio) return json.member(key, nullptr);
  json.key(key);
  json.beginObject();
  json.member("median", ratio->median);
  writeInterval(json, "interval", ratio->interval);
  json.member("pairs", ratio->pairs);
  json.endObject();
}

std::optional<double> knownOf(const measure::TimingSeries& series, double model::GpuLimits::*figure) {
  return series.limits && *series.limits.*figure > 0 ? std::optional(*series.limits.*figure) : std::nullopt;
}

// Null for a figure that is not known.
void writeDevice(JsonWriter& json, const measure::TimingSeries& series) {
  constexpr std::array<std::string_view, 3> kFields{"compute_capability", "driver", "compiler"};
  std::optional<double> read, copy, datasheet;
  if (series.ceiling) {
    read = series.ceiling->read.median;
    copy = series.ceiling->copy.median;
    if (series.ceiling->datasheet > 0) datasheet = series.ceiling->datasheet;
  }
  json.beginObject();
  json.member("name", series.executor.device);
  writeFields(json, series.executor, kFields);
  json.member("recorded_on", isRecorded(series) ? std::optional(series.executor.recordedOn) : std::nullopt);
  json.member("read_ceiling_gigabytes_per_second", read);
  json.member("copy_ceiling_gigabytes_per_second", copy);
  json.member("datasheet_gigabytes_per_second", datasheet);
  json.member("latency_nanoseconds", knownOf(series, &model::GpuLimits::latencyNanoseconds));
  json.member("launch_microseconds", knownOf(series, &model::GpuLimits::launchMicroseconds));
  json.endObject();
}

void writeRow(JsonWriter& json, const measure::TimeRow& row) {
  const measure::TimingSeries& series = *row.series;
  const measure::TimingPoint& point = *row.point;
  const double share = measure::shareOfCeiling(row);
  json.beginObject();
  json.member("subject", series.subject.id);
  json.member("kind", model::nameOf(series.subject.kind));
  json.member("label", series.label);
  json.member("source", isRecorded(series) ? "recorded" : "live");
  json.key("device");
  writeDevice(json, series);
  json.member("type", model::nameOf(point.timingCase.type));
  json.member("op", model::nameOf(point.timingCase.op));
  json.member("elements", point.timingCase.elements);
  json.member("threads", point.threads > 0 ? std::optional(point.threads) : std::nullopt);
  json.member("graph", point.timingCase.graph);
  json.member("warm_l2", point.timingCase.warmL2);
  json.member("samples", point.time.count);
  json.member("least_us", point.time.least);
  json.member("lower_quartile_us", point.time.lowerQuartile);
  json.member("median_us", point.time.median);
  json.member("upper_quartile_us", point.time.upperQuartile);
  writeInterval(json, "median_interval_us", point.time.medianInterval);
  json.member("gigabytes_per_second", measure::gigabytesPerSecond(point));
  json.member("share_of_read_ceiling", share > 0 ? std::optional(share) : std::nullopt);
  writeRatio(json, "time_over_cub", point.toCub);
  writeRatio(json, "time_over_first", point.toFirst);
  writeRatio(json, "time_over_previous", point.toPrevious);
  json.member("empty_us",
              point.emptyMicroseconds > 0 ? std::optional(point.emptyMicroseconds) : std::nullopt);
  json.endObject();
}

std::string timeTable(const measure::TimingSnapshot& snapshot) {
  std::string text, timingCase, device;
  for (const measure::TimeRow& row : measure::timeRows(snapshot)) {
    if (const std::string here = caseText(row.point->timingCase); here != timingCase) {
      text += (text.empty() ? "" : "\n") + here + "\n";
      timingCase = here;
      device.clear();
    }
    if (const std::string by = deviceText(*row.series); by != device) {
      text += " " + by + "\n" + (device.empty() ? report::headLine(timeColumns()) + "\n" : "");
      device = by;
    }
    text += tableRow(row);
  }
  return text;
}

void writeTimeJson(std::ostream& out, const measure::TimingSnapshot& snapshot) {
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  json.member("notes", snapshot.notes);
  json.key("timings");
  json.beginArray();
  for (const measure::TimeRow& row : measure::timeRows(snapshot)) writeRow(json, row);
  json.endArray();
  json.endObject();
  json.endLine();
}

class TimeCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "time";
    options.about = "Times whole reductions on this machine's GPU and CPU";
    options_.declare(options);
    options.flag("--csv", csv_, "As comma-separated values");
    options.flag("--json", json_, "As JSON");
    options.footer =
        "Timed is the whole reduction, from n elements in the GPU's memory to one result there. Times are "
        "in\n"
        "microseconds (us), 1 GB is 10^9 bytes. A repetition takes one sample of each, in a new "
        "order;\n"
        "ratios are within a repetition. Inputs rotate, so that nothing lies in a cache. Ctrl-C prints what "
        "is "
        "there.\n"
        "CSV: least, quartiles, median and its 95 % interval in us; GB/s of the input; its share of "
        "the\n"
        "measured peak read bandwidth; the time over CUB's, the first variant's and the one before's, with "
        "intervals.\n"
        "Examples:\n"
        "  stridescope time --all --baselines\n"
        "  stridescope time sequential --sizes 2^10..2^30 --baselines --csv > times.csv\n"
        "  stridescope time unrolled_last_warp --threads 64,128,256,512,1024";
  }

  ExitCode run(const Context& context) override {
    if (csv_ && json_)
      return tell(context, {ErrorKind::Usage, "time takes either --csv or --json, not both."});
    auto plan = readTimingPlan(options_);
    if (!plan) return tell(context, plan.error());
    measure::TimingBoard board(context.services.sources.timing);
    engine::JobControl job;
    const CancelOnSignal signals(job);
    const bool whole = runTimingPlan(board, *plan, context.terminal, job);
    // What was recorded elsewhere stands in for a GPU that is not here.
    if (!hasTimesOfGpu(*board.snapshot()))
      board.showRecorded(context.services.sources.shipped.of<model::TimingRecord>().all());
    const auto seen = board.snapshot();
    if (whole && !options_.baselines && !options_.noCpu && !hasLiveTimes(*seen))
      return timeCpuInstead(board, *plan, context, job);
    return reportAndEnd(*seen, whole, context);
  }

 private:
  // The board waits for the sample in progress when it goes; what there is was printed before.
  ExitCode reportAndEnd(const measure::TimingSnapshot& seen, bool whole, const Context& context) const {
    const ExitCode code = report(seen, whole, context);
    context.streams.out.flush();
    if (!whole) EndOnSignal::endQuietlyWith(code);
    return code;
  }

  static bool hasTimesOfGpu(const measure::TimingSnapshot& snapshot) {
    return std::ranges::any_of(snapshot.series, [](const measure::TimingSeries& series) {
      return series.subject.kind != model::SubjectKind::CpuBaseline && !series.points.empty();
    });
  }

  static bool hasLiveTimes(const measure::TimingSnapshot& snapshot) {
    for (const measure::TimingSeries& series : snapshot.series)
      if (series.source == measure::SeriesSource::Live && !series.points.empty()) return true;
    return false;
  }

  static bool hasRecordedTimes(const measure::TimingSnapshot& snapshot) {
    return std::ranges::find(snapshot.series, measure::SeriesSource::Recorded,
                             &measure::TimingSeries::source) != snapshot.series.end();
  }

  // Where no GPU can be used: what the CPU does, beside recorded times. The reason was noted.
  ExitCode timeCpuInstead(measure::TimingBoard& board, const measure::TimingPlan& plan,
                          const Context& context, const engine::JobControl& job) const {
    const auto before = board.snapshot();
    for (const std::string& note : before->notes) context.streams.error << printable(note) << "\n";
    if (before->wrongResults > 0) return ExitCode::Wrong;
    context.streams.error << "The CPU is timed instead"
                          << (hasRecordedTimes(*before) ? ", beside what was recorded.\n" : ".\n");
    measure::TimingPlan onCpu = plan;
    for (model::TimingSubject& baseline : measure::baselineSubjects(plan.type, plan.op))
      onCpu.subjects.push_back(std::move(baseline));
    measure::TimingPlan live = onCpu;
    std::erase_if(live.subjects, [](const model::TimingSubject& subject) {
      return subject.kind != model::SubjectKind::CpuBaseline;
    });
    const bool whole = runTimingPlan(board, live, context.terminal, job);
    measure::TimingSnapshot seen = *board.snapshot();
    seen.plan.subjects = onCpu.subjects;  // the recorded rows that were asked for
    return reportAndEnd(seen, whole, context);
  }

  // Notes, and why a subject that was asked for has no times; each sentence once.
  static std::vector<std::string> whatIsMissing(const measure::TimingSnapshot& seen) {
    std::vector<std::string> sentences = seen.notes;
    for (const measure::TimingSeries& series : seen.series)
      if (!series.fault.empty() && std::ranges::find(sentences, series.fault) == sentences.end())
        sentences.push_back(series.fault);
    return sentences;
  }

  ExitCode report(const measure::TimingSnapshot& seen, bool whole, const Context& context) const {
    if (json_)
      writeTimeJson(context.streams.out, seen);
    else
      context.streams.out << (csv_ ? measure::timeCsv(measure::timeRows(seen)) : timeTable(seen));
    for (const std::string& sentence : whatIsMissing(seen))
      context.streams.error << printable(sentence) << "\n";
    if (!whole)
      context.streams.error << "Cancelled: not all samples were taken, and what has none is missing.\n";
    if (seen.wrongResults > 0) return ExitCode::Wrong;
    if (seen.failure) return tell(context, *seen.failure);
    if (whole && !hasLiveTimes(seen)) return tell(context, {ErrorKind::Unavailable, "Nothing was timed."});
    return ExitCode::Right;
  }

  TimeOptions options_;
  bool csv_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTimeCommand() { return std::make_unique<TimeCommand>(); }

}  // namespace stridescope::cli
