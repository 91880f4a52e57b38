#include "cli/findings.h"

#include <gtest/gtest.h>

namespace stridescope::cli {
namespace {

TEST(Findings, OfAMachineWithoutAGpu) {
  engine::GpuStatus status;
  status.problems = {"No NVIDIA driver is installed. Install it, or use --engine host."};
  const auto findings = gpuFindings(status);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_FALSE(findings[0].ok);
  EXPECT_EQ(findings[0].text, status.problems[0]);
}

TEST(Findings, OfAMachineWithOne) {
  engine::GpuStatus status;
  status.driverLibrary = "libcuda.so.1";
  status.driverVersion = "580.159";
  status.cudaVersion = "13.0";
  status.nvrtcLibrary = "libnvrtc.so.13";
  status.nvrtcVersion = "13.0";
  engine::GpuDescription gpu;
  gpu.name = "NVIDIA H200";
  gpu.computeCapability = "9.0";
  status.gpus = {gpu};
  for (const Finding& finding : gpuFindings(status)) EXPECT_TRUE(finding.ok) << finding.subject;
  status.gpus[0].problems = {"It is too old."};
  EXPECT_FALSE(gpuFindings(status)[1].ok);
}

std::string told(const engine::GroupStatus& status) {
  std::string text;
  engine::GpuStatus gpus;
  gpus.problems = {"No NVIDIA driver is installed."};
  for (const Finding& finding : groupFindings(status, gpus))
    text += (finding.ok ? "ok " : "to do ") + finding.subject + ": " + finding.text + "\n";
  return text;
}

TEST(Findings, OfSeveralGpusAndNccl) {
  engine::GroupStatus status;
  status.whyNotAsked = "No NVIDIA driver is installed.";  // which the findings of the GPUs say
  status.whyNoNccl = "No NCCL was found.";
  EXPECT_EQ(
      told(status),
      "to do several GPUs: No GPU can be used, so several cannot be timed together. The family \"several "
      "GPUs\" can be stepped without them.\n"
      "to do NCCL: No NCCL was found.\n");
  status = {.gpus = 1, .ncclLibrary = "/usr/lib/libnccl.so.2", .ncclVersion = "2.28.3"};
  EXPECT_EQ(
      told(status),
      "to do several GPUs: The driver lists one GPU, so several cannot be timed together "
      "(CUDA_VISIBLE_DEVICES may hide others). The family \"several GPUs\" can be stepped without them.\n"
      "ok NCCL: 2.28.3 (/usr/lib/libnccl.so.2)\n");
  status.gpus = 4;
  EXPECT_TRUE(told(status).starts_with("ok several GPUs: each of 4 GPUs can use the memory of all others\n"));
  status.unreached = {{1, 3}};
  EXPECT_TRUE(
      told(status).starts_with("to do several GPUs: GPU 1 cannot use the memory of GPU 3 (nvidia-smi"));
  status.unreached = {{1, 3}, {3, 1}, {0, 3}};
  EXPECT_NE(told(status).find("of GPU 3, and so it is with 2 other pairs (nvidia-smi"), std::string::npos);
  status.whyNotAsked = "NVIDIA's driver does not tell.";
  EXPECT_TRUE(told(status).starts_with("to do several GPUs: NVIDIA's driver does not tell.\n"));
}

TEST(Findings, OfAGpusCounters) {
  const Finding refused = countersFinding(unavailable("The driver lets only administrators read them."));
  EXPECT_FALSE(refused.ok);
  EXPECT_EQ(refused.text, "The driver lets only administrators read them.");
  model::CounterRecord record;
  record.launches = {{.grid = 1, .block = 1, .values = {{model::Counter::Instructions, 1}}}};
  const Finding read = countersFinding(record);
  EXPECT_TRUE(read.ok);
  EXPECT_TRUE(read.text.starts_with("1 of 21 ")) << read.text;
}

TEST(Findings, OfKernelsOfAPersonsOwnOnAGpu) {
  const Finding missing = ownKernelsFinding(unavailable("NVIDIA's Sanitizer API was not found."));
  EXPECT_FALSE(missing.ok);
  EXPECT_EQ(missing.text, "NVIDIA's Sanitizer API was not found.");
  EXPECT_TRUE(ownKernelsFinding({}).ok);
}

TEST(Findings, OfAKernelThatCanConfineAnOperator) {
  const Finding whole = sandboxFinding({.landlock = 4, .seccomp = true});
  EXPECT_TRUE(whole.ok);
  EXPECT_EQ(whole.text, (engine::sandbox::SandboxSupport{.landlock = 4, .seccomp = true}.sentence()));
}

TEST(Findings, OfOneThatCannot) {
  for (const engine::sandbox::SandboxSupport& support :
       {engine::sandbox::SandboxSupport{.landlock = 0, .seccomp = true},
        engine::sandbox::SandboxSupport{.landlock = 4, .seccomp = false}}) {
    const Finding lacking = sandboxFinding(support);
    EXPECT_FALSE(lacking.ok);
    EXPECT_TRUE(lacking.text.starts_with(support.sentence()));
    EXPECT_NE(lacking.text.find("not run on the CPU"), std::string::npos);
  }
}

TEST(Findings, CompilerAndDisplay) {
  EXPECT_FALSE(compilerFinding("").ok);
  EXPECT_FALSE(compilerFinding("/nowhere:").ok);
  EXPECT_FALSE(displayFinding("", "").ok);
  EXPECT_TRUE(displayFinding(":0", "").ok);
  EXPECT_TRUE(displayFinding("", "wayland-0").ok);
}

}  // namespace
}  // namespace stridescope::cli
