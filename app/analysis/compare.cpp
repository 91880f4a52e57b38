#include "analysis/compare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"
#include "analysis/snapshots.h"
#include "base/numbers.h"
#include "model/arithmetic.h"
#include "model/array_names.h"
#include "model/trace.h"

namespace stridescope::analysis {
namespace {

// An event in words.

// Elements of the experiment's own size are printed as such, others as plain numbers.
std::string printBits(const model::Trace& trace, std::uint64_t bits, unsigned bytes) {
  return bytes == model::bytesOf(trace.experiment.type)
             ? grouped(model::printElement(trace.experiment.type, bits))
             : figure(bits);
}

// In the order of model::EventKind.
constexpr std::array kActs{"reads",
                           "writes",
                           "performs an atomic on",
                           "finds a branch",
                           "waits at the block barrier",
                           "waits at the warp barrier",
                           "receives from a shuffle",
                           "gets from a vote",
                           "gets from a warp reduction",
                           "puts in",
                           "copies",
                           "assigns"};
static_assert(kActs.size() == std::size_t(model::EventKind::Value) + 1);

const char* actOf(model::EventKind kind) { return kActs[std::size_t(kind)]; }

const model::Array& arrayOf(const model::LaunchTrace& launch, const model::Event& event) {
  return launch.arrayOf(event);
}

// "line 9: reads data[4] = 7". Values as wide as the experiment's type are printed as such, others as plain
// numbers.
std::string describe(const model::Trace& trace, const model::LaunchTrace& launch, const model::Event& event) {
  std::ostringstream text;
  text << "line " << trace.sites[event.site()].line << ": " << actOf(event.kind());
  const std::string value = printBits(trace, event.value, valueBytesOf(event));
  if (isAccess(event.kind())) {
    const model::Array& array = arrayOf(launch, event);
    const std::uint64_t within = event.offset() % array.elementBytes;
    text << ' ' << model::placeName(array, event.offset(), event.width());
    if (within != 0 && model::memberAt(array, within, event.width()) == nullptr)
      text << " from byte " << within;
    text << (event.kind() == model::EventKind::Atomic ? " and " : " = ") << value;
  } else if (event.kind() == model::EventKind::Branch) {
    text << (event.value != 0 ? " taken" : " not taken");
  } else if (event.kind() == model::EventKind::Value) {
    text << ' ' << value;
  } else if (event.kind() != model::EventKind::BlockBarrier) {
    if (event.kind() != model::EventKind::WarpBarrier) text << ' ' << value;
    if (event.kind() == model::EventKind::Shuffle) text << " of lane " << event.sourceLane();
    text << " (lanes 0x" << std::hex << event.laneMask() << ')';
  }
  return text.str();
}

using Difference = std::optional<std::string>;

std::string where(std::size_t launch) { return "Launch " + figure(launch); }

// One of the two traces and its launch.
struct ComparedLaunch {
  const model::Trace& trace;
  const model::LaunchTrace& launch;

  std::size_t countOf(std::uint32_t thread) const { return launch.recorded().eventsOf(thread).size(); }
  const model::Event& eventOf(std::uint32_t thread, std::size_t i) const {
    return launch.recorded().eventsOf(thread)[i];
  }
  std::string describeAt(std::uint32_t thread, std::size_t i) const {
    return i < countOf(thread) ? describe(trace, launch, eventOf(thread, i)) : "nothing more";
  }
  // The event is of a word that brings an element of 4 bytes, below a flag.
  bool bringsElement(const model::Event& event) const {
    return event.inGlobal() && event.buffer() < launch.buffers.size() &&
           model::bringsElements(launch.buffers[event.buffer()].role) &&
           model::bytesOf(trace.experiment.type) == 4;
  }
};

bool sameEvent(const ComparedLaunch& launch, const model::Event& a, const model::Event& b) {
  if (a == b) return true;
  if (a.head != b.head) return false;
  const model::ElementType type = launch.trace.experiment.type;
  if (launch.bringsElement(a))
    return a.value >> 32 == b.value >> 32 &&
           model::sameElement(type, std::uint32_t(a.value), std::uint32_t(b.value));
  const bool element = a.kind() != model::EventKind::Branch && a.width() == model::bytesOf(type);
  return element && model::sameElement(type, a.value, b.value);
}

Difference differenceInThread(const ComparedLaunch& a, const ComparedLaunch& b, std::uint32_t thread,
                              std::size_t launch) {
  const std::size_t countA = a.countOf(thread), countB = b.countOf(thread);
  for (std::size_t i = 0; i < std::max(countA, countB); ++i) {
    if (i < countA && i < countB && sameEvent(a, a.eventOf(thread, i), b.eventOf(thread, i))) continue;
    return where(launch) + ", thread " + figure(thread) + ", event " + figure(i) + ": " +
           a.describeAt(thread, i) + " in the one, " + b.describeAt(thread, i) + " in the other.";
  }
  return std::nullopt;
}

// The first byte of an array in which two images of shared memory differ, as a clause.
template <class Differs>
Difference firstByteThat(const model::LaunchTrace& launch, Differs differs) {
  const SharedLayout layout(launch);
  for (std::size_t array = 0; array < launch.recorded().shared.size(); ++array)
    for (std::size_t i = 0; i < launch.recorded().shared[array].bytes; ++i)
      if (differs(layout.beginOf(array) + i)) {
        const std::size_t element = i / launch.recorded().shared[array].elementBytes;
        return model::elementName(launch.recorded().shared[array], element);
      }
  return std::nullopt;
}

std::string byteOf(const Snapshot& snapshot, std::size_t i) {
  return snapshot.known[i] ? figure(snapshot.bytes[i]) : "never written";
}

std::uint64_t elementAt(const Snapshot& snapshot, std::size_t begin, unsigned width) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < width && begin + i < snapshot.bytes.size(); ++i)
    bits |= std::uint64_t(snapshot.bytes[begin + i]) << (8 * i);
  return bits;
}

// `othersStore`: other blocks of the cluster do, too, at any time between two of its barriers, so that a byte
// may be there a round earlier in the one.
Difference differenceInSnapshot(const Snapshot& a, const Snapshot& b, model::ElementType type,
                                const model::LaunchTrace& launch, bool othersStore,
                                const std::string& place) {
  const SharedLayout layout(launch);
  // Whether byte i lies in an element that is the same in both: bytes of NaNs may differ.
  const auto isSame = [&](std::size_t i) {
    const unsigned width = model::bytesOf(type);
    for (std::size_t array = 0; array < launch.recorded().shared.size(); ++array) {
      const std::size_t begin = layout.beginOf(array);
      if (i < begin || i >= begin + launch.recorded().shared[array].bytes) continue;
      if (launch.recorded().shared[array].elementBytes != width) return false;
      const std::size_t element = begin + (i - begin) / width * width;
      return model::sameElement(type, elementAt(a, element, width), elementAt(b, element, width));
    }
    return false;
  };
  std::size_t at = 0;
  const Difference element = firstByteThat(launch, [&](std::size_t i) {
    at = i;
    if (a.known[i] != b.known[i]) return !othersStore;
    return a.known[i] && a.bytes[i] != b.bytes[i] && !isSame(i);
  });
  if (element)
    return place + ": shared memory differs in " + *element + ", byte " + figure(at) + ": " + byteOf(a, at) +
           " in the one, " + byteOf(b, at) + " in the other.";
  return std::nullopt;
}

// What a block did in the shared memory of other blocks is in no event; its sentence tells all of it.
Difference differenceInRemoteActs(const model::BlockTrace& a, const model::BlockTrace& b,
                                  std::size_t launch) {
  const auto sentencesOf = [](const model::BlockTrace& block) {
    std::vector<std::string> sentences;
    for (const model::OtherAct& act : block.others)
      if (act.clusterRank >= 0) sentences.push_back(act.sentence);
    return sentences;
  };
  const std::vector<std::string> ofA = sentencesOf(a), ofB = sentencesOf(b);
  for (std::size_t i = 0; i < std::max(ofA.size(), ofB.size()); ++i) {
    const auto at = [&](const std::vector<std::string>& acts) {
      return i < acts.size() ? acts[i] : "Nothing more.";
    };
    if (at(ofA) != at(ofB))
      return where(launch) + ", access " + figure(i) +
             " to another block of the cluster. The one: " + at(ofA) + " The other: " + at(ofB);
  }
  return std::nullopt;
}

Difference differenceInShape(const model::LaunchTrace& a, const model::LaunchTrace& b, std::size_t launch) {
  const auto differs = [&](const char* what, std::uint64_t x, std::uint64_t y) -> Difference {
    if (x == y) return std::nullopt;
    return where(launch) + ": " + what + " " + figure(x) + " in the one, " + figure(y) + " in the other.";
  };
  if (auto difference = differs("threads of a block", a.block, b.block)) return difference;
  if (auto difference = differs("blocks", a.grid, b.grid)) return difference;
  if (a.gridShape() != b.gridShape() || a.blockShape() != b.blockShape())
    return where(launch) + ": the rows of its grid or of its blocks differ.";
  if (auto difference = differs("recorded blocks", a.blocks.size(), b.blocks.size())) return difference;
  if (auto difference = differs("the inspected block is", a.recorded().block, b.recorded().block))
    return difference;
  if (auto difference = differs("the block's GPU is", a.recorded().device, b.recorded().device))
    return difference;
  if (auto difference = differs("the block's cluster is", a.recorded().cluster, b.recorded().cluster))
    return difference;
  if (auto difference = differs("elements", a.elements, b.elements)) return difference;
  if (a.recorded().shared != b.recorded().shared)
    return where(launch) + ": the shared arrays differ in name, element or size.";
  return std::nullopt;
}

Difference differenceInLaunch(const ComparedLaunch& a, const ComparedLaunch& b,
                              const LaunchAnalysis& roundsOfA, const LaunchAnalysis& roundsOfB,
                              bool othersStore, std::size_t launch) {
  if (auto difference = differenceInShape(a.launch, b.launch, launch)) return difference;
  for (std::size_t block = 0; block < a.launch.blocks.size(); ++block)
    if (block != a.launch.shown && a.launch.blocks[block] != b.launch.blocks[block])
      return where(launch) + ": recorded block " + figure(block) + " of the one differs from the other's.";
  for (std::uint32_t thread = 0; thread < a.launch.block; ++thread)
    if (auto difference = differenceInThread(a, b, thread, launch)) return difference;
  if (auto difference = differenceInRemoteActs(a.launch.recorded(), b.launch.recorded(), launch))
    return difference;
  for (std::size_t i = 0; i < roundsOfA.rounds.size() && i < roundsOfB.rounds.size(); ++i)
    if (auto difference = differenceInSnapshot(roundsOfA.rounds[i].snapshot, roundsOfB.rounds[i].snapshot,
                                               a.trace.experiment.type, a.launch, othersStore,
                                               where(launch) + ", round " + figure(i)))
      return difference;
  return std::nullopt;
}

constexpr int kDropped = -1;

// Each site's id in a trace in which assignments are no sites.
std::vector<int> idsWithoutAssignments(const std::vector<model::Site>& sites) {
  std::vector<int> idOf;
  int next = 0;
  for (const model::Site& site : sites)
    idOf.push_back(site.kind == model::SiteKind::Assign ? kDropped : next++);
  return idOf;
}

model::Event atSite(const model::Event& event, int site) {
  const auto log2Width = std::uint32_t(std::countr_zero(event.width()));
  return {recording::eventHead(event.offset(), std::uint32_t(site), event.kind(), event.space(), log2Width,
                               event.secondHalf()),
          event.value};
}

void dropAssignments(model::BlockTrace& block, const std::vector<int>& idOf) {
  std::vector<model::Event> events;
  std::vector<std::uint32_t> first{0}, issues;
  for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
    for (std::uint32_t i = block.first[thread]; i < block.first[thread + 1]; ++i) {
      const int id = idOf[block.events[i].site()];
      if (id == kDropped) continue;
      events.push_back(atSite(block.events[i], id));
      if (!block.issues.empty()) issues.push_back(block.issues[i]);
    }
    first.push_back(std::uint32_t(events.size()));
  }
  block.events = std::move(events);
  block.issues = std::move(issues);
  block.first = std::move(first);
  for (model::BlockTrace::CopiedWord& word : block.copied)
    word.event = atSite(word.event, idOf[word.event.site()]);
  for (model::Problem& problem : block.problems)
    if (problem.site >= 0) problem.site = idOf[std::size_t(problem.site)];
}

}  // namespace

model::Trace withoutAssignments(model::Trace trace) {
  const std::vector<int> idOf = idsWithoutAssignments(trace.sites);
  std::erase_if(trace.sites, [](const model::Site& site) { return site.kind == model::SiteKind::Assign; });
  for (model::Site& site : trace.sites) {
    site.id = idOf[std::size_t(site.id)];
    for (int& loop : site.loops) loop = idOf[std::size_t(loop)];
  }
  for (model::LaunchTrace& launch : trace.launches)
    for (model::BlockTrace& block : launch.blocks) dropAssignments(block, idOf);
  trace.kernel = {};
  return trace;
}

std::optional<std::string> firstDifference(const model::Trace& a, const model::Trace& b, bool ofClusters) {
  if (a.experiment != b.experiment) return "The traces are of different experiments.";
  if (a.kernelText != b.kernelText) return "The traces are of different kernel texts.";
  if (a.sites != b.sites) return "The traces have different sites of the same kernel text.";
  if (a.kernel != b.kernel)
    return "The traces tell different functions, variables, or operands of the same kernel text.";
  if (a.launches.size() != b.launches.size())
    return "The one has " + figure(a.launches.size()) + " launches, the other " + figure(b.launches.size()) +
           ".";
  const Analysis analysisA = analyse(a), analysisB = analyse(b);
  for (std::size_t i = 0; i < a.launches.size(); ++i) {
    const ComparedLaunch sideA{a, a.launches[i]}, sideB{b, b.launches[i]};
    if (auto difference =
            differenceInLaunch(sideA, sideB, analysisA.launches[i], analysisB.launches[i], ofClusters, i))
      return difference;
  }
  return std::nullopt;
}

namespace {

using Difference = std::optional<std::string>;

// "data[4], byte 17 of shared memory, holds 3 but the stores leave 7"
std::string describe(const model::LaunchTrace& launch, std::size_t at, unsigned found, unsigned replayed) {
  const SharedLayout layout(launch);
  std::size_t array = 0;
  while (array + 1 < launch.recorded().shared.size() && layout.beginOf(array + 1) <= at) ++array;
  const std::size_t element = (at - layout.beginOf(array)) / launch.recorded().shared[array].elementBytes;
  return model::elementName(launch.recorded().shared[array], element) + ", byte " + figure(at) +
         " of shared memory, holds " + figure(found) + " where the recorded stores leave " + figure(replayed);
}

Difference differenceFrom(const Replay& replay, const std::vector<std::uint8_t>& copy,
                          const model::LaunchTrace& launch) {
  for (std::size_t i = 0; i < copy.size() && i < replay.bytes().size(); ++i)
    if (replay.known()[i] && replay.bytes()[i] != copy[i])
      return describe(launch, i, copy[i], replay.bytes()[i]);
  return std::nullopt;
}

Difference differenceFrom(const Replay& replay, const model::Event& word, const model::LaunchTrace& launch) {
  const std::size_t begin = SharedLayout(launch).beginOf(word);
  for (unsigned i = 0; i < valueBytesOf(word); ++i) {
    const auto found = std::uint8_t(word.value >> (8 * i));
    if (replay.known()[begin + i] && replay.bytes()[begin + i] != found)
      return describe(launch, begin + i, found, replay.bytes()[begin + i]);
  }
  return std::nullopt;
}

// Walks through a launch and holds each copy against the stores up to it.
Difference differenceInLaunch(const model::LaunchTrace& launch, const std::vector<Round>& rounds,
                              std::size_t number_) {
  Replay replay(launch);
  CopiedWords copiedWords(launch);
  std::size_t blockBarriers = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    Difference difference;
    for (const WarpOperation& operation : rounds[i].operations) {
      replay.apply(operation);
      if (operation.kind != model::EventKind::WarpBarrier) continue;
      copiedWords.visitNext(operation, [&](const model::Event& word) {
        if (!difference) difference = differenceFrom(replay, word, launch);
        replay.adopt(word);
      });
    }
    if (rounds[i].endsWith == RoundEnd::BlockBarrier &&
        blockBarriers < launch.recorded().barrierCopies.size()) {
      const auto& copy = launch.recorded().barrierCopies[blockBarriers++];
      if (!difference) difference = differenceFrom(replay, copy, launch);
      replay.adopt(copy);
    }
    if (difference) return "Launch " + figure(number_) + ", round " + figure(i) + ": " + *difference + ".";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> replayDifference(const model::Trace& trace) {
  const Analysis analysis = analyse(trace);
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    if (auto difference = differenceInLaunch(trace.launches[i], analysis.launches[i].rounds, i))
      return difference;
  return std::nullopt;
}

namespace {

constexpr std::uint32_t kNever = ~0u;

// By byte of all shared arrays: the first barrier by which a thread has stored it.
std::vector<std::uint32_t> firstStored(const model::BlockTrace& block, std::uint64_t bytes) {
  std::vector<std::uint64_t> begins;
  std::uint64_t begin = 0;
  for (const model::Array& array : block.shared) {
    begins.push_back(begin);
    begin += array.bytes;
  }
  std::vector<std::uint32_t> stored(bytes, kNever);
  for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
    std::uint32_t barrier = 0;
    for (const model::Event& event : block.eventsOf(thread)) {
      if (event.kind() == model::EventKind::BlockBarrier) ++barrier;
      const bool stores = event.kind() == model::EventKind::Store || event.kind() == model::EventKind::Atomic;
      if (!stores || !event.inShared() || event.sharedArray() >= begins.size() || event.secondHalf())
        continue;
      const std::uint64_t from = begins[event.sharedArray()] + event.offset();
      for (std::uint64_t at = from; at < std::min(from + event.width(), bytes); ++at)
        stored[at] = std::min(stored[at], barrier);
    }
  }
  return stored;
}

class Comparison {
 public:
  Comparison(std::size_t launch, const model::BlockTrace& one, const model::BlockTrace& other,
             CopiesCompared& compared)
      : launch_(launch), one_(one), other_(other), compared_(compared) {}

  void run() {
    if (one_.barrierCopies.size() != other_.barrierCopies.size()) {
      tell("one has " + figure(one_.barrierCopies.size()) + " complete block barriers and the other " +
           figure(other_.barrierCopies.size()) + ".");
      return;
    }
    compared_.barriers += one_.barrierCopies.size();
    if (one_.barrierCopies.empty()) return;
    const auto stored = firstStored(one_, one_.barrierCopies.front().size());
    std::uint64_t begin = 0;
    for (const model::Array& array : one_.shared) {
      compareArray(array, begin, stored);
      begin += array.bytes;
    }
  }

 private:
  void compareArray(const model::Array& array, std::uint64_t begin,
                    const std::vector<std::uint32_t>& stored) {
    std::uint64_t there = 0;
    const auto same = std::ranges::find_if(other_.shared, [&](const model::Array& each) {
      const bool isSame = each.name == array.name && each.bytes == array.bytes;
      if (!isSame) there += each.bytes;
      return isSame;
    });
    if (same == other_.shared.end()) return;
    for (std::size_t barrier = 0; barrier < one_.barrierCopies.size(); ++barrier) {
      const auto &mine = one_.barrierCopies[barrier], &theirs = other_.barrierCopies[barrier];
      for (std::uint64_t at = 0; at < array.bytes; ++at) {
        const bool isThere = begin + at < mine.size() && there + at < theirs.size();
        if (!isThere || stored[begin + at] > barrier) continue;
        ++compared_.bytes;
        if (mine[begin + at] == theirs[there + at]) continue;
        return tell(model::placeName(array, at, 1) + " differs at block barrier " + figure(barrier) + ".");
      }
    }
  }

  void tell(const std::string& what) {
    if (!compared_.difference) compared_.difference = "In launch " + figure(launch_) + ", " + what;
  }

  std::size_t launch_;
  const model::BlockTrace &one_, &other_;
  CopiesCompared& compared_;
};

}  // namespace

CopiesCompared compareBarrierCopies(const model::Trace& one, const model::Trace& other) {
  CopiesCompared compared;
  if (one.launches.size() != other.launches.size()) {
    compared.difference = "One has " + figure(one.launches.size()) + " launches and the other " +
                          figure(other.launches.size()) + ".";
    return compared;
  }
  for (std::size_t k = 0; k < one.launches.size(); ++k)
    Comparison(k, one.launches[k].recorded(), other.launches[k].recorded(), compared).run();
  return compared;
}

}  // namespace stridescope::analysis
