// Machine code of the catalogue's kernels by the real NVRTC, on a machine without a GPU. A script stands in
// for nvdisasm.
#include "engine/gpu/machine_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "support/temporary_folder.h"

namespace stridescope::engine::gpu {
namespace {

using testing::StartsWith;
using Lines = std::vector<model::CodeLine>;

model::Experiment experimentOf(const std::string& variant) { return {.variant = variant, .threads = 256}; }

std::vector<std::string> textLines(const std::string& variant) {
  std::istringstream text{std::string(kernels::kernelText(variant))};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

class MachineCodes : public testing::Test {
 protected:
  // A tool of that name is the first that is found; what it prints for any file.
  void installDisassembler(const std::string& script) {
    const auto file = folder_ / "nvdisasm";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    path_ = path;
    setenv("PATH", (file.parent_path().string() + ":" + path).c_str(), 1);
  }
  ~MachineCodes() override {
    if (path_) setenv("PATH", path_->c_str(), 1);
  }

 private:
  support::Folder folder_;
  std::optional<std::string> path_;
};

TEST_F(MachineCodes, AreWhatTheDisassemblerPrints) {
  NEEDS_NVRTC();
  installDisassembler(
      "[ \"$1 $2\" = '--print-code --print-line-info-inline' ] && [ -s \"$3\" ] || exit 1\n"
      "echo '//## File \"sequential.cu\", line 9'; echo '/*0000*/ BAR.SYNC 0x0 ;'\n");
  const auto code = machineCodeOf(experimentOf("sequential"), std::nullopt);
  ASSERT_TRUE(code) << code.error().sentence;
  EXPECT_EQ(code->kind, model::CodeKind::Sass);
  EXPECT_THAT(code->target, StartsWith("sm_"));
  EXPECT_THAT(code->executor.compiler, StartsWith("NVRTC "));
  EXPECT_EQ(code->lines, (std::vector<model::CodeLine>{{9, "BAR.SYNC 0x0"}}));
}

// Where the disassembler fails, PTX stands in its place: each barrier of it comes from a line
// that says so.
TEST_F(MachineCodes, ArePtxOtherwise) {
  NEEDS_NVRTC();
  installDisassembler("exit 1\n");
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.needsCudaHeaders) continue;
    model::Experiment experiment = experimentOf(std::string(variant.id));
    experiment.threads = variant.threads.front();
    const auto code = machineCodeOf(experiment, std::nullopt);
    ASSERT_TRUE(code) << variant.id << ": " << code.error().sentence;
    EXPECT_EQ(code->kind, model::CodeKind::Ptx);
    const std::vector<std::string> text = textLines(std::string(variant.id));
    int barriers = 0;
    for (const model::CodeLine& line : code->lines) {
      ASSERT_LE(line.line, text.size());
      if (!line.text.starts_with("bar.sync")) continue;
      ++barriers;
      ASSERT_GT(line.line, 0u) << variant.id << ": " << line.text;
      EXPECT_THAT(text[line.line - 1], testing::HasSubstr("sync")) << variant.id << " line " << line.line;
    }
    bool expected = false;
    for (const std::string& line : text) expected |= line.find("__syncthreads") != std::string::npos;
    EXPECT_EQ(barriers > 0, expected) << variant.id;
  }
}

// Listings as nvdisasm 13.0 and NVRTC 13.0 lay them out, cut short.

constexpr std::string_view kSass = R"(
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
.text._Z10sequentialPKiPi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/tmp/sequential.cu", line 8
        /*0010*/                   S2R R4, SR_TID.X ;                        /* 0x0000000000047919 */
	//## File "combine", line 3 inlined at "sequential.cu", line 13
	//## File "sequential.cu", line 13
        /*0020*/              @!P1 IMAD.IADD R0, R0, 0x1, R3 ;
	//## File "combine", line 4
        /*0030*/                   NOP ;
	//## File "sequential.cu", line 11
.L_x_1:
        /*0040*/               @P1 BRA `(.L_x_1) ;
	//## File "sequential.cu", line 15 inlined at "sequential.cu", line 20
	//## File "sequential.cu", line 20
        /*0048*/                   BAR.SYNC 0x0 ;
	//## File "other_sequential.cu", line 99
        /*0050*/                   EXIT ;
.L_x_2:
        /*0060*/                   BRA `(.L_x_2);
        /*0070*/                   NOP;
        /*0080*/                   NOP;
.L_x_3:
)";

TEST(SassLines, HaveTheirLineOfTheKernelsText) {
  EXPECT_EQ(sassLines(kSass, "sequential.cu"), (Lines{{0, "LDC R1, c[0x0][0x28]"},
                                                      {8, "S2R R4, SR_TID.X"},
                                                      {13, "@!P1 IMAD.IADD R0, R0, 0x1, R3"},
                                                      {0, "NOP"},
                                                      {11, ".L_x_1:"},
                                                      {11, "@P1 BRA `(.L_x_1)"},
                                                      {15, "BAR.SYNC 0x0"},
                                                      {0, "EXIT"}}));
}

// A text with several kernels.
TEST(SassLines, OfSeveralFunctionsBeginWithTheirNames) {
  constexpr std::string_view kTwo = R"(
.text._Z3onePi:
	//## File "two.cu", line 2
        /*0000*/                   EXIT ;
.L_x_0:
        /*0010*/                   BRA `(.L_x_0);
        /*0020*/                   NOP;
.L_x_2:
.text._Z3twoPi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "two.cu", line 3
        /*0010*/                   EXIT ;
)";
  EXPECT_EQ(
      sassLines(kTwo, "two.cu"),
      (Lines{{0, "_Z3onePi:"}, {2, "EXIT"}, {0, "_Z3twoPi:"}, {0, "LDC R1, c[0x0][0x28]"}, {3, "EXIT"}}));
}

TEST(SassLines, OfNothingAreNone) {
  EXPECT_EQ(sassLines("", "a.cu"), Lines{});
  EXPECT_EQ(sassLines("/*0000", "a.cu"), Lines{});
  EXPECT_EQ(sassLines("//## File \"a.cu\", line ", "a.cu"), Lines{});
  EXPECT_EQ(sassLines("//## File \"", "a.cu"), Lines{});
}

constexpr std::string_view kPtx = R"(
.version 9.0
.target sm_90
.address_size 64
.shared .align 16 .b8 data[4];
.visible .entry _Z10sequentialPKiPi(
	.param .u64 _Z10sequentialPKiPi_param_0
)
{
	.reg .pred 	%p<4>;
	.loc	1 4 0
	ld.param.u64 	%rd3, [_Z10sequentialPKiPi_param_0];
	.loc	2 3 5, function_name $L__info_string0, inlined_at 1 13 7
	add.s32 	%r1, %r2, %r3;
	.loc	2 9 1
	mov.u32 	%r9, 0;
	.loc	1 12 5, function_name $L__info_string1, inlined_at 1 20 3
	bar.sync 	0; // all
	.loc	1 11 3
$L__BB0_1:
	@%p1 bra 	$L__BB0_1;
	{ // callseq 0, 0
	ret;
}
	.file	1 "sequential.cu"
	.file	2 "combine"
)";

TEST(PtxLines, HaveTheirLineOfTheKernelsText) {
  EXPECT_EQ(ptxLines(kPtx, "sequential.cu"), (Lines{{4, "ld.param.u64 %rd3, [_Z10sequentialPKiPi_param_0]"},
                                                    {13, "add.s32 %r1, %r2, %r3"},
                                                    {0, "mov.u32 %r9, 0"},
                                                    {12, "bar.sync 0"},
                                                    {11, "$L__BB0_1:"},
                                                    {11, "@%p1 bra $L__BB0_1"},
                                                    {11, "ret"}}));
  EXPECT_EQ(ptxLines("", "a.cu"), Lines{});
}

TEST(CodeLines, AreCutToTheirLimit) {
  const std::string longLine = "/*0*/ " + std::string(2 * model::kMaxCodeLineBytes, 'x') + ";";
  const Lines lines = sassLines(longLine, "a.cu");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text.size(), model::kMaxCodeLineBytes);
}

}  // namespace
}  // namespace stridescope::engine::gpu
