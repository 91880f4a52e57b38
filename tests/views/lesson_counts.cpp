#include "lesson_counts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <sstream>
#include <string>

#include "analysis/analysis.h"
#include "analysis/device_traffic.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "views/reading/lesson.h"

namespace stridescope::views::test {
namespace {

using analysis::Request;
using analysis::Round;
using model::EventKind;
using Rounds = std::vector<Round>;

std::uint64_t overRounds(const Rounds& rounds, const std::function<std::uint64_t(const Round&)>& ofOne) {
  std::uint64_t sum = 0;
  for (const Round& round : rounds) sum += ofOne(round);
  return sum;
}

std::uint64_t overRequests(const Rounds& rounds, bool onlyStrides,
                           const std::function<std::uint64_t(const Request&)>& ofOne) {
  return overRounds(rounds, [&](const Round& round) {
    std::uint64_t sum = 0;
    if (!onlyStrides || round.stride)
      for (const Request& request : round.requests)
        if (request.hasWavefronts()) sum += ofOne(request);
    return sum;
  });
}

std::uint64_t operations(const Rounds& rounds, EventKind kind) {
  return overRounds(rounds, [&](const Round& round) {
    return std::uint64_t(std::ranges::count(round.operations, kind, &analysis::WarpOperation::kind));
  });
}

std::uint64_t ofThread0(const model::LaunchTrace& launch, EventKind kind) {
  const std::span events(launch.recorded().events.data(), launch.recorded().first.at(1));
  return std::uint64_t(std::ranges::count(events, kind, &model::Event::kind));
}

using Counter = std::function<std::uint64_t(const model::Trace&, const Rounds&)>;

const std::map<std::string, Counter, std::less<>>& counters() {
  static const auto wavefronts = [](const Request& request) { return std::uint64_t(request.wavefronts); };
  static const auto ideal = [](const Request& request) { return std::uint64_t(request.ideal); };
  static const auto of = [](EventKind kind) {
    return [kind](const model::Trace&, const Rounds& rounds) {
      return overRequests(rounds, false, [kind](const Request& request) {
        return std::uint64_t(request.kind == kind ? request.wavefronts : 0);
      });
    };
  };
  static const std::map<std::string, Counter, std::less<>> all{
      {"wavefronts", [](auto&, auto& rounds) { return overRequests(rounds, false, wavefronts); }},
      {"ideal_wavefronts", [](auto&, auto& rounds) { return overRequests(rounds, false, ideal); }},
      {"load_wavefronts", of(EventKind::Load)},
      {"store_wavefronts", of(EventKind::Store)},
      {"stride_wavefronts", [](auto&, auto& rounds) { return overRequests(rounds, true, wavefronts); }},
      {"ideal_stride_wavefronts", [](auto&, auto& rounds) { return overRequests(rounds, true, ideal); }},
      {"warps",
       [](auto&, auto& rounds) {
         return overRounds(rounds, [](const Round& round) { return round.stride ? round.activeWarps : 0u; });
       }},
      {"lanes",
       [](auto&, auto& rounds) {
         return overRounds(rounds, [](const Round& round) { return round.stride ? round.activeLanes : 0u; });
       }},
      {"way",
       [](auto&, auto& rounds) {
         unsigned way = 0;
         for (const Round& round : rounds)
           for (const Request& request : round.requests) way = std::max(way, request.way);
         return std::uint64_t(way);
       }},
      {"barriers",
       [](auto& trace, auto&) { return ofThread0(trace.launches.at(0), EventKind::BlockBarrier); }},
      {"warp_barriers",
       [](auto& trace, auto&) { return ofThread0(trace.launches.at(0), EventKind::WarpBarrier); }},
      {"shuffles", [](auto&, auto& rounds) { return operations(rounds, EventKind::Shuffle); }},
      {"warp_reductions", [](auto&, auto& rounds) { return operations(rounds, EventKind::WarpReduce); }},
  };
  return all;
}

constexpr std::string_view kRoundsOfStride = "rounds_of_stride_", kSectorsAt = "sectors_at_",
                           kFirstSectorsAt = "first_sectors_at_";

Counter roundsOfStride(std::uint64_t stride) {
  return [stride](const model::Trace&, const Rounds& rounds) {
    return std::uint64_t(std::ranges::count(rounds, std::optional(stride), &Round::stride));
  };
}

// What the loads touch that begin on that line of the kernel's text.
Counter sectorsAt(unsigned line, bool ofTheFirstRound) {
  return [=](const model::Trace& trace, const Rounds& rounds) {
    std::uint64_t sum = 0;
    for (const Round& round : ofTheFirstRound ? Rounds{rounds.front()} : rounds)
      for (const Request& request : round.requests)
        if (request.kind == EventKind::Load && unsigned(trace.sites.at(request.site).line) == line)
          sum += request.sectors;
    return sum;
  };
}

// What is counted in a run on so many GPUs, with the size that the variant begins with.
Result<std::uint64_t> countOfDevices(const std::string& count, const kernels::Variant& variant,
                                     model::Experiment experiment) {
  if (!variant.isOfSeveralGpus()) return usageError("\"" + variant.id + "\" runs on one GPU");
  experiment.elements = variant.firstElements(experiment.threads);
  experiment.data = model::DataPattern::Digits;
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(experiment, job);
  if (!trace) return tl::unexpected(trace.error());
  if (count == "steps") return std::uint64_t(trace->launches.size());
  const analysis::Analysis analysis = analysis::analyse(*trace);
  const analysis::LaunchAnalysis& last = analysis.launches.back();
  const analysis::DeviceLinks links = last.before + analysis::linksOf(trace->launches.back(), last.traffic);
  if (count == "bytes_over_links") return links.all();
  if (count == "link_bytes") return std::ranges::max(links.bytes);
  return std::uint64_t(std::ranges::count_if(links.bytes, [](std::uint64_t bytes) { return bytes > 0; }));
}

unsigned numberBehind(std::string_view prefix, const std::string& count) {
  return unsigned(sizeOf(count.substr(prefix.size())));
}

}  // namespace

Result<std::uint64_t> countOf(std::string_view what) {
  std::istringstream words{std::string(what)};
  std::string count, id;
  words >> count >> id;
  const kernels::Variant* const variant = kernels::findVariant(id);
  if (variant == nullptr) return usageError("no variant is called \"" + id + "\"");
  model::Experiment experiment{
      .variant = id, .op = variant->operators.front(), .threads = variant->defaultThreads};
  if (count == "launches" || count == "blocks") {
    std::string size;
    words >> size;
    experiment.elements = sizeOf(size);
    if (experiment.elements == 0) return usageError("\"" + size + "\" is no size");
    const auto launches = kernels::planRun(*variant, experiment).launches;
    return count == "launches" ? std::uint64_t(launches.size()) : launches.front().grid.count();
  }
  if (count == "steps" || count == "link_bytes" || count == "links" || count == "bytes_over_links") {
    words >> experiment.gpus;
    return countOfDevices(count, *variant, experiment);
  }
  Counter counter;
  if (const auto found = counters().find(count); found != counters().end())
    counter = found->second;
  else if (count.starts_with(kRoundsOfStride))
    counter = roundsOfStride(numberBehind(kRoundsOfStride, count));
  else if (count.starts_with(kSectorsAt))
    counter = sectorsAt(numberBehind(kSectorsAt, count), false);
  else if (count.starts_with(kFirstSectorsAt))
    counter = sectorsAt(numberBehind(kFirstSectorsAt, count), true);
  else
    return usageError("no count is called \"" + count + "\"");
  for (std::string word; words >> word;) {
    if (const auto type = model::parseElementType(word))
      experiment.type = *type;
    else if (const auto data = model::parseDataPattern(word))
      experiment.data = *data;
    else if (const std::uint64_t threads = sizeOf(word); threads > 0)
      experiment.threads = unsigned(threads);
    else
      return usageError("\"" + word + "\" is neither a type, nor a data pattern, nor a number of threads");
  }
  experiment.elements = std::uint64_t(experiment.threads) * variant->launch.elementsPerThread;
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(experiment, job);
  if (!trace) return tl::unexpected(trace.error());
  const analysis::Analysis analysis = analysis::analyse(*trace);
  return counter(*trace, analysis.launches.at(0).rounds);
}

}  // namespace stridescope::views::test
