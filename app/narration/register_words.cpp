#include "narration/register_words.h"

#include <fmt/format.h>

#include "analysis/event_groups.h"
#include "analysis/exchanges.h"
#include "model/value.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

std::string shuffleFormula(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint32_t thread) {
  const model::Operator op = at.trace.experiment.op;
  const auto text = [&](std::uint64_t bits) { return grouped(exchangedText(at, exchange, bits)); };
  const std::string given = text(exchange.given), received = text(exchange.received);
  const bool fetched = analysis::fetches(exchange, at.trace);
  if (fetched) return fmt::format("receives {} from lane {}", received, exchange.sourceLane);
  std::string formula = exchange.sourceLane == thread % model::kWarpSize
                            ? expression(op, "own", "own, as no lane stands there")
                            : expression(op, "own", fmt::format("lane {}'s", exchange.sourceLane));
  formula += " = " + expression(op, given, received);
  if (exchange.after) formula += " = " + text(*exchange.after);
  return formula + (exchange.replayed ? " (replayed)" : "");
}

}  // namespace

std::string exchangedText(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint64_t bits) {
  const model::ElementType type = at.trace.experiment.type;
  const bool element = exchange.kind != model::EventKind::Vote && exchange.width == model::bytesOf(type);
  return element ? model::printElement(type, bits) : std::to_string(bits);
}

std::string registerText(const RoundAt& at, std::uint32_t thread) {
  const analysis::LaneExchange& exchange = *at.round().exchanges[thread];
  return exchange.after ? exchangedText(at, exchange, *exchange.after) : "?";
}

std::string exchangeFormula(const RoundAt& at, std::uint32_t thread) {
  if (thread >= at.round().exchanges.size() || !at.round().exchanges[thread]) return {};
  const analysis::LaneExchange& exchange = *at.round().exchanges[thread];
  if (exchange.kind == model::EventKind::Shuffle) return shuffleFormula(at, exchange, thread);
  const auto text = [&](std::uint64_t bits) { return grouped(exchangedText(at, exchange, bits)); };
  if (exchange.kind == model::EventKind::Vote)
    return fmt::format("votes {}, result {}", text(exchange.given), text(exchange.received));
  return fmt::format("input {}, result {} in all lanes", text(exchange.given), text(exchange.received));
}

}  // namespace stridescope::narration
