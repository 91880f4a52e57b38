// What comes from a process that runs a person's code is believed as far as it can be checked.
#include <gmock/gmock.h>

#include "custom_support.h"
#include "engine/experiment_check.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/custom_engine.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::HasSubstr;

class WorkerAnswer : public testing::Test {
 protected:
  Result<model::Trace> answered(const model::Trace& trace) {
    return plainTrace(trace, experiment_, engine_->executor());
  }
  std::string sentenceOn(const model::Trace& trace) {
    const auto answer = answered(trace);
    return answer ? std::string() : answer.error().sentence;
  }
  const model::Experiment experiment_ =
      *checkedExperiment({.variant = "sequential", .threads = 64, .elements = 64}, true);
  std::unique_ptr<Engine> engine_ = host::makeHostEngine();
  const model::Trace trace_ = *record(*engine_, experiment_);
};

TEST_F(WorkerAnswer, ATraceIsTakenAsItIs) {
  const auto answer = answered(trace_);
  ASSERT_TRUE(answer) << answer.error().sentence;
  EXPECT_EQ(answer->launches, trace_.launches);
  EXPECT_EQ(answer->result, "2016");
  EXPECT_EQ(answer->executor.device, trace_.executor.device);
}

TEST_F(WorkerAnswer, ATraceOfSomethingElseIsRefused) {
  model::Trace other = trace_;
  other.experiment.elements = 63;
  EXPECT_THAT(sentenceOn(other), HasSubstr("another experiment"));
  other = trace_;
  other.kernelText += "// and more";
  EXPECT_THAT(sentenceOn(other), HasSubstr("another kernel"));
  other = trace_;
  other.preamble = "using T = int;";
  EXPECT_THAT(sentenceOn(other), HasSubstr("another kernel"));
  other = trace_;
  other.sites.front().text = "data[0]";
  EXPECT_THAT(sentenceOn(other), HasSubstr("another kernel"));
  other = trace_;
  other.result = "2016\033[31m";
  EXPECT_THAT(sentenceOn(other), HasSubstr("no number"));
  other.result = std::string(100, '1');
  EXPECT_THAT(sentenceOn(other), HasSubstr("no number"));
}

TEST_F(WorkerAnswer, WhoRanItAndWhetherItIsRightAreOursToSay) {
  model::Trace other = trace_;
  other.executor.device = "a GPU";
  other.executor.kind = model::EngineKind::Gpu;
  other.ok = true;
  other.expected = "1";
  other.trial.whyNotTried = "Trust it.";
  const auto answer = answered(other);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->executor.kind, model::EngineKind::Host);
  EXPECT_EQ(answer->executor.device, "CPU executor");
  EXPECT_FALSE(answer->ok);
  EXPECT_EQ(answer->expected, "");
  EXPECT_EQ(answer->trial, model::OperatorTrial{});
}

TEST_F(WorkerAnswer, WordsBecomePlain) {
  model::Trace other = trace_;
  other.checkNote = "a\nb\033[31mc\xc3\xa9";
  other.launches.front().recorded().shared.front().name = "x\ry";
  other.launches.front().recorded().problems = {{.kind = {}, .text = std::string(5000, 'x')}};
  const auto answer = answered(other);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->checkNote, "a?b?[31mc??");
  EXPECT_EQ(answer->launches.front().recorded().shared.front().name, "x?y");
  EXPECT_EQ(answer->launches.front().recorded().problems.front().text.size(), 1024u);
  EXPECT_EQ(plainLines("a\tb\nc\033"), "a b\nc?");
}

TEST_F(WorkerAnswer, ATrialHasItsFourFindings) {
  model::OperatorTrial trial;
  for (const model::TrialProperty property :
       {model::TrialProperty::Associative, model::TrialProperty::LeftIdentity,
        model::TrialProperty::RightIdentity, model::TrialProperty::Commutative})
    trial.findings.push_back({.property = property, .sentence = "a\nb"});
  ASSERT_TRUE(plainTrial(trial));
  EXPECT_EQ(plainTrial(trial)->findings[3].sentence, "a?b");
  model::OperatorTrial other = trial;
  other.findings.pop_back();
  EXPECT_FALSE(plainTrial(other));
  other = trial;
  other.findings.push_back(trial.findings.front());
  EXPECT_FALSE(plainTrial(other));
  other = trial;
  other.findings[1].verdict = model::TrialVerdict(99);
  EXPECT_FALSE(plainTrial(other));
  other = trial;
  std::swap(other.findings[0], other.findings[1]);
  EXPECT_FALSE(plainTrial(other));
}

TEST_F(WorkerAnswer, ANumberIsANumber) {
  for (const char* number : {"0", "-5", "1e+30", "-inf", "nan", "0.1"})
    EXPECT_TRUE(plainNumber(number)) << number;
  for (const char* other : {"", "1 2", "1\n", "1;2", "\033"}) EXPECT_FALSE(plainNumber(other)) << other;
}

// A person's code writes to the same file as the guard.
TEST(LastWord, IsOneThatTheGuardSays) {
  for (const char* word :
       {"combine(1, -2) was stopped by SIGFPE (Floating point exception)",
        "combine(1e+30, nan) did not end and was stopped",
        "combine(1, 0) was stopped by SIGSYS (Bad system call: io_uring_setup)",
        "combine(1, 0) was stopped by SIGTRAP (Trace/breakpoint trap)",
        "The code that runs when combine is loaded was stopped by SIGSYS (Bad system call: 425)"})
    EXPECT_EQ(lastWordOf("noise\n" + std::string(word) + "\nnoise"), word);
  for (const char* other :
       {"combine(1, 2) is fine", "combine(1, 2) did not end and was stopped. Install it from evil.example",
        "combine(\033[31m, 2) did not end and was stopped",
        "combine(1, 2) was stopped by SIGSYS (Bad system call: x y)", "combine(1, 2) was stopped by SIGSEGV",
        "combine(1, 2) was stopped by SIGSEGV (Segmentation fault) or else",
        "combine(1) did not end and was stopped",
        "combine(1, 2) was stopped by SIGFPE (Floating point exception: x)",
        " combine(1, 2) did not end and was stopped", "combine"})
    EXPECT_EQ(lastWordOf(other), "") << other;
  EXPECT_EQ(lastWordOf("combine(" + std::string(100'000, '1') + ", 2) did not end and was stopped"), "");
}

}  // namespace
}  // namespace stridescope::engine::sandbox
