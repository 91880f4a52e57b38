#include "engine/worker/gpu_worker.h"

#include <charconv>
#include <string_view>

namespace stridescope::engine::worker {
namespace {

constexpr std::string_view kCommand = "gpu-worker";
// Not the path behind it: an update may have put another program there since this one was started.
constexpr const char* kThisProgram = "/proc/self/exe";

}  // namespace

WorkerCommand gpuWorkerCommand(unsigned index) {
  return {.program = kThisProgram,
          .arguments = {std::string(kCommand), std::to_string(index)},
          .name = "stridescope"};
}

std::optional<unsigned> gpuWorkerIndex(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != kCommand) return std::nullopt;
  const std::string_view text = argv[2];
  unsigned index = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

Result<std::unique_ptr<Engine>> makeGpuWorkerEngine(unsigned index) {
  return makeWorkerEngine(gpuWorkerCommand(index));
}

}  // namespace stridescope::engine::worker
