#include "analysis/arrivals.h"

#include <algorithm>
#include <tuple>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

using model::ParameterRole;

std::optional<std::size_t> placeOf(const model::LaunchTrace& launch, std::uint64_t block) {
  const auto found = std::ranges::find(launch.arrivals, block, &model::Arrival::block);
  if (found == launch.arrivals.end()) return std::nullopt;
  return std::size_t(found - launch.arrivals.begin());
}

}  // namespace

std::uint64_t elementsPerBlock(const model::LaunchTrace& launch, const model::Array& buffer) {
  if (buffer.role == ParameterRole::Partials) return 1;
  if (buffer.role != ParameterRole::Messages && buffer.role != ParameterRole::Inbox) return 0;
  const auto input = model::indexOfRole(launch.buffers, ParameterRole::Input);
  constexpr unsigned kBytesInAWord = 4;  // beside the flag
  return input ? std::max(1u, launch.buffers[*input].elementBytes / kBytesInAWord) : 0;
}

std::optional<RoundArrivals> arrivalsIn(const model::LaunchTrace& launch, const Round& round) {
  if (launch.arrivals.empty()) return std::nullopt;
  const model::BlockTrace& block = launch.recorded();
  RoundArrivals arrivals;
  for (const WarpOperation& operation : round.operations) {
    if (!isAccess(operation.kind) || !firstEventOf(operation, launch).inGlobal()) continue;
    const model::Array& buffer = launch.buffers[firstEventOf(operation, launch).buffer()];
    if (!buffer.role) continue;
    if (isWrite(operation.kind)) {
      if (model::joinsBlocks(*buffer.role) && !arrivals.own) arrivals.own = placeOf(launch, block.block);
      continue;
    }
    const std::uint64_t perBlock = elementsPerBlock(launch, buffer);
    if (perBlock == 0) continue;
    const bool isInbox = buffer.role == ParameterRole::Inbox;
    arrivals.waits = arrivals.waits || isInbox || buffer.role == ParameterRole::Messages;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint64_t offset = block.events[operation.event[lane]].offset();
      const std::uint64_t element = offset % buffer.copyBytes() / buffer.elementBytes;
      // The devices' words are those of their first blocks; the words of blocks are of the same device's.
      const std::uint64_t sender =
          isInbox ? element / perBlock * launch.blocksOfDevice()
                  : buffer.deviceAt(offset) * launch.blocksOfDevice() + element / perBlock;
      arrivals.reads.push_back({threadOf(operation, lane), sender});
    });
  }
  if (!arrivals.own && arrivals.reads.empty()) return std::nullopt;
  std::ranges::sort(arrivals.reads, {},
                    [](const BlockRead& read) { return std::tuple(read.block, read.thread); });
  const auto [again, end] = std::ranges::unique(arrivals.reads);
  arrivals.reads.erase(again, end);
  return arrivals;
}

}  // namespace stridescope::analysis
