// The sentences that the window's design prescribes, from rounds built by hand.
#include "narration/caption.h"

#include <gtest/gtest.h>

#include "hand_built.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"

namespace stridescope::narration {
namespace {

const analysis::BankUse kNoConflict{.wavefronts = 1, .ideal = 1, .way = 1, .broadcast = false};
const analysis::BankUse kEightWay{.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false};
const auto everybody = [](unsigned) { return true; };
const auto own = [](unsigned thread) { return std::uint64_t(thread); };

HandBuilt loadRound(unsigned threads, unsigned elementsEach) {
  HandBuilt built(threads);
  built.trace.launches.front().elements = std::uint64_t(threads) * elementsEach;
  built.round(analysis::RoundEnd::BlockBarrier,
              elementsEach == 2 ? std::optional<std::uint64_t>(threads) : std::nullopt, everybody);
  for (unsigned i = 0; i < elementsEach; ++i)
    built.access(model::EventKind::Load, false, "in[i]",
                 touches(threads, [&](unsigned t) { return t + i * threads; }));
  built.access(model::EventKind::Store, true, "data[tid]", touches(threads, own), kNoConflict);
  return built;
}

TEST(Caption, Load) {
  EXPECT_EQ(captionOf(loadRound(256, 1).last()).text(),
            "Load: 256 threads copy one element each into shared memory. Because neighbouring lanes access "
            "neighbouring "
            "elements, each load touches 4 sectors, the minimum (fully coalesced).");
}

TEST(Caption, LoadThatAdds) {
  HandBuilt built = loadRound(256, 2);
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads add two elements each, 256 apart, into shared memory.");
  built.trace.experiment.op = model::Operator::Max;
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads take the maximum of two elements each, 256 apart, into shared memory.");
  built.trace.experiment.op = model::Operator::Xor;
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads combine two elements each by xor, 256 apart, into shared memory.");
}

TEST(Caption, LoadOfFourEach) {
  EXPECT_EQ(captionOf(loadRound(64, 4).last()).sentences.at(0),
            "Load: 64 threads add 4 elements each into shared memory.");
}

TEST(Caption, LoadOfABlockThatIsFilledUp) {
  HandBuilt built = loadRound(256, 1);
  model::LaunchTrace& launch = built.trace.launches.front();
  launch.buffers.at(0).role = model::ParameterRole::Input;
  launch.elements = 33;
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads copy one element each into shared memory; 223 of the 256 elements are "
            "identities, which fill up the block.");
  launch.elements = 256;
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads copy one element each into shared memory.");
  launch.elements = 0;
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Load: 256 threads copy one element each into shared memory: identities, which fill up the "
            "block.");
}

TEST(Caption, LoadByTheOnlyWarp) {
  EXPECT_EQ(captionOf(loadRound(32, 1).last()).text(),
            "Load: 32 threads copy one element each into shared memory. Because neighbouring lanes access "
            "neighbouring "
            "elements, the load touches 4 sectors, the minimum (fully coalesced).");
}

TEST(Caption, LoadOfAMemberOfEachStruct) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, std::nullopt, everybody);
  built.access(model::EventKind::Load, false, "in[i].x",
               touches(32, [](unsigned thread) { return std::uint64_t(7 * thread); }));
  built.trace.launches.front().buffers.at(0).elementBytes = 28;
  const std::string text = captionOf(built.last()).text();
  EXPECT_NE(
      text.find("ecause each lane accesses 4 bytes of its element of 28 bytes, the load touches 28 sectors"),
      std::string::npos)
      << text;
}

TEST(Caption, StrideWithConflict) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(16));
  built.combine(
      16, [](unsigned t) { return 16 * t; }, [](unsigned t) { return 16 * t + 8; }, kEightWay);
  EXPECT_EQ(captionOf(built.last()).text(),
            "Stride 8: the first 16 of 256 threads add, 16 of 32 lanes of warp 0; the other 7 warps are "
            "idle. Because "
            "active lanes are 16 words apart, 16 lanes of load A hit only banks 0 and 16: each load and "
            "the store take "
            "8 wavefronts instead of 1, an 8-way bank conflict.");
}

TEST(Caption, StrideWithoutConflict) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, 64, below(64));
  built.combine(
      64, own, [](unsigned t) { return t + 64; }, kNoConflict);
  EXPECT_EQ(
      captionOf(built.last()).text(),
      "Stride 64: the first 64 of 256 threads add, in 2 full warps; the other 6 warps are idle. Neighbouring "
      "lanes access neighbouring words, which lie in different banks: each load and the store take 1 "
      "wavefront per warp, no conflict.");
}

TEST(Caption, OneThreadIsSingular) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(1));
  built.combine(
      1, own, [](unsigned) { return 1; }, kNoConflict);
  EXPECT_EQ(
      captionOf(built.last()).text(),
      "Stride 1: 1 of 64 threads adds, 1 of 32 lanes of warp 0; the other warp is idle. A single lane cannot "
      "conflict: each load and the store take 1 wavefront.");
}

TEST(Caption, EveryWarpHalfFull) {
  HandBuilt built(128);
  built.round(analysis::RoundEnd::BlockBarrier, 1, [](unsigned t) { return t % 2 == 0; });
  EXPECT_EQ(captionOf(built.last()).text(),
            "Stride 1: every 2nd of 128 threads adds, so 4 warps issue for 16 lanes each, though 2 "
            "warps would do.");
}

TEST(Caption, WarpsFilledDifferently) {
  HandBuilt built(128);
  built.round(analysis::RoundEnd::BlockBarrier, 3, below(70));
  EXPECT_EQ(captionOf(built.last()).text(),
            "Stride 3: the first 70 of 128 threads add, in 2 full warps and 6 of 32 lanes of warp 2; the "
            "other warp is "
            "idle.");
}

TEST(Caption, OneFullWarpAndManyFullWarps) {
  HandBuilt one(256), many(256);
  one.round(analysis::RoundEnd::BlockBarrier, 32, below(32));
  EXPECT_EQ(captionOf(one.last()).text(),
            "Stride 32: the first 32 of 256 threads add, in 1 full warp; the other 7 warps are idle.");
  many.round(analysis::RoundEnd::BlockBarrier, 128, below(128));
  EXPECT_EQ(captionOf(many.last()).text(),
            "Stride 128: the first 128 of 256 threads add, in 4 full warps; the other 4 warps are idle.");
}

TEST(Caption, WarpBarrier) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::WarpBarrier, 16, below(16));
  built.finish([](unsigned t) { return t >= 32; });
  built.combine(
      16, own, [](unsigned t) { return t + 16; }, kNoConflict);
  EXPECT_EQ(
      captionOf(built.last()).text(),
      "Stride 16: the first 16 of 256 threads add, 16 of 32 lanes of warp 0; the other 7 warps have "
      "finished. "
      "Only warp 0 exchanges data from here on, so a warp barrier is enough; each load and the store take 1 "
      "wavefront, no conflict.");
}

TEST(Caption, WarpBarrierWithoutAGuardTellsWhatIsUsed) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::WarpBarrier, 16, below(32));
  built.combine(
      32, own, [](unsigned t) { return t + 16; }, kNoConflict);
  for (analysis::ThreadWork& work : built.flow[0].work) work.useful = work.thread < 16;
  const auto sentences = captionOf(built.last()).sentences;
  EXPECT_EQ(sentences.at(0),
            "Stride 16: the first 32 of 64 threads add, in 1 full warp; the other warp is idle.");
  EXPECT_EQ(sentences.at(1),
            "Only 16 of the 32 results are used; only warp 0 exchanges data from here on, so a warp "
            "barrier is enough; each load and the store take 1 wavefront, no conflict.");
}

// One shuffle by `distance` of the first lanes of warp 0.
Caption shuffleCaption(unsigned lanes, unsigned distance) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::Shuffle, distance, below(lanes));
  built.finish([lanes](unsigned t) { return t >= lanes; });
  model::Site site;
  site.text = "__shfl_down_sync(0xffffffff, value, s)";
  built.trace.sites.push_back(site);
  built.trace.kernel.sites.push_back({.operation = model::Operation::ShflDown});
  analysis::Round& round = built.analysis.rounds[0];
  analysis::WarpOperation operation;
  operation.kind = model::EventKind::Shuffle;
  operation.mask = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
  round.operations.push_back(operation);
  round.exchanges.resize(256);
  for (unsigned lane = 0; lane < lanes; ++lane)  // beyond the warp a lane gets its own
    round.exchanges[lane] =
        analysis::LaneExchange{.kind = model::EventKind::Shuffle,
                               .sourceLane = lane + distance < 32 ? lane + distance : lane,
                               .after = {}};
  return captionOf(built.last());
}

TEST(Caption, Shuffle) {
  EXPECT_EQ(
      shuffleCaption(32, 8).text(),
      "Shuffle by 8: lanes 0 to 23 of warp 0 add the register 8 lanes higher; lanes 24 to 31 have no "
      "lane there, so each adds its own value. Values go from register to register, without shared memory.");
}

// None of eight lanes has a lane 16 or 8 above it. Half of them have one 4 above, and the others ask for a
// lane that is not there.
TEST(Caption, ShuffleThatAsksLanesThatAreNotThere) {
  for (const unsigned distance : {16u, 8u})
    EXPECT_EQ(shuffleCaption(8, distance).sentences.at(0),
              "Shuffle by " + std::to_string(distance) + ": lanes 0 to 7 of warp 0 ask for the register " +
                  std::to_string(distance) +
                  " lanes higher, but no lane there takes part: what they get is undefined.");
  EXPECT_EQ(shuffleCaption(8, 4).sentences.at(0),
            "Shuffle by 4: lanes 0 to 3 of warp 0 add the register 4 lanes higher; lanes 4 to 7 ask for the "
            "register 4 "
            "lanes higher, but no lane there takes part: what they get is undefined.");
}

HandBuilt writeRound(std::uint64_t bits) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::End, std::nullopt, below(1));
  built.finish([](unsigned t) { return t >= 1; });
  built.access(model::EventKind::Load, true, "data[0]", {{0, 0, bits}}, kNoConflict);
  built.access(model::EventKind::Store, false, "out[blockIdx.x]", {{0, 0, bits}});
  return built;
}

TEST(Caption, Write) {
  EXPECT_EQ(captionOf(writeRound(1105).last()).text(),
            "Write: thread 0 writes 1105 to out[0], the sum of this block. The other 255 threads have "
            "nothing left to "
            "do.");
}

TEST(Caption, WhoOnlyLooksOnInTheLastRoundHasNothingLeftToDo) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::End, std::nullopt,
              below(1));  // the others: inactive, and an idle warp
  built.access(model::EventKind::Store, false, "out[blockIdx.x]", {{0, 0, 3}});
  EXPECT_EQ(captionOf(built.last()).sentences.at(1), "The other 63 threads have nothing left to do.");
}

TEST(Caption, WriteNamesTheOperatorAndGroupsFigures) {
  HandBuilt built = writeRound(32640);
  EXPECT_EQ(captionOf(built.last()).sentences.at(0),
            "Write: thread 0 writes 32\u202f640 to out[0], the sum of this block.");
  const std::pair<model::Operator, std::string> nouns[] = {{model::Operator::Multiply, "product"},
                                                           {model::Operator::Min, "minimum"},
                                                           {model::Operator::Max, "maximum"},
                                                           {model::Operator::And, "and"},
                                                           {model::Operator::Or, "or"},
                                                           {model::Operator::Xor, "xor"}};
  for (const auto& [op, noun] : nouns) {
    built.trace.experiment.op = op;
    EXPECT_NE(captionOf(built.last()).text().find("the " + noun + " of this block."), std::string::npos)
        << noun;
  }
}

TEST(Caption, AValueThatMayBeWrongIsNotCalledTheSum) {
  const std::string result = "Write: thread 0 writes 1105 to out[0], the result of this block.";
  HandBuilt wrong = writeRound(1105), raced = writeRound(1105), right = writeRound(1105);
  wrong.trace.result = right.trace.result = "1105";
  wrong.trace.expected = "1106";
  right.trace.expected = "1105";
  right.trace.ok = true;
  raced.analysis.races.emplace_back();
  EXPECT_EQ(captionOf(wrong.last()).sentences.at(0), result);
  EXPECT_EQ(captionOf(raced.last()).sentences.at(0), result);
  EXPECT_NE(captionOf(right.last()).text().find("the sum of this block"), std::string::npos);
}

TEST(Caption, OfARoundOfNothingButGuards) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, std::nullopt, [](unsigned) { return false; });
  EXPECT_EQ(captionOf(built.last()).text(),
            "Round 0: no thread touches memory; the block only meets at its barrier.");
  for (const unsigned warp : {0u, 1u}) {
    analysis::WarpOperation branch;
    branch.warp = warp;
    branch.kind = model::EventKind::Branch;
    branch.mask = ~0u;
    built.analysis.rounds.back().operations.push_back(branch);
  }
  EXPECT_EQ(
      captionOf(built.last()).text(),
      "Round 0: no thread touches memory, as 2 warps only test their conditions; the block only meets at its "
      "barrier.");
}

TEST(Caption, OfABlockOfOneWarp) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(8));
  EXPECT_EQ(captionOf(built.last()).text(),
            "Stride 8: the first 8 of 32 threads add; the other 24 lanes of the warp are inactive.");
}

TEST(Caption, EachWarpOnItsOwnPartNeedsNoBlockBarrier) {
  HandBuilt apart(64), together(64);
  for (HandBuilt* built : {&apart, &together}) {
    const unsigned shift = built == &apart ? 16 : 32;
    built->round(analysis::RoundEnd::WarpBarrier, shift, [](unsigned t) { return t % 32 < 2; });
    std::vector<Touch> mine, other;
    for (const unsigned t : {0u, 1u, 32u, 33u}) {
      mine.push_back({t, t, 0});
      other.push_back({t, (t + shift) % 64, 0});
    }
    built->access(model::EventKind::Load, true, "data[a]", mine, kNoConflict);
    built->access(model::EventKind::Load, true, "data[b]", other, kNoConflict);
  }
  EXPECT_EQ(captionOf(apart.last()).sentences.at(1),
            "Each warp works on its own part of shared memory, so a warp barrier is enough; each load takes "
            "1 wavefront "
            "per warp, no conflict.");
  EXPECT_EQ(captionOf(together.last()).sentences.at(1), "Each load takes 1 wavefront per warp, no conflict.");
}

TEST(Caption, RoundsHaveNames) {
  HandBuilt load = loadRound(64, 2), write = writeRound(1);
  EXPECT_EQ(tickOf(load.last()), "load");
  EXPECT_EQ(tickOf(write.last()), "write");
  HandBuilt stride(64);
  stride.round(analysis::RoundEnd::BlockBarrier, 16, below(16));
  EXPECT_EQ(tickOf(stride.last()), "16");
  EXPECT_EQ(nameInSentence(stride.last()), "stride 16");
}

TEST(MemorySentence, ConflictsInSeveralWarps) {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(128));
  built.combine(
      128, [](unsigned t) { return 2 * t; }, [](unsigned t) { return 2 * t + 1; },
      {.wavefronts = 2, .ideal = 1, .way = 2, .broadcast = false});
  EXPECT_EQ(wavefrontsClause(built.last()),
            "each load and the store take 2 wavefronts per warp instead of 1, a 2-way bank conflict");
}

TEST(MemorySentence, LoadsAndStoreDiffer) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  const analysis::BankUse loads{.wavefronts = 4, .ideal = 2, .way = 2, .broadcast = false};
  const analysis::BankUse store{.wavefronts = 2, .ideal = 2, .way = 1, .broadcast = false};
  built.access(model::EventKind::Load, true, "data[a]", touches(16, own), loads);
  built.access(model::EventKind::Load, true, "data[b]", touches(16, own), loads);
  built.access(model::EventKind::Store, true, "data[a]", touches(16, own), store);
  EXPECT_EQ(wavefrontsClause(built.last()),
            "each load takes 4 wavefronts instead of 2, a 2-way bank conflict; the store takes 2 wavefronts");
}

TEST(MemorySentence, AllLoadsDiffer) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  built.access(model::EventKind::Load, true, "data[a]", touches(16, own), kEightWay);
  built.access(model::EventKind::Load, true, "data[b]", touches(16, own), kNoConflict);
  built.access(model::EventKind::Store, true, "data[a]", touches(16, own), kNoConflict);
  EXPECT_EQ(
      wavefrontsClause(built.last()),
      "load A takes 8 wavefronts instead of 1, an 8-way bank conflict; load B takes 1 wavefront; the store "
      "takes 1 wavefront");
}

TEST(MemorySentence, WarpsThatPayDifferentlyAreSummed) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(48));
  built.access(model::EventKind::Load, true, "data[a]", touches(48, own), [](unsigned warp) {
    return analysis::BankUse{
        .wavefronts = warp == 0 ? 4u : 2u, .ideal = 1, .way = warp == 0 ? 4u : 2u, .broadcast = false};
  });
  EXPECT_EQ(wavefrontsClause(built.last()),
            "the load takes 6 wavefronts over 2 requests instead of 2, a 4-way bank conflict");
}

TEST(MemorySentence, SilentWithoutSharedRequests) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  built.access(model::EventKind::Load, false, "in[i]", touches(16, own));
  EXPECT_EQ(wavefrontsClause(built.last()), "");
}

// What no event of a person's own kernel shows is told where it was done, copies of one instruction once.
TEST(Caption, TellsWhatNoMapShows) {
  HandBuilt built = loadRound(64, 1);
  built.trace.experiment.variant = "exchange.cu";
  const std::size_t before = captionOf(built.last()).sentences.size();
  auto& others = built.trace.launches.front().recorded().others;
  others.resize(12);
  for (std::size_t i = 0; i < others.size(); ++i)
    others[i].sentence = "Line " + std::to_string(i / 2) + ": 64 threads wait.";
  built.analysis.rounds.back().others = {2, 3, 4};
  EXPECT_EQ(captionOf(built.last()).sentences.size(), before + 2);
  EXPECT_EQ(captionOf(built.last()).sentences.at(before), "Line 1: 64 threads wait.");
  EXPECT_EQ(captionOf(built.last()).sentences.back(), "Line 2: 64 threads wait.");
}

// In an own kernel not all threads of a round do the same: what each sentence says is counted.
TEST(Caption, CountsThoseWhoDoEachThing) {
  HandBuilt built(32);
  built.trace.experiment.variant = "some.cu";
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  built.access(model::EventKind::Load, true, "tile[i]", touches(16, own));
  built.access(model::EventKind::Store, true, "tile[i]", touches(16, own));
  EXPECT_THAT(captionOf(built.last()).text(),
              testing::HasSubstr("16 of 32 threads load from and store to shared memory"));

  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  built.access(model::EventKind::Load, true, "tile[i]", touches(16, own));
  built.access(model::EventKind::Store, false, "out[i]", touches(4, own));
  const std::string some = captionOf(built.last()).text();
  EXPECT_THAT(some, testing::HasSubstr("16 of 32 threads load from shared memory"));
  EXPECT_THAT(some, testing::HasSubstr(". 4 of 32 threads store to device memory."));

  // The analysis counts none as active that touches device memory alone, where another touches shared memory.
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(1));
  built.access(model::EventKind::Store, true, "counter", touches(1, own));
  built.access(model::EventKind::Store, false, "out[i]", touches(32, own));
  EXPECT_THAT(captionOf(built.last()).text(),
              testing::HasSubstr(
                  ": all 32 threads store to device memory. 1 of 32 threads stores to shared memory."));

  // As many threads as are active, and others.
  built.round(analysis::RoundEnd::BlockBarrier, 1, below(16));
  built.access(model::EventKind::Store, true, "tile[i]", touches(16, own));
  std::vector<Touch> others = touches(32, own);
  others.erase(others.begin(), others.begin() + 16);
  built.access(model::EventKind::Load, false, "in[i]", others);
  EXPECT_THAT(captionOf(built.last()).text(),
              testing::HasSubstr(
                  ": 16 of 32 threads load from device memory. 16 of 32 threads store to shared memory."));
}

}  // namespace
}  // namespace stridescope::narration
