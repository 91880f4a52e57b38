// The CPU executor: a kernel's instrumented text, compiled in or loaded, one fiber per thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "engine/engine.h"
#include "engine/record_run.h"
#include "model/experiment.h"
#include "model/kernel.h"

namespace stridescope::engine::host {

using AnyFunction = void (*)();  // a pointer to a function, to be cast back to its own type

// A person's combine, compiled: a T (*)(T, T), where T is the element type.
struct CompiledCombine {
  model::ElementType type{};
  AnyFunction function = nullptr;
};

// The same on bits of the type; empty without a function.
BitsCombine onBits(const CompiledCombine& combine);

// A kernel's instrumented text, compiled for one element type (and block size, where the text names it).
struct HostKernel {
  model::ElementType type{};
  unsigned threads = 0;  // the block size it was compiled for; 0: any
  // Sets the text's `identity` and `combine` (a T (*)(T, T)) for launches from the calling OS thread.
  void (*prepare)(std::uint64_t identityBits, AnyFunction combine) = nullptr;
  void (*call)(void** arguments) = nullptr;        // recording::KernelCall::call
  std::span<const unsigned> sharedElementBytes{};  // one for each shared array, in order
};

// Finds what a kernel was compiled to, for all its element types and block sizes; it must outlive the engine.
// Empty: it was not compiled here.
using FindHostKernels = std::function<std::span<const HostKernel>(const model::Kernel&)>;

// The texts of the catalogue are compiled in. A kernel of another text has none, whatever its id.
std::span<const HostKernel> compiledIn(const model::Kernel& kernel);

// Never fails to be made. Its record() takes n up to 2^24. Several may run at once, each on its own thread.
// `find` is asked for the kernel of each run.
// With `custom` it runs custom operators of that type, which are trusted to be this one: in a process that
// may fail, for nothing guards it here (sandbox/custom_engine.h does).
std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits = {}, const CompiledCombine& custom = {},
                                       FindHostKernels find = compiledIn);

// What stridescope_generate writes for the catalogue: each variant's instrumented text and each operator,
// compiled.

// The preamble's identity and combine, compiled for the host.
struct HostOperator {
  model::ElementType type{};
  model::Operator op{};
  std::uint64_t identityBits = 0;
  AnyFunction combine = nullptr;
};

// The generated tables.
std::span<const HostKernel> hostKernels(std::string_view variant);  // empty for an unknown one
std::span<const HostOperator> hostOperators();

}  // namespace stridescope::engine::host
