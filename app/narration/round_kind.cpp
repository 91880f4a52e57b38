#include "narration/round_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "narration/devices.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

bool accesses(const analysis::Round& round, model::EventKind kind, bool shared) {
  return std::ranges::any_of(round.requests, [&](const analysis::Request& request) {
    return request.kind == kind && request.shared == shared;
  });
}

// What a round is called in its three places.
struct Names {
  std::string tick, title, inSentence;
};

Names namesOf(const RoundAt& at) {
  if (const std::string step = stepName(at); !step.empty()) {
    const std::string number = step.substr(step.find(' ') + 1);
    return {"s" + number.substr(0, number.find(' ')), "S" + step.substr(1), step};
  }
  if (waitsForDevices(at)) return {"wait", "Wait", "the wait"};
  const auto distance = [&] { return figure(at.round().stride.value_or(0)); };
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {"load", "Load", "the load"};
    case RoundKind::Write:
      return {"write", "Write", "the write"};
    case RoundKind::Read:
      return {"read", "Read", "the read"};
    case RoundKind::WarpReduce:
      return {"warp", "Warp reduction", "the warp reduction"};
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return {distance(), "Stride " + distance(), "stride " + distance()};
    case RoundKind::Shuffle:
      return {distance(), "Shuffle by " + distance(), "the shuffle by " + distance()};
    case RoundKind::Other:
      break;
  }
  if (at.pass == nullptr && at.round().passes > 1 && accesses(at.round(), model::EventKind::Load, true)) {
    if (accesses(at.round(), model::EventKind::Store, true)) return {"strides", "Strides", "the strides"};
    return {"read", "Read", "the read"};
  }
  const bool isLast =
      at.index > 0 && !at.analysis.goesOn && at.index + 1 == at.analysis.rounds.size() && at.endsTheRound();
  if (isLast && at.round().activeLanes > 0) return {"last", "Last step", "the last step"};
  const std::string index = figure(at.index);
  return {"r" + index, "Round " + index, "round " + index};
}

}  // namespace

// The outer rounds are told first: a thread that adds two elements while loading has a stride, too.
RoundKind kindOf(const RoundAt& at) {
  const analysis::Round& round = at.round();
  const bool readsShared = accesses(round, model::EventKind::Load, true);
  const bool storesShared = accesses(round, model::EventKind::Store, true);
  const bool writesDevice =
      accesses(round, model::EventKind::Store, false) || accesses(round, model::EventKind::Atomic, false);
  const DeviceReads reads = deviceReads(at);
  if (takesPart(round, model::EventKind::Shuffle) && round.stride) return RoundKind::Shuffle;
  if (reads.input && (!readsShared || !storesShared)) return RoundKind::Load;
  if (reads.words) return RoundKind::Load;
  if (reads.ownWork && !reads.inPlace && !writesDevice) return RoundKind::Load;
  if (takesPart(round, model::EventKind::WarpReduce)) return RoundKind::WarpReduce;
  if (writesDevice && !reads.inPlace && !storesShared) return RoundKind::Write;
  if (!round.stride) return readsShared && readsOneEach(at) ? RoundKind::Read : RoundKind::Other;
  if (round.stride == 0u) return RoundKind::Other;
  return round.endsWith == analysis::RoundEnd::WarpBarrier ? RoundKind::WarpStride : RoundKind::Stride;
}

std::string tickOf(const RoundAt& at) { return namesOf(at).tick; }

std::string titleOf(const RoundAt& at) {
  const std::string title = namesOf(at).title;
  std::string before;
  if (const auto element = at.round().outputElement)
    before = fmt::format("Element {} of {}, ", figure(*element + 1), figure(at.launch.elements));
  if (at.pass != nullptr)
    before += fmt::format("{} {} of {}, ", before.empty() ? "Pass" : "pass", figure(at.pass->pass + 1),
                          figure(at.whole().passes));
  return before.empty() ? title : before + char(title[0] - 'A' + 'a') + title.substr(1);
}

std::string nameInSentence(const RoundAt& at) {
  const std::string name = namesOf(at).inSentence;
  const auto element = at.round().outputElement;
  return element ? fmt::format("{} of element {}", name, figure(*element + 1)) : name;
}

namespace {

template <class Visit>
void forEachAccess(const RoundAt& at, Visit visit) {
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      visit(operation.kind, operation.warp * model::kWarpSize + lane,
            at.launch.recorded().events[operation.event[lane]]);
    });
  }
}

std::uint64_t elementOf(const std::vector<model::Array>& arrays, std::uint32_t array,
                        const model::Event& event) {
  return event.offset() / std::max(1u, arrays[array].elementBytes);
}

}  // namespace

bool takesPart(const analysis::Round& round, model::EventKind kind) {
  return std::ranges::any_of(
      round.operations, [&](const analysis::WarpOperation& operation) { return operation.kind == kind; });
}

DeviceReads deviceReads(const RoundAt& at) {
  std::vector<bool> written(at.launch.buffers.size(), false), read(at.launch.buffers.size(), false);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    const model::Event& event = analysis::firstEventOf(operation, at.launch);
    if (event.inGlobal()) (operation.kind == model::EventKind::Load ? read : written)[event.buffer()] = true;
  }
  DeviceReads reads;
  for (std::uint32_t buffer = 0; buffer < read.size(); ++buffer) {
    if (!read[buffer]) continue;
    const auto role = at.launch.buffers[buffer].role;
    reads.words =
        reads.words || role == model::ParameterRole::Messages || role == model::ParameterRole::Inbox;
    reads.inPlace = reads.inPlace || written[buffer];
    (at.analysis.deviceMemory.windowOf(buffer) ? reads.ownWork : reads.input) = true;
  }
  return reads;
}

bool readsOneEach(const RoundAt& at) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> readBy;  // thread and array
  bool one = true;
  forEachAccess(at, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
    if (kind != model::EventKind::Load || !event.inShared()) return;
    const std::uint64_t element = elementOf(at.launch.recorded().shared, event.sharedArray(), event);
    const auto [entry, fresh] = readBy.try_emplace({thread, event.sharedArray()}, element);
    one = one && (fresh || entry->second == element);
  });
  return one;
}

bool accumulates(const RoundAt& at) {
  return at.pass != nullptr && std::ranges::any_of(at.work().work, [](const auto& work) {
           return work.operands.size() > 1 && work.operands.front().inRegister;
         });
}

std::optional<std::uint64_t> paddedWordsApart(const RoundAt& at) {
  if (!at.round().stride) return std::nullopt;
  std::optional<std::uint64_t> apart;  // bytes
  for (const analysis::ThreadWork& own : at.work().work) {
    if (!own.a || !own.b) continue;
    const analysis::Operand &a = *own.a, &b = *own.b;
    if (!a.placed || !b.placed || !a.shared || !b.shared || a.array != b.array) return std::nullopt;
    const std::uint64_t elements = std::max(a.element, b.element) - std::min(a.element, b.element);
    const std::uint64_t bytes = elements * at.launch.recorded().shared[a.array].elementBytes;
    if (elements == at.round().stride || (apart && *apart != bytes)) return std::nullopt;
    apart = bytes;
  }
  return apart ? std::optional(*apart / analysis::kBankBytes) : std::nullopt;
}

std::vector<DeviceWrite> deviceWrites(const RoundAt& at) {
  std::vector<DeviceWrite> writes;
  forEachAccess(at, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
    if (!analysis::isWrite(kind) || !event.inGlobal()) return;
    writes.push_back({thread, event.buffer(), elementOf(at.launch.buffers, event.buffer(), event),
                      event.value, kind == model::EventKind::Atomic});
  });
  std::ranges::stable_sort(writes, {}, &DeviceWrite::thread);
  return writes;
}

std::optional<model::Operation> operationOf(const RoundAt& at, model::EventKind kind) {
  const auto& sites = at.trace.kernel.sites;
  for (const analysis::WarpOperation& operation : at.round().operations)
    if (operation.kind == kind && operation.site < sites.size()) return sites[operation.site].operation;
  return std::nullopt;
}

std::string warpReductionInWords(const RoundAt& at) {
  const auto operation = operationOf(at, model::EventKind::WarpReduce);
  if (operation == model::Operation::GroupReduce) return "cg::reduce";
  return operation == model::Operation::Reduce ? "one instruction" : "a warp reduction";
}

std::optional<unsigned> usefulLanes(const RoundAt& at) {
  const auto& useful = at.work().registerUseful;
  if (useful.empty()) return std::nullopt;
  return unsigned(std::ranges::count(useful, true));
}

analysis::LaneCounts lanesByUse(const RoundAt& at) {
  return analysis::countLanes(at.round(), analysis::laneUses(at.round(), at.work()));
}

std::vector<Figure> figuresOf(const RoundAt& at) {
  const analysis::Round& round = at.round();
  unsigned wavefronts = 0, ideal = 0, way = 0, sectors = 0, idealSectors = 0;
  for (const analysis::Request& request : round.requests) {
    wavefronts += request.wavefronts;
    ideal += request.ideal;
    way = std::max(way, request.way);
    sectors += request.sectors;
    idealSectors += request.idealSectors;
  }
  std::vector<Figure> figures{{"active lanes", round.activeLanes, at.launch.block},
                              {"active warps", round.activeWarps, at.warps()},
                              {"partial warps", round.partialWarps, at.warps()},
                              {"wavefronts", wavefronts},
                              {"ideal wavefronts", ideal},
                              {"bank conflicts", wavefronts - ideal},
                              {"highest way", way}};
  if (round.divergentBranches)
    figures.insert(figures.begin() + 3, {"divergent branches", *round.divergentBranches});
  if (sectors > 0) {
    figures.push_back({"sectors", sectors});
    figures.push_back({"ideal sectors", idealSectors});
  }
  if (const analysis::LaneCounts lanes = lanesByUse(at); lanes.used < lanes.active())
    figures.push_back({"used lanes", lanes.used, round.activeLanes});
  return figures;
}

}  // namespace stridescope::narration
