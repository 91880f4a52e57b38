#include "gpu_access.h"

#include <charconv>

namespace stridescope::engine::access {
namespace {

constexpr std::string_view kGpuCommand = "gpu-access-worker";
constexpr std::chrono::milliseconds kGpuStart{30'000}, kGpuReport{1'000};

}  // namespace

std::vector<std::string> gpuAccessArguments(unsigned gpu) {
  return {std::string(kGpuCommand), std::to_string(gpu)};
}

std::optional<unsigned> gpuAccessIndex(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != kGpuCommand) return std::nullopt;
  const std::string_view word = argv[2];
  unsigned index = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), index);
  return error == std::errc() && end == word.end() ? std::optional(index) : std::nullopt;
}

GpuAccess::GpuAccess(worker::WorkerCommand command) : command_(std::move(command)) {
  command_.subject = "The process that runs your kernel on the GPU";
  command_.causeOfSilence = "the kernel does not end";
  command_.advice = "Fix its text, or record it on the CPU (on the command line: --engine host).";
}

GpuAccess::~GpuAccess() = default;

Result<void> GpuAccess::open(JobControl& job) {
  if (client_ && client_->isOpen() && client_->isIdle()) return {};
  client_ = std::make_unique<worker::RpcClient>(
      command_, kGpuAccessService,
      worker::ClientLimits{.cancelling = std::chrono::milliseconds(0), .report = kGpuReport});
  if (auto started = client_->start(); !started) return started;
  const auto ready = client_->ready<worker::Nothing>(kGpuStart, job);
  if (!ready) return tl::unexpected(ready.error());
  return {};
}

template <class Answer>
Result<Answer> GpuAccess::run(const worker::CallType<GpuAccessOrder, Answer>& call,
                              const GpuAccessOrder& order, std::chrono::milliseconds limit, JobControl& job) {
  if (auto opened = open(job); !opened) return tl::unexpected(opened.error());
  auto answer = client_->call(call, order, {.silence = limit, .whole = limit}, job);
  if (!answer) client_.reset();  // what a failed kernel left of the GPU's context is not used again
  return answer;
}

Result<GpuAccessRecord> GpuAccess::record(const GpuAccessOrder& order, std::chrono::milliseconds limit,
                                          JobControl& job) {
  return run(kRecordGpuAccesses, order, limit, job);
}

Result<model::TimelineRecord> GpuAccess::timeline(const GpuAccessOrder& order,
                                                  std::chrono::milliseconds limit, JobControl& job) {
  return run(kTimeGpuBlocks, order, limit, job);
}

Result<GpuKernelFacts> GpuAccess::describe(const GpuAccessOrder& order, JobControl& job) {
  if (auto opened = open(job); !opened) return tl::unexpected(opened.error());
  return client_->call(kAskGpuKernels, order, {.silence = kGpuStart, .whole = kGpuStart}, job);
}

}  // namespace stridescope::engine::access
