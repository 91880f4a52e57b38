#include "narration/wrap_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/numbers.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"
#include "narration/memory_words.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

__extension__ using Wide = __int128;

bool canWrap(const model::Experiment& experiment) {
  const bool grows = experiment.op == model::Operator::Add || experiment.op == model::Operator::Multiply;
  return grows && !model::isFloating(experiment.type);
}

Wide valueOf(model::ElementType type, std::uint64_t bits) {
  return model::withType(type, [&](auto zero) { return Wide(model::elementOfBits<decltype(zero)>(bits)); });
}

std::string printed(Wide value) {
  std::string digits;
  for (Wide rest = value; rest != 0; rest /= 10)
    digits.insert(digits.begin(), char('0' + int(rest < 0 ? -(rest % 10) : rest % 10)));
  return digits.empty() ? "0" : value < 0 ? "-" + digits : digits;
}

// The operands combined without a limit, if that is not the result but what wraps to it.
std::optional<Wide> exactOfWrapped(const model::Experiment& experiment,
                                   std::span<const std::uint64_t> operands, std::uint64_t result) {
  const bool adds = experiment.op == model::Operator::Add;
  Wide exact = adds ? 0 : 1;
  std::uint64_t wrapped = model::bitsOfElement(adds ? 0 : 1);
  for (const std::uint64_t bits : operands) {
    const Wide value = valueOf(experiment.type, bits);
    const bool beyond =
        adds ? __builtin_add_overflow(exact, value, &exact) : __builtin_mul_overflow(exact, value, &exact);
    if (beyond) return std::nullopt;
    wrapped = model::combineBits(experiment.type, experiment.op, wrapped, bits);
  }
  if (wrapped != result || exact == valueOf(experiment.type, result)) return std::nullopt;
  return exact;
}

struct Wrapped {
  unsigned thread = 0;
  Wide exact = 0;
  std::uint64_t result = 0;
};

// In ascending order of the threads.
std::vector<Wrapped> wrappedIn(const model::Experiment& experiment, const analysis::Round& round,
                               const analysis::RoundFlow& flow) {
  std::vector<Wrapped> wrapped;
  const auto add = [&](unsigned thread, std::span<const std::uint64_t> operands, std::uint64_t result) {
    if (const auto exact = exactOfWrapped(experiment, operands, result))
      wrapped.push_back({thread, *exact, result});
  };
  std::vector<std::uint64_t> operands;
  for (const analysis::ThreadWork& work : flow.work) {
    if (!work.ofElements || work.operands.size() < 2 || !work.result) continue;
    operands.clear();
    for (const analysis::Operand& operand : work.operands) operands.push_back(operand.bits);
    add(work.thread, operands, work.result->bits);
  }
  for (unsigned thread = 0; thread < round.exchanges.size(); ++thread) {
    const auto& exchange = round.exchanges[thread];
    if (!exchange || exchange->kind != model::EventKind::Shuffle || !exchange->after) continue;
    const std::uint64_t both[] = {exchange->given, exchange->received};
    add(thread, both, *exchange->after);
  }
  return wrapped;
}

}  // namespace

std::string wrapSentence(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  if (!canWrap(experiment)) return {};
  const std::vector<Wrapped> wrapped = wrappedIn(experiment, at.round(), at.work());
  if (wrapped.empty()) return {};
  const auto first = std::ranges::min_element(wrapped, {}, &Wrapped::thread);
  const std::string noun(model::factsOf(experiment.op).noun);
  const std::string where = wrapped.size() == 1
                                ? fmt::format("In thread {} the {} wraps", figure(first->thread), noun)
                                : fmt::format("In {} threads the {} wraps; in thread {}",
                                              figure(wrapped.size()), noun, figure(first->thread));
  return fmt::format("{}: exact {}, wrapped to {} in {} bits.", where, grouped(printed(first->exact)),
                     grouped(WordPrinter(experiment.type).exact(first->result)),
                     8 * model::bytesOf(experiment.type));
}

bool hasWrapped(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  if (!canWrap(experiment)) return false;
  // Blocks that were not inspected made what a later launch, or the only one's other blocks, brought in.
  const bool resultIs = at.trace.checkNote.find(" wraps: exact ") != std::string::npos;
  if (resultIs && (&at.launch != &at.trace.launches.front() || at.launch.grid == 1)) return true;
  for (std::size_t r = 0; r <= at.index; ++r)
    if (!wrappedIn(experiment, at.analysis.rounds[r], at.flow[r]).empty()) return true;
  return false;
}

}  // namespace stridescope::narration
