// Opening tours, going through their stops, and keeping a copy.
#include <gtest/gtest.h>

#include "session/link_follower.h"
#include "session/session.h"
#include "support/fake_engine.h"
#include "support/temporary_folder.h"

namespace stridescope::session {
namespace {

class GuidedTour : public testing::Test {
 protected:
  GuidedTour() {
    std::vector<KnownPanel> panels;
    for (const char* const id : {"shared_memory", "lanes", "divergence", "banks", "source", "timings"})
      panels.push_back({.id = id, .roles = {PanelRole::Docked}});
    session_->app().setPanels(std::move(panels));
    write(
        "## A\n[a](#show/sequential?stride=8)\n## "
        "B\n[b](#show/interleaved_modulo?stride=4&ring=thread:8)\n## C\n");
  }
  void write(const std::string& text) { support::writeContents(path_, text); }
  void open() {
    session_->apply(OpenTour{path_});
    session_->waitForJobs();
  }
  void apply(const Command& command) {
    session_->apply(command);
    session_->waitForJobs();
  }
  std::size_t stop() const { return session_->app().tourStop(); }
  std::optional<std::uint64_t> stride() const { return session_->replay().round().stride; }
  std::string sentence() const {
    return session_->app().message() ? session_->app().message()->sentence : "";
  }
  std::string remark() const { return session_->app().loneRemark().value_or(""); }

  support::Folder folder_;
  std::string path_ = (folder_.path() / "tour.md").string();
  support::FakeEngines engines_;
  std::unique_ptr<Session> session_ = support::sessionOf(engines_, support::ladderExperiment("sequential"));
};

TEST_F(GuidedTour, BeginsAtItsFirstStopAndShowsIt) {
  open();
  ASSERT_TRUE(session_->app().tour());
  EXPECT_EQ(stop(), 0u);
  EXPECT_EQ(stride(), 8u);
  EXPECT_EQ(session_->app().overlay(), Overlay::Tour);
  EXPECT_EQ(session_->app().settings().tour, path_);
}

TEST_F(GuidedTour, GoesOnAndBackAndNoFurther) {
  open();
  apply(StepStop{-1});
  EXPECT_EQ(stop(), 0u);
  apply(StepStop{+1});
  EXPECT_EQ(stop(), 1u);
  EXPECT_EQ(session_->workspace().experiment().variant, "interleaved_modulo");
  EXPECT_EQ(stride(), 4u);
  EXPECT_EQ(session_->replay().hover(), hoverThread(8));
  apply(StepStop{+1});
  apply(StepStop{+1});
  EXPECT_EQ(stop(), 2u);
  EXPECT_EQ(stride(), 4u) << "a stop without a link leaves the picture";
  apply(GoToStop{0});
  EXPECT_EQ(stride(), 8u);
  apply(GoToStop{99});
  EXPECT_EQ(stop(), 2u);
}

TEST_F(GuidedTour, WithoutATourNothingHappens) {
  apply(StepStop{+1});
  apply(GoToStop{1});
  apply(SaveTour{path_, true});
  EXPECT_FALSE(session_->app().tour());
  EXPECT_EQ(session_->app().overlay(), Overlay::None);
}

TEST_F(GuidedTour, IsReadAgainAtItsStop) {
  open();
  apply(StepStop{+1});
  write("## A\n## New\n[b](#show/sequential?stride=16)\n");
  open();
  EXPECT_EQ(stop(), 1u);
  EXPECT_EQ(session_->app().tour()->stops[1].title, "New");
  EXPECT_EQ(stride(), 16u);
  write("## A\n");
  open();
  EXPECT_EQ(stop(), 0u) << "as many are left";
}

TEST_F(GuidedTour, ABadLinkIsToldAndTheTourGoesOn) {
  write("## A\n[a](#show/sequential?stride=8)\n## B\n[b](#bnaks) [c](#lanes@2)\n");
  open();
  EXPECT_EQ(
      sentence().find("1 link of tour.md leads nowhere; the rest of the tour is open. Line 4, column 6: "),
      0u)
      << sentence();
  EXPECT_EQ(stride(), 8u);
  apply(StepStop{+1});
  EXPECT_EQ(stride(), 2u);
}

// What only a run can tell has the line, too.
TEST_F(GuidedTour, WhatTheRunDoesNotHaveIsToldWithItsLine) {
  write("## A\n\n[a](#show/sequential?stride=12)\n## B\n[b](#show/sequential?stride=8&request=atomic)\n");
  open();
  EXPECT_EQ(remark(), "Line 3 of the tour: this run has no stride 12.");
  apply(StepStop{+1});
  EXPECT_EQ(remark(), "Line 5 of the tour: this round has no request called atomic.");
}

TEST_F(GuidedTour, AFileThatIsNoneIsToldAndLeavesTheOneBefore) {
  open();
  apply(StepStop{+1});
  apply(OpenTour{"/nowhere/none.md"});
  EXPECT_EQ(sentence().find("none.md was not opened."), 0u) << sentence();
  ASSERT_TRUE(session_->app().tour());
  EXPECT_EQ(stop(), 1u);
  write("no stop here\n");
  open();
  EXPECT_NE(sentence().find("This is no tour"), std::string::npos) << sentence();
}

TEST_F(GuidedTour, ACopyIsKept) {
  apply(StartTour{"lecture"});
  ASSERT_TRUE(session_->app().tour());
  const std::string copy = (folder_.path() / "mine.md").string();
  apply(SaveTour{copy});
  EXPECT_EQ(support::contentsOf(copy), shippedTourText("lecture"));
  apply(SaveTour{copy});
  EXPECT_NE(sentence().find("exists already"), std::string::npos) << sentence();
  apply(SaveTour{copy, true});
  EXPECT_EQ(remark(), "Saved as " + copy + ". Edit it, and open it by File > Open tour.");
  EXPECT_FALSE(session_->app().message()) << "that it exists already";
}

TEST_F(GuidedTour, WhatIsOpenedOverItGivesWayToItAgain) {
  open();
  session_->apply(ShowOverlay{Overlay::Lesson});
  session_->apply(ShowOverlay{Overlay::Glossary, "bank"});
  session_->apply(ShowOverlay{Overlay::Palette});
  for (const Overlay back : {Overlay::Palette, Overlay::Glossary, Overlay::Lesson, Overlay::Tour}) {
    EXPECT_EQ(session_->app().overlay(), back);
    session_->apply(ShowOverlay{back});
  }
  EXPECT_EQ(session_->app().overlay(), Overlay::None);
  EXPECT_TRUE(session_->app().tour()) << "it is there when it is asked for again";
}

// Opened from the one above it, it is not beneath itself.
TEST_F(GuidedTour, AnOverlayIsOpenOnce) {
  open();
  session_->apply(ShowOverlay{Overlay::Glossary});
  session_->apply(ShowOverlay{Overlay::Tour});
  EXPECT_EQ(session_->app().overlay(), Overlay::Tour);
  session_->apply(ShowOverlay{Overlay::Tour});
  EXPECT_EQ(session_->app().overlay(), Overlay::None);
}

}  // namespace
}  // namespace stridescope::session
