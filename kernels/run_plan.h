// The plan of a run: which memory it needs, and its launches down to one value. Every engine and the timing
// follow it, so that no launch rule is written twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "model/dim3.h"
#include "model/kernel.h"

namespace stridescope::kernels {

// What memory holds before the first launch. What lies beyond an `Input`'s or `Unwritten` buffer's `elements`
// is the identity.
enum class BufferStart : std::uint8_t {
  Input,
  Unwritten,
  Identity,
  Zero,
  Lists,
  InterleavedLists,
  ListStarts
};

struct PlannedBuffer {
  BufferStart start{};
  std::optional<model::ElementType> type{};  // its elements'; nullopt: unsigned numbers
  unsigned elementBytes = 4;
  std::uint64_t elements = 0;  // that mean something
  std::uint64_t room = 0;      // that there are, at least 1
};

// One of a kernel's arguments: a buffer, or a number that is passed by value.
struct PlannedArgument {
  model::KernelParameter parameter{};
  std::optional<unsigned> buffer;  // index into RunPlan::buffers
  std::uint64_t elements = 0;      // how many of the buffer's the kernel may reach, from its start
  std::uint64_t number = 0;        // what is passed by value
  // The numbers of several devices, where each has one of its own; else empty.
  std::vector<std::uint64_t> numbers{};

  std::uint64_t numberOf(unsigned device) const { return numbers.empty() ? number : numbers[device]; }
};

struct LaunchShape {
  std::uint64_t elements = 0;     // its input's
  model::Dim3 grid{};             // blocks of each device
  model::Dim3 block{};            // threads of a block
  std::uint64_t sharedBytes = 0;  // dynamic
  unsigned cluster = 1;           // blocks of a cluster; 1: there are none
  // The block that is shown. Of several devices their blocks count one device after the other, and the block
  // in the same place of each device's grid is recorded, too.
  std::uint64_t inspected = 0;
  std::vector<PlannedArgument> arguments{};
};

// Where the result lies after the last launch.
enum class Outcome : std::uint8_t {
  OneValue,       // the first element of the result's buffer
  AddedOnTheCpu,  // its elements, combined from left to right
  Merged,         // the merged values, and beside them where they came from
  Arrays,         // all elements of each device's result: the combination of the devices' arrays
};

struct RunPlan {
  std::vector<PlannedBuffer> buffers;
  std::vector<LaunchShape> launches;  // at least one: n = 0 gives the identity
  Outcome outcome = Outcome::OneValue;
  unsigned result = 0;             // index of the buffer
  std::optional<unsigned> origin;  // a merge's: index of the buffer with the lists' numbers
  // On how many devices each launch runs. Each buffer then has a copy of its own on each of them.
  unsigned devices = 1;
  // How many elements of the first device's result, and of each other one's, are looked at in the end:
  // AddedOnTheCpu and Arrays look at all devices.
  bool looksAtAllDevices() const { return devices > 1 && outcome != Outcome::OneValue; }
};

// In launch experiment.launch the block experiment.block is inspected, in later launches the one that reads
// its result, in earlier ones the first that feeds it; a launch or block out of range is clamped to the last.
// Requires experiment.threads to be legal.
RunPlan planRun(const model::Kernel& kernel, const model::Experiment& experiment);
// The same with the experiment's own kernel (kernelOf()), which must be there.
RunPlan planRun(const model::Experiment& experiment);

// Whether the operator's identity can come into the run's result: a launch has fewer elements than places for
// them, so that it stands in the others, or the kernel begins a thread's own result with it. Requires
// experiment.threads to be legal.
bool usesIdentity(const model::Kernel& kernel, const model::Experiment& experiment);

}  // namespace stridescope::kernels
