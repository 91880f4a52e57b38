#include "narration/wrap_clause.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/numbers.h"
#include "model/arithmetic.h"
#include "model/wide_integer.h"
#include "narration/memory_words.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using Wide = model::WideInteger;

bool canWrap(const model::Experiment& experiment) {
  const bool grows = experiment.op == model::Operator::Add || experiment.op == model::Operator::Multiply;
  return grows && !model::isFloating(experiment.type);
}

// The operands combined without a limit, if that is not the result but what wraps to it.
std::optional<Wide> exactOfWrapped(const model::Experiment& experiment,
                                   std::span<const std::uint64_t> operands, std::uint64_t result) {
  const bool adds = experiment.op == model::Operator::Add;
  Wide exact = adds ? 0 : 1;
  std::uint64_t wrapped = model::bitsOfElement(adds ? 0 : 1);
  for (const std::uint64_t bits : operands) {
    const Wide value = model::wideOf(experiment.type, bits);
    const bool beyond =
        adds ? __builtin_add_overflow(exact, value, &exact) : __builtin_mul_overflow(exact, value, &exact);
    if (beyond) return std::nullopt;
    wrapped = model::combineBits(experiment.type, experiment.op, wrapped, bits);
  }
  if (wrapped != result || exact == model::wideOf(experiment.type, result)) return std::nullopt;
  return exact;
}

struct Wrapped {
  unsigned thread = 0;
  Wide exact = 0;
  std::uint64_t result = 0;
  bool useful = false;
};

// What wraps in the round, in ascending order of the threads.
std::vector<Wrapped> wrappedIn(const model::Experiment& experiment, const analysis::Round& round,
                               const analysis::RoundFlow& flow) {
  std::vector<Wrapped> wrapped;
  const auto add = [&](unsigned thread, std::span<const std::uint64_t> operands, std::uint64_t result,
                       bool useful) {
    if (const auto exact = exactOfWrapped(experiment, operands, result))
      wrapped.push_back({thread, *exact, result, useful});
  };
  std::vector<std::uint64_t> operands;
  for (const analysis::ThreadWork& work : flow.work) {
    if (!work.ofElements || work.operands.size() < 2 || !work.result) continue;
    operands.clear();
    for (const analysis::Operand& operand : work.operands) operands.push_back(operand.bits);
    add(work.thread, operands, work.result->bits, work.useful);
  }
  for (unsigned thread = 0; thread < round.exchanges.size(); ++thread) {
    const auto& exchange = round.exchanges[thread];
    if (!exchange || exchange->kind != model::EventKind::Shuffle || !exchange->after) continue;
    const std::uint64_t both[] = {exchange->given, exchange->received};
    add(thread, both, *exchange->after, thread < flow.registerUseful.size() && flow.registerUseful[thread]);
  }
  std::ranges::stable_sort(wrapped, {}, &Wrapped::thread);
  return wrapped;
}

// How far results of the block that count are from the exact ones, up to and with the round: sums that wrap
// up and down again are right in the end. For products it only says whether there is an error.
Wide errorUpTo(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  Wide error = 0;
  for (std::size_t r = 0; r <= at.index; ++r)
    for (const Wrapped& one : wrappedIn(experiment, at.analysis.rounds[r], at.flow[r])) {
      if (!one.useful) continue;
      if (experiment.op == model::Operator::Multiply) return 1;
      error += one.exact - model::wideOf(experiment.type, one.result);
    }
  return error;
}

}  // namespace

std::string wrapClause(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  if (!canWrap(experiment)) return {};
  const std::vector<Wrapped> wrapped = wrappedIn(experiment, at.round(), at.work());
  if (wrapped.empty()) return {};
  const Wrapped& first = wrapped.front();
  const std::string others =
      wrapped.size() == 1 ? "" : fmt::format("results of {} threads wrap; ", figure(wrapped.size()));
  return fmt::format("{}in thread {} {}", others, figure(first.thread),
                     model::wrapClause(experiment.type, experiment.op, model::print(first.exact),
                                       WordPrinter(experiment.type).exact(first.result)));
}

bool hasWrapped(const RoundAt& at) {
  if (!canWrap(at.trace.experiment)) return false;
  const bool makesTheResult = &at.launch == &at.trace.launches.back() && at.launch.grid == 1;
  if (makesTheResult && model::hasEnded(at.trace) && at.trace.result == at.trace.expected)
    return model::tellsOfAWrap(at.trace.checkNote);
  return errorUpTo(at) != 0;
}

}  // namespace stridescope::narration
