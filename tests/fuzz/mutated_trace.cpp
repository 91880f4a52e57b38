#include "mutated_trace.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <map>
#include <vector>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/trace_check.h"

namespace stridescope::fuzz {
namespace {

constexpr std::size_t kMaxEvents = 20'000;
constexpr std::uint64_t kMaxMutatedSharedBytes = 16 << 10;

// Small runs of every variant: one block, and where the variant has several launches, a few blocks.
std::vector<model::Experiment> experiments() {
  std::vector<model::Experiment> all;
  for (const kernels::Variant& variant : kernels::catalog()) {
    model::Experiment experiment;
    experiment.variant = variant.id;
    experiment.threads = variant.threads.front();
    experiment.type = variant.types.back();
    experiment.op = variant.operators.front();
    if (const auto small = engine::checkedExperiment(experiment, false)) all.push_back(*small);
    experiment.type = variant.types.front();
    experiment.elements = 300;
    if (const auto several = engine::checkedExperiment(experiment, true)) all.push_back(*several);
  }
  return all;
}

const model::Trace& recordedTrace(std::size_t index) {
  static const std::vector<model::Experiment> all = experiments();
  static std::map<std::size_t, model::Trace> traces;
  const auto [place, isNew] = traces.try_emplace(index % all.size());
  if (isNew) {
    engine::JobControl job;
    auto trace = engine::host::makeHostEngine()->record(all[place->first], job);
    if (!trace) std::abort();
    place->second = *std::move(trace);
  }
  return place->second;
}

class Mutator {
 public:
  Mutator(InputBytes& input, model::Trace& trace) : input_(input), trace_(trace) {}

  void change() {
    switch (input_.byte() % 5) {
      case 0:
        return changeExperiment();
      case 1:
        return changeSites();
      default:
        break;
    }
    if (trace_.launches.empty()) return;
    model::LaunchTrace& launch = trace_.launches[input_.below(trace_.launches.size())];
    switch (input_.byte() % 8) {
      case 0:
        return changeLaunch(launch);
      case 1:
        return changeArrays(launch);
      case 2:
        return changeCopies(launch);
      case 3:
        return moveEvents(launch);
      default:
        for (std::uint64_t count = 1 + input_.below(8); count > 0; --count) changeEvent(launch);
    }
  }

 private:
  void changeExperiment() {
    model::Experiment& experiment = trace_.experiment;
    switch (input_.byte() % 9) {
      case 0: {
        const auto variants = kernels::catalog();
        experiment.variant =
            input_.flip() ? std::string(variants[input_.below(variants.size())].id) : "v" + input_.text(12);
        return;
      }
      case 1:
        experiment.type = model::kElementTypes[input_.below(model::kElementTypes.size())];
        return;
      case 2:
        experiment.op = model::kOperators[input_.below(model::kOperators.size())];
        return;
      case 3:
        experiment.elements = input_.edge();
        return;
      case 4:
        experiment.launch = unsigned(input_.edge());
        experiment.block = input_.edge();
        return;
      case 5:
        trace_.result = input_.flip() ? model::printElement(experiment.type, input_.edge()) : "";
        return;
      case 6:
        trace_.ok = !trace_.ok;
        return;
      case 7:
        trace_.checkNote = input_.text(40);
        trace_.executor.device = input_.text(20);
        return;
      default:
        return changeThreads();
    }
  }

  // Another block size, everywhere.
  void changeThreads() {
    const auto threads = unsigned(1 + input_.below(1024));
    trace_.experiment.threads = threads;
    for (model::LaunchTrace& launch : trace_.launches) {
      if (threads < launch.block) launch.recorded().events.resize(launch.recorded().first[threads]);
      launch.recorded().first.resize(threads + 1, std::uint32_t(launch.recorded().events.size()));
      launch.block = threads;
      std::erase_if(launch.recorded().copied, [&](const auto& word) { return word.thread >= threads; });
      std::erase_if(launch.recorded().problems,
                    [&](const model::Problem& problem) { return problem.thread >= threads; });
    }
  }

  void changeSites() {
    if (trace_.sites.empty()) return;
    model::Site& site = trace_.sites[input_.below(trace_.sites.size())];
    switch (input_.byte() % 4) {
      case 0:
        site.statement = int(input_.edge() & 0x7fffffff);
        return;
      case 1:
        site.line = 1 + int(input_.below(40));
        site.column = 1 + int(input_.below(60));
        site.length = int(input_.below(60));
        return;
      case 2:
        site.text = input_.text(30);
        return;
      default:
        site.loops.clear();
        for (std::uint64_t depth = input_.below(6); depth > 0; --depth)
          site.loops.push_back(int(input_.below(trace_.sites.size())));
    }
  }

  void changeLaunch(model::LaunchTrace& launch) {
    switch (input_.byte() % 5) {
      case 0:
        launch.grid = input_.edge();
        launch.gridY = unsigned(input_.edge());
        launch.blockZ = unsigned(input_.edge());
        launch.recorded().block = input_.flip() ? 0 : input_.edge();
        return;
      case 1:
        launch.elements = input_.edge();
        return;
      case 2:
        launch.recorded().cut = !launch.recorded().cut;
        return;
      case 3:
        launch.recorded().problems.push_back({model::ProblemKind(input_.below(7)), input_.text(30),
                                              int(input_.below(trace_.sites.size() + 1)) - 1,
                                              unsigned(input_.below(launch.block))});
        return;
      default:
        if (input_.flip())
          trace_.launches.push_back(model::LaunchTrace(launch));
        else
          trace_.launches.erase(trace_.launches.begin());
    }
  }

  void changeArrays(model::LaunchTrace& launch) {
    std::vector<model::Array>& arrays = input_.flip() ? launch.recorded().shared : launch.buffers;
    if (arrays.empty() || input_.byte() % 8 == 0) {
      arrays.push_back({name(), 4, 128});
    } else {
      model::Array& array = arrays[input_.below(arrays.size())];
      switch (input_.byte() % 6) {
        case 0:
          array.elementBytes = unsigned(1 + input_.below(20));
          array.type.reset();
          break;
        case 1:
          array.bytes =
              &arrays == &launch.recorded().shared ? input_.below(kMaxMutatedSharedBytes) : input_.edge();
          break;
        case 2:
          array.name = name();
          break;
        case 3:
          array.type = model::kElementTypes[input_.below(model::kElementTypes.size())];
          if (input_.flip()) array.elementBytes = model::bytesOf(*array.type);
          break;
        case 4:
          array.role = model::kParameterRoles[input_.below(model::kParameterRoles.size())];
          break;
        default:
          arrays.pop_back();
      }
    }
    launch.recorded().barrierCopies.clear();
  }

  void changeCopies(model::LaunchTrace& launch) {
    switch (input_.byte() % 3) {
      case 0:
        if (!launch.recorded().barrierCopies.empty()) launch.recorded().barrierCopies.pop_back();
        return;
      case 1:
        if (!launch.recorded().barrierCopies.empty())
          launch.recorded().barrierCopies.push_back(launch.recorded().barrierCopies.front());
        return;
      default:
        if (launch.recorded().copied.empty()) return;
        auto& word = launch.recorded().copied[input_.below(launch.recorded().copied.size())];
        word.thread = std::uint32_t(input_.below(launch.block));
        word.barrier = std::uint32_t(input_.below(4));
    }
  }

  // Takes some of a thread's events away, or puts copies of others in.
  void moveEvents(model::LaunchTrace& launch) {
    if (launch.recorded().events.empty()) return;
    const std::size_t thread = input_.below(launch.block);
    const std::uint32_t first = launch.recorded().first[thread], end = launch.recorded().first[thread + 1];
    const auto at = launch.recorded().events.begin() + first + std::ptrdiff_t(input_.below(end - first + 1));
    if (input_.flip()) {
      const auto last = launch.recorded().events.begin() + end;
      const auto gone = std::uint32_t(input_.below(std::uint64_t(last - at) + 1));
      launch.recorded().events.erase(at, at + gone);
      for (std::size_t i = thread + 1; i < launch.recorded().first.size(); ++i)
        launch.recorded().first[i] -= gone;
      return;
    }
    // As many as a pair has, so that halves can come along.
    const std::size_t from = input_.below(launch.recorded().events.size());
    const std::size_t count =
        std::min<std::size_t>(1 + input_.below(64), launch.recorded().events.size() - from);
    const std::vector<model::Event> copies(launch.recorded().events.begin() + std::ptrdiff_t(from),
                                           launch.recorded().events.begin() + std::ptrdiff_t(from + count));
    launch.recorded().events.insert(at, copies.begin(), copies.end());
    for (std::size_t i = thread + 1; i < launch.recorded().first.size(); ++i)
      launch.recorded().first[i] += std::uint32_t(count);
  }

  void changeEvent(model::LaunchTrace& launch) {
    if (launch.recorded().events.empty()) return;
    model::Event& event = launch.recorded().events[input_.below(launch.recorded().events.size())];
    std::uint64_t offset = event.offset();
    std::uint32_t site = event.site(), space = event.space();
    auto log2Width = std::uint32_t(std::countr_zero(event.width()));
    model::EventKind kind = event.kind();
    bool half = event.secondHalf();
    switch (input_.byte() % 8) {
      case 0:
        offset = input_.below(512);
        break;
      case 1:
        offset = input_.edge();
        break;
      case 2:
        site = std::uint32_t(input_.below(std::max<std::size_t>(1, trace_.sites.size())));
        break;
      case 3:
        kind = model::EventKind(input_.below(10));
        break;
      case 4:
        space = std::uint32_t(input_.below(16));
        break;
      case 5:
        log2Width = std::uint32_t(input_.below(5));
        break;
      case 6:
        half = !half;
        break;
      default:
        event.value = input_.edge();
    }
    if (kind == model::EventKind::Branch) event.value &= 1;
    event.head = recording::eventHead(offset, site, kind, space, log2Width, half);
  }

  // Some names of arrays are long, or no identifiers.
  std::string name() {
    return std::string(input_.below(500), 'n') + (input_.flip() ? "<(x)1, T*>::operator->[0]" : "_");
  }

  InputBytes& input_;
  model::Trace& trace_;
};

bool isSmall(const model::Trace& trace) {
  std::size_t events = 0;
  for (const model::LaunchTrace& launch : trace.launches) events += launch.recorded().events.size();
  return events <= kMaxEvents && trace.launches.size() <= 8;
}

}  // namespace

std::optional<model::Trace> mutatedTrace(InputBytes& input) {
  model::Trace trace = recordedTrace(input.byte());
  Mutator mutator(input, trace);
  for (std::uint64_t changes = 1 + input.below(8); changes > 0; --changes) mutator.change();
  if (!isSmall(trace) || model::faultOf(trace)) return std::nullopt;
  return trace;
}

}  // namespace stridescope::fuzz
