#include "analysis/exchanges.h"

#include <algorithm>

#include "analysis/event_groups.h"
#include "model/arithmetic.h"

namespace stridescope {
namespace {

class ExchangeReader {
 public:
  ExchangeReader(const Trace& trace, const LaunchTrace& launch) : trace_(trace), launch_(launch) {}

  LaneExchange read(std::uint32_t thread, std::uint32_t index) const {
    const Event& event = launch_.events[index];
    LaneExchange exchange;
    exchange.kind = event.kind();
    exchange.site = event.site();
    exchange.sourceLane = event.kind() == EventKind::Shuffle ? event.sourceLane() : thread % kWarpSize;
    exchange.width = event.width();
    exchange.received = event.value;
    const bool given = index > launch_.first[thread] && launch_.events[index - 1].kind() == EventKind::Give &&
                       launch_.events[index - 1].site() == event.site();
    if (given) exchange.given = launch_.events[index - 1].value;
    exchange.after = recordedAfter(thread, index);
    if (exchange.after) return exchange;
    exchange.after = replayedAfter(exchange);
    exchange.replayed = exchange.after.has_value() && exchange.kind == EventKind::Shuffle;
    return exchange;
  }

 private:
  // What the next events after the exchange say of the register, up to where it is loaded anew.
  std::optional<std::uint64_t> recordedAfter(std::uint32_t thread, std::uint32_t index) const {
    const unsigned width = launch_.events[index].width();
    constexpr std::uint32_t kLookAhead = 256;  // a trace of nothing but exchanges would take for ever
    const std::uint32_t end = std::min(launch_.first[thread + 1], index + 1 + kLookAhead);
    for (std::uint32_t next = index + 1; next < end; ++next) {
      const Event& event = launch_.events[next];
      if (event.kind() == EventKind::Load || event.kind() == EventKind::BlockBarrier) return std::nullopt;
      const bool votes = next + 1 < end && launch_.events[next + 1].kind() == EventKind::Vote;
      if (event.kind() == EventKind::Give && !votes) return event.value;
      const bool custom = trace_.experiment.op == Operator::Custom;
      if (custom && isWrite(event.kind()) && event.width() == width) return event.value;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> replayedAfter(const LaneExchange& exchange) const {
    if (exchange.kind != EventKind::Shuffle || trace_.sites[exchange.site].text.starts_with("__shfl_sync"))
      return exchange.received;
    const Experiment& experiment = trace_.experiment;
    if (experiment.op == Operator::Custom || exchange.width != bytesOf(experiment.type)) return std::nullopt;
    return combineBits(experiment.type, experiment.op, exchange.given, exchange.received);
  }

  const Trace& trace_;
  const LaunchTrace& launch_;
};

}  // namespace

void findExchanges(const Trace& trace, const LaunchTrace& launch, std::vector<Round>& rounds) {
  const ExchangeReader reader(trace, launch);
  for (Round& round : rounds)
    for (const WarpOperation& operation : round.operations) {
      if (!isExchange(operation.kind)) continue;
      round.exchanges.resize(launch.block);
      forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint32_t thread = operation.warp * kWarpSize + lane;
        round.exchanges[thread] = reader.read(thread, operation.event[lane]);
      });
    }
}

RegisterOrigins originsOf(const Round& round) {
  RegisterOrigins origins;
  for (const auto& exchange : round.exchanges) {
    if (!exchange || !exchange->after) continue;
    ++(exchange->replayed ? origins.replayed : origins.recorded);
  }
  return origins;
}

}  // namespace stridescope
