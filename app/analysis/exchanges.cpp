#include "analysis/exchanges.h"

#include <algorithm>

#include "analysis/event_groups.h"
#include "model/arithmetic.h"

namespace stridescope::analysis {
namespace {

class ExchangeReader {
 public:
  ExchangeReader(const model::Trace& trace, const model::LaunchTrace& launch)
      : trace_(trace), launch_(launch) {}

  LaneExchange read(std::uint32_t thread, std::uint32_t index) const {
    const model::Event& event = block_.events[index];
    LaneExchange exchange;
    exchange.kind = event.kind();
    exchange.site = event.site();
    exchange.sourceLane =
        event.kind() == model::EventKind::Shuffle ? event.sourceLane() : thread % model::kWarpSize;
    exchange.width = event.width();
    exchange.received = event.value;
    const bool given = index > block_.first[thread] &&
                       block_.events[index - 1].kind() == model::EventKind::Give &&
                       block_.events[index - 1].site() == event.site();
    if (given) exchange.given = block_.events[index - 1].value;
    exchange.after = assignedAfter(thread, index);
    if (!exchange.after) exchange.after = recordedAfter(thread, index);
    if (exchange.after) return exchange;
    exchange.after = replayedAfter(exchange);
    exchange.replayed = exchange.after.has_value() && exchange.kind == model::EventKind::Shuffle;
    return exchange;
  }

 private:
  // The last value that the lane assigned between the exchange and its next act.
  std::optional<std::uint64_t> assignedAfter(std::uint32_t thread, std::uint32_t index) const {
    std::optional<std::uint64_t> after;
    for (std::uint32_t next = index + 1; next < block_.first[thread + 1]; ++next) {
      const model::Event& event = block_.events[next];
      if (event.kind() == model::EventKind::Value && event.width() == block_.events[index].width())
        after = event.value;
      else if (event.kind() != model::EventKind::Branch && event.kind() != model::EventKind::Give)
        break;
    }
    return after;
  }
  // What the next events after the exchange say of the register, up to where it is loaded anew.
  std::optional<std::uint64_t> recordedAfter(std::uint32_t thread, std::uint32_t index) const {
    const unsigned width = block_.events[index].width();
    constexpr std::uint32_t kLookAhead = 256;  // a trace of nothing but exchanges would take for ever
    const std::uint32_t end = std::min(block_.first[thread + 1], index + 1 + kLookAhead);
    for (std::uint32_t next = index + 1; next < end; ++next) {
      const model::Event& event = block_.events[next];
      if (event.kind() == model::EventKind::Load || event.kind() == model::EventKind::BlockBarrier)
        return std::nullopt;
      const bool votes = next + 1 < end && block_.events[next + 1].kind() == model::EventKind::Vote;
      if (event.kind() == model::EventKind::Give && !votes) return event.value;
      const bool custom = trace_.experiment.op == model::Operator::Custom;
      if (custom && isWrite(event.kind()) && event.width() == width) return event.value;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> replayedAfter(const LaneExchange& exchange) const {
    if (exchange.kind != model::EventKind::Shuffle || fetches(exchange, trace_)) return exchange.received;
    const model::Experiment& experiment = trace_.experiment;
    if (experiment.op == model::Operator::Custom || exchange.width != model::bytesOf(experiment.type))
      return std::nullopt;
    return model::combineBits(experiment.type, experiment.op, exchange.given, exchange.received);
  }

  const model::Trace& trace_;
  const model::LaunchTrace& launch_;
  const model::BlockTrace& block_ = launch_.recorded();
};

}  // namespace

void findExchanges(const model::Trace& trace, const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const ExchangeReader reader(trace, launch);
  for (Round& round : rounds)
    for (const WarpOperation& operation : round.operations) {
      if (!isExchange(operation.kind)) continue;
      round.exchanges.resize(launch.block);
      forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
        round.exchanges[thread] = reader.read(thread, operation.event[lane]);
      });
    }
}

bool fetches(const LaneExchange& exchange, const model::Trace& trace) {
  return exchange.site < trace.kernel.sites.size() &&
         trace.kernel.sites[exchange.site].operation == model::Operation::ShflIdx;
}

RegisterOrigins originsOf(const Round& round) {
  RegisterOrigins origins;
  for (const auto& exchange : round.exchanges) {
    if (!exchange || !exchange->after) continue;
    ++(exchange->replayed ? origins.replayed : origins.recorded);
  }
  return origins;
}

}  // namespace stridescope::analysis
