// On a GPU the operator is tried on the CPU first, and the GPU's result held against a loop there. The GPU is
// an engine that gives what it is told.
#include <gmock/gmock.h>

#include <string>

#include "custom_support.h"
#include "support/refusing_gpu.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::HasSubstr;

class PretendedGpu final : public Engine {
 public:
  PretendedGpu(std::string result, int& runs) : result_(std::move(result)), runs_(runs) {}
  model::Executor executor() const override {
    return {.kind = model::EngineKind::Gpu, .device = "a GPU", .computeCapability = "9.0"};
  }
  Result<model::Trace> record(const model::Experiment& experiment, JobControl&) override {
    ++runs_;
    model::Trace trace;
    trace.experiment = experiment;
    trace.result = result_;
    return trace;
  }

 private:
  std::string result_;
  int& runs_;
};

class CustomOnGpu : public testing::Test {
 protected:
  Result<model::Trace> recordThere(const std::string& result, const model::Experiment& experiment) {
    const auto engine = makeCustomEngine(std::make_unique<PretendedGpu>(result, runs_), support::trustInAll(),
                                         {.program = STRIDESCOPE_COMBINE_CHILD});
    return record(*engine, experiment);
  }
  int runs_ = 0;
};

TEST_F(CustomOnGpu, IsTriedAndComparedOnTheCpu) {
  const auto right = recordThere("2016", custom("a + b", "0"));
  ASSERT_TRUE(right) << right.error().sentence;
  EXPECT_TRUE(right->ok);
  EXPECT_EQ(right->expected, "2016");
  EXPECT_EQ(right->trial.findings.size(), 4u);
  const auto wrong = recordThere("2015", custom("a + b", "0"));
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->ok);
  EXPECT_EQ(runs_, 2);
}

TEST_F(CustomOnGpu, DoesNotRunWhatDoesNotEndOnTheCpu) {
  const auto trace = recordThere("0", custom("while (b == 63) { } return a + b;", "0"));
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, HasSubstr("did not end"));
  EXPECT_EQ(runs_, 0);
}

TEST_F(CustomOnGpu, RunsWithoutACompilerComparedWithNothing) {
  const Variable path("PATH", ""), cxx("CXX", std::nullopt);
  const auto trace = recordThere("2016", custom("a + b", "0"));
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, "2016");
  EXPECT_EQ(trace->expected, "");
  EXPECT_THAT(trace->checkNote, HasSubstr("compared with nothing"));
  EXPECT_THAT(trace->trial.whyNotTried, HasSubstr("no C++ compiler"));
}

TEST_F(CustomOnGpu, WhatNvrtcAloneRefusesIsTheTextsFault) {
  const auto engine = makeCustomEngine(std::make_unique<support::RefusingGpu>(), support::trustInAll(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD});
  const auto trace = record(*engine, custom("a + b", "0"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().cause, ErrorCause::CombineText);
  EXPECT_EQ(trace.error().kind, ErrorKind::Usage);
  EXPECT_EQ(trace.error().sentence,
            "combine does not compile for the GPU: calling a __host__ function is not allowed (line 1). "
            "Fix its text, or step it on the CPU executor.");
  EXPECT_THAT(trace.error().details, HasSubstr("return a;"));
}

// The third line of the preamble is the first of combine; what lies behind its last is none of it.
TEST_F(CustomOnGpu, WhatNvrtcRefusesIsToldByItsLineInCombine) {
  for (const auto& [line, told] : {std::pair{3, "(line 1)"}, {4, "(line 2)"}, {5, ""}, {2, ""}}) {
    const auto engine = makeCustomEngine(std::make_unique<support::RefusingGpu>(line), support::trustInAll(),
                                         {.program = STRIDESCOPE_COMBINE_CHILD});
    const auto trace = record(*engine, custom("T c = a;\nreturn c + b;", "0"));
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().sentence,
                HasSubstr("not allowed" + std::string(*told == 0 ? "." : " ") + told));
  }
}

TEST_F(CustomOnGpu, WhatBothRefuseIsToldByItsPlaceInCombine) {
  const auto engine = makeCustomEngine(std::make_unique<support::RefusingGpu>(), support::trustInAll(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD});
  const auto trace = record(*engine, custom("a + c", "0"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().cause, ErrorCause::CombineText);
  EXPECT_THAT(trace.error().sentence, HasSubstr("line 1, column 5"));
}

TEST_F(CustomOnGpu, IsRefusedWhereTheCpuFinishes) {
  const auto trace = recordThere("2016", custom("a + b", "0", model::ElementType::Int, "two_per_thread"));
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, HasSubstr("The CPU combines what the blocks"));
  EXPECT_EQ(runs_, 0);
}

}  // namespace
}  // namespace stridescope::engine::sandbox
