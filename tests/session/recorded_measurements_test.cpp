// Measurements out of a recording: each table is read once for a run.
#include <gtest/gtest.h>

#include <fstream>

#include "archive/recording_file.h"
#include "kernels/catalog.h"
#include "lab/known/recorded.h"
#include "support/fake_engine.h"
#include "support/grid_records.h"
#include "support/ladder_trace.h"
#include "support/stand_in_clock.h"
#include "support/temporary_folder.h"

namespace stridescope::session {
namespace {

using support::ladderExperiment;

const model::Trace& trace() {
  static const model::Trace made = support::ladderTrace("sequential", 256, model::ElementType::Int);
  return made;
}

model::ClockRecord clockOf(const char* device) {
  auto clock = support::standInRecord(trace(), model::ClockedGrid::Alone, 2,
                                      [](std::size_t mark) { return mark * mark; });
  clock.executor.device = device;
  return clock;
}

lab::sources::RecordSet shippedClock() {
  lab::sources::RecordSet shipped;
  shipped.of<model::ClockRecord>() = [] { return std::vector{clockOf("Shipped")}; };
  return shipped;
}

struct MeasurementsOfARecording : testing::Test {
  support::Folder folder;
  const std::string file = (folder / "a.stride").native();
  const lab::sources::RecordSet shipped = shippedClock();

  void write() {
    const std::vector clocks{clockOf("Its own")};
    model::TimelineRecord timeline = support::smallTimeline();
    timeline.experiment = trace().experiment;
    timeline.experiment.elements = 1 << 20;
    timeline.executor.recordedOn = "2020-01-01T00:00:00Z";
    const auto written =
        archive::writeRecording(file, {&trace(), 1}, true, {clocks, std::span(&timeline, 1)});
    ASSERT_TRUE(written) << written.error().sentence;
  }
};

TEST_F(MeasurementsOfARecording, AreReadOnce) {
  write();
  const lab::Recorded recorded = lab::recordedFor(file, shipped);
  const auto first = *recorded.of<model::ClockRecord>()(trace().experiment);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].executor.device, "Shipped");
  EXPECT_EQ(first[1].executor.device, "Its own");
  std::filesystem::remove(file);
  EXPECT_EQ(*recorded.of<model::ClockRecord>()(trace().experiment), first);
  EXPECT_TRUE(recorded.of<model::ClockRecord>()(ladderExperiment("interleaved_modulo"))->empty());
}

TEST_F(MeasurementsOfARecording, AreReadAnewForAnotherRun) {
  write();
  EXPECT_EQ(lab::recordedFor(file, shipped).of<model::ClockRecord>()(trace().experiment)->size(), 2u);
  std::filesystem::remove(file);
  EXPECT_FALSE(lab::recordedFor(file, shipped).of<model::ClockRecord>()(trace().experiment));
}

TEST_F(MeasurementsOfARecording, AreNoneWhereTheyCannotBeRead) {
  std::ofstream(file) << "no recording";
  EXPECT_FALSE(lab::recordedFor(file, shipped).of<model::ClockRecord>()(trace().experiment));
}

TEST_F(MeasurementsOfARecording, OfTimelinesAreThoseOfAnySize) {
  write();
  EXPECT_EQ(lab::recordedFor(file, shipped).of<model::TimelineRecord>()(trace().experiment)->size(), 1u);
}

// Though they are older. A size that the file does not have is the shipped recordings'.
TEST_F(MeasurementsOfARecording, StandInPlaceOfTheShippedOnesOfTheSameRun) {
  write();
  const model::TimelineRecord own = archive::readQuantity<model::TimelineRecord>(file)->front();
  model::TimelineRecord newer = own, ofAnotherSize = own;
  newer.executor.recordedOn = "2026-01-01T00:00:00Z";
  ofAnotherSize.experiment.elements = 1 << 16;
  lab::sources::RecordSet others;
  others.of<model::TimelineRecord>() = [=] { return std::vector{newer, ofAnotherSize}; };
  EXPECT_THAT(*lab::recordedFor(file, others).of<model::TimelineRecord>()(own.experiment),
              testing::ElementsAre(ofAnotherSize, own));
}

TEST_F(MeasurementsOfARecording, AreTheShippedOnesOfAnEngine) {
  EXPECT_EQ(lab::recordedFor("host", shipped).of<model::ClockRecord>()(trace().experiment)->size(), 1u);
  EXPECT_TRUE(lab::recordedFor("host", {}).of<model::ClockRecord>()(trace().experiment)->empty());
}

TEST(RecordedOfARun, IsAskedForOnce) {
  support::FakeEngines engines;
  engines.trace = trace();
  engines.clocks = {clockOf("Its own")};
  SessionServices services = engines.services();
  int asked = 0;
  services.known.recorded = [&](const std::string&) {
    ++asked;
    return engines.recorded();
  };
  Session session(services, Settings(),
                  Start{.experiment = ladderExperiment("sequential"), .engine = "host"});
  session.waitForJobs();
  EXPECT_FALSE(session.replay().cycles().variants.empty());
  EXPECT_EQ(asked, 1);
}

// As in a page, which fetches its recordings while a person steps already.
TEST(RecordedOfARun, ArrivesLaterAndLeavesTheRunAndWhatWasPredictedOfIt) {
  support::FakeEngines engines;
  engines.trace = trace();
  engines.clocks = {clockOf("Its own")};
  SessionServices services = engines.services();
  bool isThere = false;
  services.known.recorded = [&](const std::string& id) {
    return isThere ? engines.recorded() : lab::recordedFor(id, {});
  };
  Session session(services, Settings(),
                  Start{.experiment = ladderExperiment("sequential"), .engine = "host"});
  session.waitForJobs();
  const std::shared_ptr<const lab::Run> run = session.replay().sharedRun();
  session.takeShippedRecordings({});
  session.waitForJobs();
  EXPECT_TRUE(session.replay().cycles().variants.empty());

  session.apply(EnterMode{Mode::Predict});
  session.apply(PredictStep{.act = PredictAct::Reveal});
  ASSERT_TRUE(session.predict().isJudged());
  const unsigned round = session.replay().playhead().round;
  isThere = true;
  session.takeShippedRecordings({});
  session.waitForJobs();
  EXPECT_TRUE(session.predict().isJudged());
  EXPECT_EQ(session.replay().playhead().round, round);
  session.apply(EnterMode{Mode::Explore});
  EXPECT_FALSE(session.replay().cycles().variants.empty());
  EXPECT_EQ(session.replay().sharedRun(), run);
}

// What opening a recording reads to find its traces, its engine is made of.
TEST_F(MeasurementsOfARecording, ItsIndexIsReadOnceWhenItIsOpened) {
  write();
  support::FakeEngines engines;
  SessionServices services = engines.services();
  int made = 0;
  services.makeRecorded = [&](const std::string& path, const archive::RecordingIndex& index) {
    ++made;
    EXPECT_EQ(path, file);
    EXPECT_EQ(index.traces.size(), 1u);
    return *services.makeEngine(path);
  };
  Session session(services, Settings(),
                  Start{.experiment = ladderExperiment("interleaved_modulo"), .engine = "host"});
  session.waitForJobs();
  session.apply(ChooseEngine{file});
  session.waitForJobs();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace stridescope::session
