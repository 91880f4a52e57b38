// A library's call that hangs, crashes or exits is told from long work, and named.
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "engine/library_call.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct WatchedWorker : testing::Test {
  WorkerCommand command = child("watched");
  std::vector<Error> hangs;
  std::unique_ptr<Engine> worker;

  void SetUp() override {
    command.callLimit = 400ms;
    command.onHang = [this](const Error& error) { hangs.push_back(error); };
    auto made = makeWorkerEngine(command);
    ASSERT_TRUE(made) << made.error().sentence;
    worker = std::move(*made);
  }
};

TEST_F(WatchedWorker, ACallThatHangsIsNamedAndTheNextRecordWorks) {
  const auto begin = Clock::now();
  const auto failed = record(*worker, "hang in a call");
  ASSERT_FALSE(failed);
  EXPECT_LT(Clock::now() - begin, 10s) << "the silence that is allowed is 20 s";
  expectAdvice(failed.error());
  EXPECT_THAT(failed.error().sentence, HasSubstr("cuHang did not return within 0.4 s"));
  ASSERT_EQ(hangs.size(), 1u);
  EXPECT_EQ(hangs.front().sentence, failed.error().sentence);
  EXPECT_TRUE(record(*worker, "anything"));
}

TEST_F(WatchedWorker, ACallThatHangsOnAnotherThreadIsNamed) {
  const auto failed = record(*worker, "hang on a thread");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("nvrtcHang did not return"));
}

TEST_F(WatchedWorker, CallsThatReturnMayTakeAsLongAsTheyLikeTogether) {
  EXPECT_TRUE(record(*worker, "short calls", 60));
  EXPECT_TRUE(hangs.empty());
}

TEST_F(WatchedWorker, ALongCallMayTakeLonger) {
  EXPECT_TRUE(record(*worker, "a long call", 1000));
  EXPECT_TRUE(hangs.empty());
}

TEST_F(WatchedWorker, ACallThatEndsTheProcessIsNamed) {
  const auto crashed = record(*worker, "crash in a call");
  ASSERT_FALSE(crashed);
  EXPECT_THAT(crashed.error().sentence, HasSubstr("was killed by SIGSEGV (Segmentation fault) in cuHang."));
  const auto ended = record(*worker, "exit in a call", 5);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().sentence, HasSubstr("ended with exit code 5 in cuHang."));
  const auto elsewhere = record(*worker, "exit", 5);
  ASSERT_FALSE(elsewhere);
  EXPECT_THAT(elsewhere.error().sentence,
              AllOf(HasSubstr("ended with exit code 5."), Not(HasSubstr(" in cu"))));
}

TEST_F(WatchedWorker, ThatIsLeftInACallIsNotWaitedFor) {
  JobControl job;
  job.progress = [&](float, const std::string&) { job.cancel = true; };
  EXPECT_FALSE(worker->record({.variant = "hang in a call"}, job));
  const auto begin = Clock::now();
  worker.reset();
  EXPECT_LT(Clock::now() - begin, 2s);
  EXPECT_TRUE(hasNoChildren());
}

TEST(WorkerThatIsNotWatched, MakesTheSameCalls) {
  const auto worker = makeWorkerEngine(child("watched"), {.silence = 300ms});
  ASSERT_TRUE(worker);
  EXPECT_TRUE(record(**worker, "short calls", 3));
  const auto failed = record(**worker, "hang in a call");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("did not answer for 0.3 s"));
}

// The descriptor may be anybody's where a person starts the worker's command.
TEST(LibraryCalls, AreShownInNobodysFile) {
  const int file = ::memfd_create("a person's file", 0);
  ASSERT_EQ(::ftruncate(file, sizeof(CallBoard)), 0);
  EXPECT_FALSE(showLibraryCalls(file));
  EXPECT_FALSE(showLibraryCalls(-1));
  ::close(file);
}

}  // namespace
}  // namespace stridescope::engine::worker
