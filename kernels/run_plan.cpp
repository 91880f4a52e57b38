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
        devices_(kernel.isOfSeveralGpus() ? std::clamp(experiment.gpus, 1u, model::kMaxGpus) : 1),
        perBlock_(std::uint64_t(experiment.threads) * kernel.launch.elementsPerThread),
        atOnce_(kernel.launch.strides() ? experiment.threads : perBlock_) {}

  RunPlan plan() {
    if (kernel_.isOfSeveralGpus()) return planDevices();
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
  // Every launch has the same arguments but for the numbers that it counts by.
  RunPlan planDevices() {
    plan_.devices = devices_;
    addLaunch(experiment_.elements);
    const unsigned steps = model::stepsOf(kernel_.steps, devices_);
    plan_.launches.resize(steps, plan_.launches.front());
    for (unsigned step = 0; step < steps; ++step)
      for (PlannedArgument& argument : plan_.launches[step].arguments)
        if (argument.parameter.role == ParameterRole::Step) argument.number = step;
    for (LaunchShape& launch : plan_.launches)
      launch.inspected = std::min(experiment_.block, launch.grid.count() * devices_ - 1);
    if (kernel_.finishedOnCpu) plan_.outcome = Outcome::AddedOnTheCpu;
    if (kernel_.devices == model::DeviceUse::ArrayEach) plan_.outcome = Outcome::Arrays;
    return std::move(plan_);
  }

  // How many elements the device's own input has; of a part, the last ones may have fewer, or none.
  std::uint64_t ownElements(std::uint64_t elements, unsigned device) const {
    const std::uint64_t most = kernel_.elementsOfDevice(elements, devices_);
    if (kernel_.devices != model::DeviceUse::PartEach) return most;
    return std::min(most, elements - std::min(elements, most * device));
  }

  // Copies begin at a sector, and so at a pack of 16 bytes.
  std::uint64_t roomOfCopy(std::uint64_t elements) const {
    constexpr std::uint64_t kSectorBytes = 32;
    const std::uint64_t perSector = kSectorBytes / model::bytesOf(experiment_.type);
    return (std::max<std::uint64_t>(1, elements) + perSector - 1) / perSector * perSector;
  }

  std::uint64_t blocksFor(std::uint64_t elements) const {
    return kernel_.launch.blocks(elements, experiment_.threads);
  }

  // How much memory a launch over so many elements reads.
  std::uint64_t inputRoom(std::uint64_t elements) const {
    return std::max<std::uint64_t>(
        1, kernel_.takes(ParameterRole::Count) ? elements : blocksFor(elements) * perBlock_);
  }

  void addLaunch(std::uint64_t elements) {
    // What each device goes over: of arrays that are combined in parts, one part.
    const std::uint64_t part = elements / devices_ + (elements % devices_ != 0);
    const bool inParts = devices_ > 1 && kernel_.steps != model::DeviceSteps::Tree;
    LaunchShape launch{.elements = elements,
                       .grid = blocksFor(inParts ? part : elements),
                       .block = experiment_.threads,
                       .sharedBytes = kernel_.launch.sharedBytes(experiment_.threads, experiment_.type),
                       .cluster = kernel_.launch.cluster};
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
    if (kernel_.isOfSeveralGpus()) return argumentOfDevices(parameter, launch);
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
      case ParameterRole::Inbox:
      case ParameterRole::Device:
      case ParameterRole::Devices:
      case ParameterRole::Step:
      case ParameterRole::Steps:  // of several devices
      case ParameterRole::Scalar:
        break;
    }
    return {.parameter = parameter, .buffer = {}, .elements = 0, .number = 0};
  }

  PlannedArgument argumentOfDevices(const model::KernelParameter& parameter, const LaunchShape& launch) {
    const std::uint64_t n = launch.elements, words = model::bytesOf(experiment_.type) / 4;
    const bool hasArrays = kernel_.devices == model::DeviceUse::ArrayEach;
    PlannedArgument number{.parameter = parameter, .buffer = {}};
    switch (parameter.role) {
      case ParameterRole::Input: {
        const std::uint64_t own = kernel_.elementsOfDevice(n, devices_);
        const unsigned index = add(parameter, BufferStart::Input, own, roomOfCopy(own));
        return {parameter, index, plan_.buffers[index].room, 0};
      }
      case ParameterRole::Output: {
        const std::uint64_t own = hasArrays ? n : 1;
        plan_.result = add(parameter, BufferStart::Unwritten, own, roomOfCopy(own));
        return {parameter, plan_.result, plan_.buffers[plan_.result].room, 0};
      }
      case ParameterRole::Messages:
        return whole(parameter, BufferStart::Zero, launch.grid.count() * words);
      case ParameterRole::Inbox:
        return whole(parameter, BufferStart::Zero, devices_ * words);
      case ParameterRole::Count:
        number.number = n;
        for (unsigned device = 0; device < devices_; ++device)
          number.numbers.push_back(ownElements(n, device));
        break;
      case ParameterRole::Device:
        for (unsigned device = 0; device < devices_; ++device) number.numbers.push_back(device);
        break;
      case ParameterRole::Devices:
        number.number = devices_;
        break;
      case ParameterRole::Steps:
        number.number = model::stepsOf(kernel_.steps, devices_);
        break;
      default:
        break;
    }
    return number;
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
  const unsigned devices_;
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
