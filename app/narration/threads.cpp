#include "narration/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/requests.h"
#include "narration/memory_words.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// The step from each active thread to the next, if it is one and more than 1.
std::optional<unsigned> stepOf(const std::vector<analysis::LaneState>& lanes) {
  std::optional<unsigned> step;
  unsigned last = 0;
  for (unsigned thread = 0; thread < lanes.size(); ++thread) {
    if (lanes[thread] != analysis::LaneState::Active) continue;
    if (thread == 0) continue;
    if (step && thread - last != *step) return std::nullopt;
    step = thread - last;
    last = thread;
  }
  const bool fromZero = !lanes.empty() && lanes[0] == analysis::LaneState::Active;
  const bool toTheEnd = step && last + *step >= lanes.size();
  return fromZero && toTheEnd && *step > 1 ? step : std::nullopt;
}

// "2 full warps", "1 full warp".
std::string fullWarps(unsigned number) {
  return fmt::format("{} full warp{}", figure(number), number == 1 ? "" : "s");
}

// How the active lanes fill their warps: "2 full warps", "16 of 32 lanes of warp 0".
std::string fillInWords(const ActiveThreads& threads) {
  const std::vector<WarpFill>& working = threads.working;
  const auto full = unsigned(
      std::ranges::count_if(working, [](const WarpFill& fill) { return fill.active == model::kWarpSize; }));
  if (full == working.size()) return "in " + fullWarps(full);
  const auto active = commonNumber(working, [](const WarpFill& fill) { return fill.active; });
  if (active && working.size() == 1)
    return fmt::format("{} of 32 lanes of warp {}", *active, figure(working[0].warp));
  if (active) return fmt::format("{} of 32 lanes of each of {} warps", *active, figure(working.size()));
  if (full + 1 == working.size() && working.back().active < model::kWarpSize)
    return fmt::format("in {} and {} of 32 lanes of warp {}", fullWarps(full), working.back().active,
                       figure(working.back().warp));
  return fmt::format("in {} warps, {} of them full", figure(working.size()),
                     full == 0 ? "none" : figure(full));
}

std::string subject(const ActiveThreads& threads, const Verb& verb) {
  const std::string& does = threads.active == 1 ? verb.singular : verb.plural;
  const std::string block = count(threads.block, "thread");
  if (threads.active == threads.block)
    return threads.block == 1 ? fmt::format("the only thread {}", does)
                              : fmt::format("all {} {}", block, does);
  if (threads.every) return fmt::format("every {} of {} {}", ordinal(*threads.every), block, verb.singular);
  if (threads.first && threads.active > 1)
    return fmt::format("the first {} of {} {}", figure(threads.active), block, does);
  return fmt::format("{} of {} {}", figure(threads.active), block, does);
}

}  // namespace

ActiveThreads activeThreads(const RoundAt& at) {
  const auto& lanes = at.round().lanes;
  ActiveThreads threads;
  threads.block = at.launch.block;
  threads.warps = at.warps();
  for (unsigned warp = 0; warp < threads.warps; ++warp) {
    const auto begin = lanes.begin() + std::ptrdiff_t(warp * model::kWarpSize);
    const unsigned size = std::min(model::kWarpSize, unsigned(lanes.end() - begin));
    const auto end = begin + std::ptrdiff_t(size);
    const auto active = unsigned(std::count(begin, end, analysis::LaneState::Active));
    threads.active += active;
    if (active > 0)
      threads.working.push_back({warp, active, size});
    else if (unsigned(std::count(begin, end, analysis::LaneState::Finished)) == size)
      ++threads.finished;
  }
  const auto active = std::ptrdiff_t(threads.active);
  threads.first = std::count(lanes.begin(), lanes.begin() + active, analysis::LaneState::Active) == active;
  threads.every = stepOf(lanes);
  return threads;
}

Verb combiningVerb(model::Operator op) { return {combines(op, true), combines(op, false)}; }

std::string warpsInWords(const std::vector<WarpFill>& working) {
  return working.size() == 1 ? "warp " + figure(working[0].warp) : count(working.size(), "warp");
}

std::string otherWarps(const ActiveThreads& threads) {
  const unsigned others = threads.warps - unsigned(threads.working.size());
  if (others == 0) return {};
  const std::string who = others == 1 ? "the other warp" : fmt::format("the other {} warps", figure(others));
  const bool one = others == 1;
  if (threads.finished == others) return fmt::format("{} {} finished", who, one ? "has" : "have");
  return fmt::format("{} {} idle{}", who, one ? "is" : "are",
                     threads.finished > 0 ? " or have finished" : "");
}

std::string whoWorks(const RoundAt& at, const Verb& verb) {
  const ActiveThreads threads = activeThreads(at);
  const unsigned needed = threads.needed();
  const auto each = commonNumber(threads.working, [](const WarpFill& fill) { return fill.active; });
  if (threads.every && each && threads.working.size() > needed)
    return fmt::format("{}, so {} warps issue for {} each, though {} would do", subject(threads, verb),
                       figure(threads.working.size()), count(*each, "lane"), count(needed, "warp"));
  const unsigned inactive = threads.block - threads.active;
  if (threads.warps == 1 && inactive > 0)
    return fmt::format("{}; the other {}{} {} inactive", subject(threads, verb),
                       // A block may have fewer threads than a warp has lanes.
                       count(inactive, threads.block == model::kWarpSize ? "lane" : "thread"),
                       threads.block == model::kWarpSize ? " of the warp" : "", inactive == 1 ? "is" : "are");
  std::string text = subject(threads, verb) + ", " + fillInWords(threads);
  if (const std::string others = otherWarps(threads); !others.empty()) text += "; " + others;
  return text;
}

std::string whoIsActive(const RoundAt& at) {
  constexpr std::size_t kListed = 6;  // spans
  const ActiveThreads threads = activeThreads(at);
  if (threads.active == 0) return "no thread";
  if (threads.active == threads.block && threads.block > 1) return "all " + count(threads.block, "thread");
  if (threads.every) return fmt::format("thread 0 and every {} thread", ordinal(*threads.every));
  const auto& lanes = at.round().lanes;
  std::vector<std::string> spans;
  unsigned listed = 0;
  for (unsigned thread = 0; thread < lanes.size() && spans.size() < kListed; ++thread) {
    const unsigned first = thread;
    while (thread < lanes.size() && lanes[thread] == analysis::LaneState::Active) ++thread;
    if (thread == first) continue;
    listed += thread - first;
    const bool apart = thread - first > 2;
    spans.push_back(figure(first) + (apart ? " to " + figure(thread - 1) : ""));
    if (!apart && thread - first == 2) spans.push_back(figure(thread - 1));
  }
  if (listed < threads.active) spans.push_back(figure(threads.active - listed) + " more");
  return (threads.active == 1 ? "thread " : "threads ") + narration::listed(spans);
}

namespace {

std::string_view meaningOf(analysis::LaneState state) {
  switch (state) {
    case analysis::LaneState::Active:
      return "active";
    case analysis::LaneState::Inactive:
      return "inactive";
    case analysis::LaneState::IdleWarp:
      return "in an idle warp";
    case analysis::LaneState::Finished:
      return "finished";
  }
  return {};
}

// The variable that holds it: "sum".
std::string registerName(const RoundAt& at, const analysis::Operand& operand) {
  const model::KernelModel& kernel = at.trace.kernel;
  const int variable =
      operand.placed || operand.site >= kernel.sites.size() ? -1 : kernel.sites[operand.site].variable;
  return variable < 0 ? "register" : kernel.variables[std::size_t(variable)].name;
}

std::string placeOf(const RoundAt& at, const analysis::Operand& operand) {
  if (operand.inRegister) return registerName(at, operand);
  return operandName(at.launch, operand);
}

std::string valueOf(const RoundAt& at, const analysis::Operand& operand) {
  const WordPrinter printer = printerOf(at.trace, at.launch, operand);
  if (operand.left)
    return fmt::format("{} (the pass before left {})", grouped(printer.brief(operand.bits)),
                       grouped(printer.brief(*operand.left)));
  return grouped(printer.brief(operand.bits)) + (operand.orderUnknown ? " (order unknown)" : "");
}

// Three operands or more: "sum + x[1] + x[2] = 3 + 4 + 5 = 12"; if there are very many, only how many.
std::string formulaOfMany(const RoundAt& at, const analysis::ThreadWork& work) {
  constexpr std::size_t kMaxWritten = 8;
  const model::Operator op = model::operatorOf(at.trace);
  const std::string became = work.result ? valueOf(at, *work.result) : std::string();
  if (work.operands.size() > kMaxWritten)
    return fmt::format("{} {} operands, from {} to {}{}", combines(op, false), figure(work.operands.size()),
                       placeOf(at, work.operands.front()), placeOf(at, work.operands.back()),
                       became.empty() ? "" : ": " + became);
  std::string places = placeOf(at, work.operands.front()), values = valueOf(at, work.operands.front());
  for (std::size_t i = 1; i < work.operands.size(); ++i) {
    places = expression(op, places, placeOf(at, work.operands[i]));
    values = expression(op, values, valueOf(at, work.operands[i]));
  }
  return places + " = " + values + (became.empty() ? "" : " = " + became);
}

// How many elements of one array the thread read in the round.
std::size_t elementsRead(const RoundAt& at, const analysis::ThreadWork& work) {
  std::set<std::uint64_t> offsets;
  const unsigned lane = work.thread % model::kWarpSize;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load || operation.warp != work.thread / model::kWarpSize ||
        ((operation.mask >> lane) & 1) == 0)
      continue;
    const model::Event& event = at.launch.recorded().events[operation.event[lane]];
    const bool same = event.inShared() == work.a->shared &&
                      (event.inShared() ? event.sharedArray() : event.buffer()) == work.a->array;
    const unsigned bytes =
        std::max(1u, event.inGlobal() ? at.launch.buffers[event.buffer()].elementBytes
                                      : at.launch.recorded().shared[event.sharedArray()].elementBytes);
    for (unsigned byte = 0; same && byte < event.width(); byte += bytes)
      offsets.insert(event.offset() + byte);
  }
  return offsets.size();
}

// The heads that a merge compared: the one whose place it is, and the other. If the values are equal, that of
// the lower list comes first: "2 of list 3".
struct ComparedHeads {
  std::string ownPlace, ownValue, otherPlace, otherValue;

  ComparedHeads(const RoundAt& at, const analysis::ThreadWork& work) {
    const bool first = work.result->element == work.a->element;
    const analysis::Operand& own = first ? *work.a : *work.b;
    const analysis::Operand& other = first ? *work.b : *work.a;
    const HeadLists lists(at);
    const auto value = [&](const analysis::Operand& operand) {
      std::string text = valueOf(at, operand);
      const std::string list = own.bits == other.bits ? lists.of(operand.element, false) : std::string();
      return list.empty() ? text : text + (list == "none" ? " of no list" : " of list " + list);
    };
    ownPlace = placeOf(at, own), ownValue = value(own);
    otherPlace = placeOf(at, other), otherValue = value(other);
  }
};

// "heads[0] = 1 stays, heads[4] = 7 does not come before it"
std::string keptFormula(const RoundAt& at, const analysis::ThreadWork& work) {
  const ComparedHeads heads(at, work);
  return fmt::format("{} = {} stays, {} = {} does not come before it", heads.ownPlace, heads.ownValue,
                     heads.otherPlace, heads.otherValue);
}

std::string movedFormula(const RoundAt& at, const analysis::ThreadWork& work) {
  const ComparedHeads heads(at, work);
  return fmt::format("{} = {} comes before {} = {} and takes its place", heads.otherPlace, heads.otherValue,
                     heads.ownPlace, heads.ownValue);
}

// "data[80] + data[88] = 34 + 22 = 56", "data[5] = in[5] = 7", "data[5] = 7", "reads data[5] = 7".
std::string formulaOf(const RoundAt& at, const analysis::ThreadWork& work) {
  const model::Operator op = model::operatorOf(at.trace);
  if (work.kept) return keptFormula(at, work);
  if (at.round().outputElement && work.a && work.b && work.result) return movedFormula(at, work);
  if (work.operands.size() > 2) return formulaOfMany(at, work);
  const std::size_t read = work.a && work.operands.empty() ? elementsRead(at, work) : 0;
  if (read > 2)
    return fmt::format(
        "{} {} elements from {} on{}", combines(op, false), figure(read), placeOf(at, *work.a),
        work.result ? fmt::format(": {} = {}", placeOf(at, *work.result), valueOf(at, *work.result)) : "");
  if (work.a && work.b && work.result)
    return fmt::format("{} = {} = {}", expression(op, placeOf(at, *work.a), placeOf(at, *work.b)),
                       expression(op, valueOf(at, *work.a), valueOf(at, *work.b)), valueOf(at, *work.result));
  // What else went into it the passes tell.
  if (work.a && work.result && at.round().passes > 1 && work.operands.empty() &&
      work.a->bits != work.result->bits)
    return fmt::format("{} {} = {}: {} = {}", combines(op, false), placeOf(at, *work.a), valueOf(at, *work.a),
                       placeOf(at, *work.result), valueOf(at, *work.result));
  if (work.a && work.result)
    return fmt::format("{} = {} = {}", placeOf(at, *work.result), placeOf(at, *work.a),
                       valueOf(at, *work.result));
  if (work.result) return fmt::format("{} = {}", placeOf(at, *work.result), valueOf(at, *work.result));
  if (work.a && work.b)
    return fmt::format("reads {} = {} and {} = {}", placeOf(at, *work.a), valueOf(at, *work.a),
                       placeOf(at, *work.b), valueOf(at, *work.b));
  if (work.a) return fmt::format("reads {} = {}", placeOf(at, *work.a), valueOf(at, *work.a));
  return {};
}

// What it passed to other lanes in the round, and whether that is still needed.
std::string exchangeOf(const RoundAt& at, unsigned thread) {
  std::string text = exchangeFormula(at, thread);
  const auto& useful = at.work().registerUseful;
  const auto& identity = at.work().registerIdentity;
  if (!text.empty() && thread < identity.size() && identity[thread])
    text += "   identities only";
  else if (!text.empty() && thread < useful.size() && !useful[thread])
    text += "   no longer needed";
  return text;
}

std::optional<ThreadAccess> accessOf(const RoundAt& at, const NamedRequest& request, unsigned thread) {
  const auto index = analysis::worstOperationOfThread(at.round(), *request.request, thread);
  if (!index) return std::nullopt;
  const analysis::WarpOperation& operation = at.round().operations[*index];
  const analysis::BankMap map = analysis::mapBanks(analysis::addressesOf(operation, at.launch),
                                                   operation.kind == model::EventKind::Store);
  const auto& words = map.lanes[thread % model::kWarpSize];
  unsigned last = 0;
  for (unsigned word = 0; word < map.wordsPerLane; ++word)
    last = std::max<unsigned>(last, words[word].wavefront);
  return ThreadAccess{request.name, words[0].bank, last + 1, map.use.wavefronts};
}

}  // namespace

std::string ThreadAccess::text() const {
  return fmt::format("{}: bank {}, wavefront {} of {}", name, bank, wavefront, wavefronts);
}

std::string ThreadLine::text() const {
  std::string line = fmt::format("thread {}   warp {} lane {}", figure(thread), warp, lane);
  if (!formula.empty()) line += "   " + formula;
  for (const ThreadAccess& access : accesses) line += "   " + access.text();
  return line;
}

ThreadLine threadLineOf(const RoundAt& at, unsigned thread) {
  ThreadLine line{.thread = thread,
                  .warp = thread / model::kWarpSize,
                  .lane = thread % model::kWarpSize,
                  .state = at.round().lanes[thread],
                  .formula = {},
                  .accesses = {}};
  const auto& all = at.work().work;
  const auto own = std::ranges::find(all, thread, &analysis::ThreadWork::thread);
  line.formula = exchangeOf(at, thread);
  if (own != all.end()) {
    const std::string formula = formulaOf(at, *own);
    line.formula += (line.formula.empty() || formula.empty() ? "" : "   ") + formula;
  }
  if (line.formula.empty()) line.formula = std::string(meaningOf(line.state));
  for (const NamedRequest& request : bankRequests(at))
    if (auto access = accessOf(at, request, thread)) line.accesses.push_back(*access);
  return line;
}

}  // namespace stridescope::narration
