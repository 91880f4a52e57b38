// A tour's file: stops, minutes, notes, and links that lead nowhere.
#include "session/tour.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stridescope::session {
namespace {

const std::vector<std::string> kTourPanels{"lanes", "banks"};

Tour tourOf(const std::string& text) {
  auto tour = parseTour(text, kTourPanels);
  EXPECT_TRUE(tour) << (tour ? "" : tour.error().sentence);
  return tour ? *tour : Tour();
}

// A block each line.
std::string wordsOf(const std::vector<markdown::Block>& blocks) {
  std::string words;
  for (const markdown::Block& block : blocks) words += markdown::wordsOf(block) + "\n";
  return words;
}

TEST(Tours, HaveStopsWithMinutesTextAndNotes) {
  const Tour tour = tourOf(
      "# Two stops\n\nWhat it is about.\n\n## First (3 min)\n\nA [link](#lanes).\n\n> Say this.\n>\n> And "
      "that.\n"
      "\n## Second\r\n\r\nMore.\r\n");
  EXPECT_EQ(tour.title, "Two stops");
  EXPECT_EQ(wordsOf(tour.intro), "What it is about.\n");
  ASSERT_EQ(tour.stops.size(), 2u);
  EXPECT_EQ(tour.stops[0].title, "First");
  EXPECT_EQ(tour.stops[0].minutes, 3u);
  EXPECT_EQ(wordsOf(tour.stops[0].text), "A link.\n");
  EXPECT_EQ(linksIn(tour.stops[0].text).at(0).text, "lanes");
  EXPECT_EQ(wordsOf(tour.stops[0].notes), "Say this.\nAnd that.\n");
  EXPECT_EQ(tour.stops[1].title, "Second");
  EXPECT_EQ(tour.stops[1].minutes, 0u);
  EXPECT_EQ(wordsOf(tour.stops[1].text), "More.\n");
  EXPECT_TRUE(tour.faults().empty());
}

TEST(Tours, CountTheirMinutes) {
  const Tour tour = tourOf("## A (2 min)\n## B (3 min)\n## C\n## D (four min)\n");
  EXPECT_EQ(tour.minutes(), 5u);
  EXPECT_EQ(tour.minutesBefore(1), 2u);
  EXPECT_EQ(tour.stops[3].title, "D (four min)") << "no number: it is part of the title";
}

TEST(Tours, ArriveByTheFirstLinkThatLeadsSomewhere) {
  const Tour tour = tourOf(
      "## A\n[x](#bank) [y](#predict/actve) [z](#banks@8)\n## B\n> [notes](#lanes)\n"
      "## C\n[y](#predict/active) [z](#banks@8)\n");
  ASSERT_TRUE(tour.stops[0].arrival);
  EXPECT_EQ(tour.stops[0].arrival->panel, "banks");
  EXPECT_FALSE(tour.stops[1].arrival);
  ASSERT_TRUE(tour.stops[2].arrival);
  EXPECT_EQ(tour.stops[2].arrival->question, "active") << "a stop may begin with a question";
}

// One sentence a link, at its stop; the rest of the tour is there.
TEST(Tours, TellOfBadLinksWithTheirLines) {
  const Tour tour = tourOf("[a](#no)\n## A\n[b](#lanes)\n## B\n\n[c](#variant/sequentail), [d](#lanes@x)\n");
  EXPECT_EQ(
      tour.stops[0].faults,
      (std::vector<std::string>{"Line 1, column 6: 'no' is no link: one begins with a panel, variant, show, "
                                "try, predict or compare."}))
      << "before the first stop: it is shown with that";
  EXPECT_EQ(tour.stops[1].faults,
            (std::vector<std::string>{
                "Line 6, column 14: there is no variant 'sequentail'; did you mean sequential?",
                "Line 6, column 38: the stride is a number, such as 8 or 2^20, not 'x'."}));
  EXPECT_EQ(tour.faults().size(), 3u);
  EXPECT_TRUE(tour.stops[0].arrival);
  EXPECT_FALSE(tour.stops[1].arrival);
}

TEST(Tours, WithoutAStopAreNone) {
  for (const char* text : {"", "# Only a title\n\nText.\n", "#### no\n##no\n"}) {
    const auto tour = parseTour(text, kTourPanels);
    ASSERT_FALSE(tour) << text;
    EXPECT_NE(tour.error().sentence.find("## Bank conflicts (3 min)"), std::string::npos);
  }
}

TEST(Tours, ShowNothingOfAFileThatWouldTakeOverTheScreen) {
  const Tour tour = tourOf("## A\x1b[31m\n\xff\ttext\n");
  EXPECT_EQ(tour.stops[0].title, "A\\u001b[31m");
  EXPECT_EQ(wordsOf(tour.stops[0].text), "\\xff text\n");
}

TEST(Tours, OnlyAHeadingOfItsOwnBeginsAStop) {
  const Tour tour = tourOf(
      "A B\n---\n\n```\n## code\n```\n\n> ## a note\n\n- ## an item\n\n\\## a text\n\n##\n\n## *C*  (4 min) "
      "##\n");
  ASSERT_EQ(tour.stops.size(), 2u);
  EXPECT_EQ(tour.stops[0].title, "A B") << "underlined, it is a heading as well";
  EXPECT_EQ(wordsOf(tour.stops[0].text), "## code\nan item\n## a text\n");
  EXPECT_EQ(wordsOf(tour.stops[0].notes), "a note\n");
  EXPECT_EQ(tour.stops[1].title, "C");
  EXPECT_EQ(tour.stops[1].minutes, 4u);
}

TEST(Tours, ANoteGoesOnUntilAnEmptyLine) {
  const Tour tour = tourOf("## A\n> Say this\nand that.\n\nText.\n");
  EXPECT_EQ(wordsOf(tour.stops[0].notes), "Say this and that.\n");
  EXPECT_EQ(wordsOf(tour.stops[0].text), "Text.\n");
}

// The definitions stand behind the last stop; what is wrong with one is told at each stop that refers to it.
TEST(Tours, ReferToDefinitionsAnywhereInTheFile) {
  const Tour tour = tourOf("## A\n[x][good], [y][bad]\n## B\nNone.\n\n[good]: #banks@8\n[bad]: #lanes@x\n");
  ASSERT_TRUE(tour.stops[0].arrival);
  EXPECT_EQ(tour.stops[0].arrival->panel, "banks");
  EXPECT_EQ(
      tour.stops[0].faults,
      (std::vector<std::string>{"Line 7, column 15: the stride is a number, such as 8 or 2^20, not 'x'."}));
  EXPECT_TRUE(tour.stops[1].faults.empty());
  EXPECT_EQ(lineOf(tour, *tour.stops[0].arrival, kTourPanels), 6u);
}

TEST(Tours, WhatIsNoLinkOfTheWindowIsNeitherFollowedNorAFault) {
  const Tour tour =
      tourOf("## A\n[a](javascript:alert(1)) `[b](#lanes)` ![c](#lanes) [d](http://e) <b href='#no'>f</b>\n");
  EXPECT_FALSE(tour.stops[0].arrival);
  EXPECT_TRUE(tour.faults().empty());
}

TEST(Tours, TellThePlaceOfATargetWithEscapesByItsWords) {
  const Tour tour = tourOf("## A\n\n> - µ [the *b*](#variant/sequentail\\_)\n");
  ASSERT_EQ(tour.faults().size(), 1u);
  EXPECT_EQ(tour.faults()[0].find("Line 3, column 8: there is no variant 'sequentail_'"), 0u)
      << tour.faults()[0];
}

TEST(Tours, BeyondTheLimitsOfATextAreRefused) {
  std::string deep = "## A\n";
  for (int i = 0; i < 1001; ++i) deep += ">";
  const auto tour = parseTour(deep + "a\n", kTourPanels);
  ASSERT_FALSE(tour);
  EXPECT_EQ(tour.error().sentence.find("Line 2 begins with more than"), 0u);
}

TEST(Tours, AreReadFromRegularFilesOfAReasonableSize) {
  const support::Folder folder;
  const std::string path = (folder.path() / "tour.md").string();
  EXPECT_FALSE(readTour(path, kTourPanels));
  support::writeContents(path, "## A\n");
  const auto tour = readTour(path, kTourPanels);
  ASSERT_TRUE(tour);
  EXPECT_EQ(tour->path, path);
  EXPECT_EQ(tour->text, "## A\n");
  support::writeContents(path, "## A\n" + std::string(kMaxTourBytes, 'x'));
  EXPECT_FALSE(readTour(path, kTourPanels));
}

}  // namespace
}  // namespace stridescope::session
