// Ticks, figures and short names.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/catalog.h"
#include "views/measure/timings_look.h"
#include "views/measure/timings_plot.h"

namespace stridescope::views {
namespace {

std::string labelsOf(const std::vector<AxisTick>& ticks) {
  std::string labels;
  for (const AxisTick& tick : ticks) labels += (labels.empty() ? "" : " ") + tick.label;
  return labels;
}

TEST(TimingsAxes, TicksAreRoundFigures) {
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::Microseconds, 0, 200, 5)), "0 50 100 150 200");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::Microseconds, 0, 200, 3)), "0 100 200");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::LogMicroseconds, 5, 200'000, 6)), "10 µs 100 µs 1 ms 10 ms 100 ms");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::GigabytesPerSecond, 40, 500, 6)), "50 100 200 500");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::Ago, 88, 100, 4, 100)), "-10 -5 now");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::Ago, 86, 100, 2, 100)), "-10 now") << "also where two have room";
}

TEST(TimingsAxes, PowersOfTwoAreLeftOutInEqualSteps) {
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::Elements, 1 << 10, 1 << 28, 6)), "2^12 2^16 2^20 2^24 2^28");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::BlockThreads, 32, 1024, 6)), "32 64 128 256 512 1024");
  EXPECT_EQ(labelsOf(axisTicks(AxisKind::BlockThreads, 32, 1024, 3)), "64 256 1024");
}

TEST(TimingsAxes, NoAxisHasMoreTicksThanThereIsRoomFor) {
  for (const AxisKind kind : {AxisKind::Microseconds, AxisKind::LogMicroseconds, AxisKind::GigabytesPerSecond,
                              AxisKind::Elements, AxisKind::BlockThreads})
    for (double most = 2; most < 1e9; most *= 3.7)
      for (const int count : {2, 3, 5, 9}) {
        const auto ticks = axisTicks(kind, 1, most, count);
        EXPECT_LE(int(ticks.size()), count + 1) << int(kind) << " to " << most;
        for (const AxisTick& tick : ticks) EXPECT_TRUE(tick.value >= 0.999 || kind == AxisKind::Microseconds);
      }
}

TEST(TimingsAxes, APlaceIsNamedInTheAxissUnit) {
  EXPECT_EQ(placeText(AxisKind::Elements, 1 << 18), "2^18");
  EXPECT_EQ(placeText(AxisKind::BlockThreads, 256), "256");
  EXPECT_EQ(placeText(AxisKind::Ago, 96.8, 100), "-3.2 s");
}

TEST(TimingsLabels, ShortTitlesKeepWhatTellsTheVariantsApart) {
  EXPECT_EQ(shortTitle("interleaved, modulo"), "modulo");
  EXPECT_EQ(shortTitle("interleaved, contiguous"), "contiguous");
  EXPECT_EQ(shortTitle("sequential"), "sequential");
  EXPECT_EQ(shortTitle("first add during load"), "first add");
  EXPECT_EQ(shortTitle("completely unrolled"), "completely unrolled");
  EXPECT_EQ(shortTitle("several elements per thread"), "several elements");
  EXPECT_EQ(shortTitle("16-byte loads, one atomic per block"), "one atomic");
  for (const kernels::Variant& variant : kernels::catalog())
    EXPECT_FALSE(shortTitle(variant.title).empty()) << variant.id;
}

TEST(TimingsLabels, ArePushedApartAndStayInside) {
  const std::vector<float> tops = pushedApart({10, 11, 12, 90}, 17, 0, 100);
  ASSERT_EQ(tops.size(), 4u);
  for (std::size_t i = 1; i < tops.size(); ++i) EXPECT_GE(tops[i] - tops[i - 1], 17 - 1e-3f);
  EXPECT_GE(tops.front(), 0);
  EXPECT_LE(tops.back() + 17, 100 + 1e-3f);
}

}  // namespace
}  // namespace stridescope::views
