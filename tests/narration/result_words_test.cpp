#include <gtest/gtest.h>

#include "narration/outcome.h"

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

}  // namespace
}  // namespace stridescope::narration
