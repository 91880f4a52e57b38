#include "analysis/passes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analysis/arrivals.h"
#include "analysis/event_groups.h"

namespace stridescope::analysis {

PassReader::PassReader(const model::Trace& trace, const model::LaunchTrace& launch)
    : trace_(trace),
      launch_(launch),
      operandsOf_(trace.sites.size()),
      loopHasAccesses_(trace.sites.size(), false),
      takesElements_(trace.kernel.functions.size(), false) {
  const model::KernelModel& kernel = trace.kernel;
  for (const model::SiteOperand& operand : kernel.operands)
    operandsOf_[std::size_t(operand.site)].push_back(operand);
  for (const model::KernelVariable& variable : kernel.variables)
    if (variable.element && variable.kind == model::VariableKind::Parameter && variable.function >= 0)
      takesElements_[std::size_t(variable.function)] = true;

  std::vector<bool> hasAccesses(kernel.functions.size(), false);
  const auto markLoops = [&](const std::vector<int>& loops) {
    for (const int loop : loops) loopHasAccesses_[std::size_t(loop)] = true;
  };
  for (const model::Site& site : trace.sites) {
    if (site.kind > model::SiteKind::Update && site.kind != model::SiteKind::Atomic) continue;
    markLoops(site.loops);
    if (std::size_t(site.id) < kernel.sites.size() && kernel.sites[std::size_t(site.id)].function >= 0)
      hasAccesses[std::size_t(kernel.sites[std::size_t(site.id)].function)] = true;
  }
  // A function may be called by one that stands before or behind it; there is no recursion deeper than they
  // are.
  for (std::size_t round = 0; round < kernel.functions.size(); ++round) {
    bool changed = false;
    for (const model::KernelCall& call : kernel.calls) {
      if (!hasAccesses[std::size_t(call.callee)] || hasAccesses[std::size_t(call.caller)]) continue;
      hasAccesses[std::size_t(call.caller)] = changed = true;
    }
    if (!changed) break;
  }
  for (const model::KernelCall& call : kernel.calls)
    if (call.loop >= 0 && hasAccesses[std::size_t(call.callee)]) {
      loopHasAccesses_[std::size_t(call.loop)] = true;
      markLoops(trace.sites[std::size_t(call.loop)].loops);
    }
}

bool PassReader::holdsElements(const model::Event& access) const {
  return launch_.arrayOf(access).type.has_value();
}

// Walks through what one thread did in a round.
class ThreadPasses {
 public:
  // One access of the thread in the round.
  struct Access {
    std::uint32_t event = 0;
    std::uint32_t pass = 0;
    bool inPass = true;
  };

  ThreadPasses(const PassReader& reader, std::uint32_t thread, const PassReader::Visit& visit)
      : reader_(reader), launch_(reader.launch_), thread_(thread), visit_(visit) {}

  // `first` and `last` are the thread's first and last acts in the round; `accesses` are in the order of the
  // log.
  void walk(std::uint32_t first, std::uint32_t last, const std::vector<Access>& accesses) {
    begin_ = beginOf(first);
    const std::uint32_t end = endOf(last);
    std::size_t next = 0;
    Place place{0, false};
    std::vector<std::uint32_t> waiting;  // values assigned since a loop went on or ended
    bool waits = false;
    for (std::uint32_t i = begin_; i < end; ++i) {
      const model::Event& event = block_.events[i];
      if (next < accesses.size() && accesses[next].event == i) {
        place = {accesses[next].pass, accesses[next].inPass};
        ++next;
        for (const std::uint32_t value : waiting) assign(value, place);
        waiting.clear();
        waits = false;
        access(i, place);
      } else if (event.kind() == model::EventKind::Value) {
        if (receivedAt_ && combines(event))
          assign(i, *std::exchange(receivedAt_, std::nullopt));
        else if (waits)
          waiting.push_back(i);
        else
          assign(i, place);
      } else if (event.kind() == model::EventKind::Branch && reader_.loopHasAccesses_[event.site()]) {
        waits = true;
      } else if (event.kind() == model::EventKind::Give) {
        give(event, place);
      } else if (event.secondHalf()) {
        accessHalf(event, place);
      }
    }
    for (const std::uint32_t value : waiting) assign(value, {place.pass, false});
    leavePass();
  }

 private:
  // What a variable holds, and where that stands in memory, too.
  struct Register {
    std::uint64_t bits = 0;
    std::uint32_t site = 0;
    std::optional<Operand> home;
  };

  struct Place {
    std::uint32_t pass;
    bool inPass;  // else around it
    friend bool operator==(const Place&, const Place&) = default;
  };
  // What the thread has done in a pass, and what it is at.
  struct WorkDraft {
    bool accesses = false;
    std::vector<PassWork> done, others;  // `others`: not with elements
    std::vector<Operand> carried, loaded, otherLoaded;
    std::optional<Operand> combined, assigned;
    int combinedVariable = -1;
    std::size_t run = 0;  // where in `loaded` the loads of the last statement begin
    int statement = -1;   // that statement
    std::vector<int> carriedVariables, assignedVariables;
    std::vector<int> entered;  // functions

    void close(const std::optional<Operand>& result) {
      if (!carried.empty() || !loaded.empty()) {
        PassWork& work = done.emplace_back();
        work.operands = std::move(carried);
        work.operands.insert(work.operands.end(), loaded.begin(), loaded.end());
        work.result = result;
        work.ofElements = true;
      }
      carried.clear();
      loaded.clear();
      combined = assigned = std::nullopt;
      combinedVariable = statement = -1;
      run = 0;
      carriedVariables.clear();
      assignedVariables.clear();
    }
    void clear() {
      close({});
      accesses = false;
      done.clear();
      others.clear();
      otherLoaded.clear();
      entered.clear();
    }
  };
  struct PassDraft {
    WorkDraft own, around;
  };

  // A thread comes to the passes in their order, so that one at a time is enough.
  WorkDraft& draftOf(Place place) {
    if (place.pass != pass_) {
      leavePass();
      pass_ = place.pass;
    }
    return place.inPass ? draft_.own : draft_.around;
  }

  void leavePass() {
    std::vector<PassWork> all;
    for (const bool inPass : {true, false}) {
      WorkDraft& work = inPass ? draft_.own : draft_.around;
      if (!work.accesses) continue;
      work.close(work.combined ? work.combined : work.assigned);
      if (work.done.empty() && work.others.empty()) work.others.push_back({.operands = work.otherLoaded});
      for (PassWork& each : work.done.empty() ? work.others : work.done) {
        each.thread = thread_;
        each.inPass = inPass;
        all.push_back(std::move(each));
      }
    }
    if (!all.empty()) visit_(pass_, all);
    draft_.own.clear();
    draft_.around.clear();
  }

  static bool contains(const std::vector<int>& list, int value) {
    return std::ranges::find(list, value) != list.end();
  }

  bool isBarrier(std::uint32_t i) const { return analysis::isBarrier(block_.events[i].kind()); }

  // What variables became before the first act belongs to the round if it follows a barrier.
  std::uint32_t beginOf(std::uint32_t first) const {
    std::uint32_t begin = first;
    while (begin > block_.first[thread_] && !isAct(block_.events[begin - 1].kind())) --begin;
    return begin == block_.first[thread_] || isBarrier(begin - 1) ? begin : first;
  }
  std::uint32_t endOf(std::uint32_t last) const {
    std::uint32_t end = last + 1;
    if (isBarrier(last)) return end;
    while (end < block_.first[thread_ + 1] &&
           (!isAct(block_.events[end].kind()) || block_.events[end].secondHalf()))
      ++end;
    return end;
  }

  Operand operandAt(const model::Event& event, std::uint64_t element, std::uint64_t bits) const {
    Operand operand{.shared = event.inShared(),
                    .array = event.inShared() ? event.sharedArray() : event.buffer(),
                    .element = element,
                    .bits = bits,
                    .site = event.site()};
    if (const model::Array& array = launch_.arrayOf(event); !array.members.empty()) {
      operand.within = std::uint32_t(event.offset() % array.elementBytes);
      operand.width = valueBytesOf(event);
    }
    return operand;
  }

  // The elements that the event holds, or the one that it holds a part of.
  std::vector<Operand> elementsOf(const model::Event& event) const {
    const unsigned bytes = launch_.arrayOf(event).elementBytes;
    const unsigned held = valueBytesOf(event);
    std::vector<Operand> elements;
    for (unsigned from = 0; from == 0 || from + bytes <= held; from += bytes) {
      const std::uint64_t bits = event.value >> (8 * from);
      elements.push_back(operandAt(event, (event.offset() + from) / bytes,
                                   bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1)));
    }
    return elements;
  }

  void access(std::uint32_t index, Place place) {
    const model::Event& event = block_.events[index];
    WorkDraft& draft = draftOf(place);
    draft.accesses = true;
    if (!event.inShared() && !event.inGlobal()) return;
    const bool ofElements = reader_.holdsElements(event);
    if (event.kind() == model::EventKind::Load)
      load(event, place, ofElements);
    else
      store(event, place, ofElements);
  }

  // What a lane puts into an exchange ends what it was at; what becomes of the value that it receives is no
  // part of the loop or step before.
  void give(const model::Event& event, Place& place) {
    WorkDraft& draft = draftOf(place);
    const Operand given{.bits = event.value, .site = event.site(), .inRegister = true, .placed = false};
    draft.close(draft.combined ? draft.combined : draft.assigned ? draft.assigned : given);
    place.inPass = false;
  }

  void accessHalf(const model::Event& event, Place place) {
    if (event.kind() == model::EventKind::Load) load(event, place, reader_.holdsElements(event));
  }

  // The value that was received in a word, or in two of them, is an operand, and stands in the first. The
  // loops that look for the words have ended when it is combined, but that is of the pass in which it came.
  void receive(const model::Event& word, std::uint64_t words, Place place) {
    const std::uint64_t element = word.offset() / sizeof(std::uint64_t), part = element % words;
    receivedBits_ = (part == 0 ? 0 : receivedBits_) | std::uint64_t{std::uint32_t(word.value)} << (32 * part);
    if (part + 1 < words) return;
    draftOf(place).loaded.push_back(operandAt(word, element - part, receivedBits_));
    receivedAt_ = place;
  }

  // Loads of one statement have no order of their own: that of the text is taken.
  void load(const model::Event& event, Place place, bool ofElements) {
    if (const model::Array& array = launch_.arrayOf(event); model::bringsElements(array.role))
      return receive(event, elementsPerBlock(launch_, array), place);
    WorkDraft& draft = draftOf(place);
    std::vector<Operand>& list = ofElements ? draft.loaded : draft.otherLoaded;
    const int statement = reader_.trace_.sites[event.site()].statement;
    if (!ofElements) {
      for (const Operand& element : elementsOf(event)) list.push_back(element);
      return;
    }
    const auto begin = list.begin() + std::ptrdiff_t(std::min(draft.run, list.size()));
    const bool again = statement != draft.statement ||
                       (!event.secondHalf() && std::any_of(begin, list.end(), [&](const Operand& operand) {
                         return operand.site == event.site();
                       }));
    if (again) {
      draft.run = list.size();
      draft.statement = statement;
    }
    const auto elements = elementsOf(event);
    const auto before = std::find_if(list.begin() + std::ptrdiff_t(draft.run), list.end(),
                                     [&](const Operand& operand) { return operand.site > event.site(); });
    list.insert(before, elements.begin(), elements.end());
  }

  void store(const model::Event& event, Place place, bool ofElements) {
    WorkDraft& draft = draftOf(place);
    // A word that is taken away, for the next launch, is no result.
    if (model::bringsElements(launch_.arrayOf(event).role) && event.value == 0) return;
    const Operand stored = elementsOf(event).front();
    if (!ofElements) {
      draft.others.push_back({.operands = std::move(draft.otherLoaded), .result = stored});
      draft.otherLoaded.clear();
      return;
    }
    carry(event.site(), draft);
    orderAsInText(event.site(), draft);
    if (draft.carried.empty() && draft.loaded.empty())
      draft.done.push_back({.operands = {}, .result = stored, .ofElements = true});
    draft.close(stored);
    const int variable = storedVariable(event.site());
    if (variable < 0) return;
    if (Register* const held = find(variable); held && held->bits == stored.bits) held->home = stored;
    // What a pass made of a variable stands in memory, too, where it is stored behind the pass.
    WorkDraft& own = draft_.own;
    if (!place.inPass && own.combined && own.combinedVariable == variable &&
        own.combined->bits == stored.bits) {
      const std::uint32_t site = own.combined->site;
      own.combined = stored;
      own.combined->site = site;
    }
  }

  // Which of two operands is combine's first says the text of what is stored, also where a variable brought
  // one there: T other = data[i + s]; data[i] = combine(data[i], other).
  void orderAsInText(std::uint32_t site, WorkDraft& draft) const {
    const auto& named = reader_.operandsOf_[site];
    const auto placeOf = [&](const Operand& operand) {
      return std::ranges::find_if(named, [&](const model::SiteOperand& name) {
        if (name.source >= 0) return std::uint32_t(name.source) == operand.site;
        const auto held = registers_.find(name.variable);
        return held != registers_.end() && held->second.home && held->second.home->site == operand.site;
      });
    };
    const auto isNamed = [&](const Operand& operand) { return placeOf(operand) != named.end(); };
    if (draft.carried.empty() && std::ranges::all_of(draft.loaded, isNamed))
      std::ranges::stable_sort(draft.loaded, {}, placeOf);
  }

  // The variable that a store copies; -1: it stores something else.
  int storedVariable(std::uint32_t site) const {
    const auto& operands = reader_.operandsOf_[site];
    return operands.size() == 1 && operands[0].callee < 0 ? operands[0].variable : -1;
  }

  void assign(std::uint32_t index, Place place) {
    const model::Event& event = block_.events[index];
    const model::SiteModel& site = reader_.trace_.kernel.sites[event.site()];
    const model::KernelVariable& variable = reader_.trace_.kernel.variables[std::size_t(site.variable)];
    WorkDraft& draft = draftOf(place);
    carry(event.site(), draft);
    const Operand value{.bits = event.value, .site = event.site(), .inRegister = true, .placed = false};
    Register& held = registers_[site.variable];
    held = {.bits = event.value, .site = event.site(), .home = homeOf(index)};
    draft.assigned = value;
    draft.statement = -1;
    if (combines(event)) {
      draft.combined = value;
      draft.combinedVariable = site.variable;
    }
    if (!contains(draft.assignedVariables, site.variable)) draft.assignedVariables.push_back(site.variable);
    if (variableIsGiven(variable, event) && !contains(draft.entered, variable.function))
      draft.entered.push_back(variable.function);
  }

  // Whether the value that the event tells was combined of others.
  bool combines(const model::Event& event) const {
    const model::SiteModel& site = reader_.trace_.kernel.sites[event.site()];
    return site.combines &&
           !variableIsGiven(reader_.trace_.kernel.variables[std::size_t(site.variable)], event);
  }

  // Whether the event tells what a caller gave.
  bool variableIsGiven(const model::KernelVariable& variable, const model::Event& event) const {
    return variable.kind == model::VariableKind::Parameter && reader_.operandsOf_[event.site()].empty() &&
           !reader_.trace_.kernel.sites[event.site()].combines;
  }

  // Where a value stands that was copied from memory.
  std::optional<Operand> homeOf(std::uint32_t index) const {
    const model::Event& event = block_.events[index];
    const auto& operands = reader_.operandsOf_[event.site()];
    if (operands.size() != 1 || operands[0].source < 0 || index == block_.first[thread_]) return {};
    const model::Event& before = block_.events[index - 1];
    const bool copied = before.kind() == model::EventKind::Load &&
                        before.site() == std::uint32_t(operands[0].source) && before.value == event.value &&
                        !reader_.trace_.kernel.sites[event.site()].combines &&
                        (before.inShared() || before.inGlobal());
    return copied ? std::optional(elementsOf(before).front()) : std::nullopt;
  }

  // Adds the variables that the site's right side names and that the thread brought with it.
  void carry(std::uint32_t site, WorkDraft& draft) {
    for (const model::SiteOperand& operand : reader_.operandsOf_[site]) {
      if (operand.variable < 0 || contains(draft.assignedVariables, operand.variable) ||
          contains(draft.carriedVariables, operand.variable))
        continue;
      // What was given to a function that was entered before the pass is used up.
      if (operand.callee >= 0 && reader_.takesElements_[std::size_t(operand.callee)] &&
          !contains(draft.entered, operand.callee))
        continue;
      const Register* const held = find(operand.variable);
      if (held == nullptr) continue;
      draft.carriedVariables.push_back(operand.variable);
      Operand carried = held->home.value_or(Operand{.placed = false});
      carried.bits = held->bits;
      carried.site = held->site;
      carried.inRegister = true;
      draft.carried.push_back(carried);
    }
  }

  // What the variable holds, looked for in earlier rounds, too; nullptr: that was not recorded.
  Register* find(int variable) {
    if (const auto found = registers_.find(variable); found != registers_.end()) return &found->second;
    std::optional<Operand> home;
    for (std::uint32_t i = begin_; i-- > block_.first[thread_];) {
      const model::Event& event = block_.events[i];
      if (event.kind() == model::EventKind::Store && !home && storedVariable(event.site()) == variable &&
          reader_.holdsElements(event))
        home = elementsOf(event).front();
      if (event.kind() != model::EventKind::Value ||
          reader_.trace_.kernel.sites[event.site()].variable != variable)
        continue;
      if (!home) home = homeOf(i);
      return &(registers_[variable] = {.bits = event.value, .site = event.site(), .home = home});
    }
    return nullptr;
  }

  const PassReader& reader_;
  const model::LaunchTrace& launch_;
  const model::BlockTrace& block_ = launch_.recorded();
  std::uint32_t thread_;
  std::uint32_t begin_ = 0;
  const PassReader::Visit& visit_;
  std::uint32_t pass_ = 0;  // the one that draft_ is of
  PassDraft draft_;
  std::uint64_t receivedBits_ = 0;     // of a value whose words have not all come
  std::optional<Place> receivedAt_{};  // where a value came that has not been combined
  std::unordered_map<int, Register> registers_;
};

void PassReader::visit(const Round& round, const Visit& visit) const {
  struct Acts {
    std::uint32_t first = ~0u, last = 0;
    std::vector<ThreadPasses::Access> accesses;
  };
  std::vector<Acts> acts(launch_.block);
  for (const WarpOperation& operation : round.operations) {
    forEachLane(operation.mask, [&](unsigned lane) {
      Acts& own = acts[threadOf(operation, lane)];
      const std::uint32_t event = operation.event[lane];
      own.first = std::min(own.first, event);
      own.last = std::max(own.last, event);
      if (isAccess(operation.kind)) own.accesses.push_back({event, operation.pass, operation.inPass});
    });
  }
  for (std::uint32_t thread = 0; thread < acts.size(); ++thread) {
    Acts& own = acts[thread];
    if (own.accesses.empty()) continue;
    std::ranges::sort(own.accesses, {}, &ThreadPasses::Access::event);
    ThreadPasses(*this, thread, visit).walk(own.first, own.last, own.accesses);
  }
}

std::vector<Pass> PassReader::read(const Round& round, std::uint32_t first, std::uint32_t count) const {
  std::vector<Pass> passes(std::min(count, round.passes - std::min(first, round.passes)));
  visit(round, [&](std::uint32_t number, std::vector<PassWork>& work) {
    if (number < first || number - first >= passes.size()) return;
    Pass& pass = passes[number - first];
    const bool active = work.front().inPass;
    pass.activeLanes += active || round.passes == 1 ? 1 : 0;
    for (PassWork& each : work)
      if (each.inPass == active) pass.work.push_back(std::move(each));
  });
  return passes;
}

}  // namespace stridescope::analysis
