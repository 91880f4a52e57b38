#include "measure/gpu/own_kernel_worker.h"

#include <charconv>

namespace stridescope::measure::gpu {
namespace {

constexpr std::string_view kOwnCommand = "own-kernel-worker";
constexpr std::chrono::milliseconds kOwnStart{30'000}, kOwnSilence{120'000}, kOwnReport{1'000};

}  // namespace

std::vector<std::string> ownKernelArguments(unsigned gpu) {
  return {std::string(kOwnCommand), std::to_string(gpu)};
}

std::optional<unsigned> ownKernelIndex(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != kOwnCommand) return std::nullopt;
  const std::string_view word = argv[2];
  unsigned index = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), index);
  return error == std::errc() && end == word.end() ? std::optional(index) : std::nullopt;
}

OwnKernelMeasuring::OwnKernelMeasuring(engine::worker::WorkerCommand command) : command_(std::move(command)) {
  command_.subject = "The process that measures your kernel on the GPU";
  command_.causeOfSilence = "the kernel does not end";
  command_.advice = "Fix its text, and step it on the CPU: stridescope step FILE.cu --engine host.";
}

OwnKernelMeasuring::~OwnKernelMeasuring() = default;

template <class Type>
Result<typename Type::Answered> OwnKernelMeasuring::ask(const Type& type,
                                                        const engine::access::GpuAccessOrder& order,
                                                        engine::JobControl& job) {
  if (!client_ || !client_->isOpen() || !client_->isIdle()) {
    client_ = std::make_unique<engine::worker::RpcClient>(
        command_, kOwnKernelService,
        engine::worker::ClientLimits{.cancelling = std::chrono::milliseconds(0), .report = kOwnReport});
    STRIDESCOPE_TRY(client_->start());
    const auto ready = client_->ready<engine::worker::Nothing>(kOwnStart, job);
    if (!ready) return tl::unexpected(ready.error());
  }
  auto answer = client_->call(type, order, {.silence = kOwnSilence, .whole = kOwnSilence}, job);
  if (!answer) client_.reset();  // what a failed kernel left of the GPU's context is not used again
  return answer;
}

Result<OwnTimes> OwnKernelMeasuring::time(const engine::access::GpuAccessOrder& order,
                                          engine::JobControl& job) {
  return ask(kTimeOwn, order, job);
}

Result<OwnCounts> OwnKernelMeasuring::count(const engine::access::GpuAccessOrder& order,
                                            engine::JobControl& job) {
  return ask(kCountOwn, order, job);
}

}  // namespace stridescope::measure::gpu
