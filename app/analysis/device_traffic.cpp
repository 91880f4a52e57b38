#include "analysis/device_traffic.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/rounds.h"
#include "analysis/warp_operations.h"

namespace stridescope::analysis {
namespace {

using model::EventKind;

// How the sites of a trace take part in what orders accesses.
class SiteOrders {
 public:
  explicit SiteOrders(const model::Trace& trace) : trace_(trace) {}

  // By an operation with a memory order, or by an atomic: such accesses do not race with one another.
  bool isAtomic(std::uint32_t site, EventKind kind) const {
    if (kind == EventKind::Atomic || modelOf(site).order != model::MemoryOrder::None) return true;
    return site < trace_.sites.size() && (trace_.sites[site].handsOver || trace_.sites[site].isAtomic);
  }
  // Other devices' threads see the order of operations in the scope of the system alone.
  bool releasesToAll(std::uint32_t site) const {
    return model::releases(modelOf(site).order) && modelOf(site).scope == model::MemoryScope::System;
  }
  bool acquiresFromAll(std::uint32_t site) const {
    return model::acquires(modelOf(site).order) && modelOf(site).scope == model::MemoryScope::System;
  }

 private:
  model::SiteModel modelOf(std::uint32_t site) const {
    return site < trace_.kernel.sites.size() ? trace_.kernel.sites[site] : model::SiteModel{};
  }
  const model::Trace& trace_;
};

// A launch in which one block was recorded, as the search for rounds takes it.
model::LaunchTrace withBlock(const model::LaunchTrace& launch, const model::BlockTrace& block) {
  model::LaunchTrace one;
  one.elements = launch.elements;
  one.buffers = launch.buffers;
  one.setShape(launch.gridShape(), launch.blockShape());
  one.devices = launch.devices;
  one.blocks = {block};
  return one;
}

// The recorded block of a device with its rounds.
struct DeviceBlock {
  const model::BlockTrace& block;
  std::vector<Round> rounds{};  // of one that is not shown: their operations alone
};

// An access to device memory: which thread made it, and in what order.
struct DeviceAccess {
  std::uint32_t buffer = 0;
  unsigned copy = 0;         // the device whose memory it is
  std::uint64_t offset = 0;  // in the copy, bytes
  unsigned width = 0;
  bool writes = false, atomic = false;
  unsigned device = 0;
  std::uint32_t thread = 0, event = 0;  // index into the block's events
  std::uint32_t barriers = 0;           // that the thread had passed
  std::uint32_t site = 0;
  std::uint64_t value = 0;
};

DeviceAccess accessOf(const model::LaunchTrace& launch, const SiteOrders& orders,
                      const model::BlockTrace& block, std::uint32_t thread, std::uint32_t index) {
  const model::Event& event = block.events[index];
  const model::Array& array = launch.buffers[event.buffer()];
  const unsigned copy = array.deviceAt(event.offset());
  return {.buffer = event.buffer(),
          .copy = copy,
          .offset = event.offset() - copy * array.copyBytes(),
          .width = event.width(),
          .writes = isWrite(event.kind()),
          .atomic = orders.isAtomic(event.site(), event.kind()),
          .device = block.device,
          .thread = thread,
          .event = index,
          .site = event.site(),
          .value = event.value};
}

template <class Visit>
void forEachAccess(const model::LaunchTrace& launch, const SiteOrders& orders, const DeviceBlock& block,
                   std::size_t round, Visit visit) {
  if (round >= block.rounds.size()) return;
  for (const WarpOperation& operation : block.rounds[round].operations) {
    if (!isAccess(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      if (!block.block.events[operation.event[lane]].inGlobal()) return;
      visit(accessOf(launch, orders, block.block, threadOf(operation, lane), operation.event[lane]));
    });
  }
}

std::vector<ElementRun> runsOf(const std::vector<std::uint64_t>& ascending) {
  std::vector<ElementRun> runs;
  for (const std::uint64_t element : ascending)
    if (!runs.empty() && runs.back().end == element)
      ++runs.back().end;
    else
      runs.push_back({element, element + 1});
  return runs;
}

class TransferGatherer {
 public:
  TransferGatherer(const model::LaunchTrace& launch) : launch_(launch) {}

  void add(const DeviceAccess& access) {
    if (access.copy == access.device) return;
    const unsigned from = access.writes ? access.device : access.copy;
    const unsigned to = access.writes ? access.copy : access.device;
    Gathered& gathered = byLink_[{from, to, access.device, access.buffer}];
    const std::uint64_t bytes = std::max(1u, launch_.buffers[access.buffer].elementBytes);
    gathered.bytes += access.width;
    gathered.isMessage = gathered.isMessage || access.atomic;
    for (std::uint64_t element = access.offset / bytes; element * bytes < access.offset + access.width;
         ++element)
      gathered.elements.push_back(element);
  }

  std::vector<DeviceTransfer> take() {
    std::vector<DeviceTransfer> transfers;
    for (auto& [link, gathered] : byLink_) {
      auto& elements = gathered.elements;
      std::ranges::sort(elements);
      elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
      const auto& [from, to, by, buffer] = link;
      transfers.push_back({.from = from,
                           .to = to,
                           .by = by,
                           .buffer = buffer,
                           .runs = runsOf(elements),
                           .bytes = gathered.bytes,
                           .isMessage = gathered.isMessage});
    }
    return transfers;
  }

 private:
  struct Gathered {
    std::uint64_t bytes = 0;
    bool isMessage = false;
    std::vector<std::uint64_t> elements;
  };
  const model::LaunchTrace& launch_;
  std::map<std::tuple<unsigned, unsigned, unsigned, std::uint32_t>, Gathered> byLink_;
};

// Which device's block has stored a word into another one's memory, by an atomic store.
using Senders = std::map<std::tuple<std::uint32_t, unsigned, std::uint64_t>, unsigned>;

Senders sendersIn(const model::LaunchTrace& launch, const SiteOrders& orders,
                  const std::vector<DeviceBlock>& blocks) {
  Senders senders;
  for (const DeviceBlock& block : blocks)
    for (std::size_t round = 0; round < block.rounds.size(); ++round)
      forEachAccess(launch, orders, block, round, [&](const DeviceAccess& access) {
        if (access.writes && access.atomic && access.copy != access.device)
          senders[{access.buffer, access.copy, access.offset}] = access.device;
      });
  return senders;
}

// Which devices' elements are combined in what each element of the arrays holds.
class PartFollower {
 public:
  // Whether what a launch stores can be followed: elements of arrays, which go from load to store in a
  // thread.
  static bool canFollow(const model::LaunchTrace& launch) {
    std::uint64_t elements = 0;
    for (const model::Array& buffer : launch.buffers) {
      const bool isArray =
          buffer.role == model::ParameterRole::Input || buffer.role == model::ParameterRole::Output;
      if (!isArray) return false;
      elements = std::max(elements, buffer.copyElements());
    }
    return elements <= kMaxFollowedElements;
  }

  // The launch stays until endLaunch(). What the arrays hold goes on from launch to launch.
  void begin(const model::LaunchTrace& launch) {
    launch_ = &launch;
    if (!masks_.empty()) return;
    for (const model::Array& buffer : launch.buffers) {
      auto& copies = masks_.emplace_back(launch.devices);
      for (unsigned device = 0; device < launch.devices; ++device)
        copies[device].assign(buffer.copyElements(),
                              buffer.role == model::ParameterRole::Input ? 1u << device : 0u);
    }
  }

  void load(const DeviceAccess& access) {
    Thread& thread = threads_[{access.device, access.thread}];
    if (thread.hasStored) thread = {};
    thread.of |= maskAt(access);
  }
  void store(const DeviceAccess& access) {
    Thread& thread = threads_[{access.device, access.thread}];
    thread.hasStored = true;
    stored_.emplace_back(access, thread.of);
  }

  void endRound() {
    for (const auto& [access, of] : stored_)
      if (const std::uint64_t element = elementAt(access);
          element < masks_[access.buffer][access.copy].size())
        masks_[access.buffer][access.copy][element] = of;
    stored_.clear();
  }
  void endLaunch() { threads_.clear(); }

  // By buffer, by device. `elements`: those of the arrays that mean something.
  std::vector<std::vector<std::vector<DevicePart>>> parts(std::uint64_t elements) const {
    std::vector<std::vector<std::vector<DevicePart>>> all;
    for (const auto& copies : masks_) {
      auto& ofBuffer = all.emplace_back();
      for (const std::vector<std::uint32_t>& copy : copies) {
        auto& parts = ofBuffer.emplace_back();
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(elements, copy.size()); ++i)
          if (!parts.empty() && parts.back().of == copy[i])
            parts.back().end = i + 1;
          else
            parts.push_back({i, i + 1, copy[i]});
      }
    }
    return all;
  }

 private:
  struct Thread {
    std::uint32_t of = 0;
    bool hasStored = false;
  };
  std::uint64_t elementAt(const DeviceAccess& access) const {
    return access.offset / std::max(1u, launch_->buffers[access.buffer].elementBytes);
  }
  std::uint32_t maskAt(const DeviceAccess& access) const {
    const auto& copy = masks_[access.buffer][access.copy];
    const std::uint64_t element = elementAt(access);
    return element < copy.size() ? copy[element] : 0;
  }

  const model::LaunchTrace* launch_ = nullptr;
  std::vector<std::vector<std::vector<std::uint32_t>>> masks_;  // by buffer, device, element
  std::map<std::pair<unsigned, std::uint32_t>, Thread> threads_;
  std::vector<std::pair<DeviceAccess, std::uint32_t>> stored_;
};

// ---- Races between devices: nothing orders them within a launch but messages.

// A thread has stored a word with release order, and one of another device has found it there by a load with
// acquire order, both in the scope of the system.
struct HandOver {
  DeviceAccess store, load;
};

class DeviceRaces {
 public:
  DeviceRaces(const model::LaunchTrace& launch, const SiteOrders& orders) : launch_(launch), orders_(orders) {
    for (const model::BlockTrace& block : launch.blocks) gather(block);
  }

  std::vector<DeviceRace> find() {
    constexpr std::size_t kMaxRaces = 64;
    findHandOvers();
    std::ranges::sort(all_, {}, [](const DeviceAccess& access) {
      return std::tuple(access.buffer, access.copy, access.offset, access.device, access.thread,
                        access.event);
    });
    std::set<std::tuple<std::uint32_t, std::uint32_t, unsigned, unsigned>> known;
    std::vector<DeviceRace> races;
    for (std::size_t i = 0; i < all_.size() && races.size() < kMaxRaces; ++i)
      for (std::size_t j = i + 1; j < all_.size() && meet(all_[i], all_[j]); ++j) {
        if (!isRace(all_[i], all_[j])) continue;
        const bool inOrder = all_[i].device < all_[j].device;
        const DeviceAccess &first = all_[inOrder ? i : j], &second = all_[inOrder ? j : i];
        if (!known.emplace(first.site, second.site, first.device, second.device).second) continue;
        races.push_back({.buffer = first.buffer,
                         .device = first.copy,
                         .element = all_[j].offset / std::max(1u, launch_.buffers[first.buffer].elementBytes),
                         .first = first.device,
                         .second = second.device,
                         .firstSite = first.site,
                         .secondSite = second.site});
      }
    return races;
  }

 private:
  void gather(const model::BlockTrace& block) {
    for (std::uint32_t thread = 0; thread + 1 < block.first.size(); ++thread) {
      std::uint32_t barriers = 0;
      for (std::uint32_t index = block.first[thread]; index < block.first[thread + 1]; ++index) {
        const model::Event& event = block.events[index];
        if (event.kind() == EventKind::BlockBarrier) ++barriers;
        if (!isAccess(event.kind()) || !event.inGlobal() || event.secondHalf()) continue;
        DeviceAccess access = accessOf(launch_, orders_, block, thread, index);
        access.barriers = barriers;
        all_.push_back(access);
      }
    }
  }

  void findHandOvers() {
    std::map<std::tuple<std::uint32_t, unsigned, std::uint64_t>, std::vector<DeviceAccess>> stores;
    for (const DeviceAccess& access : all_)
      if (access.atomic && access.writes && orders_.releasesToAll(access.site))
        stores[{access.buffer, access.copy, access.offset}].push_back(access);
    if (stores.empty()) return;
    for (const DeviceAccess& load : all_) {
      if (!load.atomic || load.writes || !orders_.acquiresFromAll(load.site)) continue;
      const auto found = stores.find({load.buffer, load.copy, load.offset});
      if (found == stores.end()) continue;
      for (const DeviceAccess& store : found->second)
        if (store.device != load.device && store.value == load.value) handOvers_.push_back({store, load});
    }
  }

  static bool meet(const DeviceAccess& one, const DeviceAccess& next) {
    return one.buffer == next.buffer && one.copy == next.copy && next.offset < one.offset + one.width;
  }

  // Both are of one block: they stand in the order of the thread, or have a block barrier between them.
  static bool isBefore(const DeviceAccess& one, const DeviceAccess& other) {
    return one.thread == other.thread ? one.event < other.event : one.barriers < other.barriers;
  }
  bool isHandedOver(const DeviceAccess& one, const DeviceAccess& other) const {
    return std::ranges::any_of(handOvers_, [&](const HandOver& over) {
      return over.store.device == one.device && over.load.device == other.device &&
             isBefore(one, over.store) && isBefore(over.load, other);
    });
  }
  bool isRace(const DeviceAccess& one, const DeviceAccess& other) const {
    if (one.device == other.device || (!one.writes && !other.writes) || (one.atomic && other.atomic))
      return false;
    return !isHandedOver(one, other) && !isHandedOver(other, one);
  }

  const model::LaunchTrace& launch_;
  const SiteOrders& orders_;
  std::vector<DeviceAccess> all_;
  std::vector<HandOver> handOvers_;
};

class TrafficFinder {
 public:
  TrafficFinder(const model::Trace& trace, const SiteTable& sites, MemoryBudget& budget)
      : orders_(trace), sites_(sites), budget_(budget) {}

  void find(const model::LaunchTrace& launch, LaunchAnalysis& analysis) {
    const std::vector<DeviceBlock> blocks = blocksOf(launch, analysis);
    const Senders senders = sendersIn(launch, orders_, blocks);
    const bool follows = PartFollower::canFollow(launch);
    if (follows) parts_.begin(launch);
    std::size_t rounds = 0;
    for (const DeviceBlock& block : blocks) rounds = std::max(rounds, block.rounds.size());
    for (std::size_t round = 0; round < rounds; ++round) {
      TransferGatherer transfers(launch);
      DeviceRound& found = analysis.traffic.rounds.emplace_back();
      for (const DeviceBlock& block : blocks) look(launch, block, round, senders, follows, transfers, found);
      found.transfers = transfers.take();
      if (!follows) continue;
      parts_.endRound();
      analysis.traffic.partsAfter.push_back(parts_.parts(launch.elements));
    }
    parts_.endLaunch();
    analysis.traffic.races = DeviceRaces(launch, orders_).find();
  }

 private:
  std::vector<DeviceBlock> blocksOf(const model::LaunchTrace& launch, const LaunchAnalysis& analysis) {
    std::vector<DeviceBlock> blocks;
    for (const model::BlockTrace& block : launch.blocks) {
      if (&block == &launch.recorded()) {
        blocks.push_back({block, analysis.rounds});
        continue;
      }
      const model::LaunchTrace one = withBlock(launch, block);
      MemoryBudget untilTheyAreCut = budget_;
      const AlignedWarps timelines = lineUpWarps(one, sites_, untilTheyAreCut);
      blocks.push_back({block, cutIntoRounds(one, timelines.warps, untilTheyAreCut).rounds});
    }
    return blocks;
  }

  void look(const model::LaunchTrace& launch, const DeviceBlock& block, std::size_t round,
            const Senders& senders, bool follows, TransferGatherer& transfers, DeviceRound& found) {
    std::vector<DeviceAccess> inOrder;
    forEachAccess(launch, orders_, block, round, [&](const DeviceAccess& access) {
      transfers.add(access);
      if (follows) inOrder.push_back(access);
      if (access.writes || !access.atomic || access.copy != access.device) return;
      const auto sender = senders.find({access.buffer, access.copy, access.offset});
      if (sender == senders.end()) return;
      const DeviceWait wait{access.device, sender->second, access.thread};
      if (std::ranges::find(found.waits, wait) == found.waits.end()) found.waits.push_back(wait);
    });
    std::ranges::sort(inOrder, {},
                      [](const DeviceAccess& access) { return std::pair(access.thread, access.event); });
    for (const DeviceAccess& access : inOrder) access.writes ? parts_.store(access) : parts_.load(access);
  }

  SiteOrders orders_;
  const SiteTable& sites_;
  MemoryBudget& budget_;
  PartFollower parts_;
};

}  // namespace

void findDeviceTraffic(const model::Trace& trace, const SiteTable& sites, MemoryBudget& budget,
                       std::vector<LaunchAnalysis>& launches) {
  TrafficFinder finder(trace, sites, budget);
  DeviceLinks before;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    if (launch.devices == 1) continue;
    finder.find(launch, launches[i]);
    launches[i].before = before;
    before = before + linksOf(launch, launches[i].traffic);
  }
}

DeviceLinks linksIn(const model::LaunchTrace& launch, const DeviceRound& round) {
  DeviceLinks links{launch.devices, std::vector<std::uint64_t>(std::size_t(launch.devices) * launch.devices)};
  for (const DeviceTransfer& transfer : round.transfers)
    links.bytes[std::size_t(transfer.from) * launch.devices + transfer.to] += transfer.bytes;
  return links;
}

DeviceLinks linksOf(const model::LaunchTrace& launch, const DeviceTraffic& traffic) {
  DeviceLinks links;
  for (const DeviceRound& round : traffic.rounds) links = links + linksIn(launch, round);
  return links;
}

DeviceLinks linksOf(const model::Trace& trace, const Analysis& analysis) {
  DeviceLinks links;
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    links = links + linksOf(trace.launches[i], analysis.launches[i].traffic);
  return links;
}

DeviceLinks operator+(const DeviceLinks& one, const DeviceLinks& other) {
  if (one.bytes.empty()) return other;
  DeviceLinks sum = one;
  for (std::size_t i = 0; i < std::min(sum.bytes.size(), other.bytes.size()); ++i)
    sum.bytes[i] += other.bytes[i];
  return sum;
}

std::uint64_t DeviceLinks::all() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

std::uint64_t DeviceLinks::highest() const { return bytes.empty() ? 0 : std::ranges::max(bytes); }

}  // namespace stridescope::analysis
