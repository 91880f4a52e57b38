// A person's kernel, compiled, launched and recorded, and its arrays held against what is expected of them.
// On the CPU by recording calls that the text pass puts into the text, where it takes the text, or by the
// accesses of the compiled text; on a GPU by its accesses.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/access/gpu_access.h"
#include "engine/access/kernel_file.h"
#include "engine/engine.h"
#include "model/trace.h"

namespace stridescope::engine::sandbox {
class CompiledHeaders;
}

namespace stridescope::engine::access {

// An array that a kernel was given and may write, as it is in the end.
struct KernelOutput {
  std::string name;
  std::vector<std::string> members;  // all, one after the other
  std::vector<MemberType> types{};   // of one element's members

  // How the text names that one of the members: "c[2]", "c[2].y".
  std::string nameOf(std::uint64_t member) const;
};

enum class KernelCheck : std::uint8_t { NotChecked, Right, Wrong };
std::string_view nameOf(KernelCheck check);  // "not checked", "right", "wrong"
// What the trace of a run tells of it: so it is with one of a recording.
KernelCheck checkOf(const model::Trace& trace);

struct KernelMismatch {
  std::string output;
  std::uint64_t element = 0;  // which of the members
  std::string got, expected;
  std::string place{};  // how the text names it: "c[2].y"
};

struct KernelRun {
  // Its experiment carries the kernel, and it has no result. model::recorderOf() says what recorded it.
  model::Trace trace;
  std::vector<KernelOutput> outputs;
  bool hasEnded = false;
  KernelCheck check = KernelCheck::NotChecked;
  std::optional<KernelMismatch> mismatch;  // the first; nothing: there is none
  std::string templateArguments;           // of the first launch
  std::uint64_t sharedBytes = 0;           // dynamic, of the first launch
  std::string expectation;                 // "transpose.launch.json expects", "other.cu leaves them"
  std::vector<std::string> notes;          // sentences: what was left out, what was taken for granted
  std::string printed;                     // by the kernel
  // On a GPU, if it was asked for (GpuAccessRecord).
  std::vector<ClockedLaunch> clocks{};
  double cleanMicroseconds = 0, clockedMicroseconds = 0;
  std::optional<model::MachineCode> code{};  // on a GPU, if it was asked for, and nvdisasm is installed
};

enum class RecorderChoice : std::uint8_t {
  Auto,    // recording calls where the text pass takes the text, else the accesses
  Source,  // recording calls, or an error
  Access,
};

struct KernelRunOptions {
  std::string program = "/proc/self/exe";  // this program, to be started once more (access_worker.h)
  model::Dim3 inspected{0, 0, 0};          // the block that is recorded, by its index in the grid
  bool inspectsAll = false;                // all blocks are recorded
  // The launch that those speak of; of the others block 0 is recorded. Nothing: they speak of all.
  std::optional<std::size_t> inspectedLaunch{};
  model::Schedule schedule{};
  model::BlockOrder blockOrder{};
  std::uint64_t scheduleSeed = 1, blockOrderSeed = 1;
  std::chrono::milliseconds limit{60'000};
  RecorderChoice recorder = RecorderChoice::Auto;
  GpuAccess* gpu = nullptr;  // what records on a GPU; null: the CPU does
  bool isClocked = false;    // on a GPU: the recorded block's warps read the clock
  bool wantsCode = false;    // on a GPU: the machine code is listed
  // Keeps the headers compiled for the next run; null: each run compiles them.
  std::shared_ptr<sandbox::CompiledHeaders> headers{};
};

// Errors: Usage for a text or a launch at fault, by line and column where there is one; Unavailable without a
// compiler or confinement; Limit. Progress is told.
Result<KernelRun> runKernelFile(const KernelFile& file, JobControl& job,
                                const KernelRunOptions& options = {});

// A person's kernels for a command that asks several things of them on a GPU: their text is read and compiled
// once.
class KernelsForGpu {
 public:
  // Requires `options.gpu`; the file outlives it. The errors are runKernelFile()'s.
  static Result<KernelsForGpu> prepare(const KernelFile& file, JobControl& job, KernelRunOptions options);
  ~KernelsForGpu();
  KernelsForGpu(KernelsForGpu&& other) noexcept;
  KernelsForGpu& operator=(KernelsForGpu&& other) noexcept;

  // What is asked of a process that runs them on the GPU: for what times and counts them.
  const GpuAccessOrder& order() const;
  // Runs and records them, as runKernelFile() does.
  Result<KernelRun> record(JobControl& job);

 private:
  struct State;
  explicit KernelsForGpu(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace stridescope::engine::access
