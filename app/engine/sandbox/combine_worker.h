// The process that runs a person's combine on the CPU executor: this program, started once more with a
// command that --help does not list. Before the code is loaded, which may run some of it, and again before it
// is called the first time, the process gives up what it does not need then (confinement.h): it
// can open nothing, reach no network, start and signal no process, and only answers on its socket. What it
// answers is as trustworthy as the code.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/worker/worker_process.h"
#include "model/experiment.h"

namespace stridescope::engine::sandbox {

struct CombineWorkerArguments {
  std::string file;  // a shared object (combine_compiler.h)
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

}  // namespace stridescope::engine::sandbox
