#include "analysis/data_flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/element_flags.h"
#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "analysis/rounds.h"
#include "base/in_parallel.h"

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
  UsefulnessFinder(const model::LaunchTrace& launch, const LaunchAnalysis& analysis, bool ended,
                   std::uint64_t identity)
      : launch_(launch),
        rounds_(analysis.rounds),
        memory_(launch, analysis, ended),
        identity_(identity),
        neededByExchange_(launch.block, false),
        neededByStore_(launch.block, false),
        neededAsOperand_(launch.block, false) {
    std::optional<std::size_t> last;
    for (std::size_t index = 0; index < rounds_.size(); ++index) {
      exchangeBefore_.push_back(last);
      if (!rounds_[index].exchanges.empty()) last = index;
    }
  }

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
      needOperandsOf(index, flow[index].work);
    }
  }

 private:
  Flags findUsefulStores(const Round& round) {
    Flags useful(launch_.block, false);
    forEachAccess(round, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
      if (isWrite(kind) && memory_.isNeeded(event)) useful[thread] = true;
    });
    // Another block of the cluster has what is stored there. If several threads store, the first is known.
    for (const std::uint32_t act : round.others)
      if (block_.others[act].kind == "remote store") useful[block_.others[act].thread] = true;
    return useful;
  }

  // Gives which threads' registers are needed after the round's last exchange.
  Flags passBackThroughExchanges(const Round& round, const Flags& storesUsefully) {
    if (round.exchanges.empty()) return {};
    Flags useful(launch_.block, false), held(launch_.block, false), met(launch_.block, false);
    for (std::size_t thread = 0; thread < held.size(); ++thread)
      held[thread] = neededByExchange_[thread] || neededByStore_[thread] || neededAsOperand_[thread] ||
                     storesUsefully[thread];
    for (std::size_t i = round.operations.size(); i-- > 0;) {
      const WarpOperation& operation = round.operations[i];
      if (!isExchange(operation.kind)) continue;
      forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint32_t thread = threadOf(operation, lane);
        if (!met[thread]) useful[thread] = held[thread] || operation.kind == model::EventKind::Vote;
        met[thread] = true;
      });
      passBack(operation, held);
    }
    for (std::size_t thread = 0; thread < held.size(); ++thread) {
      if (!met[thread]) continue;
      neededByExchange_[thread] = held[thread];
      neededByStore_[thread] = neededAsOperand_[thread] = false;
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

  // What the thread held after its last exchange before the round; nullopt: there was none, or nobody knows.
  std::optional<std::uint64_t> heldBefore(std::size_t index, std::uint32_t thread) const {
    for (auto before = exchangeBefore_[index]; before; before = exchangeBefore_[*before])
      if (const auto& exchange = rounds_[*before].exchanges[thread]) return exchange->after;
    return std::nullopt;
  }

  // A thread that combines what it loads with what it has held since an exchange needs that exchange, over
  // barriers, too. An identity is assigned anew as a rule.
  void needOperandsOf(std::size_t index, const std::vector<ThreadWork>& work) {
    for (const ThreadWork& own : work)
      for (const Operand& operand : own.held)
        if (own.useful && operand.bits != identity_ && heldBefore(index, own.thread) == operand.bits)
          neededAsOperand_[own.thread] = true;
  }

  template <class Visit>
  void forEachAccess(const Round& round, Visit visit) const {
    for (const WarpOperation& operation : round.operations) {
      if (!isAccess(operation.kind)) continue;
      forEachLane(operation.mask, [&](unsigned lane) {
        const model::Event& event = block_.events[operation.event[lane]];
        if (event.inShared() || event.inGlobal()) visit(operation.kind, threadOf(operation, lane), event);
      });
    }
  }

  const model::LaunchTrace& launch_;
  const model::BlockTrace& block_ = launch_.recorded();
  const std::vector<Round>& rounds_;
  NeededMemory memory_;
  std::uint64_t identity_;
  // Threads whose register after the round at hand is needed: by what they give to an exchange, or by what
  // they store.
  Flags neededByExchange_, neededByStore_;
  // Threads of which what they held after their last exchange is an operand in a later round.
  Flags neededAsOperand_;
  std::vector<std::optional<std::size_t>> exchangeBefore_;  // of each round, the last one with any
};

}  // namespace

std::vector<RoundFlow> findDataFlow(const model::Trace& trace, const model::LaunchTrace& launch,
                                    const LaunchAnalysis& analysis) {
  std::vector<RoundFlow> flow = gatherThreadWork(trace, launch, analysis.rounds);
  const bool ended = hasEnded(trace), stopped = !ended && !analysis.problems.empty();
  UsefulnessFinder(launch, analysis, !stopped, model::identityOf(trace.experiment)).find(flow);
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

namespace {

bool sameArray(const Operand& x, const Operand& y) { return x.shared == y.shared && x.array == y.array; }

void addRead(ThreadWork& work, const Operand& operand) {
  if (!operand.placed) return;
  if (!work.a)
    work.a = operand;
  else if (!work.b && sameArray(*work.a, operand) && !sameElement(*work.a, operand))
    work.b = operand;
}

// Gives whether it is the result now.
bool addWrite(ThreadWork& work, const Operand& operand) {
  if (!operand.placed || (work.result && !(work.a && sameArray(*work.a, operand)))) return false;
  work.result = operand;
  return true;
}

// Operands that stand in no memory, or not in the array of the others.
void fillFromOperands(ThreadWork& work) {
  const std::size_t found = (work.a ? 1u : 0u) + (work.b ? 1u : 0u);
  if (found >= std::min<std::size_t>(2, work.operands.size())) return;
  work.a = work.operands[0];
  work.b = work.operands.size() > 1 ? std::optional(work.operands[1]) : std::nullopt;
}

// What one thread did in a round.
struct Gathered {
  ThreadWork work;
  // The last result that stands in no memory, and its operands.
  std::optional<Operand> assigned;
  std::vector<Operand> assignedOperands;
  bool isFirst = true;  // no pass has been added
};

// Adds work on counters and flags only if the thread did nothing else in the pass.
void add(Gathered& gathered, const std::vector<PassWork>& done) {
  ThreadWork& work = gathered.work;
  const bool ofElements = std::ranges::any_of(done, &PassWork::ofElements);
  work.ofElements = work.ofElements || ofElements;
  for (const PassWork& own : done) {
    if (ofElements && !own.ofElements) continue;
    for (const Operand& operand : own.operands) {
      addRead(work, operand);
      if (!operand.placed && gathered.isFirst) work.held.push_back(operand);
    }
    if (own.result && addWrite(work, *own.result)) work.operands = own.operands;
    const bool assigns = own.result && !own.result->placed;
    if (own.inPass || !gathered.assigned) {
      if (assigns) gathered.assigned = own.result;
      if (assigns || gathered.assignedOperands.empty()) gathered.assignedOperands = own.operands;
    }
  }
  gathered.isFirst = false;
}

std::vector<Gathered> workOf(const PassReader& reader, const Round& round) {
  std::vector<Gathered> work;
  reader.visit(round, [&](std::uint32_t, const std::vector<PassWork>& done) {
    if (work.empty() || work.back().work.thread != done.front().thread)
      work.emplace_back().work.thread = done.front().thread;
    add(work.back(), done);
  });
  return work;
}

// A thread that reads two elements of shared memory and writes none, in a round in which others write one of
// theirs back, has compared and kept. One that reads two from device memory has added them in a register.
void findKept(std::vector<ThreadWork>& work) {
  const bool someMove = std::ranges::any_of(work, [](const ThreadWork& own) {
    return own.a && own.b && own.result && sameArray(*own.a, *own.result);
  });
  const bool allCompare =
      std::ranges::all_of(work, [](const ThreadWork& own) { return own.a && own.a->shared && own.b; });
  if (!someMove && !allCompare) return;
  for (ThreadWork& own : work) {
    if (!own.a || !own.b || own.result) continue;
    own.result = own.a->element < own.b->element ? own.a : own.b;
    own.kept = true;
  }
}

// What wrote nothing has become a value in a register.
void finish(ThreadWork& work, Gathered gathered, const Round& round) {
  if (!work.result) {
    work.result = gathered.assigned;
    work.operands = std::move(gathered.assignedOperands);
  }
  if (round.passes > 1) work.operands.clear();
  fillFromOperands(work);
}

}  // namespace

std::vector<ThreadWork> threadWorkOf(const Pass& pass) {
  std::vector<ThreadWork> work;
  for (const PassWork& done : pass.work) {
    ThreadWork& own = work.emplace_back();
    own.thread = done.thread;
    own.ofElements = done.ofElements;
    own.operands = done.operands;
    own.result = done.result;
    fillFromOperands(own);
  }
  // Counters and flags of threads that touch elements, too, are no work of their own.
  const auto touches = [&](std::uint32_t thread) {
    const auto first = std::ranges::lower_bound(work, thread, {}, &ThreadWork::thread);
    const auto last = std::ranges::upper_bound(work, thread, {}, &ThreadWork::thread);
    return std::any_of(first, last, [](const ThreadWork& own) { return own.ofElements; });
  };
  std::vector<ThreadWork> shown;
  for (ThreadWork& own : work)
    if (own.ofElements || !touches(own.thread)) shown.push_back(std::move(own));
  return shown;
}

std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch) {
  const model::Array& array = launch.arrayOf(event);
  return event.offset() / std::max(1u, array.elementBytes);
}

std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds) {
  const PassReader reader(trace, launch);
  std::vector<RoundFlow> flow(rounds.size());
  inParallel(
      rounds.size(),
      [&](std::size_t i) {
        std::vector<Gathered> gathered = workOf(reader, rounds[i]);
        for (const Gathered& each : gathered) flow[i].work.push_back(each.work);
        findKept(flow[i].work);
        for (std::size_t w = 0; w < gathered.size(); ++w)
          finish(flow[i].work[w], std::move(gathered[w]), rounds[i]);
      },
      threadsFor(launch));
  return flow;
}

namespace {

using Place = std::pair<std::uint32_t, std::uint64_t>;  // array, element
using Elements = std::set<Place>;                       // elements of the input

struct Held {
  Elements elements;
  Operand value{};
  std::size_t writtenIn = 0;
};

bool isFollowed(const LaunchAnalysis& analysis) {
  return analysis.races.empty() && std::ranges::all_of(analysis.rounds, [](const Round& round) {
           return round.passes == 1 && round.exchanges.empty();
         });
}

// What the block's elements became: all that was loaded, where it stands in shared memory, and what left it.
class ElementFollower {
 public:
  // False: the round holds what cannot be followed.
  bool follow(std::size_t round, const RoundFlow& flow) {
    std::map<Place, Held> stored;  // threads of a round read what the rounds before left
    for (const ThreadWork& work : flow.work) {
      if (!work.result || !work.result->placed) return false;
      Elements elements;
      for (const Operand& operand : work.operands) {
        if (!operand.placed) return false;
        add(operand, elements);
      }
      if (work.result->shared)
        stored[placeOf(*work.result)] = {std::move(elements), *work.result, round};
      else
        result_.insert(elements.begin(), elements.end());
    }
    for (auto& [place, held] : stored) held_[place] = std::move(held);
    return true;
  }

  std::vector<LostValue> lost() const {
    std::map<Place, const Held*> carriers;  // for each lost element, the value that holds the most elements
    for (const Place& element : loaded_)
      if (!result_.contains(element)) carriers[element] = nullptr;
    for (const auto& [place, held] : held_)
      for (const Place& element : held.elements)
        if (const auto carrier = carriers.find(element); carrier != carriers.end())
          if (carrier->second == nullptr || carrier->second->elements.size() < held.elements.size())
            carrier->second = &held;
    std::map<const Held*, std::uint64_t> counts;
    for (const auto& [element, held] : carriers)
      if (held != nullptr) ++counts[held];
    std::vector<LostValue> values;
    for (const auto& [held, count] : counts) values.push_back({held->writtenIn + 1, held->value, count});
    std::ranges::sort(values, {}, [](const LostValue& lost) {
      return std::tuple(lost.round, lost.value.array, lost.value.element);
    });
    return values;
  }

 private:
  static Place placeOf(const Operand& operand) { return {operand.array, operand.element}; }

  void add(const Operand& operand, Elements& elements) {
    if (!operand.shared) {
      loaded_.insert(placeOf(operand));
      elements.insert(placeOf(operand));
    } else if (const auto held = held_.find(placeOf(operand)); held != held_.end()) {
      elements.insert(held->second.elements.begin(), held->second.elements.end());
    }
  }

  Elements loaded_, result_;
  std::map<Place, Held> held_;
};

}  // namespace

std::vector<LostValue> findLostValues(const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow) {
  if (!isFollowed(analysis)) return {};
  ElementFollower follower;
  for (std::size_t round = 0; round < flow.size(); ++round)
    if (!follower.follow(round, flow[round])) return {};
  return follower.lost();
}

}  // namespace stridescope::analysis
