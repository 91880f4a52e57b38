#include "kernels/run_plan.h"

#include <algorithm>

#include "model/trace.h"

namespace stridescope::kernels {
namespace {

using model::ParameterRole;

class Planner {
 public:
  Planner(const model::Kernel& kernel, const model::Experiment& experiment)
      : kernel_(kernel),
        experiment_(experiment),
        perBlock_(std::uint64_t(experiment.threads) * kernel.launch.elementsPerThread),
        atOnce_(kernel.launch.strides() ? experiment.threads : perBlock_) {}

  RunPlan plan() {
    const bool merges = kernel_.merges();
    const bool once = merges || kernel_.launch.fixed || kernel_.finishedOnCpu || kernel_.joinsBlocks();
    std::uint64_t elements = experiment_.elements;
    do {
      addLaunch(elements);
      elements = plan_.launches.back().grid.count();
    } while (!once && elements > 1 && perBlock_ > 1);  // one thread of an illegal block would go on for ever
    chooseBlocks();
    if (merges) plan_.outcome = Outcome::Merged;
    if (kernel_.finishedOnCpu) plan_.outcome = Outcome::AddedOnTheCpu;
    return std::move(plan_);
  }

 private:
  std::uint64_t blocksFor(std::uint64_t elements) const {
    return kernel_.launch.blocks(elements, experiment_.threads);
  }

  // How much memory a launch over so many elements reads.
  std::uint64_t inputRoom(std::uint64_t elements) const {
    return std::max<std::uint64_t>(
        1, kernel_.takes(ParameterRole::Count) ? elements : blocksFor(elements) * perBlock_);
  }

  void addLaunch(std::uint64_t elements) {
    LaunchShape launch{.elements = elements,
                       .grid = blocksFor(elements),
                       .block = experiment_.threads,
                       .sharedBytes = kernel_.launch.sharedBytes(experiment_.threads, experiment_.type)};
    if (kernel_.launch.fixed) {
      launch.grid = kernel_.launch.fixed->grid;
      launch.block = kernel_.launch.fixed->block;
    }
    for (const model::KernelParameter& parameter : kernel_.parameters)
      launch.arguments.push_back(argument(parameter, launch));
    plan_.launches.push_back(std::move(launch));
    input_ = plan_.result;  // the next launch's
  }

  PlannedArgument argument(const model::KernelParameter& parameter, const LaunchShape& launch) {
    const std::uint64_t n = launch.elements, grid = launch.grid.count();
    switch (parameter.role) {
      case ParameterRole::Count:
        return {.parameter = parameter, .buffer = {}, .elements = 0, .number = n};
      case ParameterRole::Input:
      case ParameterRole::InPlace:
        if (!input_) input_ = add(parameter, BufferStart::Input, n, inputRoom(n));
        return {parameter, input_, inputRoom(n), 0};
      case ParameterRole::Output:
        // The next launch reads it, filled up as that one needs it.
        plan_.result = add(parameter, BufferStart::Unwritten, grid, grid > 1 ? inputRoom(grid) : 1);
        return {parameter, plan_.result, grid, 0};
      case ParameterRole::Accumulator:
        plan_.result = add(parameter, BufferStart::Identity, 1, 1);
        return {parameter, plan_.result, 1, 0};
      case ParameterRole::Partials:
        return whole(parameter, BufferStart::Unwritten, grid);
      case ParameterRole::Ticket:
      case ParameterRole::CountedSum:
        return whole(parameter, BufferStart::Zero, 1);
      case ParameterRole::Messages:
        return whole(parameter, BufferStart::Zero, grid * (model::bytesOf(experiment_.type) / 4));
      case ParameterRole::ListValues:
        return whole(
            parameter,
            kernel_.takes(ParameterRole::ListCount) ? BufferStart::InterleavedLists : BufferStart::Lists, n);
      case ParameterRole::ListStarts:
        return whole(parameter, BufferStart::ListStarts, launch.block.count() + 1);
      case ParameterRole::Merged: {
        const PlannedArgument merged = whole(parameter, BufferStart::Unwritten, n);
        plan_.result = *merged.buffer;
        return merged;
      }
      case ParameterRole::Origin: {
        const PlannedArgument origin = whole(parameter, BufferStart::Unwritten, n);
        plan_.origin = origin.buffer;
        return origin;
      }
      case ParameterRole::ListCount:
        return {.parameter = parameter,
                .buffer = {},
                .elements = 0,
                .number = experiment_.lists != 0 ? experiment_.lists : experiment_.threads};
      case ParameterRole::Scalar:
        break;
    }
    return {.parameter = parameter, .buffer = {}, .elements = 0, .number = 0};
  }

  // A buffer of the launch's own, all of which the kernel may reach.
  PlannedArgument whole(const model::KernelParameter& parameter, BufferStart start, std::uint64_t elements) {
    const unsigned index = add(parameter, start, elements, 1);
    return {parameter, index, plan_.buffers[index].room, 0};
  }

  // The room is at least the elements.
  unsigned add(const model::KernelParameter& parameter, BufferStart start, std::uint64_t elements,
               std::uint64_t room) {
    plan_.buffers.push_back({.start = start,
                             .type = parameter.elementType(experiment_.type),
                             .elementBytes = parameter.elementBytes(experiment_.type),
                             .elements = elements,
                             .room = std::max(elements, room)});
    return unsigned(plan_.buffers.size() - 1);
  }

  void chooseBlocks() {
    auto& launches = plan_.launches;
    const std::size_t chosen = std::min<std::size_t>(experiment_.launch, launches.size() - 1);
    launches[chosen].inspected = std::min(experiment_.block, launches[chosen].grid.count() - 1);
    for (std::size_t i = chosen + 1; i < launches.size(); ++i)
      launches[i].inspected = launches[i - 1].inspected / atOnce_ % launches[i].grid.count();
    for (std::size_t i = chosen; i-- > 0;)
      launches[i].inspected = std::min(launches[i + 1].inspected * atOnce_, launches[i].grid.count() - 1);
  }

  const model::Kernel& kernel_;
  const model::Experiment& experiment_;
  const std::uint64_t perBlock_;
  const std::uint64_t atOnce_;  // neighbouring elements that one block reads before the next block's begin
  std::optional<unsigned> input_;
  RunPlan plan_;
};

// Whether the text assigns the identity to a variable, as in "T value = identity;". A place in an array, or
// the other side of a condition, takes it only where there is no element.
bool beginsWithIdentity(std::string_view text) {
  constexpr std::string_view kAssigned = " = identity;";
  for (auto at = text.find(kAssigned); at != text.npos; at = text.find(kAssigned, at + 1))
    if (at > 0 && text[at - 1] != ']') return true;
  return false;
}

}  // namespace

bool usesIdentity(const model::Kernel& kernel, const model::Experiment& experiment) {
  if (beginsWithIdentity(kernel.text)) return true;
  if (kernel.launch.strides()) return experiment.elements == 0;
  const std::uint64_t perBlock = std::uint64_t(experiment.threads) * kernel.launch.elementsPerThread;
  return std::ranges::any_of(planRun(kernel, experiment).launches, [&](const LaunchShape& launch) {
    return launch.grid.count() * perBlock > launch.elements;
  });
}

RunPlan planRun(const model::Kernel& kernel, const model::Experiment& experiment) {
  return Planner(kernel, experiment).plan();
}

RunPlan planRun(const model::Experiment& experiment) { return planRun(*kernelOf(experiment), experiment); }

}  // namespace stridescope::kernels
