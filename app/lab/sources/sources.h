// What executes and what measures: engines by the names of --engine, timing devices, the recordings that come
// with the program.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "base/result.h"
#include "engine/code_trust.h"
#include "engine/engine.h"
#include "measure/timing_board.h"
#include "model/machine_code.h"
#include "model/quantities.h"

namespace stridescope::engine::access {
class GpuAccess;
}
namespace stridescope::engine::worker {
class GpuWorkers;
}
namespace stridescope::measure::gpu {
class OwnKernelMeasuring;
}

namespace stridescope::lab::sources {

// What recordings have measured: those that come with the program, beside it in a package and in the source
// folder in a build, and any other file. Each table is read when it is first asked for, once.

// The records of one quantity. Copies share what was read; calls may come from several threads.
template <class Record>
class Records {
 public:
  using List = Result<std::vector<Record>>;
  Records() : Records([] { return std::vector<Record>(); }) {}
  template <std::invocable Read>
  requires std::convertible_to<std::invoke_result_t<Read>, List> Records(Read read)
      : shared_(std::make_shared<Shared>(std::move(read))) {}

  // As long as this or a copy of it lives. An error: the file cannot be read.
  const List& list() const {
    std::call_once(shared_->once, [&] { shared_->list = shared_->read(); });
    return *shared_->list;
  }
  // Where they cannot be read there are none.
  const std::vector<Record>& all() const {
    static const std::vector<Record> none;
    const List& read = list();
    return read ? *read : none;
  }

 private:
  struct Shared {
    explicit Shared(std::function<List()> how) : read(std::move(how)) {}
    std::function<List()> read;
    std::once_flag once;
    std::optional<List> list;
  };
  std::shared_ptr<Shared> shared_;
};

// The records of every quantity; one that is not set has none.
using RecordSet = model::PerQuantity<Records>;

// A recording's.
RecordSet recordsIn(const std::filesystem::path& file);

// The recordings that come with the program, in the order of their names.
std::vector<std::string> shippedRecordings();

// All that those have. A file that cannot be read has nothing: who opens it is told why.
RecordSet shippedRecords();

// An engine that was opened.
struct Opened {
  std::unique_ptr<engine::Engine> engine{};            // never null
  std::optional<archive::RecordingIndex> recording{};  // what a recording has; nullopt: the engine runs
  std::string whyNoGpu{};  // a sentence: why `auto` is the CPU executor alone; empty: it has a GPU
};

// How everybody comes to what executes and measures. The machine's are ofThisMachine(); a function that is
// not set stands for something that this program does not have. Calls may come from several threads.
struct Sources {
  std::function<std::unique_ptr<engine::Engine>()> makeHost;
  std::function<Result<std::unique_ptr<engine::Engine>>(unsigned index)> makeGpu;
  measure::TimingMakers timing;  // what is timed, clocked, counted and marked on
  // The machine code of a kernel, compiled for the GPU of the driver's number; nothing: for one that many
  // have.
  std::function<Result<model::MachineCode>(const model::Experiment&, std::optional<unsigned> gpu)>
      compileCode;
  // What records a person's own kernel on the GPU of that number, in a process that it keeps.
  std::function<std::unique_ptr<engine::access::GpuAccess>(unsigned index)> recordOwnOnGpu;
  // What times and counts it there.
  std::function<std::unique_ptr<measure::gpu::OwnKernelMeasuring>(unsigned index)> measureOwnOnGpu;
  RecordSet shipped;  // what the recordings that come with the program have measured

  // "auto", "host", "gpu", "gpu:N" or a recording's file. `auto` takes the first GPU if it works, else the
  // CPU executor; `onGpuFailure` says whether that holds for a GPU that fails later, too. Errors: there is no
  // such name, the GPU cannot be used, the file cannot be read, this program has no such engine.
  Result<Opened> open(const std::string& name,
                      engine::OnGpuFailure onGpuFailure = engine::OnGpuFailure::RunOnCpu) const;
};

// The engine of a recording whose index was read before; it holds a trace.
std::unique_ptr<engine::Engine> recordingOf(const std::string& file, archive::RecordingIndex index);

// This machine's. A person's own operator runs where `trust` allows it; `gpus` is the way to the GPUs.
Sources ofThisMachine(std::shared_ptr<engine::CodeTrust> trust,
                      std::shared_ptr<engine::worker::GpuWorkers> gpus);

}  // namespace stridescope::lab::sources
