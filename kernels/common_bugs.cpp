// The variants that demonstrate common bugs: each is another one with one thing wrong.
#include "kernels/variant_entry.h"

namespace stridescope::kernels {

using model::FirstSize;
using model::GridRule;
using model::ReportKind;

namespace {

// None of them is a power of two.
std::vector<unsigned> oddSizes() { return {3, 6, 12, 24, 48, 96, 100, 192, 320, 384, 640, 768}; }

}  // namespace

std::vector<Entry> commonBugs() {
  return {
      {.id = "missing_barrier",
       .title = "no barrier between strides",
       .previous = "sequential",
       .changed = "The barrier between the strides is left out: a race.",
       .source = kBarrierGuide,
       .threads = powersOfTwo(4, 1024),
       .onlyTheseSizes = kTwoStrides,
       .report = {ReportKind::Race, "data[tid + s]", "data[tid]"}},
      {.id = "warp_without_sync",
       .title = "lockstep taken for granted",
       .previous = "unrolled_last_warp",
       .changed = "The last warp has no barriers, only volatile: a race since Volta.",
       .source = kHarris5,
       .threads = powersOfTwo(64, 1024),
       .onlyTheseSizes = kTwoWarps,
       .elementsPerThread = 2,
       .report = {ReportKind::Race, "smem[tid + 16]", "smem[tid]"}},
      {.id = "warp_volatile",
       .title = "one warp, volatile",
       .previous = "warp_guarded",
       .changed = "A guard at every step and volatile, but no warp barrier: a race since Volta.",
       .source = kWarpPage,
       .threads = {32},
       .defaultThreads = 32,
       .report = {ReportKind::Race, "shArr[idx + 8]", "shArr[idx]"}},
      {.id = "early_result",
       .title = "the result too early",
       .previous = "two_per_thread",
       .changed = "Every thread stores the result, with no barrier after the last stride: a race.",
       .source = kCourse,
       .elementsPerThread = 2,
       .sharedElementsPerThread = 2,
       .parameters = {kInput, kOutput, kCount},
       .finishedOnCpu = true,
       .keepsOrder = true,
       .report = {ReportKind::Race, "data[2 * th]", "data[0]"}},
      {.id = "wrong_mask",
       .title = "a mask of lanes that are not there",
       .previous = "warp_shuffle",
       .changed = "The last shuffles' masks name lanes that do not come to them.",
       .source = kShuffleGuide,
       .threads = powersOfTwo(32, 512),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAStridingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kOutput, kCount},
       .onlyOnCpu = "On a GPU a shuffle whose mask names lanes that are not there is undefined: it may give "
                    "anything, or never end.",
       .report = {.kind = ReportKind::UndefinedShuffle}},
      {.id = "divergent_barrier",
       .title = "a barrier in a branch",
       .previous = "sequential",
       .changed = "The barrier stands in the stride's branch: not all threads come to it.",
       .source = kBarrierGuide,
       .onlyOnCpu = "On a GPU a block barrier that not all threads of the block come to is undefined: it may "
                    "let them through, or never end.",
       .report = {.kind = ReportKind::DivergentBarrier}},
      {.id = "missing_bound_check",
       .title = "no bound check",
       .previous = "many_blocks",
       .changed = "The last block reads past the end of the input.",
       .source = kOwn,
       .firstSize = FirstSize::NotAWholeBlock,
       .parameters = {kInput, kOutput, kCount},
       .report = {.kind = ReportKind::OutOfBounds}},
      {.id = "lost_elements",
       .title = "an odd stride, halved",
       .previous = "sequential",
       .changed = "The block's size is no power of two: halving an odd stride leaves elements out.",
       .source = kTutorial,
       .threads = oddSizes(),
       .defaultThreads = 96,
       .report = {.kind = ReportKind::LostElements}},
      {.id = "subtraction",
       .title = "an operator that is not associative",
       .previous = "sequential",
       .changed = "The operator is a - b: the order of the brackets decides.",
       .source = kAssociative,
       .operators = {model::Operator::Subtract},
       .onlyThese = "It shows what an operator does that is not associative.",
       .threads = powersOfTwo(4, 1024),
       .onlyTheseSizes = kTwoStrides,
       .report = {.kind = ReportKind::OrderMatters}},
  };
}

}  // namespace stridescope::kernels
