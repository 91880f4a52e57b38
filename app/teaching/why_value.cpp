#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "model/arithmetic.h"
#include "narration/register_words.h"
#include "narration/thread_line.h"
#include "narration/wording.h"
#include "teaching/cells.h"
#include "teaching/why.h"

namespace stridescope::teaching {
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
  if (operands.size() != 2) return {};
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
                narration::nounOf(at.trace.experiment.op))
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
