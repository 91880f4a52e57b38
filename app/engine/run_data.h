// What a planned run starts from and what it leaves. Engines differ in where the memory is, not in
// what it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/judge.h"
#include "kernels/run_plan.h"
#include "model/trace.h"

namespace stridescope::engine {

// The whole buffer's size in bytes, or the largest number if it is larger still.
std::uint64_t bytesOf(const kernels::PlannedBuffer& buffer);

// Writes to a device's memory, from that address on.
using WriteBytes = std::function<Result<void>(std::uint64_t address, std::span<const std::uint8_t> bytes)>;

// Writes what the buffer at `address` holds before the first launch: the experiment's input or lists, the
// identity, zeros. The elements of an Unwritten buffer are left as they are. Fails as `write` does.
Result<void> fillBuffer(const kernels::PlannedBuffer& buffer, std::uint64_t address,
                        const model::Experiment& experiment, const WriteBytes& write);

// One of a kernel's arguments: a device's memory of exactly `bytes` bytes, or a number passed by value.
struct KernelArgument {
  std::string name;  // the parameter's
  unsigned elementBytes = 4;
  std::uint64_t bytes = 0;
  std::uint64_t value = 0;  // the memory's address, or the number: a narrower parameter takes the low bytes
  bool isBuffer = true;
  std::optional<model::ElementType> type{};  // the type of a buffer's elements; nullopt: unsigned numbers
  std::optional<model::ParameterRole> role{};
};

// The arguments of one of the plan's launches, in the order of the kernel's parameters. `addresses` are those
// of the plan's buffers.
std::vector<KernelArgument> argumentsOf(const kernels::RunPlan& plan, const kernels::LaunchShape& launch,
                                        std::span<const std::uint64_t> addresses);
// The buffers among them, as a trace has them.
std::vector<model::Array> buffersAmong(const std::vector<KernelArgument>& arguments);

// How many elements of the result's buffer (and of the origins') are copied back for valuesOf().
std::uint64_t resultElements(const kernels::RunPlan& plan);

// A person's own combine(a, b) on bits of the type.
using BitsCombine = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b)>;

// What the run has left. `result`: resultElements() elements of the result's buffer. `origin`: as many
// unsigned numbers of a merge's, else empty. `custom` is called where the CPU adds up what the blocks leave
// by a person's own operator.
RunValues valuesOf(const kernels::RunPlan& plan, const model::Experiment& experiment,
                   std::span<const std::uint8_t> result, std::span<const std::uint8_t> origin,
                   const BitsCombine& custom = {});

}  // namespace stridescope::engine
