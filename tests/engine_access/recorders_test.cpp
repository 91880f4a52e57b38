// A person's kernel recorded by the recording calls of the text pass and by its accesses: both see the same
// accesses, arrays, rounds, races and problems, and the calls alone see operands. Compiling one takes a third
// of a second: all of tests/own_kernels only in whole sweeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "analysis/compare.h"
#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

const std::filesystem::path kTexts = STRIDESCOPE_OWN_KERNELS;

std::string wholeOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Result<KernelRun> recordedBy(RecorderChoice recorder, const std::string& name, const std::string& text,
                             const std::string& launchFile, const std::filesystem::path& folder = {}) {
  auto launches = parseLaunchFile(name, launchFile);
  if (!launches) return tl::unexpected(launches.error());
  JobControl job;
  return runKernelFile(
      {.name = name + ".cu", .folder = folder, .text = text, .launches = *std::move(launches)}, job,
      {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(10), .recorder = recorder});
}

Result<KernelRun> recordedBy(const std::string& name, RecorderChoice recorder) {
  return recordedBy(recorder, name, wholeOf(kTexts / (name + ".cu")),
                    wholeOf(kTexts / (name + ".launch.json")), kTexts);
}

// Those that the text pass takes.
const std::set<std::string>& taken() {
  static const std::set<std::string> names{"block_3d",
                                           "bodies_aos",
                                           "bug_barrier_in_branch",
                                           "bug_divergent_barrier",
                                           "bug_endless_loop",
                                           "bug_endless_wait",
                                           "bug_global_off_by_one",
                                           "bug_inactive_shuffle",
                                           "bug_missing_barrier",
                                           "bug_row_by_height",
                                           "bug_scan_one_buffer",
                                           "bug_shared_index",
                                           "bug_shared_rows",
                                           "bug_uninitialized",
                                           "bug_warp_without_sync",
                                           "butterfly_xor",
                                           "byte_threshold",
                                           "carved_dynamic",
                                           "compact_ballot",
                                           "course_program",
                                           "dot_product",
                                           "double_sum",
                                           "early_return",
                                           "float4_loads",
                                           "functor_reduce",
                                           "histogram_per_warp",
                                           "histogram_shared",
                                           "layer_norm",
                                           "layer_struct",
                                           "letter_counts",
                                           "long_long_max",
                                           "matmul_rectangular",
                                           "matmul_tiled",
                                           "modulo_int64",
                                           "monte_carlo_pi",
                                           "odd_even_sort",
                                           "pair_broadcast",
                                           "reduce0_modulo",
                                           "reduce1_contiguous",
                                           "reduce2_sequential",
                                           "reduce3_first_add",
                                           "reduce4_last_warp",
                                           "reduce5_unrolled",
                                           "reduce6_grid_stride",
                                           "scalar_products",
                                           "scan_blelloch",
                                           "scan_blelloch_padded",
                                           "scan_hillis_steele",
                                           "shuffle_down",
                                           "softmax_row",
                                           "stencil_1d",
                                           "stencil_2d",
                                           "transpose_naive",
                                           "transpose_padded",
                                           "transpose_tile",
                                           "two_pass_sum"};
  return names;
}

std::vector<std::string> recordedNames() {
  if (std::getenv("STRIDESCOPE_WHOLE_SWEEPS") == nullptr) return {"bug_missing_barrier", "reduce4_last_warp"};
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(kTexts))
    if (entry.path().extension() == ".cu") all.push_back(entry.path().stem());
  std::ranges::sort(all);
  return all;
}

// By launch, round, line, kind and space: requests, wavefronts, conflicts, sectors.
using RequestPlace = std::tuple<std::size_t, std::size_t, int, model::EventKind, bool>;
using RequestCounts = std::array<std::uint64_t, 4>;
std::map<RequestPlace, RequestCounts> placesOf(const lab::Run& run) {
  std::map<RequestPlace, RequestCounts> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (std::size_t r = 0; r < run.analysis.launches[k].rounds.size(); ++r)
      for (const analysis::Request& request : run.analysis.launches[k].rounds[r].requests) {
        RequestCounts& counts = all[{k, r, run.trace.sites[request.site].line, request.kind, request.shared}];
        counts[0] += request.requests;
        counts[1] += request.wavefronts;
        counts[2] += request.conflicts();
        counts[3] += request.sectors;
      }
  return all;
}

std::set<std::tuple<std::size_t, model::ProblemKind, std::string, int, unsigned>> problemsOf(
    const lab::Run& run) {
  std::set<std::tuple<std::size_t, model::ProblemKind, std::string, int, unsigned>> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (const model::Problem& problem : run.analysis.launches[k].problems)
      all.insert({k, problem.kind, problem.text,
                  problem.site < 0 ? 0 : run.trace.sites[std::size_t(problem.site)].line, problem.thread});
  return all;
}

// Lines, kinds and the element of each race.
std::set<std::tuple<std::uint32_t, std::string, std::uint64_t, int, int>> racesOf(const lab::Run& run) {
  std::set<std::tuple<std::uint32_t, std::string, std::uint64_t, int, int>> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (const analysis::Race& race : run.analysis.launches[k].races) {
      const model::LaunchTrace& launch = run.trace.launches[k];
      const auto& arrays = race.shared ? launch.recorded().shared : launch.buffers;
      all.insert({race.round, arrays[race.array].name, race.element, run.trace.sites[race.first.site].line,
                  run.trace.sites[race.second.site].line});
    }
  return all;
}

bool knowsOperands(const lab::Run& run) {
  for (const auto& launch : run.flow)
    for (const analysis::RoundFlow& round : launch)
      for (const analysis::ThreadWork& work : round.work)
        if (work.operands.size() > 1) return true;
  return false;
}

class OneRecorder : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
};
class BothRecorders : public OneRecorder, public testing::WithParamInterface<std::string> {};

TEST_P(BothRecorders, TellTheSameOfAccesses) {
  const auto byCalls = recordedBy(GetParam(), RecorderChoice::Auto);
  const auto byAccess = recordedBy(GetParam(), RecorderChoice::Access);
  ASSERT_EQ(byCalls.has_value(), byAccess.has_value()) << (byCalls ? byAccess : byCalls).error().sentence;
  if (!byCalls) {
    EXPECT_EQ(byCalls.error().sentence, byAccess.error().sentence);
    return;
  }
  EXPECT_EQ(model::recorderOf(byAccess->trace), model::Recorder::Access);
  EXPECT_EQ(byAccess->trace.recorderReason, "");
  const bool isTaken = model::recorderOf(byCalls->trace) == model::Recorder::Source;
  EXPECT_EQ(isTaken, taken().contains(GetParam())) << byCalls->trace.recorderReason;
  EXPECT_EQ(byCalls->trace.recorderReason.empty(), isTaken);
  if (!isTaken) return;
  EXPECT_EQ(model::faultOf(byCalls->trace), std::nullopt);
  ASSERT_EQ(byCalls->outputs.size(), byAccess->outputs.size());
  for (std::size_t k = 0; k < byCalls->outputs.size(); ++k)
    EXPECT_EQ(byCalls->outputs[k].members, byAccess->outputs[k].members);
  EXPECT_EQ(byCalls->hasEnded, byAccess->hasEnded);
  EXPECT_EQ(byCalls->check, byAccess->check);

  // Where a run is cut, each recorder keeps as many accesses as fit beside what else it records.
  const bool isCut = byCalls->trace.launches.back().recorded().cut;
  EXPECT_EQ(isCut, byAccess->trace.launches.back().recorded().cut);
  const lab::Run one = lab::runOf(byCalls->trace), other = lab::runOf(byAccess->trace);
  ASSERT_EQ(one.analysis.launches.size(), other.analysis.launches.size());
  for (std::size_t k = 0; k < one.analysis.launches.size(); ++k) {
    const auto &rounds = one.analysis.launches[k].rounds, &others = other.analysis.launches[k].rounds;
    if (!isCut) {
      ASSERT_EQ(rounds.size(), others.size());
    }
    for (std::size_t r = 0; r < std::min(rounds.size(), others.size()); ++r) {
      EXPECT_EQ(rounds[r].endsWith, others[r].endsWith) << k << " " << r;
      EXPECT_EQ(rounds[r].activeLanes, others[r].activeLanes) << k << " " << r;
      if (others[r].divergentBranches) {
        EXPECT_EQ(rounds[r].divergentBranches, others[r].divergentBranches) << k << " " << r;
      }
    }
  }
  if (!isCut) {
    EXPECT_EQ(placesOf(one), placesOf(other));
  }
  EXPECT_EQ(problemsOf(one), problemsOf(other));
  EXPECT_EQ(racesOf(one), racesOf(other));
  if (!isCut) {
    EXPECT_EQ(analysis::compareBarrierCopies(one.trace, other.trace).difference, std::nullopt);
  }
}

// A tree in shared memory: each thread adds two elements, and each lane of a warp what it received.
TEST_F(OneRecorder, OperandsAreKnownToRecordingCallsAlone) {
  for (const char* const name : {"reduce2_sequential", "butterfly_xor"}) {
    const auto byCalls = recordedBy(name, RecorderChoice::Source);
    ASSERT_TRUE(byCalls) << byCalls.error().sentence;
    EXPECT_TRUE(knowsOperands(lab::runOf(byCalls->trace))) << name;
    EXPECT_EQ(byCalls->trace.experiment.type,
              name == std::string("butterfly_xor") ? model::ElementType::Int : model::ElementType::Float);
  }
}

// A class that a function or an operator returns is stored by the call itself, of which g++ announces
// nothing.
TEST_F(OneRecorder, AStructThatIsReturnedIsStored) {
  const std::string text =
      "struct Pair { float value; int place; };\n"
      "__device__ Pair operator+(const Pair& a, const Pair& b) { return {a.value + b.value, a.place}; }\n"
      "template <int N> __device__ Pair twice(Pair a) { return {N * a.value, a.place}; }\n"
      "__global__ void k(const Pair* in, Pair* out) {\n"
      "  __shared__ Pair s[32], last;\n"
      "  unsigned t = threadIdx.x;\n"
      "  s[t] = twice<2>(in[t]);\n"
      "  if (t == 0) last = s[0] + s[0];\n"
      "  if (t == 0) *out = s[0] + last;\n"
      "  if (t == 1) out[t] = s[t];\n"
      "}\n";
  const auto run = recordedBy(RecorderChoice::Access, "k", text,
                              R"({"block":[2],"args":[{"name":"in","data":[1,0,2,1]},)"
                              R"({"name":"out","fill":0,"count":2}]})");
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  EXPECT_THAT(run->outputs.front().members, testing::ElementsAre("6", "0", "4", "1"));
  std::map<std::pair<int, std::string>, std::uint64_t> stores;  // bytes by line and array
  const model::LaunchTrace& launch = run->trace.launches.front();
  for (const model::Event& event : launch.recorded().events)
    if (event.kind() == model::EventKind::Store && !event.secondHalf())
      stores[{run->trace.sites[event.site()].line, launch.arrayOf(event).name}] += event.width();
  using Stores = std::map<std::pair<int, std::string>, std::uint64_t>;
  EXPECT_EQ(stores, (Stores{{{7, "s"}, 16}, {{8, "last"}, 8}, {{9, "out"}, 8}, {{10, "out"}, 8}}));
}

// So are those of members, functors, and lambdas, and what is chosen of two values; a member's argument is
// read.
TEST_F(OneRecorder, AStructThatAnyCallGivesIsStored) {
  const std::string text =
      "struct Pair { float value; int place;\n"
      "  __device__ Pair plus(Pair o) const { return {value + o.value, place}; } };\n"
      "struct Add { __device__ Pair operator()(const Pair& a, const Pair& b) const { return {a.value + "
      "b.value, "
      "1}; } };\n"
      "template <class Op> __device__ void apply(Pair* p, Op op) {\n"
      "  p[0] = op(p[0], p[1]);\n"
      "}\n"
      "__global__ void k(const Pair* in, Pair* out) {\n"
      "  __shared__ Pair s[2];\n"
      "  if (threadIdx.x > 0) return;\n"
      "  s[0] = in[0]; s[1] = in[1];\n"
      "  if (s[0].place == 0) s[0] = s[0].plus(s[1]);\n"
      "  apply(s, Add());\n"
      "  auto twice = [](const Pair& a) { return Pair{2 * a.value, a.place}; };\n"
      "  s[1] = twice(s[0]);\n"
      "  (s + 0)[0] = s[1].place > 5 ? Pair{0, 0} : twice(s[1]);\n"
      "  out[0] = s[0].value > s[1].value ? s[0] : s[1];\n"
      "}\n";
  const auto run = recordedBy(RecorderChoice::Access, "k", text,
                              R"({"block":[32],"args":[{"name":"in","data":[1,0,2,1]},)"
                              R"({"name":"out","fill":0,"count":1}]})");
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  EXPECT_THAT(run->outputs.front().members, testing::ElementsAre("20", "1"));
  std::map<std::tuple<int, model::EventKind, std::string>, std::uint64_t> bytes;  // by line and array
  const model::LaunchTrace& launch = run->trace.launches.front();
  std::set<std::string> places;
  for (const model::Event& event : launch.recorded().events) {
    if (event.kind() > model::EventKind::Store || event.secondHalf()) continue;
    const model::Site& site = run->trace.sites[event.site()];
    bytes[{site.line, event.kind(), launch.arrayOf(event).name}] += event.width();
    if (site.line == 11 && site.kind == model::SiteKind::Store) places.insert(site.text);
  }
  using model::EventKind;
  for (const int line : {5, 11, 14, 15}) EXPECT_EQ((bytes[{line, EventKind::Store, "s"}]), 8u) << line;
  EXPECT_EQ((bytes[{16, EventKind::Store, "out"}]), 8u);
  EXPECT_EQ((bytes[{11, EventKind::Load, "s"}]), 12u) << "the condition and the argument";
  EXPECT_EQ((bytes[{16, EventKind::Load, "s"}]), 16u) << "what is compared, and the one that is chosen";
  EXPECT_THAT(places, testing::ElementsAre("s[0]")) << "behind a condition, too";
}

// Each argument is 8 bytes that are aligned to 4: two loads. g++ announces none of them.
TEST_F(OneRecorder, AStructThatIsPassedByValueIsRead) {
  const std::string text =
      "struct Pair { float value; int place; };\n"
      "__device__ Pair larger(Pair a, Pair b) { return a.value < b.value ? b : a; }\n"
      "__device__ int sign(const Pair& a, int* n, Pair b) { return *n; }\n"
      "__global__ void k(const Pair* in, Pair* out, int* n) {\n"
      "  __shared__ Pair best;\n"
      "  if (threadIdx.x > 0) return;\n"
      "  best = in[0];\n"
      "  if (sign(in[1], &n[0], best) > 0) out[0] = larger(best, in[1]);\n"
      "}\n";
  const auto run = recordedBy(RecorderChoice::Access, "k", text,
                              R"({"block":[32],"args":[{"name":"in","data":[1,0,2,1]},)"
                              R"({"name":"out","fill":0,"count":1},{"name":"n","data":[1]}]})");
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  EXPECT_THAT(run->outputs.front().members, testing::ElementsAre("2", "1"));
  std::map<std::pair<int, std::string>, std::uint64_t> loads;  // bytes by line and array
  const model::LaunchTrace& launch = run->trace.launches.front();
  for (const model::Event& event : launch.recorded().events)
    if (event.kind() == model::EventKind::Load && !event.secondHalf())
      loads[{run->trace.sites[event.site()].line, launch.arrayOf(event).name}] += event.width();
  EXPECT_EQ((loads[{8, "best"}]), 16u);
  EXPECT_EQ((loads[{8, "in"}]), 8u) << "what is taken by reference is not read";
  EXPECT_EQ((loads[{7, "in"}]), 8u);
}

// So are the arguments of functors, lambdas, pointers to functions, operators, and of functions that share a
// name; what is taken by reference is read where it is used.
TEST_F(OneRecorder, AStructThatAnyCallTakesByValueIsRead) {
  const std::string text =
      "struct Pair { float value; int place; };\n"
      "struct Add { __device__ Pair operator()(Pair a, Pair b) const { return {a.value + b.value, 1}; } };\n"
      "struct First { template <class T> __device__ T operator()(T a, const T& b) const { return a; } };\n"
      "__device__ Pair operator*(Pair a, const Pair& b) { return {a.value * b.place, a.place}; }\n"
      "__device__ Pair operator+(Pair a, Pair b) { return {a.value + b.value, a.place}; }\n"
      "__device__ int place(Pair a) { return a.place; }\n"
      "__device__ int place(Pair a, int by) { return a.place + by; }\n"
      "template <class Op> __device__ Pair apply(const Pair* p, Op op) {\n"
      "  return op(p[0], p[1]);\n"
      "}\n"
      "__global__ void k(const Pair* in, Pair* out) {\n"
      "  if (threadIdx.x > 0) return;\n"
      "  auto larger = [](Pair a, const Pair& b) { return a; };\n"
      "  Pair p = apply(in, Add()), q;\n"
      "  q = First()(in[0], in[1]);\n"
      "  q = larger(in[0], in[1]);\n"
      "  q = in[0] * in[1];\n"
      "  q = in[0] + in[1] + in[2];\n"
      "  q.place = place(in[0], 1);\n"
      "  Pair (*by)(const Pair*, Add) = apply<Add>;\n"
      "  out[0] = by(in, Add{});\n"
      "  out[1] = Add{}(in[0], in[1]);\n"
      "}\n";
  const auto run = recordedBy(RecorderChoice::Access, "k", text,
                              R"({"block":[32],"args":[{"name":"in","data":[1,0,2,1,3,2]},)"
                              R"({"name":"out","fill":0,"count":2}]})");
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  EXPECT_THAT(run->outputs.front().members, testing::ElementsAre("3", "1", "3", "1"));
  std::map<int, std::uint64_t> loads;  // bytes by line
  for (const model::Event& event : run->trace.launches.front().recorded().events)
    if (event.kind() == model::EventKind::Load && !event.secondHalf())
      loads[run->trace.sites[event.site()].line] += event.width();
  EXPECT_EQ(loads[9], 32u) << "a functor, twice";
  EXPECT_EQ(loads[15], 8u) << "a template: one by value, one by reference that is not used";
  EXPECT_EQ(loads[16], 8u) << "a lambda";
  EXPECT_EQ(loads[17], 8u) << "an operator: one by value";
  EXPECT_EQ(loads[4], 4u) << "and one by reference, of which a member is read";
  EXPECT_EQ(loads[18], 24u) << "operators, one after the other";
  EXPECT_EQ(loads[19], 8u) << "one of two functions";
  EXPECT_EQ(loads[22], 16u) << "a functor that is made there";
}

// It is one operation of the warp, and no shuffles.
TEST_F(OneRecorder, AMatchIsLikeAVote) {
  const std::string text =
      "__global__ void k(const int* in, unsigned* out) {\n"
      "  unsigned same = __match_any_sync(~0u, in[threadIdx.x]);\n"
      "  int all;\n"
      "  out[threadIdx.x] = __match_all_sync(~0u, 7, &all) == ~0u && all ? same : 0;\n"
      "}\n";
  auto launches =
      parseLaunchFile("k", R"({"block":[32],"args":[{"name":"in","pattern":"alternating","count":32},)"
                           R"({"name":"out","fill":0,"count":32}]})");
  ASSERT_TRUE(launches);
  JobControl job;
  const auto run =
      runKernelFile({.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
                    {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(10)});
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  EXPECT_EQ(run->outputs.front().members[0], std::to_string(0x55555555u));
  EXPECT_EQ(run->outputs.front().members[1], std::to_string(0xaaaaaaaau));
  std::map<model::EventKind, int> times;  // of thread 3
  for (const model::Event& event : run->trace.launches.front().recorded().eventsOf(3)) ++times[event.kind()];
  EXPECT_EQ(times[model::EventKind::Vote], 2);
  EXPECT_EQ(times[model::EventKind::Shuffle], 0);
  EXPECT_EQ(lab::runOf(run->trace).analysis.launches.front().rounds.size(), 1u);
}

TEST_F(OneRecorder, SourceRecorderRefusesByLineAndColumn) {
  const auto run = recordedBy("many_kernels", RecorderChoice::Source);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::Usage);
  EXPECT_EQ(run.error().cause, ErrorCause::KernelText);
  EXPECT_THAT(run.error().sentence,
              testing::AllOf(testing::HasSubstr("many_kernels.cu, line 2, column 1: Namespaces are not"),
                             testing::EndsWith("--recorder access.")));
}

INSTANTIATE_TEST_SUITE_P(All, BothRecorders, testing::ValuesIn(recordedNames()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace stridescope::engine::access
