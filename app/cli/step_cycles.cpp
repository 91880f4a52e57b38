#include <fmt/format.h>

#include "base/numbers.h"
#include "cli/step_report.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

// What there is to say of cycles out of a recording: where they are from, or why there are none.
std::string noteOn(const ChosenEngine& engine, const model::Trace& trace,
                   const std::vector<model::ClockRecord>& clocks) {
  const std::string who = engine.isRecording() ? "" : "The CPU executor has no cycles to count. ";
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  if (clocks.empty() && kernel != nullptr && (kernel->merges() || kernel->isWrong()))
    return "Merges and variants that demonstrate a bug are not clocked.";
  if (clocks.empty())
    return who +
           "None are recorded of this variant, type, operator and block size. Run it on a GPU: --engine gpu.";
  const model::Executor& by = clocks.back().executor;
  return fmt::format("{}The cycles were recorded on {}, {}.", who, by.device,
                     by.recordedOn.substr(0, by.recordedOn.find('T')));
}

std::string whereOf(const model::ClockRecord& record) {
  return record.company == model::ClockedGrid::Alone
             ? std::string("alone")
             : fmt::format("block {} of {}", figure(record.block), figure(record.grid));
}

// nullptr: not known.
void writeCycles(JsonWriter& json, const analysis::Cycles* cycles) {
  const auto member = [&](std::string_view name, std::uint64_t analysis::Cycles::*value) {
    json.key(name);
    if (cycles == nullptr)
      json.value(nullptr);
    else
      json.value(cycles->*value);
  };
  member("median", &analysis::Cycles::median);
  member("low", &analysis::Cycles::low);
  member("high", &analysis::Cycles::high);
}

}  // namespace

lab::RunCycles findCycles(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                          const lab::Run& run, engine::JobControl& job) {
  if (engine.isRecording() || run.trace.executor.kind == model::EngineKind::Host)
    return recordedCycles(recordedOf(context, engine), engine, run);
  lab::RunCycles cycles{.live = run.trace.executor.kind == model::EngineKind::Gpu};
  if (auto clocked = lab::measuredOnGpu<model::ClockRecord>(context.services.sources, engineName,
                                                            {&run.trace.experiment, 1}, job)) {
    cycles.clocks = std::move(clocked->records);
    cycles.notes = std::move(clocked->notes);
  } else {
    cycles.notes.push_back(clocked.error().sentence);
  }
  cycles.launches = analysis::cyclesOf(run.trace, run.analysis, cycles.clocks);
  return cycles;
}

lab::Recorded recordedOf(const Context& context, const ChosenEngine& engine) {
  return lab::recordedFor(engine.isRecording() ? engine.file().native() : "host",
                          context.services.sources.shipped);
}

lab::RunCycles recordedCycles(const lab::Recorded& recorded, const ChosenEngine& engine,
                              const lab::Run& run) {
  lab::RunCycles cycles = lab::cyclesOf(run, recorded.clocks);
  const auto clocks = recorded.clocks(run.trace.experiment);
  cycles.notes.push_back(clocks ? noteOn(engine, run.trace, cycles.clocks) : clocks.error().sentence);
  return cycles;
}

void writeRoundCycles(JsonWriter& json, const analysis::LaunchCycles& cycles, std::size_t round) {
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return json.value(nullptr);
  json.beginObject();
  writeCycles(json, alone);
  json.key("in_grid");
  if (inGrid == nullptr) {
    json.value(nullptr);
  } else {
    json.beginObject();
    writeCycles(json, inGrid);
    json.endObject();
  }
  json.endObject();
}

void writeClocked(JsonWriter& json, const lab::RunCycles& cycles) {
  json.beginArray();
  for (const model::ClockRecord& record : cycles.clocks) {
    json.beginObject();
    json.member("company", model::nameOf(record.company));
    json.member("device", record.executor.device);
    json.member("recorded_on", record.executor.recordedOn);
    json.member("elements", record.elements);
    json.member("grid", record.grid);
    json.member("block", record.block);
    json.member("runs", record.firstWarp.size());
    json.member("clean_microseconds", record.cleanMicroseconds);
    json.member("clocked_microseconds", record.clockedMicroseconds);
    json.endObject();
  }
  json.endArray();
}

std::string roundCyclesLine(const analysis::LaunchCycles& cycles, std::size_t round) {
  const auto part = [](const analysis::Cycles& own, std::string_view where) {
    return fmt::format("{} (quartiles {} and {}) {}", figure(own.median), figure(own.low), figure(own.high),
                       where);
  };
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return {};
  std::string text = "cycles: ";
  if (alone != nullptr) text += part(*alone, "alone");
  if (inGrid != nullptr) text += (alone != nullptr ? ", " : "") + part(*inGrid, "in a full grid");
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

std::string clockedText(const lab::RunCycles& cycles) {
  std::string text;
  for (const model::ClockRecord& record : cycles.clocks)
    text +=
        narration::wrapped(
            fmt::format("cycles of warp 0, {}, on {}: medians of {} runs; the launch takes {} µs "
                        "without marks of the clock and {} with them",
                        whereOf(record), record.executor.device, record.firstWarp.size(),
                        decimalText(record.cleanMicroseconds, 2), decimalText(record.clockedMicroseconds, 2)),
            narration::kTextColumns) +
        "\n";
  return text;
}

}  // namespace stridescope::cli
