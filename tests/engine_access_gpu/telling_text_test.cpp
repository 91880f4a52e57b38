// The texts of tests/own_kernels with calls that tell conditions and exchanges: the real NVRTC takes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/access/gpu/host_headers.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/telling_run.h"
#include "engine/access/kernel_source.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/shared_library.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::access::gpu {
namespace {

const std::filesystem::path kFolder = STRIDESCOPE_OWN_KERNELS;

KernelFile fileOf(const std::string& name, std::string text) {
  return {.name = name, .folder = kFolder, .text = std::move(text), .launches = {}};
}
std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Those with conditions in loops, with shuffles, of groups, of halves, with a switch.
std::vector<std::string> names() {
  if (!support::wholeSweeps()) return {"transpose_tile", "groups_tile", "reduce5_unrolled"};
  std::vector<std::string> all;
  for (const auto& folder : {kFolder, kFolder / "gpu"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".cu")
        all.push_back((folder == kFolder ? "" : "gpu/") + entry.path().stem().native());
  std::ranges::sort(all);
  return all;
}

class TellingText : public testing::TestWithParam<std::string> {};

TEST_P(TellingText, IsTakenByTheCompiler) {
  const auto nvrtc = engine::gpu::loadNvrtc({}, 0);
  if (!nvrtc) GTEST_SKIP() << "SKIPPED: " << nvrtc.error().sentence;
  const auto folders = engine::gpu::cudaHeaderFolders((*nvrtc)->library->path());
  if (folders.empty()) GTEST_SKIP() << "SKIPPED: CUDA's headers are not here.";
  const KernelFile file = fileOf(GetParam() + ".cu", contentOf(kFolder / (GetParam() + ".cu")));
  const auto telling = tellingKernelsOf(file);
  ASSERT_TRUE(telling) << telling.error().sentence;
  if (telling->telling.text.empty()) return;  // it has nothing to tell
  GpuAccessOrder order{.order = {.textFile = file.name}};
  describeTelling(telling->telling, order);
  const std::vector<SourceText> headers = hostHeaders();
  engine::gpu::Program program = programOf(order, headers, Contraction::Separate);
  program.options.emplace_back("--gpu-architecture=sm_90");
  for (const std::string& folder : folders) program.options.push_back("--include-path=" + folder);
  const auto compiled = engine::gpu::compile(**nvrtc, program);
  EXPECT_TRUE(compiled) << compiled.error().sentence << "\n" << compiled.error().details;
}

INSTANTIATE_TEST_SUITE_P(OwnKernels, TellingText, testing::ValuesIn(names()), [](const auto& each) {
  std::string name = each.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

TEST(TellingTextOf, ATextWithNothingToTellIsNone) {
  const auto telling = tellingKernelsOf(fileOf("k.cu", "__global__ void k(int* a) { a[0] = 1; }\n"));
  ASSERT_TRUE(telling);
  EXPECT_TRUE(telling->telling.text.empty());
}

TEST(TellingTextOf, ConditionsKeepTheirLinesAndHaveNumbers) {
  const auto telling = tellingKernelsOf(
      fileOf("k.cu",
             "__global__ void k(int* a)\n{\n  if (a[0] > 1) a[1] = 2;\n  while (a[2]) --a[2];\n}\n"
             "int main() { if (1) return 0; }\n"));
  ASSERT_TRUE(telling);
  EXPECT_NE(telling->telling.text.find("\n  if (accesses::branch(0,static_cast<bool>(a[0] > 1))) a[1] = 2;\n"
                                       "  while (accesses::loop(1,static_cast<bool>(a[2]))) --a[2];\n"),
            std::string::npos)
      << telling->telling.text;
  ASSERT_EQ(telling->branches.size(), 2u);
  EXPECT_EQ(telling->branches[0].text, "a[0] > 1");
  EXPECT_EQ(telling->branches[1].place.first, 4);
}

TEST(TellingTextOf, AConditionKnowsTheLoopAroundIt) {
  const auto telling = tellingKernelsOf(fileOf("k.cu",
                                               "__global__ void k(int* a) {\n"
                                               "  for (int i = 0; i < 4; ++i) {\n"
                                               "    if (a[i]) do a[i]--; while (a[i] > 2);\n"
                                               "  }\n"
                                               "  if (a[9]) a[9] = 0;\n}\n"));
  ASSERT_TRUE(telling);
  ASSERT_EQ(telling->branches.size(), 4u);
  const auto& conditions = telling->telling.conditions;
  ASSERT_EQ(conditions.size(), 4u);
  for (const auto& [number, isLoop, loop] :
       {std::tuple(0u, true, -1), {1u, false, 0}, {2u, true, 0}, {3u, false, -1}}) {
    EXPECT_EQ(conditions[number].isLoop, isLoop) << number;
    EXPECT_EQ(conditions[number].loop, loop) << number;
  }
}

TEST(TellingTextOf, WhereAConditionCannotTellNoneDoes) {
  const auto telling = tellingKernelsOf(fileOf(
      "k.cu",
      "__global__ void k(int* a) { if (a[0]) goto end; a[1] = __shfl_sync(~0u, a[1], 0); end: return; }\n"));
  ASSERT_TRUE(telling);
  EXPECT_TRUE(telling->branches.empty());
  EXPECT_EQ(telling->telling.text.find("accesses::"), std::string::npos);
  EXPECT_NE(telling->telling.text.find("__shfl_sync"), std::string::npos) << "shuffles tell all the same";
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
