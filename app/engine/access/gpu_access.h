// A person's kernel recorded on a GPU: what the process is asked that patches the compiled kernel
// (engine/access/gpu), and the one way to ask it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/access/access_worker.h"
#include "engine/worker/byte_archive.h"
#include "engine/worker/rpc_client.h"
#include "model/clock_record.h"
#include "model/machine_code.h"

namespace stridescope::engine::access {

struct SourceText {
  std::string name{}, text{};
};

// An array in a GPU's memory.
struct DeviceRange {
  std::uint64_t base = 0, bytes = 0;
};

// A condition that tells which way it goes.
struct ToldCondition {
  bool isLoop = false;  // a loop's
  int loop = -1;        // the number of that of the innermost loop around it; -1: there is none
};

// A text, and the files of its folder, with calls that tell which way conditions go (branch_conditions.h).
struct TellingText {
  std::string text{};  // empty: there is nothing to tell
  std::vector<SourceText> headers{};
  std::vector<ToldCondition> conditions{};  // by number
};

struct GpuAccessOrder {
  AccessOrder order{};                 // textFile is the text's name
  std::string text{};                  // CUDA C++, without what belongs to the host
  std::vector<SourceText> headers{};   // of its folder
  std::vector<std::string> kernels{};  // as C++ names them, in the order of AccessLaunch::kernel
  std::vector<SharedLayout> shared{};  // of each launch
  TellingText telling{};
  bool isClocked = false;  // the recorded block's warps read the SM's clock in further runs
  bool wantsCode = false;  // the machine code is listed, too
};

// The clock of a launch's recorded block.
struct ClockedLaunch {
  std::vector<model::WarpMarks> firstWarp{};  // by run; sites are those of the record
  std::vector<model::WarpMarks> warps{};      // by warp, of the run whose block took the median of cycles
};
struct GpuAccessRecord {
  AccessRecord record{};
  model::Executor executor{};
  std::vector<ClockedLaunch> clocks{};  // by launch; empty: it was not clocked
  // All launches together, as medians over the runs: as they are, and while they read the clock.
  double cleanMicroseconds = 0, clockedMicroseconds = 0;
  std::vector<std::string> notes{};     // sentences: what this recorder does not show of the kernel
  std::vector<model::CodeLine> code{};  // what was recorded; empty: nobody asked, or nvdisasm is not there
};

// What the GPU's compiler tells of the kernels, by kernel: where the CPU's does not take the text.
struct GpuKernelFacts {
  std::vector<KernelTypes> types{};
  // Static shared arrays by name and size; the types of their elements are not known. Dynamic shared memory
  // has no size.
  std::vector<SharedLayout> shared{};
};

template <class Fields, Described<SourceText> Value>
constexpr void describe(Fields&& fields, Value& source) {
  fields("name", source.name);
  fields("text", source.text);
}
template <class Fields, Described<ToldCondition> Value>
constexpr void describe(Fields&& fields, Value& condition) {
  fields("is_loop", condition.isLoop);
  fields("loop", condition.loop);
}
template <class Fields, Described<TellingText> Value>
constexpr void describe(Fields&& fields, Value& telling) {
  fields("text", telling.text);
  fields("headers", telling.headers);
  fields("conditions", telling.conditions);
}
template <class Fields, Described<GpuAccessOrder> Value>
constexpr void describe(Fields&& fields, Value& order) {
  fields("order", order.order);
  fields("text", order.text);
  fields("headers", order.headers);
  fields("kernels", order.kernels);
  fields("shared", order.shared);
  fields("telling", order.telling);
  fields("clocked", order.isClocked);
  fields("wants_code", order.wantsCode);
}
template <class Fields, Described<ClockedLaunch> Value>
constexpr void describe(Fields&& fields, Value& clocked) {
  fields("first_warp", clocked.firstWarp);
  fields("warps", clocked.warps);
}
template <class Fields, Described<GpuKernelFacts> Value>
constexpr void describe(Fields&& fields, Value& facts) {
  fields("types", facts.types);
  fields("shared", facts.shared);
}
template <class Fields, Described<GpuAccessRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("record", record.record);
  fields("executor", record.executor);
  fields("clocks", record.clocks);
  fields("clean_us", record.cleanMicroseconds);
  fields("clocked_us", record.clockedMicroseconds);
  fields("notes", record.notes);
  fields("code", record.code);
}

inline constexpr worker::CallType<GpuAccessOrder, GpuAccessRecord> kRecordGpuAccesses{1,
                                                                                      worker::kMaxBodyBytes};
inline constexpr worker::CallType<GpuAccessOrder, GpuKernelFacts> kAskGpuKernels{2, 1u << 22};
inline constexpr worker::CallType<GpuAccessOrder, model::TimelineRecord> kTimeGpuBlocks{
    3, worker::kMaxBodyBytes};
inline constexpr worker::Service kGpuAccessService =
    worker::serviceOf<worker::Nothing>("gpu-access", kRecordGpuAccesses, kAskGpuKernels, kTimeGpuBlocks);

// The words that start this program as such a process for that GPU, in the driver's numbering.
std::vector<std::string> gpuAccessArguments(unsigned gpu);
// The GPU, if that is what the program was started with.
std::optional<unsigned> gpuAccessIndex(int argc, const char* const* argv);

// Keeps its process between recordings, so that the GPU is opened once. Use it on one thread at a time.
class GpuAccess {
 public:
  explicit GpuAccess(worker::WorkerCommand command);  // of GpuWorkers, with gpuAccessArguments()
  ~GpuAccess();
  GpuAccess(const GpuAccess&) = delete;
  GpuAccess& operator=(const GpuAccess&) = delete;

  // Starts the process, which opens the GPU, if it is not there. Errors: Unavailable without a GPU, NVRTC or
  // the Sanitizer API.
  Result<void> open(JobControl& job);

  // Opens it, too. Errors: those of open(); Usage for a text or a launch at fault; Limit.
  Result<GpuAccessRecord> record(const GpuAccessOrder& order, std::chrono::milliseconds limit,
                                 JobControl& job);

  // When the blocks of each launch ran, and where: of the run whose launches took the median of the time,
  // from the first block's start on. Without experiment and hash. Opens it, too. Errors: those of record().
  Result<model::TimelineRecord> timeline(const GpuAccessOrder& order, std::chrono::milliseconds limit,
                                         JobControl& job);

  // The order needs no launches. Errors: those of record().
  Result<GpuKernelFacts> describe(const GpuAccessOrder& order, JobControl& job);

 private:
  template <class Answer>
  Result<Answer> run(const worker::CallType<GpuAccessOrder, Answer>& call, const GpuAccessOrder& order,
                     std::chrono::milliseconds limit, JobControl& job);

  worker::WorkerCommand command_;
  std::unique_ptr<worker::RpcClient> client_;
};

}  // namespace stridescope::engine::access
