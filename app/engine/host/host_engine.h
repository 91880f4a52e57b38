// The CPU executor: the instrumented text of each variant, compiled at build time, one fiber per thread.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "engine/run_data.h"
#include "model/experiment.h"

namespace stridescope::engine::host {

using AnyFunction = void (*)();  // a pointer to a function, to be cast back to its own type

// A person's combine, compiled: a T (*)(T, T), where T is the element type.
struct CompiledCombine {
  model::ElementType type{};
  AnyFunction function = nullptr;
};

// The same on bits of the type; empty without a function.
BitsCombine onBits(const CompiledCombine& combine);

// Never fails to be made. Its record() takes n up to 2^24. Several may run at once, each on its own thread.
// With `custom` it runs custom operators of that type, which are trusted to be this one: in a process that
// may fail, for nothing guards it here (custom/custom_engine.h does).
std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits = {}, const CompiledCombine& custom = {});

}  // namespace stridescope::engine::host
