#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/lanes.h"
#include "analysis/passes.h"
#include "analysis/requests.h"
#include "array_json.h"
#include "base/describe.h"
#include "device_json.h"
#include "engine/experiment_check.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"
#include "model/array_names.h"
#include "narration/memory_words.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "report/own_kernel.h"
#include "report/runs.h"

namespace stridescope::report {
namespace {

model::Site siteOf(const model::Trace& trace, std::uint32_t site) {
  return site < trace.sites.size() ? trace.sites[site] : model::Site{};
}

// Writes what the trial of a custom operator found.
void writeTrial(JsonWriter& json, const model::OperatorTrial& trial) {
  json.object("operator_trial", [&] {
    json.objects("findings", trial.findings, [&](const model::TrialFinding& finding) {
      json.member("property", model::nameOf(finding.property));
      json.member("verdict", model::nameOf(finding.verdict));
      json.member("warning", finding.isWarning);
      json.member("text", finding.sentence);
    });
    json.member("why_not_tried", trial.whyNotTried);
  });
}

// Writes the members of a request. Wavefronts are known for loads and stores in shared memory, sectors for
// device memory.
void writeRequest(JsonWriter& json, const model::Trace& trace, const analysis::Request& request,
                  std::string_view name) {
  const model::Site site = siteOf(trace, request.site);
  const auto known = [&](std::uint64_t number) {
    return request.hasWavefronts() ? std::optional(number) : std::nullopt;
  };
  json.member("line", site.line);
  json.member("column", site.column);
  json.member("kind", accessName(request.kind));
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
}

// Writes the requests by site, with the names that everything else lists them by.
void writeRequests(JsonWriter& json, const narration::RoundAt& at) {
  const std::vector<narration::NamedRequest> named = narration::namedRequests(at);
  json.objects("requests", at.round().requests, [&](const analysis::Request& request) {
    writeRequest(json, at.trace, request,
                 std::ranges::find(named, &request, &narration::NamedRequest::request)->name);
  });
}

// Elements of a type that reductions do not have are plain bits here: `cells` has their numbers.
void writeWords(JsonWriter& json, std::string_view name,
                const std::vector<std::optional<std::uint64_t>>& words, const model::Array& array) {
  json.list(name, words, [&](const std::optional<std::uint64_t>& word) {
    if (!word) return json.value(std::optional<std::string>());
    json.value(std::optional(array.type ? model::printElement(*array.type, *word) : std::to_string(*word)));
  });
}

// A value for each of the block's threads, null for those that pass nothing in the round.
void writeRegisters(JsonWriter& json, std::string_view name, const narration::RoundAt& at) {
  json.list(name, at.round().exchanges, [&](const auto& exchange) {
    json.value(exchange && exchange->after
                   ? std::optional(narration::exchangedText(at, *exchange, *exchange->after))
                   : std::nullopt);
  });
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

  json.object("snapshot", [&] {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(names.begin() + std::ptrdiff_t(i) + 1, names.end(), names[i]) != names.end()) continue;
      if (i < shared.size())
        writeWords(json, names[i], narration::snapshotWords(at, i), shared[i]);
      else if (const std::size_t window = i - shared.size(); window < device.windows.size())
        writeWords(json, names[i], device.wordsAfter(window, at.index),
                   at.launch.buffers[device.windows[window].buffer]);
      else
        writeRegisters(json, names[i], at);
    }
  });
}

// Writes what a thread did with elements: operands and result as printed, null where no result was recorded.
void writeWork(JsonWriter& json, model::ElementType type, const analysis::PassWork& work) {
  json.object([&] {
    json.member("thread", work.thread);
    json.list("operands", work.operands,
              [&](const analysis::Operand& operand) { json.value(model::printElement(type, operand.bits)); });
    json.member("result",
                work.result ? std::optional(model::printElement(type, work.result->bits)) : std::nullopt);
  });
}

void writePasses(JsonWriter& json, const narration::RoundAt& at, const analysis::PassReader& reader) {
  constexpr std::uint32_t kWorkAtOnce = 1 << 17;  // all threads together: some 50 MB
  const std::uint32_t atOnce = std::max(1u, kWorkAtOnce / at.launch.block);
  json.key("passes");
  json.beginArray();
  for (std::uint32_t first = 0; first < at.round().passes; first += atOnce) {
    std::size_t number = first;
    for (const analysis::Pass& pass : reader.read(at.round(), first, atOnce))
      json.object([&] {
        json.member("pass", number++);
        json.member("active_lanes", pass.activeLanes);
        json.list("work", pass.work, [&](const analysis::PassWork& work) {
          if (work.ofElements && !model::leavesArrays(at.trace))
            writeWork(json, at.trace.experiment.type, work);
        });
      });
  }
  json.endArray();
}

// nullptr: not known.
void writeCycles(JsonWriter& json, const analysis::Cycles* cycles) {
  const auto member = [&](std::string_view name, std::uint64_t analysis::Cycles::*value) {
    json.member(name, cycles == nullptr ? std::nullopt : std::optional(cycles->*value));
  };
  member("median", &analysis::Cycles::median);
  member("low", &analysis::Cycles::low);
  member("high", &analysis::Cycles::high);
}

// {"median":124,"low":123,"high":125,"in_grid":{…}|null}; null where nothing is known of the round.
void writeRoundCycles(JsonWriter& json, const analysis::LaunchCycles& cycles, std::size_t round) {
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return json.member("cycles", nullptr);
  json.object("cycles", [&] {
    writeCycles(json, alone);
    if (inGrid == nullptr)
      json.member("in_grid", nullptr);
    else
      json.object("in_grid", [&] { writeCycles(json, inGrid); });
  });
}

// Writes what was clocked, and what the marks cost: a list of one object a record.
void writeClocked(JsonWriter& json, const lab::RunCycles& cycles) {
  json.objects("clocked", cycles.clocks, [&](const model::ClockRecord& record) {
    json.member("company", model::nameOf(record.company));
    json.member("device", record.executor.device);
    json.member("recorded_on", record.executor.recordedOn);
    json.member("elements", record.elements);
    json.member("grid", record.grid);
    json.member("block", record.block);
    json.member("runs", record.firstWarp.size());
    json.member("clean_microseconds", record.cleanMicroseconds);
    json.member("clocked_microseconds", record.clockedMicroseconds);
  });
}

void writeRound(JsonWriter& json, const narration::RoundAt& at, const analysis::PassReader& passes,
                const analysis::LaunchCycles* cycles) {
  const analysis::Round& round = at.round();
  json.member("round", at.index);
  // Where operands are not known, a distance between accesses is no stride.
  json.member("stride", model::leavesArrays(at.trace) ? std::nullopt : round.stride);
  if (const auto words = narration::paddedWordsApart(at)) json.member("stride_words", *words);
  json.member("ends_with", analysis::nameOf(round.endsWith));
  json.member("kind", analysis::nameOf(round.kind));
  json.member("active_lanes", round.activeLanes);
  json.member("active_warps", round.activeWarps);
  json.member("partial_warps", round.partialWarps);
  json.member("divergent_branches", round.divergentBranches);
  if (cycles != nullptr) writeRoundCycles(json, *cycles, at.index);
  writeRequests(json, at);
  json.member("snapshot_from", analysis::nameOf(round.snapshot.from));
  writeSnapshot(json, at);
  writeCells(json, at);
  if (round.outputElement) json.member("output_element", *round.outputElement);
  if (!round.exchanges.empty())
    json.member("registers_from", analysis::originsOf(round).replayed == 0 ? "recorded" : "replayed");
  if (const auto useful = narration::usefulLanes(at)) json.member("useful_lanes", *useful);
  if (const analysis::LaneCounts lanes = narration::lanesByUse(at);
      lanes.used < lanes.active() || !round.exchanges.empty())
    json.member("used_lanes", lanes.used);
  if (round.passes > 1) writePasses(json, at, passes);
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
    json.object([&] {
      writeRound(json, run.at(unsigned(launch), index), passes,
                 cycles == nullptr ? nullptr : &cycles->launches[launch]);
    });
    budget.spend(json.written() - before);
  }
  return std::nullopt;
}

// Writes the extents along x, y and z of a shape that has more rows than one.
void writeShape(JsonWriter& json, std::string_view name, const model::Dim3& shape) {
  if (!shape.isOneRow())
    json.member(name, std::array{shape.x, std::uint64_t(shape.y), std::uint64_t(shape.z)});
}

// What stopped the rounds of each launch, if anything did.
using Stops = std::vector<std::optional<std::size_t>>;

// The recorded blocks; of several, each with its rounds.
void writeBlocks(JsonWriter& json, const lab::Run& run, std::size_t launch,
                 const std::optional<RoundRange>& rounds, MemoryBudget& budget,
                 std::optional<std::size_t>& stop) {
  const std::vector<model::BlockTrace>& blocks = run.trace.launches[launch].blocks;
  json.key("blocks");
  json.beginArray();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    json.object([&] {
      json.member("device", blocks[b].device);
      json.member("cluster", blocks[b].cluster);
      json.member("block", blocks[b].block);
      if (blocks.size() == 1) return;
      json.key("rounds");
      json.beginArray();
      const auto stopped =
          b == run.trace.launches[launch].shown
              ? writeRounds(json, run, launch, rounds, nullptr, budget)
              : writeRounds(json, runOfBlock(run.trace, launch, b), 0, rounds, nullptr, budget);
      if (stopped && !stop) stop = stopped;
      json.endArray();
    });
  json.endArray();
}

Stops writeLaunches(JsonWriter& json, const lab::Run& run, const std::optional<RoundRange>& rounds,
                    const lab::RunCycles* cycles, MemoryBudget& budget) {
  Stops stops;
  json.objects("launches", run.trace.launches, [&](const model::LaunchTrace& launch) {
    json.member("grid", launch.grid);
    json.member("block", launch.block);
    json.member("elements", launch.elements);
    json.member("inspected", launch.recorded().block);
    writeShape(json, "grid_shape", launch.gridShape());
    writeShape(json, "block_shape", launch.blockShape());
    if (!launch.arrivals.empty()) {
      json.key("arrivals");
      json.beginArray();
      for (const model::Arrival& arrival : launch.arrivals) json.value(arrival.block);
      json.endArray();
    }
    if (model::leavesArrays(run.trace)) writeArrays(json, launch);
    if (launch.devices > 1) writeTraffic(json, launch, run.analysis.launches[stops.size()]);
    json.key("rounds");
    json.beginArray();
    const std::size_t number = stops.size();
    stops.push_back(writeRounds(json, run, number, rounds, cycles, budget));
    json.endArray();
    writeBlocks(json, run, number, rounds, budget, stops.back());
  });
  return stops;
}

void writeAccess(JsonWriter& json, std::string_view name, const model::Trace& trace,
                 const analysis::Race::Access& access) {
  const model::Site site = siteOf(trace, access.site);
  json.object(name, [&] {
    json.member("thread", access.thread);
    json.member("line", site.line);
    json.member("column", site.column);
    json.member("kind", accessName(access.kind));
  });
}

// `block`: of one that is not the first recorded one.
void writeRace(JsonWriter& json, const model::Trace& trace, std::size_t number, const analysis::Race& race,
               const std::optional<std::uint64_t>& block = {}) {
  const model::LaunchTrace& launch = trace.launches[number];
  const auto& arrays = race.shared ? launch.recorded().shared : launch.buffers;
  json.object([&] {
    json.member("launch", number);
    if (block) json.member("block", *block);
    json.member("round", race.round);
    json.member("array", race.array < arrays.size() ? std::string_view(arrays[race.array].name) : "");
    json.member("element", race.element);
    if (race.array < arrays.size() &&
        (!arrays[race.array].extents.empty() || !arrays[race.array].members.empty())) {
      const std::uint64_t bytes = std::max(1u, arrays[race.array].elementBytes);
      json.member("place", model::placeName(arrays[race.array], race.element * bytes + race.offset % bytes, 1,
                                            model::Digits::Plain));
    }
    writeAccess(json, "first", trace, race.first);
    writeAccess(json, "second", trace, race.second);
    json.member("order", race.orderKnown ? "known" : "unknown");
  });
}

void writeProblem(JsonWriter& json, const model::Trace& trace, std::size_t number,
                  const model::Problem& problem, const std::optional<std::uint64_t>& block = {}) {
  json.object([&] {
    json.member("launch", number);
    if (block) json.member("block", *block);
    json.member("kind", model::nameOf(problem.kind));
    json.member("text", problem.text);
    json.member("line", problem.site < 0 ? std::nullopt
                                         : std::optional(siteOf(trace, std::uint32_t(problem.site)).line));
    if (problem.kind == model::ProblemKind::Crash && problem.site >= 0)
      json.member("column", siteOf(trace, std::uint32_t(problem.site)).column);
    json.member("thread", problem.thread);
  });
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

std::string_view accessName(model::EventKind kind) {
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

void writeOutcome(JsonWriter& json, const model::Trace& trace, const std::optional<std::string>& exact) {
  writeRun(json, trace.experiment, trace.executor);
  json.member("result", trace.result);
  json.member("expected", trace.expected);
  if (exact) json.member("exact", *exact);
  json.member("ok", trace.ok);
  if (trace.verdictIsRecorded) json.member("verdict_from", "recording");
}

void writeTotals(JsonWriter& json, const analysis::Totals& totals) {
  json.object("totals", [&] {
    json.member("shared_load_wavefronts", totals.loadWavefronts);
    json.member("shared_store_wavefronts", totals.storeWavefronts);
    json.member("shared_load_conflicts", totals.loadConflicts);
    json.member("shared_store_conflicts", totals.storeConflicts);
  });
}

bool writeWhatHappened(JsonWriter& json, const lab::Run& run, const std::optional<RoundRange>& rounds,
                       MemoryBudget& budget, const lab::RunCycles* cycles) {
  const model::Trace& trace = run.trace;
  const std::vector<analysis::LaunchAnalysis>& launches = run.analysis.launches;
  const Stops stops = writeLaunches(json, run, rounds, cycles, budget);
  if (cycles != nullptr) writeClocked(json, *cycles);
  // The totals count the other recorded blocks, too, which are told behind the first one of each launch.
  analysis::Totals totals = run.analysis.totals;
  struct Told {
    std::size_t launch = 0;
    lab::Run run;
  };
  std::vector<Told> others;
  eachOtherBlock(trace, [&](std::size_t launch, const lab::Run& other) {
    totals = totals + other.analysis.totals;
    const analysis::LaunchAnalysis& told = other.analysis.launches.front();
    if (!told.races.empty() || !told.problems.empty()) others.push_back({launch, other});
  });
  writeTotals(json, totals);
  json.key("races");
  json.beginArray();
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (const analysis::Race& race : launches[i].races) writeRace(json, trace, i, race);
  for (const Told& other : others)
    for (const analysis::Race& race : other.run.analysis.launches.front().races)
      writeRace(json, trace, other.launch, race, other.run.trace.launches.front().recorded().block);
  json.endArray();
  json.key("problems");
  json.beginArray();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const model::Problem& problem : launches[i].problems) writeProblem(json, trace, i, problem);
    if (stops[i]) writeProblem(json, trace, i, notPrinted(*stops[i], budget));
  }
  for (const Told& other : others)
    for (const model::Problem& problem : other.run.analysis.launches.front().problems)
      writeProblem(json, trace, other.launch, problem, other.run.trace.launches.front().recorded().block);
  json.endArray();
  return std::ranges::none_of(stops, [](const auto& stop) { return stop.has_value(); });
}

bool writeStepJson(std::ostream& out, const lab::Run& run, const std::optional<RoundRange>& rounds,
                   MemoryBudget& budget, const lab::RunCycles* cycles) {
  JsonWriter json(out);
  bool isWhole = true;
  json.object([&] {
    json.member("format", kStepJsonFormat);
    if (model::leavesArrays(run.trace))
      writeRecordedKernel(json, run);
    else
      writeOutcome(json, run.trace, exactOf(run.trace));
    isWhole = writeWhatHappened(json, run, rounds, budget, cycles);
    if (run.trace.experiment.op == model::Operator::Custom) writeTrial(json, run.trace.trial);
  });
  json.endLine();
  return isWhole;
}

}  // namespace stridescope::report
