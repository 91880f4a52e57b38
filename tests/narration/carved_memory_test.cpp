// Dynamic shared memory that a kernel declares as bytes and carves, in `step`'s text, as both recorders have
// it. The values are computed by hand here.
#include "narration/carved_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "narration/memory_words.h"
#include "narration/text_maps.h"

namespace stridescope::narration {
namespace {

namespace access = engine::access;
using access::RecorderChoice;
using testing::HasSubstr;
using testing::Not;

lab::Run stepped(const std::string& text, const std::string& launch, RecorderChoice recorder) {
  auto launches = access::parseLaunchFile("k", launch);
  EXPECT_TRUE(launches);
  engine::JobControl job;
  auto run = access::runKernelFile(
      {.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
      {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(20), .recorder = recorder});
  EXPECT_TRUE(run) << run.error().sentence << run.error().details;
  return run ? lab::runOf(run->trace) : lab::Run();
}

std::string valuesOf(const lab::Run& run, std::size_t round) {
  return valuesMap(roundAt(run.trace, run.analysis, run.flow, 0, round));
}

class Carved : public testing::TestWithParam<RecorderChoice> {
 protected:
  void SetUp() override {
    if (!engine::sandbox::sandboxSupport().isComplete())
      GTEST_SKIP() << engine::sandbox::sandboxSupport().sentence();
  }
};
INSTANTIATE_TEST_SUITE_P(Recorders, Carved, testing::Values(RecorderChoice::Source, RecorderChoice::Access),
                         [](const auto& recorder) {
                           return recorder.param == RecorderChoice::Source ? "Source" : "Access";
                         });

// Floats of a template's type, ints in a struct beside floats, doubles, and shorts of `auto`.
TEST_P(Carved, MemoryIsShownInTheTypesOfItsPointers) {
  const lab::Run run = stepped(
      "struct Pair { int key; float value; };\n"
      "__device__ void twice(double* d, int t) { d[t] *= 2; }\n"
      "template <class T, int N> __global__ void k(const T* in, T* out) {\n"
      "  extern __shared__ unsigned char raw[];\n"
      "  T* a = (T*)raw;\n"
      "  Pair* p = reinterpret_cast<Pair*>(raw + 4 * N);\n"
      "  double* d = (double*)(p + N);\n"
      "  auto* h = (unsigned short*)(d + N);\n"
      "  const int t = threadIdx.x;\n"
      "  a[t] = in[t];\n  p[t].key = t - 2;\n  p[t].value = t + 0.5f;\n  d[t] = t;\n  h[t] = 7 * t;\n"
      "  __syncthreads();\n  twice(d, t);\n  __syncthreads();\n"
      "  out[t] = a[3 - t] + p[t].key + p[t].value + d[t] + h[t];\n}\n",
      R"({"block":[4],"shared":96,"template":"float, 4","args":[{"name":"in","data":[1.5,2,3,-4]},
          {"name":"out","fill":0,"count":4}]})",
      GetParam());
  ASSERT_FALSE(run.trace.launches.empty());
  EXPECT_EQ(valuesOf(run, 0),
            "    raw  after the round, 4 cells of float (copied)\n    [0]  1.5   2   3  -4\n"
            "    raw  after the round, 1 cell of int (copied)\n   [16]  -2\n"
            "    raw  after the round, 1 cell of float (copied)\n   [20]  0.5\n"
            "    raw  after the round, 1 cell of int (copied)\n   [24]  -1\n"
            "    raw  after the round, 1 cell of float (copied)\n   [28]  1.5\n"
            "    raw  after the round, 1 cell of int (copied)\n   [32]  0\n"
            "    raw  after the round, 1 cell of float (copied)\n   [36]  2.5\n"
            "    raw  after the round, 1 cell of int (copied)\n   [40]  1\n"
            "    raw  after the round, 1 cell of float (copied)\n   [44]  3.5\n"
            "    raw  after the round, 4 cells of double (copied)\n   [48]  0 1 2 3\n"
            "    raw  after the round, 4 cells of unsigned short (copied)\n   [80]   0  7 14 21\n");
  EXPECT_THAT(valuesOf(run, 1), HasSubstr("4 cells of double (copied)\n   [48]  0 2 4 6\n"));
}

// 1.0f is 0x3f800000, whose bytes are 00 00 80 3f in memory.
TEST_P(Carved, CellsAreOfTheLastAccess) {
  const lab::Run run = stepped(
      "__global__ void k(float* out) {\n"
      "  extern __shared__ unsigned char raw[];\n"
      "  float* a = (float*)raw;\n"
      "  const int t = threadIdx.x;\n"
      "  a[t] = 1;\n"
      "  __syncthreads();\n"
      "  if (t == 0) raw[1] = 200;\n"
      "  if (t == 1) *(unsigned short*)(raw + 8) = 513;\n"
      "  if (t == 2) *(unsigned long long*)(raw + 16) = 5;\n"
      "  __syncthreads();\n"
      "  a[t] = 2;\n"
      "  __syncthreads();\n"
      "  out[t] = a[7 - t];\n}\n",
      R"({"block":[8],"shared":64,"args":[{"name":"out","fill":0,"count":8}]})", GetParam());
  ASSERT_FALSE(run.trace.launches.empty());
  EXPECT_EQ(valuesOf(run, 0),
            "    raw  after the round, 8 cells of float (copied)\n    [0]  1 1 1 1 1 1 1 1\n");
  const RoundAt at = roundAt(run.trace, run.analysis, run.flow, 0, 1);
  const CarvedMemory memory(at, 0);
  std::string all;
  for (const CarvedCell& cell : memory.cells())
    if (cell.offset < 36)
      all += std::to_string(cell.offset) + ":" + memory.text(at.round().snapshot, cell) + " ";
  EXPECT_EQ(all, "0:0x00 1:200 2:0x80 3:0x3f 4:1 8:513 10:0x80 11:0x3f 12:1 16:5 24:1 28:1 32: 33: 34: 35: ");
  const model::BlockTrace& block = run.trace.launches[0].recorded();
  const auto store = std::ranges::find(block.events, model::EventKind::Store, &model::Event::kind);
  EXPECT_EQ(printedAccess(run.trace.launches[0], *store), "0x3f800000") << "not its lowest byte";
  EXPECT_EQ(valuesOf(run, 2),
            "    raw  after the round, 8 cells of float (copied)\n    [0]  2 2 2 2 2 2 2 2\n");
}

// `mystery` is a macro: the text has no pointer there. -2 is 0xfffffffe.
TEST_P(Carved, WhatHasNoKnownTypeIsHexadecimal) {
  const lab::Run run = stepped(
      "#define mystery(i) ((int*)raw)[i]\n"
      "__global__ void k(int* out) {\n"
      "  extern __shared__ unsigned char raw[];\n"
      "  const int t = threadIdx.x;\n"
      "  mystery(t) = -2;\n"
      "  mystery(t + 4) = 18;\n"
      "  __syncthreads();\n"
      "  out[t] = mystery(3 - t) + mystery(t + 4);\n}\n",
      R"({"block":[4],"shared":64,"args":[{"name":"out","fill":0,"count":4}]})", GetParam());
  ASSERT_FALSE(run.trace.launches.empty());
  EXPECT_EQ(
      valuesOf(run, 0),
      "    raw  after the round, 8 cells of 4 bytes (copied)\n"
      "    [0]  0xfffffffe 0xfffffffe 0xfffffffe 0xfffffffe 0x00000012 0x00000012 0x00000012 0x00000012\n");
}

// A size in the brackets, another type, or accesses of single bytes: the array is what it was declared as.
TEST_P(Carved, OthersKeepTheirElements) {
  for (const char* const declaration :
       {"__shared__ unsigned char raw[64];", "extern __shared__ int raw[];"}) {
    const lab::Run run =
        stepped(std::string("__global__ void k(int* out) {\n  ") + declaration +
                    "\n  const int t = threadIdx.x;\n  int* a = (int*)raw;\n  float* b = (float*)(raw + 8);\n"
                    "  a[t] = 3;\n  __syncthreads();\n  out[t] = a[t];\n}\n",
                R"({"block":[4],"shared":64,"args":[{"name":"out","fill":0,"count":4}]})", GetParam());
    ASSERT_FALSE(run.trace.launches.empty());
    EXPECT_FALSE(isCarved(run.trace, run.trace.launches[0], 0)) << declaration;
    EXPECT_THAT(valuesOf(run, 0), HasSubstr("elements (copied)"));
  }
  const lab::Run bytes = stepped(
      "__global__ void k(int* out) {\n  extern __shared__ unsigned char raw[];\n  const int t = "
      "threadIdx.x;\n"
      "  raw[t] = t;\n  __syncthreads();\n  out[t] = raw[3 - t];\n}\n",
      R"({"block":[4],"shared":4,"args":[{"name":"out","fill":0,"count":4}]})", GetParam());
  EXPECT_EQ(valuesOf(bytes, 0), "    raw  after the round, 4 elements (copied)\n    [0]  0 1 2 3\n");
}

}  // namespace
}  // namespace stridescope::narration
