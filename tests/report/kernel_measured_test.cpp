// Times of a person's own kernel as text and as JSON.
#include "report/kernel_measured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using namespace stridescope;
using testing::HasSubstr;

report::KernelTimes times() {
  return {.call = {.file = "sum.cu",
                   .name = "sum",
                   .templateArguments = "int, 128",
                   .grid = {4, 2},
                   .block = {128},
                   .sharedBytes = 512},
          .launches = 1,
          .executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H100 80GB HBM3"},
          .whole = {6, 5, 7, 8, 100},
          .empty = {4, 4, 4, 5, 5}};
}

TEST(KernelTimes, TextNamesTheKernelTheDeviceAndBothTimes) {
  const std::string text = report::kernelTimeText(times());
  EXPECT_THAT(text, HasSubstr("sum<int, 128><<<4 x 2 x 1, 128, 512>>> of sum.cu"));
  EXPECT_THAT(text, HasSubstr("NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(text, HasSubstr("kernel         7.00 us (median of 5; quartiles 6.00 and 8.00)"));
  EXPECT_THAT(text, HasSubstr("empty kernel   4.00 us (median of 5; quartiles 4.00 and 5.00)"));
}

TEST(KernelTimes, SeveralLaunchesAreOneTime) {
  report::KernelTimes all = times();
  all.launches = 2;
  EXPECT_THAT(report::kernelTimeText(all), HasSubstr("before the first of 2 launches"));
}

TEST(KernelTimes, JsonHasTheSame) {
  std::ostringstream out;
  report::writeKernelTimeJson(out, times());
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["kernel"]["name"], "sum");
  EXPECT_EQ(json["kernel"]["grid"], (std::vector<int>{4, 2, 1}));
  EXPECT_EQ(json["engine"]["device"], "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(json["samples"], 5);
  EXPECT_EQ(json["us"]["median"], 7.0);
  EXPECT_EQ(json["us"]["low"], 6.0);
  EXPECT_EQ(json["empty_us"]["high"], 5.0);
}

// Two launches on a GPU of two multiprocessors: three blocks, then one.
report::KernelTimeline timeline() {
  report::KernelTimeline timeline{.call = times().call, .record = {}};
  timeline.record.executor = times().executor;
  timeline.record.multiprocessors = 2;
  timeline.record.runs = 21;
  timeline.record.cleanMicroseconds = 5;
  timeline.record.markedMicroseconds = 5.5;
  timeline.record.nanoseconds = 5000;
  timeline.record.launches = {
      {.block = 128, .residentBlocks = 1, .blocks = {{0, 1000, 0}, {100, 1200, 1}, {1000, 1000, 0}}},
      {.block = 32, .residentBlocks = 4, .blocks = {{3000, 2000, 1}}}};
  return timeline;
}

TEST(KernelTimeline, TextHasEachLaunchAndItsWaves) {
  const std::string text = report::kernelTimelineText(timeline());
  EXPECT_THAT(text,
              HasSubstr("sum<int, 128><<<4 x 2 x 1, 128, 512>>> of sum.cu, marked on NVIDIA H100 80GB"));
  EXPECT_THAT(text, HasSubstr("3 blocks of 128 threads, 1.5 waves of the 2 that fit at once"));
  EXPECT_THAT(text, HasSubstr("1 block of 32 threads"));
  EXPECT_THAT(text, HasSubstr("1 SM has no block of it"));
}

TEST(KernelTimeline, JsonHasEachBlock) {
  std::ostringstream out;
  report::writeKernelTimelineJson(out, timeline());
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["kernel"]["name"], "sum");
  EXPECT_EQ(json["multiprocessors"], 2);
  ASSERT_EQ(json["launches"].size(), 2u);
  EXPECT_EQ(json["launches"][0]["grid"], 3);
  EXPECT_EQ(json["launches"][0]["waves"], 1.5);
  ASSERT_EQ(json["blocks"].size(), 4u);
  EXPECT_EQ(json["blocks"][2]["start"], 1000);
  EXPECT_EQ(json["blocks"][2]["end"], 2000);
  EXPECT_EQ(json["blocks"][3]["multiprocessor"], 1);
}

}  // namespace
