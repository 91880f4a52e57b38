// The arrays of a person's kernel have the shapes and the types that the text declares, whichever recorder
// records them. What each should be is written here a second time, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "model/array_names.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

using model::MemberType;
using enum model::NumberKind;
using Extents = std::vector<std::uint64_t>;
using Members = std::vector<MemberType>;

Result<KernelRun> recorded(const std::string& text, const std::string& launch, RecorderChoice recorder) {
  auto launches = parseLaunchFile("k", launch);
  if (!launches) return tl::unexpected(launches.error());
  JobControl job;
  return runKernelFile(
      {.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
      {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(20), .recorder = recorder});
}

struct Declared {
  const char* what;
  const char* before;  // the kernel
  const char* array;   // the declaration
  const char* store;   // by thread t
  model::Array wanted;
  bool isOfSource = true;
  const char* launch = R"({"block":[32],"args":[{"name":"out","fill":0,"count":32}]})";
};

std::vector<Declared> declared() {
  std::vector<Declared> all;
  all.push_back({"row",
                 "",
                 "__shared__ float s[64];",
                 "s[t] = t;",
                 {.name = "s", .elementBytes = 4, .bytes = 256, .type = model::ElementType::Float}});
  all.push_back({"transpose tile",
                 "",
                 "__shared__ float s[32][33];",
                 "s[t][t] = t;",
                 {.name = "s",
                  .elementBytes = 4,
                  .bytes = 32 * 33 * 4,
                  .type = model::ElementType::Float,
                  .extents = {32, 33}}});
  all.push_back({"stencil box",
                 "constexpr int kSide = 3;\n",
                 "__shared__ int s[kSide][4][kSide + 2];",
                 "s[t % 3][t % 4][t % 5] = t;",
                 {.name = "s",
                  .elementBytes = 4,
                  .bytes = 240,
                  .type = model::ElementType::Int,
                  .extents = {3, 4, 5}}});
  all.push_back(
      {"float4",
       "",
       "__shared__ float4 s[32];",
       "s[t].x = t;",
       {.name = "s",
        .elementBytes = 16,
        .bytes = 512,
        .members = {
            {Floating, 4, 0, "x"}, {Floating, 4, 4, "y"}, {Floating, 4, 8, "z"}, {Floating, 4, 12, "w"}}}});
  all.push_back({"double2 in rows",
                 "",
                 "__shared__ double2 s[4][8];",
                 "s[t / 8][t % 8].y = t;",
                 {.name = "s",
                  .elementBytes = 16,
                  .bytes = 512,
                  .extents = {4, 8},
                  .members = {{Floating, 8, 0, "x"}, {Floating, 8, 8, "y"}}}});
  all.push_back({"mixed struct",
                 "struct Mixed { char tag; double weight; short counts[2]; bool isLast; };\n",
                 "__shared__ Mixed s[32];",
                 "s[t].weight = t;",
                 {.name = "s",
                  .elementBytes = 24,
                  .bytes = 768,
                  .members = {{Signed, 1, 0, "tag"},
                              {Floating, 8, 8, "weight"},
                              {Signed, 2, 16, "counts[0]"},
                              {Signed, 2, 18, "counts[1]"},
                              {Bool, 1, 20, "isLast"}}}});
  all.push_back({"chars",
                 "",
                 "__shared__ char s[32];",
                 "s[t] = char(t - 16);",
                 {.name = "s", .elementBytes = 1, .bytes = 32, .members = {{Signed, 1, 0, ""}}}});
  all.push_back(
      {"unsigned shorts in rows",
       "",
       "__shared__ unsigned short s[2][16];",
       "s[t / 16][t % 16] = (unsigned short)t;",
       {.name = "s", .elementBytes = 2, .bytes = 64, .extents = {2, 16}, .members = {{Unsigned, 2, 0, ""}}}});
  all.push_back({"unsigned numbers",
                 "",
                 "__shared__ unsigned s[32];",
                 "s[t] = t;",
                 {.name = "s", .elementBytes = 4, .bytes = 128, .members = {{Unsigned, 4, 0, ""}}}});
  all.push_back(
      {"half2",
       "#include <cuda_fp16.h>\n",
       "__shared__ __half2 s[32];",
       "s[t] = __floats2half2_rn(float(t), 0.5f);",
       {.name = "s", .elementBytes = 4, .bytes = 128, .members = {{Half, 2, 0, "x"}, {Half, 2, 2, "y"}}},
       false});
  all.push_back({"bfloat",
                 "#include <cuda_bf16.h>\n",
                 "__shared__ __nv_bfloat16 s[32];",
                 "s[t] = __float2bfloat16(float(t));",
                 {.name = "s", .elementBytes = 2, .bytes = 64, .members = {{Bfloat, 2, 0, ""}}},
                 false});
  all.push_back({"dynamic by a cast",
                 "",
                 "extern __shared__ float s[];",
                 "reinterpret_cast<int*>(s)[32 + t] = t;",
                 {.name = "s", .elementBytes = 4, .bytes = 256, .type = model::ElementType::Float},
                 false,
                 R"({"block":[32],"shared":256,"args":[{"name":"out","fill":0,"count":32}]})"});
  all.push_back({"dynamic structs",
                 "struct Pair { float value; int place; };\n",
                 "extern __shared__ Pair s[];",
                 "s[t].place = t;",
                 {.name = "s",
                  .elementBytes = 8,
                  .bytes = 256,
                  .members = {{Floating, 4, 0, "value"}, {Signed, 4, 4, "place"}}},
                 true,
                 R"({"block":[32],"shared":256,"args":[{"name":"out","fill":0,"count":32}]})"});
  return all;
}

std::string textOf(const Declared& one) {
  return std::string(one.before) + "__global__ void k(float* out) {\n  " + one.array +
         "\n  int t = threadIdx.x;\n  " + one.store + "\n  __syncthreads();\n  out[t] = t;\n}\n";
}

class Shapes : public testing::TestWithParam<RecorderChoice> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
};

TEST_P(Shapes, AreThoseOfTheDeclaration) {
  for (const Declared& one : declared()) {
    if (GetParam() == RecorderChoice::Source && !one.isOfSource) continue;
    SCOPED_TRACE(one.what);
    const auto run = recorded(textOf(one), one.launch, GetParam());
    ASSERT_TRUE(run) << run.error().sentence << run.error().details;
    EXPECT_EQ(model::faultOf(run->trace), std::nullopt);
    const std::vector<model::Array>& shared = run->trace.launches.front().recorded().shared;
    ASSERT_EQ(shared.size(), 1u);
    EXPECT_EQ(shared[0].extents, one.wanted.extents);
    EXPECT_EQ(shared[0].members, one.wanted.members);
    EXPECT_EQ(shared[0], one.wanted);
  }
}

// Buffers have no extents, and the members of what they point to.
TEST_P(Shapes, OfBuffersAreTheirMembers) {
  const auto run = recorded(
      "struct Body { float4 place; int id; };\n"
      "__global__ void k(const short* in, Body* out, unsigned char* flags) {\n"
      "  int t = threadIdx.x;\n  out[t].id = in[t];\n  flags[t] = 1;\n}\n",
      R"({"block":[4],"args":[{"name":"in","data":[1,-2,3,4]},{"name":"out","fill":0,"count":4},)"
      R"({"name":"flags","fill":0,"count":4}]})",
      GetParam());
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  const std::vector<model::Array>& buffers = run->trace.launches.front().buffers;
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].members, (Members{{Signed, 2, 0, ""}}));
  EXPECT_EQ(buffers[1].elementBytes, 32u);
  EXPECT_EQ(buffers[1].members, (Members{{Floating, 4, 0, "place.x"},
                                         {Floating, 4, 4, "place.y"},
                                         {Floating, 4, 8, "place.z"},
                                         {Floating, 4, 12, "place.w"},
                                         {Signed, 4, 16, "id"}}));
  EXPECT_EQ(buffers[2].members, (Members{{Unsigned, 1, 0, ""}}));
}

// As reductions of CUDA's samples have it, and as a kernel of one tile. One that is carved stays as declared.
TEST(DynamicShared, HasTheTypeThatItIsCastTo) {
  if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  const auto arrayOf = [](const std::string& text) {
    const auto run =
        recorded(text, R"({"block":[32],"shared":256,"args":[{"name":"p","fill":0,"count":32}]})",
                 RecorderChoice::Access);
    EXPECT_TRUE(run) << run.error().sentence << run.error().details;
    return run ? run->trace.launches[0].recorded().shared.at(0) : model::Array();
  };
  const std::string samples =
      "template <class T> struct SharedMemory {\n"
      "  __device__ operator T*() { extern __shared__ int raw[]; return (T*)raw; }\n};\n"
      "__global__ void k(float* p) {\n  float* s = SharedMemory<float>();\n  int t = threadIdx.x;\n"
      "  s[t] = t;\n  __syncthreads();\n  p[t] = s[31 - t];\n}\n";
  EXPECT_EQ(arrayOf(samples).type, model::ElementType::Float);
  EXPECT_EQ(
      arrayOf("__global__ void k(float* p) {\n  extern __shared__ __align__(8) unsigned char raw[];\n"
              "  double* s = reinterpret_cast<double*>(raw);\n  s[threadIdx.x] = 1;\n  p[0] = s[0];\n}\n")
          .type,
      model::ElementType::Double);
  EXPECT_EQ(arrayOf("__global__ void k(float* p) {\n  extern __shared__ unsigned char raw[];\n"
                    "  int* a = (int*)raw;\n  float* b = (float*)(a + 32);\n  a[threadIdx.x] = 1;\n"
                    "  b[threadIdx.x] = 2;\n  p[0] = b[0];\n}\n")
                .elementBytes,
            1u);
}

// Two kernels and a function have arrays of the same name, each of its own shape.
TEST_P(Shapes, OfOneNameAreToldApart) {
  const auto run = recorded(
      "__device__ void fill(int t) { __shared__ int s[4][8]; s[t / 8][t % 8] = t; }\n"
      "__global__ void first(float* out) {\n  __shared__ float s[8][4];\n  int t = threadIdx.x;\n"
      "  s[t / 4][t % 4] = t;\n  fill(t);\n  __syncthreads();\n  out[t] = s[t / 4][t % 4];\n}\n"
      "__global__ void second(float* out) {\n  __shared__ double s[16][2];\n  int t = threadIdx.x;\n"
      "  s[t / 2][t % 2] = t;\n  __syncthreads();\n  out[t] = s[t / 2][t % 2];\n}\n",
      R"({"launches":[{"kernel":"first","block":[32],"args":[{"name":"out","fill":0,"count":32}]},)"
      R"({"kernel":"second","block":[32],"args":[{"name":"out","count":32}]}]})",
      GetParam());
  ASSERT_TRUE(run) << run.error().sentence << run.error().details;
  std::vector<std::map<std::string, Extents>> all;
  for (const model::LaunchTrace& launch : run->trace.launches) {
    auto& extents = all.emplace_back();
    for (const model::Array& array : launch.recorded().shared)
      if (array.bytes > 0) extents[array.name.substr(0, array.name.find("::"))] = array.extents;
  }
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0], testing::Contains(testing::Pair("first", Extents{8, 4})));
  EXPECT_THAT(all[0], testing::Contains(testing::Pair("fill", Extents{4, 8})));
  bool hasSecond = false;
  for (const auto& [name, extents] : all[1]) hasSecond = hasSecond || extents == Extents{16, 2};
  EXPECT_TRUE(hasSecond);
}

// The sentences of problems name places as the text does.
TEST_P(Shapes, AreInTheSentencesOfProblems) {
  const auto outside = recorded(
      "__global__ void k(float* out) {\n  __shared__ float s[4][5];\n  int t = threadIdx.x;\n"
      "  s[t][0] = t;\n  out[t] = t;\n}\n",
      R"({"block":[8],"args":[{"name":"out","fill":0,"count":8}]})", GetParam());
  ASSERT_TRUE(outside) << outside.error().sentence;
  ASSERT_FALSE(outside->trace.launches[0].recorded().problems.empty());
  EXPECT_THAT(outside->trace.launches[0].recorded().problems[0].text,
              testing::HasSubstr("accesses s[4][0], but s has 4 x 5 elements of 4 bytes, from 0 on"));
  const auto unset = recorded(
      "struct Pair { float value; int place; };\n"
      "__global__ void k(float* out) {\n  __shared__ Pair s[8];\n  int t = threadIdx.x;\n"
      "  s[t].value = t;\n  __syncthreads();\n  out[t] = s[t].place;\n}\n",
      R"({"block":[8],"args":[{"name":"out","fill":0,"count":8}]})", GetParam());
  ASSERT_TRUE(unset) << unset.error().sentence;
  ASSERT_FALSE(unset->trace.launches[0].recorded().problems.empty());
  EXPECT_THAT(unset->trace.launches[0].recorded().problems[0].text,
              testing::HasSubstr("reads s[0].place of shared memory before anything was stored there"));
}

INSTANTIATE_TEST_SUITE_P(Both, Shapes, testing::Values(RecorderChoice::Source, RecorderChoice::Access),
                         [](const auto& one) {
                           return one.param == RecorderChoice::Source ? "Source" : "Access";
                         });

}  // namespace
}  // namespace stridescope::engine::access
