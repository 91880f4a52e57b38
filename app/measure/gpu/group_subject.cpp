#include "measure/gpu/group_subject.h"

#include <algorithm>
#include <cstring>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "engine/record_run.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "measure/gpu/grid_run.h"
#include "measure/group_series.h"
#include "measure/timing_board.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::uint8_t kGroupPoison = 0xa5;  // what results are overwritten with before every run

// A plan of the catalogue on the group's GPUs, or on one of them: kernels, memory, launches.
class PlacedPlan {
 public:
  // The plan's devices are the GPUs from `first` on. `inputs`: where each device's input lies.
  static Result<PlacedPlan> make(GpuGroup& group, unsigned first, model::Experiment experiment,
                                 std::vector<std::uint64_t> inputs) {
    kernels::RunPlan plan = kernels::planRun(experiment);
    PlacedPlan placed(std::move(plan), std::move(experiment), first, std::move(inputs));
    STRIDESCOPE_TRY(placed.prepare(group));
    return placed;
  }

  const kernels::RunPlan& plan() const { return plan_; }
  const model::Experiment& experiment() const { return experiment_; }
  unsigned devices() const { return std::max(1u, plan_.devices); }
  unsigned gpuOf(unsigned device) const { return first_ + device; }
  std::uint64_t addressOf(unsigned buffer, unsigned device) const { return addresses_[buffer][device]; }
  std::uint64_t resultAddress(unsigned device) const { return addressOf(plan_.result, device); }

  // What the device's results are overwritten with before each run. Counters and words are zero again by
  // themselves.
  std::vector<TimedStep> before(unsigned device) const {
    std::vector<TimedStep> steps;
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
      const kernels::PlannedBuffer& planned = plan_.buffers[b];
      if (planned.start == kernels::BufferStart::Unwritten)
        steps.emplace_back(TimedFill{addresses_[b][device], engine::bytesOf(planned), kGroupPoison});
    }
    return steps;
  }
  std::size_t launches() const { return plan_.launches.size(); }
  TimedLaunch launch(std::size_t number, unsigned device) const {
    const kernels::LaunchShape& shape = plan_.launches[number];
    TimedLaunch launch{.kernel = kernels_[device].get(),
                       .grid = shape.grid,
                       .block = shape.block,
                       .sharedBytes = shape.sharedBytes};
    for (const kernels::PlannedArgument& argument : shape.arguments) {
      if (argument.buffer && argument.parameter.of == model::ParameterOf::All) {
        std::vector<std::uint64_t> all = addresses_[*argument.buffer];
        all.resize(model::kMaxGpus, 0);
        launch.structures.emplace(launch.arguments.size(), std::move(all));
        launch.arguments.push_back(0);
      } else if (argument.buffer) {
        const bool first = argument.parameter.of == model::ParameterOf::First;
        launch.arguments.push_back(addresses_[*argument.buffer][first ? 0 : device]);
      } else {
        launch.arguments.push_back(argument.numberOf(device));
      }
    }
    return launch;
  }

 private:
  PlacedPlan(kernels::RunPlan plan, model::Experiment experiment, unsigned first,
             std::vector<std::uint64_t> inputs)
      : plan_(std::move(plan)),
        experiment_(std::move(experiment)),
        first_(first),
        inputs_(std::move(inputs)) {}

  Result<void> prepare(GpuGroup& group) {
    addresses_.resize(plan_.buffers.size());
    for (unsigned device = 0; device < devices(); ++device) {
      CleanRunner& runner = group.gpu(gpuOf(device));
      auto kernel = runner.load(experiment_, TimedForm::Clean);
      if (!kernel) return tl::unexpected(kernel.error());
      kernels_.push_back(*std::move(kernel));
      for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
        const kernels::PlannedBuffer& planned = plan_.buffers[b];
        if (planned.start == kernels::BufferStart::Input) {
          addresses_[b].push_back(inputs_[device]);
          continue;
        }
        auto buffer = filledBuffer(runner, planned, experiment_);
        if (!buffer) return tl::unexpected(buffer.error());
        addresses_[b].push_back((*buffer)->address());
        buffers_.push_back(*std::move(buffer));
      }
    }
    return {};
  }

  kernels::RunPlan plan_;
  model::Experiment experiment_;
  unsigned first_;
  std::vector<std::uint64_t> inputs_;
  std::vector<std::vector<std::uint64_t>> addresses_;  // by buffer and device
  std::vector<std::unique_ptr<GpuBuffer>> buffers_;
  std::vector<std::unique_ptr<CleanKernel>> kernels_;  // by device
};

Result<model::Experiment> groupExperimentOf(const std::string& variant, const model::TimingCase& timingCase,
                                            std::uint64_t elements, unsigned gpus) {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.type = timingCase.type;
  experiment.op = timingCase.op;
  experiment.threads = timingCase.threads;
  experiment.elements = std::max<std::uint64_t>(1, elements);
  experiment.gpus = gpus;
  auto checked = engine::checkedExperiment(experiment, true);
  // A GPU whose part is empty has the identity; to the check, no number of elements is the default one.
  if (checked) checked->elements = elements;
  return checked;
}

// One GPU's fastest kernel that takes the pair: in the order in which they are tried.
constexpr std::array<const char*, 2> kFastestOfOneGpu{"sum_and_count", "one_message"};

Result<model::Experiment> experimentOfOneGpu(const model::TimingCase& timingCase, std::uint64_t elements) {
  for (const char* id : kFastestOfOneGpu) {
    const kernels::Variant* const variant = kernels::findVariant(id);
    if (variant != nullptr && variant->offers(timingCase.type, timingCase.op))
      return groupExperimentOf(id, timingCase, elements, 1);
  }
  return usageError("No kernel of one GPU takes this reduction.");
}

void append(std::vector<TimedStep>& steps, std::vector<TimedStep> more) {
  std::ranges::move(more, std::back_inserter(steps));
}

// What each GPU does first, outside the time: results are overwritten, and L2 is emptied.
std::vector<TimedStep> beforeOf(const GroupInput& input, const PlacedPlan& placed, unsigned device) {
  std::vector<TimedStep> steps = placed.before(device);
  append(steps, input.emptying(placed.gpuOf(device)));
  return steps;
}

// A run whose result is one value, on the host.
class SummedSubject final : public GroupSubject {
 public:
  SummedSubject(GroupInput& input, std::string name) : input_(input), name_(std::move(name)) {}

  // Variants of the catalogue, and one GPU alone: all launches of the plan.
  Result<void> prepare(Result<PlacedPlan> placed) {
    if (!placed) return tl::unexpected(placed.error());
    plans_.push_back(*std::move(placed));
    const PlacedPlan& plan = plans_.front();
    const bool onCpu = plan.plan().outcome == kernels::Outcome::AddedOnTheCpu;
    GroupPlan timed{.name = name_, .parts = {}, .end = GroupEnd::HostHasResult};
    if (onCpu && plan.devices() > 1) timed.end = GroupEnd::AllFinished;
    for (std::size_t number = 0; number < plan.launches(); ++number) {
      if (number > 0 && plan.devices() > 1) timed.parts.emplace_back(GroupMeeting{});
      // GPU 0 last: it waits for the others.
      for (unsigned device = plan.devices(); device-- > 0;) {
        TimedPlan share{.name = name_, .steps = {plan.launch(number, device)}};
        if (number == 0) share.before = beforeOf(input_, plan, device);
        const bool last = number + 1 == plan.launches();
        if (last && (device == 0 || onCpu)) {
          share.resultAddress = plan.resultAddress(device);
          share.resultBytes = resultBytes();
        }
        timed.parts.emplace_back(GroupShare{plan.gpuOf(device), std::move(share)});
      }
    }
    return make(std::move(timed));
  }

  // NCCL: each GPU reduces its part as one GPU alone would, and NCCL reduces what they have.
  Result<void> prepareNccl(Nccl& nccl) {
    GpuGroup& group = input_.group();
    const model::TimingCase& timingCase = input_.timingCase();
    GroupPlan timed{.name = name_, .parts = {}, .end = GroupEnd::HostHasResult};
    std::vector<std::uint64_t> from;
    for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
      auto experiment = experimentOfOneGpu(timingCase, input_.partOf(gpu).count);
      if (!experiment) return tl::unexpected(experiment.error());
      auto placed = PlacedPlan::make(group, gpu, *std::move(experiment), {input_.sumAddress(gpu)});
      if (!placed) return tl::unexpected(placed.error());
      plans_.push_back(*std::move(placed));
      const PlacedPlan& plan = plans_.back();
      TimedPlan share{.name = name_, .before = beforeOf(input_, plan, 0), .steps = {plan.launch(0, 0)}};
      from.push_back(plan.resultAddress(0));
      timed.parts.emplace_back(GroupShare{gpu, std::move(share)});
    }
    auto reduced = group.gpu(0).allocate(kWordBytes);
    if (!reduced) return tl::unexpected(reduced.error());
    reduced_ = *std::move(reduced);
    timed.parts.emplace_back(GroupWork{[&nccl, from, to = reduced_->address(), type = timingCase.type,
                                        op = timingCase.op](std::span<void* const> streams) {
      return nccl.reduce(from, to, 1, type, op, streams);
    }});
    timed.parts.emplace_back(GroupShare{0,
                                        {.name = name_,
                                         .before = {TimedFill{reduced_->address(), kWordBytes, kGroupPoison}},
                                         .resultAddress = reduced_->address(),
                                         .resultBytes = resultBytes()}});
    return make(std::move(timed));
  }

  Result<Timed> run() override {
    const auto outcome = run_->run();
    if (!outcome) return tl::unexpected(outcome.error());
    // In the order of the GPUs: they were enqueued the other way round.
    std::vector<std::uint8_t> results;
    for (auto result = outcome->results.rbegin(); result != outcome->results.rend(); ++result)
      results.insert(results.end(), result->begin(), result->end());
    const PlacedPlan& plan = plans_.front();
    return withCpuPart(plan.plan(), plan.experiment(),
                       {.microseconds = outcome->microseconds, .result = results});
  }

  unsigned threads() const override { return plans_.front().experiment().threads; }

 private:
  std::uint64_t resultBytes() const { return model::bytesOf(input_.timingCase().type); }

  Result<void> make(GroupPlan timed) {
    auto run = input_.group().timed(std::move(timed));
    if (!run) return tl::unexpected(run.error());
    run_ = *std::move(run);
    return {};
  }

  GroupInput& input_;
  const std::string name_;
  std::vector<PlacedPlan> plans_;
  std::unique_ptr<GpuBuffer> reduced_;  // by NCCL, on GPU 0
  std::unique_ptr<GroupRun> run_;       // last: it ends before what it uses
};

// A run that leaves an array on each GPU.
class ArraysSubject final : public GroupSubject {
 public:
  ArraysSubject(GroupInput& input, std::string name) : input_(input), name_(std::move(name)) {}

  Result<void> prepare(Result<PlacedPlan> placed) {
    if (!placed) return tl::unexpected(placed.error());
    plan_ = std::make_unique<PlacedPlan>(*std::move(placed));
    GroupPlan timed{.name = name_, .parts = {}, .end = GroupEnd::AllFinished};
    for (std::size_t number = 0; number < plan_->launches(); ++number) {
      if (number > 0) timed.parts.emplace_back(GroupMeeting{});
      for (unsigned device = 0; device < plan_->devices(); ++device) {
        TimedPlan share{.name = name_, .steps = {plan_->launch(number, device)}};
        if (number == 0) share.before = beforeOf(input_, *plan_, device);
        timed.parts.emplace_back(GroupShare{device, std::move(share)});
      }
    }
    for (unsigned device = 0; device < plan_->devices(); ++device)
      results_.push_back(plan_->resultAddress(device));
    return make(std::move(timed));
  }

  Result<void> prepareNccl(Nccl& nccl) {
    GpuGroup& group = input_.group();
    const model::TimingCase& timingCase = input_.timingCase();
    const std::uint64_t bytes = timingCase.elements * model::bytesOf(timingCase.type);
    GroupPlan timed{.name = name_, .parts = {}, .end = GroupEnd::AllFinished};
    std::vector<std::uint64_t> from;
    for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
      auto buffer = group.gpu(gpu).allocate(bytes);
      if (!buffer) return tl::unexpected(buffer.error());
      results_.push_back((*buffer)->address());
      buffers_.push_back(*std::move(buffer));
      from.push_back(input_.arrayAddress(gpu));
      TimedPlan share{.name = name_, .before = {TimedFill{results_.back(), bytes, kGroupPoison}}};
      append(share.before, input_.emptying(gpu));
      timed.parts.emplace_back(GroupShare{gpu, std::move(share)});
    }
    timed.parts.emplace_back(GroupWork{
        [&nccl, from, to = results_, count = timingCase.elements, type = timingCase.type, op = timingCase.op](
            std::span<void* const> streams) { return nccl.allReduce(from, to, count, type, op, streams); }});
    return make(std::move(timed));
  }

  Result<Timed> run() override {
    const auto outcome = run_->run();
    if (!outcome) return tl::unexpected(outcome.error());
    Timed timed{.microseconds = outcome->microseconds, .resultBits = input_.expected()};
    for (unsigned gpu = 0; gpu < comparisons_.size() && timed.wrong.empty(); ++gpu) {
      const auto compared = comparisons_[gpu]->run(0);
      if (!compared) return tl::unexpected(compared.error());
      std::uint64_t word = 0;
      std::memcpy(&word, compared->result.data(), sizeof word);
      if (word == ~std::uint64_t{0}) continue;
      const std::uint64_t perElement = model::bytesOf(input_.timingCase().type) / sizeof(std::uint32_t);
      timed.wrong = "left a wrong element " + figure(word / perElement) + " on GPU " + std::to_string(gpu);
    }
    return timed;
  }

  unsigned threads() const override { return plan_ ? plan_->experiment().threads : 0; }

 private:
  Result<void> make(GroupPlan timed) {
    for (unsigned gpu = 0; gpu < results_.size(); ++gpu) {
      auto comparison = input_.comparison(gpu, results_[gpu]);
      if (!comparison) return tl::unexpected(comparison.error());
      comparisons_.push_back(*std::move(comparison));
    }
    auto run = input_.group().timed(std::move(timed));
    if (!run) return tl::unexpected(run.error());
    run_ = *std::move(run);
    return {};
  }

  GroupInput& input_;
  const std::string name_;
  std::unique_ptr<PlacedPlan> plan_;  // null: the library's own kernels
  std::vector<std::unique_ptr<GpuBuffer>> buffers_;
  std::vector<std::uint64_t> results_;  // by GPU
  std::vector<std::unique_ptr<TimedRun>> comparisons_;
  std::unique_ptr<GroupRun> run_;  // last: it ends before what it uses
};

template <class Subject>
Result<std::unique_ptr<GroupSubject>> prepared(std::unique_ptr<Subject> subject, Result<void> done) {
  if (!done) return tl::unexpected(done.error());
  return subject;
}

}  // namespace

Result<std::unique_ptr<GroupSubject>> makeGroupSubject(GroupInput& input, const model::TimingSubject& subject,
                                                       const Result<std::unique_ptr<Nccl>>& nccl) {
  GpuGroup& group = input.group();
  const model::TimingCase& timingCase = input.timingCase();
  if (subject == kOneGpu) {
    auto alone = std::make_unique<SummedSubject>(input, "one GPU alone");
    auto experiment = experimentOfOneGpu(timingCase, timingCase.elements);
    if (!experiment) return tl::unexpected(experiment.error());
    auto done = alone->prepare(PlacedPlan::make(group, 0, *std::move(experiment), {input.sumAddress(0)}));
    return prepared(std::move(alone), std::move(done));
  }
  const kernels::Variant* const variant = kernels::findVariant(subject.id);
  if (variant == nullptr) return usageError("There is no variant '" + subject.id + "'.");
  if (!variant->isOfSeveralGpus())
    return usageError(subject.id + " runs on one GPU: it is timed without --gpus.");
  const bool arrays = variant->devices == model::DeviceUse::ArrayEach;
  if (!variant->onlyTimed.empty()) {
    if (!nccl) return tl::unexpected(nccl.error());
    if (std::string why = Nccl::whyNot(timingCase.type, timingCase.op); !why.empty())
      return usageError(std::move(why));
    if (arrays) {
      auto made = std::make_unique<ArraysSubject>(input, subject.id);
      auto done = made->prepareNccl(**nccl);
      return prepared(std::move(made), std::move(done));
    }
    auto made = std::make_unique<SummedSubject>(input, subject.id);
    auto done = made->prepareNccl(**nccl);
    return prepared(std::move(made), std::move(done));
  }
  auto experiment = groupExperimentOf(subject.id, timingCase, timingCase.elements, group.size());
  if (!experiment) return tl::unexpected(experiment.error());
  std::vector<std::uint64_t> inputs;
  for (unsigned gpu = 0; gpu < group.size(); ++gpu)
    inputs.push_back(arrays ? input.arrayAddress(gpu) : input.sumAddress(gpu));
  auto placed = PlacedPlan::make(group, 0, *std::move(experiment), std::move(inputs));
  if (arrays) {
    auto made = std::make_unique<ArraysSubject>(input, subject.id);
    auto done = made->prepare(std::move(placed));
    return prepared(std::move(made), std::move(done));
  }
  auto made = std::make_unique<SummedSubject>(input, subject.id);
  auto done = made->prepare(std::move(placed));
  return prepared(std::move(made), std::move(done));
}

}  // namespace stridescope::measure::gpu
