#include <fmt/format.h>

#include <algorithm>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"
#include "narration/threads.h"
#include "narration/wording.h"
#include "teaching/cells.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

bool isActive(const analysis::Round& round, std::size_t thread) {
  return round.lanes[thread] == analysis::LaneState::Active;
}

}  // namespace

// Though the condition does not tell of all threads.
std::string skippedAt(const narration::RoundAt& at, unsigned thread) {
  const model::Site* site = nullptr;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    const unsigned lane = thread % model::kWarpSize;
    if (operation.kind != model::EventKind::Branch || operation.warp != thread / model::kWarpSize) continue;
    if (!analysis::contains(operation.mask, lane) || analysis::contains(operation.taken, lane)) continue;
    site = &at.trace.sites[operation.site];
  }
  return site == nullptr ? std::string()
                         : fmt::format("Line {} asks {}, which is false for thread {}.", site->line,
                                       inOneLine(site->text), figure(thread));
}

namespace {

std::string whyNot(const narration::RoundAt& at, const RoundConditions& conditions, unsigned thread) {
  if (const auto condition = conditions.of(thread)) return sentenceOf(thread, *condition);
  if (std::string skipped = skippedAt(at, thread); !skipped.empty()) return skipped;
  if (at.round().lanes[thread] == analysis::LaneState::Finished)
    return fmt::format("Thread {} has returned and does nothing in this round.", figure(thread));
  return fmt::format("Thread {} accesses no {}in this round.", figure(thread),
                     countsAnyAccess(at) ? "memory " : "shared memory and passes nothing on ");
}

std::string whyYes(const narration::RoundAt& at, const RoundConditions& conditions, unsigned thread) {
  if (const auto condition = conditions.of(thread)) return sentenceOf(thread, *condition);
  const bool passes = !at.round().exchanges.empty();
  const std::string does =
      passes ? narration::exchangeFormula(at, thread) : narration::threadLineOf(at, thread).formula;
  return fmt::format("Thread {} is active{}.", figure(thread),
                     does.empty() || does == "active" ? "" : ": " + does);
}

// An earlier round of the launch whose active threads are the ones marked.
std::string ofAnotherRound(const narration::RoundAt& at, const Guess& guess) {
  if (at.index == 0) return {};
  const analysis::Round& before = at.analysis.rounds[at.index - 1];
  if (before.activeLanes == 0) return {};
  for (std::size_t thread = 0; thread < before.lanes.size(); ++thread)
    if (isActive(before, thread) != (thread < guess.marks.size() && guess.marks[thread])) return {};
  const narration::RoundAt there{at.trace, at.launch, at.analysis, at.flow, at.index - 1};
  return fmt::format("Those were active in {}. ", narration::nameInSentence(there));
}

// As many were marked as are active, but others.
std::string asManyOthers(const narration::RoundAt& at, const std::vector<Mark>& marks) {
  const auto count = [&](Mark mark) { return std::ranges::count(marks, mark); };
  if (count(Mark::Wrong) != count(Mark::Missed) || count(Mark::Wrong) == 0 || at.round().activeLanes < 2)
    return {};
  return fmt::format("The number is right, {} are active, but it is others. ",
                     narration::count(at.round().activeLanes, "thread"));
}

// With every thread told: what keeps the first one out that is not active.
std::string whyAll(const narration::RoundAt& at, const RoundConditions& conditions) {
  const auto& lanes = at.round().lanes;
  const auto out = std::ranges::find_if(
      lanes, [](analysis::LaneState state) { return state != analysis::LaneState::Active; });
  if (out == lanes.end())
    return fmt::format("No condition keeps a thread out: all {} are active.",
                       narration::count(lanes.size(), "thread"));
  if (at.round().activeLanes == 0) return "No thread accesses memory or passes a value on in this round.";
  return whyNot(at, conditions, unsigned(out - lanes.begin()));
}

}  // namespace

std::string whyThreads(const narration::RoundAt& at, const Guess& guess, const std::vector<Mark>& marks) {
  const RoundConditions conditions(at);
  const auto wrong = firstWith(marks, Mark::Wrong), missed = firstWith(marks, Mark::Missed);
  if (!guess.answered || (!wrong && !missed)) return whyAll(at, conditions);
  std::string opening = ofAnotherRound(at, guess);
  if (opening.empty()) opening = asManyOthers(at, marks);
  return opening + (wrong ? whyNot(at, conditions, *wrong) : whyYes(at, conditions, *missed));
}

std::vector<std::string> hintsOnThreads(const narration::RoundAt& at) {
  const RoundConditions conditions(at);
  const auto line = conditions.line();
  std::string first, second;
  if (line) {
    first = fmt::format("Line {} decides which threads are active.", *line);
    second = (at.round().stride ? fmt::format("The stride is {}: ", figure(*at.round().stride)) : "") +
             conditions.rule() + ".";
    second[0] = char(std::toupper(static_cast<unsigned char>(second[0])));
  } else {
    std::optional<int> access;
    for (const analysis::WarpOperation& operation : at.round().operations)
      if (!access && operation.kind != model::EventKind::Branch) access = at.trace.sites[operation.site].line;
    first = access ? fmt::format("Line {} is what the active threads execute.", *access)
                   : std::string("No line of this round accesses memory.");
    second =
        "No one condition decides it: a thread is active if it accesses shared memory or passes a value "
        "on, and in a round without either if it accesses memory at all.";
  }
  // One thread: the last active one, or, if all are, the first.
  const auto& lanes = at.round().lanes;
  std::optional<unsigned> last;
  for (unsigned thread = 0; thread < lanes.size(); ++thread)
    if (isActive(at.round(), thread)) last = thread;
  if (!last) return {first, second, "Thread 0 is not active."};
  const auto condition = conditions.of(*last);
  const std::string third = condition ? sentenceOf(*last, *condition) + " It is active."
                                      : fmt::format("Thread {} is active.", figure(*last));
  return {first, second, third};
}

namespace {

// The cell, its values and what becomes of them.
struct AskedCell {
  const narration::RoundAt& at;
  const Cell& cell;
  std::uint64_t before = 0, after = 0;
  const analysis::ThreadWork* work = nullptr;

  AskedCell(const narration::RoundAt& round, const Question& question)
      : at(round),
        cell(question.cell),
        before(*heldBefore(round, cell)),
        after(*heldAfter(round, cell)),
        work(workOn(round, cell)) {}

  std::string name() const { return nameOf(at, cell); }
  std::string text(std::uint64_t bits) const { return grouped(printed(at, cell, bits)); }
  bool isRegister() const { return cell.where == Cell::Where::Register; }
  const analysis::LaneExchange& exchange() const { return *at.round().exchanges[cell.thread]; }
  bool isKept() const { return !isRegister() && (work == nullptr || work->kept); }
};

// "Thread 0: data[0] + data[16] = 88 + 78 = 166."
std::string formula(const AskedCell& asked) {
  if (asked.isRegister())
    return fmt::format("Lane {} of warp {}: {}.", asked.cell.thread % model::kWarpSize,
                       figure(asked.cell.thread / model::kWarpSize),
                       narration::exchangeFormula(asked.at, asked.cell.thread));
  if (asked.work == nullptr)
    return fmt::format("No thread writes {} in this round: it keeps {}.", asked.name(),
                       asked.text(asked.after));
  return fmt::format("Thread {}: {}.", figure(asked.work->thread),
                     narration::threadLineOf(asked.at, asked.work->thread).formula);
}

// The values that the new one is made of; empty where it is kept.
std::vector<std::uint64_t> bitsOf(const AskedCell& asked) {
  if (asked.isRegister()) return {asked.exchange().given, asked.exchange().received};
  std::vector<std::uint64_t> bits;
  if (!asked.isKept())
    for (const analysis::Operand& operand : asked.work->operands) bits.push_back(operand.bits);
  return bits;
}

// The guess is what another operator makes of the operands.
std::string byAnotherOperator(const AskedCell& asked, std::uint64_t guessed, model::ElementType type) {
  const std::vector<std::uint64_t> operands = bitsOf(asked);
  if (operands.size() != 2 || model::leavesArrays(asked.at.trace)) return {};
  for (const model::Operator op : model::kOperators) {
    if (op == asked.at.trace.experiment.op || !model::isOffered(type, op)) continue;
    if (model::combineBits(type, op, operands[0], operands[1]) == guessed)
      return fmt::format("{} is the {} of the operands, and this reduction takes the {}. ",
                         asked.text(guessed), narration::nounOf(op),
                         narration::nounOf(asked.at.trace.experiment.op));
  }
  return {};
}

// What the guess is of: a sentence and a blank; empty: nothing of this round.
std::string mistake(const AskedCell& asked, std::uint64_t guessed, model::ElementType type) {
  const std::vector<std::uint64_t> operands = bitsOf(asked);
  if (guessed == asked.before && !asked.isKept())
    return fmt::format("{} is what {} held before. ", asked.text(guessed), asked.name());
  if (asked.isKept()) return {};
  if (std::ranges::find(operands, guessed) != operands.end())
    return fmt::format("{} is one operand alone. ", asked.text(guessed));
  return byAnotherOperator(asked, guessed, type);
}

}  // namespace

std::string whyValue(const narration::RoundAt& at, const Question& question, const Guess& guess) {
  const AskedCell asked(at, question);
  const model::ElementType type = typeOf(at, asked.cell);
  if (!guess.answered) return formula(asked);
  const auto typed = typedElement(type, guess.typed);
  if (!typed)
    return fmt::format("\"{}\" is no number of the type {}. {}", guess.typed, model::nameOf(type),
                       formula(asked));
  return (*typed == asked.after ? std::string() : mistake(asked, *typed, type)) + formula(asked);
}

std::vector<std::string> hintsOnValue(const narration::RoundAt& at, const Question& question) {
  const AskedCell asked(at, question);
  const auto lineOf = [&](std::uint32_t site) { return at.trace.sites[site].line; };
  if (asked.isRegister()) {
    const analysis::LaneExchange& exchange = asked.exchange();
    const unsigned lane = asked.cell.thread % model::kWarpSize;
    return {fmt::format("Look at line {}: each lane gives its value to another one.", lineOf(exchange.site)),
            at.round().stride ? fmt::format("The values go over a distance of {}.",
                                            narration::count(*at.round().stride, "lane"))
                              : std::string("Each lane receives the value of another lane."),
            exchange.sourceLane == lane
                ? fmt::format("Lane {} receives its own value, {}.", lane, asked.text(exchange.received))
                : fmt::format("Lane {} receives {} from lane {}.", lane, asked.text(exchange.received),
                              exchange.sourceLane)};
  }
  std::optional<int> line;  // the line of a store in this round
  for (const analysis::Request& request : at.round().requests)
    if (!line && request.kind == model::EventKind::Store) line = lineOf(request.site);
  std::vector<std::string> hints{
      line ? fmt::format("Line {} writes in this round.", *line) : "No line writes in this round.",
      at.round().stride
          ? fmt::format(
                "The stride is {}: the two operands are {} apart, and one of the two cells takes the {}.",
                figure(*at.round().stride), narration::count(*at.round().stride, "element"),
                narration::nounOf(model::operatorOf(at.trace)))
          : "A cell that no thread writes keeps its value."};
  if (asked.isKept())
    hints.push_back(fmt::format("No thread changes {}.", asked.name()));
  else
    hints.push_back(fmt::format("Thread {} writes {}, and one of its operands is {}.",
                                figure(asked.work->thread), asked.name(),
                                asked.text(asked.work->operands.back().bits)));
  return hints;
}

}  // namespace stridescope::teaching
