#include "cli/counters_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/experiment_json.h"
#include "engine/experiment_summary.h"
#include "narration/counters_sentence.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

constexpr const char* kNone = "-";

const std::vector<report::Column>& counterColumns() {
  static const std::vector<report::Column> all{
      {.isText = true, .width = 36, .gap = 2},
      {.heading = "modelled", .width = 14},
      {.heading = "measured", .width = 14},
      {.heading = "difference", .isText = true, .gap = 2},
  };
  return all;
}

std::string amountText(const std::optional<double>& value, model::CounterUnit unit) {
  return value ? narration::counterAmount(*value, unit) : kNone;
}

std::string_view unitName(model::CounterUnit unit) {
  switch (unit) {
    case model::CounterUnit::Bytes:
      return "bytes";
    case model::CounterUnit::Percent:
      return "percent";
    case model::CounterUnit::Warps:
      return "warps per issue";
    case model::CounterUnit::Count:
      break;
  }
  return "count";
}

// The value before a ratio above 100 % was capped.
std::optional<double> countedAs(const model::LaunchCounters& launch, const CounterRow& row) {
  const auto found = std::ranges::find(launch.values, row.counter, &model::CounterValue::counter);
  return found == launch.values.end() ? row.measured : std::optional(found->value);
}

std::string who(const model::Executor& executor) {
  if (executor.kind != model::EngineKind::Recorded) return executor.device;
  return fmt::format("recorded on {}, {}", executor.device,
                     executor.recordedOn.substr(0, executor.recordedOn.find('T')));
}

}  // namespace

CounterTotals totalsOf(std::span<const CountedCase> cases) {
  CounterTotals totals;
  for (const CountedCase& each : cases)
    for (const auto& rows : each.launches)
      for (const CounterRow& row : rows) {
        totals.compared += row.isCompared();
        totals.equal += row.isEqual();
      }
  return totals;
}

std::string countersText(const CountedCase& counted) {
  const model::CounterRecord& record = counted.record;
  std::string text = fmt::format("{}\n{}\n{}\n", engine::summaryOf(record.experiment), who(record.executor),
                                 narration::kWarm);
  for (std::size_t i = 0; i < counted.launches.size(); ++i) {
    const model::LaunchCounters& launch = record.launches[i];
    text += fmt::format("\nlaunch {} of {}: {} of {}\n", i + 1, counted.launches.size(),
                        narration::count(launch.grid, "block"), narration::count(launch.block, "thread"));
    text += report::headLine(counterColumns()) + "\n";
    for (const CounterRow& row : counted.launches[i]) {
      const model::CounterFacts& facts = model::factsOf(row.counter);
      std::string line = report::textLine(
          counterColumns(), {std::string(facts.title), amountText(row.modelled, facts.unit),
                             amountText(row.measured, facts.unit),
                             narration::counterDifference(row.modelled, row.measured, facts.unit)});
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    if (const std::string capped = narration::cappedRatios(launch); !capped.empty())
      text += narration::wrapped(capped, narration::kTextColumns) + "\n";
  }
  return text;
}

void writeCountersJson(std::ostream& out, std::span<const CountedCase> cases) {
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  json.key("cases");
  json.beginArray();
  for (const CountedCase& each : cases) {
    json.breakLine();
    json.beginObject();
    writeRun(json, each.record.experiment, each.record.executor);
    json.key("launches");
    json.beginArray();
    for (std::size_t i = 0; i < each.launches.size(); ++i) {
      json.beginObject();
      json.member("grid", each.record.launches[i].grid);
      json.member("threads", each.record.launches[i].block);
      json.key("counters");
      json.beginObject();
      for (const CounterRow& row : each.launches[i]) {
        const model::CounterFacts& facts = model::factsOf(row.counter);
        json.key(facts.id);
        json.beginObject();
        json.member("metric", facts.metric);
        json.member("unit", unitName(facts.unit));
        json.member("modelled", row.modelled);
        json.member("measured", row.measured);
        if (const auto counted = countedAs(each.record.launches[i], row); counted != row.measured)
          json.member("counted", counted);
        json.endObject();
      }
      json.endObject();
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.breakLine();
  json.endArray();
  const CounterTotals totals = totalsOf(cases);
  json.key("totals");
  json.beginObject();
  json.member("compared", totals.compared);
  json.member("equal", totals.equal);
  json.endObject();
  json.endObject();
  json.endLine();
}

}  // namespace stridescope::cli
