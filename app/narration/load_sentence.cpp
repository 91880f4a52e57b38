#include "narration/load_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/event_groups.h"
#include "narration/round_facts.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// The loads from device memory: how many elements each thread brings, and the distance of two.
struct DeviceLoads {
  unsigned threads = 0;
  std::optional<std::uint64_t> each;   // the same for all threads
  std::optional<std::uint64_t> apart;  // how far two elements are apart, the same for all threads
  std::uint64_t elements = 0;
  std::uint64_t filledUp = 0;  // how many of these lie behind the launch's input: identities
  unsigned widest = 0;         // bytes of one load
};

// A buffer that was filled up with identities to whole blocks.
bool isFilledUp(const model::Array& buffer) {
  return buffer.role == model::ParameterRole::Input || buffer.role == model::ParameterRole::InPlace;
}

DeviceLoads deviceLoads(const RoundAt& at) {
  struct Loaded {
    std::uint64_t elements = 0, least = ~std::uint64_t{0}, most = 0;
  };
  std::map<std::uint32_t, Loaded> byThread;
  DeviceLoads loads;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load || !analysis::firstEventOf(operation, at.launch).inGlobal())
      continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      const model::Array& buffer = at.launch.buffers[event.buffer()];
      const unsigned bytes = std::max(1u, buffer.elementBytes);
      Loaded& loaded = byThread[operation.warp * model::kWarpSize + lane];
      const std::uint64_t first = event.offset() / bytes, end = first + std::max(1u, event.width() / bytes);
      loaded.elements += end - first;
      if (isFilledUp(buffer) && end > at.launch.elements)
        loads.filledUp += end - std::max(first, at.launch.elements);
      loaded.least = std::min<std::uint64_t>(loaded.least, event.offset() / bytes);
      loaded.most = std::max<std::uint64_t>(loaded.most, event.offset() / bytes);
      loads.widest = std::max(loads.widest, event.width());
    });
  }
  std::set<std::uint64_t> counts, distances;
  for (const auto& [thread, loaded] : byThread) {
    counts.insert(loaded.elements);
    distances.insert(loaded.most - loaded.least);
    loads.elements += loaded.elements;
  }
  loads.threads = unsigned(byThread.size());
  if (counts.size() == 1) loads.each = *counts.begin();
  if (loads.each == 2u && distances.size() == 1) loads.apart = *distances.begin();
  return loads;
}

// Where the values go: what each thread stores to shared memory, else a register.
struct Destination {
  bool shared = false;
  std::uint64_t storesEach = 0;  // what the thread with the most stores
  unsigned behind = 0;           // threads that store behind the loop that the pass is a trip of
};

Destination destinationOf(const RoundAt& at) {
  std::map<std::uint32_t, std::uint64_t> stores;
  Destination destination;
  // A warp reduction's result goes to shared memory, but not what was loaded.
  if (takesPart(at.round(), model::EventKind::WarpReduce)) return destination;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Store || !analysis::firstEventOf(operation, at.launch).inShared())
      continue;
    if (at.pass != nullptr && !operation.inPass) {
      destination.behind += unsigned(std::popcount(operation.mask));
      continue;
    }
    destination.shared = true;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint64_t number = ++stores[operation.warp * model::kWarpSize + lane];
      destination.storesEach = std::max(destination.storesEach, number);
    });
  }
  return destination;
}

struct LaunchBefore {
  std::size_t number = 0;    // from 0
  std::uint64_t blocks = 0;  // whose results this launch takes, one each
};

std::optional<LaunchBefore> launchBefore(const RoundAt& at) {
  const auto number = std::size_t(&at.launch - at.trace.launches.data());
  if (number == 0 || number >= at.trace.launches.size()) return std::nullopt;
  const model::LaunchTrace& before = at.trace.launches[number - 1];
  if (before.grid != at.launch.elements) return std::nullopt;
  return LaunchBefore{number - 1, before.grid};
}

std::string whatIsDone(const RoundAt& at, const DeviceLoads& loads, const Destination& destination) {
  const bool plural = loads.threads != 1;
  if (!loads.each)
    return fmt::format(
        "{} {}",
        destination.shared ? (plural ? "bring" : "brings") : combines(at.trace.experiment.op, plural),
        count(loads.elements, "element"));
  const bool combined = accumulates(at) || (*loads.each > 1 && destination.storesEach < *loads.each);
  if (combined) return combinesEach(at.trace.experiment.op, *loads.each, plural);
  const std::string_view verb =
      destination.shared ? (plural ? "copy" : "copies") : (plural ? "load" : "loads");
  return fmt::format("{} {} element{}{}", verb, smallNumber(*loads.each), *loads.each == 1 ? "" : "s",
                     plural ? " each" : "");
}

}  // namespace

std::optional<std::uint64_t> elementsLoadedEach(const RoundAt& at) { return deviceLoads(at).each; }

std::string loadClause(const RoundAt& at) {
  const DeviceLoads loads = deviceLoads(at);
  const Destination destination = destinationOf(at);
  const std::string who = loads.threads == at.launch.block ? count(loads.threads, "thread")
                                                           : fmt::format("{} of {}", figure(loads.threads),
                                                                         count(at.launch.block, "thread"));
  std::string text = fmt::format("{} {}", who, whatIsDone(at, loads, destination));
  if (loads.apart && *loads.apart > 1) text += fmt::format(", {} apart,", figure(*loads.apart));
  const bool combined = loads.elements > loads.threads || accumulates(at);
  text += destination.shared ? " into shared memory" : combined ? " in registers" : " into registers";
  if (loads.widest > model::bytesOf(at.trace.experiment.type))
    text += fmt::format(", in loads of {} bytes", loads.widest);
  const DeviceReads reads = deviceReads(at);
  if (reads.ownWork && !reads.input) text += ": the blocks' results, as this block is the last to finish";
  if (const auto before = launchBefore(at); before && reads.input && !reads.ownWork)
    text += fmt::format(": the results of the {} of launch {}", count(before->blocks, "block"),
                        figure(before->number));
  if (loads.filledUp > 0 && loads.filledUp < loads.elements)
    text +=
        fmt::format("; {} of the {} elements {} up the block", figure(loads.filledUp), figure(loads.elements),
                    loads.filledUp == 1 ? "is an identity, which fills" : "are identities, which fill");
  else if (loads.filledUp > 0)
    text += ": identities, which fill up the block";
  if (destination.behind > 0)
    text += fmt::format("; then {} {} in shared memory", count(destination.behind, "thread"),
                        destination.behind == 1 ? "stores its value" : "store their values");
  return text;
}

}  // namespace stridescope::narration
