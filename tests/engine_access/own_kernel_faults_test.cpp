// What persons' texts and launches get wrong, or do in another way than the kernels of tests/own_kernels:
// each is run, or told in a sentence. Those that are compiled take a third of a second each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "model/trace_check.h"
#include "support/temporary_folder.h"

namespace stridescope::engine::access {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class OwnKernelFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }

  static Result<KernelRun> run(const std::string& text, const std::string& launch) {
    auto launches = parseLaunchFile("k.launch.json", launch);
    if (!launches) return tl::unexpected(launches.error());
    JobControl job;
    return runKernelFile({.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
                         {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(20)});
  }
  static std::string faultOf(const std::string& text, const std::string& launch) {
    const auto result = run(text, launch);
    if (result) return "it ran";
    EXPECT_EQ(result.error().kind, ErrorKind::Usage) << result.error().sentence;
    return result.error().sentence;
  }
  static std::vector<std::string> outputOf(const std::string& text, const std::string& launch) {
    const auto result = run(text, launch);
    EXPECT_TRUE(result) << result.error().sentence << "\n" << result.error().details;
    if (!result || result->outputs.empty()) return {};
    EXPECT_TRUE(result->hasEnded);
    EXPECT_EQ(model::faultOf(result->trace), std::nullopt);
    return result->outputs.front().members;
  }

  // The only problem of a run that did not end: its kind, place and thread, and what it says.
  struct Stopped {
    model::ProblemKind kind{};
    int line = 0;
    unsigned thread = 0;
    std::string text;
    int column = 0;
    std::string place;  // what stands there
  };
  static Stopped stoppedBy(const std::string& text, const std::string& launch) {
    const auto result = run(text, launch);
    EXPECT_TRUE(result) << result.error().sentence << "\n" << result.error().details;
    if (!result) return {};
    EXPECT_FALSE(result->hasEnded);
    EXPECT_EQ(model::faultOf(result->trace), std::nullopt);
    const auto& problems = result->trace.launches.back().recorded().problems;
    EXPECT_EQ(problems.size(), 1u);
    if (problems.empty()) return {};
    const model::Problem& problem = problems.front();
    const model::Site site =
        problem.site < 0 ? model::Site() : result->trace.sites[std::size_t(problem.site)];
    return {problem.kind, problem.site < 0 ? 0 : site.line, problem.thread, problem.text, site.column,
            site.text};
  }
};

// ---- Texts.

TEST_F(OwnKernelFaults, ParametersMayBeStructsWithArraysClassesAndFunctors) {
  EXPECT_THAT(
      outputOf("struct Inner { short a[2][2]; double d; };\n"
               "class Complex { public: float re, im; __host__ __device__ Complex(float r, float i) "
               ": re(r), im(i) {} };\n"
               "struct Base { int b; };\nstruct Params : Base { float w[3]; Inner inner; Complex c; };\n"
               "struct Twice { __device__ double operator()(double x) const { return 2 * x; } };\n"
               "template <class Op> __global__ void k(double* out, Params p, const Complex* z, Op op) {\n"
               "  out[0] = p.b + p.w[2]; out[1] = p.inner.a[1][0]; out[2] = op(p.inner.d);\n"
               "  out[3] = p.c.im + z[1].re;\n}\n",
               R"({"template":"Twice","block":[1],"args":[{"name":"out","fill":0,"count":4},)"
               R"({"name":"p","value":[1, 2,3,4.5, 5,6,7,8, 9.25, 10,11]},)"
               R"({"name":"z","data":[1,2,30,4]}]})"),
      ElementsAre("5.5", "7", "18.5", "41"));
}

TEST_F(OwnKernelFaults, ParametersWithoutANameAreGivenByTheirPlaceAndDefaultsMayBeLeftOut) {
  EXPECT_THAT(
      outputOf("#define KERNEL extern \"C\" __global__ void\n"
               "namespace { const int kFive = 5; }\n"
               "KERNEL k(int* out, int, float by = kFive * 2, unsigned = 3) { out[0] = by; }\n",
               R"({"block":[1],"args":[{"name":"out","fill":0,"count":1},{"name":"arg2","value":7}]})"),
      ElementsAre("10"));
}

TEST_F(OwnKernelFaults, KernelsOfOneNameAreChosenByTheirTypes) {
  const std::string text =
      "__global__ void k(int* out) { out[0] = 1; }\n__global__ void k(float* out, int n) { out[0] = n; }\n";
  EXPECT_THAT(faultOf(text, R"({"kernel":"k"})"),
              AllOf(HasSubstr("k(int*) (line 1), k(float*, int) (line 2)"), HasSubstr("--kernel 'k(int*)'")));
  EXPECT_THAT(outputOf(text, R"x({"kernel":"k(float *, int)","block":[1],)x"
                             R"("args":[{"name":"out","fill":0,"count":1},{"name":"n","value":3}]})"),
              ElementsAre("3"));
}

TEST_F(OwnKernelFaults, TheHostsPartsOfAProgramAreLeftOutAndNamed) {
  const auto result =
      run("#include <iostream>\n#include <vector>\n#include <thrust/device_vector.h>\n"
          "#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { exit(1); } } while (0)\n"
          "class Timer { cudaEvent_t start; public: Timer() { cudaEventCreate(&start); } };\n"
          "__global__ void k(int* out) { if (threadIdx.x < 3) out[threadIdx.x] = 1; }\n"
          "void launch(int* p) { Timer t; k<<<1, 32>>>(p); CHECK(cudaDeviceSynchronize()); }\n"
          "void again(int* p) { launch(p); }\n"
          "int main() { thrust::device_vector<int> v(4); again(nullptr); std::cout << 1; }\n",
          R"({"args":[{"name":"out","fill":0,"count":4}]})");
  ASSERT_TRUE(result) << result.error().sentence << result.error().details;
  EXPECT_THAT(
      result->notes,
      ElementsAre("#include <thrust/device_vector.h>, Timer, launch(), again() and main() are the host's "
                  "and were left out."));
  EXPECT_THAT(result->outputs.front().members, ElementsAre("1", "1", "1", "0"));
}

TEST_F(OwnKernelFaults, ErrorsAreToldAtThePersonsOwnWords) {
  const std::string text = "template <class T, int N>\n__global__ void k(T* out) { out[0] = N; }\n";
  EXPECT_THAT(faultOf(text, R"({"template":"flaot, 4"})"),
              AllOf(HasSubstr("k<flaot, 4>"), HasSubstr("'flaot'"), HasSubstr("template <class T, int N>"),
                    HasSubstr("--template")));
  EXPECT_THAT(faultOf(text, R"({"template":"int"})"),
              AllOf(HasSubstr("k<int>"), HasSubstr("template <class T, int N>")));
  EXPECT_THAT(faultOf("__global__ void k(int* out) {}", R"({"template":"int"})"), HasSubstr("no template"));
  EXPECT_THAT(faultOf("__global__ void k(int* out) {\n  if (out[0] > 1) out[wrong] = 1;\n}\n", "{}"),
              HasSubstr("(line 2, column 23)"))
      << "its own column, though the condition was changed";
  EXPECT_THAT(faultOf("__global__ void k(int n = nothing) {}\n", "{}"), HasSubstr("line 1"));
}

// A struct that is stored member by member and read as a whole: what lies between the members is nobody's.
TEST_F(OwnKernelFaults, PaddingOfAStructIsNoUninitializedRead) {
  for (const bool storesAll : {true, false}) {
    const auto result = run(std::string("struct Flagged { float value; bool isHead; };\n"
                                        "__global__ void k(float* out) {\n"
                                        "  __shared__ Flagged s[32];\n"
                                        "  s[threadIdx.x].value = 1;\n") +
                                (storesAll ? "  s[threadIdx.x].isHead = true;\n" : "") +
                                "  __syncthreads();\n"
                                "  Flagged other = s[31 - threadIdx.x];\n"
                                "  out[threadIdx.x] = other.value;\n}\n",
                            R"({"block":[32],"args":[{"name":"out","fill":0,"count":32}]})");
    ASSERT_TRUE(result) << result.error().sentence << result.error().details;
    EXPECT_EQ(result->trace.launches[0].recorded().problems.empty(), storesAll);
  }
}

// ---- Threads that cannot go on.

TEST_F(OwnKernelFaults, ACrashNamesItsLineAndThread) {
  const char* const launch = R"({"block":[64],"args":[{"name":"p","pattern":"ramp","count":64}]})";
  auto stopped = stoppedBy(
      "__global__ void k(int* p) {\n  int i = threadIdx.x;\n\n  p[i] = 7 / (p[i] - 40);\n}\n", launch);
  EXPECT_EQ(stopped.kind, model::ProblemKind::Crash);
  EXPECT_EQ(stopped.line, 4);
  EXPECT_EQ(stopped.thread, 40u);
  EXPECT_THAT(stopped.text, HasSubstr("Thread 40 divides a whole number by zero"));
  EXPECT_EQ(model::nameOf(stopped.kind), "crash");

  stopped = stoppedBy("#include <cassert>\n__global__ void k(int* p) {\n  assert(p[threadIdx.x] < 5);\n}\n",
                      launch);
  EXPECT_EQ(stopped.line, 3);
  EXPECT_EQ(stopped.thread, 5u);
  EXPECT_THAT(stopped.text, HasSubstr("an assertion that does not hold"));

  stopped = stoppedBy("__global__ void k(int* p) {\n  if (p[threadIdx.x] == 33)\n    __trap();\n}\n", launch);
  EXPECT_EQ(stopped.line, 3);
  EXPECT_EQ(stopped.thread, 33u);

  stopped = stoppedBy(
      "__global__ void k(int* p) {\n  int* q = p[threadIdx.x] == 2 ? nullptr : p;\n  q[1] = 3;\n}\n", launch);
  EXPECT_EQ(stopped.kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(stopped.line, 3);
  EXPECT_THAT(stopped.text, HasSubstr("through a null pointer"));
}

// Also where the text has recording calls, which stand in other columns; not where they change the order.
TEST_F(OwnKernelFaults, ACrashHasItsColumn) {
  const char* const launch = R"({"block":[64],"args":[{"name":"p","pattern":"ramp","count":64}]})";
  const std::string head = "#define HALF(x) ((x) / 2)\n__global__ void k(int* p) {\n  int i = threadIdx.x;\n";
  auto stopped = stoppedBy(head + "  p[i] = HALF(i) + 7 / (p[i] - 40);\n}\n", launch);
  EXPECT_EQ(stopped.line, 4);
  EXPECT_EQ(stopped.column, 20);
  EXPECT_EQ(stopped.place, "7 / (p[i] - 40)");
  stopped = stoppedBy(head + "  p[i] = p[0] / (p[i] - 40);\n}\n", launch);
  EXPECT_EQ(stopped.column, 10) << "the operands are evaluated in front of it";
  EXPECT_EQ(stopped.place, "p[0] / (p[i] - 40)");
  stopped = stoppedBy(head + "  p[i] = p[0] / (p[i] - 40) + p[1] / 5;\n}\n", launch);
  EXPECT_EQ(stopped.line, 4);
  EXPECT_EQ(stopped.place, "p[i] = p[0] / (p[i] - 40) + p[1] / 5;") << "either of two";
}

TEST_F(OwnKernelFaults, AStackThatOverflowsIsToldAsThat) {
  const auto stopped = stoppedBy(
      "__device__ int deep(int n, volatile int* p) {\n  int local[16];\n  local[n & 15] = p[0];\n"
      "  return deep(n + 1, p) + local[n & 15];\n}\n"
      "__global__ void k(int* p) {\n  p[0] = deep(0, p);\n}\n",
      R"({"grid":[2],"block":[4],"args":[{"name":"p","fill":1,"count":4}]})");
  EXPECT_EQ(stopped.kind, model::ProblemKind::Crash);
  EXPECT_THAT(stopped.text, HasSubstr("KiB that a thread has here"));
  EXPECT_THAT(stopped.line, testing::AllOf(testing::Ge(1), testing::Le(5)));
}

TEST_F(OwnKernelFaults, AnEmptyArrayHasNoElements) {
  const Stopped stopped =
      stoppedBy("__global__ void k(const int* a, int* b) {\n  b[threadIdx.x] = a[threadIdx.x];\n}\n",
                R"({"block":[4],"args":[{"name":"a","fill":0,"count":0},{"name":"b","fill":0,"count":4}]})");
  EXPECT_EQ(stopped.kind, model::ProblemKind::OutOfBounds);
  EXPECT_THAT(stopped.text, HasSubstr("a[0], but a has 0 elements of 4 bytes"));
}

TEST_F(OwnKernelFaults, DeviceArraysHaveBounds) {
  for (const char* qualifier : {"__device__", "__constant__"}) {
    const std::string text = std::string(qualifier) + " int before[4], table[10] = {1, 2};\n" + qualifier +
                             " int behind[8];\n"
                             "__global__ void k(int* p, int n) {\n  p[0] = table[n] + behind[3];\n}\n";
    const auto launch = [](const std::string& n) {
      return R"({"block":[1],"args":[{"name":"p","fill":0,"count":1},{"name":"n","value":)" + n + "}]}";
    };
    EXPECT_THAT(outputOf(text, launch("1")), ElementsAre("2"));
    const auto stopped = stoppedBy(text, launch("10"));
    EXPECT_EQ(stopped.kind, model::ProblemKind::OutOfBounds) << qualifier;
    EXPECT_EQ(stopped.line, 4);
    EXPECT_THAT(stopped.text, HasSubstr("table[10], but table has 10 elements"));
  }
}

// ---- Branches: what is counted is worked out by hand.

std::vector<std::optional<unsigned>> divergentBranches(const KernelRun& run) {
  std::vector<std::optional<unsigned>> counts;
  const lab::Run told = lab::runOf(run.trace);
  for (const analysis::Round& round : told.analysis.launches.front().rounds)
    counts.push_back(round.divergentBranches);
  return counts;
}

// What a kernel allocates may be accessed until it is given back.
TEST_F(OwnKernelFaults, MemoryThatAKernelAllocatesIsItsOwn) {
  const std::string text =
      "__global__ void k(int* p) {\n  int* own = (int*)malloc(16);\n  int* list = new int[4];\n"
      "  own[3] = threadIdx.x;\n  list[1] = own[3] + 1;\n  free(own);\n"
      "  p[threadIdx.x] = list[1];\n  delete[] list;\n";
  const std::string launch = R"({"block":[4],"args":[{"name":"p","fill":0,"count":4}]})";
  EXPECT_EQ(outputOf(text + "}\n", launch), (std::vector<std::string>{"1", "2", "3", "4"}));
  const Stopped stopped = stoppedBy(text + "  p[0] = list[1];\n}\n", launch);
  EXPECT_EQ(stopped.kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(stopped.line, 9);
}

// It announces functions beside accesses. g++ records the others.
TEST_F(OwnKernelFaults, ClangCompilesKernelsToo) {
  if (std::system("command -v clang++ >/dev/null 2>&1") != 0) GTEST_SKIP() << "There is no clang++.";
  const char* const before = std::getenv("CXX");
  const std::string kept = before == nullptr ? "" : before;
  setenv("CXX", "clang++", 1);
  const auto members = outputOf(
      "__device__ int twice(int a) { return 2 * a; }\n"
      "__global__ void k(int* p) {\n  __shared__ int s[32];\n  s[threadIdx.x] = twice(p[threadIdx.x]);\n"
      "  __syncthreads();\n  p[threadIdx.x] = s[31 - threadIdx.x];\n}\n",
      R"({"block":[32],"args":[{"name":"p","pattern":"ramp","count":32}]})");
  if (kept.empty())
    unsetenv("CXX");
  else
    setenv("CXX", kept.c_str(), 1);
  ASSERT_EQ(members.size(), 32u);
  EXPECT_EQ(members[0], "62");
}

TEST_F(OwnKernelFaults, BranchesOfWhichLanesGoBothWaysAreCounted) {
  const auto counted = [](const std::string& body) {
    const auto result =
        run("__global__ void k(int* p) {\n  int t = threadIdx.x;\n  " + body + "\n  p[t] = t;\n}\n",
            R"({"block":[64],"args":[{"name":"p","pattern":"ramp","count":64}]})");
    EXPECT_TRUE(result) << result.error().sentence << result.error().details;
    return result ? divergentBranches(*result) : std::vector<std::optional<unsigned>>();
  };
  using Counts = std::vector<std::optional<unsigned>>;
  EXPECT_EQ(counted("if (t % 2) p[t] = 1;"), Counts{2}) << "both warps";
  EXPECT_EQ(counted("if (t < 40) p[t] = 1; else p[t] = 2;"), Counts{1}) << "the second warp alone";
  EXPECT_EQ(counted("if (t >= 0 && t < 32) p[t] = 1;"), Counts{0}) << "each warp goes one way";
  EXPECT_EQ(counted("if (t > 3 || p[t] < 2) p[t] = 1;"), Counts{1}) << "one condition, whatever its parts do";
  EXPECT_EQ(counted("p[t] = t % 2 ? 1 : 2; if (t < 64) p[t] = 3;"), Counts{0}) << "an expression";
  // Lane l of each warp goes round l % 4 times: in trips 0 to 3 some end.
  EXPECT_EQ(counted("for (int i = 0; i < t % 4; ++i) p[t] += i;"), Counts{6});
  EXPECT_EQ(counted("int i = t % 4; while (i) { --i; p[t] = i; }"), Counts{6});
  EXPECT_EQ(counted("int i = t % 4; do { p[t] = i; } while (i-- > 0);"), Counts{6});
  // In trip i the lanes of i % 2 skip; they come to the next trip together with the others.
  EXPECT_EQ(counted("for (int i = 0; i < 4; ++i) if ((t + i) % 2) p[t] = i;"), Counts{8});
  EXPECT_EQ(
      counted("switch (t % 3) { case 0: p[t] = 1; break; case 1: p[t] = 2; break; default: p[t] = 3; }"),
      Counts{4})
      << "two labels in two warps";
  EXPECT_EQ(counted("if (t == 70) p[t] = 1; goto end; end:"), Counts{std::nullopt});
  EXPECT_EQ(counted("p[t] = t + 1;"), Counts{0}) << "there is no condition";
}

// In trip i the lanes of i % 2 come to the store, which stands in a function that the loop calls.
TEST_F(OwnKernelFaults, LanesInAFunctionKeepToTheTripOfTheLoopThatCallsIt) {
  for (const char* body :
       {"for (int i = 0; i < 3; ++i) put(p, i);", "for (int i = 0; i < 3; ++i) outer(p, i);"}) {
    const auto result =
        run("__device__ void put(int* p, int i) {\n  if (threadIdx.x % 2 == i % 2) p[threadIdx.x] = i;\n}\n"
            "__device__ void outer(int* p, int i) {\n  put(p, i);\n}\n"
            "__global__ void k(int* p) {\n  " +
                std::string(body) + "\n}\n",
            R"({"block":[4],"args":[{"name":"p","pattern":"ramp","count":4}]})");
    ASSERT_TRUE(result) << result.error().sentence;
    const lab::Run told = lab::runOf(result->trace);
    const analysis::Round& round = told.analysis.launches.front().rounds.front();
    std::vector<std::uint32_t> stores;
    for (const analysis::WarpOperation& operation : round.operations)
      if (operation.kind == model::EventKind::Store) stores.push_back(operation.mask);
    EXPECT_THAT(stores, ElementsAre(0b0101u, 0b1010u, 0b0101u)) << body;
    EXPECT_EQ(round.passes, 3u) << body;
  }
}

TEST_F(OwnKernelFaults, AnAccessInAnIncludedFileStandsAtTheDirective) {
  const support::Folder folder;
  std::ofstream(folder / "add.cuh") << "__device__ void add(int* p, int by) {\n  p[threadIdx.x] += by;\n}\n";
  auto launches =
      parseLaunchFile("k.launch.json", R"({"block":[4],"args":[{"name":"p","pattern":"ones","count":4}]})");
  ASSERT_TRUE(launches);
  JobControl job;
  const auto result = runKernelFile({.name = "k.cu",
                                     .folder = folder.path().native(),
                                     .text = "// A kernel.\n#include \"add.cuh\"\n"
                                             "__global__ void k(int* p) {\n  add(p, 2);\n}\n",
                                     .launches = *std::move(launches)},
                                    job, {.program = STRIDESCOPE_ACCESS_CHILD});
  ASSERT_TRUE(result) << result.error().sentence;
  ASSERT_EQ(result->trace.sites.size(), 2u);
  for (const model::Site& site : result->trace.sites) {
    EXPECT_EQ(site.line, 2);
    EXPECT_EQ(site.text, "add.cuh:2");
  }
}

TEST_F(OwnKernelFaults, SharedArraysOfTheTemplatesOtherKernelsAreNotListed) {
  const auto result =
      run("template <int N>\n__global__ void k(int* p) {\n  __shared__ int s[N];\n  s[threadIdx.x] = 1;\n"
          "  p[threadIdx.x] = s[threadIdx.x];\n}\n"
          "template __global__ void k<8>(int*);\ntemplate __global__ void k<16>(int*);\n",
          R"({"template":"8","block":[8],"args":[{"name":"p","pattern":"ones","count":8}]})");
  ASSERT_TRUE(result) << result.error().sentence;
  const auto& shared = result->trace.launches.front().recorded().shared;
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared.front().name, "s");
  EXPECT_EQ(shared.front().bytes, 32u);
}

// A lambda that a function of CUDA's headers calls: from where is not known.
TEST_F(OwnKernelFaults, AFunctionWhoseCallerIsNotOfTheTextIsNoReasonToFail) {
  const auto result =
      run("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
          "namespace cg = cooperative_groups;\n"
          "__global__ void k(int* p) {\n  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
          "  for (int i = 0; i < 2; ++i)\n"
          "    p[threadIdx.x] = cg::reduce(warp, p[threadIdx.x], [=](int a, int b) { return a + b; });\n}\n",
          R"({"block":[32],"args":[{"name":"p","pattern":"ones","count":32}]})");
  ASSERT_TRUE(result) << result.error().sentence;
  EXPECT_TRUE(result->hasEnded);
}

// A trace takes no element of as many bytes: outputOf() checks it.
TEST_F(OwnKernelFaults, StructsThatAreTooLargeForAnElementAreShownInWords) {
  const auto members = outputOf(
      "struct Large { int count; float cells[70]; };\n"
      "__global__ void k(Large* all) {\n  __shared__ Large own;\n  own.cells[threadIdx.x] = threadIdx.x;\n"
      "  __syncthreads();\n  all[0].cells[threadIdx.x] = own.cells[31 - threadIdx.x];\n}\n",
      R"({"block":[32],"args":[{"name":"all","fill":0,"count":1}]})");
  ASSERT_EQ(members.size(), 71u);
  EXPECT_EQ(members[1], "31");
}

TEST_F(OwnKernelFaults, GroupsByLabelAreNumberedByTheirLowestLanes) {
  const auto members = outputOf(
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__global__ void k(int* p) {\n  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
      "  auto same = cg::labeled_partition(warp, (threadIdx.x + 1) % 3);\n"
      "  p[threadIdx.x] = 1000 * same.meta_group_size() + 100 * same.meta_group_rank() + "
      "same.thread_rank();\n}\n",
      R"({"block":[32],"args":[{"name":"p","fill":0,"count":32}]})");
  ASSERT_EQ(members.size(), 32u);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(members[std::size_t(lane)], std::to_string(3000 + 100 * (lane % 3) + lane / 3)) << lane;
}

TEST_F(OwnKernelFaults, ABranchStandsAtItsLine) {
  const auto result =
      run("__global__ void k(int* p) {\n  for (int i = 0;\n       i < 3; ++i)\n    if (p[i] > 1)\n      p[i] "
          "= 0;\n}\n",
          R"({"block":[1],"args":[{"name":"p","pattern":"ramp","count":3}]})");
  ASSERT_TRUE(result) << result.error().sentence;
  std::vector<std::string> places;
  for (const model::Site& site : result->trace.sites)
    places.push_back(std::to_string(site.line) + ":" + std::to_string(site.column) + " " + site.text);
  EXPECT_THAT(places, testing::IsSupersetOf({"3:8 i < 3", "4:9 p[i] > 1"}));
}

TEST_F(OwnKernelFaults, ASiteKnowsTheLoopsAroundItOutermostFirst) {
  const auto result =
      run("__global__ void k(int* p) {\n  int n = 2;\n  do {\n    for (int i = 0; i < 2; ++i)\n"
          "      p[i] += n;\n  } while (--n > 0);\n}\n",
          R"({"block":[1],"args":[{"name":"p","pattern":"ramp","count":3}]})");
  ASSERT_TRUE(result) << result.error().sentence;
  std::vector<std::string> around;
  for (const model::Site& site : result->trace.sites)
    if (site.kind == model::SiteKind::Store || site.kind == model::SiteKind::Update)
      for (const int loop : site.loops) around.push_back(result->trace.sites[std::size_t(loop)].text);
  EXPECT_THAT(around, ElementsAre("--n > 0", "i < 2"));
}

// ---- Launches.

TEST_F(OwnKernelFaults, LaunchesBeyondCudasLimitsAreRefused) {
  const std::string text = "__global__ void k() {}\n";
  for (const char* launch : {R"({"block":[1025]})", R"({"block":[1,1,65]})", R"({"block":[64,32]})",
                             R"({"grid":[1,65536]})", R"({"grid":[1,1,65536]})"})
    EXPECT_THAT(faultOf(text, launch), HasSubstr("where CUDA has 1 to")) << launch;
  EXPECT_THAT(faultOf(text, R"({"shared":232449})"), HasSubstr("at most 232"));
  EXPECT_THAT(faultOf("__global__ void k() { __shared__ int s[13000]; s[0] = 1; }\n", "{}"),
              AllOf(HasSubstr("52\xe2\x80\xaf"
                              "000 bytes of static shared memory"),
                    HasSubstr("extern __shared__")));
}

TEST_F(OwnKernelFaults, WhatIsTooLargeIsToldAsThat) {
  EXPECT_THAT(faultOf("__device__ int huge[1 << 30];\n__global__ void k(int* p) { p[0] = huge[5]; }\n", "{}"),
              HasSubstr("variables that are too large"));
  JobControl job;
  const auto run = runKernelFile(
      {.name = "k.cu",
       .folder = {},
       .text = "__global__ void k(int* p) { p[0] = 1; }\n",
       .launches = *parseLaunchFile(
           "k", R"({"grid":[2147483647],"block":[32],"args":[{"name":"p","fill":0,"count":1}]})")},
      job, {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(2)});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::Limit);
  EXPECT_THAT(run.error().sentence, AllOf(HasSubstr("blocks of k"), HasSubstr("--grid")));
}

TEST_F(OwnKernelFaults, DynamicSharedMemoryOfNoBytesIsTold) {
  const std::string text =
      "extern __shared__ float buffer[];\n__global__ void k(int n) { if (n) buffer[threadIdx.x] = 1; }\n";
  EXPECT_THAT(faultOf(text, R"({"block":[64],"args":[{"name":"n","value":1}]})"),
              AllOf(HasSubstr("buffer (extern __shared__)"), HasSubstr("--shared"), HasSubstr("256")));
  const auto unused = run(text, R"({"block":[64],"args":[{"name":"n","value":0}]})");
  ASSERT_TRUE(unused);
  EXPECT_TRUE(unused->hasEnded);
  const auto large = run(text, R"({"block":[64],"shared":50000,"args":[{"name":"n","value":1}]})");
  ASSERT_TRUE(large);
  EXPECT_THAT(large->notes, ElementsAre(HasSubstr("cudaFuncSetAttribute")));
}

TEST_F(OwnKernelFaults, ArgumentsThatDoNotFitAreTold) {
  const std::string text = "__global__ void k(const int* in, float* out, int n) {}\n";
  const auto with = [](const std::string& in, const std::string& n) {
    return R"({"args":[{"name":"in",)" + in + R"(},{"name":"out","fill":0,"count":1},{"name":"n",)" + n +
           "}]}";
  };
  EXPECT_THAT(faultOf(text, with(R"("data":[1,2],"count":3)", R"("value":1)")), HasSubstr("count of 3"));
  EXPECT_THAT(faultOf(text, with(R"("count":3)", R"("value":1)")), HasSubstr("a count and no elements"));
  EXPECT_THAT(faultOf(text, with(R"("data":[1])", R"("value":3000000000)")), HasSubstr("out of its range"));
  EXPECT_THAT(faultOf(text, with(R"("data":[1])", R"("fill":1,"count":1)")), HasSubstr("no pointer"));
  const std::string again = R"({"launches":[)" + with(R"("data":[1])", R"("value":1)") + "," +
                            with(R"("data":[2])", R"("value":1)") + "]}";
  EXPECT_THAT(faultOf(text, again), HasSubstr("'in' has 1 elements from an earlier launch"));
}

TEST_F(OwnKernelFaults, WhatIsPrintedWithoutEndIsCutAndSaidToBe) {
  const auto result = run(
      "__global__ void k() { for (int i = 0; i < 300; ++i) printf(\"%d: a line of some length\\n\", i); }\n",
      R"({"block":[64]})");
  ASSERT_TRUE(result) << result.error().sentence;
  EXPECT_EQ(result->printed.size(), 65536u);
  EXPECT_THAT(result->notes, ElementsAre(HasSubstr("prints more than 65")));
}

}  // namespace
}  // namespace stridescope::engine::access
