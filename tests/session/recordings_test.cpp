// Opening and saving recordings from the session.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/recorded/recorded_engine.h"
#include "support/fake_engine.h"
#include "support/ladder_trace.h"
#include "support/stand_in_clock.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

class Recordings : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static model::Trace traceOf(const std::string& variant, unsigned threads) {
    model::Trace trace = support::ladderTrace(variant, threads, model::ElementType::Int);
    trace.experiment = ladderExperiment(variant, threads);
    trace.executor = {.kind = model::EngineKind::Gpu,
                      .device = "NVIDIA H200",
                      .computeCapability = "9.0",
                      .driver = "580.0",
                      .compiler = "NVRTC 13.0",
                      .recordedOn = "2026-01-02T03:04:05Z"};
    return trace;
  }
  std::string write(const std::string& name, const std::vector<model::Trace>& traces) const {
    const auto written = archive::writeRecording(file(name), traces, false);
    EXPECT_TRUE(written) << written.error().sentence;
    return file(name);
  }
  // Engines that take a path for a recording, as the program's do.
  std::unique_ptr<Session> open() {
    SessionServices services = engines_.services();
    services.shippedRecordings = shipped_;
    services.makeEngine =
        [make = services.makeEngine](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      if (id.find('/') == std::string::npos) return make(id);
      auto engine = engine::recorded::openRecordedEngine(id);
      if (!engine) return tl::unexpected(engine.error());
      return std::shared_ptr<engine::Engine>(std::move(*engine));
    };
    auto session = std::make_unique<Session>(services, Settings(),
                                             Start{.experiment = ladderExperiment("sequential"),
                                                   .elementsGiven = false,
                                                   .round = 3,
                                                   .engine = "host"});
    session->waitForJobs();
    return session;
  }

  FakeEngines engines_;
  std::vector<std::string> shipped_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("stridescope-session-" + std::to_string(getpid()));
};

TEST_F(Recordings, OpeningOneShowsItsFirstTrace) {
  const std::string path =
      write("a.stride", {traceOf("interleaved_modulo", 64), traceOf("interleaved_contiguous", 64)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  ASSERT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->workspace().experiment().variant, "interleaved_modulo");
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Recorded);
  EXPECT_EQ(session->replay().run()->trace.executor.device, "NVIDIA H200");
  EXPECT_EQ(session->workspace().engineId(), path);
  ASSERT_TRUE(session->workspace().recording());
  EXPECT_EQ(session->workspace().recording()->traces.size(), 2u);
  EXPECT_EQ(session->app().settings().recent, std::vector<std::string>{path});
  EXPECT_EQ(session->replay().playhead().round, 3u);
}

TEST_F(Recordings, OpeningOneClosesTheFirstStartsQuestion) {
  auto session = sessionOf(engines_, ladderExperiment("sequential"), 0);
  session->app().openOverlay(Overlay::Welcome);
  session->apply(OpenRecording{write("one.stride", {traceOf("sequential", 64)})});
  EXPECT_EQ(session->app().overlay(), Overlay::None);
}

TEST_F(Recordings, OpeningOneKeepsTheExperimentIfItIsThere) {
  const std::string path =
      write("a.stride", {traceOf("interleaved_modulo", 256), traceOf("sequential", 256)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "sequential");
}

TEST_F(Recordings, OpeningOneKeepsTheVariantIfItIsThere) {
  const std::string path = write("a.stride", {traceOf("interleaved_modulo", 256), traceOf("sequential", 64)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.experiment, ladderExperiment("sequential", 64));
}

TEST_F(Recordings, OfThoseThatCameWithTheProgramTheNearestIsOpened) {
  model::Trace other = traceOf("sequential", 256);
  other.experiment.seed = 99;
  shipped_ = {write("a-merges.stride", {traceOf("interleaved_modulo", 256)}),
              write("b.stride", {traceOf("sequential", 64), other}),
              write("c.stride", {traceOf("interleaved_modulo", 256), traceOf("sequential", 256)})};
  const auto session = open();
  session->apply(OpenShippedRecording{});
  session->waitForJobs();
  ASSERT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->workspace().engineId(), shipped_[2]);
  EXPECT_EQ(session->replay().run()->trace.experiment, ladderExperiment("sequential"));
  EXPECT_EQ(session->replay().playhead().round, 3u);  // where it stood

  session->apply(ChooseEngine{"host"});
  session->waitForJobs();
  session->apply(Choose(&model::Experiment::seed, 99));
  session->waitForJobs();
  session->apply(OpenShippedRecording{});
  session->waitForJobs();
  EXPECT_EQ(session->workspace().engineId(), shipped_[1]);
  EXPECT_EQ(session->replay().run()->trace.experiment, other.experiment);
}

TEST_F(Recordings, WhereNoneFitsTheFirstIsOpened) {
  shipped_ = {file("missing.stride"), write("b.stride", {traceOf("interleaved_modulo", 64)})};
  const auto session = open();
  session->apply(OpenShippedRecording{});
  session->waitForJobs();
  ASSERT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->workspace().engineId(), shipped_[1]);
  shipped_ = {file("missing.stride")};
  const auto without = open();
  without->apply(OpenShippedRecording{});
  without->waitForJobs();
  ASSERT_TRUE(without->app().message());
  EXPECT_NE(without->app().message()->sentence.find("missing.stride"), std::string::npos);
  EXPECT_EQ(without->workspace().engineId(), "host");
}

// Its n is asked for on, unless it is what a block takes in at once: then n follows the variant.
TEST_F(Recordings, NStaysTheRecordingsWhenAnotherOfItsVariantsIsChosen) {
  std::vector<model::Trace> traces{traceOf("interleaved_modulo", 64), traceOf("sequential", 64)};
  for (model::Trace& trace : traces) trace.experiment.elements = 1000;
  const std::string path = write("thousand.stride", traces);
  const std::string loads =
      write("loads.stride", {traceOf("interleaved_modulo", 64), traceOf("first_add_on_load", 64)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  session->apply(Choose(&model::Experiment::variant, "sequential"));
  session->waitForJobs();
  EXPECT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->replay().run()->trace.experiment, traces[1].experiment);
  session->apply(OpenRecording{loads});
  session->waitForJobs();
  EXPECT_TRUE(session->workspace().oneBlockLoad());
  session->apply(Choose(&model::Experiment::variant, "first_add_on_load"));
  session->waitForJobs();
  EXPECT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->replay().run()->trace.experiment.elements, 128u);
}

TEST_F(Recordings, ATraceThatIsNotInItIsASentence) {
  const std::string path = write("a.stride", {traceOf("sequential", 256)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  const auto* shown = session->replay().run();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_NE(session->app().message()->sentence.find("has no trace of"), std::string::npos);
  EXPECT_EQ(session->app().message()->actionLabel, "Step on the CPU");
  EXPECT_EQ(session->replay().run(), shown);
  EXPECT_EQ(session->workspace().experiment(), shown->trace.experiment) << "the bar says what is shown";
  session->apply(*session->app().message()->action);
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment().variant, "interleaved_modulo");
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Host);
}

// Its other choices come from the trace that is nearest to what was chosen.
TEST_F(Recordings, AVariantLendsWhatItsTraceHas) {
  const std::string path = write(
      "a.stride", {traceOf("sequential", 256), traceOf("sequential", 64), traceOf("interleaved_modulo", 64)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment().threads, 256u);
  session->apply(Choose(&model::Experiment::threads, 256));
  session->waitForJobs();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  session->waitForJobs();
  EXPECT_FALSE(session->app().message()) << session->app().message()->sentence;
  EXPECT_EQ(session->replay().run()->trace.experiment, ladderExperiment("interleaved_modulo", 64));
  EXPECT_EQ(session->workspace().experiment(), session->replay().run()->trace.experiment);
  EXPECT_TRUE(session->workspace().borrowed().has(&model::Experiment::threads));
  session->apply(Choose(&model::Experiment::variant, "sequential"));
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment().threads, 256u);
  EXPECT_EQ(session->workspace().borrowed().count(), 0u);
}

TEST_F(Recordings, WhatWasChosenComesBackWhenItIsLeft) {
  const std::string path = write("a.stride", {traceOf("sequential", 256)});
  const auto session = open();
  session->apply(Choose(&model::Experiment::threads, 16));
  session->apply(Choose::elements(1000));
  session->waitForJobs();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment(), ladderExperiment("sequential"));
  EXPECT_TRUE(session->workspace().borrowed().has(&model::Experiment::threads));
  EXPECT_TRUE(session->workspace().borrowed().has(&model::Experiment::elements));
  session->apply(ChooseEngine{"host"});
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment().threads, 16u);
  EXPECT_EQ(session->replay().run()->trace.experiment.elements, 1000u);
  EXPECT_EQ(session->workspace().borrowed().count(), 0u);
}

TEST_F(Recordings, WhatItLacksHasAReason) {
  const std::string path = write("a.stride", {traceOf("sequential", 256), traceOf("interleaved_modulo", 64)});
  const auto session = open();
  const auto whyNotThreads = [&](unsigned threads) {
    return session->workspace().whyNotRecorded(
        [&](ExperimentChoices& choices) { chooseThreads(choices, threads); });
  };
  EXPECT_EQ(whyNotThreads(512), "") << "no recording is open";
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_EQ(whyNotThreads(256), "");
  EXPECT_EQ(whyNotThreads(512), "a.stride has no trace of sequential int + ramp, 512 threads, 512 elements.");
  EXPECT_EQ(whyNotThreads(64), "a.stride has no trace of sequential int + ramp, 64 threads, 64 elements.")
      << "another variant has it";
  EXPECT_EQ(session->workspace().whyNotRecorded("interleaved_modulo"), "");
  EXPECT_NE(session->workspace().whyNotRecorded("warp_shuffle"), "");
  session->apply(Choose(&model::Experiment::threads, 512));
  session->waitForJobs();
  EXPECT_EQ(session->workspace().experiment(), session->replay().run()->trace.experiment);
  ASSERT_TRUE(session->app().message());
}

TEST_F(Recordings, TheCpuIsUsedAgainWhenItIsChosen) {
  const std::string path = write("a.stride", {traceOf("sequential", 256)});
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  session->apply(ChooseEngine{"host"});
  session->waitForJobs();
  EXPECT_FALSE(session->workspace().recording());
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Host);
}

// Recordings stand among the engines, by their paths.
TEST_F(Recordings, ChoosingAPathAsTheEngineOpensIt) {
  const std::string path = write("a.stride", {traceOf("interleaved_modulo", 64)});
  const auto session = open();
  session->apply(ChooseEngine{path});
  session->waitForJobs();
  EXPECT_TRUE(session->workspace().recording());
  EXPECT_EQ(session->workspace().engineId(), path);
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Recorded);
}

TEST_F(Recordings, AFileWhoseNameBeginsAsAnEnginesIsAFile) {
  const auto session = open();
  session->apply(ChooseEngine{"gpu-lab.stride"});
  session->waitForJobs();
  EXPECT_EQ(session->workspace().engineId(), "host");
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->actionLabel, "Open another") << session->app().message()->sentence;
}

TEST_F(Recordings, AFileThatIsNotThereIsASentenceAndChangesNothing) {
  const auto session = open();
  const auto* shown = session->replay().run();
  session->apply(OpenRecording{file("none.stride")});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_NE(session->app().message()->sentence.find("none.stride"), std::string::npos);
  EXPECT_EQ(session->app().message()->actionLabel, "Open another");
  EXPECT_EQ(session->replay().run(), shown);
  EXPECT_EQ(session->workspace().engineId(), "host");
  EXPECT_TRUE(session->app().settings().recent.empty());
}

// A recording may hold millions of numbers; the window goes on while they are read, and may do without.
TEST_F(Recordings, OneIsReadInTheBackground) {
  const std::string path = write("a.stride", {traceOf("interleaved_modulo", 64)});
  const auto session = open();
  session->apply(OpenRecording{path});
  EXPECT_EQ(session->workspace().engineId(), "host") << "until the window asks what came of it";
  session->apply(CancelJob{});
  session->waitForJobs();
  EXPECT_FALSE(session->workspace().recording());
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "sequential");
}

TEST_F(Recordings, WhatAnUnreadableOneInterruptedGoesOn) {
  const auto session = open();
  engines_.hold();
  session->apply(Choose(&model::Experiment::seed, 7));
  engines_.waitUntilHeld();
  session->apply(OpenRecording{file("none.stride")});
  engines_.letGo();
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->actionLabel, "Open another");
  EXPECT_EQ(session->replay().run()->trace.experiment.seed, 7u);
}

TEST_F(Recordings, ADamagedFileIsASentence) {
  std::ofstream(file("damaged.stride")) << "SQLite format 3, or so it says";
  const auto session = open();
  session->apply(OpenRecording{file("damaged.stride")});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_EQ(session->app().message()->sentence.back(), '.');
  session->apply(*session->app().message()->action);
  EXPECT_EQ(session->app().overlay(), Overlay::OpenFile);
}

// Its first half is there, and so is the list of traces; the events are not.
TEST_F(Recordings, ACutFileIsASentence) {
  const std::string path = write("cut.stride", {traceOf("sequential", 1024)});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const auto session = open();
  session->apply(OpenRecording{path});
  session->waitForJobs();
  EXPECT_TRUE(session->app().message());
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Host);
}

TEST_F(Recordings, TheRecentOnesAreFewAndTheNewestComesFirst) {
  const auto session = open();
  std::vector<std::string> paths;
  for (std::size_t i = 0; i <= kMaxRecent; ++i)
    paths.push_back(write(std::to_string(i) + ".stride", {traceOf("sequential", 256)}));
  for (const std::string& path : paths) {
    session->apply(OpenRecording{path});
    session->waitForJobs();
  }
  ASSERT_EQ(session->app().settings().recent.size(), kMaxRecent);
  EXPECT_EQ(session->app().settings().recent.front(), paths.back());
  session->apply(OpenRecording{paths[4]});
  session->waitForJobs();
  EXPECT_EQ(session->app().settings().recent.front(), paths[4]);
  EXPECT_EQ(session->app().settings().recent.size(), kMaxRecent) << "not twice";
}

TEST_F(Recordings, SavingWritesWhatIsShown) {
  const auto session = open();
  session->apply(SaveRecording{file("saved.stride")});
  session->waitForJobs();
  EXPECT_FALSE(session->app().message());
  EXPECT_EQ(session->app().loneRemark(), "Saved as " + file("saved.stride") + ".");
  const auto index = archive::readIndex(file("saved.stride"));
  ASSERT_TRUE(index);
  ASSERT_EQ(index->traces.size(), 1u);
  EXPECT_EQ(index->traces[0].experiment, session->replay().run()->trace.experiment);
  const auto trace = archive::readTrace(file("saved.stride"), index->traces[0].id);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->launches, session->replay().run()->trace.launches);
}

TEST_F(Recordings, AnExistingFileIsOverwrittenOnlyWhenSaidSo) {
  const std::string path = write("old.stride", {traceOf("interleaved_modulo", 64)});
  const auto session = open();
  session->apply(SaveRecording{path});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_EQ(session->app().message()->actionLabel, "Overwrite it");
  EXPECT_EQ(session->app().message()->sentence.find("--force"), std::string::npos)
      << "a window has no options: " << session->app().message()->sentence;
  EXPECT_EQ(archive::readIndex(path)->traces[0].experiment.variant, "interleaved_modulo");
  session->apply(*session->app().message()->action);
  session->waitForJobs();
  EXPECT_EQ(session->app().loneRemark(), "Saved as " + path + ".");
  EXPECT_EQ(archive::readIndex(path)->traces[0].experiment.variant, "sequential");
}

TEST_F(Recordings, SavingIntoAFolderThatIsNotThereIsASentence) {
  const auto session = open();
  session->apply(SaveRecording{file("no/such/folder/a.stride")});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_FALSE(session->app().message()->action);
}

// Also where something stands there already, which is not in the way.
TEST_F(Recordings, OverwritingIsOfferedForAnExistingFileAlone) {
  const auto session = open();
  const std::string pipe = file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {folder_.string(), pipe, file(std::string(300, 'x')), file("a.txt/b"), std::string()}) {
    session->apply(SaveRecording{path});
    session->waitForJobs();
    ASSERT_TRUE(session->app().message()) << path;
    EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
    EXPECT_FALSE(session->app().message()->action) << path << ": " << session->app().message()->sentence;
    session->apply(DismissMessage{});
  }
}

// Without a GPU the saved file still tells what the run costs, and who measured it.
TEST_F(Recordings, WhatIsMeasuredOfTheRunIsSavedWithIt) {
  const model::Trace trace = traceOf("sequential", 256);
  engines_.clocks = {support::standInRecord(trace, model::ClockedGrid::Alone, 3,
                                            [](std::size_t mark) { return mark * mark; })};
  model::CounterRecord counters;
  counters.experiment = ladderExperiment("sequential");
  counters.kernelHash = model::hashOf(trace.kernelText);
  counters.executor = {.kind = model::EngineKind::Gpu, .device = "Stand-in GPU"};
  counters.launches = {{.grid = 1, .block = 256, .values = {{model::Counter::Instructions, 816}}}};
  engines_.counters = {counters};
  const auto session = open();
  session->apply(SaveRecording{file("measured.stride")});
  session->waitForJobs();
  EXPECT_EQ(archive::readQuantity<model::ClockRecord>(file("measured.stride")).value(), engines_.clocks);
  EXPECT_EQ(archive::readQuantity<model::CounterRecord>(file("measured.stride")).value(), engines_.counters);
}

TEST_F(Recordings, NothingIsSavedWhileNothingIsThere) {
  engines_.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  const auto session = open();
  session->apply(SaveRecording{file("empty.stride")});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::ToDo);
  EXPECT_FALSE(std::filesystem::exists(file("empty.stride")));
}

// Whether it was written is told also to a person who goes on meanwhile.
TEST_F(Recordings, WhatBecameOfASaveIsToldWhateverIsRequestedMeanwhile) {
  const auto session = open();
  session->apply(SaveRecording{file("saved.stride")});
  session->apply(Choose(&model::Experiment::seed, 4));
  session->apply(CancelJob{});
  session->apply(Choose(&model::Experiment::seed, 5));
  session->waitForJobs();
  EXPECT_EQ(session->app().loneRemark(), "Saved as " + file("saved.stride") + ".");
  session->apply(SaveRecording{file("no/such/folder/a.stride")});
  session->apply(Choose(&model::Experiment::seed, 6));
  session->waitForJobs();
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_EQ(session->replay().run()->trace.experiment.seed, 6u);
}

TEST_F(Recordings, NothingIsSavedWhileAJobRuns) {
  const auto session = open();
  engines_.hold();
  session->apply(Choose(&model::Experiment::seed, 4));
  engines_.waitUntilHeld();
  session->apply(SaveRecording{file("early.stride")});
  EXPECT_EQ(session->app().message()->kind, MessageKind::ToDo);
  engines_.letGo();
  session->waitForJobs();
  EXPECT_FALSE(std::filesystem::exists(file("early.stride")));
}

}  // namespace
}  // namespace stridescope::session
