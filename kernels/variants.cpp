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

std::vector<unsigned> manySizes() {
  return {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 100, 128, 192, 256, 320, 384, 512, 640, 768, 1024};
}

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
           .previous = "first_add_on_load",
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

// One wave of blocks, whose threads take packs of elements, and which combine in the same launch.
Entry inOneLaunch(std::string_view id, std::string_view previous) {
  return {.id = id,
          .previous = previous,
          .threads = powersOfTwo(32, 1024),
          .onlyTheseSizes = kWholeWarps,
          .defaultThreads = 512,
          .grid = GridRule::OneWave,
          .elementsPerThread = kElementsOfAPackingThread,
          .sharedElementsPerThread = 0,
          .firstSize = FirstSize::FourLoads};
}

// The rungs that say what blocks tell each other at the end, and how.
std::vector<Entry> rungsOfMessages() {
  Entry release = inOneLaunch("acquire_release", "single_pass");
  release.title = "acquire and release";
  release.changed = "One operation counts a block in and orders what it wrote: no fence is left.";
  release.source = kMemoryModel;
  release.parameters = {kInput, kOutput, kPartials, kTicket, kCount};

  Entry message = inOneLaunch("one_message", "acquire_release");
  message.title = "one message per block";
  message.changed = "A block sends value and flag in one word, and block 0 waits for the words of all.";
  message.source = kLookBack;
  message.parameters = {kInput, kOutput, kMessages, kCount};

  Entry clusters = inOneLaunch("cluster_sum", "one_message");
  clusters.title = "block clusters";
  clusters.sideBranch = true;
  clusters.changed = "Eight blocks combine in the shared memory of one of them, and send one message.";
  clusters.source = kClusterGuide;
  clusters.cluster = 8;
  clusters.parameters = {kInput, kOutput, kMessages, kCount};
  clusters.leastCapability = 90;
  clusters.needsCudaHeaders = true;

  Entry count = inOneLaunch("sum_and_count", "one_message");
  count.title = "sum and count in one atomic";
  count.changed = "One atomic adds a block's sum and counts the block: the last one has the result at once.";
  count.source = kOwn;
  count.types = {model::ElementType::Int, model::ElementType::Unsigned};
  count.operators = {model::Operator::Add};
  count.onlyThese =
      "The sum and the count of blocks share a word of 64 bits, which one atomic addition changes: there is "
      "room for the sum of 32-bit integers.";
  count.grid = GridRule::OneWaveAtOnce;
  count.parameters = {kInput, kOutput, kCountedSum, kCount};
  return {release, message, clusters, count};
}

// No steps of it can be seen.
std::vector<Entry> timedRungs() {
  Entry bulk = inOneLaunch("bulk_copy", "one_message");
  bulk.title = "bulk copies into shared memory";
  bulk.sideBranch = true;
  bulk.changed = "The hardware copies 8 KiB at a time into shared memory, while threads reduce the last.";
  bulk.source = kBulkGuide;
  bulk.parameters = {kInput, kOutput, kMessages, kCount};
  bulk.leastCapability = 90;
  bulk.onlyTimed =
      "The hardware's bulk copies are no steps of a thread: it is timed, and its result is checked.";
  return {bulk};
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
  append(all, Family::Ladder, rungsOfMessages());
  append(all, Family::OneWarp, warpsInRegisters());
  append(all, Family::WholeProgram, wholePrograms());
  append(all, Family::Merge, merges());
  append(all, Family::SeveralGpus, severalGpus());
  append(all, Family::CommonBugs, commonBugs());
  append(all, Family::SeveralGpus, libraryCalls());
  append(all, Family::Ladder, timedRungs());
  return all;
}

}  // namespace stridescope::kernels
