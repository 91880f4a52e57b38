#include "cli/step_json.h"

#include "analysis/data_flow.h"
#include "analysis/exchanges.h"
#include "twin/figures.h"
#include "twin/register_words.h"
#include "twin/snapshot_words.h"
#include "twin/word_printer.h"

namespace stridescope {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kindName(EventKind kind) {
  switch (kind) {
    case EventKind::Load:
      return "load";
    case EventKind::Store:
      return "store";
    case EventKind::Atomic:
      return "atomic";
    default:
      return "other";
  }
}

Site siteOf(const Trace& trace, std::uint32_t site) {
  return site < trace.sites.size() ? trace.sites[site] : Site{};
}

Json engineJson(const Executor& executor) {
  Json json{{"kind", nameOf(executor.kind)}, {"device", executor.device}, {"recorded_on", nullptr}};
  if (executor.kind == EngineKind::Recorded) json["recorded_on"] = executor.recordedOn;
  return json;
}

// What is not there has its default.
Json experimentJson(const Experiment& experiment) {
  Json json{{"type", nameOf(experiment.type)}, {"op", nameOf(experiment.op)},
            {"threads", experiment.threads},   {"elements", experiment.elements},
            {"data", nameOf(experiment.data)}, {"seed", experiment.seed},
            {"launch", experiment.launch},     {"block", experiment.block}};
  const Experiment usual;
  if (experiment.op == Operator::Custom) {
    json["combine"] = experiment.custom.combine;
    json["identity"] = experiment.custom.identity;
  }
  if (experiment.given.get() != nullptr) json["input"] = experiment.given.get()->name;
  if (experiment.schedule != usual.schedule) json["schedule"] = nameOf(experiment.schedule);
  if (experiment.scheduleSeed != usual.scheduleSeed) json["schedule_seed"] = experiment.scheduleSeed;
  if (experiment.lists != usual.lists) json["lists"] = experiment.lists;
  return json;
}

// Of a custom operator, else null.
Json trialJson(const Trace& trace) {
  if (trace.experiment.op != Operator::Custom) return nullptr;
  Json findings = Json::array();
  for (const TrialFinding& finding : trace.trial.findings)
    findings.push_back({{"property", nameOf(finding.property)},
                        {"verdict", nameOf(finding.verdict)},
                        {"warning", finding.isWarning},
                        {"text", finding.sentence}});
  return {{"findings", std::move(findings)}, {"why_not_tried", trace.trial.whyNotTried}};
}

// Wavefronts are known for loads and stores in shared memory, sectors for device memory.
Json requestJson(const Trace& trace, const Request& request) {
  const Site site = siteOf(trace, request.site);
  Json json{{"line", site.line},
            {"column", site.column},
            {"kind", kindName(request.kind)},
            {"space", request.shared ? "shared" : "global"},
            {"requests", request.requests},
            {"wavefronts", nullptr},
            {"ideal", nullptr},
            {"conflicts", nullptr},
            {"way", nullptr},
            {"broadcast", request.broadcast}};
  if (request.shared && request.kind != EventKind::Atomic) {
    json["wavefronts"] = request.wavefronts;
    json["ideal"] = request.ideal;
    json["conflicts"] = request.conflicts();
    json["way"] = request.way;
  }
  if (!request.shared) {
    json["sectors"] = request.sectors;
    json["ideal_sectors"] = request.idealSectors;
  }
  return json;
}

Json wordsJson(const std::vector<std::optional<std::uint64_t>>& words, const WordPrinter& printer) {
  Json json = Json::array();
  for (const auto& word : words) json.push_back(word ? Json(printer.exact(*word)) : Json(nullptr));
  return json;
}

// A value for each of the block's threads, null for those that pass nothing in the round.
Json registersJson(const RoundAt& at) {
  Json json = Json::array();
  for (const auto& exchange : at.round().exchanges) {
    const bool known = exchange && exchange->after;
    json.push_back(known ? Json(exchangedText(at, *exchange, *exchange->after)) : Json(nullptr));
  }
  return json;
}

// Shared arrays, then the buffers that the block works in, then the registers, where the round has them.
Json snapshotJson(const RoundAt& at) {
  Json json = Json::object();
  for (std::size_t array = 0; array < at.launch.shared.size(); ++array)
    json[at.launch.shared[array].name] =
        wordsJson(snapshotWords(at, array), WordPrinter(at.trace, at.launch.shared[array]));
  const DeviceMemory& device = at.analysis.deviceMemory;
  for (std::size_t window = 0; window < device.windows.size(); ++window) {
    const Array& buffer = at.launch.buffers[device.windows[window].buffer];
    json[buffer.name] = wordsJson(device.wordsAfter(window, at.index), WordPrinter(at.trace, buffer));
  }
  if (!at.round().exchanges.empty()) json["registers"] = registersJson(at);
  return json;
}

Json roundJson(const RoundAt& at) {
  const Round& round = at.round();
  Json requests = Json::array();
  for (const Request& request : round.requests) requests.push_back(requestJson(at.trace, request));
  Json json{{"round", at.index},
            {"stride", nullptr},
            {"ends_with", nameOf(round.endsWith)},
            {"active_lanes", round.activeLanes},
            {"active_warps", round.activeWarps},
            {"partial_warps", round.partialWarps},
            {"divergent_branches", round.divergentBranches},
            {"requests", std::move(requests)},
            {"snapshot_from", nameOf(round.snapshot.from)},
            {"snapshot", snapshotJson(at)}};
  if (round.stride) json["stride"] = *round.stride;
  if (round.outputElement) json["output_element"] = *round.outputElement;
  if (!round.exchanges.empty())
    json["registers_from"] = originsOf(round).replayed == 0 ? "recorded" : "replayed";
  if (const auto useful = usefulLanes(at)) json["useful_lanes"] = *useful;
  return json;
}

Json accessJson(const Trace& trace, const Race::Access& access) {
  const Site site = siteOf(trace, access.site);
  return {{"thread", access.thread},
          {"line", site.line},
          {"column", site.column},
          {"kind", kindName(access.kind)}};
}

Json raceJson(const Trace& trace, std::size_t number, const Race& race) {
  const LaunchTrace& launch = trace.launches[number];
  const auto& arrays = race.shared ? launch.shared : launch.buffers;
  return {{"launch", number},
          {"round", race.round},
          {"array", race.array < arrays.size() ? arrays[race.array].name : std::string()},
          {"element", race.element},
          {"first", accessJson(trace, race.first)},
          {"second", accessJson(trace, race.second)}};
}

Json problemJson(const Trace& trace, std::size_t number, const Problem& problem) {
  Json json{{"launch", number},
            {"kind", nameOf(problem.kind)},
            {"text", problem.text},
            {"line", nullptr},
            {"thread", problem.thread}};
  if (problem.site >= 0) json["line"] = siteOf(trace, std::uint32_t(problem.site)).line;
  return json;
}

template <class Values>
Json namesJson(const Values& values) {
  Json names = Json::array();
  for (auto value : values) names.push_back(nameOf(value));
  return names;
}

}  // namespace

Json stepJson(const Trace& trace, const Analysis& analysis, const std::optional<RoundRange>& rounds) {
  Json launches = Json::array(), races = Json::array(), problems = Json::array();
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const LaunchTrace& launch = trace.launches[i];
    const std::vector<RoundFlow> flow = findDataFlow(launch, analysis.launches[i]);
    Json list = Json::array();
    for (std::size_t index = 0; index < analysis.launches[i].rounds.size(); ++index)
      if (!rounds || rounds->contains(index))
        list.push_back(roundJson({trace, launch, analysis.launches[i], flow, index}));
    launches.push_back({{"grid", launch.grid},
                        {"block", launch.block},
                        {"elements", launch.elements},
                        {"inspected", launch.inspected},
                        {"rounds", std::move(list)}});
    for (const Race& race : analysis.launches[i].races) races.push_back(raceJson(trace, i, race));
    for (const Problem& problem : analysis.launches[i].problems)
      problems.push_back(problemJson(trace, i, problem));
  }
  Json json{{"format", kStepJsonFormat},
            {"variant", trace.experiment.variant},
            {"engine", engineJson(trace.executor)},
            {"experiment", experimentJson(trace.experiment)},
            {"result", trace.result},
            {"expected", trace.expected},
            {"ok", trace.ok},
            {"launches", std::move(launches)},
            {"totals",
             {{"shared_load_wavefronts", analysis.totals.loadWavefronts},
              {"shared_store_wavefronts", analysis.totals.storeWavefronts},
              {"shared_load_conflicts", analysis.totals.loadConflicts},
              {"shared_store_conflicts", analysis.totals.storeConflicts}}},
            {"races", std::move(races)},
            {"problems", std::move(problems)}};
  if (Json trial = trialJson(trace); !trial.is_null()) json["operator_trial"] = std::move(trial);
  return json;
}

Json listJson(std::span<const Variant> variants) {
  Json list = Json::array();
  for (const Variant& variant : variants)
    list.push_back({{"id", variant.id},
                    {"title", variant.title},
                    {"family", variant.family},
                    {"previous", variant.previous},
                    {"changed", variant.changed},
                    {"source", variant.source},
                    {"types", namesJson(variant.types)},
                    {"operators", namesJson(variant.operators)},
                    {"threads", variant.threads}});
  return list;
}

std::string printed(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stridescope
