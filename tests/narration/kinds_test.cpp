// What is said of rounds in registers, in device memory and of a merge, from traces made by hand: what the
// kernels do on paper.
#include <gtest/gtest.h>

#include "analysis/data_flow.h"
#include "narration/caption.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/threads.h"
#include "support/kind_traces.h"
#include "support/trace_builder.h"

namespace stridescope::narration {
namespace {

class Told {
 public:
  explicit Told(model::Trace given)
      : trace_(std::move(given)),
        analysis_(analysis::analyse(trace_)),
        flow_(analysis::findDataFlow(trace_, trace_.launches[0], analysis_.launches[0])) {}
  RoundAt at(std::size_t round) const {
    return {trace_, trace_.launches[0], analysis_.launches[0], flow_, round};
  }
  std::string ticks() const {
    std::string all;
    for (std::size_t i = 0; i < flow_.size(); ++i) all += (i == 0 ? "" : " ") + tickOf(at(i));
    return all;
  }
  std::string caption(std::size_t round) const { return captionOf(at(round)).text(); }
  std::string thread(std::size_t round, unsigned thread) const {
    return threadLineOf(at(round), thread).formula;
  }

  const std::vector<analysis::Round>& rounds() const { return analysis_.launches[0].rounds; }

 private:
  model::Trace trace_;
  analysis::Analysis analysis_;
  std::vector<analysis::RoundFlow> flow_;
};

std::string without(const std::string& mark, std::string text) {
  for (std::size_t at = 0; (at = text.find(mark)) != std::string::npos;) text.erase(at, mark.size());
  return text;
}

// One thread counts its block as done.
model::Trace ticketTrace() {
  support::TraceBuilder builder(32);
  builder.useKernelText("__global__ void f(unsigned* finished)\n{ atomicInc(finished, 7); }");
  const auto finished = builder.buffer("finished", 1, 4);
  const auto count = builder.site({.kind = model::SiteKind::Atomic, .text = "atomicInc(finished, 7)"});
  builder.atomic(0, count, finished, 0, 7, 1);
  return builder.build();
}

const std::vector<std::vector<int>> kLists{{1, 5, 9}, {2, 2}, {}, {0, 7, 8, 9}};

TEST(Kinds, OfEachRound) {
  EXPECT_EQ(Told(support::shuffleTrace(64)).ticks(), "load 16 8 4 2 1 read 16 8 4 2 1");
  EXPECT_EQ(Told(support::warpReduceTrace(64)).ticks(), "load warp");
  EXPECT_EQ(Told(support::globalMemoryTrace(8)).ticks(), "8 4 2 1");
  EXPECT_EQ(Told(support::mergeTrace({{1}, {2}, {3}, {4}})).ticks().substr(0, 20), "load 2 1 write load ");
  EXPECT_EQ(Told(support::gridStrideTrace(32, 4)).ticks(), "load");
}

TEST(ShuffleCaption, TellsWhoIsStillNeeded) {
  const Told told(support::shuffleTrace(64));
  EXPECT_EQ(
      told.caption(0),
      "Load: 64 threads load one element each into registers. Because neighbouring lanes access neighbouring "
      "elements, each load touches 4 sectors, the minimum (fully coalesced).");
  EXPECT_EQ(
      told.caption(2),
      "Shuffle by 8: in each of 2 warps, lanes 0 to 23 add the register 8 lanes higher; lanes 24 to 31 "
      "have no lane "
      "there, so each adds its own value. 8 of the 32 results per warp are still needed; values go from "
      "register to "
      "register, without shared memory.");
  EXPECT_EQ(told.caption(6),
            "Read: the first 2 of 64 threads read one element of partial each, 2 of 32 lanes of warp 0; the "
            "other warp is "
            "idle. Neighbouring lanes access neighbouring words, which lie in different banks: the load "
            "takes 1 wavefront, "
            "no conflict.");
  EXPECT_EQ(
      told.caption(11),
      "Shuffle by 1: lanes 0 to 30 of warp 0 add the register 1 lane higher; lane 31 has no lane there "
      "and adds its own value. 1 of the 2 results that hold an element is still needed; lanes 2 to 31 hold "
      "only the identity; thread 0 "
      "writes 2016 to "
      "out[0], the sum of this block.");
}

TEST(ShuffleMap, ListsTheLanesThatAreStillNeeded) {
  const Told told(support::shuffleTrace(64));
  EXPECT_EQ(valuesMap(told.at(4)),
            "  lanes  after the round, 4 of 64 still needed (recorded)\n"
            "     W0  240 256\n"
            "     W1  752 768\n");
  EXPECT_TRUE(
      valuesMap(told.at(5)).starts_with("  lanes  after the round, 2 of 64 still needed (replayed)\n"));
}

TEST(ShuffleThread, OwnAndReceived) {
  const Told told(support::shuffleTrace(64));
  EXPECT_EQ(told.thread(1, 5), "own + lane 21's = 5 + 21 = 26");
  EXPECT_EQ(told.thread(1, 20), "own + own, as no lane stands there = 20 + 20 = 40   no longer needed");
  EXPECT_EQ(told.thread(11, 0), "own + lane 1's = 496 + 1520 = 2016 (replayed)   out[0] = 2016");
}

TEST(ShuffleFigures, CountUsefulLanes) {
  const Told told(support::shuffleTrace(64));
  EXPECT_EQ(usefulLanes(told.at(1)), 32u);
  EXPECT_EQ(usefulLanes(told.at(0)), std::nullopt);
  EXPECT_EQ(figuresOf(told.at(1)).back(), (Figure{"used lanes", 32, 64}));
  EXPECT_EQ(usefulLanes(told.at(7)), 16u);
  EXPECT_EQ(figuresOf(told.at(7)).back(), (Figure{"used lanes", 2, 32})) << "the others hold identities";
}

TEST(WarpReduceCaption, OneInstruction) {
  const Told told(support::warpReduceTrace(64));
  EXPECT_EQ(
      told.caption(0),
      "Load: 64 threads load one element each into registers. Because neighbouring lanes access neighbouring "
      "elements, each load touches 4 sectors, the minimum (fully coalesced); one instruction adds the 32 "
      "registers of each of 2 warps.");
  EXPECT_EQ(told.caption(1),
            "Warp reduction: one instruction adds the 32 registers of warp 0. The load takes 1 wavefront, no "
            "conflict; "
            "thread 0 writes 2016 to out[0], the sum of this block.");
  EXPECT_EQ(told.thread(1, 1),
            "input 1520, result 2016 in all lanes   no longer needed   register = partial[1] = 1520");
}

TEST(GlobalMemory, SectorsTakeThePlaceOfBanks) {
  const Told told(support::globalMemoryTrace(64));
  EXPECT_EQ(told.caption(0),
            "Stride 64: all 64 threads add, in 2 full warps. Because neighbouring lanes access neighbouring "
            "elements, each "
            "load and the store touch 4 sectors per warp, the minimum (fully coalesced).");
  EXPECT_EQ(told.thread(1, 5), "array[5] + array[37] = 74 + 138 = 212") << "5 + 69, 37 + 101";
  EXPECT_EQ(sectorRows(told.at(4)),
            " load A  1 sector: ####....\n"
            " load B  1 sector: ....####\n"
            "  store  1 sector: ####....\n");
  EXPECT_EQ(valuesMap(told.at(5)),
            "  array  after the round, 2 elements (in device memory, replayed)\n"
            "    [0]  4032 4096\n");
}

// The first s of 64 threads work: 32 neighbouring ints of a warp lie in four sectors, sixteen in two.
TEST(GlobalMemory, SectorsByWarpAndRound) {
  const Told told(support::globalMemoryTrace(64));
  EXPECT_EQ(sectorsByRound(told.at(3)),
            "   warp  0         most sectors of one request\n"
            "     64  44        4, 4 needed\n"
            "     32  4.        4, 4 needed\n"
            "     16  2.        2, 2 needed\n"
            "      8  1.        1, 1 needed\n"
            "      4  1.        1, 1 needed\n"
            "      2  1.        1, 1 needed\n"
            "      1  1.        1, 1 needed\n");
}

// Every fourth int of 128: 16 sectors for 128 bytes; then nothing.
TEST(GlobalMemory, SectorsMovedInVainAreTold) {
  support::TraceBuilder builder(32);
  const auto in = builder.buffer("in", 128);
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "in[4 * tid]"});
  const auto barrier = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto branch = builder.site({.kind = model::SiteKind::Branch, .text = "if (tid == 0)"});
  for (unsigned t = 0; t < 32; ++t) builder.load(t, load, in, 4 * t);
  builder.blockBarrier(barrier);
  for (unsigned t = 0; t < 32; ++t) builder.branch(t, branch, t == 0);
  builder.blockBarrier(barrier);
  const Told told(builder.build());
  EXPECT_EQ(sectorsByRound(told.at(0)),
            "   warp  0         most sectors of one request\n"
            "   load  g         16, 4 needed\n"
            "     r1  .         -\n");
}

TEST(SectorSentence, TellsWhatIsMovedInVain) {
  support::TraceBuilder builder(32);
  const auto in = builder.buffer("in", 64);
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "in[2 * tid]"});
  for (unsigned t = 0; t < 32; ++t) builder.load(t, load, in, 2 * t);
  EXPECT_EQ(Told(builder.build()).caption(0),
            "Load: 32 threads load one element each into registers. Because active lanes are 2 elements "
            "apart, the load "
            "touches 8 sectors instead of 4.");
}

TEST(GridStride, ManyElementsAThread) {
  const Told told(support::gridStrideTrace(32, 4));
  EXPECT_EQ(
      told.caption(0),
      "Load: 32 threads add 4 elements each in registers. Because neighbouring lanes access "
      "neighbouring elements, "
      "the load touches 4 sectors each time, the minimum (fully coalesced); 32 threads each combine a value "
      "atomically into "
      "total[0].");
  EXPECT_EQ(told.thread(0, 3), "adds 4 elements from in[3] on: total[0] = 204") << "3 + 35 + 67 + 99";
}

TEST(Merge, CaptionsNameTheElement) {
  const Told told(support::mergeTrace(kLists));
  EXPECT_EQ(
      told.caption(0),
      "Element 1 of 9, load: 3 of 4 threads put the head of their list into shared memory; the other list is "
      "exhausted. Because the active lanes' elements lie in as few sectors as they can, each load touches 1 "
      "sector, the minimum (fully coalesced).");
  EXPECT_EQ(
      told.caption(1).find(
          "Element 1 of 9, stride 2: the first 2 of 4 threads compare two heads; the other 2 "
          "threads are inactive. 1 thread takes the other head with its list's number, as it comes first; "),
      0u)
      << told.caption(1);
  EXPECT_EQ(told.caption(3),
            "Element 1 of 9, write: the least head is 0, of list 3: thread 0 writes it to merged[0], and "
            "list 3 moves on by "
            "one.");
  EXPECT_EQ(nameInSentence(told.at(5)), "stride 2 of element 2");
}

// Two of the four threads have a list, and one of these two lists is empty.
TEST(Merge, ThreadsWithoutAListAreNoExhaustedLists) {
  model::Trace trace = support::mergeTrace({{1, 5}, {}, {}, {}});
  trace.experiment.lists = 2;
  EXPECT_EQ(
      Told(std::move(trace))
          .caption(0)
          .find(
              "Element 1 of 2, load: 1 of 4 threads puts the head of its list into shared memory; the other "
              "list is exhausted; 2 threads have no list."),
      0u);
}

TEST(Merge, ThreadsBringTheirListsHeads) {
  const Told told(support::mergeTrace({{3, 4}, {}, {1}, {2}}));
  EXPECT_EQ(told.thread(0, 2), "heads[2] = values[2] = 1");
  EXPECT_EQ(told.thread(0, 3), "heads[3] = values[3] = 2");
}

TEST(Merge, ThreadsKeepOrTakeOver) {
  const Told told(support::mergeTrace(kLists));
  EXPECT_EQ(told.thread(1, 0),
            "heads[0] = 1 stays, heads[2] = 2\u202f147\u202f483\u202f647 does not come before it");
  EXPECT_EQ(told.thread(1, 1), "heads[3] = 0 comes before heads[1] = 2 and takes its place");
}

TEST(Merge, OfEqualHeadsTheListsDecide) {
  const Told told(support::mergeTrace({{5}, {5}, {5}, {1}}));
  EXPECT_EQ(told.thread(1, 0),
            "heads[0] = 5 of list 0 stays, heads[2] = 5 of list 2 does not come before it");
}

TEST(Merge, ValuesOwnersAndOutput) {
  const Told told(support::mergeTrace(kLists));
  EXPECT_EQ(valuesMap(told.at(7)),
            " merged  after the round, 2 elements (in device memory, replayed)\n"
            "    [0]  0 1\n"
            " origin  after the round, 2 elements (in device memory, replayed)\n"
            "    [0]  3 0\n");
  EXPECT_TRUE(valuesMap(told.at(6))
                  .starts_with("  heads  after the round, 1 element (copied)\n"
                               "    [0]  1\n"
                               " owners  after the round, 1 element (copied)\n"
                               "    [0]  0\n"));
}

TEST(Merge, ACutTellsTheElement) {
  const Told told(support::mergeTrace(kLists, 3));
  EXPECT_EQ(cutSentence(told.at(0)).find("in element 4 of 9. What the merge did from there on"),
            cutSentence(told.at(0)).find("in element"));
  EXPECT_NE(cutSentence(told.at(0)).find("in element 4 of 9."), std::string::npos);
}

// The bits of 7 in four bytes are no double.
TEST(WordPrinter, OfAnAccessToAnArrayOfNumbers) {
  support::TraceBuilder builder(1, model::ElementType::Double);
  builder.useKernelText("extern __shared__ T heads[];\n__shared__ unsigned lists[32];\nlists[0]; heads[0];");
  const auto heads = builder.sharedArray("heads", 32);
  const auto lists = builder.sharedArray("lists", 32, 4);
  const auto loadList = builder.site({.kind = model::SiteKind::Load, .text = "lists[0]"});
  const auto loadHead = builder.site({.kind = model::SiteKind::Load, .text = "heads[0]"});
  builder.poke(lists, 0, 7);
  builder.poke(heads, 0, 0x4002000000000000);  // 2.25
  builder.load(0, loadList, lists, 0);
  builder.load(0, loadHead, heads, 0);
  const model::Trace trace = builder.build();
  const model::LaunchTrace& launch = trace.launches.at(0);
  EXPECT_EQ(printedAccess(launch, launch.recorded().events.at(0)), "7");
  EXPECT_EQ(printedAccess(launch, launch.recorded().events.at(1)), "2.25");
}

TEST(WordPrinter, PrintsWhatTheArrayHolds) {
  const std::uint64_t one = 0x3f800000;  // 1.0f
  const model::Array floats{"data", 4, 8, model::ElementType::Float}, numbers{"lists", 4, 8};
  EXPECT_EQ(WordPrinter(floats).exact(one), "1");
  EXPECT_EQ(WordPrinter(numbers).exact(one), "1065353216");
  EXPECT_EQ(WordPrinter({"last", 1, 1}).exact(1), "1");
  EXPECT_EQ(WordPrinter(numbers).brief(0xffffffff), "none");
  EXPECT_EQ(WordPrinter(numbers).exact(0xffffffff), "4294967295");
}

// Roles decide, not names: other names change nothing but the names that are told.
TEST(Roles, AreEnoughForAnalysisAndNarration) {
  const std::string mark = "renamed_";
  for (const model::Trace& trace :
       {support::mergeTrace(kLists), support::mergeTrace(kLists, 3), support::globalMemoryTrace(8),
        support::gridStrideTrace(32, 4), support::shuffleTrace(64), ticketTrace()}) {
    model::Trace renamed = trace;
    for (model::LaunchTrace& launch : renamed.launches)
      for (auto* arrays : {&launch.recorded().shared, &launch.buffers})
        for (model::Array& array : *arrays) array.name = mark + array.name;
    const Told told(trace), other(renamed);
    ASSERT_EQ(other.rounds().size(), told.rounds().size());
    EXPECT_EQ(other.ticks(), told.ticks());
    for (std::size_t round = 0; round < told.rounds().size(); ++round) {
      EXPECT_EQ(other.rounds()[round].outputElement, told.rounds()[round].outputElement);
      EXPECT_EQ(without(mark, other.caption(round)), told.caption(round));
      for (unsigned thread = 0; thread < trace.experiment.threads; ++thread)
        EXPECT_EQ(without(mark, other.thread(round, thread)), told.thread(round, thread));
    }
  }
  EXPECT_NE(Told(ticketTrace()).caption(0).find("counts this block in finished[0]"), std::string::npos);
  EXPECT_EQ(Told(support::mergeTrace(kLists)).rounds().back().outputElement, 8u);
}

}  // namespace
}  // namespace stridescope::narration
