#include "cli/recorded_experiments.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "model/clock_record.h"

namespace stridescope::cli {
namespace {

constexpr std::array<std::uint64_t, 3> kRecordedSizes{std::uint64_t{1} << 16, std::uint64_t{1} << 20,
                                                      model::kFullGridElements};
constexpr std::array<std::string_view, 3> kTimelineOfAll{"sequential", "grid_stride", "single_pass"};
constexpr unsigned kMinPower = 10, kMaxPower = 26, kPowerStep = 2;

// Collects the experiments that `add` makes of the traces that can be measured, each experiment once.
class Experiments {
 public:
  template <class Add>
  static std::vector<model::Experiment> of(std::span<const model::Trace> traces, const Add& add) {
    Experiments experiments;
    for (const model::Trace& trace : traces) {
      const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
      // What takes several GPUs is timed alone.
      if (kernel != nullptr && !kernel->isWrong() && !kernel->isOfSeveralGpus() &&
          trace.experiment.given.get() == nullptr)
        add(experiments, *kernel, trace.experiment);
    }
    return std::move(experiments.all_);
  }

  void add(model::Experiment experiment, bool elementsGiven = true) {
    experiment.launch = 0;
    experiment.block = 0;
    experiment.schedule = {};
    experiment.scheduleSeed = 0;
    experiment.blockOrder = {};
    experiment.blockOrderSeed = model::Experiment().blockOrderSeed;
    if (const auto checked = engine::checkedExperiment(std::move(experiment), elementsGiven))
      if (std::ranges::find(all_, *checked) == all_.end()) all_.push_back(*checked);
  }
  void addAt(model::Experiment experiment, std::uint64_t elements) {
    experiment.elements = elements;
    add(std::move(experiment));
  }

 private:
  std::vector<model::Experiment> all_;
};

}  // namespace

std::vector<model::Experiment> experimentsToCount(std::span<const model::Trace> traces) {
  return Experiments::of(
      traces, [](Experiments& experiments, const model::Kernel& kernel, const model::Experiment& recorded) {
        experiments.add(recorded);
        for (const unsigned threads : kernel.threads) {
          model::Experiment experiment = recorded;
          experiment.threads = threads;
          experiment.elements = 0;
          experiments.add(std::move(experiment), false);
        }
        if (!kernel.merges())
          for (const std::uint64_t elements : kRecordedSizes) experiments.addAt(recorded, elements);
      });
}

std::vector<model::Experiment> experimentsToMark(std::span<const model::Trace> traces) {
  return Experiments::of(
      traces, [](Experiments& experiments, const model::Kernel& kernel, const model::Experiment& recorded) {
        if (kernel.merges()) return;
        const bool all = std::ranges::find(kTimelineOfAll, kernel.id) != kTimelineOfAll.end();
        for (const std::uint64_t elements : kRecordedSizes)
          if (all || elements != kRecordedSizes.back()) experiments.addAt(recorded, elements);
      });
}

std::vector<model::Experiment> experimentsToCost(std::span<const model::Trace> traces) {
  return Experiments::of(
      traces, [](Experiments& experiments, const model::Kernel& kernel, const model::Experiment& recorded) {
        if (kernel.merges()) return;
        experiments.add(recorded);
        for (unsigned power = kMinPower; power <= kMaxPower; power += kPowerStep)
          experiments.addAt(recorded, std::uint64_t{1} << power);
      });
}

std::vector<model::Experiment> experimentsToPeel(std::span<const model::Trace> traces) {
  return Experiments::of(
      traces, [](Experiments& experiments, const model::Kernel& kernel, const model::Experiment& recorded) {
        if (kernel.merges() || kernel.takes(model::ParameterRole::Messages)) return;
        for (const std::uint64_t elements : kRecordedSizes) experiments.addAt(recorded, elements);
      });
}

std::vector<model::Experiment> experimentsToCompile(std::span<const model::Trace> traces) {
  std::vector<model::Experiment> all;
  for (const model::Trace& trace : traces) {
    const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
    if (kernel == nullptr || trace.experiment.op == model::Operator::Custom) continue;
    for (const model::ElementType type :
         {trace.experiment.type, model::ElementType::Float, model::ElementType::Double}) {
      model::Experiment experiment = trace.experiment;
      experiment.type = type;
      if (kernel->offers(type, experiment.op) && std::ranges::find(all, experiment) == all.end())
        all.push_back(std::move(experiment));
    }
  }
  return all;
}

}  // namespace stridescope::cli
