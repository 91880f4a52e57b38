#include "analysis/requests.h"

#include <algorithm>
#include <tuple>

#include "analysis/bank_conflicts.h"
#include "analysis/event_groups.h"

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

namespace {

unsigned amountOf(const Request& request, const WarpOperation& operation) {
  return request.shared ? operation.banks.wavefronts : operation.sectors;
}

template <class Counts>
std::optional<std::uint32_t> worstWhere(const Round& round, const Request& request, Counts counts) {
  std::optional<std::uint32_t> worst;
  for (const std::uint32_t index : request.operations) {
    const WarpOperation& operation = round.operations[index];
    if (!counts(operation)) continue;
    if (!worst || amountOf(request, operation) > amountOf(request, round.operations[*worst])) worst = index;
  }
  return worst;
}

// How many times the ideal was taken; 1 for what has none.
struct Excess {
  std::uint64_t taken = 1, ideal = 1;
  bool operator>(const Excess& other) const { return taken * other.ideal > other.taken * ideal; }
};

Excess excessOf(unsigned taken, unsigned ideal) { return ideal == 0 ? Excess{} : Excess{taken, ideal}; }

bool isWorse(const Request& request, const Request& than) {
  const Excess wavefronts = excessOf(request.wavefronts, request.ideal);
  const Excess thanWavefronts = excessOf(than.wavefronts, than.ideal);
  if (wavefronts > thanWavefronts || thanWavefronts > wavefronts) return wavefronts > thanWavefronts;
  const Excess sectors = excessOf(request.sectors, request.idealSectors);
  const Excess thanSectors = excessOf(than.sectors, than.idealSectors);
  if (sectors > thanSectors || thanSectors > sectors) return sectors > thanSectors;
  return than.broadcast && !request.broadcast;
}

}  // namespace

std::vector<const Request*> listRequests(const Round& round) {
  std::vector<const Request*> list;
  for (const Request& request : round.requests) list.push_back(&request);
  std::ranges::sort(list, {}, [](const Request* request) {
    return std::tuple(request->kind, request->site, !request->shared);
  });
  return list;
}

const Request* findRequest(const Round& round, const RequestId& id) {
  const auto found =
      std::ranges::find_if(round.requests, [&](const RequestId& other) { return other == id; });
  return found == round.requests.end() ? nullptr : &*found;
}

const Request* worstRequest(const Round& round) {
  const Request* worst = nullptr;
  for (const Request* request : listRequests(round))
    if (worst == nullptr || isWorse(*request, *worst)) worst = request;
  return worst;
}

std::uint32_t worstOperation(const Round& round, const Request& request) {
  return *worstWhere(round, request, [](const WarpOperation&) { return true; });
}

std::optional<std::uint32_t> worstOperationOfWarp(const Round& round, const Request& request, unsigned warp) {
  return worstWhere(round, request, [&](const WarpOperation& operation) { return operation.warp == warp; });
}

std::optional<std::uint32_t> worstOperationOfThread(const Round& round, const Request& request,
                                                    unsigned thread) {
  return worstWhere(round, request, [&](const WarpOperation& operation) {
    return operation.warp == thread / model::kWarpSize &&
           (operation.mask >> thread % model::kWarpSize & 1) != 0;
  });
}

namespace {

// Atomics in shared memory take wavefronts that the bank rule does not tell.
bool hasSharedAtomics(const LaunchAnalysis& analysis) {
  return std::ranges::any_of(analysis.rounds, [](const Round& round) {
    return std::ranges::any_of(round.requests, [](const Request& request) {
      return request.kind == model::EventKind::Atomic && request.shared;
    });
  });
}

}  // namespace

std::optional<double> modelled(model::Counter counter, const model::LaunchTrace& launch,
                               const LaunchAnalysis& analysis) {
  return launch.grid == 1 ? modelledOfBlock(counter, launch, analysis) : std::nullopt;
}

std::optional<double> modelledOfBlock(model::Counter counter, const model::LaunchTrace& launch,
                                      const LaunchAnalysis& analysis) {
  if (launch.recorded().cut || hasSharedAtomics(analysis)) return std::nullopt;
  const Totals& totals = analysis.totals;
  switch (counter) {
    case model::Counter::SharedLoadWavefronts:
      return double(totals.loadWavefronts);
    case model::Counter::SharedStoreWavefronts:
      return double(totals.storeWavefronts);
    case model::Counter::SharedLoadConflicts:
      return double(totals.loadConflicts);
    case model::Counter::SharedStoreConflicts:
      return double(totals.storeConflicts);
    default:
      return std::nullopt;
  }
}

}  // namespace stridescope::analysis
