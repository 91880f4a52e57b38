#include "engine/access/gpu/other_acts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/numbers.h"
#include "model/array_names.h"
#include "model/trace_check.h"

namespace stridescope::engine::access::gpu {
namespace {

using patched::Entry;
using patched::EntryKind;

std::string kindOf(const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::RemoteShared:
      return entry.access == patched::kReads    ? "remote load"
             : entry.access == patched::kWrites ? "remote store"
                                                : "remote atomic";
    case EntryKind::BulkToShared:
      return "bulk copy to shared";
    case EntryKind::BulkToGlobal:
      return "bulk copy to global";
    case EntryKind::BulkToOther:
      return "bulk copy to another block";
    case EntryKind::PartBarrier:
      return "barrier of a part";
    case EntryKind::Arrival:
      switch (patched::BarrierAct(entry.value)) {
        case patched::BarrierAct::Init:
          return "barrier made";
        case patched::BarrierAct::Wait:
          return "barrier wait";
        case patched::BarrierAct::Arrive:
        case patched::BarrierAct::ArriveAndDrop:
        case patched::BarrierAct::ArriveWithin:
        case patched::BarrierAct::ArriveAndDropWithin:
          return "barrier arrival";
      }
      return {};
    default:
      return {};
  }
}

class Teller {
 public:
  Teller(const LoggedBlock& log, const std::vector<std::string>& names) : log_(log), names_(names) {}

  std::string sharedAt(std::uint64_t address) const {
    for (const PlacedArray& placed : log_.shared)
      if (address - placed.begin < placed.array.bytes)
        return model::elementName(placed.array,
                                  (address - placed.begin) / std::max(1u, placed.array.elementBytes));
    return "shared memory at byte " + figure(address - std::min(address, log_.windowBegin));
  }
  std::string globalAt(std::uint64_t address) const {
    for (std::size_t i = 0; i < log_.buffers.size() && i < names_.size(); ++i)
      if (address - log_.buffers[i].base < log_.buffers[i].bytes)
        return "byte " + figure(address - log_.buffers[i].base) + " of " + names_[i];
    return "device memory";
  }

 private:
  const LoggedBlock& log_;
  const std::vector<std::string>& names_;
};

// The entries that become one act: of one instruction, to one block or barrier, between two block barriers.
struct Group {
  model::OtherAct act;
  Entry first;
  std::set<unsigned> threads;
  std::uint64_t low = ~0ull, high = 0;  // addresses
};

std::string sentenceOf(const Group& group, const Teller& teller) {
  const model::OtherAct& act = group.act;
  const Entry& first = group.first;
  const std::string who = group.threads.size() == 1 ? "Thread " + std::to_string(*group.threads.begin())
                                                    : figure(group.threads.size()) + " threads";
  const bool isOne = group.threads.size() == 1;
  const std::string often = act.times == act.threads ? "" : ", " + figure(act.times) + " times in all";
  std::string text = "Line " + std::to_string(act.line) + ": " + who;
  switch (first.kind) {
    case EntryKind::RemoteShared:
      text += std::string(first.access == patched::kReads    ? (isOne ? " loads" : " load")
                          : first.access == patched::kWrites ? (isOne ? " stores" : " store")
                                                             : (isOne ? " changes" : " change")) +
              " " + figure(first.bytes) + (first.bytes == 1 ? " byte" : " bytes") + (isOne ? "" : " each") +
              " in the shared memory of block " + std::to_string(act.clusterRank) + " of the cluster, from " +
              teller.sharedAt(group.low) + " to " + teller.sharedAt(group.high);
      break;
    case EntryKind::BulkToShared:
      text += std::string(isOne ? " copies" : " copy") + " " + figure(first.upper) + " bytes from " +
              teller.globalAt(first.value) + " to " + teller.sharedAt(first.address) + ", in bulk";
      break;
    case EntryKind::BulkToGlobal:
      text += std::string(isOne ? " copies" : " copy") + " " + figure(first.upper) + " bytes from " +
              teller.sharedAt(first.address) + " to " + teller.globalAt(first.value) + ", in bulk";
      break;
    case EntryKind::BulkToOther:
      text += std::string(isOne ? " copies" : " copy") + " " + figure(first.upper) + " bytes from " +
              teller.sharedAt(first.address) + " to another block of the cluster, in bulk";
      break;
    case EntryKind::PartBarrier:
      text += std::string(isOne ? " comes" : " come") + " to barrier " + std::to_string(first.address) +
              ", which waits for " + figure(first.value) + " threads of the block";
      break;
    default:
      text += std::string(act.kind == "barrier made"   ? (isOne ? " makes" : " make")
                          : act.kind == "barrier wait" ? (isOne ? " waits at" : " wait at")
                                                       : (isOne ? " arrives at" : " arrive at")) +
              " the barrier in " + teller.sharedAt(first.address);
      break;
  }
  return text + often + ".";
}

}  // namespace

std::vector<model::OtherAct> otherActsOf(const LoggedBlock& log, const std::vector<UnshownEntry>& unshown,
                                         const std::vector<std::string>& names, const LineOf& lineOf) {
  std::vector<Group> groups;
  std::map<std::tuple<std::uint64_t, std::string, std::int64_t, std::uint64_t, std::uint32_t>, std::size_t>
      known;
  for (const UnshownEntry& each : unshown) {
    const Entry& entry = log.entries[each.entry];
    const std::string kind = kindOf(entry);
    if (kind.empty()) continue;
    const std::int64_t rank = entry.kind == EntryKind::RemoteShared ? std::int64_t(entry.upper) : -1;
    // Barriers by their place; accesses of one instruction go to many.
    const std::uint64_t place =
        entry.kind == EntryKind::Arrival || entry.kind == EntryKind::PartBarrier ? entry.address : 0;
    const std::tuple key(entry.pc, kind, rank, place, each.barriersBefore);
    if (groups.size() == model::kMaxOtherActs && !known.contains(key)) continue;
    const auto [found, isNew] = known.try_emplace(key, groups.size());
    if (isNew)
      groups.push_back({.act = {.kind = kind,
                                .line = lineOf(entry.pc),
                                .clusterRank = rank,
                                .thread = entry.thread,
                                .eventsBefore = each.eventsBefore},
                        .first = entry,
                        .threads = {}});
    Group& group = groups[found->second];
    group.threads.insert(entry.thread);
    group.low = std::min<std::uint64_t>(group.low, entry.address);
    group.high = std::max<std::uint64_t>(group.high, entry.address);
    ++group.act.times;
    group.act.bytes += entry.kind == EntryKind::RemoteShared ? entry.bytes
                       : entry.kind == EntryKind::BulkToShared || entry.kind == EntryKind::BulkToGlobal ||
                               entry.kind == EntryKind::BulkToOther
                           ? entry.upper
                           : 0;
  }
  std::vector<model::OtherAct> acts;
  const Teller teller(log, names);
  for (Group& group : groups) {
    group.act.threads = group.threads.size();
    group.act.sentence = sentenceOf(group, teller);
    acts.push_back(std::move(group.act));
  }
  return acts;
}

}  // namespace stridescope::engine::access::gpu
