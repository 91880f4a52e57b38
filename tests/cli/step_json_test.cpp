// The JSON of step, field by field, and the figures that were worked out by hand for the ladder.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "command_run.h"
#include "kernels/catalog.h"
#include "report/runs.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"
#include "support/whole_sweeps.h"

namespace stridescope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json stepOf(const std::string& variant, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments{"step", variant, "--engine", "host", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandRun run = runCommand(arguments);
  EXPECT_EQ(run.code, 0) << run.error;
  return Json::parse(run.out);
}

Json stepJson(const lab::Run& run, MemoryBudget budget = MemoryBudget()) {
  std::ostringstream text;
  report::writeStepJson(text, run, std::nullopt, budget);
  return Json::parse(text.str());
}

std::vector<std::string> keysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

using Names = std::vector<std::string>;

TEST(StepJson, TellsTheShapeOfALaunchOfSeveralRows) {
  lab::Run run = lab::runOf(support::ladderTrace("sequential", 64, model::ElementType::Int));
  run.trace.launches[0].setShape({1, 1, 1}, {16, 2, 2});
  const Json launch = stepJson(run)["launches"][0];
  EXPECT_EQ(keysOf(launch),
            (Names{"grid", "block", "elements", "inspected", "block_shape", "rounds", "blocks"}));
  EXPECT_EQ(launch["block"], 64);
  EXPECT_EQ(launch["block_shape"], Json::parse("[16,2,2]"));
}

TEST(StepJson, DataThatAreLeftOpenSuitTheOperator) {
  const auto dataOf = [](const std::string& variant, const std::vector<std::string>& options) {
    return stepOf(variant, options)["experiment"]["data"];
  };
  EXPECT_EQ(dataOf("sequential", {}), "digits");
  EXPECT_EQ(dataOf("sequential", {"--op", "*"}), "ones");
  EXPECT_EQ(dataOf("sequential", {"--op", "and"}), "ones");
  EXPECT_EQ(dataOf("sequential", {"--op", "mul", "--data", "digits"}), "digits");
  EXPECT_EQ(dataOf("k_way_merge", {"--threads", "32", "-n", "32"}), "random");
}

// Recorded, analysed and printed to its end; .ci/nightly takes the largest merge that the documents name.
TEST(StepJson, AMergeOfManyListsOf4IsWhole) {
  const std::uint64_t lists = support::wholeSweeps() ? 256 : 64;
  const CommandRun run =
      runCommand({"step", "k_way_merge", "--engine", "host", "--json", "--threads", std::to_string(lists),
                  "-n", std::to_string(4 * lists), "--lists", std::to_string(lists)});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("\"output_element\":" + std::to_string(4 * lists - 1) + "}"), std::string::npos);
  const std::string end = R"("races":[],"problems":[]})";
  EXPECT_NE(run.out.find(end, run.out.size() - 600), std::string::npos)
      << run.out.substr(run.out.size() - 600);
}

TEST(StepJson, FieldsInTheirOrder) {
  const Json json = stepOf("interleaved_contiguous", {"--data", "ramp"});
  EXPECT_EQ(keysOf(json), (Names{"format", "variant", "engine", "experiment", "result", "expected", "ok",
                                 "launches", "totals", "races", "problems"}));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["variant"], "interleaved_contiguous");
  EXPECT_EQ(json["engine"]["kind"], "host");
  EXPECT_EQ(keysOf(json["engine"]), (Names{"kind", "device", "recorded_on"}));
  EXPECT_TRUE(json["engine"]["recorded_on"].is_null());
  EXPECT_EQ(json["experiment"],
            Json::parse(R"({"type":"int","op":"+","threads":256,"elements":256,"data":"ramp",
                                                "seed":1,"launch":0,"block":0})"));
  EXPECT_EQ(json["result"], "32640");
  EXPECT_EQ(json["expected"], "32640");
  EXPECT_EQ(json["ok"], true);
  ASSERT_EQ(json["launches"].size(), 1u);
  const Json& launch = json["launches"][0];
  EXPECT_EQ(keysOf(launch), (Names{"grid", "block", "elements", "inspected", "rounds", "blocks"}));
  EXPECT_EQ(launch["blocks"], Json::parse(R"([{"device":0,"cluster":0,"block":0}])"));
  EXPECT_EQ(launch["grid"], 1);
  EXPECT_EQ(launch["block"], 256);
  EXPECT_EQ(launch["elements"], 256);
  EXPECT_EQ(launch["inspected"], 0);
  const Json& round = launch["rounds"][1];
  EXPECT_EQ(keysOf(round),
            (Names{"round", "stride", "ends_with", "kind", "active_lanes", "active_warps", "partial_warps",
                   "divergent_branches", "requests", "snapshot_from", "snapshot"}));
  EXPECT_EQ(round["round"], 1);
  EXPECT_EQ(round["stride"], 1);
  EXPECT_EQ(round["ends_with"], "block barrier");
  EXPECT_EQ(round["active_lanes"], 128);
  EXPECT_EQ(round["active_warps"], 4);
  EXPECT_EQ(round["partial_warps"], 0);
  EXPECT_EQ(round["snapshot_from"], "copied");
  ASSERT_EQ(round["snapshot"]["data"].size(), 256u);
  EXPECT_EQ(round["snapshot"]["data"][0], "1");  // 0 + 1
  EXPECT_EQ(round["snapshot"]["data"][2], "5");  // 2 + 3
  EXPECT_EQ(round["snapshot"]["data"][3], "3");
  EXPECT_EQ(json["races"], Json::array());
  EXPECT_EQ(json["problems"], Json::array());
}

TEST(StepJson, RequestsOfSharedAndGlobalMemory) {
  const Json json = stepOf("interleaved_contiguous");
  const Json& load = json["launches"][0]["rounds"][1]["requests"][0];
  EXPECT_EQ(keysOf(load), (Names{"line", "column", "kind", "space", "requests", "wavefronts", "ideal",
                                 "conflicts", "way", "broadcast", "banks", "name"}));
  // Stride 1: lane t asks for element 2 t, so that only the even banks are asked, each for two words.
  std::vector<int> banks;
  for (int bank = 0; bank < 32; ++bank) banks.push_back(bank % 2 == 0 ? 2 : 0);
  EXPECT_EQ(load["banks"], Json(banks));
  EXPECT_EQ(load["kind"], "load");
  EXPECT_EQ(load["name"], "load A");
  EXPECT_EQ(load["space"], "shared");
  EXPECT_EQ(load["requests"], 4);
  EXPECT_EQ(load["wavefronts"], 8);
  EXPECT_EQ(load["ideal"], 4);
  EXPECT_EQ(load["conflicts"], 4);
  EXPECT_EQ(load["way"], 2);
  EXPECT_EQ(load["broadcast"], false);

  bool sawGlobal = false;
  for (const Json& request : json["launches"][0]["rounds"][0]["requests"]) {
    if (request["space"] != "global") continue;
    sawGlobal = true;
    EXPECT_EQ(request["kind"], "load");
    EXPECT_TRUE(request["wavefronts"].is_null());
    EXPECT_EQ(request["requests"], 8);
    EXPECT_EQ(request["sectors"], 32);  // 256 ints in sectors of 32 bytes
    EXPECT_EQ(request["ideal_sectors"], 32);
  }
  EXPECT_TRUE(sawGlobal);
}

TEST(StepJson, Totals) {
  EXPECT_EQ(stepOf("interleaved_contiguous")["totals"],
            Json::parse(R"({"shared_load_wavefronts":95,"shared_store_wavefronts":55,
                            "shared_load_conflicts":70,"shared_store_conflicts":35})"));
  EXPECT_EQ(stepOf("interleaved_modulo")["totals"],
            Json::parse(R"({"shared_load_wavefronts":95,"shared_store_wavefronts":55,
                            "shared_load_conflicts":0,"shared_store_conflicts":0})"));
  EXPECT_EQ(stepOf("sequential")["totals"],
            Json::parse(R"({"shared_load_wavefronts":25,"shared_store_wavefronts":20,
                            "shared_load_conflicts":0,"shared_store_conflicts":0})"));
}

// The stride is that of the kernel's s; a free word lies behind every 32.
TEST(StepJson, StridesOfPaddedMemory) {
  const Json rounds = stepOf("padded_tree")["launches"][0]["rounds"];
  for (unsigned round = 1; round <= 8; ++round) {
    const unsigned stride = 1u << (round - 1);
    EXPECT_EQ(rounds[round]["stride"], stride);
    if (stride < 32)
      EXPECT_FALSE(rounds[round].contains("stride_words")) << stride;
    else
      EXPECT_EQ(rounds[round]["stride_words"], stride / 32 * 33);
  }
  const Json columns = stepOf("padded_columns")["launches"][0]["rounds"];
  for (const Json& round : columns) EXPECT_FALSE(round.contains("stride_words"));
}

struct Oracle {
  std::string variant;
  std::vector<unsigned> strides, warps, partial, ways;
};

TEST(StepJson, TheLadderStrideByStride) {
  const std::vector<unsigned> rising{1, 2, 4, 8, 16, 32, 64, 128}, falling(rising.rbegin(), rising.rend());
  const std::vector<unsigned> lanes{128, 64, 32, 16, 8, 4, 2, 1};
  const std::vector<unsigned> modulo{8, 8, 8, 8, 8, 4, 2, 1}, contiguous{4, 2, 1, 1, 1, 1, 1, 1};
  const std::vector<unsigned> partial{0, 0, 0, 1, 1, 1, 1, 1}, none(8, 1);
  const Oracle oracles[] = {{"interleaved_modulo", rising, modulo, modulo, none},
                            {"interleaved_contiguous", rising, contiguous, partial, {2, 4, 8, 8, 8, 4, 2, 1}},
                            {"sequential", falling, contiguous, partial, none}};
  for (const Oracle& oracle : oracles) {
    const Json rounds = stepOf(oracle.variant)["launches"][0]["rounds"];
    ASSERT_EQ(rounds.size(), 10u) << oracle.variant;
    EXPECT_TRUE(rounds[0]["stride"].is_null());
    EXPECT_TRUE(rounds[9]["stride"].is_null());
    EXPECT_EQ(rounds[9]["ends_with"], "end");
    for (std::size_t i = 0; i < 8; ++i) {
      const Json& round = rounds[i + 1];
      EXPECT_EQ(round["stride"], oracle.strides[i]) << oracle.variant;
      EXPECT_EQ(round["active_lanes"], lanes[i]) << oracle.variant << " " << i;
      EXPECT_EQ(round["active_warps"], oracle.warps[i]) << oracle.variant << " " << i;
      EXPECT_EQ(round["partial_warps"], oracle.partial[i]) << oracle.variant << " " << i;
      unsigned way = 0;
      for (const Json& request : round["requests"]) way = std::max(way, request["way"].get<unsigned>());
      EXPECT_EQ(way, oracle.ways[i]) << oracle.variant << " " << i;
    }
  }
}

TEST(StepJson, RoundFiltersAndDoesNotRenumber) {
  const Json all = stepOf("interleaved_contiguous"),
             some = stepOf("interleaved_contiguous", {"--round", "2-3"});
  const Json& rounds = some["launches"][0]["rounds"];
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0], all["launches"][0]["rounds"][2]);
  EXPECT_EQ(rounds[1], all["launches"][0]["rounds"][3]);
  EXPECT_EQ(rounds[1]["round"], 3);
  EXPECT_EQ(some["totals"], all["totals"]);
}

TEST(StepJson, WideValuesSurviveAsStrings) {
  const Json json =
      stepOf("sequential", {"--type", "int64", "--op", "mul", "--threads", "64", "--data", "ramp"});
  EXPECT_TRUE(json["result"].is_string());
  EXPECT_EQ(json["result"], "0");  // the ramp begins with 0
  EXPECT_EQ(stepOf("sequential", {"--type", "unsigned", "--op", "min", "-n", "0"})["result"], "4294967295");
  EXPECT_EQ(stepOf("sequential", {"--type", "int64", "--op", "min", "-n", "0"})["result"],
            "9223372036854775807");
}

TEST(StepJson, SeveralLaunches) {
  const Json json = stepOf("sequential", {"--threads", "32", "-n", "1000", "--data", "ones"});
  EXPECT_EQ(json["result"], "1000");
  ASSERT_EQ(json["launches"].size(), 2u);
  EXPECT_EQ(json["launches"][0]["grid"], 32);  // 1000 / 32, rounded up
  EXPECT_EQ(json["launches"][1]["grid"], 1);
}

// A trace made by hand: thread 0 stores 7 in data[1], then all return. data[0] is never written.
TEST(StepJson, WordsNeverWrittenAreNull) {
  model::Trace trace;
  trace.experiment = {.variant = "sequential",
                      .type = model::ElementType::Int,
                      .op = model::Operator::Add,
                      .threads = 32,
                      .elements = 32,
                      .data = model::DataPattern::Ramp,
                      .seed = 1,
                      .launch = 0,
                      .block = 0};
  trace.executor.kind = model::EngineKind::Recorded;
  trace.executor.device = "NVIDIA H200";
  trace.executor.recordedOn = "2026-01-02T03:04:05Z";
  model::Site site;
  site.kind = model::SiteKind::Store;
  site.line = 4;
  site.column = 5;
  site.length = 7;
  trace.sites = {site};
  model::LaunchTrace launch;
  launch.block = 32;
  launch.elements = 32;
  launch.recorded().shared = {{"data", 4, 8, trace.experiment.type}};
  launch.recorded().events = {
      {recording::eventHead(4, 0, model::EventKind::Store, recording::kSharedSpace, 2), 7}};
  launch.recorded().first.assign(33, 1);
  launch.recorded().first[0] = 0;
  launch.recorded().problems = {{model::ProblemKind::Limit, "Thread 0 was stopped.", 0, 0}};
  trace.launches = {launch};
  const Json json = stepJson(lab::runOf(trace));
  EXPECT_EQ(json["engine"], Json::parse(R"({"kind":"recorded","device":"NVIDIA H200",
                                            "recorded_on":"2026-01-02T03:04:05Z"})"));
  ASSERT_EQ(json["launches"][0]["rounds"].size(), 1u);
  const Json& round = json["launches"][0]["rounds"][0];
  EXPECT_EQ(round["snapshot"], Json::parse(R"({"data":[null,"7"]})"));
  EXPECT_EQ(round["snapshot_from"], "replayed");
  EXPECT_EQ(
      json["problems"],
      Json::parse(R"([{"launch":0,"kind":"limit","text":"Thread 0 was stopped.","line":4,"thread":0}])"));
  EXPECT_EQ(json["ok"], false);
}

TEST(StepJson, ANameStandsOnce) {
  model::Trace trace;
  model::LaunchTrace launch;
  launch.block = 32;
  launch.recorded().shared = {{"twice", 4, 8}, {"other", 4, 8}, {"twice", 4, 12}};
  launch.recorded().first.assign(33, 0);
  trace.launches = {launch};
  lab::Run run = lab::runOf(std::move(trace));
  run.analysis.launches[0].rounds.resize(1);
  run.flow[0].resize(1);
  MemoryBudget budget;
  std::ostringstream text;
  report::writeStepJson(text, run, std::nullopt, budget);
  const std::size_t first = text.str().find("\"twice\"");
  EXPECT_NE(first, std::string::npos) << text.str();
  EXPECT_EQ(text.str().find("\"twice\"", first + 1), std::string::npos);
  EXPECT_EQ(Json::parse(text.str())["launches"][0]["rounds"][0]["snapshot"]["twice"].size(), 3u);
}

TEST(StepJson, Races) {
  model::Trace trace;
  model::Site read, write;
  read.line = 9;
  read.column = 31;
  write.line = 9;
  write.column = 5;
  trace.sites = {read, write};
  model::LaunchTrace launch;
  launch.recorded().shared = {{"data", 4, 64}};
  trace.launches = {launch};
  lab::Run run{.trace = std::move(trace)};
  run.analysis.launches.emplace_back();
  run.flow.emplace_back();
  run.analysis.launches[0].races = {{.round = 3,
                                     .shared = true,
                                     .array = 0,
                                     .element = 4,
                                     .first = {0, 1, model::EventKind::Store},
                                     .second = {4, 0, model::EventKind::Load}}};
  EXPECT_EQ(stepJson(run)["races"], Json::parse(R"([{"launch":0,"round":3,"array":"data","element":4,
                             "first":{"thread":0,"line":9,"column":5,"kind":"store"},
                             "second":{"thread":4,"line":9,"column":31,"kind":"load"},"order":"unknown"}])"));
}

Json jsonOf(const model::Trace& trace) { return stepJson(lab::runOf(trace)); }

// One thread adds 5 and 7 in a loop.
TEST(StepJson, PassesOfALoop) {
  support::TraceBuilder builder(1);
  builder.useKernelText(R"(__global__ void k(const T* in, T* out, unsigned n)
{
    T value = 0;
    for (unsigned i = 0; i < n; ++i)
        value = combine(value, in[i]);
    out[0] = value;
}
)");
  const auto in = builder.buffer("in", 2), out = builder.buffer("out", 1);
  builder.poke(in, 0, 5);
  builder.poke(in, 1, 7);
  const auto first = builder.site({.kind = model::SiteKind::Assign, .text = "value"});
  const auto loop = builder.site({.kind = model::SiteKind::Loop, .text = "i < n"});
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "in[i]", .loops = {int(loop)}});
  const auto sum =
      builder.site({.kind = model::SiteKind::Assign, .text = "value", .loops = {int(loop)}, .occurrence = 2});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "out[0]"});
  std::uint64_t value = builder.assign(0, first, 0);
  for (unsigned i = 0; i < 2; ++i) {
    builder.branch(0, loop, true);
    value = builder.assign(0, sum, value + builder.load(0, load, in, i));
  }
  builder.branch(0, loop, false);
  builder.store(0, store, out, 0, value);
  const model::Trace trace = builder.build();
  const Json round = stepJson(lab::runOf(trace))["launches"][0]["rounds"].at(0);
  EXPECT_EQ(
      round["passes"],
      Json::parse(R"([{"pass":0,"active_lanes":1,"work":[{"thread":0,"operands":["0","5"],"result":"5"}]},
                            {"pass":1,"active_lanes":1,"work":[{"thread":0,"operands":["5","7"],"result":"12"}]}])"));
  EXPECT_EQ(round["kind"], "mixed") << "it loads and writes";
  EXPECT_FALSE(stepOf("sequential")["launches"][0]["rounds"][1].contains("passes")) << "it has one";
}

TEST(StepJson, RegistersOfAShuffle) {
  const Json rounds = jsonOf(support::shuffleTrace(64))["launches"][0]["rounds"];
  const Json& first = rounds[1];
  EXPECT_EQ(first["stride"], 16);
  EXPECT_EQ(first["ends_with"], "shuffle");
  ASSERT_EQ(first["snapshot"]["registers"].size(), 64u);
  for (unsigned t = 0; t < 64; ++t)
    EXPECT_EQ(first["snapshot"]["registers"][t], std::to_string(t % 32 < 16 ? 2 * t + 16 : 2 * t)) << t;
  EXPECT_EQ(first["registers_from"], "recorded");
  EXPECT_EQ(first["useful_lanes"], 32);
  EXPECT_EQ(first["used_lanes"], 32);
  EXPECT_FALSE(rounds[0].contains("used_lanes")) << "all are";
  EXPECT_EQ(rounds[7]["useful_lanes"], 16);
  EXPECT_EQ(rounds[7]["used_lanes"], 2) << "the others hold identities";
  EXPECT_EQ(rounds[5]["registers_from"], "replayed");
  EXPECT_EQ(rounds[11]["snapshot"]["registers"][0], "2016") << "0 + 1 + ... + 63";
  EXPECT_EQ(rounds[11]["snapshot"]["registers"][32], Json()) << "warp 1 takes no part";
  EXPECT_EQ(rounds[11]["useful_lanes"], 1);
  EXPECT_FALSE(rounds[0]["snapshot"].contains("registers"));
}

TEST(StepJson, ExactWhereTheResultWraps) {
  model::Trace trace = support::shuffleTrace(64);
  trace.experiment.variant = "sequential";
  trace.experiment.data = model::DataPattern::Ramp;
  EXPECT_FALSE(jsonOf(trace).contains("exact"));
  trace.experiment.elements = 100000;
  EXPECT_EQ(jsonOf(trace)["exact"], "4999950000");
  trace.experiment.elements = ~0ull;  // as a recording may claim
  EXPECT_FALSE(jsonOf(trace).contains("exact"));
}

TEST(StepJson, DeviceMemoryWorkedInPlace) {
  const Json rounds = jsonOf(support::globalMemoryTrace(32))["launches"][0]["rounds"];
  ASSERT_EQ(rounds.size(), 6u);
  EXPECT_EQ(rounds[0]["snapshot_from"], "replayed");
  EXPECT_EQ(keysOf(rounds[0]["snapshot"]), Names{"array"});
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(rounds[0]["snapshot"]["array"][i], std::to_string(i < 32 ? 2 * i + 32 : i)) << i;
  EXPECT_EQ(rounds[5]["snapshot"]["array"][0], "2016");
  EXPECT_EQ(rounds[0]["requests"][0]["sectors"], 4);
  EXPECT_TRUE(rounds[0]["requests"][0]["wavefronts"].is_null());
}

TEST(StepJson, AMergesElements) {
  const Json rounds = jsonOf(support::mergeTrace({{3, 9}, {1}}))["launches"][0]["rounds"];
  ASSERT_EQ(rounds.size(), 9u) << "load, stride 1, write, for each of 3";
  for (unsigned i = 0; i < 9; ++i) EXPECT_EQ(rounds[i]["output_element"], i / 3);
  EXPECT_EQ(rounds[2]["snapshot"]["merged"], Json::parse(R"(["1",null,null])"));
  EXPECT_EQ(rounds[8]["snapshot"]["merged"], Json::parse(R"(["1","3","9"])"));
  EXPECT_EQ(rounds[8]["snapshot"]["origin"], Json::parse(R"(["1","0","0"])"));
}

TEST(StepJson, NumbersOfListsAreNoElements) {
  model::Trace trace = support::mergeTrace({{3}, {1}});
  trace.experiment.type = model::ElementType::Float;
  const Json round = jsonOf(trace)["launches"][0]["rounds"][0];
  EXPECT_EQ(round["snapshot"]["owners"][1], "1") << "unsigned, though as wide as a float";
}

TEST(ListJson, EveryVariantWithItsFields) {
  const CommandRun run = runCommand({"list", "--json"});
  EXPECT_EQ(run.code, 0);
  const Json list = Json::parse(run.out);
  ASSERT_EQ(list.size(), kernels::catalogAndTimedOnly().size());
  for (const Json& entry : list) {
    Names names{"id", "title", "family", "previous", "changed", "source", "types", "operators", "threads"};
    const auto& known = *kernels::findVariant(entry["id"].get<std::string>());
    if (known.isOfSeveralGpus()) names.push_back("gpus");
    if (!known.onlyTimed.empty()) names.push_back("why_no_steps");
    EXPECT_EQ(keysOf(entry), names);
  }
  EXPECT_EQ(list[0]["id"], "warm_up");
  EXPECT_EQ(list[0]["previous"], "");
  EXPECT_EQ(list[0]["types"], Json::parse(R"(["int","unsigned","int64","float","double"])"));
  EXPECT_EQ(list[0]["operators"], Json::parse(R"(["+","*","min","max","&","|","^"])"));
  EXPECT_EQ(list[0]["threads"], Json::parse("[8]"));
}

// What is left is no list of half a round, and says where it ends.
TEST(StepJson, EndsWhereTheBudgetDoes) {
  const lab::Run run = lab::runOf(support::ladderTrace("sequential", 256, model::ElementType::Int));
  const Json whole = stepJson(run);
  const std::size_t bytes = whole["launches"][0]["rounds"].dump().size();
  const Json part = stepJson(run, MemoryBudget(bytes / 2));
  const std::size_t rounds = part["launches"][0]["rounds"].size();
  EXPECT_GT(rounds, 0u);
  EXPECT_LT(rounds, whole["launches"][0]["rounds"].size());
  for (std::size_t i = 0; i < rounds; ++i)
    EXPECT_EQ(part["launches"][0]["rounds"][i], whole["launches"][0]["rounds"][i]);
  EXPECT_EQ(part["totals"], whole["totals"]);
  ASSERT_EQ(part["problems"].size(), 1u);
  EXPECT_EQ(part["problems"][0]["kind"], "limit");
  EXPECT_NE(part["problems"][0]["text"].get<std::string>().find("rounds from " + std::to_string(rounds)),
            std::string::npos);
}

}  // namespace
}  // namespace stridescope::cli
