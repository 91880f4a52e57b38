// Times of a person's own kernel as text and as JSON.
#include "report/own_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using namespace stridescope;
using testing::HasSubstr;
using testing::Not;

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

// What is known of the time of a person's own kernel, and what differs from another file.

// Two blocks, one after the other; `median` microseconds, and as many wavefronts of loads.
report::KernelWhy why(const std::string& file, float median, double wavefronts) {
  const model::Executor executor{.kind = model::EngineKind::Gpu, .device = "NVIDIA H200"};
  const report::KernelCall call{
      .file = file, .name = "sum", .templateArguments = {}, .grid = {2}, .block = {64}};
  report::KernelWhy why{.times = {.call = call,
                                  .launches = 1,
                                  .executor = executor,
                                  .whole = {median - .5f, median - .25f, median, median + .25f, median + .5f},
                                  .empty = {2, 2, 3, 3, 3}},
                        .timeline = {.call = call, .record = {}}};
  model::TimelineRecord& record = why.timeline.record;
  record.executor = executor;
  record.multiprocessors = 1;
  record.runs = 21;
  record.cleanMicroseconds = 5;
  record.markedMicroseconds = 6;
  record.nanoseconds = 2000;
  record.launches = {{.block = 64, .residentBlocks = 1, .blocks = {{0, 900, 0}, {1000, 1000, 0}}}};
  report::CountedCase& counted = why.counted.emplace();
  counted.own = call;
  counted.record.executor = executor;
  counted.record.launches = {
      {.grid = 2, .block = 64, .values = {{model::Counter::SharedLoadWavefronts, wavefronts}}}};
  counted.launches = {
      {{.counter = model::Counter::SharedLoadWavefronts, .modelled = 8, .measured = wavefronts}}};
  return why;
}

nlohmann::json jsonOf(const report::KernelWhy& one, const report::KernelWhy* other) {
  std::ostringstream out;
  report::writeKernelWhyJson(out, one, other);
  return nlohmann::json::parse(out.str());
}

TEST(KernelWhy, TextHasTimeTimelineAndCounters) {
  const std::string text = report::kernelWhyText(why("sum.cu", 8, 16), nullptr);
  EXPECT_THAT(text, HasSubstr("kernel         8.00 us"));
  EXPECT_THAT(text, HasSubstr("2 blocks of 64 threads, 2 waves"));
  EXPECT_THAT(text, HasSubstr("0 of 1 modelled counters equal"));
  EXPECT_THAT(text, Not(HasSubstr("From ")));
}

TEST(KernelWhy, TextTellsWhatDiffersFromTheOtherFile) {
  const report::KernelWhy other = why("other.cu", 16, 64);
  const std::string text = report::kernelWhyText(why("sum.cu", 8, 16), &other);
  EXPECT_THAT(text, HasSubstr("From other.cu:\n50 % of the time: 16.0 µs before, 8.00 µs after."));
  EXPECT_THAT(text, HasSubstr("wavefronts                                   64             16    0.25"));
}

TEST(KernelWhy, JsonHasTheThreePartsAndTheChange) {
  const report::KernelWhy other = why("other.cu", 16, 64);
  const auto json = jsonOf(why("sum.cu", 8, 16), &other);
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["kernel"]["file"], "sum.cu");
  EXPECT_EQ(json["engine"]["device"], "NVIDIA H200");
  EXPECT_EQ(json["microseconds"], 8.0);
  EXPECT_EQ(json["time"]["samples"], 5);
  EXPECT_EQ(json["time"]["empty_us"]["median"], 3.0);
  EXPECT_EQ(json["timeline"]["launches"][0]["waves"], 2.0);
  EXPECT_EQ(json["timeline"]["blocks"].size(), 2u);
  EXPECT_EQ(json["counters"]["launches"][0]["counters"]["shared_load_wavefronts"]["measured"], 16.0);
  EXPECT_EQ(json["other"]["kernel"]["file"], "other.cu");
  EXPECT_EQ(json["other"]["microseconds"], 16.0);
  EXPECT_EQ(json["change"]["from"], "other.cu");
  EXPECT_EQ(json["change"]["from_threads"], 64);
  EXPECT_EQ(json["change"]["saved_microseconds"], 8.0);
  EXPECT_EQ(json["change"]["figures"]["wavefronts"]["factor"], 0.25);
  EXPECT_EQ(json["change"]["figures"]["blocks"]["before"], 2.0);
}

// Without the permission to read counters, nothing is said of them, and the change has the rest.
TEST(KernelWhy, CountersThatCannotBeReadAreNull) {
  report::KernelWhy one = why("sum.cu", 8, 16), other = why("other.cu", 16, 64);
  one.counted.reset();
  const auto json = jsonOf(one, &other);
  EXPECT_TRUE(json["counters"].is_null());
  EXPECT_FALSE(json["change"]["figures"].contains("wavefronts"));
  EXPECT_EQ(json["change"]["figures"]["launches"]["after"], 1.0);
  EXPECT_THAT(report::kernelWhyText(one, nullptr), Not(HasSubstr("modelled")));
}

}  // namespace
