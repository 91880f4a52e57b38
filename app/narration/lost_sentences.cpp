#include "narration/lost_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/numbers.h"
#include "narration/memory_words.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

std::string placeOf(const RoundAt& at, const analysis::Operand& value) {
  return fmt::format("{}[{}]", at.launch.recorded().shared[value.array].name, figure(value.element));
}

std::string valueOf(const RoundAt& at, const analysis::Operand& value) {
  return grouped(WordPrinter(at.launch.recorded().shared[value.array]).brief(value.bits));
}

// "the sum of 32 elements", "1 element".
std::string partOf(const RoundAt& at, const analysis::LostValue& lost) {
  const std::string elements = count(lost.of, "element");
  return lost.of == 1 ? elements : fmt::format("the {} of {}", nounOf(at.trace.experiment.op), elements);
}

bool touches(const analysis::RoundFlow& flow, std::uint32_t array, std::uint64_t element) {
  const auto isIt = [&](const std::optional<analysis::Operand>& operand) {
    return operand && operand->placed && operand->shared && operand->array == array &&
           operand->element == element;
  };
  return std::ranges::any_of(flow.work, [&](const analysis::ThreadWork& work) {
    return isIt(work.a) || isIt(work.b) || isIt(work.result);
  });
}

}  // namespace

std::string lostClause(const RoundAt& at) {
  if (at.pass != nullptr) return {};
  std::string text;
  for (const analysis::LostValue& lost : at.flow[at.index].lost)
    text += fmt::format("{}no thread reads {} from here on: its {}, {}, is lost", text.empty() ? "" : "; ",
                        placeOf(at, lost.value), valueOf(at, lost.value), partOf(at, lost));
  return text;
}

std::string missingClause(const RoundAt& at) {
  std::string text;
  for (const analysis::RoundFlow& flow : at.flow)
    for (const analysis::LostValue& lost : flow.lost)
      text += fmt::format("{}{}, {} in {}, is missing from it", text.empty() ? "" : "; ", partOf(at, lost),
                          valueOf(at, lost.value), placeOf(at, lost.value));
  return text;
}

std::string waitingClause(const RoundAt& at) {
  if (at.pass != nullptr || at.index == 0 || !at.analysis.races.empty()) return {};
  const std::vector<std::vector<bool>>& before = at.flow[at.index - 1].liveAfter;
  const std::vector<std::vector<bool>>& after = at.work().liveAfter;
  std::optional<analysis::Operand> waiting;
  for (std::uint32_t array = 0; array < std::min(before.size(), after.size()); ++array)
    for (std::uint64_t element = 0; element < std::min(before[array].size(), after[array].size());
         ++element) {
      if (!before[array][element] || !after[array][element] || touches(at.work(), array, element)) continue;
      if (waiting) return {};
      waiting = {.shared = true, .array = array, .element = element};
    }
  if (!waiting) return {};
  return fmt::format("one value, {}, has no partner and waits for the next stride", placeOf(at, *waiting));
}

}  // namespace stridescope::narration
