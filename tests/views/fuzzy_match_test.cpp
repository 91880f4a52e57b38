// What a few typed letters find, and in which order.
#include "views/shared/fuzzy_match.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

TEST(MatchScore, AWholeWordComesBeforeABeginningAnInsideAndLettersApart) {
  const int whole = matchScore("min", "Operator: min"), beginning = matchScore("min", "minimum"),
            inside = matchScore("min", "timing of a warp: a min"), within = matchScore("imi", "timing"),
            apart = matchScore("stfw", "Step forward");
  EXPECT_EQ(whole, inside) << "the best place counts";
  EXPECT_GT(whole, beginning);
  EXPECT_GT(beginning, within);
  EXPECT_GT(within, apart);
  EXPECT_GT(apart, 0);
}

TEST(MatchScore, CaseAndTheOrderOfWordsDoNotMatter) {
  EXPECT_GT(matchScore("LAST r", "Last round"), 0);
  EXPECT_GT(matchScore("round last", "Last round"), 0);
  EXPECT_GT(matchScore("last round", "Last round"), matchScore("round last", "Last round"));
}

TEST(MatchScore, EveryWordMustBeFound) {
  EXPECT_EQ(matchScore("last xyz", "Last round"), 0);
  EXPECT_EQ(matchScore("dnuor", "Last round"), 0) << "letters keep their order";
}

TEST(MatchScore, LettersApartBeginWithAWordAndCostLessThanWhatIsLeftOut) {
  EXPECT_EQ(matchScore("tfw", "Step forward"), 0);
  EXPECT_EQ(matchScore("race", "read by columns, padded"), 0) << "they stand too far apart";
  EXPECT_GT(matchScore("fs", "Full screen"), matchScore("fs", "Full width of the screen"));
}

TEST(MatchScore, FiguresAndSignsAreNotTakenApart) {
  EXPECT_EQ(matchScore("512", "5 of 1024, 2 rows"), 0);
  EXPECT_GT(matchScore("512", "Block size: 512"), matchScore("512", "Block size: 5120"));
  EXPECT_GT(matchScore("+", "Operator: +"), 0);
}

TEST(MatchScore, AnEmptyQueryFindsEverything) {
  EXPECT_GT(matchScore("", "anything"), 0);
  EXPECT_GT(matchScore("  ", "anything"), 0);
}

}  // namespace
}  // namespace stridescope::views
