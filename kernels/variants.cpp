#include "kernels/variants.h"

#include <string>
#include <string_view>

#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "kernels/variant_entry.h"

namespace stridescope::kernels {

namespace {

using model::FirstSize;
using model::GridRule;
using model::HardwareForm;
using model::ReportKind;

constexpr std::string_view kHarris1 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 1";
constexpr std::string_view kHarris2 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 2";
constexpr std::string_view kHarris3 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 3";
constexpr std::string_view kHarris4 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 4";
constexpr std::string_view kHarris5 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 5";
constexpr std::string_view kHarris6 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 6";
constexpr std::string_view kHarris7 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 7";

constexpr std::string_view kShuffleGuide = "NVIDIA, CUDA C++ Programming Guide, Warp Shuffle Functions";
constexpr std::string_view kReduceGuide = "NVIDIA, CUDA C++ Programming Guide, Warp Reduce Functions";
constexpr std::string_view kGroupsGuide = "NVIDIA, CUDA C++ Programming Guide, Cooperative Groups";
constexpr std::string_view kBarrierGuide = "NVIDIA, CUDA C++ Programming Guide, Synchronization Functions";
constexpr std::string_view kVectorTip =
    "Luitjens, Increase Performance with Vectorized Memory Access (2013), and Faster Parallel Reductions on "
    "Kepler (2014)";
constexpr std::string_view kFenceSample = "NVIDIA, CUDA Samples, threadFenceReduction";
constexpr std::string_view kCourse = "A course's tree sum of 64-bit integers, finished on the CPU";
constexpr std::string_view kTutorial = "A tutorial's reduction of one block in global memory";
constexpr std::string_view kWarpPage = "Stack Overflow Documentation, CUDA: parallel reduction, single warp";
constexpr std::string_view kCook = "Cook, CUDA Programming (2013), 6: merging by a reduction";
constexpr std::string_view kOwn = "Written for this program";
constexpr std::string_view kConflicts =
    "Harris, Sengupta, Owens, Parallel Prefix Sum with CUDA, GPU Gems 3 (2007), 39.2.3: avoiding bank "
    "conflicts";
constexpr std::string_view kTranspose = "Harris, An Efficient Matrix Transpose in CUDA C/C++ (2013)";
constexpr std::string_view kHigham =
    "Higham, The Accuracy of Floating Point Summation, SIAM Journal on Scientific Computing 14 (1993)";
constexpr std::string_view kAssociative = "Associativity: (4 - 2) - 6 is not 4 - (2 - 6)";

// Why a variant takes no smaller blocks.
constexpr std::string_view kTwoWarps =
    "Its last warp combines 64 elements without a guard: a block has two warps or more.";
constexpr std::string_view kWholeWarps = "Its warps reduce with all 32 lanes: a block has whole warps.";
constexpr std::string_view kOneWarp = "It is the work of one warp: a block has 32 threads.";
constexpr std::string_view kTwoStrides =
    "With fewer than 4 threads there is one stride, and nothing goes wrong.";

// None of them is a power of two.
std::vector<unsigned> oddSizes() { return {3, 6, 12, 24, 48, 96, 100, 192, 320, 384, 640, 768}; }

std::vector<unsigned> manySizes() {
  return {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 100, 128, 192, 256, 320, 384, 512, 640, 768, 1024};
}

// Elements per thread, where there are not enough to give every thread of a full grid more: four loads of one
// element in flight per thread, which only a full GPU has enough of, or four packs of 16 bytes.
constexpr unsigned kElementsOfAStridingThread = 8, kElementsOfAPackingThread = 16;

std::vector<Entry> firstSteps() {
  return {
      {.id = "warm_up",
       .title = "warm-up: 8 threads",
       .changed = "One block of 8 threads adds 8 elements, in five steps.",
       .source = kOwn,
       .threads = {8},
       .defaultThreads = 8},
      {.id = "many_blocks",
       .title = "many blocks",
       .previous = "warm_up",
       .changed = "Each block leaves one value, and a second launch adds those.",
       .source = kOwn,
       .defaultThreads = 8,
       .firstSize = FirstSize::EightBlocks,
       .parameters = {kInput, kOutput, kCount}},
  };
}

std::vector<Entry> interleavedRungs() {
  return {
      {.id = "interleaved_modulo",
       .title = "interleaved, modulo",
       .previous = "warm_up",
       .changed = "Only threads whose number is a multiple of 2s add.",
       .source = kHarris1,
       .keepsOrder = true},
      {.id = "interleaved_and",
       .title = "interleaved, & in place of %",
       .previous = "interleaved_modulo",
       .changed = "The same picture, and a cheaper test: & in place of %.",
       .source = kOwn,
       .keepsOrder = true},
      {.id = "interleaved_contiguous",
       .title = "interleaved, contiguous",
       .previous = "interleaved_and",
       .changed = "Neighbouring threads add, so that whole warps drop out.",
       .source = kHarris2,
       .keepsOrder = true},
  };
}

std::vector<Entry> tiles() {
  return {
      {.id = "tile_columns",
       .title = "a tile, read by columns",
       .previous = "interleaved_contiguous",
       .changed = "Each lane adds up a row of a tile: 32 lanes read one column, all of it in one bank.",
       .source = kTranspose,
       .threads = {32},
       .defaultThreads = 32,
       .elementsPerThread = 32,
       .sharedElementsPerThread = 0},
      {.id = "padded_columns",
       .title = "a tile, read by columns, padded",
       .previous = "tile_columns",
       .changed = "A row has 33 words, so that a column lies in 32 different banks.",
       .source = kTranspose,
       .threads = {32},
       .defaultThreads = 32,
       .elementsPerThread = 32,
       .sharedElementsPerThread = 0},
  };
}

std::vector<Entry> sequentialRungs() {
  return {
      {.id = "padded_tree",
       .title = "contiguous, padded",
       .previous = "padded_columns",
       .sideBranch = true,
       .changed = "A free word behind every 32 takes the bank conflicts away.",
       .source = kConflicts,
       .paddingPerWarp = 1,
       .keepsOrder = true},
      {.id = "sequential",
       .title = "sequential",
       .previous = "interleaved_contiguous",
       .changed = "The stride halves: neighbouring threads read neighbouring words.",
       .source = kHarris3},
      {.id = "any_block_size",
       .title = "sequential, any block size",
       .previous = "sequential",
       .sideBranch = true,
       .changed = "The stride is half of what is left, rounded up: the size need not be a power of two.",
       .source = kTutorial,
       .threads = manySizes(),
       .defaultThreads = 96},
      {.id = "first_add_on_load",
       .title = "first add during load",
       .previous = "sequential",
       .changed = "Every thread adds once while loading.",
       .source = kHarris4,
       .elementsPerThread = 2},
  };
}

std::vector<Entry> globalMemory() {
  return {{.id = "global_memory",
           .title = "in global memory",
           .previous = "many_blocks",
           .changed = "Half as many threads as elements work in device memory, in place.",
           .source = kTutorial,
           .elementsPerThread = 2,
           .sharedElementsPerThread = 0,
           .parameters = {kInPlace, kOutput}}};
}

std::vector<Entry> unrolledRungs() {
  return {
      {.id = "unrolled_last_warp",
       .title = "last warp unrolled",
       .previous = "first_add_on_load",
       .changed = "The last warp needs no block barrier.",
       .source = kHarris5,
       .threads = powersOfTwo(64, 1024),
       .onlyTheseSizes = kTwoWarps,
       .elementsPerThread = 2},
      {.id = "fully_unrolled",
       .title = "completely unrolled",
       .previous = "unrolled_last_warp",
       .changed = "The block's size is known to the compiler: no loop is left.",
       .source = kHarris6,
       .threads = powersOfTwo(64, 1024),
       .onlyTheseSizes = kTwoWarps,
       .elementsPerThread = 2},
      {.id = "grid_stride",
       .title = "several elements per thread",
       .previous = "fully_unrolled",
       .changed = "A thread combines many elements in a register, striding by the whole grid.",
       .source = kHarris7,
       .threads = powersOfTwo(64, 1024),
       .onlyTheseSizes = kTwoWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAStridingThread,
       .parameters = {kInput, kOutput, kCount}},
  };
}

std::vector<Entry> warpsInSharedMemory() {
  return {
      {.id = "warp_guarded",
       .title = "one warp, guarded",
       .previous = "unrolled_last_warp",
       .changed = "A warp alone reduces 32 elements, with a guard at every step.",
       .source = kWarpPage,
       .threads = {32},
       .onlyTheseSizes = kOneWarp,
       .defaultThreads = 32},
      {.id = "warp_unguarded",
       .title = "one warp, one guard",
       .previous = "warp_guarded",
       .changed = "One guard for all steps: 16 lanes take each of them.",
       .source = kWarpPage,
       .threads = {32},
       .onlyTheseSizes = kOneWarp,
       .defaultThreads = 32},
      {.id = "warp_padded",
       .title = "one warp, padded",
       .previous = "warp_unguarded",
       .changed = "No guard: words 32 to 47 hold the identity.",
       .source = kWarpPage,
       .threads = {32},
       .onlyTheseSizes = kOneWarp,
       .defaultThreads = 32,
       .sharedElementsPerThread = 0},
      {.id = "block_of_warps",
       .title = "a block of warps",
       .previous = "warp_guarded",
       .changed = "One block for any n: a warp reduces for itself, then the first one what the warps leave.",
       .source = kWarpPage,
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::OneBlock,
       .elementsPerThread = kElementsOfAStridingThread,
       .parameters = {kInput, kOutput, kCount}},
  };
}

// The rungs beyond the textbook: registers, 16-byte loads, one launch.
std::vector<Entry> rungsOfToday() {
  return {
      {.id = "warp_shuffle",
       .title = "warp shuffle",
       .previous = "grid_stride",
       .changed = "A warp adds in registers; shared memory holds one slot per warp.",
       .source = kShuffleGuide,
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAStridingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kOutput, kCount}},
      {.id = "warp_redux",
       .title = "warp reduction",
       .previous = "warp_shuffle",
       .sideBranch = true,
       .changed = "One instruction per warp takes the place of five shuffles.",
       .source = kReduceGuide,
       .types = {model::ElementType::Int, model::ElementType::Unsigned},
       .operators = {model::Operator::Add, model::Operator::Min, model::Operator::Max, model::Operator::And,
                     model::Operator::Or, model::Operator::Xor},
       .hardwareForm = HardwareForm::WarpReduction,
       .onlyThese = "A warp's reduction is one instruction, which is there for 32-bit integers and + min max "
                    "& | ^.",
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAStridingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kOutput, kCount},
       .leastCapability = 80},
      {.id = "cooperative_groups",
       .kernel = "reduce_with_groups",
       .title = "cooperative groups",
       .previous = "warp_shuffle",
       .sideBranch = true,
       .changed = "The library reduces the group: no shuffle and no mask is left in the code.",
       .source = kGroupsGuide,
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAStridingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kOutput, kCount},
       .needsCudaHeaders = true},
      {.id = "vectorized_atomic",
       .title = "16-byte loads, one atomic per block",
       .previous = "warp_shuffle",
       .sideBranch = true,
       .changed = "A load brings 16 bytes, and one atomic per block takes the place of further launches.",
       .source = kVectorTip,
       .operators = {model::Operator::Add, model::Operator::Min, model::Operator::Max, model::Operator::And,
                     model::Operator::Or, model::Operator::Xor},
       .hardwareForm = HardwareForm::Atomic,
       .onlyThese = "A block adds its result with one atomic instruction, which is there for + min max & | ^ "
                    "of integers and for + of floating types.",
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .grid = GridRule::ManyWaves,
       .elementsPerThread = kElementsOfAPackingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kAccumulator, kCount}},
      {.id = "single_pass",
       .title = "single pass",
       .previous = "warp_shuffle",
       .changed = "The block that finishes last combines what the others leave, always in the same order.",
       .source = kFenceSample,
       .threads = powersOfTwo(32, 1024),
       .onlyTheseSizes = kWholeWarps,
       .defaultThreads = 512,
       .grid = GridRule::OneWave,
       .elementsPerThread = kElementsOfAPackingThread,
       .sharedElementsPerThread = 0,
       .parameters = {kInput, kOutput, kPartials, kTicket, kCount}},
  };
}

std::vector<Entry> warpsInRegisters() {
  return {
      {.id = "butterfly",
       .title = "one warp, butterfly",
       .previous = "warp_guarded",
       .changed = "Lanes swap values in pairs, and all 32 of them have the result.",
       .source = kShuffleGuide,
       .threads = {32},
       .defaultThreads = 32,
       .sharedElementsPerThread = 0},
  };
}

std::vector<Entry> wholePrograms() {
  return {{.id = "two_per_thread",
           .title = "two elements per thread",
           .previous = "interleaved_modulo",
           .changed = "Shared memory holds two elements per thread, and the CPU adds the blocks' results.",
           .source = kCourse,
           .elementsPerThread = 2,
           .sharedElementsPerThread = 2,
           .parameters = {kInput, kOutput, kCount},
           .finishedOnCpu = true,
           .keepsOrder = true},
          {.id = "left_to_right",
           .title = "one thread, left to right",
           .previous = "two_per_thread",
           .changed = "One thread adds everything: no tree, and the rounding of a plain loop.",
           .source = kHigham,
           .threads = {1},
           .defaultThreads = 1,
           .grid = GridRule::OneBlock,
           .elementsPerThread = 32,
           .sharedElementsPerThread = 0,
           .parameters = {kInput, kOutput, kCount},
           .keepsOrder = true,
           .onlyOnCpu =
               "One thread for all elements would keep a GPU busy for seconds, and gives the same result "
               "on the CPU executor."}};
}

std::vector<Entry> merges() {
  constexpr std::string_view why = "A merge takes the least of the lists' heads.";
  constexpr unsigned threads = 128, valuesOfAList = 3;  // whole warps drop out, and the run stays short
  return {
      {.id = "k_way_merge",
       .title = "k-way merge, far half",
       .previous = "sequential",
       .changed = "The minimum of the lists' heads, found with its list's number, is the next value.",
       .source = kCook,
       .operators = {model::Operator::Min},
       .onlyThese = why,
       .defaultThreads = threads,
       .grid = GridRule::OneBlock,
       .elementsPerThread = valuesOfAList,
       .parameters = {kListValues, kListStarts, kCount, kMerged, kOrigin}},
      {.id = "k_way_merge_near",
       .title = "k-way merge, near neighbour",
       .previous = "k_way_merge",
       .changed = "A thread compares with its near neighbour, so that no warp can drop out early.",
       .source = kCook,
       .operators = {model::Operator::Min},
       .onlyThese = why,
       .defaultThreads = threads,
       .grid = GridRule::OneBlock,
       .elementsPerThread = valuesOfAList,
       .parameters = {kListValues, kListStarts, kCount, kMerged, kOrigin}},
      {.id = "k_way_merge_interleaved",
       .title = "k-way merge, interleaved lists",
       .previous = "k_way_merge",
       .changed = "The lists lie interleaved, so that the loads of neighbouring lists' heads coalesce.",
       .source = kCook,
       .operators = {model::Operator::Min},
       .onlyThese = why,
       .defaultThreads = threads,
       .grid = GridRule::OneBlock,
       .elementsPerThread = valuesOfAList,
       .parameters = {kListValues, kLists, kCount, kMerged, kOrigin}},
  };
}

std::vector<Entry> wrongOnes() {
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

}  // namespace

std::vector<Variant> allVariants() {
  std::vector<Variant> all;
  append(all, Family::FirstSteps, firstSteps());
  append(all, Family::Ladder, interleavedRungs());
  append(all, Family::OneWarp, tiles());
  append(all, Family::Ladder, sequentialRungs());
  append(all, Family::GlobalMemory, globalMemory());
  append(all, Family::Ladder, unrolledRungs());
  append(all, Family::OneWarp, warpsInSharedMemory());
  append(all, Family::Ladder, rungsOfToday());
  append(all, Family::OneWarp, warpsInRegisters());
  append(all, Family::WholeProgram, wholePrograms());
  append(all, Family::Merge, merges());
  append(all, Family::CommonBugs, wrongOnes());
  return all;
}

}  // namespace stridescope::kernels
