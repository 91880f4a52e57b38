#include "measure/gpu/clock_watch.h"

#include <array>

#include "engine/library_call.h"

namespace stridescope::measure::gpu {
namespace {

// NVML's types and numbers (nvml.h); its header is not in every toolkit.
using Device = void*;
using Plain = int (*)();
using FindDevice = int (*)(const char* busId, Device* device);
using ReadMask = int (*)(Device device, unsigned long long* mask);
using ReadClock = int (*)(Device device, int type, unsigned* megahertz);
using CountProcesses = int (*)(Device device, unsigned* count, void* processes);
constexpr int kSuccess = 0, kInsufficientSize = 7;
constexpr int kMultiprocessorClock = 1;

struct Reason {
  unsigned long long bit;  // nvmlClocksThrottleReason*
  const char* text;
};
constexpr std::array<Reason, 5> kReasons{{{0x4, "by its power limit"},
                                          {0x8, "by the hardware (heat or power)"},
                                          {0x20, "because it is hot"},
                                          {0x40, "by the hardware, because it is hot"},
                                          {0x80, "by the power supply"}}};

// This program's own: one records, one takes times.
constexpr unsigned kOwnProcesses = 2;

}  // namespace

ClockWatch::ClockWatch(const std::string& busId) {
  const engine::LibraryCall call("NVML");
  auto library = engine::gpu::SharedLibrary::open({"libnvidia-ml.so.1"});
  if (!library || busId.empty()) return;
  const auto start = (*library)->function<Plain>("nvmlInit_v2");
  const auto find = (*library)->function<FindDevice>("nvmlDeviceGetHandleByPciBusId_v2");
  if (start == nullptr || find == nullptr || start() != kSuccess) return;
  library_ = *library;
  if (find(busId.c_str(), &device_) != kSuccess) device_ = nullptr;
}

ClockWatch::~ClockWatch() {
  if (!library_) return;
  const engine::LibraryCall call("NVML");
  if (const auto end = library_->function<Plain>("nvmlShutdown")) end();
}

std::vector<std::string> ClockWatch::disturbances() const {
  std::vector<std::string> sentences;
  if (device_ == nullptr) return sentences;
  const engine::LibraryCall call("NVML");
  const auto readReasons = library_->function<ReadMask>("nvmlDeviceGetCurrentClocksThrottleReasons");
  const auto readMost = library_->function<ReadClock>("nvmlDeviceGetMaxClockInfo");
  unsigned long long reasons = 0;
  unsigned most = 0;
  if (readReasons != nullptr && readReasons(device_, &reasons) == kSuccess)
    for (const Reason& reason : kReasons) {
      if ((reasons & reason.bit) == 0) continue;
      std::string sentence = std::string("The GPU's clock is held down ") + reason.text;
      if (readMost != nullptr && readMost(device_, kMultiprocessorClock, &most) == kSuccess)
        sentence += " (its highest is " + std::to_string(most) + " MHz)";
      sentences.push_back(sentence + ": times may spread.");
    }
  const auto count = library_->function<CountProcesses>("nvmlDeviceGetComputeRunningProcesses_v3");
  unsigned processes = 0;
  if (count != nullptr) {
    const int code = count(device_, &processes, nullptr);
    if ((code == kSuccess || code == kInsufficientSize) && processes > kOwnProcesses)
      sentences.emplace_back("Other programs compute on this GPU: times may spread.");
  }
  return sentences;
}

}  // namespace stridescope::measure::gpu
