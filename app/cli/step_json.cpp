#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "analysis/lanes.h"
#include "analysis/passes.h"
#include "base/describe.h"
#include "cli/step_report.h"
#include "engine/experiment_check.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "narration/requests.h"
#include "narration/round_kind.h"

namespace stridescope::cli {
namespace {

std::string_view kindName(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::Load:
      return "load";
    case model::EventKind::Store:
      return "store";
    case model::EventKind::Atomic:
      return "atomic";
    default:
      return "other";
  }
}

model::Site siteOf(const model::Trace& trace, std::uint32_t site) {
  return site < trace.sites.size() ? trace.sites[site] : model::Site{};
}

// Writes what the trial of a custom operator found.
void writeTrial(JsonWriter& json, const model::OperatorTrial& trial) {
  json.beginObject();
  json.key("findings");
  json.beginArray();
  for (const model::TrialFinding& finding : trial.findings) {
    json.beginObject();
    json.member("property", model::nameOf(finding.property));
    json.member("verdict", model::nameOf(finding.verdict));
    json.member("warning", finding.isWarning);
    json.member("text", finding.sentence);
    json.endObject();
  }
  json.endArray();
  json.member("why_not_tried", trial.whyNotTried);
  json.endObject();
}

// Wavefronts are known for loads and stores in shared memory, sectors for device memory.
void writeRequest(JsonWriter& json, const model::Trace& trace, const analysis::Request& request,
                  std::string_view name) {
  const model::Site site = siteOf(trace, request.site);
  const auto known = [&](std::uint64_t number) {
    return request.hasWavefronts() ? std::optional(number) : std::nullopt;
  };
  json.beginObject();
  json.member("line", site.line);
  json.member("column", site.column);
  json.member("kind", kindName(request.kind));
  json.member("space", request.shared ? "shared" : "global");
  json.member("requests", request.requests);
  json.member("wavefronts", known(request.wavefronts));
  json.member("ideal", known(request.ideal));
  json.member("conflicts", known(request.conflicts()));
  json.member("way", known(request.way));
  json.member("broadcast", request.broadcast);
  if (request.hasWavefronts()) json.member("banks", request.bankWords);
  if (!request.shared) {
    json.member("sectors", request.sectors);
    json.member("ideal_sectors", request.idealSectors);
  }
  json.member("name", name);
  json.endObject();
}

// Writes the requests by site, with the names that everything else lists them by.
void writeRequests(JsonWriter& json, const narration::RoundAt& at) {
  const std::vector<narration::NamedRequest> named = narration::namedRequests(at);
  json.beginArray();
  for (const analysis::Request& request : at.round().requests)
    writeRequest(json, at.trace, request,
                 std::ranges::find(named, &request, &narration::NamedRequest::request)->name);
  json.endArray();
}

void writeWords(JsonWriter& json, const std::vector<std::optional<std::uint64_t>>& words,
                const narration::WordPrinter& printer) {
  json.beginArray();
  for (const auto& word : words) {
    if (word)
      json.value(printer.exact(*word));
    else
      json.value(nullptr);
  }
  json.endArray();
}

// A value for each of the block's threads, null for those that pass nothing in the round.
void writeRegisters(JsonWriter& json, const narration::RoundAt& at) {
  json.beginArray();
  for (const auto& exchange : at.round().exchanges) {
    if (exchange && exchange->after)
      json.value(narration::exchangedText(at, *exchange, *exchange->after));
    else
      json.value(nullptr);
  }
  json.endArray();
}

// Shared arrays, then the buffers that the block works in, then the registers, where the round has them. A
// name stands once; if two arrays share a name, the later is written.
void writeSnapshot(JsonWriter& json, const narration::RoundAt& at) {
  const std::vector<model::Array>& shared = at.launch.recorded().shared;
  const analysis::DeviceMemory& device = at.analysis.deviceMemory;
  std::vector<std::string_view> names;
  for (const model::Array& array : shared) names.push_back(array.name);
  for (const auto& window : device.windows) names.push_back(at.launch.buffers[window.buffer].name);
  if (!at.round().exchanges.empty()) names.push_back("registers");

  json.beginObject();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin() + std::ptrdiff_t(i) + 1, names.end(), names[i]) != names.end()) continue;
    json.key(names[i]);
    if (i < shared.size()) {
      writeWords(json, narration::snapshotWords(at, i), narration::WordPrinter(shared[i]));
    } else if (const std::size_t window = i - shared.size(); window < device.windows.size()) {
      writeWords(json, device.wordsAfter(window, at.index),
                 narration::WordPrinter(at.launch.buffers[device.windows[window].buffer]));
    } else {
      writeRegisters(json, at);
    }
  }
  json.endObject();
}

// What threads did with elements: operands and result as printed, null where no result was recorded.
void writePass(JsonWriter& json, model::ElementType type, std::size_t number, const analysis::Pass& pass) {
  json.beginObject();
  json.member("pass", number);
  json.member("active_lanes", pass.activeLanes);
  json.key("work");
  json.beginArray();
  for (const analysis::PassWork& work : pass.work) {
    if (!work.ofElements) continue;
    json.beginObject();
    json.member("thread", work.thread);
    json.key("operands");
    json.beginArray();
    for (const analysis::Operand& operand : work.operands)
      json.value(model::printElement(type, operand.bits));
    json.endArray();
    json.key("result");
    if (work.result)
      json.value(model::printElement(type, work.result->bits));
    else
      json.value(nullptr);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writePasses(JsonWriter& json, const narration::RoundAt& at, const analysis::PassReader& reader) {
  constexpr std::uint32_t kWorkAtOnce = 1 << 17;  // all threads together: some 50 MB
  const std::uint32_t atOnce = std::max(1u, kWorkAtOnce / at.launch.block);
  json.beginArray();
  for (std::uint32_t first = 0; first < at.round().passes; first += atOnce) {
    std::size_t number = first;
    for (const analysis::Pass& pass : reader.read(at.round(), first, atOnce))
      writePass(json, at.trace.experiment.type, number++, pass);
  }
  json.endArray();
}

void writeRound(JsonWriter& json, const narration::RoundAt& at, const analysis::PassReader& passes,
                const analysis::LaunchCycles* cycles) {
  const analysis::Round& round = at.round();
  json.beginObject();
  json.member("round", at.index);
  json.member("stride", round.stride);
  if (const auto words = narration::paddedWordsApart(at)) json.member("stride_words", *words);
  json.member("ends_with", analysis::nameOf(round.endsWith));
  json.member("kind", analysis::nameOf(round.kind));
  json.member("active_lanes", round.activeLanes);
  json.member("active_warps", round.activeWarps);
  json.member("partial_warps", round.partialWarps);
  json.member("divergent_branches", round.divergentBranches);
  if (cycles != nullptr) {
    json.key("cycles");
    writeRoundCycles(json, *cycles, at.index);
  }
  json.key("requests");
  writeRequests(json, at);
  json.member("snapshot_from", analysis::nameOf(round.snapshot.from));
  json.key("snapshot");
  writeSnapshot(json, at);
  if (round.outputElement) json.member("output_element", *round.outputElement);
  if (!round.exchanges.empty())
    json.member("registers_from", analysis::originsOf(round).replayed == 0 ? "recorded" : "replayed");
  if (const auto useful = narration::usefulLanes(at)) json.member("useful_lanes", *useful);
  if (const analysis::LaneCounts lanes = narration::lanesByUse(at);
      lanes.used < lanes.active() || !round.exchanges.empty())
    json.member("used_lanes", lanes.used);
  if (round.passes > 1) {
    json.key("passes");
    writePasses(json, at, passes);
  }
  json.endObject();
}

// Writes rounds as long as the budget lasts. Returns the first round for which no room was left; nullopt: all
// that were asked for are written.
std::optional<std::size_t> writeRounds(JsonWriter& json, const lab::Run& run, std::size_t launch,
                                       const std::optional<RoundRange>& rounds, const lab::RunCycles* cycles,
                                       MemoryBudget& budget) {
  const model::Trace& trace = run.trace;
  const analysis::LaunchAnalysis& analysis = run.analysis.launches[launch];
  const analysis::PassReader passes(trace, trace.launches[launch]);
  for (std::size_t index = 0; index < analysis.rounds.size(); ++index) {
    if (rounds && !rounds->contains(index)) continue;
    if (!budget.has(1)) return index;
    const std::uint64_t before = json.written();
    writeRound(json, run.at(unsigned(launch), index), passes,
               cycles == nullptr ? nullptr : &cycles->launches[launch]);
    budget.spend(json.written() - before);
  }
  return std::nullopt;
}

// Writes the extents along x, y and z of a shape that has more rows than one.
void writeShape(JsonWriter& json, std::string_view name, const model::Dim3& shape) {
  if (shape.isOneRow()) return;
  json.key(name);
  json.beginArray();
  for (const std::uint64_t extent : {shape.x, std::uint64_t(shape.y), std::uint64_t(shape.z)})
    json.value(extent);
  json.endArray();
}

// What stopped the rounds of each launch, if anything did.
using Stops = std::vector<std::optional<std::size_t>>;

Stops writeLaunches(JsonWriter& json, const lab::Run& run, const std::optional<RoundRange>& rounds,
                    const lab::RunCycles* cycles, MemoryBudget& budget) {
  const model::Trace& trace = run.trace;
  Stops stops;
  json.beginArray();
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    json.beginObject();
    json.member("grid", launch.grid);
    json.member("block", launch.block);
    json.member("elements", launch.elements);
    json.member("inspected", launch.recorded().block);
    writeShape(json, "grid_shape", launch.gridShape());
    writeShape(json, "block_shape", launch.blockShape());
    json.key("rounds");
    json.beginArray();
    stops.push_back(writeRounds(json, run, i, rounds, cycles, budget));
    json.endArray();
    json.endObject();
  }
  json.endArray();
  return stops;
}

void writeAccess(JsonWriter& json, const model::Trace& trace, const analysis::Race::Access& access) {
  const model::Site site = siteOf(trace, access.site);
  json.beginObject();
  json.member("thread", access.thread);
  json.member("line", site.line);
  json.member("column", site.column);
  json.member("kind", kindName(access.kind));
  json.endObject();
}

void writeRace(JsonWriter& json, const model::Trace& trace, std::size_t number, const analysis::Race& race) {
  const model::LaunchTrace& launch = trace.launches[number];
  const auto& arrays = race.shared ? launch.recorded().shared : launch.buffers;
  json.beginObject();
  json.member("launch", number);
  json.member("round", race.round);
  json.member("array", race.array < arrays.size() ? std::string_view(arrays[race.array].name) : "");
  json.member("element", race.element);
  json.key("first");
  writeAccess(json, trace, race.first);
  json.key("second");
  writeAccess(json, trace, race.second);
  json.member("order", race.orderKnown ? "known" : "unknown");
  json.endObject();
}

void writeProblem(JsonWriter& json, const model::Trace& trace, std::size_t number,
                  const model::Problem& problem) {
  json.beginObject();
  json.member("launch", number);
  json.member("kind", model::nameOf(problem.kind));
  json.member("text", problem.text);
  if (problem.site >= 0)
    json.member("line", siteOf(trace, std::uint32_t(problem.site)).line);
  else
    json.member("line", nullptr);
  json.member("thread", problem.thread);
  json.endObject();
}

model::Problem notPrinted(std::size_t round, const MemoryBudget& budget) {
  return {.kind = model::ProblemKind::Limit,
          .text = "The rounds from " + std::to_string(round) +
                  " on are not printed: with all of them this would take "
                  "more than " +
                  budget.text() + ". Ask for some of them with --round.",
          .site = -1,
          .thread = 0};
}

// What the result is without the limits of its type; nullopt: the same, or it is not known. A recording may
// claim any number of elements.
std::optional<std::string> exactOf(const model::Trace& trace) {
  constexpr std::uint64_t kMaxSummed = 1ull << 26;
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  if (trace.experiment.elements > kMaxSummed || kernel == nullptr ||
      !engine::checkedExperiment(trace.experiment, true))
    return std::nullopt;
  if (kernels::planRun(*kernel, trace.experiment).outcome == kernels::Outcome::Merged) return std::nullopt;
  return engine::exactIfWrapped(trace.experiment);
}

}  // namespace

void writeTotals(JsonWriter& json, const analysis::Totals& totals) {
  json.beginObject();
  json.member("shared_load_wavefronts", totals.loadWavefronts);
  json.member("shared_store_wavefronts", totals.storeWavefronts);
  json.member("shared_load_conflicts", totals.loadConflicts);
  json.member("shared_store_conflicts", totals.storeConflicts);
  json.endObject();
}

bool writeStepJson(std::ostream& out, const lab::Run& run, const std::optional<RoundRange>& rounds,
                   MemoryBudget& budget, const lab::RunCycles* cycles) {
  const model::Trace& trace = run.trace;
  const analysis::Analysis& analysis = run.analysis;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", kStepJsonFormat);
  writeRun(json, trace.experiment, trace.executor);
  json.member("result", trace.result);
  json.member("expected", trace.expected);
  if (const auto exact = exactOf(trace)) json.member("exact", *exact);
  json.member("ok", trace.ok);
  if (trace.verdictIsRecorded) json.member("verdict_from", "recording");
  json.key("launches");
  const Stops stops = writeLaunches(json, run, rounds, cycles, budget);
  if (cycles != nullptr) {
    json.key("clocked");
    writeClocked(json, *cycles);
  }
  json.key("totals");
  writeTotals(json, analysis.totals);
  json.key("races");
  json.beginArray();
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    for (const analysis::Race& race : analysis.launches[i].races) writeRace(json, trace, i, race);
  json.endArray();
  json.key("problems");
  json.beginArray();
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    for (const model::Problem& problem : analysis.launches[i].problems) writeProblem(json, trace, i, problem);
    if (stops[i]) writeProblem(json, trace, i, notPrinted(*stops[i], budget));
  }
  json.endArray();
  if (trace.experiment.op == model::Operator::Custom) {
    json.key("operator_trial");
    writeTrial(json, trace.trial);
  }
  json.endObject();
  json.endLine();
  return std::ranges::none_of(stops, [](const auto& stop) { return stop.has_value(); });
}

}  // namespace stridescope::cli
