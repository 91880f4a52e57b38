#include <fmt/format.h>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "report/json_writer.h"
#include "report/measured.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

std::string nameOf(const analysis::PricedStep& step) {
  if (step.kind == analysis::PricedKind::Empty) return "the grid without a round";
  if (step.kind == analysis::PricedKind::Stride) return fmt::format("stride {}", *step.stride);
  if (step.kind == analysis::PricedKind::Launch) return fmt::format("launch {}", step.launch);
  return std::string(analysis::nameOf(step.kind));
}

}  // namespace

std::string peelText(const model::PeelRecord& record, const std::vector<analysis::PricedStep>& steps) {
  static const std::vector<Column> kColumns{{.name = "step", .isText = true, .width = 26},
                                            {.name = "round", .width = 5},
                                            {.name = "us", .heading = "µs", .width = 9},
                                            {.name = "interval", .heading = "95 %", .width = 20}};
  const bool recorded = record.executor.kind == model::EngineKind::Recorded;
  std::string text = engine::summaryOf(record.experiment) + "\n" +
                     (recorded ? recordedOn(record.executor) : record.executor.device) + "\n" +
                     headLine(kColumns) + "\n";
  for (const analysis::PricedStep& step : steps)
    text += textLine(kColumns, {nameOf(step), step.round ? std::to_string(*step.round) : "",
                                decimalText(step.microseconds, 2),
                                decimalText(step.low, 2) + " to " + decimalText(step.high, 2)}) +
            "\n";
  std::string whole = textLine(kColumns, {"the whole", "", decimalText(record.wholeMicroseconds, 2), ""});
  whole.erase(whole.find_last_not_of(' ') + 1);
  text += whole + "\n";
  text += paragraph(fmt::format(
      "Each time is the difference of two: of the kernel ended behind this step, and behind the one before, "
      "medians of {} "
      "runs. Without what ends it the kernel takes {} µs ({} to {}){}",
      record.runs, decimalText(record.cleanMicroseconds, 2), decimalText(record.cleanLow, 2),
      decimalText(record.cleanHigh, 2),
      model::addsUp(record)
          ? "."
          : ": that costs more than 15 % of it, so the shape of the steps holds, not their sum."));
  if (steps.empty())
    text += paragraph(
        "On this GPU the kernel passes other barriers and shuffles than on the CPU executor, so that its "
        "steps have no names here.");
  return text;
}

void writePeelJson(std::ostream& out, const model::PeelRecord& record,
                   const std::vector<analysis::PricedStep>& steps) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeRun(json, record.experiment, record.executor);
    json.object("peel", [&] {
      json.member("samples", record.runs);
      json.member("clean_us", record.cleanMicroseconds);
      json.member("clean_low", record.cleanLow);
      json.member("clean_high", record.cleanHigh);
      json.member("whole_us", record.wholeMicroseconds);
      json.member("adds_up", model::addsUp(record));
      json.objects("steps", steps, [&](const analysis::PricedStep& step) {
        json.member("kind", analysis::nameOf(step.kind));
        json.member("stride", step.stride);
        json.member("launch", step.launch);
        json.member("round", step.round);
        json.member("us", step.microseconds);
        json.member("low", step.low);
        json.member("high", step.high);
      });
    });
  });
  json.endLine();
}

}  // namespace stridescope::report
