// A person's own kernel on a GPU as it is: its time, and what the hardware counts of it. In a process of its
// own: what reads the counters and what records accesses do not share one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/access/gpu_access.h"
#include "engine/worker/rpc_client.h"
#include "model/counters.h"

namespace stridescope::measure::gpu {

struct OwnTimes {
  model::Executor executor{};
  // Each sample times all launches together, in microseconds, from an event before the first to one behind
  // the last. The arrays are set back before each sample, outside the time.
  std::vector<double> whole{};
  std::vector<double> empty{};  // a kernel that does nothing, in the same launches
};
struct OwnCounts {
  model::Executor executor{};
  std::vector<model::LaunchCounters> launches{};
};

template <class Fields, Described<OwnTimes> Value>
constexpr void describe(Fields&& fields, Value& times) {
  fields("executor", times.executor);
  fields("whole", times.whole);
  fields("empty", times.empty);
}
template <class Fields, Described<OwnCounts> Value>
constexpr void describe(Fields&& fields, Value& counts) {
  fields("executor", counts.executor);
  fields("launches", counts.launches);
}

inline constexpr unsigned kOwnSamples = 61;
inline constexpr unsigned kOwnWarmUps = 5;  // caches and clocks settle

inline constexpr engine::worker::CallType<engine::access::GpuAccessOrder, OwnTimes> kTimeOwn{
    1, engine::worker::kMaxBodyBytes};
inline constexpr engine::worker::CallType<engine::access::GpuAccessOrder, OwnCounts> kCountOwn{
    2, engine::worker::kMaxBodyBytes};
inline constexpr engine::worker::Service kOwnKernelService =
    engine::worker::serviceOf<engine::worker::Nothing>("own-kernel", kTimeOwn, kCountOwn);

// The words that start this program as such a process for that GPU, in the driver's numbering.
std::vector<std::string> ownKernelArguments(unsigned gpu);
// The GPU, if that is what the program was started with.
std::optional<unsigned> ownKernelIndex(int argc, const char* const* argv);

// Keeps its process between calls. Use it on one thread at a time. Errors are those of GpuAccess::record();
// Unavailable where the counters cannot be read.
class OwnKernelMeasuring {
 public:
  explicit OwnKernelMeasuring(engine::worker::WorkerCommand command);
  ~OwnKernelMeasuring();
  OwnKernelMeasuring(const OwnKernelMeasuring&) = delete;
  OwnKernelMeasuring& operator=(const OwnKernelMeasuring&) = delete;

  Result<OwnTimes> time(const engine::access::GpuAccessOrder& order, engine::JobControl& job);
  Result<OwnCounts> count(const engine::access::GpuAccessOrder& order, engine::JobControl& job);

 private:
  template <class Type>
  Result<typename Type::Answered> ask(const Type& type, const engine::access::GpuAccessOrder& order,
                                      engine::JobControl& job);

  engine::worker::WorkerCommand command_;
  std::unique_ptr<engine::worker::RpcClient> client_;
};

// The worker's side: serves that GPU until the stream is closed. The process's exit code.
int serveOwnKernels(unsigned index);

}  // namespace stridescope::measure::gpu
