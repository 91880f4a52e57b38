#include "engine/recorded/recorded_engine.h"

#include <gtest/gtest.h>

#include "sample_traces.h"
#include "trace/recording_file.h"

namespace stridescope {
namespace {

using sample::Folder;

std::vector<Trace> twoTraces() {
  std::vector<Trace> traces{sample::everyField(), sample::everyField()};
  traces[0].experiment = {
      "sequential", ElementType::Int, Operator::Add, 256, 512, DataPattern::Ramp, 1, 0, 0};
  traces[1].experiment = {
      "sequential", ElementType::Int, Operator::Add, 512, 512, DataPattern::Random, 9, 0, 3};
  traces[1].result = "other";
  return traces;
}

TEST(RecordedEngine, GivesTheTraceThatMatches) {
  const Folder folder;
  const std::vector<Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine) << engine.error().sentence;
  EXPECT_EQ((*engine)->executor(), sample::recorded(traces[0]).executor);
  for (const Trace& trace : traces) {
    JobControl job;
    const Result<Trace> read = (*engine)->record(trace.experiment, job);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, sample::recorded(trace));
  }
}

TEST(RecordedEngine, ListsWhatThereIsWhenNothingMatches) {
  const Folder folder;
  const std::vector<Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  Experiment wanted = traces[0].experiment;
  wanted.threads = 128;
  JobControl job;
  const Result<Trace> none = (*engine)->record(wanted, job);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::Usage);
  for (const char* piece : {"no trace of sequential int + ramp, 128 threads, 512 elements",
                            "sequential int + ramp, 256 threads, 512 elements;",
                            "sequential int + random, 512 threads, 512 elements, seed 9, block 3."})
    EXPECT_NE(none.error().sentence.find(piece), std::string::npos) << none.error().sentence;
}

TEST(RecordedEngine, ListsOnlySomeOfMany) {
  const Folder folder;
  std::vector<Trace> traces(40, sample::empty());
  for (unsigned i = 0; i < traces.size(); ++i) traces[i].experiment.elements = i;
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  JobControl job;
  const Result<Trace> none = (*engine)->record({.variant = "w"}, job);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().sentence.find("; and 28 more."), std::string::npos) << none.error().sentence;
}

TEST(RecordedEngine, NamesAllItsDevices) {
  const Folder folder;
  std::vector<Trace> traces = twoTraces();
  traces[0].executor = {EngineKind::Gpu, "GPU A", "9.0", "580", "NVRTC 13.0", "2026-02-01T00:00:00Z"};
  traces[1].executor = {EngineKind::Host, "CPU executor", "", "", "g++", "2026-01-01T00:00:00Z"};
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  const Executor executor = (*engine)->executor();
  EXPECT_EQ(executor,
            (Executor{EngineKind::Recorded, "GPU A and CPU executor", "", "", "", "2026-01-01T00:00:00Z"}));
}

TEST(RecordedEngine, SaysThatTheFileChanged) {
  const Folder folder;
  std::vector<Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  std::swap(traces[0], traces[1]);
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, true));
  JobControl job;
  const Result<Trace> read = (*engine)->record(traces[0].experiment, job);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().sentence.find("has changed"), std::string::npos);
}

TEST(RecordedEngine, IsNotMadeOfAnotherFile) {
  const Folder folder;
  sample::writeContents(folder / "text", "hello");
  const auto engine = openRecordedEngine(folder / "text");
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(engine.error().sentence.find("is not a recording"), std::string::npos);
}

}  // namespace
}  // namespace stridescope
