// What a tree leaves out, and what the captions say of it.
#include <gtest/gtest.h>

#include "analysis/data_flow.h"
#include "engine/host/host_engine.h"
#include "narration/caption.h"

namespace stridescope::narration {
namespace {

class OfLost : public testing::Test {
 protected:
  void record(const std::string& variant, unsigned threads) {
    engine::JobControl job;
    auto recorded = engine::host::makeHostEngine()->record(
        {.variant = variant,
         .op = variant == "subtraction" ? model::Operator::Subtract : model::Operator::Add,
         .threads = threads,
         .elements = threads,
         .data = model::DataPattern::Digits},
        job);
    ASSERT_TRUE(recorded) << recorded.error().sentence;
    trace_ = *std::move(recorded);
    analysis_ = analysis::analyse(trace_);
    flow_ = analysis::findDataFlow(trace_, trace_.launches[0], analysis_.launches[0]);
  }
  std::vector<analysis::LostValue> lost() const { return findLostValues(analysis_.launches[0], flow_); }
  RoundAt at(std::size_t round) const {
    return {trace_, trace_.launches[0], analysis_.launches[0], flow_, round};
  }
  std::size_t rounds() const { return flow_.size(); }
  // The caption of the round of that stride.
  std::string captionOfStride(std::uint64_t stride) const {
    for (std::size_t round = 0; round < rounds(); ++round)
      if (at(round).round().stride == stride) return captionOf(at(round)).text();
    return {};
  }

  model::Trace trace_;
  analysis::Analysis analysis_;
  std::vector<analysis::RoundFlow> flow_;
};

// What the block leaves and what is lost are the sum together: nothing is forgotten, nothing counted twice.
TEST_F(OfLost, TheResultAndWhatIsLostAreTheSum) {
  for (const unsigned threads : {3u, 6u, 12u, 96u, 100u, 320u, 768u}) {
    record("lost_elements", threads);
    std::uint64_t sum = std::stoull(trace_.result), elements = 0;
    for (const analysis::LostValue& value : lost()) {
      sum += value.value.bits;
      elements += value.of;
    }
    EXPECT_EQ(sum, std::stoull(trace_.expected)) << threads;
    EXPECT_GT(elements, 0u) << threads;
    EXPECT_LT(elements, threads) << threads;
  }
}

// 96 48 24 12 6 3 1: stride 1 adds two of three values. With 100, stride 12 leaves out one of 25, too.
TEST_F(OfLost, TheCaptionNamesThemWhereTheyAreLeftOut) {
  record("lost_elements", 96);
  EXPECT_EQ(captionOfStride(1),
            "Stride 1: 1 of 96 threads adds, 1 of 32 lanes of warp 0; the other 2 warps are idle. No thread "
            "reads data[2] from here on: its 114, the sum of 32 elements, is lost.");
  EXPECT_EQ(captionOf(at(rounds() - 1)).text(),
            "Write: thread 0 writes 288 to out[0], the result of this block. The sum of 32 elements, 114 in "
            "data[2], is missing from it.");
  EXPECT_EQ(captionOfStride(3).find("lost"), std::string::npos);
  record("lost_elements", 100);
  EXPECT_NE(captionOfStride(12).find("reads data[24] from here on"), std::string::npos)
      << captionOfStride(12);
  EXPECT_NE(captionOfStride(1).find("reads data[2] from here on"), std::string::npos) << captionOfStride(1);
  record("lost_elements", 3);
  EXPECT_NE(captionOfStride(1).find("1 element, is lost"), std::string::npos) << captionOfStride(1);
}

TEST_F(OfLost, NothingIsWhereTheResultIsRight) {
  record("any_block_size", 96);
  EXPECT_TRUE(lost().empty());
  record("unrolled_last_warp", 128);  // results that nobody uses are no loss
  EXPECT_TRUE(lost().empty());
  record("subtraction", 64);  // a wrong result of all elements
  EXPECT_TRUE(lost().empty());
}

// 96 48 24 12 6 3 2 1: stride 2 adds two of three values, and the third has its turn in stride 1.
TEST_F(OfLost, AValueThatWaitsIsNamed) {
  record("any_block_size", 96);
  EXPECT_EQ(
      captionOfStride(2),
      "Stride 2: 1 of 96 threads adds, 1 of 32 lanes of warp 0; the other 2 warps are idle. One value, "
      "data[1], has no "
      "partner and waits for the next stride; a single lane cannot conflict: each load and the store take 1 "
      "wavefront.");
  EXPECT_EQ(captionOfStride(3).find("waits"), std::string::npos);
}

}  // namespace
}  // namespace stridescope::narration
