// The real NVRTC on the texts of tests/engine/texts: what the catalogue's kernels use beyond the ladder,
// clean, recorded and clocked.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/gpu/kernel_compiler.h"
#include "engine/gpu/shared_library.h"
#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "stand_in.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

KernelText textNamed(const std::string& name, const std::string& type) {
  std::ifstream file(std::string(STRIDESCOPE_KERNEL_TEXTS) + "/" + name + ".cu");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string preamble = "using T = " + type +
                         ";\nconstexpr T identity = 0;\n"
                         "__device__ T combine(T a, T b) { return a + b; }\n";
  if (text.find("combineWarp") != std::string::npos)
    preamble += "__device__ T combineWarp(T v) { return __reduce_add_sync(0xffffffff, v); }\n";
  if (text.find("combineAtomically") != std::string::npos)
    preamble += "__device__ void combineAtomically(T* p, T v) { atomicAdd(p, v); }\n";
  return {name + ".cu", preamble, text, name};
}

class TextsCompile : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    nvrtc = *loadNvrtc({}, 0);
  }
  void TearDown() override { unsetenv("STRIDESCOPE_CUDA_INCLUDE"); }
  KernelCompiler compilerFor(int capability) {
    return {nvrtc, architectureOption(*nvrtc, capability).value(), folder.path()};
  }
  void expectCompiles(const std::string& name, const std::string& type, int capability) {
    SCOPED_TRACE(name + " of " + type + " for " + std::to_string(capability));
    KernelCompiler compiler = compilerFor(capability);
    instrument::Instrumented instrumented;
    const auto recorded = compiler.recorded(textNamed(name, type), &instrumented);
    ASSERT_TRUE(recorded) << recorded.error().sentence << "\n" << recorded.error().details;
    EXPECT_FALSE(instrumented.sites.empty());
    EXPECT_TRUE(compiler.clean(textNamed(name, type)));
    const auto clocked = compiler.timed(textNamed(name, type), TimedForm::Clocked);
    EXPECT_TRUE(clocked) << clocked.error().sentence << "\n" << clocked.error().details;
  }

  std::shared_ptr<const NvrtcApi> nvrtc;
  TemporaryFolder folder;
};

TEST_F(TextsCompile, WithoutHeaders) {
  for (const char* type : {"int", "double"})
    for (const int capability : {75, 90})
      for (const char* name : {"packs", "rows", "shared_variables"}) expectCompiles(name, type, capability);
  for (const char* type : {"int", "unsigned"}) expectCompiles("combine_warp", type, 80);
}

TEST_F(TextsCompile, CooperativeGroups) {
  if (cudaHeaderFolders(nvrtc->library->path()).empty()) GTEST_SKIP() << "CUDA's headers are not here";
  expectCompiles("groups", "float", 90);
  if (!support::wholeSweeps()) return;  // the headers take seconds for each
  for (const char* type : {"int", "long long"})
    for (const int capability : {75, 90}) expectCompiles("groups", type, capability);
}

TEST_F(TextsCompile, ClockedEachOfTheCatalogue) {
  const bool groups = !cudaHeaderFolders(nvrtc->library->path()).empty();
  KernelCompiler compiler = compilerFor(90);
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (!groups && includesHeaders(kernels::kernelText(variant.id))) continue;
    if (variant.devices != model::DeviceUse::One) continue;  // no clock runs over several GPUs
    SCOPED_TRACE(variant.id);
    const model::Experiment experiment{.variant = std::string(variant.id),
                                       .type = variant.types.front(),
                                       .op = variant.operators.front(),
                                       .threads = variant.threads.back()};
    for (const TimedForm form : {TimedForm::Clocked, TimedForm::Peeled, TimedForm::CountingMarks}) {
      const auto compiled = compiler.timed(kernelTextOf(experiment), form);
      EXPECT_TRUE(compiled) << compiled.error().sentence << "\n" << compiled.error().details;
    }
  }
}

TEST_F(TextsCompile, CooperativeGroupsWithoutHeadersSayWhatToInstall) {
  setenv("STRIDESCOPE_CUDA_INCLUDE", folder.path().c_str(), 1);
  const auto compiled = compilerFor(90).recorded(textNamed("groups", "int"));
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error().sentence,
              AllOf(HasSubstr("groups.cu includes <cooperative_groups.h>"),
                    HasSubstr("Install the CUDA toolkit"), HasSubstr("STRIDESCOPE_CUDA_INCLUDE")));
}

TEST(CudaHeaders, AreFoundBesideTheLibraryAndWithCccl) {
  const TemporaryFolder root;
  namespace fs = std::filesystem;
  fs::create_directories(fs::path(root.path()) / "lib");
  fs::create_directories(fs::path(root.path()) / "include/cccl");
  std::ofstream(root.path() + "/include/cooperative_groups.h") << "\n";
  std::ofstream(root.path() + "/lib/libnvrtc.so.13") << "\n";
  const auto folders = cudaHeaderFolders(root.path() + "/lib/libnvrtc.so.13");
  EXPECT_THAT(folders, testing::ElementsAre(HasSubstr("/include"), HasSubstr("/include/cccl")));
  setenv("STRIDESCOPE_CUDA_INCLUDE", (root.path() + "/lib").c_str(), 1);
  EXPECT_THAT(cudaHeaderFolders(root.path() + "/lib/libnvrtc.so.13"), IsEmpty());
  unsetenv("STRIDESCOPE_CUDA_INCLUDE");
}

}  // namespace
}  // namespace stridescope::engine::gpu
