// The variants of several GPUs: one sum over all of them, and arrays that are combined element by element.
#include "kernels/variant_entry.h"

namespace stridescope::kernels {

using model::DeviceSteps;
using model::DeviceUse;
using model::GridRule;

namespace {

// What a GPU is told that is asked to step one of these.
constexpr std::string_view kSimulated =
    "The steps of several GPUs are those of simulated devices: they are recorded on the CPU executor.";
constexpr std::string_view kHidden =
    "NCCL's own steps are not visible: it is timed, and its result is checked.";

Entry reduceOfParts(std::string_view id, std::string_view previous) {
  return {.id = id,
          .previous = previous,
          .threads = powersOfTwo(32, 1024),
          .onlyTheseSizes = kWholeWarps,
          .defaultThreads = 512,
          .grid = GridRule::OneWave,
          .elementsPerThread = kElementsOfAPackingThread,
          .sharedElementsPerThread = 0,
          .onlyOnCpu = kSimulated,
          .devices = DeviceUse::PartEach};
}

Entry reduceOfArrays(std::string_view id, std::string_view previous) {
  constexpr unsigned kElementsOfACopyingThread = 4;
  return {.id = id,
          .previous = previous,
          .threads = powersOfTwo(32, 1024),
          .onlyTheseSizes = "Its threads move neighbouring elements: a block has whole warps.",
          .grid = GridRule::ManyWaves,
          .elementsPerThread = kElementsOfACopyingThread,
          .sharedElementsPerThread = 0,
          .onlyOnCpu = kSimulated,
          .devices = DeviceUse::ArrayEach};
}

}  // namespace

std::vector<Entry> severalGpus() {
  Entry hostAdds = reduceOfParts("host_adds", "one_message");
  hostAdds.title = "the CPU adds";
  hostAdds.changed = "Each GPU reduces a part, and the CPU combines what they leave.";
  hostAdds.source = kOwn;
  hostAdds.parameters = {kInput, kOutput, kMessages, kCount};
  hostAdds.finishedOnCpu = true;

  Entry message = reduceOfParts("nvlink_message", "host_adds");
  message.title = "message over NVLink";
  message.changed =
      "A GPU sends value and flag in one word into GPU 0's memory, and GPU 0 waits for the words.";
  message.source = kOwn;
  message.parameters = {kInput, kOutput, kMessages, kInbox, kCount, kDevice, kDevices};

  Entry loads = reduceOfArrays("peer_loads", "nvlink_message");
  loads.title = "all-reduce, peer loads";
  loads.changed = "Each GPU has an array: it combines one part of all of them, and stores it on all GPUs.";
  loads.source = kOwn;
  loads.parameters = {kInputs, kOutputs, kCount, kDevice, kDevices};
  loads.keepsOrder = true;

  Entry ring = reduceOfArrays("ring", "peer_loads");
  ring.title = "all-reduce, ring";
  ring.changed = "A GPU takes one part from its left neighbour in each step, and from nobody else.";
  ring.source = kRing;
  ring.parameters = {kInputs, kOutputs, kCount, kDevice, kDevices, kStep};
  ring.steps = DeviceSteps::Ring;

  Entry tree = reduceOfArrays("tree", "ring");
  tree.title = "all-reduce, tree";
  tree.changed = "Whole arrays go up a tree of GPUs and down again, in fewer steps.";
  tree.source = kOwn;
  tree.parameters = {kInputs, kOutputs, kCount, kDevice, kDevices, kStep, kSteps};
  tree.steps = DeviceSteps::Tree;
  tree.keepsOrder = true;
  return {hostAdds, message, loads, ring, tree};
}

std::vector<Entry> libraryCalls() {
  Entry reduce = reduceOfParts("nccl_reduce", "nvlink_message");
  reduce.title = "ncclReduce";
  reduce.changed = "NCCL combines what the GPUs leave.";
  reduce.source = kNccl;
  reduce.parameters = {};
  reduce.onlyTimed = kHidden;

  Entry all = reduceOfArrays("nccl_all_reduce", "ring");
  all.title = "ncclAllReduce";
  all.changed = "NCCL combines the arrays.";
  all.source = kNccl;
  all.parameters = {};
  all.onlyTimed = kHidden;
  return {reduce, all};
}

}  // namespace stridescope::kernels
