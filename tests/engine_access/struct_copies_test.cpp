// Structs that are copied whole, and bit-fields, as the access recorder tells them: by g++ and by clang++
// alike, but for what docs/own_kernels.md says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"

namespace stridescope::engine::access {
namespace {

class Copies : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
    const std::string find = std::string("command -v ") + GetParam() + " >/dev/null 2>&1";
    if (std::system(find.c_str()) != 0) GTEST_SKIP() << "There is no " << GetParam() << ".";
    if (const char* const before = std::getenv("CXX")) before_ = before;
    setenv("CXX", GetParam(), 1);
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("CXX");
    else
      setenv("CXX", before_.c_str(), 1);
  }

  static lab::Run run(const std::string& text, const std::string& launch) {
    auto launches = parseLaunchFile("k.launch.json", launch);
    EXPECT_TRUE(launches);
    JobControl job;
    const auto run =
        runKernelFile({.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
                      {.program = STRIDESCOPE_ACCESS_CHILD,
                       .limit = std::chrono::seconds(20),
                       .recorder = RecorderChoice::Access});
    EXPECT_TRUE(run) << run.error().sentence << run.error().details;
    return lab::runOf(run ? run->trace : model::Trace());
  }

  // What accesses shared memory, by line: requests of loads and of stores, and their wavefronts.
  struct Counts {
    unsigned loads = 0, loadWavefronts = 0, stores = 0, storeWavefronts = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
    friend void PrintTo(const Counts& counts, std::ostream* out) {
      *out << counts.loads << " loads in " << counts.loadWavefronts << ", " << counts.stores << " stores in "
           << counts.storeWavefronts;
    }
  };
  static std::map<int, Counts> countsOf(const lab::Run& run) {
    std::map<int, Counts> all;
    for (const analysis::Round& round : run.analysis.launches.front().rounds)
      for (const analysis::Request& request : round.requests) {
        if (!request.shared) continue;
        Counts& counts = all[run.trace.sites[request.site].line];
        const bool isStore = request.kind == model::EventKind::Store;
        (isStore ? counts.stores : counts.loads) += request.requests;
        (isStore ? counts.storeWavefronts : counts.loadWavefronts) += request.wavefronts;
      }
    return all;
  }

 private:
  std::string before_;
};

INSTANTIATE_TEST_SUITE_P(Compilers, Copies, testing::Values("g++", "clang++"),
                         [](const auto& compiler) { return compiler.param[0] == 'g' ? "Gcc" : "Clang"; });

// The elements lie one behind the other, and thread t accesses element t: by hand.
TEST_P(Copies, HavePiecesAsWideAsTheirTypeIsAligned) {
  const lab::Run recorded =
      run("struct Pair { float value; int index; };\n"
          "struct alignas(8) Aligned { float value; int index; };\n"
          "struct Complex { double re, im; };\n"
          "struct Best { double value; int index; };\n"
          "struct Pixel { unsigned char r, g, b, a; };\n"
          "struct Point { double x, y, z; };\n"
          "__global__ void k(Pair* p, Aligned* a, Complex* c, Best* b, Pixel* x, Point* o, float* f) {\n"
          "  __shared__ Pair sp[32]; __shared__ Aligned sa[32]; __shared__ Complex sc[32];\n"
          "  __shared__ Best sb[32]; __shared__ Pixel sx[32]; __shared__ Point so[32];\n"
          "  __shared__ __align__(16) float sf[128];\n"
          "  int t = threadIdx.x;\n"
          "  sp[t] = p[t];\n"
          "  sa[t] = a[t];\n"
          "  sc[t] = c[t];\n"
          "  sb[t] = b[t];\n"
          "  sx[t] = x[t];\n"
          "  so[t] = o[t];\n"
          "  ((float4*)sf)[t] = ((float4*)f)[t];\n"
          "  __syncthreads();\n"
          "  c[t] = sc[31 - t];\n"
          "  p[t] = sp[31 - t];\n"
          "}\n",
          R"({"block":[32],"args":[{"name":"p","pattern":"ramp","count":32},
          {"name":"a","pattern":"ramp","count":32},{"name":"c","pattern":"ramp","count":32},
          {"name":"b","pattern":"ramp","count":32},{"name":"x","pattern":"ramp","count":32},
          {"name":"o","pattern":"ramp","count":32},{"name":"f","pattern":"ramp","count":128}]})");
  const std::map<int, Counts> wanted{
      {12, {.stores = 2, .storeWavefronts = 4}},  // 4 bytes each, 2 words apart
      {13, {.stores = 1, .storeWavefronts = 2}},  // 8 bytes each
      {14, {.stores = 2, .storeWavefronts = 8}},  // 8 bytes each, 4 words apart
      {15, {.stores = 2, .storeWavefronts = 8}},  // the same with 4 bytes of padding
      {16, {.stores = 4, .storeWavefronts = 4}},  // 1 byte each, of one row of words
      {17, {.stores = 3, .storeWavefronts = 6}},  // 8 bytes each, 6 words apart: no conflict
      {18, {.stores = 1, .storeWavefronts = 4}},  // 16 bytes each, though of floats
      {20, {.loads = 2, .loadWavefronts = 8}},   {21, {.loads = 2, .loadWavefronts = 4}}};
  EXPECT_EQ(countsOf(recorded), wanted);
  EXPECT_THAT(recorded.analysis.launches.front().problems, testing::IsEmpty());
}

// g++ announces what is stored before what is read for it, and both before the copy.
TEST_P(Copies, AreToldWithWhatTheyStored) {
  const lab::Run recorded =
      run("struct Pair { int value, index; };\n"
          "__global__ void k(const Pair* in, int* out) {\n"
          "  __shared__ Pair s[32]; __shared__ float3 f[32];\n"
          "  int t = threadIdx.x;\n"
          "  s[t] = in[t];\n"
          "  f[t] = make_float3(t, t + 1, t + 2);\n"
          "  __syncthreads();\n"
          "  out[t] = s[31 - t].value + f[31 - t].x;\n"
          "}\n",
          R"({"block":[32],"args":[{"name":"in","pattern":"ramp","count":32},
              {"name":"out","fill":0,"count":32}]})");
  const model::BlockTrace& block = recorded.trace.launches.front().blocks.front();
  std::map<std::uint64_t, std::uint64_t> ofPairs;  // by offset
  unsigned ofFloats = 0;
  for (const model::Event& event : block.events) {
    if (event.kind() != model::EventKind::Store || !event.inShared()) continue;
    if (recorded.trace.sites[event.site()].line == 5) ofPairs[event.offset()] = event.value;
    if (recorded.trace.sites[event.site()].line != 6) continue;
    const float wanted = float(event.offset() / 12 + event.offset() % 12 / 4);
    EXPECT_EQ(std::bit_cast<float>(std::uint32_t(event.value)), wanted) << event.offset();
    ++ofFloats;
  }
  ASSERT_EQ(ofPairs.size(), 64u);
  for (const auto& [offset, value] : ofPairs) EXPECT_EQ(value, offset / 8) << offset;
  EXPECT_EQ(ofFloats, 96u);
}

// clang++ reads a bit-field's word before it stores there, as a GPU does; g++ announces the store alone.
TEST_P(Copies, OfBitFieldsAreNoUninitializedReads) {
  const std::string launch = R"({"block":[32],"args":[{"name":"out","fill":0,"count":32}]})";
  const auto text = [](const std::string& store) {
    return "struct Flags { unsigned kind : 4, count : 12; };\n"
           "__global__ void k(unsigned* out) {\n"
           "  __shared__ Flags s[32];\n"
           "  int t = threadIdx.x;\n"
           "  " +
           store +
           "\n"
           "  __syncthreads();\n"
           "  out[t] = s[31 - t].count;\n"
           "}\n";
  };
  const lab::Run right = run(text("s[t].kind = 1; s[t].count = t;"), launch);
  EXPECT_THAT(right.analysis.launches.front().problems, testing::IsEmpty());
  const bool isClang = std::string_view(GetParam()) == "clang++";
  EXPECT_EQ(countsOf(right)[5], (Counts{.loads = isClang ? 2u : 0u,
                                        .loadWavefronts = isClang ? 2u : 0u,
                                        .stores = 2,
                                        .storeWavefronts = 2}));
  EXPECT_EQ(countsOf(right)[7], (Counts{.loads = 1, .loadWavefronts = 1}));
  const lab::Run wrong = run(text("s[t].count += t;"), launch);
  ASSERT_THAT(wrong.analysis.launches.front().problems, testing::SizeIs(1));
  EXPECT_EQ(wrong.analysis.launches.front().problems.front().kind, model::ProblemKind::UninitializedRead);
}

}  // namespace
}  // namespace stridescope::engine::access
