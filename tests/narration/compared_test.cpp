// Two rounds in one caption, and two runs as a table.
#include "narration/compared.h"

#include <gtest/gtest.h>

#include "hand_built.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "support/ladder_trace.h"

namespace stridescope::narration {
namespace {

using analysis::LockedBy;

const analysis::BankUse kOneWavefront{.wavefronts = 1, .ideal = 1, .way = 1, .broadcast = false};
const analysis::BankUse kEightWavefronts{.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false};

// Round 1 of two, so that it is no load: `threads` of 256 add at a distance.
HandBuilt stride(unsigned distance, unsigned threads, const analysis::BankUse& banks) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, std::nullopt, below(256));
  built.round(analysis::RoundEnd::BlockBarrier, distance, below(threads));
  built.combine(
      threads, [](unsigned t) { return t; }, [=](unsigned t) { return t + distance; }, banks);
  built.round(analysis::RoundEnd::End, std::nullopt, below(1));
  return built;
}

std::string captionAt(const HandBuilt& left, const HandBuilt& right, std::size_t round,
                      LockedBy by = LockedBy::Round) {
  const RoundAt a = left.at(round), b = right.at(round);
  return comparedCaption({&a, &b}, by).text();
}

TEST(ComparedCaption, WhoWorksAndWhatARequestTakes) {
  EXPECT_EQ(captionAt(stride(8, 16, kEightWavefronts), stride(16, 16, kOneWavefront), 1),
            "Round 1: both add with 16 threads of 1 warp. Each request takes 8 wavefronts on the left and 1 "
            "on the right, so the right one waits less.");
}

TEST(ComparedCaption, TheSameStrideIsNamed) {
  EXPECT_EQ(captionAt(stride(8, 16, kOneWavefront), stride(8, 16, kOneWavefront), 1),
            "Stride 8: both add with 16 threads of 1 warp. What the model counts is the same on both sides.");
}

TEST(ComparedCaption, OtherThreadsDoOtherWork) {
  EXPECT_EQ(captionAt(stride(8, 64, kEightWavefronts), stride(8, 1, kOneWavefront), 1, LockedBy::Stride),
            "Stride 8: 64 threads of 2 warps add on the left, 1 thread of 1 warp adds on the right. Each "
            "request takes 8 wavefronts on the left and 1 on the right.");
}

TEST(ComparedCaption, MoreWarpsForAsManyThreads) {
  HandBuilt spread(256);
  spread.round(analysis::RoundEnd::BlockBarrier, std::nullopt, below(256));
  spread.round(analysis::RoundEnd::BlockBarrier, 8, [](unsigned t) { return t % 16 == 0; });
  std::vector<Touch> firsts, others;
  for (unsigned t = 0; t < 256; t += 16) firsts.push_back({t, t}), others.push_back({t, t + 8});
  spread.access(model::EventKind::Load, true, "data[tid]", firsts, kOneWavefront);
  spread.access(model::EventKind::Load, true, "data[tid + s]", others, kOneWavefront);
  spread.access(model::EventKind::Store, true, "data[tid]", firsts, kOneWavefront);
  EXPECT_EQ(captionAt(spread, stride(16, 16, kOneWavefront), 1),
            "Round 1: both add with 16 threads, of 8 warps on the left and 1 on the right. Shared memory is "
            "asked by 24 requests on the left and 3 on the right, 1 wavefront each, so the right one waits "
            "less.");
}

TEST(ComparedCaption, AnotherEndOfTheRound) {
  HandBuilt byWarp = stride(16, 16, kOneWavefront);
  byWarp.analysis.rounds[1].endsWith = analysis::RoundEnd::WarpBarrier;
  EXPECT_EQ(captionAt(stride(16, 16, kOneWavefront), byWarp, 1),
            "Stride 16: both add with 16 threads of 1 warp. A block barrier ends the round on the left, a "
            "warp barrier on the right.");
}

TEST(ComparedCaption, ASideThatHasNoSuchRound) {
  const HandBuilt built = stride(8, 16, kOneWavefront);
  const RoundAt at = built.at(1);
  EXPECT_EQ(comparedCaption({&at, nullptr}, LockedBy::Round).text(),
            "Round 1: the run on the right has finished; on the left, 16 threads of 1 warp add.");
  EXPECT_EQ(comparedCaption({nullptr, &at}, LockedBy::Stride).text(),
            "Stride 8: the run on the left has no round like this one; on the right, 16 threads of 1 warp "
            "add.");
  EXPECT_EQ(tickOf({&at, nullptr}), "8 | –");
  EXPECT_EQ(tickOf({&at, &at}), "8");
}

TEST(ComparedCaption, ResultsStandAtTheEnd) {
  HandBuilt left = stride(8, 16, kOneWavefront), right = left;
  for (HandBuilt* built : {&left, &right}) {
    built->trace.result = built->trace.expected = "1105";
    built->trace.ok = true;
  }
  const auto last = [&] { return captionAt(left, right, 2); };
  EXPECT_TRUE(last().ends_with("Both results are 1105.")) << last();
  right.trace.result = right.trace.expected = "12345";
  EXPECT_TRUE(last().ends_with("The results are 1105 and 12\u202f345.")) << last();
  right.trace.ok = false;
  right.trace.expected = "1105";
  EXPECT_NE(last().find("Right: The result is 12\u202f345, which is WRONG"), std::string::npos) << last();
}

TEST(ComparedCaption, CyclesOfBoth) {
  const analysis::Cycles left{.median = 322}, right{.median = 157};
  EXPECT_EQ(comparedCycles(MeasuredFrom::Recording, &left, &right),
            "Recorded: 322 cycles on the left and 157 on the right.");
  EXPECT_EQ(comparedCycles(MeasuredFrom::ThisRun, &left, &right),
            "Counted: 322 cycles on the left and 157 on the right.");
  EXPECT_EQ(comparedCycles(MeasuredFrom::Recording, &left, nullptr), "");
}

// ---- The table.

struct OneRun {
  explicit OneRun(const char* variant, unsigned threads = 256)
      : trace(support::ladderTrace(variant, threads, model::ElementType::Int)),
        analysis(analysis::analyse(trace)),
        flow(analysis::findDataFlow(trace, trace.launches[0], analysis.launches[0])) {}
  analysis::ComparedSide at(std::size_t round) const {
    return {.trace = &trace,
            .analysis = &analysis,
            .launch = 0,
            .shown = &analysis.launches[0].rounds.at(round),
            .flow = &flow.at(round),
            .round = round};
  }
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<analysis::RoundFlow> flow;
};

// "heading: title left|right better factor; ..." of a block.
std::string told(const ComparedBlock& block) {
  std::string text = block.heading + ":";
  for (const ComparedRow& row : block.rows) {
    text += " " + row.title + " " + row.value.left + "|" + row.value.right;
    if (row.better) text += " " + std::string(nameOf(*row.better));
    if (!row.factor.empty()) text += " " + row.factor;
    text += ";";
  }
  return text;
}

TEST(ComparedTable, WhatDiffersByOrigin) {
  const OneRun contiguous("interleaved_contiguous"), sequential("sequential");
  const ComparedTable table = comparedTable(contiguous.at(4), sequential.at(4));
  ASSERT_EQ(table.differing.size(), 2u);
  EXPECT_EQ(told(table.differing[0]),
            "this round, modelled: highest conflict, ways 8|1 right 8×; wavefronts, 3 requests 24|3 right "
            "8×; bank conflicts 21|0 right all gone;");
  EXPECT_EQ(told(table.differing[1]),
            "all rounds, modelled: wavefronts in strides 141|36 right 3.92×; wavefronts 150|45 right 3.33×; "
            "bank conflicts 105|0 right all gone;");
  const auto same = [&](const std::string& title) {
    const auto row = std::ranges::find(table.same, title, &ComparedRow::title);
    return row == table.same.end() ? std::string("none") : row->value.left;
  };
  EXPECT_EQ(same("active threads"), "16");
  EXPECT_EQ(same("requests to shared memory"), "3");
  EXPECT_EQ(same("rounds"), "10");
  EXPECT_EQ(same("divergent branches in source, all rounds"), "6") << "told apart from that of the round";
}

TEST(ComparedTable, TheExperimentComesFirstIfItDiffers) {
  const OneRun small("sequential", 64), large("sequential", 256);
  const ComparedTable table = comparedTable(small.at(0), large.at(0));
  EXPECT_EQ(told(table.differing.at(0)), "the experiment: block size 64|256; n 64|256;");
}

TEST(ComparedTable, OriginsAreNamed) {
  const OneRun contiguous("interleaved_contiguous"), sequential("sequential");
  analysis::ComparedSide a = contiguous.at(4), b = sequential.at(4);
  a.microseconds = 108.7, b.microseconds = 85.5;
  a.timedElements = b.timedElements = 1 << 24;
  a.timeFrom = b.timeFrom = {analysis::OriginKind::Recorded, "NVIDIA H100"};
  EXPECT_EQ(told(comparedTable(a, b).differing.front()),
            "2^24 elements, recorded on NVIDIA H100: time 108.7 µs|85.5 µs right 1.27×;");
  b.timeFrom = {analysis::OriginKind::Measured, "NVIDIA H200"};
  EXPECT_EQ(told(comparedTable(a, b).differing.front()),
            "2^24 elements, left recorded on NVIDIA H100, right measured on NVIDIA H200: time 108.7 µs|85.5 "
            "µs;");
  a.microseconds.reset();
  EXPECT_EQ(told(comparedTable(a, b).differing.front()),
            "2^24 elements, measured on NVIDIA H200: time –|85.5 µs not known;");
}

// The time of each side is right, and neither is better.
TEST(ComparedTable, TimesOfAnotherNumberOfElementsHaveNoFactor) {
  const OneRun contiguous("interleaved_contiguous"), sequential("sequential");
  analysis::ComparedSide a = contiguous.at(4), b = sequential.at(4);
  a.microseconds = 7, b.microseconds = 85.5;
  a.timedElements = 1 << 10, b.timedElements = 1 << 24;
  a.timeFrom = b.timeFrom = {analysis::OriginKind::Recorded, "NVIDIA H100"};
  EXPECT_EQ(told(comparedTable(a, b).differing.front()),
            "2^10 and 2^24 elements, recorded on NVIDIA H100: time 7.00 µs|85.5 µs another n;");
}

// Blocks of as many elements each say no more than their rounds do, where one side has more launches for more
// elements: whoever sums less in them has done less.
TEST(ComparedTable, SumsOverTheRoundsOfAnotherNumberOfElementsHaveNoFactor) {
  const OneRun contiguous("interleaved_contiguous");
  OneRun sequential("sequential");
  sequential.trace.experiment.elements = 1 << 20;
  sequential.trace.launches[0].elements = 1 << 20, sequential.trace.launches[0].grid = 4096;
  const ComparedTable table = comparedTable(contiguous.at(4), sequential.at(4));
  ASSERT_EQ(table.differing.size(), 3u);
  EXPECT_EQ(told(table.differing[0]), "the experiment: n 256|2^20;");
  EXPECT_EQ(told(table.differing[1]),
            "this round, modelled: highest conflict, ways 8|1 right 8×; wavefronts, 3 requests 24|3 right "
            "8×; bank conflicts 21|0 right all gone;")
      << "the same threads add";
  EXPECT_EQ(told(table.differing[2]),
            "all rounds, modelled: wavefronts in strides 141|36 another n; wavefronts 150|45 another n; "
            "bank conflicts 105|0 another n; blocks of the first launch 1|4096 4096×;");
}

// The time comes first; else measured figures come before recorded ones, whatever they are of.
TEST(ComparedTable, MeasuredBeforeRecorded) {
  const OneRun contiguous("interleaved_contiguous"), sequential("sequential");
  analysis::ComparedSide a = contiguous.at(4), b = sequential.at(4);
  analysis::LaunchCycles slow, quick;
  slow.alone.block.median = 2, quick.alone.block.median = 1;
  a.cycles = &slow, b.cycles = &quick;
  a.cyclesFrom = b.cyclesFrom = {analysis::OriginKind::Recorded, "NVIDIA H100"};
  a.microseconds = 2, b.microseconds = 1, a.timedElements = b.timedElements = 1024;
  a.timeFrom = b.timeFrom = {analysis::OriginKind::Recorded, "NVIDIA H100"};
  const model::LaunchCounters many{.values = {{model::Counter::Instructions, 20}}},
      few{.values = {{model::Counter::Instructions, 10}}};
  a.counters = &many, b.counters = &few;
  a.countersFrom = b.countersFrom = {analysis::OriginKind::Measured, "NVIDIA H200"};
  const ComparedTable table = comparedTable(a, b);
  ASSERT_EQ(table.differing.size(), 5u);
  EXPECT_EQ(told(table.differing[3]),
            "counters, 0 blocks, measured on NVIDIA H200: instructions executed 20|10 right 2×;");
  EXPECT_EQ(table.differing[0].heading, "2^10 elements, recorded on NVIDIA H100");
  EXPECT_EQ(told(table.differing[4]),
            "cycles of one block, recorded on NVIDIA H100: all rounds alone 2|1 right 2×;");
}

TEST(ComparedTable, AsTextKeepsItsColumns) {
  OneRun contiguous("interleaved_contiguous");
  const OneRun sequential("sequential");
  contiguous.trace.executor = {.kind = model::EngineKind::Recorded, .device = "NVIDIA H100 80GB HBM3"};
  const std::string text = comparedText(comparedTable(contiguous.at(4), sequential.at(4)));
  EXPECT_NE(text.find("what executes: recorded on NVIDIA H100 80GB HBM3 | "), std::string::npos) << text;
  const std::string row = "  wavefronts in strides" + std::string(30, ' ') + "141" + std::string(13, ' ') +
                          "36   3.92×, right is better\n";
  EXPECT_NE(text.find(row), std::string::npos) << text;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(charactersIn(text.substr(begin, end - begin)), kTextColumns);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace stridescope::narration
