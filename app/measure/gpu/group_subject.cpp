#include "measure/gpu/group_subject.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "engine/record_run.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "measure/gpu/grid_run.h"
#include "measure/group_series.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::uint8_t kGroupPoison = 0xa5;  // what results are overwritten with before every run
constexpr std::uint64_t kWordBytes = 16;
constexpr unsigned kReadingBlocksPerMultiprocessor = 2;
// The arrays of two GPUs begin so many elements apart in the data, so that none is another one's copy.
constexpr std::uint64_t kArrayShift = 1009;

constexpr const char* kCompareText = R"(
// The place of the first word that is another one than expected; the expected words repeat.
__global__ void compare(const unsigned* words, const unsigned* expected,
                        unsigned long long count, unsigned long long period,
                        unsigned long long* first) {
  const unsigned long long step = 1ull * blockDim.x * gridDim.x;
  for (unsigned long long i = 1ull * blockDim.x * blockIdx.x + threadIdx.x; i < count; i += step)
    if (words[i] != expected[i % period]) atomicMin(first, i);
}
)";

// What all GPUs' arrays come to, element by element.
std::vector<std::uint8_t> expectedArrays(model::ElementType type, model::Operator op, unsigned gpus,
                                         std::uint64_t count) {
  std::vector<std::uint8_t> all = timingData(type, op, count);
  for (unsigned gpu = 1; gpu < gpus; ++gpu) {
    const std::vector<std::uint8_t> other = timingData(type, op, count, gpu * kArrayShift);
    model::withType(type, [&](auto zero) {
      using T = decltype(zero);
      withOperator<T>(op, [&](auto combine) {
        for (std::uint64_t at = 0; at < all.size(); at += sizeof(T)) {
          T mine, theirs;
          std::memcpy(&mine, all.data() + at, sizeof(T));
          std::memcpy(&theirs, other.data() + at, sizeof(T));
          mine = combine(mine, theirs);
          std::memcpy(all.data() + at, &mine, sizeof(T));
        }
      });
    });
  }
  return all;
}

}  // namespace

Result<std::unique_ptr<GroupInput>> GroupInput::make(GpuGroup& group, const model::TimingCase& timingCase,
                                                     bool sums, bool arrays) {
  std::unique_ptr<GroupInput> input(new GroupInput(group, timingCase));
  input->expected_ = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
  if (sums) STRIDESCOPE_TRY(input->fillSums());
  if (arrays) STRIDESCOPE_TRY(input->fillArrays());
  if (arrays) STRIDESCOPE_TRY(input->prepareComparing());
  if (!timingCase.warmL2) STRIDESCOPE_TRY(input->prepareEmptying());
  return input;
}

// As kernels::planRun() cuts the elements.
GroupInput::Part GroupInput::partOf(unsigned gpu) const {
  const std::uint64_t n = case_.elements, gpus = group_.size();
  const std::uint64_t size = n / gpus + (n % gpus != 0);
  const std::uint64_t from = std::min(gpu * size, n);
  return {from, std::min(from + size, n) - from};
}

Result<void> GroupInput::fillSums() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    const Part part = gpu == 0 ? Part{0, case_.elements} : partOf(gpu);
    auto buffer = filled(gpu, part.from, part.count);
    if (!buffer) return tl::unexpected(buffer.error());
    sums_.push_back(*std::move(buffer));
  }
  return {};
}

Result<void> GroupInput::fillArrays() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    auto buffer = filled(gpu, gpu * kArrayShift, case_.elements);
    if (!buffer) return tl::unexpected(buffer.error());
    arrays_.push_back(*std::move(buffer));
  }
  return {};
}

// Memory of the GPU with so many elements of the data, which repeat.
Result<std::unique_ptr<GpuBuffer>> GroupInput::filled(unsigned gpu, std::uint64_t from, std::uint64_t count) {
  CleanRunner& runner = group_.gpu(gpu);
  const std::uint64_t width = model::bytesOf(case_.type), bytes = count * width;
  auto buffer = runner.allocate(bytes);
  if (!buffer) {
    Error error = buffer.error();
    if (error.kind == ErrorKind::Limit) error.kind = ErrorKind::Usage;  // fewer elements fit
    return tl::unexpected(error);
  }
  const auto period = timingData(case_.type, case_.op, std::min(count, kDataPeriod), from);
  if (!period.empty()) STRIDESCOPE_TRY(runner.upload(**buffer, period));
  for (std::uint64_t have = period.size(); have > 0 && have < bytes;) {
    const std::uint64_t more = std::min(have, bytes - have), to = (*buffer)->address();
    STRIDESCOPE_TRY(runner.copy({.to = to + have, .from = to, .bytes = more}));
    have += more;
  }
  STRIDESCOPE_TRY(runner.wait());
  return buffer;
}

Result<void> GroupInput::prepareComparing() {
  const std::uint64_t count = std::min(case_.elements, kDataPeriod);
  const auto expected = expectedArrays(case_.type, case_.op, group_.size(), count);
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    CleanRunner& runner = group_.gpu(gpu);
    const auto facts = runner.memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    Comparing comparing;
    comparing.blocks = std::max(1u, kReadingBlocksPerMultiprocessor * facts->multiprocessors);
    auto words = runner.allocate(std::max<std::uint64_t>(expected.size(), kWordBytes));
    if (!words) return tl::unexpected(words.error());
    comparing.expected = *std::move(words);
    if (!expected.empty()) STRIDESCOPE_TRY(runner.upload(*comparing.expected, expected));
    auto first = runner.allocate(kWordBytes);
    if (!first) return tl::unexpected(first.error());
    comparing.first = *std::move(first);
    auto kernel = runner.load("compare", "", kCompareText);
    if (!kernel) return tl::unexpected(kernel.error());
    comparing.kernel = *std::move(kernel);
    comparing_.push_back(std::move(comparing));
  }
  return {};
}

Result<std::unique_ptr<TimedRun>> GroupInput::comparison(unsigned gpu, std::uint64_t address) const {
  const Comparing& comparing = comparing_[gpu];
  const std::uint64_t perElement = model::bytesOf(case_.type) / sizeof(std::uint32_t);
  const std::uint64_t words = case_.elements * perElement,
                      period = std::max<std::uint64_t>(1, std::min(case_.elements, kDataPeriod) * perElement),
                      first = comparing.first->address();
  return group_.gpu(gpu).timed(
      {.name = "the comparison of arrays",
       .before = {TimedFill{first, sizeof(std::uint64_t), 0xff}},
       .steps = {TimedLaunch{.kernel = comparing.kernel.get(),
                             .grid = comparing.blocks,
                             .block = kPassThreads,
                             .arguments = {address, comparing.expected->address(), words, period, first}}},
       .resultAddress = first,
       .resultBytes = sizeof(std::uint64_t)});
}

Result<void> GroupInput::prepareEmptying() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    CleanRunner& runner = group_.gpu(gpu);
    const auto facts = runner.memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    Emptying emptying;
    if (facts->l2Bytes > 0) {
      auto memory = runner.allocate(kL2sToEmpty * facts->l2Bytes / kPassUnit * kPassUnit);
      if (!memory) return tl::unexpected(memory.error());
      emptying.memory = *std::move(memory);
    }
    auto passes = MemoryPasses::load(runner);
    if (!passes) return tl::unexpected(passes.error());
    emptying.passes = *std::move(passes);
    emptying.blocks = kReadingBlocksPerMultiprocessor * facts->multiprocessors;
    emptying_.push_back(std::move(emptying));
  }
  return {};
}

std::vector<TimedStep> GroupInput::emptying(unsigned gpu) const {
  if (emptying_.empty() || !emptying_[gpu].memory) return {};
  const Emptying& emptying = emptying_[gpu];
  const std::uint64_t from = emptying.memory->address();
  return {emptying.passes.reading(from, emptying.memory->bytes(), from, emptying.blocks)};
}

namespace {

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
