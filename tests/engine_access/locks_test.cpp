// Critical sections, tickets, and flags of persons' kernels: what a lock or a fence orders is no race, and
// what it does not order is one, to both recorders and in every schedule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

// What a text has in place of @1, @2, ...
std::string with(std::string text, std::initializer_list<std::string> pieces) {
  char mark = '0';
  for (const std::string& piece : pieces) {
    ++mark;
    const std::size_t at = text.find(std::string("@") + mark);
    text.replace(at, 2, piece);
  }
  return text;
}

// One lane of each warp adds to a sum.
const std::string kLock =
    "__device__ void take(int* lock) { @1 }\n"
    "__device__ void giveBack(int* lock) { @2 }\n"
    "__global__ void k(const int* in, int* out) {\n"
    "  __shared__ int mutex, sum;\n"
    "  int t = threadIdx.x;\n"
    "  if (t == 0) { mutex = 0; sum = 0; }\n"
    "  __syncthreads();\n"
    "  if (t % 32 == 0) {\n"
    "    take(&mutex);\n"
    "    sum += in[t / 32];\n"
    "    giveBack(&mutex);\n"
    "  }\n"
    "  @3\n"
    "  __syncthreads();\n"
    "  if (t == 0) *out = sum;\n"
    "}\n";
const std::string kTake = "while (atomicCAS(lock, 0, 1) != 0) {} __threadfence_block();";
const std::string kGiveBack = "__threadfence_block(); atomicExch(lock, 0);";

class Locks : public testing::TestWithParam<std::tuple<RecorderChoice, model::Schedule>> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
  struct Outcome {
    std::vector<std::string> members;
    std::set<std::string> races;  // the arrays
    std::size_t problems = 0;
  };
  static Outcome outcomeOf(const std::string& text, const std::string& in = "5,6,7,8") {
    auto launches = parseLaunchFile("k.launch.json", R"({"block":[128],"args":[{"name":"in","data":[)" + in +
                                                         R"(]},{"name":"out","fill":0,"count":1}]})");
    EXPECT_TRUE(launches) << launches.error().sentence;
    if (!launches) return {};
    JobControl job;
    const auto [recorder, schedule] = GetParam();
    const auto run =
        runKernelFile({.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
                      {.program = STRIDESCOPE_ACCESS_CHILD,
                       .schedule = schedule,
                       .scheduleSeed = 7,
                       .limit = std::chrono::seconds(20),
                       .recorder = recorder});
    EXPECT_TRUE(run) << run.error().sentence << run.error().details;
    if (!run) return {};
    EXPECT_EQ(model::faultOf(run->trace), std::nullopt);
    const bool isSource = model::recorderOf(run->trace) == model::Recorder::Source;
    EXPECT_EQ(isSource, recorder != RecorderChoice::Access);
    const lab::Run analysed = lab::runOf(run->trace);
    Outcome outcome{.members = run->outputs.front().members,
                    .races = {},
                    .problems = analysed.analysis.launches.front().problems.size()};
    const model::LaunchTrace& launch = analysed.trace.launches.front();
    for (const analysis::Race& race : analysed.analysis.launches.front().races)
      outcome.races.insert((race.shared ? launch.recorded().shared : launch.buffers)[race.array].name);
    return outcome;
  }
};

TEST_P(Locks, OrderWhatLiesBetween) {
  for (const std::string& giveBack : {kGiveBack, std::string("__threadfence(); *(volatile int*)lock = 0;"),
                                      std::string("__threadfence(); atomicSub(lock, 1);")}) {
    const Outcome outcome = outcomeOf(with(kLock, {kTake, giveBack, ""}));
    EXPECT_THAT(outcome.members, testing::ElementsAre("26"));
    EXPECT_THAT(outcome.races, testing::IsEmpty()) << giveBack;
  }
}

TEST_P(Locks, OrderNothingWithoutAFenceOnEachSide) {
  EXPECT_THAT(outcomeOf(with(kLock, {kTake, "atomicExch(lock, 0);", ""})).races, testing::ElementsAre("sum"));
  EXPECT_THAT(outcomeOf(with(kLock, {"while (atomicCAS(lock, 0, 1) != 0) {}", kGiveBack, ""})).races,
              testing::ElementsAre("sum"));
}

TEST_P(Locks, OrderNothingOutsideOfThem) {
  EXPECT_THAT(outcomeOf(with(kLock, {kTake, kGiveBack, "if (t == 40) sum += 0;"})).races,
              testing::ElementsAre("sum"));
}

TEST_P(Locks, AreNotGivenBackByAPlainStore) {
  EXPECT_THAT(outcomeOf(with(kLock, {kTake, "__threadfence_block(); *lock = 0;", ""})).races,
              testing::IsSupersetOf({"mutex"}));
}

// Each thread that has stored takes a ticket; the last one adds all up.
TEST_P(Locks, TheLastOneAtACounterFindsWhatAllStored) {
  const std::string text =
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int s[128];\n"
      "  __shared__ unsigned count;\n"
      "  int t = threadIdx.x;\n"
      "  if (t == 0) count = 0;\n"
      "  __syncthreads();\n"
      "  s[t] = in[t % 4];\n"
      "  @1\n"
      "  unsigned ticket = atomicAdd(&count, 1u);\n"
      "  if (ticket == blockDim.x - 1) {\n"
      "    __threadfence_block();\n"
      "    int sum = 0;\n"
      "    for (int i = 0; i < blockDim.x; ++i) sum += s[i];\n"
      "    *out = sum;\n"
      "  }\n"
      "}\n";
  const Outcome right = outcomeOf(with(text, {"__threadfence_block();"}));
  EXPECT_THAT(right.members, testing::ElementsAre("832"));
  EXPECT_THAT(right.races, testing::IsEmpty());
  EXPECT_THAT(outcomeOf(with(text, {""})).races, testing::ElementsAre("s"));
}

// One warp tells another one that its elements are there.
TEST_P(Locks, AFlagOrdersWhatWasStoredBeforeIt) {
  const std::string text =
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int s[32];\n"
      "  __shared__ volatile int flag;\n"
      "  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
      "  if (threadIdx.x == 0) flag = 0;\n"
      "  __syncthreads();\n"
      "  if (warp == 0) {\n"
      "    if (lane == 0) { while (flag == 0) {} __threadfence_block(); }\n"
      "    __syncwarp();\n"
      "    if (lane == 5) *out = s[6];\n"
      "  } else if (warp == 1) {\n"
      "    s[lane] = in[0];\n"
      "    __syncwarp();\n"
      "    if (lane == 0) { @1 flag = 1; }\n"
      "  }\n"
      "}\n";
  const Outcome right = outcomeOf(with(text, {"__threadfence_block();"}));
  EXPECT_THAT(right.members, testing::ElementsAre("5"));
  EXPECT_THAT(right.races, testing::IsEmpty());
  EXPECT_THAT(outcomeOf(with(text, {""})).races, testing::ElementsAre("flag", "s"));
}

// Fences make no counter of a volatile word: what threads store over one another is lost.
TEST_P(Locks, AVolatileCounterRacesThoughItIsFenced) {
  EXPECT_THAT(outcomeOf("__global__ void k(const int* in, int* out) {\n"
                        "  __shared__ volatile int count;\n"
                        "  if (threadIdx.x == 0) count = in[0];\n"
                        "  __syncthreads();\n"
                        "  __threadfence_block();\n"
                        "  count = count + 1;\n"
                        "  __threadfence_block();\n"
                        "  if (threadIdx.x == 0) *out = 0;\n"
                        "}\n")
                  .races,
              testing::ElementsAre("count"));
}

// Two threads that store the same word, and one that loads it.
TEST_P(Locks, RelaxedLoadsAndStoresOfOneWordAreNoRace) {
  const std::string text =
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int word;\n"
      "  int t = threadIdx.x;\n"
      "  if (t == 0) word = 0;\n"
      "  __syncthreads();\n"
      "  if (t == 0) __nv_atomic_store_n(&word, in[0], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);\n"
      "  if (t == 32) @1\n"
      "  if (t == 64) out[0] = __nv_atomic_load_n(&word, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) & 0;\n"
      "}\n";
  EXPECT_THAT(
      outcomeOf(with(text, {"__nv_atomic_store_n(&word, 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);"}))
          .races,
      testing::IsEmpty());
  EXPECT_THAT(outcomeOf(with(text, {"word = 5;"})).races, testing::ElementsAre("word"));
}

// What a thread stores behind a loop that waits is behind the fence in the loop: no fence releases it.
TEST_P(Locks, AFenceInALoopThatWaitsReleasesNothingBehindIt) {
  const std::string text =
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int go, done, s;\n"
      "  int t = threadIdx.x;\n"
      "  if (t == 0) { go = 0; done = 0; }\n"
      "  __syncthreads();\n"
      "  if (t == 0) {\n"
      "    while (__nv_atomic_load_n(&go, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 0) {\n"
      "      if (t > 500) break;\n"
      "      __threadfence_block();\n"
      "    }\n"
      "    s = 7;\n"
      "    @1\n"
      "    __nv_atomic_store_n(&done, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);\n"
      "  } else if (t == 32) {\n"
      "    __nv_atomic_store_n(&go, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);\n"
      "  } else if (t == 64) {\n"
      "    while (__nv_atomic_load_n(&done, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 0) {}\n"
      "    __threadfence_block();\n"
      "    *out = s;\n"
      "  }\n"
      "}\n";
  const Outcome right = outcomeOf(with(text, {"__threadfence_block();"}));
  EXPECT_THAT(right.members, testing::ElementsAre("7"));
  EXPECT_THAT(right.races, testing::IsEmpty());
  EXPECT_THAT(outcomeOf(with(text, {""})).races, testing::ElementsAre("s"));
}

// The source recorder does not take them.
class OrderedAtomics : public Locks {};

// One that finds another value has an order of its own.
TEST_P(OrderedAtomics, ACompareThatFailsHasItsOwnOrder) {
  const std::string text =
      "#include <cuda/atomic>\n"
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;\n"
      "  __shared__ int s;\n"
      "  int t = threadIdx.x;\n"
      "  if (t == 0) flag.store(0, cuda::memory_order_relaxed);\n"
      "  __syncthreads();\n"
      "  if (t == 0) { s = in[0]; flag.store(1, cuda::memory_order_release); }\n"
      "  if (t == 32) {\n"
      "    int found = 7;\n"
      "    while (flag.compare_exchange_strong(found, 9, @1) || found != 1) found = 7;\n"
      "    *out = s;\n"
      "  }\n"
      "}\n";
  for (const auto& [order, isRace] :
       {std::pair("cuda::memory_order_relaxed, cuda::memory_order_acquire", false),
        std::pair("cuda::memory_order_acquire, cuda::memory_order_relaxed", true),
        std::pair("cuda::memory_order_acq_rel", false), std::pair("cuda::memory_order_release", true)}) {
    const Outcome outcome = outcomeOf(with(text, {order}));
    EXPECT_THAT(outcome.members, testing::ElementsAre("5"));
    EXPECT_EQ(outcome.races, isRace ? std::set<std::string>{"s"} : std::set<std::string>{}) << order;
  }
}

TEST_P(OrderedAtomics, AVolatileVariableOutsideOfFunctionsHandsOver) {
  const std::string text =
      "@1\n"
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ int s;\n"
      "  if (threadIdx.x == 0) flag = 0;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) { s = in[0]; @2 flag = 1; }\n"
      "  if (threadIdx.x == 32) { while (flag == 0) {} __threadfence(); *out = s; }\n"
      "}\n";
  for (const char* const flag : {"__device__ volatile int flag;", "__shared__ volatile int flag;"}) {
    const Outcome right = outcomeOf(with(text, {flag, "__threadfence();"}));
    EXPECT_THAT(right.members, testing::ElementsAre("5"));
    EXPECT_THAT(right.races, testing::IsEmpty()) << flag;
    EXPECT_THAT(outcomeOf(with(text, {flag, ""})).races, testing::Contains("s")) << flag;
  }
}

// An atomic load reads, and no more.
TEST_P(OrderedAtomics, AnAtomicLoadAndAPlainOneAreNoRace) {
  EXPECT_THAT(outcomeOf("#include <cuda/atomic>\n"
                        "__global__ void k(const int* in, int* out) {\n"
                        "  __shared__ int s;\n"
                        "  if (threadIdx.x == 0) s = in[0];\n"
                        "  __syncthreads();\n"
                        "  cuda::atomic_ref<int, cuda::thread_scope_block> ref(s);\n"
                        "  if (threadIdx.x == 0) *out = ref.load();\n"
                        "  if (threadIdx.x == 32) out[0] = s;\n"
                        "}\n")
                  .races,
              testing::ElementsAre("out"));
}

// Atomic loads and stores may have an order of their own, and an atomic store reads nothing.
TEST_P(OrderedAtomics, NeedNoFence) {
  const std::string text =
      "#include <cuda/atomic>\n"
      "__global__ void k(const int* in, int* out) {\n"
      "  __shared__ cuda::atomic<int, cuda::thread_scope_block> mutex;\n"
      "  __shared__ int sum;\n"
      "  int t = threadIdx.x;\n"
      "  if (t == 0) { mutex.store(0, cuda::memory_order_relaxed); sum = 0; }\n"
      "  __syncthreads();\n"
      "  if (t % 32 == 0) {\n"
      "    int free = 0;\n"
      "    while (!mutex.compare_exchange_weak(free, 1, cuda::memory_order_acquire)) free = 0;\n"
      "    sum += in[t / 32];\n"
      "    mutex.store(0, cuda::memory_order_@1);\n"
      "  }\n"
      "  __syncthreads();\n"
      "  if (t == 0) *out = sum;\n"
      "}\n";
  const Outcome right = outcomeOf(with(text, {"release"}));
  EXPECT_THAT(right.members, testing::ElementsAre("26"));
  EXPECT_THAT(right.races, testing::IsEmpty());
  EXPECT_EQ(right.problems, 0u);
  EXPECT_THAT(outcomeOf(with(text, {"relaxed"})).races, testing::ElementsAre("sum"));
}

INSTANTIATE_TEST_SUITE_P(All, OrderedAtomics,
                         testing::Values(std::tuple(RecorderChoice::Access, model::Schedule::Random)));
INSTANTIATE_TEST_SUITE_P(All, Locks,
                         testing::Values(std::tuple(RecorderChoice::Source, model::Schedule::LaneByLane),
                                         std::tuple(RecorderChoice::Access, model::Schedule::Random)),
                         [](const auto& one) {
                           return std::get<0>(one.param) == RecorderChoice::Source ? "SourceLaneByLane"
                                                                                   : "AccessAtRandom";
                         });

}  // namespace
}  // namespace stridescope::engine::access
