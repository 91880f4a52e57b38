#include "kernels/run_plan.h"

#include <algorithm>

namespace stridescope::kernels {
namespace {

class Planner {
 public:
  Planner(const Variant& variant, const model::Experiment& experiment)
      : variant_(variant),
        experiment_(experiment),
        perBlock_(std::uint64_t(experiment.threads) * variant.elementsPerThread),
        atOnce_(variant.blocksFor == nullptr ? perBlock_ : experiment.threads) {}

  RunPlan plan() {
    const bool merges = takes("merged");
    const bool once = merges || variant_.finishedOnCpu || takes("total") || takes("finished");
    std::uint64_t elements = experiment_.elements;
    do {
      addLaunch(elements);
      elements = plan_.launches.back().grid;
    } while (!once && elements > 1 && perBlock_ > 1);  // one thread of an illegal block would go on for ever
    chooseBlocks();
    if (merges) plan_.outcome = Outcome::Merged;
    if (variant_.finishedOnCpu) plan_.outcome = Outcome::AddedOnTheCpu;
    return std::move(plan_);
  }

 private:
  bool takes(std::string_view parameter) const {
    return std::ranges::find(variant_.parameters, parameter) != variant_.parameters.end();
  }

  std::uint64_t blocksFor(std::uint64_t elements) const {
    if (variant_.blocksFor != nullptr)
      return std::max<std::uint64_t>(1, variant_.blocksFor(elements, experiment_.threads));
    return std::max<std::uint64_t>(1, elements / perBlock_ + (elements % perBlock_ != 0));
  }

  // How much memory a launch over so many elements reads.
  std::uint64_t inputRoom(std::uint64_t elements) const {
    return std::max<std::uint64_t>(1, takes("n") ? elements : blocksFor(elements) * perBlock_);
  }

  void addLaunch(std::uint64_t elements) {
    LaunchShape launch{.elements = elements,
                       .grid = blocksFor(elements),
                       .threads = experiment_.threads,
                       .sharedBytes = std::uint64_t(experiment_.threads) * variant_.sharedElementsPerThread *
                                      model::bytesOf(experiment_.type)};
    for (std::string_view parameter : variant_.parameters)
      launch.arguments.push_back(argument(parameter, launch));
    plan_.launches.push_back(std::move(launch));
    input_ = plan_.result;  // of the next launch
  }

  PlannedArgument argument(std::string_view parameter, const LaunchShape& launch) {
    const std::uint64_t n = launch.elements;
    if (parameter == "n") return {.parameter = parameter, .buffer = {}, .elements = 0, .number = n};
    if (parameter == "in" || parameter == "array") {
      if (!input_) input_ = add({.start = BufferStart::Input, .elements = n, .room = inputRoom(n)});
      return {parameter, input_, inputRoom(n), 0};
    }
    if (parameter == "out") {
      // The next launch reads it, filled up as that one needs it.
      const std::uint64_t room = launch.grid > 1 ? inputRoom(launch.grid) : 1;
      plan_.result = add(
          {.start = BufferStart::Unwritten, .elements = launch.grid, .room = std::max(launch.grid, room)});
      return {parameter, plan_.result, launch.grid, 0};
    }
    if (parameter == "total") {
      plan_.result = add({.start = BufferStart::Identity, .elements = 1, .room = 1});
      return {parameter, plan_.result, 1, 0};
    }
    return ownBuffer(parameter, launch);
  }

  PlannedArgument ownBuffer(std::string_view parameter, const LaunchShape& launch) {
    const std::uint64_t n = launch.elements;
    PlannedBuffer buffer{
        .start = BufferStart::Unwritten, .elements = n, .room = std::max<std::uint64_t>(1, n)};
    if (parameter == "partials") buffer.elements = buffer.room = launch.grid;
    if (parameter == "finished") buffer = {BufferStart::Zero, false, 1, 1};
    if (parameter == "values") buffer.start = BufferStart::Lists;
    if (parameter == "starts")
      buffer = {BufferStart::ListStarts, false, launch.threads + 1u, launch.threads + 1u};
    if (parameter == "origin") buffer.holdsElements = false;
    const unsigned index = add(buffer);
    if (parameter == "merged") plan_.result = index;
    if (parameter == "origin") plan_.origin = index;
    return {parameter, index, buffer.room, 0};
  }

  unsigned add(const PlannedBuffer& buffer) {
    plan_.buffers.push_back(buffer);
    return unsigned(plan_.buffers.size() - 1);
  }

  void chooseBlocks() {
    auto& launches = plan_.launches;
    const std::size_t chosen = std::min<std::size_t>(experiment_.launch, launches.size() - 1);
    launches[chosen].inspected = std::min(experiment_.block, launches[chosen].grid - 1);
    for (std::size_t i = chosen + 1; i < launches.size(); ++i)
      launches[i].inspected = launches[i - 1].inspected / atOnce_ % launches[i].grid;
    for (std::size_t i = chosen; i-- > 0;)
      launches[i].inspected = std::min(launches[i + 1].inspected * atOnce_, launches[i].grid - 1);
  }

  const Variant& variant_;
  const model::Experiment& experiment_;
  const std::uint64_t perBlock_;
  const std::uint64_t atOnce_;  // neighbouring elements that one block reads before the next block's begin
  std::optional<unsigned> input_;
  RunPlan plan_;
};

}  // namespace

RunPlan planRun(const Variant& variant, const model::Experiment& experiment) {
  return Planner(variant, experiment).plan();
}

}  // namespace stridescope::kernels
