#include "narration/round_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/bank_conflicts.h"
#include "analysis/event_groups.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

template <class Visit>
void forEachAccess(const RoundAt& at, Visit visit) {
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      visit(operation.kind, operation.warp * model::kWarpSize + lane,
            at.launch.recorded().events[operation.event[lane]]);
    });
  }
}

std::uint64_t elementOf(const std::vector<model::Array>& arrays, std::uint32_t array,
                        const model::Event& event) {
  return event.offset() / std::max(1u, arrays[array].elementBytes);
}

}  // namespace

bool takesPart(const analysis::Round& round, model::EventKind kind) {
  return std::ranges::any_of(
      round.operations, [&](const analysis::WarpOperation& operation) { return operation.kind == kind; });
}

DeviceReads deviceReads(const RoundAt& at) {
  std::vector<bool> written(at.launch.buffers.size(), false), read(at.launch.buffers.size(), false);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (!analysis::isAccess(operation.kind)) continue;
    const model::Event& event = analysis::firstEventOf(operation, at.launch);
    if (event.inGlobal()) (operation.kind == model::EventKind::Load ? read : written)[event.buffer()] = true;
  }
  DeviceReads reads;
  for (std::uint32_t buffer = 0; buffer < read.size(); ++buffer) {
    if (!read[buffer]) continue;
    reads.inPlace = reads.inPlace || written[buffer];
    (at.analysis.deviceMemory.windowOf(buffer) ? reads.ownWork : reads.input) = true;
  }
  return reads;
}

bool readsOneEach(const RoundAt& at) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> readBy;  // thread and array
  bool one = true;
  forEachAccess(at, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
    if (kind != model::EventKind::Load || !event.inShared()) return;
    const std::uint64_t element = elementOf(at.launch.recorded().shared, event.sharedArray(), event);
    const auto [entry, fresh] = readBy.try_emplace({thread, event.sharedArray()}, element);
    one = one && (fresh || entry->second == element);
  });
  return one;
}

bool accumulates(const RoundAt& at) {
  return at.pass != nullptr && std::ranges::any_of(at.work().work, [](const auto& work) {
           return work.operands.size() > 1 && work.operands.front().inRegister;
         });
}

std::optional<std::uint64_t> paddedWordsApart(const RoundAt& at) {
  if (!at.round().stride) return std::nullopt;
  std::optional<std::uint64_t> apart;  // bytes
  for (const analysis::ThreadWork& own : at.work().work) {
    if (!own.a || !own.b) continue;
    const analysis::Operand &a = *own.a, &b = *own.b;
    if (!a.placed || !b.placed || !a.shared || !b.shared || a.array != b.array) return std::nullopt;
    const std::uint64_t elements = std::max(a.element, b.element) - std::min(a.element, b.element);
    const std::uint64_t bytes = elements * at.launch.recorded().shared[a.array].elementBytes;
    if (elements == at.round().stride || (apart && *apart != bytes)) return std::nullopt;
    apart = bytes;
  }
  return apart ? std::optional(*apart / analysis::kBankBytes) : std::nullopt;
}

std::vector<DeviceWrite> deviceWrites(const RoundAt& at) {
  std::vector<DeviceWrite> writes;
  forEachAccess(at, [&](model::EventKind kind, std::uint32_t thread, const model::Event& event) {
    if (!analysis::isWrite(kind) || !event.inGlobal()) return;
    writes.push_back({thread, event.buffer(), elementOf(at.launch.buffers, event.buffer(), event),
                      event.value, kind == model::EventKind::Atomic});
  });
  std::ranges::stable_sort(writes, {}, &DeviceWrite::thread);
  return writes;
}

std::optional<model::Operation> operationOf(const RoundAt& at, model::EventKind kind) {
  const auto& sites = at.trace.kernel.sites;
  for (const analysis::WarpOperation& operation : at.round().operations)
    if (operation.kind == kind && operation.site < sites.size()) return sites[operation.site].operation;
  return std::nullopt;
}

std::string warpReductionInWords(const RoundAt& at) {
  const auto operation = operationOf(at, model::EventKind::WarpReduce);
  if (operation == model::Operation::GroupReduce) return "cg::reduce";
  return operation ? "one instruction" : "a warp reduction";
}

}  // namespace stridescope::narration
