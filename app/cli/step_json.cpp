#include "cli/step_json.h"

#include <array>
#include <string>
#include <string_view>

#include "analysis/data_flow.h"
#include "analysis/exchanges.h"
#include "base/plain_field.h"
#include "cli/field_json.h"
#include "narration/figures.h"
#include "narration/register_words.h"
#include "narration/snapshot_words.h"
#include "narration/word_printer.h"

namespace stridescope::cli {
namespace {

using Json = nlohmann::ordered_json;

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

Json engineJson(const model::Executor& executor) {
  constexpr std::array<std::string_view, 2> kFields{"kind", "device"};
  Json json = Json::object();
  addFields(json, executor, kFields);
  json["recorded_on"] = nullptr;
  if (executor.kind == model::EngineKind::Recorded) json["recorded_on"] = executor.recordedOn;
  return json;
}

// What format 1 always has.
constexpr std::array<std::string_view, 8> kAlways{"type", "op",   "threads", "elements",
                                                  "data", "seed", "launch",  "block"};

// What is not there has its default.
Json experimentJson(const model::Experiment& experiment) {
  Json json = Json::object();
  addFields(json, experiment, kAlways);
  if (experiment.op == model::Operator::Custom) {
    json["combine"] = experiment.custom.combine;
    json["identity"] = experiment.custom.identity;
  }
  if (experiment.given.get() != nullptr) json["input"] = experiment.given.get()->name;
  forEachField(experiment, model::Experiment(),
               [&]<class Field>(std::string_view name, const Field& field, const Field& usual) {
                 if constexpr (PlainField<Field>)
                   if (field != usual && name != "variant" && !json.contains(name))
                     json[std::string(name)] = plainOf(field);
               });
  return json;
}

// Of a custom operator, else null.
Json trialJson(const model::Trace& trace) {
  if (trace.experiment.op != model::Operator::Custom) return nullptr;
  Json findings = Json::array();
  for (const model::TrialFinding& finding : trace.trial.findings)
    findings.push_back({{"property", model::nameOf(finding.property)},
                        {"verdict", model::nameOf(finding.verdict)},
                        {"warning", finding.isWarning},
                        {"text", finding.sentence}});
  return {{"findings", std::move(findings)}, {"why_not_tried", trace.trial.whyNotTried}};
}

// Wavefronts are known for loads and stores in shared memory, sectors for device memory.
Json requestJson(const model::Trace& trace, const analysis::Request& request) {
  const model::Site site = siteOf(trace, request.site);
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
  if (request.shared && request.kind != model::EventKind::Atomic) {
    json["wavefronts"] = request.wavefronts;
    json["ideal"] = request.ideal;
    json["conflicts"] = request.conflicts();
    json["way"] = request.way;
    json["banks"] = request.bankWords;
  }
  if (!request.shared) {
    json["sectors"] = request.sectors;
    json["ideal_sectors"] = request.idealSectors;
  }
  return json;
}

Json wordsJson(const std::vector<std::optional<std::uint64_t>>& words,
               const narration::WordPrinter& printer) {
  Json json = Json::array();
  for (const auto& word : words) json.push_back(word ? Json(printer.exact(*word)) : Json(nullptr));
  return json;
}

// A value for each of the block's threads, null for those that pass nothing in the round.
Json registersJson(const narration::RoundAt& at) {
  Json json = Json::array();
  for (const auto& exchange : at.round().exchanges) {
    const bool known = exchange && exchange->after;
    json.push_back(known ? Json(narration::exchangedText(at, *exchange, *exchange->after)) : Json(nullptr));
  }
  return json;
}

// Shared arrays, then the buffers that the block works in, then the registers, where the round has them.
Json snapshotJson(const narration::RoundAt& at) {
  Json json = Json::object();
  for (std::size_t array = 0; array < at.launch.shared.size(); ++array)
    json[at.launch.shared[array].name] =
        wordsJson(narration::snapshotWords(at, array), narration::WordPrinter(at.launch.shared[array]));
  const analysis::DeviceMemory& device = at.analysis.deviceMemory;
  for (std::size_t window = 0; window < device.windows.size(); ++window) {
    const model::Array& buffer = at.launch.buffers[device.windows[window].buffer];
    json[buffer.name] = wordsJson(device.wordsAfter(window, at.index), narration::WordPrinter(buffer));
  }
  if (!at.round().exchanges.empty()) json["registers"] = registersJson(at);
  return json;
}

Json roundJson(const narration::RoundAt& at) {
  const analysis::Round& round = at.round();
  Json requests = Json::array();
  for (const analysis::Request& request : round.requests) requests.push_back(requestJson(at.trace, request));
  Json json{{"round", at.index},
            {"stride", nullptr},
            {"ends_with", analysis::nameOf(round.endsWith)},
            {"active_lanes", round.activeLanes},
            {"active_warps", round.activeWarps},
            {"partial_warps", round.partialWarps},
            {"divergent_branches", round.divergentBranches},
            {"requests", std::move(requests)},
            {"snapshot_from", analysis::nameOf(round.snapshot.from)},
            {"snapshot", snapshotJson(at)}};
  if (round.stride) json["stride"] = *round.stride;
  if (round.outputElement) json["output_element"] = *round.outputElement;
  if (!round.exchanges.empty())
    json["registers_from"] = analysis::originsOf(round).replayed == 0 ? "recorded" : "replayed";
  if (const auto useful = narration::usefulLanes(at)) json["useful_lanes"] = *useful;
  return json;
}

Json accessJson(const model::Trace& trace, const analysis::Race::Access& access) {
  const model::Site site = siteOf(trace, access.site);
  return {{"thread", access.thread},
          {"line", site.line},
          {"column", site.column},
          {"kind", kindName(access.kind)}};
}

Json raceJson(const model::Trace& trace, std::size_t number, const analysis::Race& race) {
  const model::LaunchTrace& launch = trace.launches[number];
  const auto& arrays = race.shared ? launch.shared : launch.buffers;
  return {{"launch", number},
          {"round", race.round},
          {"array", race.array < arrays.size() ? arrays[race.array].name : std::string()},
          {"element", race.element},
          {"first", accessJson(trace, race.first)},
          {"second", accessJson(trace, race.second)}};
}

Json problemJson(const model::Trace& trace, std::size_t number, const model::Problem& problem) {
  Json json{{"launch", number},
            {"kind", model::nameOf(problem.kind)},
            {"text", problem.text},
            {"line", nullptr},
            {"thread", problem.thread}};
  if (problem.site >= 0) json["line"] = siteOf(trace, std::uint32_t(problem.site)).line;
  return json;
}

std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// An object's text without its braces.
std::string membersOf(const Json& object) {
  const std::string text = textOf(object);
  return text.substr(1, text.size() - 2);
}

Json headJson(const model::Trace& trace) {
  return {{"format", kStepJsonFormat},
          {"variant", trace.experiment.variant},
          {"engine", engineJson(trace.executor)},
          {"experiment", experimentJson(trace.experiment)},
          {"result", trace.result},
          {"expected", trace.expected},
          {"ok", trace.ok}};
}

Json tailJson(const model::Trace& trace, const analysis::Analysis& analysis, Json races, Json problems) {
  Json json{{"totals",
             {{"shared_load_wavefronts", analysis.totals.loadWavefronts},
              {"shared_store_wavefronts", analysis.totals.storeWavefronts},
              {"shared_load_conflicts", analysis.totals.loadConflicts},
              {"shared_store_conflicts", analysis.totals.storeConflicts}}},
            {"races", std::move(races)},
            {"problems", std::move(problems)}};
  if (Json trial = trialJson(trace); !trial.is_null()) json["operator_trial"] = std::move(trial);
  return json;
}

// Writes rounds as the elements of a list, as long as the budget lasts.
class RoundWriter {
 public:
  RoundWriter(std::ostream& out, MemoryBudget& budget) : out_(out), budget_(budget) {}

  // The first round that was not written for want of room; nullopt: all that were asked for are.
  std::optional<std::size_t> write(const model::Trace& trace, const model::LaunchTrace& launch,
                                   const analysis::LaunchAnalysis& analysis,
                                   const std::vector<analysis::RoundFlow>& flow,
                                   const std::optional<RoundRange>& rounds) {
    bool first = true;
    for (std::size_t index = 0; index < analysis.rounds.size(); ++index) {
      if (rounds && !rounds->contains(index)) continue;
      const std::string text = textOf(roundJson({trace, launch, analysis, flow, index}));
      if (!budget_.take(text.size())) return index;
      out_ << (first ? "" : ",") << text;
      first = false;
    }
    return std::nullopt;
  }

 private:
  std::ostream& out_;
  MemoryBudget& budget_;
};

model::Problem notPrinted(std::size_t round, const MemoryBudget& budget) {
  return {.kind = model::ProblemKind::Limit,
          .text = "The rounds from " + std::to_string(round) +
                  " on are not printed: with all of them this would take "
                  "more than " +
                  budget.text() + ". Ask for some of them with --round.",
          .site = -1,
          .thread = 0};
}

template <class Values>
Json namesJson(const Values& values) {
  Json names = Json::array();
  for (auto value : values) names.push_back(model::nameOf(value));
  return names;
}

}  // namespace

void writeStepJson(std::ostream& out, const model::Trace& trace, const analysis::Analysis& analysis,
                   const std::optional<RoundRange>& rounds, MemoryBudget& budget) {
  out << "{" << membersOf(headJson(trace)) << ",\"launches\":[";
  Json races = Json::array(), problems = Json::array();
  RoundWriter writer(out, budget);
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    const analysis::LaunchAnalysis& found = analysis.launches[i];
    const Json about{{"grid", launch.grid},
                     {"block", launch.block},
                     {"elements", launch.elements},
                     {"inspected", launch.inspected}};
    out << (i == 0 ? "{" : ",{") << membersOf(about) << ",\"rounds\":[";
    const std::vector<analysis::RoundFlow> flow = analysis::findDataFlow(trace, launch, found);
    const auto left = writer.write(trace, launch, found, flow, rounds);
    out << "]}";
    for (const analysis::Race& race : found.races) races.push_back(raceJson(trace, i, race));
    for (const model::Problem& problem : found.problems) problems.push_back(problemJson(trace, i, problem));
    if (left) problems.push_back(problemJson(trace, i, notPrinted(*left, budget)));
  }
  out << "]," << membersOf(tailJson(trace, analysis, std::move(races), std::move(problems))) << "}\n";
}

Json listJson(std::span<const kernels::Variant> variants) {
  Json list = Json::array();
  for (const kernels::Variant& variant : variants)
    list.push_back({{"id", variant.id},
                    {"title", variant.title},
                    {"family", kernels::nameOf(variant.family)},
                    {"previous", variant.previous},
                    {"changed", variant.changed},
                    {"source", variant.source},
                    {"types", namesJson(variant.types)},
                    {"operators", namesJson(variant.operators)},
                    {"threads", variant.threads}});
  return list;
}

std::string printed(const Json& json) { return textOf(json) + "\n"; }

}  // namespace stridescope::cli
