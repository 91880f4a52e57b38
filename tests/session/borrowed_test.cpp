// A variant borrows values for choices that it cannot have, and what was chosen comes back.
#include <gtest/gtest.h>

#include "engine/host/host_engine.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using Field = FieldSet<model::Experiment>;

class Borrowed : public testing::Test {
 protected:
  void open(const std::string& variant, unsigned threads = 256) { start(ladderExperiment(variant, threads)); }
  void start(const model::Experiment& experiment) {
    SessionServices services = engines_.services();
    services.makeEngine =
        [make = services.makeEngine](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      if (id == "host") return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
      return make(id);
    };
    session_ =
        std::make_unique<Session>(services, Settings(), Start{.experiment = experiment, .engine = "host"});
    session_->waitForJobs();
  }
  void apply(const Command& command) {
    session_->apply(command);
    session_->waitForJobs();
  }
  const model::Experiment& experiment() const { return session_->workspace().experiment(); }
  bool isBorrowed(auto field) const { return session_->workspace().borrowed().has(field); }
  std::size_t borrowedCount() const { return session_->workspace().borrowed().count(); }

  FakeEngines engines_;
  std::unique_ptr<Session> session_;
};

TEST_F(Borrowed, ABlockSizeComesBackWhenTheVariantIsLeft) {
  open("sequential");
  apply(Choose(&model::Experiment::threads, 16));
  apply(Choose(&model::Experiment::variant, "unrolled_last_warp"));
  EXPECT_EQ(experiment().threads, 64u);
  EXPECT_TRUE(isBorrowed(&model::Experiment::threads));
  EXPECT_EQ(session_->workspace().choices().experiment.threads, 16u);
  EXPECT_EQ(session_->replay().run()->trace.experiment.threads, 64u);
  apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  EXPECT_EQ(experiment().threads, 16u);
  EXPECT_EQ(borrowedCount(), 0u);
}

TEST_F(Borrowed, ABlockSizeThatNobodyChoseIsTheVariantsDefault) {
  open("sequential");
  for (const char* id : {"warm_up", "any_block_size", "k_way_merge", "sequential"}) {
    apply(Choose(&model::Experiment::variant, id));
    EXPECT_EQ(experiment().threads, kernels::findVariant(id)->defaultThreads) << id;
    EXPECT_EQ(session_->replay().run()->trace.experiment, experiment());
    EXPECT_EQ(borrowedCount(), id == std::string("k_way_merge") ? 1u : 0u)
        << id << ": a merge takes the minimum";
  }
}

TEST_F(Borrowed, ABlockSizeThatWasChosenStaysThoughItIsADefault) {
  open("sequential");
  apply(Choose(&model::Experiment::threads, 256));
  apply(Choose(&model::Experiment::variant, "many_blocks"));
  EXPECT_EQ(experiment().threads, 256u) << "its default is 8";
  apply(Choose(&model::Experiment::variant, "warm_up"));
  EXPECT_EQ(experiment().threads, 8u) << "the only one";
  EXPECT_TRUE(isBorrowed(&model::Experiment::threads));
}

TEST_F(Borrowed, AnOperatorComesBackAndThatIsTold) {
  open("sequential");
  apply(Choose(&model::Experiment::op, model::Operator::Max));
  apply(Choose(&model::Experiment::variant, "k_way_merge"));
  EXPECT_EQ(experiment().op, model::Operator::Min);
  EXPECT_TRUE(isBorrowed(&model::Experiment::op));
  apply(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(experiment().op, model::Operator::Max);
}

TEST_F(Borrowed, AnOperatorThatATypeCannotHaveComesBackWithTheType) {
  open("sequential");
  apply(Choose(&model::Experiment::op, model::Operator::Or));
  apply(Choose(&model::Experiment::type, model::ElementType::Float));
  EXPECT_NE(experiment().op, model::Operator::Or);
  apply(Choose(&model::Experiment::type, model::ElementType::Int));
  EXPECT_EQ(experiment().op, model::Operator::Or);
}

TEST_F(Borrowed, WhatIsChosenInsteadIsChosen) {
  open("sequential");
  apply(Choose(&model::Experiment::threads, 16));
  apply(Choose(&model::Experiment::variant, "unrolled_last_warp"));
  apply(Choose(&model::Experiment::threads, 128));
  EXPECT_EQ(borrowedCount(), 0u);
  apply(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(experiment().threads, 128u);
}

TEST_F(Borrowed, TheNextStartHasWhatWasChosen) {
  open("sequential");
  apply(Choose(&model::Experiment::threads, 16));
  apply(Choose(&model::Experiment::variant, "unrolled_last_warp"));
  const model::Experiment kept = session_->app().settings().lastExperiment;
  EXPECT_EQ(kept.threads, 16u);
  start(kept);
  EXPECT_EQ(experiment().threads, 64u);
  EXPECT_TRUE(isBorrowed(&model::Experiment::threads));
  EXPECT_EQ(session_->replay().run()->trace.experiment, experiment());
  apply(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(experiment().threads, 16u);
}

TEST_F(Borrowed, ResettingKeepsTheVariantAlone) {
  open("unrolled_last_warp");
  apply(Choose(&model::Experiment::type, model::ElementType::Double));
  apply(Choose(&model::Experiment::op, model::Operator::Max));
  apply(Choose(&model::Experiment::threads, 128));
  apply(Choose::elements(1000));
  apply(Choose(&model::Experiment::data, model::DataPattern::Ramp));
  apply(Choose(&model::Experiment::seed, 9));
  apply(Choose::schedule(model::Schedule::Random, 4));
  apply(Choose::blockOrder(model::BlockOrder::Random, 4));
  apply(ResetExperiment{});
  model::Experiment usual = ladderExperiment("unrolled_last_warp");
  usual.data = kernels::defaultData(usual.variant, usual.op);
  EXPECT_EQ(experiment(), usual);
  EXPECT_EQ(borrowedCount(), 0u);
  EXPECT_TRUE(session_->workspace().oneBlockLoad());
}

// What was asked for and could not be had is not what the bar says.
TEST_F(Borrowed, ARefusedExperimentGivesWayToTheOneThatIsShown) {
  open("sequential");
  session_->waitForJobs();
  apply(ChooseEngine{"auto"});
  const model::Experiment before = experiment();
  session_->waitForJobs();
  engines_.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  apply(Choose(&model::Experiment::threads, 512));
  EXPECT_EQ(experiment(), before);
  ASSERT_TRUE(session_->app().message());
  EXPECT_EQ(session_->app().message()->sentence, "No.");
  engines_.refusal.reset();
  apply(*session_->app().message()->action);
  EXPECT_EQ(session_->workspace().engineId(), "host");
  EXPECT_EQ(experiment().threads, 512u) << "the action steps what was refused";
}

}  // namespace
}  // namespace stridescope::session
