#include "analysis/round_cost.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <vector>

#include "analysis/data_flow.h"
#include "analysis/event_groups.h"
#include "analysis/shared_layout.h"

namespace stridescope::analysis {
namespace {

// Bits for each element of memory that a round keeps flags for.
std::uint64_t flagBytes(const model::LaunchTrace& launch) {
  std::uint64_t elements = 0;
  for (const model::Array& array : launch.recorded().shared) elements += array.bytes / array.elementBytes;
  for (const model::Array& buffer : launch.buffers)
    elements += std::min(buffer.bytes / buffer.elementBytes, kMaxFollowedElements);
  return elements / 8;
}

// One for each site, kind and space that is accessed, whichever warps do so.
std::uint64_t countRequests(const model::LaunchTrace& launch, const Round& round) {
  std::vector<std::tuple<std::uint32_t, model::EventKind, bool>> requests;
  for (const WarpOperation& operation : round.operations)
    if (isAccess(operation.kind))
      requests.emplace_back(operation.site, operation.kind, firstEventOf(operation, launch).inGlobal());
  std::ranges::sort(requests);
  return std::uint64_t(std::unique(requests.begin(), requests.end()) - requests.begin());
}

struct Users {
  std::uint64_t accessing = 0;  // threads
  std::uint64_t followed = 0;   // elements of device memory, each as often as it is accessed
  bool exchange = false;
};

std::uint64_t followedElements(const model::LaunchTrace& launch, const WarpOperation& operation) {
  const model::Event& event = firstEventOf(operation, launch);
  if (!event.inGlobal()) return 0;
  const unsigned elements = std::max(1u, event.width() / launch.buffers[event.buffer()].elementBytes);
  return std::uint64_t(std::popcount(operation.mask)) * elements;
}

Users usersOf(const model::LaunchTrace& launch, const Round& round) {
  Users users;
  std::vector<std::uint32_t> accessing(model::warpsOf(launch.block), 0);
  for (const WarpOperation& operation : round.operations) {
    if (isAccess(operation.kind)) {
      accessing[operation.warp] |= operation.mask;
      users.followed += followedElements(launch, operation);
    }
    users.exchange = users.exchange || isExchange(operation.kind);
  }
  for (const std::uint32_t lanes : accessing) users.accessing += std::uint64_t(std::popcount(lanes));
  return users;
}

}  // namespace

std::uint64_t costOf(const model::LaunchTrace& launch, const Round& round) {
  const std::uint64_t snapshot = SharedLayout(launch).bytes();
  const Users users = usersOf(launch, round);
  std::uint64_t bytes = sizeof(Round) + sizeof(RoundFlow) + launch.block * sizeof(LaneState);
  constexpr std::uint64_t kListed = 2 * sizeof(std::uint32_t);  // Request::operations grows by doubling
  bytes += round.operations.size() * (sizeof(WarpOperation) + kListed);
  bytes += 2 * countRequests(launch, round) * sizeof(Request);  // Round::requests grows by doubling, too
  bytes += snapshot + snapshot / 8 + flagBytes(launch);
  bytes += users.accessing * sizeof(ThreadWork) + users.followed * sizeof(DeviceChange);
  if (users.exchange) bytes += launch.block * (sizeof(std::optional<LaneExchange>) + 1);
  return bytes;
}

}  // namespace stridescope::analysis
