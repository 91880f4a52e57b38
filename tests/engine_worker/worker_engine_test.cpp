// An engine in a process of its own: what it gives is what the engine gave, and whatever becomes of the
// process is a sentence and a fresh process.
#include <atomic>

#include "../model/sample_traces.h"
#include "child.h"
#include "engine/host/host_engine.h"
#include "engine/worker/gpu_worker.h"
#include "kernels/catalog.h"

namespace stridescope::engine::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(WorkerEngine, GivesWhatTheEngineGives) {
  const auto worker = workerOf("host");
  ASSERT_TRUE(worker);
  const auto host = host::makeHostEngine();
  EXPECT_EQ(worker->executor().device, host->executor().device);
  for (const char* variant : {"sequential", "unrolled_last_warp"})
    for (const std::uint64_t elements : {1024ull, 100'000ull}) {
      const model::Experiment experiment{
          .variant = variant, .threads = 512, .elements = elements, .data = model::DataPattern::Random};
      JobControl job;
      auto theirs = worker->record(experiment, job);
      const auto ours = host->record(experiment, job);
      ASSERT_TRUE(theirs && ours);
      theirs->executor.recordedOn = ours->executor.recordedOn;  // the one thing that differs: the time
      EXPECT_TRUE(*theirs == *ours) << variant << " " << elements;
    }
}

// The catalogue's `many_blocks` under another name and with another launch rule.
model::Experiment experimentOfOwnKernel() {
  model::Kernel kernel = *kernels::findVariant("many_blocks");
  kernel.id = "of_my_own";
  kernel.threads = {32};
  kernel.launch.fixed = model::FixedLaunch{.grid = 3, .block = 32, .sharedBytes = 32 * sizeof(int)};
  model::Experiment experiment{.variant = kernel.id, .threads = 32, .elements = 96};
  experiment.kernel = Shared(std::move(kernel));
  return experiment;
}

TEST(WorkerEngine, RunsAKernelThatItsExperimentCarries) {
  const auto worker = workerOf("host");
  ASSERT_TRUE(worker);
  const auto host = host::makeHostEngine();
  const model::Experiment experiment = experimentOfOwnKernel();
  JobControl job;
  auto theirs = worker->record(experiment, job);
  const auto ours = host->record(experiment, job);
  ASSERT_TRUE(theirs) << theirs.error().sentence;
  ASSERT_TRUE(ours) << ours.error().sentence;
  ASSERT_NE(theirs->experiment.kernel.get(), nullptr);
  EXPECT_EQ(theirs->experiment.kernel.get()->launch.fixed->grid, model::Dim3(3));
  EXPECT_EQ(theirs->launches.size(), 1u);
  theirs->executor.recordedOn = ours->executor.recordedOn;
  EXPECT_TRUE(*theirs == *ours);
}

TEST(WorkerEngine, ATraceOfAnotherKernelThanWasAskedForIsNonsense) {
  const auto worker = workerOf("scripted");
  model::Experiment experiment = experimentOfOwnKernel();
  JobControl job;
  const auto failed = worker->record(experiment, job);  // its trace has none
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().details, HasSubstr("its kernel is another one"));
}

TEST(WorkerEngine, EveryFieldComesThrough) {
  const auto worker = workerOf("scripted");
  auto trace = record(*worker, "anything");
  ASSERT_TRUE(trace);
  EXPECT_EQ(worker->executor().device, "scripted");
  EXPECT_EQ(worker->executor().driver, trace->checkNote) << "one process served both";
  EXPECT_NE(std::atoi(trace->checkNote.c_str()), ::getpid());
  trace->checkNote = model::sample::everyField().checkNote;
  EXPECT_TRUE(*trace == model::sample::everyField());
}

TEST(WorkerEngine, AnErrorComesThroughAndTheProcessStays) {
  const auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  const auto refused = record(*worker, "refuse");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_EQ(refused.error().sentence, "It is refused.");
  EXPECT_EQ(refused.error().details, "the details");
  EXPECT_EQ(refused.error().cause, ErrorCause::CombineText);
  EXPECT_EQ(processOf(*worker), process);
}

TEST(WorkerEngine, AnEngineThatIsOfNoUseAnyMoreIsReplaced) {
  const auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  const auto failed = record(*worker, "break");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().sentence, "The engine broke.");
  EXPECT_NE(processOf(*worker), process);
  EXPECT_TRUE(isGone(process));
}

TEST(WorkerEngine, ProgressComesThrough) {
  const auto worker = workerOf("scripted", kShort);
  std::vector<std::string> doing;
  JobControl job;
  job.progress = [&](float fraction, const std::string& what) {
    EXPECT_TRUE(fraction == 0.25f || fraction == 0.5f);
    doing.push_back(what);
  };
  // 80 steps of 20 ms: longer than it may be silent.
  ASSERT_TRUE(worker->record({.variant = "talk", .seed = 80}, job));
  ASSERT_EQ(doing.size(), 81u);
  EXPECT_EQ(doing[1], "step 0");
  EXPECT_EQ(doing[80], "step 79");
}

TEST(WorkerEngine, WhatItIsCalledAndSaysIsPrintable) {
  const auto worker = workerOf("scripted");
  std::vector<std::string> doing;
  JobControl job;
  job.progress = [&](float, const std::string& what) { doing.push_back(what); };
  const auto trace = worker->record({.variant = "rude"}, job);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->executor.device, "a\\u001b[31m\\nb");
  EXPECT_EQ(trace->launches.front().recorded().problems.front().text, "\\u202e");
  EXPECT_EQ(doing.back(), "\\u0007");
}

TEST(WorkerEngine, PreparesAll) {
  const auto worker = workerOf("scripted");
  std::vector<std::string> doing;
  JobControl job;
  job.progress = [&](float, const std::string& what) { doing.push_back(what); };
  const std::vector<model::Experiment> experiments{
      {.variant = "one"}, {.variant = "two"}, {.variant = "three"}};
  EXPECT_TRUE(worker->prepare(experiments, job));
  EXPECT_THAT(doing, testing::ElementsAre("one", "two", "three"));
  EXPECT_TRUE(worker->prepare({}, job));
  const auto failed = worker->prepare(std::vector<model::Experiment>{{.variant = "cannot"}}, job);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().sentence, "It cannot be prepared.");
}

TEST(WorkerEngine, NoEngineIsTheEnginesOwnError) {
  const auto made = makeWorkerEngine(child("no engine"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().sentence, "There is no GPU here. Use another machine.");
  EXPECT_EQ(made.error().details, "what was tried");
  EXPECT_TRUE(hasNoChildren());
}

TEST(WorkerEngine, AMissingProgramIsASentence) {
  for (const char* program : {"/nowhere/stridescope", "/etc", "/etc/passwd"}) {
    const auto made = makeWorkerEngine({.program = program, .arguments = {}});
    ASSERT_FALSE(made);
    expectAdvice(made.error());
    EXPECT_THAT(made.error().sentence, AllOf(HasSubstr("could not be started"), HasSubstr(program)));
    EXPECT_FALSE(made.error().details.empty());
  }
}

TEST(WorkerEngine, AStartThatFailsIsASentence) {
  const std::pair<const char*, const char*> cases[]{{"exit", "ended with exit code 7"},
                                                    {"garbage", "makes no sense"},
                                                    {"mute", "did not answer for 0.3 s"}};
  for (const auto& [part, what] : cases) {
    const auto made = makeWorkerEngine(child(part), {.start = 300ms});
    ASSERT_FALSE(made);
    expectAdvice(made.error());
    EXPECT_THAT(made.error().sentence, HasSubstr(what));
    EXPECT_TRUE(hasNoChildren());
  }
}

TEST(WorkerEngine, AnotherBuildOfTheProgramIsASentence) {
  for (const char* part : {"another version", "another build"}) {
    const auto made = makeWorkerEngine(child(part), kShort);
    ASSERT_FALSE(made);
    expectAdvice(made.error());
    EXPECT_THAT(made.error().sentence, HasSubstr("cannot speak with this one"));
    EXPECT_TRUE(hasNoChildren());
  }
}

TEST(WorkerEngine, AStartThatTakesLongIsToldOfAndEndsWhenItIsCancelled) {
  JobControl job;
  std::vector<std::string> told;
  job.progress = [&](float, const std::string& doing) {
    told.push_back(doing);
    if (told.size() == 3) job.cancel = true;
  };
  const auto made = makeWorkerEngine(child("mute"), {.start = 60s, .report = 10ms}, job);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(told, std::vector<std::string>(3, "starting, 0 s of at most 60 s"));
  EXPECT_TRUE(hasNoChildren());
}

TEST(WorkerEngine, ACrashNamesItsSignalAndTheNextRecordWorks) {
  const auto worker = workerOf("scripted");
  const std::pair<int, const char*> signals[]{
      {SIGSEGV, "SIGSEGV (Segmentation fault)"}, {SIGKILL, "SIGKILL (Killed)"}, {SIGBUS, "SIGBUS"}};
  for (const auto& [signal, name] : signals) {
    const pid_t process = processOf(*worker);
    const auto failed = record(*worker, "raise", std::uint64_t(signal));
    ASSERT_FALSE(failed);
    expectAdvice(failed.error());
    EXPECT_THAT(failed.error().sentence, HasSubstr(name));
    EXPECT_NE(processOf(*worker), process);
  }
  const auto failed = record(*worker, "exit", 9);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("ended with exit code 9"));
}

TEST(WorkerEngine, WhatIsThrownIsASentenceAndTheProcessStays) {
  const auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  const auto thrown = record(*worker, "throw");
  ASSERT_FALSE(thrown);
  EXPECT_THAT(thrown.error().sentence, HasSubstr("try again"));
  EXPECT_THAT(thrown.error().details, HasSubstr("an exception that the engine does not catch"));
  const auto full = record(*worker, "out of memory");
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().sentence, AllOf(HasSubstr("Out of memory"), HasSubstr("fewer elements")));
  EXPECT_EQ(processOf(*worker), process);
}

TEST(WorkerEngine, WhatItComplainedOfIsInTheDetails) {
  const auto worker = workerOf("scripted");
  const auto complained = record(*worker, "complain", 100'000);  // more than is kept, and than a pipe holds
  ASSERT_FALSE(complained);
  EXPECT_THAT(complained.error().details, HasSubstr("complaint"));
  EXPECT_LE(complained.error().details.size(), 4096u);
}

TEST(WorkerEngine, KilledInTheMiddle) {
  const auto worker = workerOf("scripted");
  JobControl job;
  std::atomic<pid_t> process{0};
  job.progress = [&](float, const std::string& number) {
    process = std::atoi(number.c_str());
    ::kill(process, SIGKILL);
  };
  const auto failed = worker->record({.variant = "hang"}, job);
  ASSERT_FALSE(failed);
  expectAdvice(failed.error());
  EXPECT_THAT(failed.error().sentence, HasSubstr("was killed by SIGKILL"));
  EXPECT_NE(processOf(*worker), process);
}

TEST(WorkerEngine, KilledWhileIdleIsNotNoticed) {
  const auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  ::kill(process, SIGKILL);
  std::this_thread::sleep_for(50ms);
  EXPECT_NE(processOf(*worker), process);
}

TEST(WorkerEngine, AHangIsEndedAtTheLimit) {
  const auto worker = workerOf("scripted", kShort);
  const pid_t process = processOf(*worker);
  const auto begin = Clock::now();
  const auto failed = record(*worker, "hang");
  const auto took = Clock::now() - begin;
  ASSERT_FALSE(failed);
  expectAdvice(failed.error(), ErrorKind::Limit);
  EXPECT_THAT(failed.error().sentence, AllOf(HasSubstr("did not answer"), HasSubstr("hangs")));
  EXPECT_GE(took, 1s);
  EXPECT_LT(took, 4s);
  EXPECT_TRUE(isGone(process));
  EXPECT_NE(processOf(*worker), process);
}

TEST(WorkerEngine, ManyElementsMayTakeLonger) {
  WorkerLimits limits = kShort;
  limits.silencePerElement = 1ms;
  const auto worker = workerOf("scripted", limits);
  JobControl job;
  const auto begin = Clock::now();
  EXPECT_FALSE(worker->record({.variant = "hang", .elements = 700}, job));
  EXPECT_GE(Clock::now() - begin, 1700ms);
}

// That holds also for a worker that says something all the time.
TEST(WorkerEngine, ItIsEndedAtTheLimitOfTheWholeToo) {
  WorkerLimits limits = kShort;
  limits.run = 500ms;
  const auto worker = workerOf("scripted", limits);
  JobControl job;
  const auto failed = worker->record({.variant = "talk", .seed = 1000}, job);
  ASSERT_FALSE(failed);
  expectAdvice(failed.error(), ErrorKind::Limit);
  EXPECT_THAT(failed.error().sentence, HasSubstr("was not done after 0.5 s and was stopped"));
  EXPECT_TRUE(worker->tryOperator({.variant = "talk", .seed = 50}, job)) << "a trial has a limit of its own";
  limits = kShort;
  limits.trial = 500ms;
  const auto trial = workerOf("scripted", limits)->tryOperator({.variant = "talk", .seed = 1000}, job);
  ASSERT_FALSE(trial);
  EXPECT_THAT(trial.error().sentence, HasSubstr("Try again")) << "nothing was being recorded";
}

TEST(WorkerEngine, ProgressIsToldThoughItSaysNothing) {
  WorkerLimits limits = kShort;
  limits.report = 100ms;
  limits.run = 60s;
  const auto worker = workerOf("scripted", limits);
  std::vector<std::string> told;
  JobControl job;
  job.progress = [&](float fraction, const std::string& doing) {
    EXPECT_EQ(fraction, 0.25f);
    told.push_back(doing);
  };
  EXPECT_FALSE(worker->record({.variant = "hang"}, job));
  ASSERT_GE(told.size(), 3u);
  EXPECT_EQ(told[1], told[0] + ", 0 s of at most 60 s");
}

TEST(WorkerEngine, ProgressIsShortAndAFraction) {
  for (std::uint64_t odd = 0; odd < 4; ++odd) {
    const auto worker = workerOf("scripted", kShort);
    const auto failed = record(*worker, "odd progress", odd);
    ASSERT_FALSE(failed) << odd;
    EXPECT_THAT(failed.error().sentence, HasSubstr("makes no sense")) << odd;
  }
}

TEST(WorkerEngine, ALongerTraceThanIsTakenIsNonsense) {
  WorkerLimits limits = kShort;
  limits.traceBytes = 1 << 20;
  const auto worker = workerOf("scripted", limits);
  JobControl job;
  EXPECT_TRUE(worker->record({.variant = "large", .threads = 32, .elements = 1024}, job));  // half of it
  const auto failed = worker->record({.variant = "large", .threads = 32, .elements = 4096}, job);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("makes no sense"));
}

TEST(WorkerEngine, ItsVariablesAreTheCommandsOrThisPrograms) {
  ::setenv("STRIDESCOPE_TEST", "here", 1);
  EXPECT_THAT(record(*workerOf("scripted"), "environment")->checkNote, HasSubstr("STRIDESCOPE_TEST=here;"));
  WorkerCommand command = child("scripted");
  command.environment = {"A=1", "B=2"};
  EXPECT_EQ(record(**makeWorkerEngine(command), "environment")->checkNote, "A=1;B=2;");
  command.environment = std::vector<std::string>();
  EXPECT_EQ(record(**makeWorkerEngine(command), "environment")->checkNote, "");
  ::unsetenv("STRIDESCOPE_TEST");
}

TEST(WorkerEngine, NonsenseIsASentence) {
  for (const char* part : {"late garbage", "wrong body", "wrong number"}) {
    SCOPED_TRACE(part);
    const auto worker = workerOf(part, kShort);
    const auto failed = record(*worker, "anything");
    ASSERT_FALSE(failed);
    expectAdvice(failed.error());
    EXPECT_THAT(failed.error().sentence, HasSubstr("makes no sense"));
  }
  const auto worker = workerOf("half", kShort);
  const auto failed = record(*worker, "anything");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("was stopped"));
}

TEST(WorkerEngine, ATraceThatDoesNotHoldTogetherIsNonsense) {
  const auto worker = workerOf("scripted");
  const auto failed = record(*worker, "faulty");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("makes no sense"));
  EXPECT_THAT(failed.error().details, HasSubstr("which thread its events belong to"));
  EXPECT_TRUE(record(*worker, "anything"));
}

TEST(WorkerEngine, AWorkerThatDoesNotReadDoesNotHoldTheProgramUp) {
  const auto worker = workerOf("never reads", kShort);
  const std::vector<model::Experiment> experiments(20'000,
                                                   {.variant = std::string(50, 'v')});  // more than fits
  JobControl job;
  const auto begin = Clock::now();
  EXPECT_FALSE(worker->prepare(experiments, job));
  EXPECT_LT(Clock::now() - begin, 10s);
}

TEST(GpuWorkerCommand, IsUnderstoodByTheProgramItStarts) {
  const WorkerCommand command = GpuWorkers().command({"gpu-worker", "12"});
  ASSERT_EQ(command.arguments.size(), 2u);
  const char* arguments[]{"stridescope", command.arguments[0].c_str(), command.arguments[1].c_str()};
  EXPECT_EQ(gpuWorkerIndex(3, arguments), 12u);
  EXPECT_EQ(gpuWorkerIndex(2, arguments), std::nullopt);
  for (const char* number : {"", "-1", "1x", "x", "99999999999"}) {
    arguments[2] = number;
    EXPECT_EQ(gpuWorkerIndex(3, arguments), std::nullopt) << number;
  }
  const char* step[]{"stridescope", "step", "1"};
  EXPECT_EQ(gpuWorkerIndex(3, step), std::nullopt);
}

}  // namespace
}  // namespace stridescope::engine::worker
