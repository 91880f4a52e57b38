#include "report/json_writer.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/describe.h"
#include "base/formats.h"

namespace stridescope::report {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

bool isItself(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

void JsonWriter::key(std::string_view name) {
  string(name);
  append(":");
  isFirst_ = true;
}

void JsonWriter::endLine() {
  append("\n");
  flush();
}

void JsonWriter::flush() {
  out_.write(text_.data(), std::streamsize(text_.size()));
  flushed_ += text_.size();
  text_.clear();
}

void JsonWriter::begin(char bracket) {
  literal({&bracket, 1});
  isFirst_ = true;
}

void JsonWriter::end(char bracket) {
  isFirst_ = true;
  literal({&bracket, 1});
}

void JsonWriter::separate() {
  if (!isFirst_) append(",");
  if (breaksLine_) append("\n");
  isFirst_ = breaksLine_ = false;
}

void JsonWriter::literal(std::string_view text) {
  separate();
  append(text);
}

void JsonWriter::integer(std::int64_t number) { literal(std::to_string(number)); }
void JsonWriter::integer(std::uint64_t number) { literal(std::to_string(number)); }

void JsonWriter::floating(double number) { literal(jsonText(number)); }

void JsonWriter::string(std::string_view text) {
  if (!std::ranges::all_of(text, isItself)) return literal(jsonText(text));
  literal("\"");
  append(text);
  append("\"");
}

void JsonWriter::append(std::string_view text) {
  text_ += text;
  if (text_.size() >= kPieceBytes) flush();
}

namespace {

// What format 1 always has.
constexpr std::array<std::string_view, 8> kAlways{"type", "op",   "threads", "elements",
                                                  "data", "seed", "launch",  "block"};

// The experiment's members, without its variant.
void writeExperiment(JsonWriter& json, const model::Experiment& experiment) {
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
}

}  // namespace

void writeEngine(JsonWriter& json, const model::Executor& executor) {
  constexpr std::array<std::string_view, 2> kFields{"kind", "device"};
  const bool recorded = executor.kind == model::EngineKind::Recorded;
  json.object("engine", [&] {
    writeFields(json, executor, kFields);
    json.member("recorded_on", recorded ? std::optional(executor.recordedOn) : std::nullopt);
  });
}

void writeRun(JsonWriter& json, const model::Experiment& experiment, const model::Executor& executor) {
  json.member("variant", experiment.variant);
  writeEngine(json, executor);
  json.object("experiment", [&] { writeExperiment(json, experiment); });
}

}  // namespace stridescope::report
