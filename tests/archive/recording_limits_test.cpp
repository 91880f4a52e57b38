// The documented limits: what is at a limit is written and read back, what is beyond is refused before it is
// written, and whatever is written can be read.
#include "archive/recording_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <type_traits>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "archive/row_shapes.h"
#include "largest_records.h"
#include "support/grid_records.h"
#include "support/ladder_trace.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;
using testing::HasSubstr;

struct RecordingLimits : testing::Test {
  Folder folder;
  const std::filesystem::path file = folder / "a.stride";
  const model::Trace trace = support::ladderTrace("sequential", 8, model::ElementType::Int);

  template <class Record>
  void expectWhole(const std::vector<Record>& records) {
    const auto written = writeRecording(file, {&trace, 1}, true, {records});
    ASSERT_TRUE(written) << written.error().sentence;
    const auto back = readQuantity<Record>(file);
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_TRUE(*back == records) << "not printed: they are many";
  }

  template <class Record>
  std::string refusalOf(const std::vector<Record>& records) {
    const auto written = writeRecording(file, {&trace, 1}, true, {records});
    EXPECT_FALSE(written);
    EXPECT_FALSE(std::filesystem::exists(file));
    return written ? std::string() : written.error().sentence;
  }
};

TEST_F(RecordingLimits, AsManyClocksAsAFileHolds) { expectWhole(test::clocksOf(trace, 4096, 1)); }
TEST_F(RecordingLimits, OneClockMoreIsRefused) {
  EXPECT_EQ(refusalOf(test::clocksOf(trace, 4097, 1)),
            "There are 4097 blocks with cycles, and one recording holds at most 4096. Record fewer "
            "experiments at once.");
}

TEST_F(RecordingLimits, AsManyCountersAsAFileHolds) {
  expectWhole(test::countersOf(trace, 4096, 1));
  expectWhole(test::countersOf(trace, 64, 64));
}
TEST_F(RecordingLimits, MoreCountersAreRefused) {
  EXPECT_THAT(refusalOf(test::countersOf(trace, 4097, 1)),
              HasSubstr("4097 runs with counters, and one recording holds at most 4096."));
  EXPECT_THAT(refusalOf(test::countersOf(trace, 1, 65)), HasSubstr("too many"));
}

// The blocks are recorded in the way that takes the most bytes.
TEST_F(RecordingLimits, AsManyBlocksAsATimelineHolds) {
  auto timelines = test::timelinesOf(trace, 1, std::size_t{1} << 21, true);
  expectWhole(timelines);
}
TEST_F(RecordingLimits, NoBlockTakesMoreBytesThanAreReadOfIt) {
  const auto timelines = test::timelinesOf(trace, 1, 10'000, true);
  const PackedBlocks packed = packBlocks(timelines[0].launches[0].blocks);
  EXPECT_LE(packed.bytes.size(), 10'000 * kMaxPackedBlockBytes);
  EXPECT_GE(packed.bytes.size(), 10'000 * (kMaxPackedBlockBytes - 1)) << "not the most that there is";
}
TEST_F(RecordingLimits, AsManyTimelinesAsAFileHolds) { expectWhole(test::timelinesOf(trace, 4096, 1)); }
TEST_F(RecordingLimits, MoreBlocksOrTimelinesAreRefused) {
  EXPECT_THAT(refusalOf(test::timelinesOf(trace, 1, (1 << 21) + 1)), HasSubstr("too many blocks"));
  EXPECT_THAT(refusalOf(test::timelinesOf(trace, 4097, 1)), HasSubstr("4097 timelines"));
}
// Blocks of no length, in starts that are far apart.
TEST_F(RecordingLimits, ATimelineWhoseUnitWouldBeTooLongIsReadBack) {
  auto timelines = test::timelinesOf(trace, 1, 3);
  for (std::size_t i = 0; i < 3; ++i) timelines[0].launches[0].blocks[i] = {i * 10'000'000'000, 0, 1};
  expectWhole(timelines);
}

TEST_F(RecordingLimits, AsManyCostsAsAFileHolds) {
  expectWhole(test::costsOf(trace, 16'384, 1));
  expectWhole(test::costsOf(trace, 64, 64));
}
TEST_F(RecordingLimits, MoreCostsAreRefused) {
  EXPECT_THAT(refusalOf(test::costsOf(trace, 16'385, 1)), HasSubstr("costs"));
  EXPECT_THAT(refusalOf(test::costsOf(trace, 1, 65)), HasSubstr("too many"));
}

TEST_F(RecordingLimits, AsManyTimingsOverSeveralGpusAsAFileHolds) {
  expectWhole(test::groupTimingsOf(16'384, 1));
  expectWhole(test::groupTimingsOf(2, 64));
}
TEST_F(RecordingLimits, MoreTimingsOverSeveralGpusAreRefused) {
  EXPECT_THAT(refusalOf(test::groupTimingsOf(16'385, 1)), HasSubstr("timings over several GPUs"));
  EXPECT_THAT(refusalOf(test::groupTimingsOf(1, 65)), HasSubstr("too many"));
}
TEST_F(RecordingLimits, AsManyLinksAsAFileHolds) { expectWhole(test::linksOf(256, 8)); }
TEST_F(RecordingLimits, MoreLinksAreRefused) {
  EXPECT_THAT(refusalOf(test::linksOf(257, 2)), HasSubstr("links between GPUs"));
  EXPECT_THAT(refusalOf(test::linksOf(1, 9)), HasSubstr("2 to 8 GPUs"));
}

TEST_F(RecordingLimits, TheLongestMachineCode) { expectWhole(test::codesOf(trace, 1, 65'536, 512)); }
TEST_F(RecordingLimits, AsMuchMachineCodeAsAFileHolds) { expectWhole(test::codesOf(trace, 4096, 1, 512)); }
TEST_F(RecordingLimits, MoreMachineCodeIsRefused) {
  EXPECT_THAT(refusalOf(test::codesOf(trace, 4097, 1, 8)), HasSubstr("4097 machine codes"));
  EXPECT_THAT(refusalOf(test::codesOf(trace, 1, 65'537, 1)), HasSubstr("too many"));
  EXPECT_THAT(refusalOf(test::codesOf(trace, 1, 1, 513)), HasSubstr("too long"));
  EXPECT_THAT(refusalOf(test::codesOf(trace, 2, 65'536, 512)),
              HasSubstr("bytes of machine code, and one recording holds at most 67\u202f108\u202f864."));
}

TEST_F(RecordingLimits, AsManyTimingsAsAFileHolds) { expectWhole(test::timingsOf(65'536, 1)); }
TEST_F(RecordingLimits, AsManySamplesAsATimingHolds) { expectWhole(test::timingsOf(1, 65'536)); }
TEST_F(RecordingLimits, MoreTimingsOrSamplesAreRefused) {
  EXPECT_THAT(refusalOf(test::timingsOf(65'537, 1)), HasSubstr("timings"));
  EXPECT_THAT(refusalOf(test::timingsOf(1, 65'537)), HasSubstr("65537 samples"));
  EXPECT_THAT(refusalOf(test::timingsOf(257, 65'536)), HasSubstr("16\u202f842\u202f752 samples of timings"));
}

// Texts of 64 KiB are allowed, but not 16 MiB of them.
TEST_F(RecordingLimits, LongTextsAreReadBackOrRefused) {
  auto costs = test::costsOf(trace, 255, 1);
  for (model::CostRecord& cost : costs) cost.executor.driver.assign(model::kMaxTextBytes, 'd');
  expectWhole(costs);
  costs.resize(257, costs[0]);
  std::filesystem::remove(file);
  EXPECT_THAT(refusalOf(costs), HasSubstr("bytes of names and other texts of costs"));
}

// Everything in one trace: 64 launches, 4096 sites in 64 loops, 4096 problems of a launch, a kernel of 1 MiB,
// results of 2 MiB, and each other text of 64 KiB, up to 64 MiB of those of problems.
model::Trace largestTrace() {
  const std::string longest(model::kMaxTextBytes, 't');
  model::Trace trace = model::sample::everyField();
  trace.kernel = {};
  trace.kernelText.resize(model::kMaxKernelTextBytes, ' ');
  for (std::string* text :
       {&trace.preamble, &trace.executor.device, &trace.executor.computeCapability, &trace.executor.driver,
        &trace.executor.compiler, &trace.executor.recordedOn, &trace.checkNote,
        &trace.experiment.custom.combine, &trace.experiment.custom.identity, &trace.trial.whyNotTried})
    *text = longest;
  trace.experiment.op = model::Operator::Custom;
  trace.result = "11";
  while (trace.result.size() < model::kMaxResultBytes) trace.result += " 1";
  trace.expected = trace.result;
  trace.ok = true;
  for (const model::TrialProperty property : allOf(model::TrialProperty{}))
    trace.trial.findings.push_back({.property = property, .sentence = longest});
  const int before = int(trace.sites.size());
  for (int id = before; id < 4096; ++id) {
    trace.sites.push_back(
        {.id = id, .kind = model::SiteKind::Loop, .line = 1, .column = 1, .loops = {}, .text = {}});
    trace.sites.back().loops.assign(id < before + 8 ? 64 : 0, before);
  }
  trace.launches.resize(64, trace.launches[1]);
  trace.launches[63].recorded().problems.assign(4096, {.text = "p"});
  const std::size_t others = textBytes(trace.sites) + textBytes(trace.launches);
  trace.launches[62].recorded().problems.assign(1023, {.text = longest});
  trace.launches[62].recorded().problems.push_back({.text = std::string(longest.size() - others, 't')});
  return trace;
}

TEST_F(RecordingLimits, TheLargestTextsAndCountsOfATrace) {
  const model::Trace largest = largestTrace();
  const auto written = writeRecording(file, {&largest, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  const auto back = readTrace(file, 1);
  ASSERT_TRUE(back) << back.error().sentence;
  EXPECT_TRUE(*back == model::sample::recorded(largest)) << "not printed: it is long";
  EXPECT_TRUE(readIndex(file));
}

TEST_F(RecordingLimits, WhatIsMoreThanATraceHoldsIsRefused) {
  const model::Trace largest = largestTrace();
  for (const auto& spoil : std::vector<std::function<void(model::Trace&)>>{
           [](model::Trace& t) { t.launches.push_back(t.launches[1]); },
           [](model::Trace& t) {
             t.sites.push_back({.id = 4096,
                                .kind = model::SiteKind::Loop,
                                .line = 1,
                                .column = 1,
                                .loops = {},
                                .text = {}});
           },
           [](model::Trace& t) { t.sites.back().loops.assign(65, 4095); },
           [](model::Trace& t) { t.launches[63].recorded().problems.push_back({.text = "p"}); },
           [](model::Trace& t) {
             t.launches[62].recorded().problems.resize(1025, t.launches[62].recorded().problems[0]);
           },
           [](model::Trace& t) {
             t.launches[0].blocks.push_back(t.launches[0].recorded());
             t.launches[0].blocks[1].device = 1;
           },
           [](model::Trace& t) { t.kernelText += ' '; }, [](model::Trace& t) { t.preamble += ' '; },
           [](model::Trace& t) { t.result += " 1"; }, [](model::Trace& t) { t.expected += " 1"; },
           [](model::Trace& t) { t.experiment.lists = 1025; }}) {
    model::Trace more = largest;
    spoil(more);
    const auto written = writeRecording(file, {&more, 1}, true);
    ASSERT_FALSE(written);
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
}

// Each field in turn at the ends of its type.
class WrittenIsRead : public testing::Test {
 public:
  template <class Value, class Try>
  static void spoilEach(Value& value, const std::string& name, const Try& tryIt) {
    using Limits = std::numeric_limits<Value>;
    if constexpr (std::is_same_v<Value, bool> || std::is_enum_v<Value> || kIsOptionalEnum<Value>) {
    } else if constexpr (std::is_arithmetic_v<Value>) {
      const Value kept = value;
      std::vector<Value> ends{Value(0), Limits::lowest(), Limits::max()};
      if constexpr (std::is_floating_point_v<Value>)
        ends.insert(ends.end(), {Value(-1), Value(1e9), Limits::infinity(), Limits::quiet_NaN()});
      else if constexpr (sizeof(Value) >= 4)
        ends.push_back(1 << 20);
      for (const Value end : ends) {
        value = end;
        tryIt(name + " = " + std::to_string(end));
      }
      value = kept;
    } else if constexpr (HasDescription<Value>) {
      forEachField(value, [&](std::string_view field, auto& member) {
        spoilEach(member, name + "." + std::string(field), tryIt);
      });
    } else if constexpr (requires { value.front(); } && !std::is_same_v<Value, std::string>) {
      if (!value.empty()) spoilEach(value.front(), name + "[0]", tryIt);
      if (value.size() > 1) spoilEach(value.back(), name + "[last]", tryIt);
    }
  }

  template <class Record>
  void check(std::vector<Record> records) {
    const model::Trace trace = model::sample::empty();
    int written = 0, refused = 0;
    spoilEach(records[0], "record", [&](const std::string& what) {
      if (!writeRecording(file, {&trace, 1}, true, {records})) return void(++refused);
      ++written;
      const auto back = readQuantity<Record>(file);
      EXPECT_TRUE(back) << what << ": " << back.error().sentence;
    });
    EXPECT_GT(written, 5);
    EXPECT_GT(refused, 5);
  }

 protected:
  Folder folder_;
  const std::filesystem::path file = folder_ / "a.stride";
};

TEST_F(WrittenIsRead, OfTimings) { check(test::timingsOf(1, 2)); }
TEST_F(WrittenIsRead, OfTimingsOverSeveralGpus) { check(test::groupTimingsOf(1, 2)); }
TEST_F(WrittenIsRead, OfLinks) { check(test::linksOf(1, 2)); }
TEST_F(WrittenIsRead, OfClocks) {
  check(test::clocksOf(support::ladderTrace("sequential", 8, model::ElementType::Int), 1, 1));
}
TEST_F(WrittenIsRead, OfCounters) {
  check(test::countersOf(support::ladderTrace("sequential", 8, model::ElementType::Int), 1, 1));
}
TEST_F(WrittenIsRead, OfTimelines) { check(std::vector{support::smallTimeline()}); }
TEST_F(WrittenIsRead, OfCosts) { check(std::vector{support::roundCost()}); }
TEST_F(WrittenIsRead, OfMachineCode) { check(std::vector{support::smallCode()}); }
TEST_F(WrittenIsRead, OfTraces) {
  model::Trace trace = model::sample::everyField();
  int written = 0;
  spoilEach(trace, "trace", [&](const std::string& what) {
    if (!writeRecording(file, {&trace, 1}, true)) return;
    ++written;
    const auto back = readTrace(file, 1);
    EXPECT_TRUE(back) << what << ": " << back.error().sentence;
    EXPECT_TRUE(readIndex(file)) << what;
  });
  EXPECT_GT(written, 10);
}

}  // namespace
}  // namespace stridescope::archive
