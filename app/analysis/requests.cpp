#include "analysis/requests.h"

#include <algorithm>
#include <tuple>

#include "analysis/bank_conflicts.h"
#include "analysis/event_groups.h"
#include "analysis/sectors.h"

namespace stridescope::analysis {
namespace {

Request& requestOf(std::vector<Request>& requests, const WarpOperation& operation, bool shared) {
  // A round has few sites, and one after another comes back to the same: search from the latest.
  for (std::size_t i = requests.size(); i-- > 0;) {
    Request& request = requests[i];
    if (request.site == operation.site && request.kind == operation.kind && request.shared == shared)
      return request;
  }
  Request& request = requests.emplace_back();
  request.site = operation.site;
  request.kind = operation.kind;
  request.shared = shared;
  return request;
}

}  // namespace

void findMemoryUse(const model::LaunchTrace& launch, WarpOperation& operation) {
  if (!isAccess(operation.kind)) return;
  const LaneAddresses addresses = addressesOf(operation, launch);
  if (firstEventOf(operation, launch).inGlobal()) {
    const SectorUse use = countSectors(addresses);
    operation.sectors = use.sectors;
    operation.idealSectors = use.ideal;
  } else if (operation.kind != model::EventKind::Atomic) {
    operation.banks = findBankConflicts(addresses, operation.kind == model::EventKind::Store);
  }
}

std::vector<Request> sumRequests(const model::LaunchTrace& launch, const Round& round) {
  std::vector<Request> requests;
  for (std::uint32_t index = 0; index < round.operations.size(); ++index) {
    const WarpOperation& operation = round.operations[index];
    if (!isAccess(operation.kind)) continue;
    Request& request = requestOf(requests, operation, firstEventOf(operation, launch).inShared());
    request.operations.push_back(index);
    ++request.requests;
    request.wavefronts += operation.banks.wavefronts;
    request.ideal += operation.banks.ideal;
    request.way = std::max(request.way, operation.banks.way);
    std::ranges::transform(request.bankWords, operation.banks.words, request.bankWords.begin(),
                           [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
    request.broadcast = request.broadcast || operation.banks.broadcast;
    request.sectors += operation.sectors;
    request.idealSectors += operation.idealSectors;
  }
  std::ranges::sort(requests, [](const Request& a, const Request& b) {
    return std::tuple(a.site, a.kind, !a.shared) < std::tuple(b.site, b.kind, !b.shared);
  });
  return requests;
}

Totals totalsOf(const Round& round) {
  Totals totals;
  for (const Request& request : round.requests) {
    if (!request.shared) continue;
    if (request.kind == model::EventKind::Load) {
      totals.loadWavefronts += request.wavefronts;
      totals.loadConflicts += request.conflicts();
    } else if (request.kind == model::EventKind::Store) {
      totals.storeWavefronts += request.wavefronts;
      totals.storeConflicts += request.conflicts();
    }
  }
  return totals;
}

Totals totalsOf(const std::vector<Round>& rounds) {
  Totals totals;
  for (const Round& round : rounds) totals = totals + totalsOf(round);
  return totals;
}

Totals operator+(const Totals& a, const Totals& b) {
  return {a.loadWavefronts + b.loadWavefronts, a.storeWavefronts + b.storeWavefronts,
          a.loadConflicts + b.loadConflicts, a.storeConflicts + b.storeConflicts};
}

}  // namespace stridescope::analysis
