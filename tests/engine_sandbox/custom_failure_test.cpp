// A combine that fails ends one run with a sentence that names the operands; the engine lives on.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "custom_support.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/worker/worker_engine.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CustomFailure : public testing::Test {
 protected:
  std::string sentenceOf(const std::string& combine, model::ElementType type = model::ElementType::Int) {
    const auto trace = record(*engine_, custom(combine, "0", type));
    EXPECT_FALSE(trace) << combine;
    return trace ? std::string() : trace.error().sentence;
  }
  void TearDown() override {
    const auto trace = record(*engine_, custom("a + b", "0"));
    ASSERT_TRUE(trace) << "The engine does not live on: " << trace.error().sentence;
    EXPECT_EQ(trace->result, "2016");
  }
  std::unique_ptr<Engine> engine_ = customOnCpu();
};

TEST_F(CustomFailure, ADivisionByZeroNamesItsOperands) {
  // In the first round of 64 threads lane 0 combines the elements 0 and 32; only 1 and 33 divide by zero.
  EXPECT_EQ(sentenceOf("a == 1 && b == 33 ? a / (b - 33) : a + b"),
            "combine(1, 33) was stopped by SIGFPE (Floating point exception). Fix its text, or take other "
            "numbers.");
}

TEST_F(CustomFailure, AWildAddressIsToldOf) {
  EXPECT_THAT(sentenceOf("*(volatile T*)16"), AllOf(HasSubstr("combine("), HasSubstr("SIGSEGV")));
}

TEST_F(CustomFailure, AStackThatRunsOverIsToldOf) {
  EXPECT_THAT(sentenceOf("combine(a, b + 1) + combine(a + 1, b)"), HasSubstr("combine("));
}

TEST_F(CustomFailure, AnEndlessLoopIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(sentenceOf("while (a < 1000) b ^= a; return b;"),
              AllOf(HasSubstr("combine("), HasSubstr("did not end")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
}

TEST_F(CustomFailure, OutputWithoutEndIsEnded) {
  EXPECT_THAT(sentenceOf("while (true) __builtin_putchar(65); return a;"), HasSubstr("did not end"));
}

TEST_F(CustomFailure, MemoryWithoutEndIsEnded) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "No limit of address space can be set beside the sanitizer's shadow.";
#endif
  EXPECT_THAT(sentenceOf("T* all = new T[1l << 32]; return *all;"),
              AllOf(HasSubstr("combine("), HasSubstr("SIGABRT")));
}

TEST_F(CustomFailure, AbortIsToldOf) {
  EXPECT_THAT(sentenceOf("__builtin_trap(); return a;"), HasSubstr("was stopped by SIG"));
}

// Nothing would watch a process that a combine started, nor would it end with the worker.
TEST_F(CustomFailure, MayStartNoOtherProcess) {
  const auto folder = *PrivateFolder::make();
  const Variable temporary("TMPDIR", folder->path());
  for (const char* combine :
       {"__builtin_fork(), a + b", "char* none[] = {nullptr}; return __builtin_execv((char*)&a, none);"})
    EXPECT_THAT(sentenceOf(combine), AllOf(HasSubstr("combine("), HasSubstr("SIGSYS"))) << combine;
  engine_ = customOnCpu();
  EXPECT_EQ(processesWith(folder->path()), 0u);
}

// Stopped by its own hand it reads its socket no more; the kernel ends it with the program.
TEST_F(CustomFailure, EndsWithTheProgramWhateverItDoes) {
  const auto folder = *PrivateFolder::make();
  const Variable temporary("TMPDIR", folder->path());
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    (void)record(*customOnCpu(), custom("int stop(int) asm(__STRING(raise)); stop(19); return a;", "0"));
    ::_exit(0);
  }
  const auto stopped = [&]() -> pid_t {
    for (const pid_t process : processesOf(folder->path())) {
      std::string number, name, state;
      std::ifstream file("/proc/" + std::to_string(process) + "/stat");
      if (file >> number >> name >> state && state == "T") return process;
    }
    return 0;
  };
  pid_t worker = 0;
  while (worker == 0 && ::waitpid(program, nullptr, WNOHANG) == 0) {
    worker = stopped();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_GT(worker, 0) << "it never stood still";
  // With a process of ours in its group, the group is no orphan, whose stopped processes would be sent
  // SIGHUP.
  const pid_t companion = ::fork();
  if (companion == 0)
    while (true) ::pause();
  EXPECT_EQ(::setpgid(companion, worker), 0);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  for (int i = 0; i < 5000 && processesWith(folder->path()) > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(processesWith(folder->path()), 0u);
  ::kill(worker, SIGKILL);
  ::kill(companion, SIGKILL);
  ::waitpid(companion, nullptr, 0);
}

// Only numbers of the trial make it fail: it is told, and the experiment runs.
TEST_F(CustomFailure, OfTheTrialDoesNotKeepItFromRunning) {
  const auto trace = record(*engine_, custom("a < 0 ? a / (b - b) : a + b", "0"));
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, "2016");
  EXPECT_TRUE(trace->ok);
  EXPECT_THAT(trace->trial.whyNotTried,
              AllOf(HasSubstr("not finished"), HasSubstr("combine(-1, "), HasSubstr("SIGFPE")));
  EXPECT_THAT(model::warningsOf(trace->trial), testing::ElementsAre(trace->trial.whyNotTried));
}

// Some 15 ms for each of 60,000 calls, and 256 more.
constexpr const char* kSlow = "for (volatile int i = 0; i < 5000000; i = i + 1) { } return a + b;";

TEST_F(CustomFailure, ASlowOperatorIsToldOfAndGivenUpInTime) {
  const auto engine = makeCustomEngine(host::makeHostEngine(), support::trustInAll(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD,
                                        .trial = std::chrono::seconds(2),
                                        .run = std::chrono::seconds(60)});
  std::vector<std::string> told;
  JobControl job;
  job.progress = [&](float, const std::string& doing) { told.push_back(doing); };
  model::Experiment experiment = custom(kSlow, "0");
  experiment.elements = 16;
  const auto trace = engine->record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok);
  EXPECT_THAT(trace->trial.whyNotTried, AllOf(HasSubstr("not finished"), HasSubstr("not done after 2 s")));
  EXPECT_GE(std::ranges::count(told, "trying combine"), 2);
}

TEST_F(CustomFailure, ARunThatTakesTooLongIsASentence) {
  const auto engine = makeCustomEngine(host::makeHostEngine(), support::trustInAll(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD,
                                        .trial = std::chrono::seconds(1),
                                        .run = std::chrono::seconds(1)});
  model::Experiment experiment = custom(kSlow, "0");
  experiment.elements = 100'000;
  const auto trace = record(*engine, experiment);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().sentence,
            "The process that runs your combine was not done after 1 s and was stopped: combine is too slow, "
            "or does not "
            "end. Fix its text, or take other numbers.");
}

// Between two runs nothing of a person's code is there to run.
TEST_F(CustomFailure, NoProcessWaitsForTheNextRun) {
  const auto folder = *PrivateFolder::make();
  const Variable temporary("TMPDIR", folder->path());
  ASSERT_TRUE(record(*engine_, custom("a + b + 1", "0")));
  EXPECT_EQ(processesWith(folder->path()), 0u);
  EXPECT_EQ(entriesOf(folder->path()), 1u) << "compiled once";
  engine_ = customOnCpu();
  EXPECT_EQ(entriesOf(folder->path()), 0u);
}

TEST_F(CustomFailure, CancellingEndsALoopAtOnce) {
  JobControl job;
  std::jthread canceller([&job] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    job.cancel = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  // Each call ends before the limit of one call, and all of them take some seconds.
  const auto trace = engine_->record(
      custom("for (volatile unsigned i = 0; i < 40000000u; ++i) { } return a + b;", "0"), job);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(CustomFailure, ATextThatDoesNotCompileIsAUsageError) {
  const auto trace = record(*engine_, custom("a +", "0"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Usage);
  EXPECT_THAT(trace.error().sentence, HasSubstr("does not compile"));
}

// As where the temporary folder is on a file system from which nothing may be run.
TEST_F(CustomFailure, AFileThatCannotBeLoadedIsNotToBeRecordedAgain) {
  const auto folder = *PrivateFolder::make();
  const std::string file = folder->path() / "operator.so";
  std::ofstream(file) << "no program";
  const auto worker = worker::makeWorkerEngine(
      combineWorkerCommand(STRIDESCOPE_COMBINE_CHILD, {.file = file, .type = model::ElementType::Int}));
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().sentence, "The compiled combine could not be loaded from " +
                                         folder->path().native() +
                                         ". If programs may not run there, name another folder in TMPDIR.");
}

TEST_F(CustomFailure, AProgramThatIsNotThereIsToldOf) {
  const auto engine =
      makeCustomEngine(host::makeHostEngine(), support::trustInAll(), {.program = "/no/such/program"});
  const auto trace = record(*engine, custom("a + b", "0"));
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, HasSubstr("The process that runs your combine could not be started"));
}

}  // namespace
}  // namespace stridescope::engine::sandbox
