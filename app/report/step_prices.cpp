#include <fmt/format.h>

#include "engine/experiment_check.h"
#include "narration/why_sentences.h"
#include "report/json_writer.h"
#include "report/measured.h"

namespace stridescope::report {

std::string peelText(const analysis::StepPrices& prices) {
  const model::Executor& executor = prices.record.executor;
  const bool recorded = executor.kind == model::EngineKind::Recorded;
  return engine::summaryOf(prices.record.experiment) + "\n" +
         (recorded ? recordedOn(executor) : executor.device) + "\n" + narration::pricesText(prices);
}

void writePeel(JsonWriter& json, const analysis::StepPrices& prices) {
  const model::PeelRecord& record = prices.record;
  json.object("peel", [&] {
    writeEngine(json, record.executor);
    json.member("samples", record.runs);
    json.member("clean_us", record.cleanMicroseconds);
    json.member("clean_low", record.cleanLow);
    json.member("clean_high", record.cleanHigh);
    json.member("whole_us", record.wholeMicroseconds);
    json.member("adds_up", model::addsUp(record));
    json.objects("steps", prices.steps, [&](const analysis::PricedStep& step) {
      writeStep(json, step);
      json.member("launch", step.launch);
      json.member("round", step.round);
      json.member("us", step.microseconds);
      json.member("low", step.low);
      json.member("high", step.high);
    });
  });
}

void writePeelJson(std::ostream& out, const analysis::StepPrices& prices) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeRun(json, prices.record.experiment, prices.record.executor);
    writePeel(json, prices);
  });
  json.endLine();
}

}  // namespace stridescope::report
