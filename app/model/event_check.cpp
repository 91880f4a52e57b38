#include <algorithm>
#include <vector>

#include "model/faults.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

bool isAccess(EventKind kind) {
  return kind == EventKind::Load || kind == EventKind::Store || kind == EventKind::Atomic ||
         kind == EventKind::Copied;
}

// What a block's events are held against.
struct Recorded {
  const BlockTrace& block;
  const LaunchTrace& launch;
  const Trace& trace;
};

// What a site of this kind does.
bool makes(SiteKind site, EventKind event) {
  switch (event) {
    case EventKind::Load:
      return site == SiteKind::Load || site == SiteKind::Update;
    case EventKind::Store:
      return site == SiteKind::Store || site == SiteKind::Update;
    case EventKind::Atomic:
      return site == SiteKind::Atomic;
    case EventKind::Branch:
      return site == SiteKind::Branch || site == SiteKind::Loop;
    case EventKind::BlockBarrier:
      return site == SiteKind::BlockBarrier;
    case EventKind::Value:
      return site == SiteKind::Assign;
    default:
      return site == SiteKind::WarpOperation;
  }
}

Fault faultOfAccess(const Event& event, const Recorded& of) {
  if (!event.inShared() && !event.inGlobal()) return "names no array";
  const std::vector<Array>& arrays = event.inShared() ? of.block.shared : of.launch.buffers;
  const std::size_t index = event.inShared() ? event.sharedArray() : event.buffer();
  if (index >= arrays.size()) return "names an array that there is not";
  // An event holds at most 8 bytes: each half of a 16-byte access has its own.
  const std::uint64_t bytes = std::min(event.width(), 8u);
  if (arrays[index].bytes < bytes || event.offset() > arrays[index].bytes - bytes)
    return "lies at byte " + std::to_string(event.offset()) + " of " + std::to_string(arrays[index].bytes);
  return {};
}

Fault faultOfAct(const Event& event) {
  const EventKind kind = event.kind();
  if (event.space() != recording::kNoSpace) return "is no access, but names an array";
  if (event.secondHalf()) return "is no access, but half of one";
  if (event.width() > 8) return "is no access, but " + std::to_string(event.width()) + " bytes wide";
  const bool hasMaskAlone =
      kind == EventKind::WarpBarrier || kind == EventKind::Vote || kind == EventKind::WarpReduce;
  if (hasMaskAlone && event.offset() > 0xffffffffu) return "has a mask of more than 32 lanes";
  if (kind == EventKind::Shuffle && event.sourceLane() >= kWarpSize)
    return "reads lane " + std::to_string(event.sourceLane());
  if (kind == EventKind::Branch && event.value > 1) return "is a branch that is neither taken nor not";
  return {};
}

// What is wrong with one event by itself, as a clause without its subject.
Fault faultOfEvent(const Event& event, const Recorded& of) {
  const std::vector<Site>& sites = of.trace.sites;
  if (event.width() > 16) return "is " + std::to_string(event.width()) + " bytes wide";
  if (event.kind() == EventKind::Copied) return faultOfAccess(event, of);
  if (event.site() >= sites.size())
    return "names site " + std::to_string(event.site()) + " of " + std::to_string(sites.size());
  if (!makes(sites[event.site()].kind, event.kind()))
    return "is not what site " + std::to_string(event.site()) + " does";
  return isAccess(event.kind()) ? faultOfAccess(event, of) : faultOfAct(event);
}

// The two halves of a 16-byte access follow each other; only where the log ended may the second be missing.
Fault faultOfHalves(const Event& event, const Event* before) {
  const bool wanted = before != nullptr && before->width() == 16 && !before->secondHalf();
  if (wanted && !event.isUpperHalfOf(*before)) return "stands where the second half of an access must";
  if (!wanted && event.secondHalf()) return "is the second half of no access";
  return {};
}

Fault faultOfThread(const Recorded& of, std::uint32_t thread) {
  const std::span<const Event> events = of.block.eventsOf(thread);
  const Event* before = nullptr;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const bool known = event.kind() != EventKind::Copied && event.kind() <= EventKind::Value;
    Fault fault = known ? faultOfEvent(event, of) : Fault("is of an unknown kind");
    if (!fault) fault = faultOfHalves(event, before);
    if (fault) return numbered("event", i) + numbered(" of thread", thread) + " " + *fault;
    before = &event;
  }
  return {};
}

Fault faultOfCopiedWord(const BlockTrace::CopiedWord& word, const Recorded& of,
                        const std::vector<std::uint32_t>& warpBarriers) {
  if (word.event.kind() != EventKind::Copied || !word.event.inShared())
    return "is not a word of shared memory";
  if (word.event.width() > 8 || word.event.secondHalf()) return "is wider than 8 bytes";
  if (word.thread >= of.launch.block) return numbered("names thread", word.thread);
  if (word.barrier >= warpBarriers[word.thread]) return "follows a warp barrier that there is not";
  return faultOfEvent(word.event, of);
}

std::vector<std::uint32_t> countWarpBarriers(const BlockTrace& block, unsigned threads) {
  std::vector<std::uint32_t> counts(threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    counts[thread] =
        std::uint32_t(std::ranges::count(block.eventsOf(thread), EventKind::WarpBarrier, &Event::kind));
  return counts;
}

Fault faultOfPlace(const BlockTrace& block, unsigned threads, std::uint32_t thread,
                   std::uint32_t eventsBefore) {
  if (thread >= threads) return numbered("names thread", thread);
  if (eventsBefore > block.eventsOf(thread).size()) return "stands behind more events than its thread has";
  return {};
}

Fault faultOfOthers(const BlockTrace& block, unsigned threads) {
  if (block.others.size() > kMaxOtherActs) return "has too many acts that no event shows";
  if (block.meetings.size() > kMaxPartMeetings) return "has too many meetings of a part of the block";
  for (std::size_t i = 0; i < block.others.size(); ++i) {
    const OtherAct& act = block.others[i];
    const std::string name = "has a fault: " + numbered("other act", i) + " ";
    if (const Fault fault = faultOfPlace(block, threads, act.thread, act.eventsBefore)) return name + *fault;
    if (act.line < 0) return name + "stands in a negative line";
    for (const std::string* text : {&act.kind, &act.sentence})
      if (text->size() > kMaxTextBytes || !isPlainUtf8(*text)) return name + "has no text";
  }
  const PartMeeting *before = nullptr, *met = nullptr;  // the thread's
  for (const PartMeeting& meeting : block.meetings) {
    const Fault fault = faultOfPlace(block, threads, meeting.thread, meeting.eventsBefore);
    if (fault) return "has a fault: a meeting " + *fault;
    if (meeting.meeting >= kMaxPartMeetings) return "has a meeting whose number is too large";
    if (meeting.part > MeetingPart::Waits) return "has a meeting of an unknown kind";
    if (before == nullptr || before->thread != meeting.thread) met = nullptr;
    bool isInOrder = before == nullptr || before->thread < meeting.thread ||
                     (before->thread == meeting.thread && before->eventsBefore <= meeting.eventsBefore);
    before = &meeting;
    if (meeting.part == MeetingPart::Meets) {
      isInOrder = isInOrder && (met == nullptr || met->meeting < meeting.meeting);
      met = &meeting;
    }
    if (!isInOrder) return "has meetings of a part of the block that are out of order";
  }
  return {};
}

}  // namespace

std::optional<std::string> faultOfEvents(const BlockTrace& block, const LaunchTrace& launch,
                                         const Trace& trace) {
  const Recorded of{block, launch, trace};
  const auto& first = block.first;
  if (first.size() != std::size_t(launch.block) + 1 || first.front() != 0 ||
      first.back() != block.events.size() || !std::is_sorted(first.begin(), first.end()))
    return "does not tell which thread its events belong to";
  if (!block.issues.empty() && block.issues.size() != block.events.size())
    return "does not tell of each event which instruction it belongs to";
  for (std::uint32_t thread = 0; thread < launch.block; ++thread)
    if (const Fault fault = faultOfThread(of, thread)) return "has a fault: " + *fault;
  if (const Fault fault = faultOfOthers(block, launch.block)) return fault;
  if (block.copied.empty()) return {};
  const std::vector<std::uint32_t> warpBarriers = countWarpBarriers(block, launch.block);
  for (std::size_t i = 0; i < block.copied.size(); ++i)
    if (const Fault fault = faultOfCopiedWord(block.copied[i], of, warpBarriers))
      return "has a fault: " + numbered("copied word", i) + " " + *fault;
  return {};
}

}  // namespace stridescope::model
