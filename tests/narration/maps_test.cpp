#include <gtest/gtest.h>

#include "hand_built.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"

namespace stridescope::narration {
namespace {

const analysis::BankUse kTwoWay{.wavefronts = 2, .ideal = 1, .way = 2, .broadcast = false};

TEST(LaneMap, ACharacterForEachLane) {
  HandBuilt built(128);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(16));
  built.finish([](unsigned t) { return t >= 96; });
  EXPECT_EQ(laneMap(built.last()),
            "   lane  0       8       16      24\n"
            "     W0  ################////////////////\n"
            "  W1-W2  --------------------------------\n"
            "     W3  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
            "         # 16 active   / 16 inactive   - 64 in an idle warp   x 32 finished\n");
}

TEST(BankMap, RowsByWavefrontThenLane) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 16, below(4));
  built.access(model::EventKind::Load, true, "data[16 * tid]", touches(4, [](unsigned t) { return 16 * t; }),
               kTwoWay);
  EXPECT_EQ(bankMap(built.last(), 0),
            "   lane  0       8       16      24\n"
            "      0  #...............................  1\n"
            "      1  ................#...............\n"
            "      2  #...............................  2\n"
            "      3  ................#...............\n");
}

TEST(BankMap, BroadcastIsToldApart) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(3));
  built.access(model::EventKind::Load, true, "data[tid / 2]", touches(3, [](unsigned t) { return t / 2; }),
               {.wavefronts = 1, .ideal = 1, .way = 1, .broadcast = true});
  EXPECT_EQ(bankMap(built.last(), 0),
            "   lane  0       8       16      24\n"
            "      0  =...............................  1\n"
            "      1  =...............................\n"
            "      2  .#..............................\n");
}

// Two words in each even bank.
analysis::BankUse twoInEvenBanks() {
  analysis::BankUse use = kTwoWay;
  for (std::size_t bank = 0; bank < use.words.size(); bank += 2) use.words[bank] = 2;
  return use;
}

TEST(BankRows, MostWordsOfEachBank) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(32));
  built.access(model::EventKind::Load, true, "data[2 * tid]", touches(32, [](unsigned t) { return 2 * t; }),
               twoInEvenBanks());
  EXPECT_EQ(bankRows(built.last()),
            "   bank  0       8       16      24        in the worst warp\n"
            "   load  2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.  2 wavefronts instead of 1, 2-way\n");
}

TEST(BanksByRound, ARowForEachRound) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(32));
  built.access(model::EventKind::Load, true, "data[2 * tid]", touches(32, [](unsigned t) { return 2 * t; }),
               twoInEvenBanks());
  built.round(analysis::RoundEnd::BlockBarrier, 32, below(1));
  EXPECT_EQ(banksByRound(built.last()),
            "   bank  0       8       16      24        highest way\n"
            "      1  2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.  2-way\n"
            "     32  ................................  -\n");
}

TEST(DivergenceMap, WarpsByRounds) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 32, below(32));
  built.round(analysis::RoundEnd::BlockBarrier, 16, below(16));
  EXPECT_EQ(divergenceMap(built.last()),
            "          32    16\n"
            "     W0   32    16*\n"
            "     W1    .     .\n"
            "         active lanes of each warp; * partial warp, . idle warp\n");
}

TEST(ValuesMap, LiveAndWrittenElements) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(2));
  built.access(model::EventKind::Store, true, "data[index]", {{0, 0, 28}, {1, 16, 156}},
               {.wavefronts = 1, .ideal = 1, .way = 1, .broadcast = false});
  analysis::Snapshot& snapshot = built.analysis.rounds[0].snapshot;
  const auto put = [&](std::size_t element, std::uint8_t value) {
    for (std::size_t i = 0; i < 4; ++i) snapshot.known[4 * element + i] = true;
    snapshot.bytes[4 * element] = value;
  };
  put(0, 28);
  put(16, 156);
  put(7, 99);  // no longer needed
  EXPECT_EQ(valuesMap(built.last()),
            "   data  after the round, 2 elements, 16 apart (copied)\n"
            "    [0]   28 156\n");
  built.flow[0].liveAfter[0][3] = true;  // needed, but never written
  EXPECT_EQ(valuesMap(built.last()),
            "   data  after the round, 3 elements (copied)\n"
            "    [0]    0:28    3:- 16:156\n");
}

TEST(SourceMap, MarksWhatExecutes) {
  HandBuilt built(32);
  built.trace.kernelText = "data[a] = 1;\nint idle;\n";
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(1));
  built.access(model::EventKind::Store, true, "data[a]", {{0, 0, 1}});
  EXPECT_EQ(sourceMap(built.last()),
            ">  1  data[a] = 1;\n"
            "      wwwwwww\n"
            "   2  int idle;\n");
}

TEST(Figures, SumOverRequests) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(16));
  built.combine(
      16, [](unsigned t) { return 16 * t; }, [](unsigned t) { return 16 * t + 8; },
      {.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false});
  const std::vector<Figure> expected{
      {"active lanes", 16, 256}, {"active warps", 1, 8},  {"partial warps", 1, 8}, {"divergent branches", 0},
      {"wavefronts", 24},        {"ideal wavefronts", 3}, {"bank conflicts", 21},  {"highest way", 8}};
  EXPECT_EQ(figuresOf(built.last()), expected);
}

}  // namespace
}  // namespace stridescope::narration
