// The real NVRTC on the catalogue's kernels: every combination compiles, clean and recorded; what a person
// gets wrong is quoted by its line; and the clean text gives what nvcc gives.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "engine/gpu/kernel_compiler.h"
#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "stand_in.h"

namespace stridescope {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Sanitized builds and slow machines take a tenth.
const unsigned kEvery = std::getenv("STRIDESCOPE_TEST_FULL") != nullptr ? 1 : STRIDESCOPE_COMPILE_EVERY;

Experiment experimentOf(const Variant& variant, ElementType type, Operator op, unsigned threads = 256) {
  Experiment experiment;
  experiment.variant = variant.id;
  experiment.type = type;
  experiment.op = op;
  experiment.threads = threads;
  return experiment;
}

std::vector<Experiment> everyCombination() {
  std::vector<Experiment> all;
  for (const Variant& variant : catalog())
    for (const ElementType type : variant.types)
      for (const Operator op : variant.operators)
        if (isOffered(type, op)) all.push_back(experimentOf(variant, type, op));
  return all;
}

class CompileTest : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    nvrtc = *loadNvrtc({}, 0);
  }
  KernelCompiler compilerFor(int capability) {
    return {nvrtc, architectureOption(*nvrtc, capability).value(), folder.path()};
  }

  std::shared_ptr<const NvrtcApi> nvrtc;
  TemporaryFolder folder;
};

class CompileMatrix : public CompileTest, public testing::WithParamInterface<int> {};

TEST_P(CompileMatrix, EveryVariantTypeAndOperator) {
  std::vector<KernelText> kernels;
  const auto all = everyCombination();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % kEvery == static_cast<std::size_t>(GetParam()) % kEvery) kernels.push_back(kernelTextOf(all[i]));
  KernelCompiler compiler = compilerFor(GetParam());
  JobControl job;
  float last = 0;
  job.progress = [&](float fraction, const std::string&) { last = fraction; };
  const auto compiled = compiler.precompile(kernels, job);
  ASSERT_TRUE(compiled) << compiled.error().sentence << "\n" << compiled.error().details;
  std::set<std::string> different;
  for (const KernelText& kernel : kernels) different.insert(kernel.preamble + kernel.text);
  EXPECT_EQ(*compiled, 2 * different.size()) << "a clean and a recorded module each";
  EXPECT_EQ(last, 1.0f);

  KernelCompiler later = compilerFor(GetParam());
  EXPECT_EQ(later.precompile(kernels, job).value(), 0u) << "all of it comes from the disk";
}

INSTANTIATE_TEST_SUITE_P(Capability, CompileMatrix, testing::Values(75, 90),
                         [](const auto& chosen) { return "sm" + std::to_string(chosen.param); });

TEST_F(CompileTest, ModulesHaveWhatTheEngineLooksFor) {
  KernelCompiler compiler = compilerFor(90);
  const KernelText kernel =
      kernelTextOf(experimentOf(*findVariant("sequential"), ElementType::Int, Operator::Add));
  Instrumented instrumented;
  const auto recorded = compiler.recorded(kernel, &instrumented);
  ASSERT_TRUE(recorded) << recorded.error().details;
  EXPECT_EQ(recorded->loweredName, "_Z10sequentialPKiPi");
  EXPECT_THAT(recorded->image, HasSubstr("recording_control"));
  EXPECT_EQ(instrumented.kernel, "sequential");
  EXPECT_EQ(instrumented.parameters, (std::vector<std::string>{"in", "out"}));
  const auto clean = compiler.clean(kernel);
  ASSERT_TRUE(clean);
  EXPECT_THAT(clean->image, testing::Not(HasSubstr("recording_control")));
}

TEST_F(CompileTest, APersonsErrorNamesTheirLine) {
  KernelCompiler compiler = compilerFor(90);
  KernelText kernel = kernelTextOf(experimentOf(*findVariant("sequential"), ElementType::Int, Operator::Add));
  const std::string wanted = "data[tid + s]";
  const std::size_t at = kernel.text.find(wanted);
  ASSERT_NE(at, std::string::npos);
  kernel.text.replace(at, wanted.size(), "dta[tid + s]");
  const auto line =
      1 + std::count(kernel.text.begin(), kernel.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const auto failed = compiler.recorded(kernel);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, AllOf(HasSubstr("sequential.cu(" + std::to_string(line) + ")"),
                                             HasSubstr("\"dta\" is undefined")));
  EXPECT_THAT(failed.error().details,
              AllOf(HasSubstr("combine(data[tid], dta[tid + s])"), testing::Not(HasSubstr("recording"))))
      << "it quotes what the person wrote";
}

TEST_F(CompileTest, AnErrorInThePreambleSaysSo) {
  KernelCompiler compiler = compilerFor(90);
  KernelText kernel = kernelTextOf(experimentOf(*findVariant("sequential"), ElementType::Int, Operator::Add));
  kernel.preamble =
      "using T = int;\nconstexpr T identity = 0;\n__device__ T combine(T a, T b) { return a $ b; }\n";
  const auto failed = compiler.recorded(kernel);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("preamble(3)"));
}

TEST_F(CompileTest, ATextThatCannotBeRecordedIsRefusedByItsLine) {
  KernelCompiler compiler = compilerFor(90);
  const KernelText kernel{.fileName = "mine.cu",
                          .preamble = "using T = int;\n",
                          .text =
                              "__global__ void mine(const T* in, T* out)\n{\n"
                              "    asm volatile(\"\");\n    out[0] = in[0];\n}\n",
                          .kernel = "mine"};
  ASSERT_TRUE(compiler.clean(kernel));
  const auto failed = compiler.recorded(kernel);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, AllOf(HasSubstr("cannot be recorded"), HasSubstr("mine.cu(3,")));
}

TEST_F(CompileTest, TheFirstFailureEndsPrecompiling) {
  KernelCompiler compiler = compilerFor(90);
  std::vector<KernelText> kernels(
      3, kernelTextOf(experimentOf(*findVariant("sequential"), ElementType::Int, Operator::Add)));
  kernels[1].preamble = "nonsense\n";
  JobControl job;
  EXPECT_FALSE(compiler.precompile(kernels, job));
  job.cancel = true;
  const auto stopped = compiler.precompile(kernels, job);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
}

TEST_F(CompileTest, OldAndNewGpus) {
  EXPECT_EQ(architectureOption(*nvrtc, 90).value(), "--gpu-architecture=sm_90");
  const auto newer = architectureOption(*nvrtc, 999);
  ASSERT_TRUE(newer);
  EXPECT_EQ(*newer, "--gpu-architecture=compute_" + std::to_string(nvrtc->architectures.back()));
  EXPECT_FALSE(architectureOption(*nvrtc, 20));
}

// ---- The clean text against nvcc.

std::string outputOf(const std::string& command) {
  std::string output;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
      output.append(part.data(), count);
    if (pclose(pipe) != 0) output.clear();
  }
  return output;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without comments, blank lines and the two lines that name the tools' release and target.
std::string essence(const std::string& ptx) {
  std::string kept;
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    std::string line = ptx.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find("//"));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\0'))
      line.pop_back();
    if (line.empty() || line.starts_with(".version") || line.starts_with(".target")) continue;
    kept += line + "\n";
  }
  return kept;
}

class CleanAgainstNvcc : public CompileTest {
 protected:
  void SetUp() override {
    CompileTest::SetUp();
    if (IsSkipped()) return;
    if (std::string(STRIDESCOPE_NVCC_PROGRAM).empty()) GTEST_SKIP() << "SKIPPED: there is no nvcc.";
  }
  // nvcc's output for the kernel as a person would compile it: preamble and text in one file.
  std::string nvcc(const KernelText& kernel, const std::string& options) {
    const std::string source = folder.path() + "/" + kernel.fileName, result = folder.path() + "/result";
    std::ofstream(source) << kernel.preamble << kernel.text;
    outputOf(std::string(STRIDESCOPE_NVCC_PROGRAM) + " -std=c++20 " + options + " -o " + result + " " +
             source);
    return contentOf(result);
  }
};

TEST_F(CleanAgainstNvcc, TheSamePtx) {
  for (const Variant& variant : catalog())
    for (const ElementType type : {ElementType::Int, ElementType::Double}) {
      const KernelText kernel = kernelTextOf(experimentOf(variant, type, Operator::Add));
      const auto ours = compileToPtx(*nvrtc, cleanProgram(kernel, "--gpu-architecture=compute_90"));
      ASSERT_TRUE(ours) << ours.error().details;
      EXPECT_EQ(essence(*ours), essence(nvcc(kernel, "-ptx -arch=compute_90"))) << variant.id;
    }
}

TEST_F(CleanAgainstNvcc, TheSameMachineCode) {
  if (std::string(STRIDESCOPE_CUOBJDUMP_PROGRAM).empty()) GTEST_SKIP() << "SKIPPED: there is no cuobjdump.";
  const auto machineCode = [&](const std::string& image) {
    const std::string path = folder.path() + "/image.cubin";
    std::ofstream(path, std::ios::binary) << image;
    return outputOf(std::string(STRIDESCOPE_CUOBJDUMP_PROGRAM) + " -sass " + path + " | grep -F '/*'");
  };
  for (const Variant& variant : catalog()) {
    const KernelText kernel = kernelTextOf(experimentOf(variant, ElementType::Int, Operator::Add));
    const auto ours = compile(*nvrtc, cleanProgram(kernel, "--gpu-architecture=sm_90"));
    ASSERT_TRUE(ours);
    const std::string code = machineCode(ours->image);
    EXPECT_FALSE(code.empty());
    EXPECT_EQ(code, machineCode(nvcc(kernel, "-cubin -arch=sm_90"))) << variant.id;
  }
}

}  // namespace
}  // namespace stridescope
