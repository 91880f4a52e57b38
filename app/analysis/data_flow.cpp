#include "analysis/data_flow.h"

#include <algorithm>

#include "analysis/element_flags.h"
#include "analysis/event_groups.h"
#include "analysis/lane_use.h"
#include "analysis/lost_elements.h"
#include "analysis/thread_work.h"

namespace stridescope::analysis {
namespace {

using Flags = ElementFlags::Flags;

// What nobody reads behind the last round is not needed. If the launch was stopped before its end, nobody
// knows what it would have read, so all of it counts as needed.
std::vector<Flags> leftInShared(const model::LaunchTrace& launch, bool ended) {
  std::vector<Flags> flags;
  for (const model::Array& array : launch.recorded().shared)
    flags.emplace_back(array.bytes / std::max(1u, array.elementBytes), !ended);
  return flags;
}

std::vector<Flags> noneOfDevice(const DeviceMemory& memory) {
  std::vector<Flags> flags;
  for (const DeviceWindow& window : memory.windows)
    flags.emplace_back(window.readToo ? window.elements : 0, false);
  return flags;
}

// Which elements of memory are needed, at one point of the walk back through a launch.
class NeededMemory {
 public:
  NeededMemory(const model::LaunchTrace& launch, const LaunchAnalysis& analysis, bool ended)
      : launch_(launch),
        flags_(analysis.deviceMemory, leftInShared(launch, ended), noneOfDevice(analysis.deviceMemory)) {
    leaveWhatWasWrittenLast(analysis.rounds);
  }

  // Is any element of the access needed? Device memory that is not worked in place is.
  bool isNeeded(const model::Event& event) {
    Flags* flags = flagsOf(event);
    if (flags == nullptr) return true;
    bool needed = false;
    forEachElement(event, *flags, [&](std::size_t element) { needed = needed || (*flags)[element]; });
    return needed;
  }
  void set(const model::Event& event, bool needed) {
    if (Flags* flags = flagsOf(event))
      forEachElement(event, *flags, [&](std::size_t element) { (*flags)[element] = needed; });
  }
  bool isNeeded(const Operand& operand) {
    const auto flag = flags_.at(operand);
    return flag && *flag;
  }
  void need(const Operand& operand) { flags_.set(operand, true); }

  const std::vector<Flags>& shared() const { return flags_.shared(); }
  const std::vector<Flags>& device() const { return flags_.device(); }

 private:
  void leaveWhatWasWrittenLast(const std::vector<Round>& rounds) {
    for (const Round& round : rounds)
      for (const WarpOperation& operation : round.operations) {
        if (!isAccess(operation.kind) || !firstEventOf(operation, launch_).inGlobal()) continue;
        forEachLane(operation.mask, [&](unsigned lane) {
          set(launch_.recorded().events[operation.event[lane]], isWrite(operation.kind));
        });
      }
  }

  // nullptr: what is written there counts, whoever reads it.
  Flags* flagsOf(const model::Event& event) {
    return flags_.of(event.inShared(), event.inShared() ? event.sharedArray() : event.buffer());
  }

  template <class Visit>
  void forEachElement(const model::Event& event, const Flags& flags, Visit visit) const {
    const std::uint32_t array = event.inShared() ? event.sharedArray() : event.buffer();
    const std::uint64_t first = elementOf(event, launch_) - flags_.startOf(event.inShared(), array);
    const std::uint64_t count =
        std::max(1u, event.width() / std::max(1u, launch_.arrayOf(event).elementBytes));
    for (std::uint64_t element = first; element < std::min<std::uint64_t>(first + count, flags.size());
         ++element)
      visit(std::size_t(element));
  }

  const model::LaunchTrace& launch_;
  ElementFlags flags_;
};

// Walks back through the rounds.
class UsefulnessFinder {
 public:
  UsefulnessFinder(const model::LaunchTrace& launch, const LaunchAnalysis& analysis, bool ended)
      : launch_(launch),
        rounds_(analysis.rounds),
        memory_(launch, analysis, ended),
        neededByExchange_(launch.block, false),
        neededByStore_(launch.block, false) {}

  void find(std::vector<RoundFlow>& flow) {
    for (std::size_t index = flow.size(); index-- > 0;) {
      const Round& round = rounds_[index];
      flow[index].liveAfter = memory_.shared();
      flow[index].deviceLiveAfter = memory_.device();
      // What a lane gives after a barrier was made after it, too, if not by a load then by an assignment.
      if (round.endsWith == RoundEnd::BlockBarrier) neededByExchange_.assign(launch_.block, false);
      const Flags storesUsefully = findUsefulStores(round);
      flow[index].registerUseful = passBackThroughExchanges(round, storesUsefully);
      passBackThroughAccesses(round, flow[index].work, storesUsefully);
    }
  }

 private:
  Flags findUsefulStores(const Round& round) {
    Flags useful(launch_.block, false);
    forEachAccess(round, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
      if (isWrite(kind) && memory_.isNeeded(event)) useful[thread] = true;
    });
    return useful;
  }

  // Gives which threads' registers are needed after the round's last exchange.
  Flags passBackThroughExchanges(const Round& round, const Flags& storesUsefully) {
    if (round.exchanges.empty()) return {};
    Flags useful(launch_.block, false), held(launch_.block, false), met(launch_.block, false);
    for (std::size_t thread = 0; thread < held.size(); ++thread)
      held[thread] = neededByExchange_[thread] || neededByStore_[thread] || storesUsefully[thread];
    for (std::size_t i = round.operations.size(); i-- > 0;) {
      const WarpOperation& operation = round.operations[i];
      if (!isExchange(operation.kind)) continue;
      forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
        if (!met[thread]) useful[thread] = held[thread] || operation.kind == model::EventKind::Vote;
        met[thread] = true;
      });
      passBack(operation, held);
    }
    for (std::size_t thread = 0; thread < held.size(); ++thread) {
      if (!met[thread]) continue;
      neededByExchange_[thread] = held[thread];
      neededByStore_[thread] = false;
    }
    return useful;
  }

  void passBack(const WarpOperation& operation, Flags& held) const {
    if (operation.kind == model::EventKind::Vote) return;  // a vote leaves the register as it is
    const std::uint32_t first = operation.warp * model::kWarpSize;
    std::uint32_t given = 0;
    forEachLane(operation.mask, [&](unsigned lane) {
      if (!held[first + lane]) return;
      if (operation.kind == model::EventKind::WarpReduce)
        given |= operation.mask;
      else
        given |= bitOf(lane) | bitOf(block_.events[operation.event[lane]].sourceLane() % model::kWarpSize);
    });
    forEachLane(operation.mask, [&](unsigned lane) { held[first + lane] = contains(given, lane); });
  }

  void passBackThroughAccesses(const Round& round, std::vector<ThreadWork>& work,
                               const Flags& storesUsefully) {
    Flags useful = storesUsefully, loads(launch_.block, false);
    forEachAccess(round, [&](model::EventKind kind, std::uint32_t thread, const model::Event&) {
      loads[thread] = loads[thread] || kind == model::EventKind::Load;
    });
    for (ThreadWork& own : work) {
      const bool fillsRegister =
          loads[own.thread] && (neededByExchange_[own.thread] || neededByStore_[own.thread]);
      own.useful = useful[own.thread] || fillsRegister || (own.kept && memory_.isNeeded(*own.result));
      useful[own.thread] = own.useful;
    }
    forEachAccess(round, [&](model::EventKind kind, std::uint32_t, const model::Event& event) {
      if (kind == model::EventKind::Store) memory_.set(event, false);
    });
    for (const ThreadWork& own : work) {
      if (own.useful && own.a) memory_.need(*own.a);  // also where it was kept in a register
      if (own.useful && own.kept) memory_.need(*own.result);
    }
    forEachAccess(round, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
      if (kind == model::EventKind::Load && useful[thread]) memory_.set(event, true);
    });
    for (std::size_t thread = 0; thread < loads.size(); ++thread) {
      if (loads[thread])
        neededByExchange_[thread] = neededByStore_[thread] = false;
      else if (storesUsefully[thread] && (round.exchanges.empty() || !round.exchanges[thread]))
        neededByStore_[thread] = true;  // what it stored came in a register
    }
  }

  template <class Visit>
  void forEachAccess(const Round& round, Visit visit) const {
    for (const WarpOperation& operation : round.operations) {
      if (!isAccess(operation.kind)) continue;
      forEachLane(operation.mask, [&](unsigned lane) {
        const model::Event& event = block_.events[operation.event[lane]];
        if (event.inShared() || event.inGlobal())
          visit(operation.kind, operation.warp * model::kWarpSize + lane, event);
      });
    }
  }

  const model::LaunchTrace& launch_;
  const model::BlockTrace& block_ = launch_.recorded();
  const std::vector<Round>& rounds_;
  NeededMemory memory_;
  // Threads whose register after the round at hand is needed: by what they give to an exchange, or by what
  // they store.
  Flags neededByExchange_, neededByStore_;
};

}  // namespace

std::vector<RoundFlow> findDataFlow(const model::Trace& trace, const model::LaunchTrace& launch,
                                    const LaunchAnalysis& analysis) {
  std::vector<RoundFlow> flow = gatherThreadWork(trace, launch, analysis.rounds);
  const bool ended = hasEnded(trace), stopped = !ended && !analysis.problems.empty();
  UsefulnessFinder(launch, analysis, !stopped).find(flow);
  findIdentities(trace, launch, analysis.rounds, flow);
  if (ended && isWrong(trace) && analysis.problems.empty())
    for (const LostValue& lost : findLostValues(analysis, flow))
      if (lost.round < flow.size()) flow[lost.round].lost.push_back(lost);
  return flow;
}

std::vector<std::vector<RoundFlow>> findDataFlow(const model::Trace& trace, const Analysis& analysis) {
  std::vector<std::vector<RoundFlow>> flow;
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    flow.push_back(findDataFlow(trace, trace.launches[i], analysis.launches[i]));
  return flow;
}

}  // namespace stridescope::analysis
