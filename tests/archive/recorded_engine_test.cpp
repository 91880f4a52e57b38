#include "engine/recorded/recorded_engine.h"

#include <gtest/gtest.h>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;

std::vector<model::Trace> twoTraces() {
  std::vector<model::Trace> traces{model::sample::everyField(), model::sample::everyField()};
  traces[0].experiment = {"sequential",
                          model::ElementType::Int,
                          model::Operator::Add,
                          256,
                          512,
                          model::DataPattern::Ramp,
                          1,
                          0,
                          0};
  traces[1].experiment = {"sequential",
                          model::ElementType::Int,
                          model::Operator::Add,
                          512,
                          512,
                          model::DataPattern::Random,
                          9,
                          0,
                          3};
  for (model::Trace& trace : traces) {
    trace.preamble = kernels::preambleOf(trace.kernelText, trace.experiment);
    trace.launches.clear();  // they have other block sizes
    trace.result = trace.expected = engine::checkResult(trace.experiment, 0).expected;
    trace.checkNote.clear();
  }
  return traces;
}

TEST(RecordedEngine, GivesTheTraceThatMatches) {
  const Folder folder;
  const std::vector<model::Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = engine::recorded::openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine) << engine.error().sentence;
  EXPECT_EQ((*engine)->executor(), model::sample::recorded(traces[0]).executor);
  for (const model::Trace& trace : traces) {
    engine::JobControl job;
    const Result<model::Trace> read = (*engine)->record(trace.experiment, job);
    ASSERT_TRUE(read) << read.error().sentence;
    model::Trace judged = model::sample::recorded(trace);
    judged.verdictIsRecorded = false;
    EXPECT_EQ(*read, judged);
  }
}

TEST(RecordedEngine, ListsWhatThereIsWhenNothingMatches) {
  const Folder folder;
  const std::vector<model::Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = engine::recorded::openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  model::Experiment wanted = traces[0].experiment;
  wanted.threads = 128;
  engine::JobControl job;
  const Result<model::Trace> none = (*engine)->record(wanted, job);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::Usage);
  for (const char* piece : {"no trace of sequential int + ramp, 128 threads, 512 elements",
                            "sequential int + ramp, 256 threads, 512 elements;",
                            "sequential int + random, 512 threads, 512 elements, seed 9, block 3."})
    EXPECT_NE(none.error().sentence.find(piece), std::string::npos) << none.error().sentence;
}

TEST(RecordedEngine, ListsOnlySomeOfMany) {
  const Folder folder;
  std::vector<model::Trace> traces(40, model::sample::empty());
  for (unsigned i = 0; i < traces.size(); ++i) traces[i].experiment.elements = i;
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = engine::recorded::openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  engine::JobControl job;
  const Result<model::Trace> none = (*engine)->record({.variant = "w"}, job);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().sentence.find("; and 28 more."), std::string::npos) << none.error().sentence;
}

TEST(RecordedEngine, NamesAllItsDevices) {
  const Folder folder;
  std::vector<model::Trace> traces = twoTraces();
  traces[0].executor = {model::EngineKind::Gpu, "GPU A", "9.0", "580", "NVRTC 13.0", "2026-02-01T00:00:00Z"};
  traces[1].executor = {model::EngineKind::Host, "CPU executor", "", "", "g++", "2026-01-01T00:00:00Z"};
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = engine::recorded::openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  const model::Executor executor = (*engine)->executor();
  EXPECT_EQ(executor, (model::Executor{model::EngineKind::Recorded, "GPU A and CPU executor", "", "", "",
                                       "2026-01-01T00:00:00Z"}));
}

TEST(RecordedEngine, SaysThatTheFileChanged) {
  const Folder folder;
  std::vector<model::Trace> traces = twoTraces();
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto engine = engine::recorded::openRecordedEngine(folder / "a.stride");
  ASSERT_TRUE(engine);
  std::swap(traces[0], traces[1]);
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, true));
  engine::JobControl job;
  const Result<model::Trace> read = (*engine)->record(traces[0].experiment, job);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().sentence.find("has changed"), std::string::npos);
}

TEST(RecordedEngine, IsNotMadeOfAnotherFile) {
  const Folder folder;
  support::writeContents(folder / "text", "hello");
  const auto engine = engine::recorded::openRecordedEngine(folder / "text");
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(engine.error().sentence.find("is not a recording"), std::string::npos);
}

// What Source shows must be what would run.
TEST(RecordedTrace, WithAnotherPreambleThanItsOwnIsRefused) {
  const Folder folder;
  std::vector<model::Trace> traces = twoTraces();
  for (model::Trace& trace : traces) {
    trace.experiment.op = model::Operator::Custom;
    trace.experiment.custom = {"a + b", "7", 7};
    trace.launches.clear();
    trace.preamble = kernels::preambleOf(trace.kernelText, trace.experiment);
  }
  traces[1].preamble =
      kernels::preambleOf(traces[1].kernelText, {.variant = "v", .op = model::Operator::Add});
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  EXPECT_TRUE(engine::recorded::readRecordedTrace(folder / "a.stride", 1));
  const auto refused = engine::recorded::readRecordedTrace(folder / "a.stride", 2);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("its preamble is not the one"), std::string::npos)
      << refused.error().sentence;
}

TEST(RecordedTrace, WithAnotherIdentityThanItShowsIsRefused) {
  const Folder folder;
  std::vector<model::Trace> traces = twoTraces();
  traces[0].experiment.op = model::Operator::Custom;
  traces[0].experiment.custom = {"a + b", "7", 8};
  traces[0].preamble = kernels::preambleOf(traces[0].kernelText, traces[0].experiment);
  ASSERT_TRUE(writeRecording(folder / "a.stride", traces, false));
  const auto refused = engine::recorded::readRecordedTrace(folder / "a.stride", 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("its identity is not the one"), std::string::npos)
      << refused.error().sentence;
}

}  // namespace
}  // namespace stridescope::archive
