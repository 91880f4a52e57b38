// A person's combine: compiled, tried, and run on the CPU executor in a process of its own: this program,
// started once more with a command that --help does not list. Before the code is loaded, which may run some
// of it, and again before it is called the first time, the process gives up what it does not need then
// (confinement.h): it can open nothing, reach no network, start and signal no process, and only answers on
// its socket. What it answers is as trustworthy as the code.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "engine/record_run.h"
#include "engine/sandbox/object_compiler.h"
#include "engine/worker/worker_process.h"
#include "model/experiment.h"

namespace stridescope::engine::sandbox {

// A person's combine, compiled for the CPU by the machine's C++ compiler.

// The name of the function in the shared object: T stridescope_combine(T, T).
inline constexpr const char* kCombineSymbol = "stridescope_combine";

// Calls CUDA's built-in functions what the CPU executor's kernels call them. Integers wrap, products and sums
// are not contracted, as in the kernels. Errors and confinement as compileObject() has them.
Result<ObjectFile> compileCombine(const model::CustomOperator& custom, model::ElementType type,
                                  const JobControl& job, const ProcessLimits& limits = {});

struct CombineWorkerArguments {
  std::string file;  // a shared object (compileCombine)
  model::ElementType type{};
};

// combine_guard.h keeps watch over them.
struct GuardLimits {
  std::chrono::milliseconds call{2000};    // processor time for one combine(a, b), and for loading it
  std::chrono::seconds all{300};           // processor time for the process's whole life
  std::uint64_t memoryBytes = 2ull << 30;  // address space beyond what the process has now
};

// How `program` is started to run that file's combine: `stridescope combine-worker FILE TYPE`.
worker::WorkerCommand combineWorkerCommand(const std::string& program,
                                           const CombineWorkerArguments& arguments);

// What the program was started with, if it is that.
std::optional<CombineWorkerArguments> combineWorkerArguments(int argc, const char* const* argv);

// Serves a CPU executor whose custom operator is the file's, with Engine::tryOperator and foldInput. Gives
// the process's exit code. Where the kernel lacks something of sandboxSupport(), that is not given up. It is
// killed with the thread that started it.
int serveCombine(const CombineWorkerArguments& arguments, const GuardLimits& limits = {});

// Tries a person's operator before it runs: is it associative, does its identity leave elements as they are
// on both sides, is it commutative? It is tried on small numbers, on the type's edges and on random ones
// (always the same). Two floating results count as equal up to rounding when they differ by at most 16 units
// in the last place of the largest number in the calculation, or when a value in it overflowed. NaN is tried
// only where it is an element or the identity.
//
// The identity is tried on the run's own elements, too, and on what they come to one after another: a wrong
// one is a warning only if it is wrong for one of these and the run uses it at all (kernels::usesIdentity).
//
// No trial proves anything: it finds counter-examples, the most readable of those that it meets.

// The experiment's operator is custom, and `combine` is it. Calls it some 50,000 times.
Result<model::OperatorTrial> tryCombine(const model::Experiment& experiment, const BitsCombine& combine,
                                        const JobControl& job);

}  // namespace stridescope::engine::sandbox
