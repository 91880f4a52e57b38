// What the session shows and tells, on an engine that does as the test says.
#include "session/session.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/fake_engine.h"
#include "support/ladder_trace.h"

namespace stridescope::session {
namespace {

using namespace std::chrono_literals;
using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

std::unique_ptr<Session> openOn(FakeEngines& engines, const std::string& engine) {
  auto session = std::make_unique<Session>(engines.services(), Settings(),
                                           Start{.experiment = ladderExperiment("sequential"),
                                                 .elementsGiven = false,
                                                 .round = 2,
                                                 .engine = engine});
  session->waitForJobs();
  return session;
}

TEST(Session, RecordsAtOnce) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  EXPECT_EQ(engines.recordings(), 1);
  ASSERT_NE(session->replay().run(), nullptr);
  EXPECT_EQ(session->replay().run()->trace.experiment, ladderExperiment("sequential"));
  EXPECT_EQ(session->replay().run()->analysis.launches.size(), 1u);
  EXPECT_EQ(session->replay().run()->flow.size(), 1u);
  EXPECT_FALSE(session->app().message());
  EXPECT_FALSE(session->workspace().job());
}

TEST(Session, AnEngineIsMadeOnceAndListedOnce) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  for (int i = 0; i < 3; ++i) {
    session->apply(Choose(&model::Experiment::seed, std::uint64_t(i)));
    session->waitForJobs();
  }
  EXPECT_EQ(engines.made(), std::vector<std::string>{"host"});
  session->apply(ChooseEngine{"auto"});
  session->waitForJobs();
  EXPECT_EQ(engines.made(), (std::vector<std::string>{"host", "auto"}));
  EXPECT_EQ(session->workspace().engineId(), "auto");
  ASSERT_EQ(session->workspace().engines().size(), 2u);
  EXPECT_FALSE(session->workspace().engines()[0].why.empty());
}

TEST(Session, ShowsTheOldRunWhileTheNewOneIsMade) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  engines.hold();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines.waitUntilHeld();
  session->update(0.1);
  EXPECT_EQ(session->workspace().experiment().variant, "interleaved_modulo");
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "sequential");
  ASSERT_TRUE(session->workspace().job());
  EXPECT_EQ(session->workspace().job()->fraction, 0.5f);
  EXPECT_TRUE(session->wantsFrameSoon());
  engines.letGo();
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_modulo");
}

TEST(Session, TheNewestRequestIsShown) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  engines.hold();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines.waitUntilHeld();
  session->apply(Choose(&model::Experiment::variant, "interleaved_contiguous"));
  engines.letGo();
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_contiguous");
}

TEST(Session, CancellingKeepsWhatIsShown) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  const auto* before = session->replay().run();
  engines.hold();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines.waitUntilHeld();
  session->apply(Choose::elements(1000));
  session->apply(ChooseEngine{"gpu:0"});
  session->apply(CancelJob{});
  EXPECT_FALSE(session->workspace().job());
  EXPECT_EQ(session->workspace().experiment(), before->trace.experiment)
      << "what is asked for is again what is shown";
  EXPECT_TRUE(session->workspace().oneBlockLoad());
  EXPECT_EQ(session->workspace().engineId(), "host");
  session->waitForJobs();
  EXPECT_EQ(session->replay().run(), before);
  EXPECT_FALSE(session->app().message()) << "what a person cancelled is no failure";
}

TEST(Session, ItsEndDoesNotWaitForTheRecording) {
  FakeEngines engines;
  engines.hold();  // never let go: only cancelling ends it
  const auto begun = std::chrono::steady_clock::now();
  {
    Session session(engines.services(), {}, {.experiment = ladderExperiment("sequential"), .engine = "host"});
    engines.waitUntilHeld();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 2s);
}

TEST(Session, AnEngineThatFailsOffersTheCpu) {
  FakeEngines engines;
  engines.noEngine = Error{ErrorKind::Unavailable, "No NVIDIA driver was found.", "libcuda.so.1"};
  const auto session = openOn(engines, "gpu:0");
  EXPECT_EQ(session->replay().run(), nullptr);
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_EQ(session->app().message()->sentence, "No NVIDIA driver was found.");
  EXPECT_EQ(session->app().message()->details, "libcuda.so.1");
  EXPECT_EQ(session->app().message()->actionLabel, "Step on the CPU");
  ASSERT_TRUE(session->app().message()->action);
  const Command action = *session->app().message()->action;
  session->apply(action);
  session->waitForJobs();
  EXPECT_NE(session->replay().run(), nullptr);
  EXPECT_EQ(session->workspace().engineId(), "host");
  EXPECT_FALSE(session->app().message()) << "what it told is no longer so";
}

TEST(Session, AnEngineThatCouldNotBeMadeIsTriedAgain) {
  FakeEngines engines;
  engines.noEngine = Error{ErrorKind::Unavailable, "Busy.", {}};
  const auto session = openOn(engines, "gpu:0");
  engines.noEngine.reset();
  session->apply(Choose(&model::Experiment::seed, 5));
  session->waitForJobs();
  EXPECT_NE(session->replay().run(), nullptr);
}

TEST(Session, TheCpuThatFailsDoesNotOfferItself) {
  FakeEngines engines;
  engines.refusal = Error{ErrorKind::Usage, "The CPU executor takes at most 2^24 elements.", {}};
  const auto session = openOn(engines, "host");
  ASSERT_TRUE(session->app().message());
  EXPECT_FALSE(session->app().message()->action);
  EXPECT_TRUE(session->app().message()->actionLabel.empty());
}

TEST(Session, AFailureKeepsTheRunThatIsShown) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  const auto* before = session->replay().run();
  engines.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  session->waitForJobs();
  EXPECT_EQ(session->replay().run(), before);
  EXPECT_TRUE(session->app().message());
  session->apply(DismissMessage{});
  EXPECT_FALSE(session->app().message());
}

TEST(Session, OutOfMemoryIsAMessageAndTheRunStays) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  const auto* before = session->replay().run();
  engines.outOfMemory = true;
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  session->waitForJobs();
  EXPECT_EQ(session->replay().run(), before);
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->sentence.find("Out of memory while recording interleaved_modulo."), 0u);
  engines.outOfMemory = false;
  session->apply(Choose(&model::Experiment::variant, "interleaved_contiguous"));
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_contiguous");
}

TEST(Session, GreetsOnceAndOnlyWhereNothingElseIsToBeSaid) {
  FakeEngines engines;
  SessionServices services = engines.services();
  int greetings = 0;
  services.greet = [&greetings]() -> std::optional<Message> {
    ++greetings;
    return Message{.kind = MessageKind::ToDo, .sentence = "No GPU was found."};
  };
  const Start start{.experiment = ladderExperiment("sequential"), .engine = "host"};
  Session session(services, {}, start);
  session.waitForJobs();
  ASSERT_TRUE(session.app().message());
  EXPECT_EQ(session.app().message()->sentence, "No GPU was found.");
  session.apply(DismissMessage{});
  session.apply(Choose(&model::Experiment::seed, 3));
  session.waitForJobs();
  EXPECT_FALSE(session.app().message());
  EXPECT_EQ(greetings, 1);

  engines.refusal = Error{ErrorKind::Unavailable, "Refused.", {}};
  Session refused(services, {}, start);
  refused.waitForJobs();
  ASSERT_TRUE(refused.app().message());
  EXPECT_EQ(refused.app().message()->sentence, "Refused.");
}

TEST(Session, AnOfferStaysUntilItIsTakenOrDismissed) {
  FakeEngines engines;
  SessionServices services = engines.services();
  services.greet = []() -> std::optional<Message> {
    return Message{.kind = MessageKind::Fine, .sentence = "No GPU was found.", .stays = true};
  };
  const Start start{.experiment = ladderExperiment("sequential"), .engine = "host"};
  Session session(services, {}, start);
  session.waitForJobs();
  session.apply(Choose(&model::Experiment::seed, 3));
  session.waitForJobs();
  ASSERT_TRUE(session.app().message());
  EXPECT_EQ(session.app().message()->sentence, "No GPU was found.");
  session.apply(OpenShippedRecording{});
  EXPECT_FALSE(session.app().message() && session.app().message()->stays);
}

TEST(Session, PointingPinningAndFreeingAThread) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  EXPECT_FALSE(session->replay().hoveredThread());
  session->apply(PointAt{hoverThread(7)});
  EXPECT_EQ(session->replay().hoveredThread(), 7u);
  EXPECT_FALSE(session->replay().pinned());
  session->apply(Pin{hoverThread(9)});
  session->apply(PointAt{hoverThread(7)});
  EXPECT_EQ(session->replay().hoveredThread(), 9u) << "the pinned one stays";
  EXPECT_TRUE(session->replay().pinned());
  session->apply(Unpin{});
  EXPECT_FALSE(session->replay().hoveredThread());
  EXPECT_FALSE(session->replay().pinned());
}

TEST(Session, AnythingCanBePointedAt) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  session->apply(Pin{{HoverKind::Bank, 16}});
  EXPECT_EQ(session->replay().hover(), (Hover{HoverKind::Bank, 16}));
  EXPECT_FALSE(session->replay().hoveredThread());
  session->apply(StepForward{});
  EXPECT_TRUE(session->replay().hover()) << "kept over rounds";
  session->apply(Unpin{});
  EXPECT_FALSE(session->replay().hover());
}

TEST(Session, WhatIsNoLongerThereIsLetGo) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  const auto keptAfter = [&](Hover hover, const Command& command) {
    session->apply(Pin{hover});
    session->apply(command);
    session->waitForJobs();
    return session->replay().hover() == hover;
  };
  EXPECT_TRUE(keptAfter({HoverKind::Warp, 3}, Choose(&model::Experiment::threads, 128)));
  EXPECT_FALSE(keptAfter({HoverKind::Warp, 3}, Choose(&model::Experiment::threads, 64)));
  EXPECT_TRUE(keptAfter({HoverKind::Element, 63}, Choose(&model::Experiment::threads, 64)));
  EXPECT_FALSE(keptAfter({HoverKind::Element, 63}, Choose(&model::Experiment::threads, 32)));
  EXPECT_TRUE(keptAfter({HoverKind::Round, 5}, Choose(&model::Experiment::threads, 64)));
  EXPECT_FALSE(keptAfter({HoverKind::Round, 7}, Choose(&model::Experiment::threads, 32)));
  EXPECT_TRUE(keptAfter({HoverKind::Site, 2}, Choose(&model::Experiment::threads, 256)));
  EXPECT_FALSE(keptAfter({HoverKind::Site, 2}, Choose(&model::Experiment::variant, "interleaved_modulo")))
      << "another text";
}

TEST(Session, AThreadThatIsNoLongerThereIsLetGo) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  session->apply(Pin{hoverThread(200)});
  session->apply(PointAt{hoverThread(33)});
  session->apply(Choose(&model::Experiment::threads, 128));
  session->waitForJobs();
  EXPECT_EQ(session->replay().hoveredThread(), 33u);
  session->apply(Choose(&model::Experiment::threads, 32));
  session->waitForJobs();
  EXPECT_FALSE(session->replay().hoveredThread());
}

TEST(Session, TheSameOverlayAgainClosesIt) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  for (const Overlay overlay : {Overlay::Keys, Overlay::Palette, Overlay::OpenFile, Overlay::SaveFile,
                                Overlay::RoundText, Overlay::About}) {
    session->apply(ShowOverlay{overlay});
    EXPECT_EQ(session->app().overlay(), overlay);
    session->apply(ShowOverlay{overlay});
    EXPECT_EQ(session->app().overlay(), Overlay::None);
  }
  session->apply(ShowOverlay{Overlay::Keys});
  session->apply(ShowOverlay{Overlay::Palette});
  EXPECT_EQ(session->app().overlay(), Overlay::Palette);
}

TEST(Session, RequestsOfTheWindowAreToldOnce) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  EXPECT_FALSE(session->app().takeLayoutReset());
  session->apply(Commands{ResetLayout{}, CopyText{"copied"}, Quit{}});
  EXPECT_TRUE(session->app().takeLayoutReset());
  EXPECT_FALSE(session->app().takeLayoutReset());
  EXPECT_EQ(session->app().takeCopiedText(), "copied");
  EXPECT_FALSE(session->app().takeCopiedText());
  EXPECT_TRUE(session->app().quitting());
}

TEST(Session, PanelsAreHiddenAndShown) {
  AppState app{Settings()};
  EXPECT_TRUE(app.isShown("banks"));
  app.hidePanel("banks");
  app.hidePanel("banks");
  EXPECT_FALSE(app.isShown("banks"));
  EXPECT_EQ(app.settings().hiddenPanels, std::vector<std::string>{"banks"});
  EXPECT_EQ(app.takePanelToFront(), std::nullopt);
  app.showPanel("banks");
  EXPECT_TRUE(app.isShown("banks"));
  EXPECT_EQ(app.takePanelToFront(), "banks");
  EXPECT_EQ(app.takePanelToFront(), std::nullopt) << "told once";
  app.hidePanel("lanes");
  app.resetLayout();
  EXPECT_TRUE(app.isShown("lanes"));
}

TEST(Session, SettingsAreTakenWithinTheirBounds) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  Settings settings = session->app().settings();
  settings.theme = ThemeName::Light;
  settings.textSize = 5000;
  session->apply(ChangeSettings{settings});
  EXPECT_EQ(session->app().settings().theme, ThemeName::Light);
  EXPECT_EQ(session->app().settings().textSize, kMaxTextSize);
  settings.textSize = -1;
  session->apply(ChangeSettings{settings});
  EXPECT_EQ(session->app().settings().textSize, kMinTextSize);
}

TEST(Session, RemembersWhichRequestIsShown) {
  FakeEngines engines;
  const auto session = openOn(engines, "host");
  session->apply(GoToRound{0, 2});
  const analysis::RequestId last = session->replay().round().requests.back();
  EXPECT_FALSE(*session->replay().shownRequest() == last);
  session->apply(ChooseRequest{last});
  session->apply(StepForward{});
  EXPECT_TRUE(*session->replay().shownRequest() == last);
}

// A file may hold a run of which nothing was recorded, and so may a machine without memory.
TEST(SessionRun, WithoutARoundIsToldAndNotShown) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 3);
  const auto* const before = session->replay().run();
  for (const bool launches : {false, true}) {
    model::Trace trace = support::ladderTrace("sequential", 256, model::ElementType::Int);
    model::LaunchTrace empty;
    empty.block = 256;
    empty.recorded().first.assign(257, 0);
    trace.launches.assign(launches ? 2 : 0, empty);
    trace.checkNote = "out of memory";
    engines.trace = trace;
    session->apply(Choose(&model::Experiment::seed, launches ? 7u : 8u));
    session->waitForJobs();
    ASSERT_TRUE(session->app().message());
    EXPECT_NE(session->app().message()->sentence.find("has no round"), std::string::npos)
        << session->app().message()->sentence;
    EXPECT_EQ(session->app().message()->details, "out of memory");
    EXPECT_EQ(session->replay().run(), before);
    EXPECT_EQ(session->replay().playhead(), (Playhead{0, 3}));
  }
}

// Some of a run's launches may have none.
TEST(SessionRun, LaunchesWithoutARoundArePassedOver) {
  FakeEngines engines;
  model::Trace trace = support::ladderTrace("sequential", 256, model::ElementType::Int);
  model::LaunchTrace empty;
  empty.block = 256;
  empty.recorded().first.assign(257, 0);
  const model::LaunchTrace full = trace.launches[0];
  trace.launches = {empty, full, empty, full, empty};
  engines.trace = trace;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  const unsigned last = unsigned(session->replay().run()->analysis.launches[1].rounds.size()) - 1;
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, 0}));
  EXPECT_TRUE(session->replay().atFirst());
  session->apply(StepBack{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, 0}));
  session->apply(GoToRound{1, last});
  session->apply(StepForward{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{3, 0}));
  session->apply(StepBack{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, last}));
  session->apply(GoToLast{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{3, last}));
  EXPECT_TRUE(session->replay().atLast());
  session->apply(StepForward{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{3, last}));
}

}  // namespace
}  // namespace stridescope::session
