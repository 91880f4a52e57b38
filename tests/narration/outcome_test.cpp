#include "narration/outcome.h"

#include <gtest/gtest.h>

#include "analysis/races.h"
#include "hand_built.h"

namespace stridescope::narration {
namespace {

model::Trace with(const std::string& result, const std::string& expected, bool ok, const char* note = "") {
  model::Trace trace;
  trace.result = result;
  trace.expected = expected;
  trace.ok = ok;
  trace.checkNote = note;
  return trace;
}

TEST(ResultWords, Equal) {
  const model::Trace trace = with("6", "6", true);
  EXPECT_EQ(verdictOf(trace), "equal");
  EXPECT_EQ(resultSentence(trace), "The result is 6, the same as a plain loop gives.");
}

TEST(ResultWords, DigitsAreGroupedAsInCaptions) {
  EXPECT_EQ(resultSentence(with("-32640", "-32640", true)),
            "The result is -32\u202f640, the same as a plain loop gives.");
  EXPECT_EQ(resultAndExpected(with("12345.5", "123456", false)),
            "result 12\u202f345.5, expected 123\u202f456: DIFFERENT");
  // A blank within a value would read as the end of it.
  EXPECT_EQ(resultAndExpected(with("12345 67890", "12345 67890", true)),
            "result 12345 67890, expected 12345 67890: equal");
}

TEST(ResultWords, WithinTheBound) {
  const model::Trace trace = with("5.5", "5.25", true, "The exact sum is 5.25.");
  EXPECT_EQ(verdictOf(trace), "equal within the bound");
  EXPECT_EQ(
      resultSentence(trace),
      "The result is 5.5; within the bound of rounding, a plain loop gives 5.25. The exact sum is 5.25.");
}

TEST(ResultWords, Different) {
  const model::Trace trace = with("7", "6", false);
  EXPECT_EQ(verdictOf(trace), "DIFFERENT");
  EXPECT_EQ(resultSentence(trace), "The result is 7, which is WRONG: a plain loop gives 6.");
}

TEST(ResultWords, TheOrderDecides) {
  EXPECT_EQ(verdictOf(with("-inf", "3e+38", true)), "the order decides");
  EXPECT_EQ(verdictOf(with("-nan", "0", true)), "the order decides");
}

TEST(ResultWords, NoneOfARunThatDidNotEnd) {
  const model::Trace trace = with("", "6", false);
  EXPECT_EQ(verdictOf(trace), "no result");
  EXPECT_EQ(resultSentence(trace), "The run did not end, so there is no result; a plain loop gives 6.");
}

TEST(ResultWords, AnEmptyMergeHasEnded) {
  const model::Trace trace = with("", "", true);
  EXPECT_TRUE(hasEnded(trace));
  EXPECT_FALSE(isWrong(trace));
  EXPECT_EQ(resultAndExpected(trace), "result nothing, expected nothing: equal");
  EXPECT_EQ(resultSentence(trace), "The result is nothing, the same as a plain loop gives.");
}

TEST(ResultWords, OfALongMergeTheFirstValuesStandForAll) {
  std::string values = "0";
  for (int i = 1; i < 64; ++i) values += " " + std::to_string(i);
  EXPECT_EQ(resultSentence(with(values, values, true)),
            "The result is " + values + ", the same as a plain loop gives.");
  EXPECT_EQ(resultSentence(with(values + " 64", values + " 64", true)),
            "The result is " + values + " ... (65 values), the same as a plain loop gives.");
}

// What the program could not compute.
TEST(ResultWords, AVerdictOfARecordingIsToldAsItsWord) {
  model::Trace trace = with("6", "6", true);
  trace.verdictIsRecorded = true;
  EXPECT_EQ(verdictOf(trace), "the recording says: equal");
  EXPECT_EQ(resultAndExpected(trace), "result 6; the recording says: expected 6, equal");
  EXPECT_EQ(resultSentence(trace), "The result is 6. The recording says that a plain loop gives the same.");
  trace.expected = "7";
  trace.checkNote = "It was checked.";
  EXPECT_EQ(verdictOf(trace), "the recording says: equal within the bound");
  EXPECT_EQ(
      resultSentence(trace),
      "The result is 6. The recording says that a plain loop gives 7, and that the difference is within the "
      "bound of rounding. The recording's note: It was checked.");
  trace.result = "inf";
  EXPECT_EQ(resultAndExpected(trace), "result inf; the recording says: expected 7, the order decides");
  EXPECT_EQ(
      resultSentence(trace),
      "The result is inf. The recording says that a plain loop gives 7, and that the order decides. The "
      "recording's note: It was checked.");
  trace.ok = false;
  EXPECT_EQ(verdictOf(trace), "the recording says: DIFFERENT");
  EXPECT_EQ(resultSentence(trace),
            "The result is inf, which the recording calls WRONG: it says that a plain loop gives 7. The "
            "recording's "
            "note: It was checked.");
  trace.result.clear();
  EXPECT_EQ(resultAndExpected(trace), "no result: the run did not end");
  EXPECT_EQ(resultSentence(trace), "The run did not end, so there is no result.");
}

void tellOrder(HandBuilt& built) {
  analysis::findOrders(built.trace.launches[0], built.analysis.rounds, built.analysis.races);
}

// Thread 16 writes data[16] in stride 16, thread 8 reads it in stride 8.
HandBuilt raced() {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::WarpBarrier, 16, below(32));
  const int write = built.access(model::EventKind::Store, true, "data[tid]", {{16, 16, 5}});
  built.round(analysis::RoundEnd::WarpBarrier, 8, below(32));
  const int read = built.access(model::EventKind::Load, true, "data[tid + 8]", {{8, 16, 5}});
  built.analysis.races = {{.round = 1,
                           .shared = true,
                           .array = 0,
                           .element = 16,
                           .first = {16, std::uint32_t(write), model::EventKind::Store},
                           .second = {8, std::uint32_t(read), model::EventKind::Load}}};
  tellOrder(built);
  return built;
}

TEST(Trouble, Race) {
  const HandBuilt built = raced();
  EXPECT_EQ(
      raceSentence(built.at(0), built.analysis.races[0]),
      "Race in stride 8: thread 16 wrote 5 to data[16] in stride 16 (line 1), then thread 8 read 5 from it "
      "(line 2), and no barrier stands between. Another run may have them the other way round. Lanes of "
      "one warp need not run in lockstep: a __syncwarp() between the two accesses orders them.");
}

TEST(Trouble, RaceWithinARound) {
  HandBuilt built = raced();
  const int again = built.access(model::EventKind::Store, true, "data[tid]", {{16, 16, 6}});
  built.analysis.races[0].first.thread = 16;
  built.analysis.races[0].first.site = std::uint32_t(again);
  tellOrder(built);
  EXPECT_EQ(
      raceSentence(built.at(0), built.analysis.races[0]),
      "Race in stride 8: thread 8 read 5 from data[16] (line 2), then thread 16 wrote 6 to it (line 3), "
      "and no barrier stands between. Another run may have them the other way round. Lanes of one warp "
      "need not run in lockstep: a __syncwarp() between the two accesses orders them.");
}

TEST(Trouble, ARaceOfUnknownOrderSaysSo) {
  HandBuilt built = raced();
  built.analysis.races[0].orderKnown = false;
  EXPECT_TRUE(
      raceSentence(built.at(0), built.analysis.races[0])
          .starts_with("Race in stride 8: thread 16 wrote 5 to data[16] in stride 16 (line 1) and thread "
                       "8 read 5 from it (line 2), order unknown, and no barrier stands between. The "
                       "value may be the old or the new one."));
}

TEST(Trouble, WhatFixesARace) {
  HandBuilt built = raced();
  analysis::Race race = built.analysis.races[0];
  race.orderKnown = false;
  race.acrossWarps = true;  // others of these two lines
  EXPECT_TRUE(raceSentence(built.at(0), race)
                  .ends_with("a __syncthreads() between the two accesses orders them all."));
  race.second.thread = 40;  // a thread of warp 1
  EXPECT_TRUE(
      raceSentence(built.at(0), race).ends_with("A __syncthreads() between the two accesses orders them."));
  race.second = {40, race.first.site, model::EventKind::Store};
  EXPECT_TRUE(raceSentence(built.at(0), race).ends_with("Either value may remain. Let one thread write it."));
}

TEST(Trouble, SixRacesAreToldAndTheRestCounted) {
  HandBuilt built = raced();
  built.analysis.races.resize(9, built.analysis.races[0]);
  const auto sentences = troubleOf(built.at(0));
  ASSERT_EQ(sentences.size(), 7u);
  EXPECT_EQ(sentences.back(), "And 3 more races of other lines or in other rounds.");
}

TEST(Trouble, Cut) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 4, below(8));
  EXPECT_EQ(cutSentence(built.last()), "");
  built.trace.launches[0].recorded().cut = true;
  built.trace.launches[0].recorded().events.resize(4u << 20);  // each has 16 bytes
  EXPECT_EQ(cutSentence(built.last()),
            "This trace was cut at 64 MB after stride 4. The rounds after it were not recorded.");
  built.analysis.rounds.back().endsWith = analysis::RoundEnd::End;  // in the middle of it
  EXPECT_EQ(cutSentence(built.last()),
            "This trace was cut at 64 MB in stride 4. What the block did from there on was not recorded.");
}

TEST(Trouble, ProblemsNameTheirLine) {
  HandBuilt built = raced();
  built.analysis.races.clear();
  built.analysis.problems = {{model::ProblemKind::OutOfBounds, "Thread 33 writes data[64].", 1, 33}};
  EXPECT_EQ(troubleOf(built.at(0)),
            std::vector<std::string>{"Thread 33 writes data[64]. (line 2: out of bounds)"});
}

}  // namespace
}  // namespace stridescope::narration
