#include "cli/experiment_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/describe.h"
#include "cli/field_json.h"

namespace stridescope::cli {
namespace {

// What format 1 always has.
constexpr std::array<std::string_view, 8> kAlways{"type", "op",   "threads", "elements",
                                                  "data", "seed", "launch",  "block"};

void writeEngine(JsonWriter& json, const model::Executor& executor) {
  constexpr std::array<std::string_view, 2> kFields{"kind", "device"};
  const bool recorded = executor.kind == model::EngineKind::Recorded;
  json.beginObject();
  writeFields(json, executor, kFields);
  json.member("recorded_on", recorded ? std::optional(executor.recordedOn) : std::nullopt);
  json.endObject();
}

// Writes the experiment without its variant.
void writeExperiment(JsonWriter& json, const model::Experiment& experiment) {
  json.beginObject();
  writeFields(json, experiment, kAlways);
  if (experiment.op == model::Operator::Custom) {
    json.member("combine", experiment.custom.combine);
    json.member("identity", experiment.custom.identity);
  }
  if (experiment.given.get() != nullptr) json.member("input", experiment.given.get()->name);
  forEachField(
      experiment, model::Experiment(),
      [&]<class Field>(std::string_view name, const Field& field, const Field& defaults) {
        if constexpr (PlainField<Field>)
          if (field != defaults && name != "variant" && std::ranges::find(kAlways, name) == kAlways.end())
            json.member(name, plainOf(field));
      });
  json.endObject();
}

}  // namespace

void writeRun(JsonWriter& json, const model::Experiment& experiment, const model::Executor& executor) {
  json.member("variant", experiment.variant);
  json.key("engine");
  writeEngine(json, executor);
  json.key("experiment");
  writeExperiment(json, experiment);
}

}  // namespace stridescope::cli
