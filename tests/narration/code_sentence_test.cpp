#include <gtest/gtest.h>

#include "narration/measured_sentences.h"
#include "support/grid_records.h"

namespace stridescope::narration {
namespace {

TEST(CodeSentence, CountsTheInstructionsOfTheRoundsLines) {
  const model::MachineCode code = support::smallCode();
  EXPECT_EQ(
      codeSentence(code, {11, 13}),
      "The lines of this round: 2 instructions, 1 of them predicated, and 1 branch with a predicate, the "
      "kind that can diverge.");
  EXPECT_EQ(codeSentence(code, {8, 9}),
            "The lines of this round: 2 instructions, and no branch with a predicate: none can diverge.");
  EXPECT_EQ(codeSentence(code, {40}), "No instruction is tied to the lines of this round.");
  EXPECT_EQ(codeSentence(code, {0}), "No instruction is tied to the lines of this round.");
}

TEST(CodeSentence, TellsWhoCompiledItForWhat) {
  model::MachineCode code = support::smallCode();
  EXPECT_EQ(compiledCode(code, false),
            "SASS for sm_90, compiled by NVRTC 13.0; recorded on NVIDIA H100 80GB HBM3.");
  EXPECT_EQ(compiledCode(code, true), "SASS for sm_90, compiled by NVRTC 13.0 for NVIDIA H100 80GB HBM3.");
  code.kind = model::CodeKind::Ptx;
  code.executor.device.clear();
  EXPECT_EQ(compiledCode(code, true), "PTX for sm_90, compiled by NVRTC 13.0 on this machine.");
}

}  // namespace
}  // namespace stridescope::narration
