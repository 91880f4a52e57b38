#include "engine/access/gpu/access_log.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "base/numbers.h"
#include "engine/access/gpu/part_meetings.h"
#include "model/array_names.h"
#include "model/trace_check.h"
#include "recording/event.h"

namespace stridescope::engine::access::gpu {
namespace {

using patched::Entry;
using patched::EntryKind;
using recording::EventKind;
using recording::SiteKind;

SiteKind siteKindOf(const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::BlockBarrier:
      return SiteKind::BlockBarrier;
    case EntryKind::WarpBarrier:
    case EntryKind::Shuffle:
    case EntryKind::Exchange:
      return SiteKind::WarpOperation;
    case EntryKind::Condition:
      return SiteKind::Branch;
    case EntryKind::Shared:
    case EntryKind::Global:
    case EntryKind::Clock:
    case EntryKind::Given:
    case EntryKind::Received:
    case EntryKind::RemoteShared:
    case EntryKind::RemoteStored:
    case EntryKind::BulkToShared:
    case EntryKind::BulkToGlobal:
    case EntryKind::BulkToOther:
    case EntryKind::Arrival:
    case EntryKind::PartBarrier:
      break;
  }
  return entry.access == patched::kReads    ? SiteKind::Load
         : entry.access == patched::kWrites ? SiteKind::Store
                                            : SiteKind::Atomic;
}

EventKind eventKindOf(patched::ToldExchange exchange) {
  switch (exchange) {
    case patched::ToldExchange::Vote:
      return EventKind::Vote;
    case patched::ToldExchange::WarpReduce:
      return EventKind::WarpReduce;
    case patched::ToldExchange::Shuffle:
      break;
  }
  return EventKind::Shuffle;
}

EventKind eventKindOf(SiteKind kind) {
  return kind == SiteKind::Load    ? EventKind::Load
         : kind == SiteKind::Store ? EventKind::Store
                                   : EventKind::Atomic;
}

// Which entries are one instruction that lanes executed together. The same lanes execute it together each
// time, so the k-th time that one of them does is the k-th time of all.
class IssueCounter {
 public:
  // Entries are asked for in the order in which they were written.
  std::uint32_t issueOf(const Entry& entry) {
    const unsigned warp = entry.thread / model::kWarpSize, lane = entry.thread % model::kWarpSize;
    Group& group = groups_[{warp, entry.pc, entry.kind, entry.access, entry.together}];
    const std::uint32_t time = group.timesOfLane[lane]++;
    if (time == group.issues.size()) group.issues.push_back(next_++);
    return group.issues[time];
  }

 private:
  struct Group {
    std::array<std::uint32_t, model::kWarpSize> timesOfLane{};
    std::vector<std::uint32_t> issues;
  };
  std::map<std::tuple<unsigned, std::uint64_t, EntryKind, std::uint8_t, std::uint32_t>, Group> groups_;
  std::uint32_t next_ = 0;
};

// What a thread's number is called in a sentence.
std::string threadName(unsigned thread) { return "thread " + std::to_string(thread); }

class LogReader {
 public:
  LogReader(const LoggedBlock& log, Instructions& instructions, model::BlockTrace& block)
      : log_(log),
        instructions_(instructions),
        block_(block),
        threads_(log.threads),
        parts_(log.threads, log.entries),
        stored_(log.windowBytes) {}

  std::vector<UnshownEntry> read() {
    const std::vector<bool> isPart = partsOfBarriers();
    for (std::size_t i = 0; i < log_.entries.size(); ++i) {
      const Entry& entry = log_.entries[i];
      if (entry.kind == EntryKind::RemoteStored) keepStored(entry.address, entry.upper);
      if (entry.thread >= log_.threads) continue;
      const Thread& thread = threads_[entry.thread];
      parts_.come(entry, std::uint32_t(thread.events.size()));
      if (isUnshown(entry.kind)) {
        unshown_.push_back({i, std::uint32_t(thread.events.size()), std::uint32_t(thread.barriers.size())});
      } else if (isRead(entry.kind) && !isPart[i]) {
        take(entry);
      }
    }
    keepEvents();
    keepMeetings();
    keepCopies();
    findMissingThreads();
    if (log_.dropped > 0 || isCut_)
      addProblem(model::ProblemKind::Limit,
                 "The log is full: " + figure(log_.entries.size()) +
                     " accesses were kept. Take fewer elements, or a smaller block.",
                 -1, 0);
    block_.cut = log_.dropped > 0 || isCut_;
    return std::move(unshown_);
  }

 private:
  struct Thread {
    std::vector<model::Event> events;
    std::vector<std::uint32_t> issues;    // of the events
    std::vector<std::uint32_t> barriers;  // the sites of its block barriers
  };

  static bool isRead(EntryKind kind) {
    return kind <= EntryKind::Shuffle || kind == EntryKind::Condition || kind == EntryKind::Exchange;
  }

  // RemoteStored is another block's.
  static bool isUnshown(EntryKind kind) {
    return kind == EntryKind::RemoteShared || kind == EntryKind::BulkToShared ||
           kind == EntryKind::BulkToGlobal || kind == EntryKind::BulkToOther || kind == EntryKind::Arrival ||
           kind == EntryKind::PartBarrier;
  }

  void keepStored(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t from = address - log_.windowBegin;
    if (from > stored_.size() || stored_.size() - from < bytes) return;
    const auto first = stored_.begin() + std::ptrdiff_t(from);
    std::fill(first, first + std::ptrdiff_t(bytes), true);
  }

  void take(const Entry& entry) {
    Thread& thread = threads_[entry.thread];
    const SiteKind kind = siteKindOf(entry);
    const std::uint32_t site = instructions_.numberOf(entry.pc, kind);
    issue_ = issues_.issueOf(entry);
    if (entry.kind == EntryKind::BlockBarrier) {
      thread.barriers.push_back(site);
      return put(thread, {recording::eventHead(0, site, EventKind::BlockBarrier, 0, 0), 0});
    }
    if (entry.kind == EntryKind::Condition)
      return put(thread, {recording::eventHead(0, site, EventKind::Branch, 0, 0), entry.value & 1});
    if (entry.kind == EntryKind::Exchange) return exchange(thread, entry, site);
    // A shuffle is a place where its lanes wait for each other; what these exchange is not known.
    if (kind == SiteKind::WarpOperation)
      return put(thread, {recording::eventHead(entry.address, site, EventKind::WarpBarrier, 0, 0), 0});
    access(thread, entry, site, kind);
  }

  // The compiler lets a warp come together right before a block barrier; that is a part of it.
  std::vector<bool> partsOfBarriers() const {
    std::vector<bool> isPart(log_.entries.size());
    std::vector<const Entry*> next(log_.threads);  // of the thread
    for (std::size_t i = log_.entries.size(); i-- > 0;) {
      const Entry& entry = log_.entries[i];
      if (entry.thread >= log_.threads) continue;
      const Entry* const behind = std::exchange(next[entry.thread], &entry);
      isPart[i] = entry.kind == EntryKind::WarpBarrier && behind != nullptr &&
                  behind->kind == EntryKind::BlockBarrier;
    }
    return isPart;
  }

  void exchange(Thread& thread, const Entry& entry, std::uint32_t site) {
    const auto how = patched::ToldExchange(entry.access);
    const std::uint32_t mask = std::uint32_t(entry.address);
    const auto width =
        std::uint32_t(std::countr_zero(std::bit_ceil(std::clamp<unsigned>(entry.bytes, 1, 8))));
    const std::uint64_t lane = entry.address >> 32 & (model::kWarpSize - 1);
    const bool isVote = how == patched::ToldExchange::Vote;
    put(thread, {recording::eventHead(mask, site, EventKind::Give, 0, isVote ? 0 : width), entry.upper});
    const std::uint64_t offset = how == patched::ToldExchange::Shuffle ? mask | lane << 32 : mask;
    put(thread, {recording::eventHead(offset, site, eventKindOf(how), 0, width), entry.value});
  }

  void access(Thread& thread, const Entry& entry, std::uint32_t site, SiteKind kind) {
    std::uint32_t space = recording::kNoSpace;
    std::uint64_t offset = 0;
    if (entry.kind == EntryKind::Shared) {
      for (std::size_t i = 0; i < log_.shared.size(); ++i)
        if (entry.address - log_.shared[i].begin < log_.shared[i].array.bytes) {
          space = recording::kSharedSpace + std::uint32_t(i);
          offset = entry.address - log_.shared[i].begin;
        }
      look(entry, site, space, offset);
    } else {
      for (std::size_t i = 0; i < log_.buffers.size(); ++i)
        if (entry.address - log_.buffers[i].base < log_.buffers[i].bytes) {
          space = recording::kGlobalSpace + std::uint32_t(i);
          offset = entry.address - log_.buffers[i].base;
        }
    }
    if (space == recording::kNoSpace) return;  // room between shared arrays: the compiler's own
    const auto width = std::uint32_t(std::countr_zero(std::uint32_t(entry.bytes)));
    const std::uint64_t head = recording::eventHead(offset, site, eventKindOf(kind), space, width);
    put(thread, {head, entry.value});
    if (entry.bytes == 16) put(thread, {(head + 8) | 1ull << 63, entry.upper});
  }

  // What is read of shared memory should have been stored there.
  void look(const Entry& entry, std::uint32_t site, std::uint32_t space, std::uint64_t offset) {
    const std::uint64_t from = entry.address - log_.windowBegin;
    if (from > stored_.size() || stored_.size() - from < entry.bytes) return;
    const auto first = stored_.begin() + std::ptrdiff_t(from), last = first + entry.bytes;
    const bool isRead = (entry.access & patched::kReads) != 0;
    if (isRead && space != recording::kNoSpace && std::find(first, last, false) != last &&
        std::ranges::find(toldOf_, site) == toldOf_.end()) {
      toldOf_.push_back(site);
      const model::Array& array = log_.shared[space - recording::kSharedSpace].array;
      const bool isRow = array.extents.empty() && array.members.size() < 2;
      addProblem(model::ProblemKind::UninitializedRead,
                 "Thread " + std::to_string(entry.thread) + " reads " +
                     (isRow ? array.name + "[" + figure(offset / entry.bytes) + "]"
                            : model::placeName(array, offset, entry.bytes)) +
                     " of shared memory before anything was stored there. Store to it first: shared memory "
                     "holds anything when a block begins.",
                 int(site), entry.thread);
    }
    if ((entry.access & patched::kWrites) != 0) std::fill(first, last, true);
  }

  void put(Thread& thread, const model::Event& event) {
    if (thread.events.size() == log_.eventsPerThread) {
      isCut_ = true;
      return;
    }
    thread.events.push_back(event);
    thread.issues.push_back(issue_);
  }

  void keepEvents() {
    block_.first.assign(1, 0);
    for (Thread& thread : threads_) {
      if (!thread.events.empty() && thread.events.back().width() == 16 &&
          !thread.events.back().secondHalf() && thread.events.back().space() != recording::kNoSpace)
        thread.events.pop_back(), thread.issues.pop_back();  // its upper half was cut off
      block_.events.insert(block_.events.end(), thread.events.begin(), thread.events.end());
      block_.issues.insert(block_.issues.end(), thread.issues.begin(), thread.issues.end());
      block_.first.push_back(std::uint32_t(block_.events.size()));
    }
  }

  // A thread that made more events than are kept has the last ones.
  void keepMeetings() {
    const auto kept = [this](std::uint32_t thread, std::uint32_t events) {
      return std::min(events, block_.first[thread + 1] - block_.first[thread]);
    };
    block_.meetings = parts_.take();
    block_.meetingsCut = parts_.isCut();
    for (model::PartMeeting& meeting : block_.meetings)
      meeting.eventsBefore = kept(meeting.thread, meeting.eventsBefore);
    for (UnshownEntry& each : unshown_)
      each.eventsBefore = kept(log_.entries[each.entry].thread, each.eventsBefore);
  }

  void keepCopies() {
    for (const PlacedArray& placed : log_.shared) block_.shared.push_back(placed.array);
    for (const auto& copy : log_.copies) {
      auto& kept = block_.barrierCopies.emplace_back();
      for (const PlacedArray& placed : log_.shared) {
        const std::uint64_t from = placed.begin - log_.windowBegin;
        if (from > copy.size() || copy.size() - from < placed.array.bytes) {
          kept.resize(kept.size() + placed.array.bytes);
          continue;
        }
        const auto begin = copy.begin() + std::ptrdiff_t(from);
        kept.insert(kept.end(), begin, begin + std::ptrdiff_t(placed.array.bytes));
      }
    }
  }

  // Threads that wait at different barriers, or have returned while others wait.
  void findMissingThreads() {
    if (log_.dropped > 0) return;
    std::size_t most = 0;
    for (const Thread& thread : threads_) most = std::max(most, thread.barriers.size());
    for (std::size_t k = 0; k < most; ++k) {
      const auto first =
          std::ranges::find_if(threads_, [&](const Thread& t) { return t.barriers.size() > k; });
      const std::uint32_t site = first->barriers[k];
      const auto other = std::ranges::find_if(
          threads_, [&](const Thread& t) { return t.barriers.size() <= k || t.barriers[k] != site; });
      if (other == threads_.end()) continue;
      const auto who = unsigned(other - threads_.begin()), waiting = unsigned(first - threads_.begin());
      if (other->barriers.size() > k)
        return addProblem(
            model::ProblemKind::DivergentBarrier,
            "Thread " + std::to_string(waiting) + " waits at this __syncthreads(), " + threadName(who) +
                " at another one. Move the barrier out of the branch, so that all threads reach "
                "the same one.",
            int(site), waiting);
      const auto count =
          std::ranges::count_if(threads_, [&](const Thread& t) { return t.barriers.size() > k; });
      return addProblem(
          model::ProblemKind::DivergentBarrier,
          "Only " + std::to_string(count) + " of " + std::to_string(log_.threads) +
              " threads reach this __syncthreads(): " + threadName(who) +
              " has returned. GPUs since Volta (compute capability 7.0) go on without those that "
              "have returned, but CUDA's rule is that all threads of a block reach it. Guard the "
              "work, not the barrier.",
          int(site), who);
    }
  }

  void addProblem(model::ProblemKind kind, std::string text, int site, unsigned thread) {
    block_.problems.push_back({.kind = kind, .text = std::move(text), .site = site, .thread = thread});
  }

  const LoggedBlock& log_;
  Instructions& instructions_;
  model::BlockTrace& block_;
  std::vector<Thread> threads_;
  std::vector<UnshownEntry> unshown_;
  PartMeetings parts_;
  IssueCounter issues_;
  std::uint32_t issue_ = 0;   // of the entry that is read
  std::vector<bool> stored_;  // by byte of the window
  std::vector<std::uint32_t> toldOf_;
  bool isCut_ = false;
};

}  // namespace

std::uint32_t Instructions::numberOf(std::uint64_t pc, SiteKind kind) {
  const auto [found, isNew] = numbers_.try_emplace({pc, kind}, std::uint32_t(places_.size()));
  if (!isNew) return found->second;
  if (places_.size() == recording::kMaxSites) {
    isFull_ = true;
    return found->second = recording::kMaxSites - 1;
  }
  places_.push_back({pc, kind});
  return found->second;
}

std::vector<UnshownEntry> readLog(const LoggedBlock& log, Instructions& instructions,
                                  model::BlockTrace& block) {
  return LogReader(log, instructions, block).read();
}

std::vector<model::WarpMarks> clockMarks(const std::vector<Entry>& entries, unsigned threads,
                                         const std::function<std::uint32_t(std::uint64_t pc)>& siteOf) {
  constexpr unsigned kWarp = 32;
  std::vector<model::WarpMarks> warps((threads + kWarp - 1) / kWarp);
  std::uint64_t first = ~0ull;
  for (const Entry& entry : entries)
    if (entry.kind == EntryKind::Clock) first = std::min<std::uint64_t>(first, entry.value);
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::Clock || entry.thread / kWarp >= warps.size()) continue;
    const auto what = patched::ClockMark(entry.address);
    const bool isSited = what == patched::ClockMark::Arrive || what == patched::ClockMark::Leave;
    const model::MarkKind kind = what == patched::ClockMark::Start    ? model::MarkKind::Start
                                 : what == patched::ClockMark::Arrive ? model::MarkKind::Arrive
                                 : what == patched::ClockMark::Leave  ? model::MarkKind::Leave
                                                                      : model::MarkKind::End;
    warps[entry.thread / kWarp].push_back(
        {.clock = entry.value - first, .site = isSited ? siteOf(entry.pc) : 0, .kind = kind});
  }
  return warps;
}

model::Problem problemOf(const patched::Fault& fault, bool isOfTheRecordedBlock,
                         const std::vector<NamedRange>& ranges, Instructions& instructions) {
  Entry entry;
  entry.kind = fault.kind;
  entry.access = fault.access;
  const std::string who =
      isOfTheRecordedBlock ? "Thread " + std::to_string(fault.thread)
                           : "In block " + figure(fault.block) + ", thread " + std::to_string(fault.thread);
  const std::string bytes = figure(fault.bytes) + (fault.bytes == 1 ? " byte" : " bytes");
  const std::uint64_t address = fault.address;
  std::string text;
  if (fault.bytes != 0 && fault.address % fault.bytes != 0) {
    text = who + " accesses " + bytes + " at a misaligned address, " + figure(fault.address % fault.bytes) +
           " bytes past a multiple of " + figure(fault.bytes) +
           ". Begin such an access at a multiple of its size.";
  } else {
    std::uint64_t nearest = ~0ull;
    std::string where = "outside every array";
    for (const NamedRange& range : ranges) {
      const bool isBehind = address >= range.base;
      const std::uint64_t distance = isBehind
                                         ? address - range.base - std::min(range.bytes, address - range.base)
                                         : range.base - address;
      if (range.bytes == 0 || distance >= nearest) continue;
      nearest = distance;
      where = isBehind ? figure(distance) + " bytes behind the end of " + range.name
                       : figure(distance) + " bytes before the beginning of " + range.name;
    }
    text = who + " accesses " + bytes + " " + where + ". Check the index against the array's size.";
  }
  text += " Its warp was ended there.";
  return {.kind = model::ProblemKind::OutOfBounds,
          .text = std::move(text),
          .site = int(instructions.numberOf(fault.pc, siteKindOf(entry))),
          .thread = fault.thread};
}

}  // namespace stridescope::engine::access::gpu
