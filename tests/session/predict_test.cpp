// Predict as a person works with it: what is hidden, asked, counted, and where the steps lead. The rungs have
// ten rounds at 256 threads: the load, eight strides, the write.
#include "session/predict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "support/fake_engine.h"
#include "support/ladder_trace.h"
#include "support/temporary_folder.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;
using teaching::Topic;

class Predicting : public testing::Test {
 protected:
  FakeEngines engines_;
  std::unique_ptr<Session> session_;

  void open(unsigned round, const std::string& variant = "interleaved_contiguous", unsigned launches = 1) {
    engines_.launches = launches;
    session_ = sessionOf(engines_, ladderExperiment(variant), round);
    give(EnterMode{Mode::Predict});
  }
  void give(const Command& command) {
    session_->apply(command);
    session_->waitForJobs();
  }
  void act(PredictAct act, std::size_t question = 0) { give(PredictStep{.act = act, .question = question}); }

  const Predict& predict() const { return session_->predict(); }
  unsigned round() const { return session_->replay().playhead().round; }
  std::size_t placeOf(Topic topic) const {
    const auto& asked = predict().asked();
    for (std::size_t place = 0; place < asked.size(); ++place)
      if (asked[place].question.topic == topic) return place;
    ADD_FAILURE() << "it is not asked";
    return 0;
  }
  const AskedQuestion& about(Topic topic) const { return predict().asked()[placeOf(topic)]; }
  void mark(unsigned first, unsigned last, bool on = true) {
    give(PredictStep{.act = PredictAct::Mark,
                     .question = placeOf(Topic::ActiveThreads),
                     .first = first,
                     .last = last,
                     .on = on});
  }
  const teaching::TopicScore& scoreOf(Topic topic) const { return predict().score().of(topic); }
};

TEST_F(Predicting, HidesTheRoundBehindTheOneThatIsShown) {
  open(4);
  EXPECT_TRUE(predict().isHidden());
  EXPECT_EQ(round(), 5u);
  EXPECT_EQ(session_->replay().hidden()->inSentence, "stride 16");
  EXPECT_EQ(predict().asked().size(), 4u);
  EXPECT_FALSE(session_->replay().atLast()) << "there are rounds to come";
}

TEST_F(Predicting, BeginsAnewBehindTheLastRound) {
  open(9);
  EXPECT_TRUE(predict().isHidden());
  EXPECT_EQ(round(), 0u);
}

TEST_F(Predicting, DoesNotStepUntilTheRoundIsRevealed) {
  open(4);
  EXPECT_FALSE(predict().isHeld());
  for (int tries = 0; tries < 3; ++tries) give(StepForward{});
  EXPECT_TRUE(predict().isHeld());
  EXPECT_EQ(round(), 5u);
  EXPECT_TRUE(predict().isHidden());
  act(PredictAct::Reveal);
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().isJudged());
  give(StepForward{});
  EXPECT_EQ(round(), 6u);
  EXPECT_TRUE(predict().isHidden());
  EXPECT_FALSE(predict().isHeld());
}

TEST_F(Predicting, PlayingStopsBeforeTheHiddenRound) {
  open(4);
  act(PredictAct::Reveal);
  give(TogglePlay{});
  for (int i = 0; i < 40; ++i) session_->update(1);
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(session_->replay().playing());
}

TEST_F(Predicting, ToTheLastRoundGoesToTheHiddenOneAlone) {
  open(4);
  give(GoToFirst{});
  EXPECT_EQ(round(), 0u);
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().asked().empty()) << "it was told before";
  give(GoToLast{});
  EXPECT_EQ(round(), 5u);
  EXPECT_TRUE(predict().isHidden());
}

TEST_F(Predicting, SkippingTellsTheRoundAndHidesTheNext) {
  open(4);
  act(PredictAct::Skip);
  EXPECT_EQ(round(), 6u);
  EXPECT_TRUE(predict().isHidden());
  give(StepBack{});
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().asked().empty());
  for (int i = 0; i < 6; ++i) act(PredictAct::Skip);
  EXPECT_EQ(round(), 5u) << "what is told is not skipped";
}

TEST_F(Predicting, TheLastRoundIsRevealedAndThereIsNoNext) {
  open(8);
  EXPECT_EQ(round(), 9u);
  EXPECT_TRUE(predict().isHidden());
  act(PredictAct::Reveal);
  EXPECT_EQ(round(), 9u);
  EXPECT_TRUE(session_->replay().atLast());
  give(StepForward{});
  EXPECT_EQ(round(), 9u);
  EXPECT_TRUE(predict().isJudged());
}

TEST_F(Predicting, GoesFromLaunchToLaunch) {
  open(8, "interleaved_contiguous", 2);
  act(PredictAct::Reveal);
  give(StepForward{});
  EXPECT_EQ(session_->replay().playhead(), (Playhead{1, 0}));
  EXPECT_TRUE(predict().isHidden());
  act(PredictAct::Reveal);
  give(StepBack{});
  EXPECT_EQ(session_->replay().playhead(), (Playhead{0, 9}));
}

TEST_F(Predicting, ARoundBehindTheHiddenOneSkipsThoseBetween) {
  open(2);
  give(GoToRound{0, 6});
  EXPECT_EQ(round(), 6u);
  EXPECT_TRUE(predict().isHidden());
  give(StepBack{});
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().asked().empty());
}

// Threads 0 to 7 add at stride 16; warp 0 works in part.
TEST_F(Predicting, JudgesWhatWasAnswered) {
  open(4);
  mark(0, 6);
  mark(8, 8);
  EXPECT_FALSE(about(Topic::ActiveThreads).judgement);
  give(PredictStep{.act = PredictAct::Mark, .question = placeOf(Topic::PartialWarps), .first = 0, .last = 0});
  act(PredictAct::Reveal);
  const teaching::Judgement& threads = *about(Topic::ActiveThreads).judgement;
  EXPECT_FALSE(threads.right);
  EXPECT_EQ(threads.count(teaching::Mark::Right), 7u);
  EXPECT_EQ(threads.count(teaching::Mark::Wrong), 1u);
  EXPECT_EQ(threads.count(teaching::Mark::Missed), 1u);
  EXPECT_TRUE(about(Topic::PartialWarps).judgement->right);
  EXPECT_FALSE(about(Topic::ConflictWays).judgement->answered);
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 1u);
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).right, 0u);
  EXPECT_EQ(scoreOf(Topic::PartialWarps).right, 1u);
  EXPECT_EQ(scoreOf(Topic::ConflictWays).asked, 0u) << "it was not answered";
}

TEST_F(Predicting, MarksAreMadeAndTakenAway) {
  open(4);
  mark(0, 300);
  EXPECT_EQ(std::ranges::count(about(Topic::ActiveThreads).guess.marks, true), 256);
  mark(8, 255, false);
  EXPECT_EQ(std::ranges::count(about(Topic::ActiveThreads).guess.marks, true), 8);
  EXPECT_TRUE(about(Topic::ActiveThreads).guess.answered);
  mark(0, 7, false);
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered) << "no mark is no answer";
  act(PredictAct::AnswerNone, placeOf(Topic::ActiveThreads));
  EXPECT_TRUE(about(Topic::ActiveThreads).guess.answered);
}

// What belongs to another concept, or to a question that is not there, changes nothing.
TEST_F(Predicting, AnswersBelongToTheirConcepts) {
  open(4);
  for (std::size_t place = 0; place < 6; ++place) {
    give(PredictStep{.act = PredictAct::AnswerText, .question = place, .text = "7"});
    give(PredictStep{.act = PredictAct::AnswerWay, .question = place, .way = 8});
  }
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
  EXPECT_FALSE(about(Topic::PartialWarps).guess.answered);
  EXPECT_EQ(about(Topic::ConflictWays).guess.way, 8u);
  EXPECT_EQ(about(Topic::CellValues).guess.typed, "7");
  act(PredictAct::Reveal);
  give(PredictStep{.act = PredictAct::AnswerWay, .question = placeOf(Topic::ConflictWays), .way = 2});
  EXPECT_EQ(about(Topic::ConflictWays).guess.way, 8u) << "it is too late";
}

TEST_F(Predicting, HintsComeOneByOneAndThreeAtMost) {
  open(4);
  act(PredictAct::Choose, placeOf(Topic::CellValues));
  for (int i = 0; i < 5; ++i) act(PredictAct::Hint);
  const std::vector<std::string>& hints = about(Topic::CellValues).hints;
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_TRUE(hints[0] != hints[1] && hints[1] != hints[2]);
  give(PredictStep{.act = PredictAct::AnswerText, .question = placeOf(Topic::CellValues), .text = "1"});
  act(PredictAct::Reveal);
  EXPECT_EQ(scoreOf(Topic::CellValues).hints, 3u);
}

TEST_F(Predicting, StepsBackToWhatWasAnswered) {
  open(4);
  mark(0, 7);
  act(PredictAct::Reveal);
  give(StepForward{});
  give(StepBack{});
  EXPECT_EQ(round(), 5u);
  EXPECT_TRUE(predict().isJudged());
  EXPECT_TRUE(about(Topic::ActiveThreads).judgement->right);
  give(StepForward{});
  EXPECT_TRUE(predict().isHidden());
}

TEST_F(Predicting, ARoundThatIsTriedAgainIsHiddenAndDoesNotCount) {
  open(4);
  mark(0, 7);
  act(PredictAct::Reveal);
  act(PredictAct::TryAgain);
  EXPECT_TRUE(predict().isHidden());
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
  mark(0, 7);
  act(PredictAct::Reveal);
  EXPECT_TRUE(about(Topic::ActiveThreads).judgement->right);
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 1u);
}

TEST_F(Predicting, TryingAnEarlierRoundHidesThoseBehindItToo) {
  open(4);
  give(GoToRound{0, 2});
  act(PredictAct::TryAgain);
  EXPECT_EQ(round(), 2u);
  EXPECT_TRUE(predict().isHidden());
  give(StepForward{});
  EXPECT_EQ(round(), 2u);
  EXPECT_EQ(session_->replay().run()->toCome.size(), 8u);
}

TEST_F(Predicting, AnotherVariantHidesTheSameRound) {
  open(4);
  give(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_TRUE(predict().isHidden());
  EXPECT_EQ(round(), 5u);
  EXPECT_EQ(session_->replay().run()->trace.experiment.variant, "sequential");
}

TEST_F(Predicting, WhereNoRunIsYetItBeginsWithTheFirst) {
  engines_.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  open(3);
  EXPECT_TRUE(predict().isOn());
  EXPECT_FALSE(predict().isHidden());
  for (const PredictAct all :
       {PredictAct::Reveal, PredictAct::Skip, PredictAct::TryAgain, PredictAct::Hint, PredictAct::Choose,
        PredictAct::Mark, PredictAct::AskElsewhere, PredictAct::AskWeakest, PredictAct::DeleteScore})
    act(all);
  give(StepForward{});
  give(GoToRound{0, 2});
  engines_.refusal.reset();
  give(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_TRUE(predict().isHidden());
}

TEST_F(Predicting, LeavingShowsTheRunAsItIs) {
  open(4);
  give(EnterMode{Mode::Explore});
  EXPECT_FALSE(predict().isOn());
  EXPECT_EQ(round(), 4u) << "the last that was told";
  EXPECT_TRUE(session_->replay().run()->toCome.empty());
  EXPECT_EQ(session_->replay().run()->analysis.launches[0].rounds.size(), 10u);
  give(StepForward{});
  EXPECT_EQ(round(), 5u);
  EXPECT_GT(session_->replay().round().activeLanes, 0u);
}

TEST_F(Predicting, TheFirstRoundIsHiddenAgainAfterAnotherMode) {
  open(9);  // behind the last round: the first is hidden
  ASSERT_EQ(round(), 0u);
  give(EnterMode{Mode::Present});
  give(EnterMode{Mode::Present});
  EXPECT_TRUE(predict().isHidden());
  EXPECT_EQ(round(), 0u);
  give(EnterMode{Mode::Explore});
  give(StepForward{});
  give(EnterMode{Mode::Predict});
  EXPECT_EQ(round(), 2u) << "somebody has stepped meanwhile";
}

// Half an answer is there again after another mode, with its hints and the question that was chosen.
TEST_F(Predicting, AnswersAreKeptWhileAnotherModeIsShown) {
  open(4);
  mark(0, 7);
  give(PredictStep{
      .act = PredictAct::AnswerText, .question = placeOf(Topic::CellValues), .text = "12", .goesOn = true});
  act(PredictAct::Hint);
  const std::vector<AskedQuestion> before = predict().asked();
  const std::size_t chosen = predict().chosen();
  ASSERT_EQ(chosen, placeOf(Topic::CellValues));
  for (const Mode away : {Mode::Explore, Mode::Compare, Mode::Present}) {
    give(EnterMode{away});
    give(EnterMode{Mode::Predict});
    EXPECT_TRUE(predict().isHidden());
    EXPECT_EQ(predict().asked(), before);
    EXPECT_EQ(predict().chosen(), chosen);
  }
  // Another round, and that one again.
  give(EnterMode{Mode::Explore});
  give(GoToRound{0, 2});
  give(EnterMode{Mode::Predict});
  EXPECT_EQ(round(), 3u);
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
  give(EnterMode{Mode::Explore});
  give(GoToRound{0, 4});
  give(EnterMode{Mode::Predict});
  EXPECT_EQ(predict().asked(), before);
  // Another experiment.
  give(EnterMode{Mode::Explore});
  give(Choose(&model::Experiment::variant, "sequential"));
  give(EnterMode{Mode::Predict});
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
}

// A question without a judgement is one that is open, and only the hidden round has those.
TEST_F(Predicting, WhatWasAskedOfARoundThatIsToldNowIsForgotten) {
  open(4);
  ASSERT_FALSE(predict().asked().empty());
  give(EnterMode{Mode::Explore});
  give(StepForward{});
  give(EnterMode{Mode::Predict});
  ASSERT_EQ(round(), 6u);
  give(StepBack{});
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().asked().empty()) << "stepped over in another mode";

  open(4);
  give(GoToRound{0, 7});
  ASSERT_TRUE(predict().isHidden());
  give(GoToRound{0, 5});
  EXPECT_EQ(round(), 5u);
  EXPECT_FALSE(predict().isHidden());
  EXPECT_TRUE(predict().asked().empty()) << "stepped over on the bar";
}

// What was revealed stands there with its answers; hidden again it is asked anew, and tells nothing.
TEST_F(Predicting, RevealedRoundsAreKeptWhereTheyAreTold) {
  open(4);
  mark(0, 7);
  act(PredictAct::Reveal);
  give(EnterMode{Mode::Explore});
  give(EnterMode{Mode::Predict});
  EXPECT_EQ(round(), 6u);
  give(StepBack{});
  EXPECT_TRUE(predict().isJudged());
  EXPECT_TRUE(about(Topic::ActiveThreads).judgement->right);
  give(EnterMode{Mode::Explore});
  give(GoToRound{0, 4});
  give(EnterMode{Mode::Predict});
  ASSERT_EQ(round(), 5u);
  EXPECT_FALSE(about(Topic::ActiveThreads).judgement);
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
  mark(0, 7);
  act(PredictAct::Reveal);
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 1u) << "a round counts once";
}

// Each change is one step: a number that was typed, lanes that were dragged over, a hint, the reveal.
TEST_F(Predicting, EachChangeIsOneStepOfUndo) {
  open(4);
  const auto drag = [&](unsigned first, unsigned last) {
    for (unsigned thread = first; thread <= last; ++thread)
      give(PredictStep{.act = PredictAct::Mark,
                       .question = placeOf(Topic::ActiveThreads),
                       .first = thread,
                       .last = thread,
                       .goesOn = thread > first});
  };
  const auto type = [&](const std::string& text) {
    for (std::size_t n = 1; n <= text.size(); ++n)
      give(PredictStep{.act = PredictAct::AnswerText,
                       .question = placeOf(Topic::CellValues),
                       .text = text.substr(0, n),
                       .goesOn = true});
  };
  using Seen = std::tuple<unsigned, bool, std::vector<AskedQuestion>>;
  const auto now = [&] { return Seen{round(), predict().isHidden(), predict().asked()}; };
  std::vector<Seen> seen{now()};
  std::vector<std::string> undone;
  const auto did = [&](const std::string& what) {
    seen.push_back(now());
    undone.push_back(what);
    EXPECT_EQ(session_->history().undone(), what);
  };
  drag(0, 3), did("the answer to question 1");
  drag(4, 7), did("the answer to question 1");
  type("166"), did("the answer to question 4");
  act(PredictAct::Hint), did("a hint");
  act(PredictAct::AnswerNone, placeOf(Topic::PartialWarps)), did("the answer to question 2");
  act(PredictAct::Reveal), did("revealing the round");
  give(StepForward{}), did("stride 32");
  act(PredictAct::Skip), did("skipping the round");
  give(StepBack{}), did("stride 32");
  act(PredictAct::TryAgain), did("trying the round again");
  for (auto each = seen.rbegin(); each != seen.rend(); ++each) {
    EXPECT_TRUE(now() == *each) << seen.rend() - each;
    give(Undo{});
  }
  EXPECT_EQ(session_->app().mode(), Mode::Explore);
  for (const Seen& each : seen) {
    give(Redo{});
    EXPECT_TRUE(now() == each);
  }
}

// Undo goes back over another variant and another mode to what was answered before.
TEST_F(Predicting, UndoBringsAnswersBackOverAnotherVariant) {
  open(4);
  mark(0, 7);
  const std::vector<AskedQuestion> before = predict().asked();
  give(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_FALSE(about(Topic::ActiveThreads).guess.answered);
  give(EnterMode{Mode::Explore});
  give(Undo{});
  give(Undo{});
  EXPECT_EQ(session_->replay().run()->trace.experiment.variant, "interleaved_contiguous");
  EXPECT_EQ(predict().asked(), before);
}

TEST_F(Predicting, LeavingARevealedRoundStaysAtIt) {
  open(4);
  act(PredictAct::Reveal);
  give(EnterMode{Mode::Explore});
  EXPECT_EQ(round(), 5u);
}

// Threads 0 to 7 add at stride 16, threads 0 to 3 at stride 32.
TEST_F(Predicting, AStepBehindTheLastRoundSumsUp) {
  open(4);
  mark(0, 7);
  act(PredictAct::Reveal);  // right
  give(StepForward{});
  mark(0, 7);
  give(PredictStep{.act = PredictAct::Mark, .question = placeOf(Topic::PartialWarps), .first = 0, .last = 0});
  act(PredictAct::Reveal);  // four threads too many; warp 0 is partial
  give(StepForward{});
  for (int i = 0; i < 3; ++i) act(PredictAct::Skip);
  EXPECT_FALSE(predict().isSummedUp());
  EXPECT_EQ(round(), 9u);
  act(PredictAct::Reveal);  // without an answer
  EXPECT_FALSE(predict().isSummedUp()) << "the last answers are read first";
  give(StepForward{});
  ASSERT_TRUE(predict().isSummedUp());
  EXPECT_EQ(round(), 9u);
  const PredictionSum sum = predict().sum();
  EXPECT_EQ(sum.predicted, 2u);
  EXPECT_EQ(sum.answered(), 3u);
  EXPECT_EQ(sum.right(), 2u);
  EXPECT_EQ(sum.of(Topic::ActiveThreads).answered, 2u);
  EXPECT_EQ(sum.of(Topic::ActiveThreads).right, 1u);
  ASSERT_EQ(sum.of(Topic::ActiveThreads).wrong, std::vector<std::size_t>{6});
  EXPECT_EQ(predict().nameOf(6).inSentence, "stride 32");
  EXPECT_EQ(predict().rounds(), 10u);
  EXPECT_TRUE(sum.of(Topic::PartialWarps).wrong.empty());
  EXPECT_EQ(sum.of(Topic::CellValues), PredictionSum::OfTopic());

  give(StepBack{});
  EXPECT_FALSE(predict().isSummedUp());
  EXPECT_EQ(round(), 9u) << "back is the last round itself";
  give(StepForward{});
  EXPECT_TRUE(predict().isSummedUp());
  give(GoToRound{0, 6});
  EXPECT_FALSE(predict().isSummedUp());
  EXPECT_EQ(round(), 6u);
  give(GoToLast{});
  give(StepForward{});
  EXPECT_TRUE(predict().isSummedUp());
  act(PredictAct::TryAgain);
  EXPECT_FALSE(predict().isSummedUp());
  EXPECT_TRUE(predict().isHidden());
}

// Nothing of it does anything in Explore.
TEST_F(Predicting, ActsOnlyInItsMode) {
  session_ = sessionOf(engines_, ladderExperiment("sequential"), 3);
  for (const PredictAct all : {PredictAct::Reveal, PredictAct::Skip, PredictAct::TryAgain, PredictAct::Hint,
                               PredictAct::AskElsewhere, PredictAct::AskWeakest})
    act(all);
  EXPECT_EQ(round(), 3u);
  EXPECT_TRUE(predict().asked().empty());
}

TEST_F(Predicting, TheWholeRunIsSaved) {
  const support::Folder folder;
  open(2);
  const std::string file = folder / "whole.stride";
  give(SaveRecording{.path = file});
  const auto engine = engine::recorded::openRecordedEngine(file);
  ASSERT_TRUE(engine) << engine.error().sentence;
  engine::JobControl job;
  const auto trace = (*engine)->record(ladderExperiment("interleaved_contiguous"), job);
  ASSERT_TRUE(trace);
  const auto own = support::ladderTrace("interleaved_contiguous", 256, model::ElementType::Int);
  EXPECT_EQ(trace->launches[0].recorded().events, own.launches[0].recorded().events);
  EXPECT_EQ(trace->result, own.result);
}

// It asks about the conflicts that were not seen: the padded trees, which are taught next, have none.
TEST_F(Predicting, AsksAboutTheConceptInAnotherVariant) {
  SessionServices services = engines_.services();
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
  };
  session_ = std::make_unique<Session>(
      services, Settings(),
      Start{.experiment = ladderExperiment("interleaved_contiguous"), .round = 4, .engine = "host"});
  session_->waitForJobs();
  give(EnterMode{Mode::Predict});
  const auto sayOneWay = [&] {
    give(PredictStep{.act = PredictAct::AnswerWay, .question = placeOf(Topic::ConflictWays), .way = 1});
    act(PredictAct::Reveal);
    EXPECT_FALSE(about(Topic::ConflictWays).judgement->right);
  };
  sayOneWay();
  act(PredictAct::AskElsewhere, placeOf(Topic::ConflictWays));
  EXPECT_NE(session_->replay().run()->trace.experiment.variant, "interleaved_contiguous");
  ASSERT_TRUE(predict().isHidden());
  EXPECT_EQ(predict().chosen(), placeOf(Topic::ConflictWays));
  sayOneWay();
  // The one that was wrong most.
  const std::string second = session_->replay().run()->trace.experiment.variant;
  act(PredictAct::AskWeakest);
  EXPECT_NE(session_->replay().run()->trace.experiment.variant, second);
  EXPECT_TRUE(predict().isHidden());
}

TEST_F(Predicting, GoesToNoOtherVariantIfNothingWasWrong) {
  open(4);
  act(PredictAct::AskWeakest);
  EXPECT_EQ(session_->replay().run()->trace.experiment.variant, "interleaved_contiguous");
}

class Scored : public Predicting {
 protected:
  const support::Folder folder_;
  const std::string file_ = (folder_.path() / "data" / "stridescope" / "score.json").string();

  void openWithFile() {
    SessionServices services = engines_.services();
    services.scoreFile = file_;
    session_ = std::make_unique<Session>(
        services, Settings(),
        Start{.experiment = ladderExperiment("interleaved_contiguous"), .round = 4, .engine = "host"});
    session_->waitForJobs();
    give(EnterMode{Mode::Predict});
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file_).parent_path());
    support::writeContents(file_, text);
  }
  std::string written() const { return support::contentsOf(file_); }
};

TEST_F(Scored, TheScoreIsThereAtTheNextStart) {
  openWithFile();
  mark(0, 7);
  act(PredictAct::Reveal);
  session_.reset();
  openWithFile();
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 1u);
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).right, 1u);
}

// What was not written yet when the window closes is written then.
TEST_F(Scored, ClosingAtOnceKeepsIt) {
  openWithFile();
  mark(0, 7);
  session_->apply(PredictStep{.act = PredictAct::Reveal});
  session_.reset();
  EXPECT_EQ(teaching::readScore(file_)->of(Topic::ActiveThreads).asked, 1u);
}

TEST_F(Scored, TwoWindowsAddUp) {
  openWithFile();
  FakeEngines others;
  SessionServices services = others.services();
  services.scoreFile = file_;
  Session other(
      services, Settings(),
      Start{.experiment = ladderExperiment("interleaved_contiguous"), .round = 4, .engine = "host"});
  other.waitForJobs();
  other.apply(EnterMode{Mode::Predict});
  other.waitForJobs();
  mark(0, 7);
  act(PredictAct::Reveal);
  other.apply(PredictStep{.act = PredictAct::Mark, .first = 0, .last = 3});
  other.apply(PredictStep{.act = PredictAct::Reveal});
  other.waitForJobs();
  EXPECT_EQ(teaching::readScore(file_)->of(Topic::ActiveThreads).asked, 2u);
  EXPECT_EQ(other.predict().score().of(Topic::ActiveThreads).asked, 2u);
}

TEST_F(Scored, ADamagedFileIsToldOnceAndLeft) {
  write("{ \"version\": 1, \"topics\": ");
  const std::string before = written();
  openWithFile();
  ASSERT_TRUE(session_->app().message());
  EXPECT_NE(session_->app().message()->sentence.find("score.json"), std::string::npos);
  give(DismissMessage{});
  mark(0, 7);
  act(PredictAct::Reveal);
  EXPECT_FALSE(session_->app().message());
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 1u) << "it counts as long as the window is open";
  session_.reset();
  EXPECT_EQ(written(), before);
}

TEST_F(Scored, IsDeletedFromTheMenu) {
  openWithFile();
  mark(0, 7);
  act(PredictAct::Reveal);
  ASSERT_TRUE(std::filesystem::exists(file_));
  act(PredictAct::DeleteScore);
  EXPECT_FALSE(std::filesystem::exists(file_));
  EXPECT_EQ(scoreOf(Topic::ActiveThreads).asked, 0u);
}

TEST_F(Scored, DeletingADamagedFileBeginsANewOne) {
  write("?");
  openWithFile();
  act(PredictAct::DeleteScore);
  mark(0, 7);
  act(PredictAct::Reveal);
  EXPECT_EQ(teaching::readScore(file_)->of(Topic::ActiveThreads).asked, 1u);
}

TEST_F(Scored, ExploringReadsNoScore) {
  write("?");
  SessionServices services = engines_.services();
  services.scoreFile = file_;
  Session session(services, Settings(),
                  Start{.experiment = ladderExperiment("sequential"), .engine = "host"});
  session.waitForJobs();
  EXPECT_FALSE(session.app().message());
}

// Three right answers in a row make it harder: it asks about another cell than the first.
TEST_F(Predicting, WhatIsKnownIsAskedHarder) {
  open(0);
  std::vector<std::string> texts;
  for (unsigned next = 1; next < 6; ++next) {
    const teaching::Cell cell = about(Topic::CellValues).question.cell;
    texts.push_back(about(Topic::CellValues).question.text);
    // The sum of a ramp from the cell on, over as many elements as the stride combines.
    const auto s = std::uint64_t(1) << (next - 1);
    std::uint64_t sum = 0;
    for (std::uint64_t i = cell.element; i < cell.element + 2 * s; ++i) sum += i;
    give(PredictStep{
        .act = PredictAct::AnswerText, .question = placeOf(Topic::CellValues), .text = std::to_string(sum)});
    act(PredictAct::Reveal);
    give(StepForward{});
  }
  EXPECT_EQ(texts[0], "What will data[0] hold?");
  EXPECT_EQ(texts[2], "What will data[0] hold?");
  EXPECT_NE(texts[3], "What will data[0] hold?") << "after three right answers";
}

}  // namespace
}  // namespace stridescope::session
