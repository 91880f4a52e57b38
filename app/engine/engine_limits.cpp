#include "engine/engine_limits.h"

#include <charconv>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::engine {
namespace {

// "9.0" as 90; 0 if it is no such text.
unsigned capabilityNumber(const std::string& text) {
  unsigned major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, fault] = std::from_chars(text.data(), end, major);
  if (fault != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return 0;
  return major * 10 + minor;
}

}  // namespace

std::string refusalOf(const model::Executor& executor, const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr || executor.kind != model::EngineKind::Gpu) return {};
  if (!kernel->onlyOnCpu.empty()) return std::string(kernel->onlyOnCpu);
  if (const unsigned has = capabilityNumber(executor.computeCapability); has < kernel->leastCapability)
    return "The variant '" + std::string(kernel->id) + "' needs a GPU of compute capability " +
           std::to_string(kernel->leastCapability / 10) + "." + std::to_string(kernel->leastCapability % 10) +
           "; " + executor.device + " has " + executor.computeCapability + ".";
  if (experiment.op == model::Operator::Custom && kernel->finishedOnCpu)
    return "The CPU combines what the blocks of '" + std::string(kernel->id) +
           "' leave, with your combine, which runs beside the CPU executor.";
  if (experiment.schedule != model::Schedule::LaneByLane)
    return "A GPU schedules its warps itself; '" + std::string(model::nameOf(experiment.schedule)) +
           "' is a schedule of the CPU executor.";
  if (experiment.blockOrder != model::BlockOrder::InOrder)
    return "A GPU chooses the order of its blocks itself; '" +
           std::string(model::nameOf(experiment.blockOrder)) + "' is an order of the CPU executor.";
  return {};
}

std::string whyNotOnCpu(std::uint64_t elements) {
  constexpr std::uint64_t kMaxElementsOnCpu = 1ull << 24;
  if (elements <= kMaxElementsOnCpu) return {};
  return "The CPU executor takes at most " + sizeText(kMaxElementsOnCpu) + " elements; " +
         sizeText(elements) + " were asked for. Take fewer, or run on a GPU.";
}

Result<model::Experiment> runnableExperiment(const model::Executor& executor,
                                             const model::Experiment& asked) {
  auto experiment = checkedExperiment(asked, true);
  if (!experiment) return experiment;
  if (const std::string refusal = refusalOf(executor, *experiment); !refusal.empty())
    return usageError(refusal + " Step it on the CPU executor.");
  return experiment;
}

}  // namespace stridescope::engine
