#include "analysis/request_list.h"

#include <algorithm>
#include <tuple>

namespace stridescope::analysis {
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

}  // namespace stridescope::analysis
