// How long a worker lives: over a cancelled request, not longer than its owner, and without leaving anything
// behind.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "child.h"

namespace stridescope::engine::worker {
namespace {

// Cancels as soon as the worker is at work.
Error cancelledError(Engine& engine, const std::string& variant) {
  JobControl job;
  job.progress = [&](float, const std::string&) { job.cancel = true; };
  const auto begin = Clock::now();
  const auto trace = engine.record({.variant = variant}, job);
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_FALSE(trace);
  return trace ? Error{} : trace.error();
}

TEST(WorkerLifetime, CancellingReturnsAtOnceAndKeepsTheProcess) {
  const auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(cancelledError(*worker, "wait").kind, ErrorKind::Cancelled);
  EXPECT_EQ(processOf(*worker), process);
}

TEST(WorkerLifetime, WhatDoesNotEndWhenCancelledIsReplaced) {
  const auto worker = workerOf("scripted", kShort);
  const pid_t process = processOf(*worker);
  EXPECT_EQ(cancelledError(*worker, "hang").kind, ErrorKind::Cancelled);
  const auto begin = Clock::now();
  EXPECT_NE(processOf(*worker), process);
  EXPECT_LT(Clock::now() - begin, 3s);
}

TEST(WorkerLifetime, ACancelledJobIsNotEvenAsked) {
  const auto worker = workerOf("scripted", kShort);
  const pid_t process = processOf(*worker);
  JobControl job;
  job.cancel = true;
  const auto trace = worker->record({.variant = "hang"}, job);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(processOf(*worker), process) << "it does not hang";
}

TEST(WorkerLifetime, GoesAtOnceWithItsOwner) {
  auto worker = workerOf("scripted");
  const pid_t process = processOf(*worker);
  cancelledError(*worker, "hang");
  const auto begin = Clock::now();
  worker.reset();
  EXPECT_LT(Clock::now() - begin, 1500ms);
  EXPECT_TRUE(isGone(process));
}

TEST(WorkerLifetime, WhySilenceEndsItIsTheCommandsToSay) {
  WorkerCommand command = child("scripted");
  command.causeOfSilence = "it sleeps";
  const auto worker = makeWorkerEngine(command, kShort).value();
  const auto trace = record(*worker, "hang");
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, testing::HasSubstr("and was stopped: it sleeps. "));
}

// What a worker has started ends with it, whether it ends by itself or is stopped.
TEST(WorkerLifetime, TakesWhatItStartedWithIt) {
  for (const std::uint64_t exitCode : {0u, 3u}) {
    const auto worker = workerOf("scripted", kShort);
    JobControl job;
    pid_t started = 0;
    job.progress = [&](float fraction, const std::string& number) {
      if (fraction > 0.4f) started = std::atoi(number.c_str());
    };
    EXPECT_FALSE(worker->record({.variant = "fork", .seed = exitCode}, job));
    ASSERT_GT(started, 0);
    EXPECT_TRUE(isGone(started));
    ::kill(started, SIGKILL);
  }
}

TEST(WorkerLifetime, OneThatLeftItsGroupIsEndedToo) {
  const auto worker = workerOf("scripted", kShort);
  JobControl job;
  pid_t process = 0;
  job.progress = [&](float, const std::string& number) { process = std::atoi(number.c_str()); };
  EXPECT_FALSE(worker->record({.variant = "leave"}, job));
  ASSERT_GT(process, 0);
  EXPECT_TRUE(isGone(process));
  ::kill(process, SIGKILL);
}

TEST(WorkerLifetime, HowLongItMayTakeToLeaveIsALimit) {
  WorkerLimits limits = kShort;
  limits.leaving = 0ms;
  auto worker = workerOf("scripted", limits);
  const pid_t process = processOf(*worker);
  worker.reset();
  EXPECT_TRUE(isGone(process));
}

// The program is killed: its worker notices by its socket, in the middle of work that never ends.
TEST(WorkerLifetime, GoesWithTheProgram) {
  int line[2];
  ASSERT_EQ(::pipe2(line, O_CLOEXEC), 0);
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    ::dup2(line[1], STDOUT_FILENO);
    ::execl(STRIDESCOPE_WORKER_CHILD, STRIDESCOPE_WORKER_CHILD, "owner", nullptr);
    ::_exit(127);
  }
  char text[32]{};
  ASSERT_GT(::read(line[0], text, sizeof text - 1), 0);
  const pid_t worker = std::atoi(text);
  ASSERT_GT(worker, 0);
  EXPECT_EQ(::kill(worker, 0), 0);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  EXPECT_TRUE(isGone(worker));
  ::close(line[0]);
  ::close(line[1]);
}

TEST(WorkerLifetime, InheritsNothing) {
  const int left = ::fcntl(STDERR_FILENO, F_DUPFD, 20);  // one that every child would get
  const auto worker = workerOf("scripted");
  const auto trace = record(*worker, "descriptors");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->checkNote, "0 1 2 3 ");
  ::close(left);
}

TEST(WorkerLifetime, SeveralAtOnce) {
  std::vector<std::unique_ptr<Engine>> workers;
  for (int i = 0; i < 8; ++i) workers.push_back(workerOf("scripted"));
  std::vector<std::jthread> threads;
  std::atomic<int> good{0};
  for (const auto& worker : workers)
    for (int k = 0; k < 2; ++k)  // two threads on each: one waits for the other
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) good += record(*worker, i % 7 == 6 ? "break" : "anything") ? 1 : 0;
      });
  threads.clear();
  EXPECT_EQ(good, 8 * 2 * 18);
}

TEST(WorkerLifetime, ALargeTrace) {
  const auto worker = workerOf("scripted");
  JobControl job;
  const auto trace = worker->record({.variant = "large", .threads = 1024, .elements = 4096}, job);  // 64 MiB
  ASSERT_TRUE(trace) << trace.error().sentence << trace.error().details;
  EXPECT_EQ(trace->launches.front().recorded().events.size(), 1024u * 4096u);
}

TEST(WorkerLifetime, LeavesNothingBehind) {
  { const auto warm = workerOf("scripted"); }
  const unsigned before = openDescriptors();
  for (int i = 0; i < 50; ++i) {
    const auto worker = workerOf("scripted", kShort);
    ASSERT_TRUE(record(*worker, "anything"));
    switch (i % 4) {
      case 0:
        EXPECT_FALSE(record(*worker, "raise", SIGKILL));
        break;
      case 1:
        EXPECT_FALSE(record(*worker, "break"));
        break;
      case 2:
        cancelledError(*worker, "hang");
        break;
      default:
        EXPECT_TRUE(record(*worker, "anything"));
    }
    if (i % 8 < 4) {
      EXPECT_TRUE(record(*worker, "anything"));
    }
    EXPECT_FALSE(makeWorkerEngine(child("exit")));
    EXPECT_FALSE(makeWorkerEngine({.program = "/nowhere", .arguments = {}}));
  }
  EXPECT_EQ(openDescriptors(), before);
  EXPECT_TRUE(hasNoChildren());
}

}  // namespace
}  // namespace stridescope::engine::worker
