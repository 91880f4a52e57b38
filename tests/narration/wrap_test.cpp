// Where integers wrap, the caption says so. The exact values are worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/host/host_engine.h"
#include "narration/caption.h"
#include "support/trace_builder.h"

namespace stridescope::narration {
namespace {

// Thread 0 adds data[1] to data[0] and writes what becomes of it.
std::string captionOfSum(model::ElementType type, std::uint64_t a, std::uint64_t b, std::uint64_t sum) {
  support::TraceBuilder builder(32, type);
  const auto data = builder.sharedArray("data", 2);
  const auto first = builder.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
  const auto second = builder.site({.kind = model::SiteKind::Load, .text = "data[tid + s]"});
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
  builder.poke(data, 0, a);
  builder.poke(data, 1, b);
  builder.load(0, first, data, 0);
  builder.load(0, second, data, 1);
  builder.store(0, store, data, 0, sum);
  const model::Trace trace = builder.build();
  const analysis::Analysis analysis = analysis::analyse(trace);
  const auto flow = analysis::findDataFlow(trace, trace.launches[0], analysis.launches[0]);
  return captionOf({trace, trace.launches[0], analysis.launches[0], flow, 0}).text();
}

constexpr std::uint64_t bitsOf(std::int32_t value) { return std::uint32_t(value); }

model::SharedData givenInts(std::initializer_list<std::int32_t> values) {
  model::GivenData data{.name = "numbers"};
  for (const std::int32_t value : values) data.values.push_back(bitsOf(value));
  return model::SharedData(std::move(data));
}

TEST(WrapClause, TellsTheExactSumAndWhatItBecame) {
  using enum model::ElementType;
  EXPECT_NE(captionOfSum(Int, bitsOf(2147483647), bitsOf(5), bitsOf(-2147483644))
                .find("in thread 0 the sum wraps: exact 2\u202f147\u202f483\u202f652, wrapped to "
                      "-2\u202f147\u202f483\u202f644 in 32 bits."),
            std::string::npos)
      << captionOfSum(Int, bitsOf(2147483647), bitsOf(5), bitsOf(-2147483644));
  EXPECT_NE(captionOfSum(Unsigned, 4294967295u, 2, 1)
                .find("exact 4\u202f294\u202f967\u202f297, wrapped to 1 in 32 bits."),
            std::string::npos);
  EXPECT_NE(captionOfSum(Int64, 0x7fffffffffffffff, 1, 0x8000000000000000)
                .find("exact 9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808, wrapped to "
                      "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808 in 64 bits."),
            std::string::npos);
}

// The caption of the round in which each launch's block writes its sum.
std::vector<std::string> lastCaptions(const model::Experiment& experiment) {
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(experiment, job);
  if (!trace) return {trace.error().sentence};
  const analysis::Analysis analysis = analysis::analyse(*trace);
  std::vector<std::string> captions;
  for (std::size_t i = 0; i < trace->launches.size(); ++i) {
    const auto flow = analysis::findDataFlow(*trace, trace->launches[i], analysis.launches[i]);
    captions.push_back(
        captionOf({*trace, trace->launches[i], analysis.launches[i], flow, flow.size() - 1}).text());
  }
  return captions;
}

constexpr std::string_view kHasWrapped = ", the sum of this block, which has wrapped";

// 0 + 1 + ... + 65535 = 2147450880 fits an int, and so do the sums of 256; only all 100000 do not.
TEST(WrapClause, SaysOfABlocksSumThatItHasWrappedOnlyWhereItHas) {
  const auto captions = lastCaptions(
      {.variant = "sequential", .threads = 256, .elements = 100000, .data = model::DataPattern::Ramp});
  ASSERT_EQ(captions.size(), 3u);
  EXPECT_NE(captions[1].find("writes 2\u202f147\u202f450\u202f880 to"), std::string::npos) << captions[1];
  for (std::size_t i = 0; i < captions.size(); ++i)
    EXPECT_EQ(captions[i].find(kHasWrapped) != std::string::npos, i == 2) << captions[i];
}

// 2147483647 + 1 wraps, and with the sum of 0 and -1 back again. A second block makes the run's result of it.
TEST(WrapClause, SumsThatWrapUpAndDownAgainHaveNotWrapped) {
  const auto captions = lastCaptions({.variant = "sequential",
                                      .threads = 4,
                                      .elements = 8,
                                      .data = model::DataPattern::Given,
                                      .given = givenInts({2147483647, 0, 1, -1, 0, 0, 0, 0})});
  ASSERT_EQ(captions.size(), 2u);
  EXPECT_NE(captions[0].find("writes 2\u202f147\u202f483\u202f647 to"), std::string::npos) << captions[0];
  EXPECT_EQ(captions[0].find(kHasWrapped), std::string::npos) << captions[0];
}

TEST(WrapClause, IsOfTheSecondSentence) {
  using enum model::ElementType;
  const std::string caption = captionOfSum(Int, bitsOf(2147483647), bitsOf(5), bitsOf(-2147483644));
  EXPECT_EQ(std::ranges::count(caption, '.'), 2) << caption;
}

TEST(WrapClause, SaysNothingOfASumThatFitsOrOfAnotherValue) {
  using enum model::ElementType;
  EXPECT_EQ(captionOfSum(Int, bitsOf(-1), bitsOf(1), 0).find("wraps"), std::string::npos);
  EXPECT_EQ(captionOfSum(Unsigned, 4294967295u, 0, 4294967295u).find("wraps"), std::string::npos);
  EXPECT_EQ(captionOfSum(Int, bitsOf(2147483647), bitsOf(5), bitsOf(7)).find("wraps"), std::string::npos)
      << "a value that no such sum leaves is another fault's";
}

}  // namespace
}  // namespace stridescope::narration
