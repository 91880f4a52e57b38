// The real NVRTC on the catalogue's kernels: every combination compiles, clean and recorded; what a person
// gets wrong is quoted by its line; and the clean text gives what nvcc gives.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/gpu/kernel_compiler.h"
#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "stand_in.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A seventh, and of that a tenth in sanitized builds: nvcc takes all of them in tests/kernels.
const unsigned kEvery = support::wholeSweeps() ? 1 : STRIDESCOPE_COMPILE_EVERY;

model::Experiment experimentOf(const kernels::Variant& variant, model::ElementType type, model::Operator op,
                               unsigned threads = 256) {
  model::Experiment experiment;
  experiment.variant = variant.id;
  experiment.type = type;
  experiment.op = op;
  experiment.threads = threads;
  return experiment;
}

// Every combination of the variants that a GPU of that capability runs with no headers but our own.
std::vector<model::Experiment> everyCombination(int capability) {
  std::vector<model::Experiment> all;
  for (const kernels::Variant& variant : kernels::catalog())
    for (const model::ElementType type : variant.types)
      for (const model::Operator op : variant.operators)
        if (variant.offers(type, op) && int(variant.leastCapability) <= capability &&
            !variant.needsCudaHeaders)
          all.push_back(experimentOf(variant, type, op));
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
  const auto all = everyCombination(GetParam());
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
  const KernelText kernel = kernelTextOf(
      experimentOf(*kernels::findVariant("sequential"), model::ElementType::Int, model::Operator::Add));
  instrument::Instrumented instrumented;
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
  KernelText kernel = kernelTextOf(
      experimentOf(*kernels::findVariant("sequential"), model::ElementType::Int, model::Operator::Add));
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
  EXPECT_EQ(failed.error().cause, ErrorCause::KernelText);
  EXPECT_THAT(failed.error().details,
              AllOf(HasSubstr("combine(data[tid], dta[tid + s])"), testing::Not(HasSubstr("recording"))))
      << "it quotes what the person wrote";
}

TEST_F(CompileTest, AnErrorInThePreambleSaysSo) {
  KernelCompiler compiler = compilerFor(90);
  KernelText kernel = kernelTextOf(
      experimentOf(*kernels::findVariant("sequential"), model::ElementType::Int, model::Operator::Add));
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

// nvcc would take it for the host's alone. What can be recorded can be timed.
TEST_F(CompileTest, AFunctionWithoutDeviceIsTakenAlikeRecordedAndClean) {
  KernelCompiler compiler = compilerFor(90);
  const KernelText kernel{.fileName = "mine.cu",
                          .preamble = "using T = int;\n",
                          .text =
                              "T twice(T x) { return x + x; }\n"
                              "__global__ void mine(const T* in, T* out)\n{\n"
                              "    out[0] = twice(in[0]);\n}\n",
                          .kernel = "mine"};
  for (const auto& compiled : {compiler.recorded(kernel), compiler.clean(kernel)})
    EXPECT_TRUE(compiled) << compiled.error().sentence;
}

TEST_F(CompileTest, TheFirstFailureEndsPrecompiling) {
  KernelCompiler compiler = compilerFor(90);
  std::vector<KernelText> kernels(
      3, kernelTextOf(experimentOf(*kernels::findVariant("sequential"), model::ElementType::Int,
                                   model::Operator::Add)));
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

// ---- The clean text against plain kernels, and against nvcc.

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

// The lines of a PTX text that make the program: no comments, no variables (the preamble's identity is one,
// which no instruction of these kernels names).
std::vector<std::string> linesOf(const std::string& ptx) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    std::string line = ptx.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find("//"));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\0'))
      line.pop_back();
    if (!line.empty() && !line.starts_with(".global")) lines.push_back(line);
  }
  return lines;
}

// What such a program does to memory and where it branches, in order: "ld.shared.u32", "bar.sync", "@bra".
std::vector<std::string> actsOf(const std::string& ptx) {
  std::vector<std::string> acts;
  for (const std::string& line : linesOf(ptx)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    const bool predicated = word.starts_with("@");
    if (predicated) words >> word;
    for (const char* act :
         {"ld.shared", "st.shared", "ld.global", "st.global", "bar", "bra", "ret", "add.f64", "rem"})
      if (word.starts_with(act)) acts.push_back((predicated ? "@" : "") + word);
  }
  return acts;
}

// As one would write it without a word of ours: int, a plus sign, no preamble.
constexpr std::string_view kPlainSequential = R"(
__global__ void sequential(const int* in, int* out)
{
    extern __shared__ int data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = data[tid] + data[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
)";
constexpr std::string_view kPlainModulo = R"(
__global__ void interleaved_modulo(const int* in, int* out)
{
    extern __shared__ int data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            data[tid] = data[tid] + data[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
)";

TEST_F(CompileTest, ThePreambleCostsNothing) {
  for (const auto& [variant, plain] :
       {std::pair{"sequential", kPlainSequential}, {"interleaved_modulo", kPlainModulo}}) {
    const std::string architecture = "--gpu-architecture=compute_90";
    const KernelText ours = kernelTextOf(
        experimentOf(*kernels::findVariant(variant), model::ElementType::Int, model::Operator::Add));
    const KernelText theirs{
        .fileName = "plain.cu", .preamble = {}, .text = std::string(plain), .kernel = variant};
    const auto ourPtx = compileToPtx(*nvrtc, cleanProgram(ours, architecture));
    const auto plainPtx = compileToPtx(*nvrtc, cleanProgram(theirs, architecture));
    ASSERT_TRUE(ourPtx && plainPtx);
    EXPECT_GT(linesOf(*plainPtx).size(), 30u);
    EXPECT_EQ(linesOf(*ourPtx), linesOf(*plainPtx)) << variant;
  }
}

// A compiler that has the atomic functions finds nothing in the header; the other texts do not have it.
TEST_F(CompileTest, OnlyTextsThatCallTheCompilersAtomicsBringThemAlong) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    const KernelText kernel =
        kernelTextOf(experimentOf(variant, variant.types.front(), variant.operators.front()));
    const Program program = cleanProgram(kernel, "--gpu-architecture=compute_90");
    const bool calls = kernel.text.find("__nv_atomic_") != std::string::npos;
    EXPECT_EQ(program.text.find("#include \"recording/older_nvrtc.h\"") == 0, calls) << variant.id;
    EXPECT_EQ(program.headers.size(), calls ? 1u : 0u) << variant.id;
  }
}

// nvcc and NVRTC of one release do not give the same instructions: nvcc addresses shared memory with 32 bits,
// NVRTC with 64. What a kernel does is the same.
TEST_F(CompileTest, DoesWhatNvccsProgramDoes) {
  if (std::string(STRIDESCOPE_NVCC_PROGRAM).empty()) GTEST_SKIP() << "SKIPPED: there is no nvcc.";
  for (const kernels::Variant& variant : kernels::catalog())
    for (const model::ElementType type : {model::ElementType::Int, model::ElementType::Double}) {
      // nvcc takes most of a second for each.
      if (!support::wholeSweeps() && (&variant - kernels::catalog().data()) % 6 != 0) continue;
      const model::Operator op = variant.operators.front();
      if (!variant.offers(type, op) || variant.needsCudaHeaders) continue;
      const KernelText kernel = kernelTextOf(experimentOf(variant, type, op));
      const std::string source = folder.path() + "/" + kernel.fileName,
                        result = folder.path() + "/result.ptx";
      std::ofstream(source) << kernel.preamble << kernel.text;
      outputOf(std::string(STRIDESCOPE_NVCC_PROGRAM) + " -std=c++20 -arch=compute_90 -ptx -o " + result +
               " " + source + " 2>&1");
      const auto ours = compileToPtx(*nvrtc, cleanProgram(kernel, "--gpu-architecture=compute_90"));
      ASSERT_TRUE(ours) << ours.error().details;
      // These two have no shared memory, and no loop or no branch.
      const bool isShort = variant.id == "left_to_right" || variant.id == "butterfly";
      EXPECT_GT(actsOf(*ours).size(), isShort ? 3u : 10u) << variant.id;
      EXPECT_EQ(actsOf(*ours), actsOf(contentOf(result))) << variant.id << " " << model::nameOf(type);
    }
}

}  // namespace
}  // namespace stridescope::engine::gpu
