// What `why` says of times that are none: a recording may hold any that is not below 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "narration/why_sentences.h"

namespace stridescope::narration {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WhySentence, OfHardlyAnyTimeHasNoInfinities) {
  analysis::ReductionCost reduction;
  reduction.cost.experiment = {.variant = "sequential", .threads = 256, .elements = 1 << 20};
  reduction.cost.launches = {{.grid = 4096, .block = 256}};
  reduction.cost.limits.readGigabytesPerSecond = 2000;
  for (const double time : {0.0, std::numeric_limits<double>::denorm_min()}) {
    reduction.cost.microseconds = time;
    const std::string sentence = whySentence(reduction);
    EXPECT_THAT(sentence, Not(HasSubstr("inf"))) << time;
    EXPECT_THAT(sentence, Not(HasSubstr("nan"))) << time;
  }
}

}  // namespace
}  // namespace stridescope::narration
