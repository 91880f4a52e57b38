// A trace: everything one run recorded, as plain data. What it means is derived by analysis/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/dim3.h"
#include "model/experiment.h"
#include "model/kernel.h"
#include "model/kernel_model.h"
#include "model/member_type.h"
#include "recording/event.h"
#include "recording/site.h"

namespace stridescope::model {

// What trying a person's own operator showed before it ran.

enum class TrialProperty : std::uint8_t { Associative, LeftIdentity, RightIdentity, Commutative };
enum class TrialVerdict : std::uint8_t {
  Holds,         // no counter-example was found
  UpToRounding,  // a floating type's two results differ by no more than rounding or overflow explains
  Fails,
};

struct TrialFinding {
  TrialProperty property{};
  TrialVerdict verdict{};
  std::string sentence = {};  // the counter-example with its two results; empty where it holds
  bool isWarning = false;     // it may change the result of the variant that runs
  friend bool operator==(const TrialFinding&, const TrialFinding&) = default;
};

struct OperatorTrial {
  std::vector<TrialFinding> findings = {};  // one a property, in its order; empty: not tried
  std::string whyNotTried = {};             // a sentence; empty: it was tried, or there was nothing to try
  friend bool operator==(const OperatorTrial&, const OperatorTrial&) = default;
};

std::string_view nameOf(TrialProperty property);  // "associative", "left identity", ...
std::string_view nameOf(TrialVerdict verdict);    // "holds", "up to rounding", "fails"

constexpr auto allOf(TrialProperty) {
  return std::array{TrialProperty::Associative, TrialProperty::LeftIdentity, TrialProperty::RightIdentity,
                    TrialProperty::Commutative};
}
constexpr auto allOf(TrialVerdict) {
  return std::array{TrialVerdict::Holds, TrialVerdict::UpToRounding, TrialVerdict::Fails};
}

// The sentences that a person must know before believing a result; also why nothing was tried.
std::vector<std::string> warningsOf(const OperatorTrial& trial);

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<TrialFinding> Value>
constexpr void describe(Fields&& fields, Value& finding) {
  fields("property", finding.property);
  fields("verdict", finding.verdict);
  fields("sentence", finding.sentence);
  fields("warning", finding.isWarning);
}

template <class Fields, Described<OperatorTrial> Value>
constexpr void describe(Fields&& fields, Value& trial) {
  fields("findings", trial.findings);
  fields("why_not_tried", trial.whyNotTried);
}

using recording::Event;
using recording::EventKind;
using recording::Site;
using recording::SiteKind;

inline constexpr unsigned kWarpSize = 32;
// How many warps so many threads make; the last one may be partial.
template <class Number>
constexpr Number warpsOf(Number threads) {
  return (threads + kWarpSize - 1) / kWarpSize;
}

enum class EngineKind : std::uint8_t { Host, Gpu, Recorded };
std::string_view nameOf(EngineKind kind);  // "host", "gpu", "recorded"

// Who ran it. For a recording: who ran it then.
struct Executor {
  EngineKind kind = EngineKind::Host;
  std::string device = {};             // "CPU executor" or the GPU's name
  std::string computeCapability = {};  // "9.0"; empty on the host
  std::string driver = {};             // "580.159"; empty on the host
  std::string compiler = {};           // "NVRTC 13.0" or the host's compiler
  std::string recordedOn = {};         // date and time, ISO 8601, UTC
  friend bool operator==(const Executor&, const Executor&) = default;
};

// One __shared__ array of the block, or one buffer in device memory that the kernel was given.
struct Array {
  std::string name;  // as in the kernel's text
  unsigned elementBytes = 4;
  std::uint64_t bytes = 0;  // shared arrays: at most 227 KiB
  // What its elements are; nothing: unsigned numbers (tickets, lists' numbers, flags), or what `members`
  // says.
  std::optional<ElementType> type{};
  // What the kernel was given the buffer for. nullopt: it is a shared array, or a parameter whose role is not
  // known.
  std::optional<ParameterRole> role{};
  // How many elements stand in each dimension, outermost first: 32 and 33 of `tile[32][33]`. Empty: they are
  // one row.
  std::vector<std::uint64_t> extents{};
  // The numbers that each element is made of, by offset: the members of a struct, or one without a name, of a
  // type that reductions do not have. Empty: `type` says it, or it is not known.
  std::vector<MemberType> members{};
  // How many devices have a copy. Their copies stand one after another: `bytes` are those of all.
  unsigned devices = 1;

  std::uint64_t copyBytes() const { return bytes / devices; }
  std::uint64_t copyElements() const { return copyBytes() / elementBytes; }
  // The device whose copy a byte lies in, from 0. Requires an offset within the array.
  unsigned deviceAt(std::uint64_t offset) const { return devices == 1 ? 0 : unsigned(offset / copyBytes()); }
  friend bool operator==(const Array&, const Array&) = default;
};

enum class ProblemKind : std::uint8_t {
  Deadlock,
  OutOfBounds,
  DivergentBarrier,
  UndefinedShuffle,
  Limit,
  UninitializedRead,  // of shared memory
  Crash,              // a thread that cannot go on: a trap, an assertion, a division by zero
};
// "deadlock", "out of bounds", "divergent barrier", "undefined shuffle", "limit", "uninitialized read",
// "crash"
std::string_view nameOf(ProblemKind kind);

// The first of the arrays with that role; nullopt if there is none.
std::optional<std::uint32_t> indexOfRole(const std::vector<Array>& buffers, ParameterRole role);

struct Problem {
  ProblemKind kind{};
  std::string text;  // a sentence: what happened, to whom
  int site = -1;     // -1: none
  unsigned thread = 0;
  friend bool operator==(const Problem&, const Problem&) = default;
};

// What threads of a block did with one instruction, between two block barriers, where no event shows it: they
// access the shared memory of another block, copy in bulk, or come to a barrier that is not of the whole
// block.
struct OtherAct {
  std::string kind{};                  // "remote load", "bulk copy to shared", "barrier wait", ...
  int line = 0;                        // of the text; 0: it is not known
  std::int64_t clusterRank = -1;       // of the block whose shared memory it is; -1: its own, or none
  std::uint64_t threads = 0;           // that did it
  std::uint64_t times = 0, bytes = 0;  // over all of them
  std::string sentence{};
  // The first thread that did it, and how many of that thread's events came before.
  std::uint32_t thread = 0, eventsBefore = 0;
  friend bool operator==(const OtherAct&, const OtherAct&) = default;
};

// What a thread does where threads meet.
enum class MeetingPart : std::uint8_t { Meets, Arrives, Waits };
std::string_view nameOf(MeetingPart part);  // "meets", "arrives", "waits"

// A thread comes to a barrier of a part of the block, which no event shows: bar.sync with a number of
// threads, where it meets the others, or one in shared memory, where arriving and waiting are two acts. What
// those that meet or arrive did before it is ordered before what those that meet or wait do behind it. So it
// is where a thread hands over to others by a word of memory, as by a lock: it arrives at its fence, and they
// wait at theirs.
struct PartMeeting {
  std::uint32_t thread = 0;
  std::uint32_t eventsBefore = 0;  // of the thread
  std::uint32_t meeting = 0;       // from 0, in the order in which they were complete
  MeetingPart part = MeetingPart::Meets;
  friend bool operator==(const PartMeeting&, const PartMeeting&) = default;
};

// What one block of a launch did, as it was recorded.
struct BlockTrace {
  unsigned device = 0;        // which of the run's GPUs ran it, from 0
  std::uint64_t cluster = 0;  // the cluster that it belongs to; 0 where the launch has no clusters
  std::uint64_t block = 0;    // its number in the grid

  std::vector<Array> shared;  // event space kSharedSpace + index

  // Events in program order, thread after thread: those of thread t are events[first[t]] .. events[first[t +
  // 1]]. Copied events are no part of it: they are moved to `copied`.
  std::vector<Event> events;
  std::vector<std::uint32_t> first;  // one more than the block has threads

  // Per event, the number of the instruction that it belongs to: the lanes of a warp whose events have the
  // same number executed it together, and lesser numbers came first. Empty: the recorder cannot tell, and
  // lanes are lined up by the text (analysis/warp_operations.h).
  std::vector<std::uint32_t> issues;

  // The whole shared memory after each block barrier that completed: the arrays one after another, as in
  // `shared`.
  std::vector<std::vector<std::uint8_t>> barrierCopies;

  // Words copied after warp barriers. `barrier` is the ordinal of that WarpBarrier event among its thread's
  // own (counted from 0 over the whole launch); `event` is a Copied event: space, offset, width, value.
  struct CopiedWord {
    std::uint32_t thread = 0;
    std::uint32_t barrier = 0;
    Event event;
    friend bool operator==(const CopiedWord&, const CopiedWord&) = default;
  };
  std::vector<CopiedWord> copied;

  std::vector<OtherAct> others;       // in the order in which they began
  std::vector<PartMeeting> meetings;  // by thread, and then in its order

  bool cut = false;  // events were dropped at a limit: see problems
  std::vector<Problem> problems;

  // Requires a thread of the block, and that faultOf() finds nothing wrong with `first`.
  std::span<const Event> eventsOf(std::size_t thread) const {
    return {events.data() + first[thread], events.data() + first[thread + 1]};
  }
  friend bool operator==(const BlockTrace&, const BlockTrace&) = default;
};

// A block comes to where the results of all blocks are joined.
struct Arrival {
  std::uint64_t block = 0;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

// One launch of the kernel, and its blocks that were recorded.
struct LaunchTrace {
  std::uint64_t grid = 1;      // blocks
  unsigned block = 0;          // threads per block
  std::uint64_t elements = 0;  // in this launch's input, before it was filled up to whole blocks

  std::vector<Array> buffers;  // event space kGlobalSpace + index; offsets count from the buffer's start

  std::vector<BlockTrace> blocks = std::vector<BlockTrace>(1);  // at least one, in the order of their places

  // In how many rows, and planes of rows, the blocks and the threads stand: y and z of CUDA's gridDim and
  // blockDim. All of them together are `grid` and `block`, so that x follows.
  unsigned gridY = 1, gridZ = 1, blockY = 1, blockZ = 1;

  // The blocks in the order in which they came to the buffer that joins them (a ticket, a sum that all add
  // to, messages), each once; a block that only reads there is none of them. At most kMaxArrivals. Empty:
  // there is no such buffer, or it is not known, as on a GPU, which does not tell.
  std::vector<Arrival> arrivals;

  // On how many devices it runs at once. Their blocks count one device after the other: `grid` are those of
  // all, and each device has as many. A buffer that has a copy on each of them (Array::devices) tells whose.
  unsigned devices = 1;
  // Which of the recorded blocks the maps show: an index into `blocks`.
  unsigned shown = 0;

  // The recorded block that the maps show. Requires that there is one: faultOf() finds a launch without.
  BlockTrace& recorded() { return blocks[shown]; }
  const BlockTrace& recorded() const { return blocks[shown]; }

  std::uint64_t blocksOfDevice() const { return grid / devices; }

  // Require that faultOf() finds nothing wrong.
  const Array& arrayOf(const Event& access) const {  // a Load, a Store, an Atomic or a Copied word
    return access.inShared() ? recorded().shared[access.sharedArray()] : buffers[access.buffer()];
  }
  Dim3 gridShape() const { return {grid / (std::uint64_t(gridY) * gridZ), gridY, gridZ}; }
  Dim3 blockShape() const { return {block / (std::uint64_t(blockY) * blockZ), blockY, blockZ}; }
  // Requires shapes within CUDA's limits.
  void setShape(const Dim3& all, const Dim3& threads) {
    grid = all.count(), gridY = all.y, gridZ = all.z;
    block = unsigned(threads.count()), blockY = threads.y, blockZ = threads.z;
  }
  friend bool operator==(const LaunchTrace&, const LaunchTrace&) = default;
};

struct Trace {
  Experiment experiment;
  std::string kernelText;  // as in the kernel's file
  std::string preamble;    // the lines before it
  Executor executor;
  std::vector<Site> sites;  // indexed by id
  KernelModel kernel;       // what the text pass knows of kernelText; empty: nothing
  std::vector<LaunchTrace> launches;
  std::string result;     // the reduction's value, printed; empty if the run did not end
  std::string expected;   // a plain loop's value; for floating sums and products the exact one, rounded
  bool ok = false;        // result against expected: equal, or within the bound for floating types
  std::string checkNote;  // a sentence if the check needs one ("within 1.2e-05 of ..."); else empty
  OperatorTrial trial;    // for Operator::Custom
  // Why a person's kernel was recorded by its accesses alone, as a sentence (recorderOf()); empty: it was
  // not, or nobody tried otherwise.
  std::string recorderReason{};
  // Expected, ok and the note are what a file says, and this program has not computed them itself. No file
  // says this: its reader sets it.
  bool verdictIsRecorded = false;
  friend bool operator==(const Trace&, const Trace&) = default;
};

// What is known before anything ran: the experiment, the kernel with its text and sites, and the executor. No
// launch, no result, and no verdict.
Trace beforeTheRun(const Trace& whole);

// A person's own kernel leaves arrays and no value: Trace::result and expected are empty, and checkNote says
// what came of the arrays if the run ended.
bool leavesArrays(const Trace& trace);

// What recorded a trace: calls in the kernel's text, which know operands and local variables, or the accesses
// of the compiled text alone.
enum class Recorder : std::uint8_t { Source, Access };
std::string_view nameOf(Recorder recorder);  // "source", "access"
Recorder recorderOf(const Trace& trace);

// The operator that sentences name. Of a person's kernel none is known: Operator::Custom, which has no sign
// and no identity of its own.
Operator operatorOf(const Trace& trace);

// A run that did not end has no result; that of an empty merge is empty, and right.
bool hasEnded(const Trace& trace);

// Whether the run came to another result than a plain loop, or to none. What was compared with nothing is not
// known to be wrong.
bool isWrong(const Trace& trace);

// SHA-256 of the kernel's text, as 64 hexadecimal digits.
std::string hashOf(std::string_view kernelText);

constexpr auto allOf(EngineKind) {
  return std::array{EngineKind::Host, EngineKind::Gpu, EngineKind::Recorded};
}
constexpr auto allOf(MeetingPart) {
  return std::array{MeetingPart::Meets, MeetingPart::Arrives, MeetingPart::Waits};
}
constexpr auto allOf(ProblemKind) {
  return std::array{ProblemKind::Deadlock,
                    ProblemKind::OutOfBounds,
                    ProblemKind::DivergentBarrier,
                    ProblemKind::UndefinedShuffle,
                    ProblemKind::Limit,
                    ProblemKind::UninitializedRead,
                    ProblemKind::Crash};
}

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<Executor> Value>
constexpr void describe(Fields&& fields, Value& executor) {
  fields("kind", executor.kind);
  fields("device", executor.device);
  fields("compute_capability", executor.computeCapability);
  fields("driver", executor.driver);
  fields("compiler", executor.compiler);
  fields("recorded_on", executor.recordedOn);
}

template <class Fields, Described<Array> Value>
constexpr void describe(Fields&& fields, Value& array) {
  fields("name", array.name);
  fields("element_bytes", array.elementBytes);
  fields("bytes", array.bytes);
  fields("type", array.type);
  fields("role", array.role);
  fields("extents", array.extents);
  fields("members", array.members);
  fields("devices", array.devices);
}

template <class Fields, Described<Problem> Value>
constexpr void describe(Fields&& fields, Value& problem) {
  fields("kind", problem.kind);
  fields("text", problem.text);
  fields("site", problem.site);
  fields("thread", problem.thread);
}

template <class Fields, Described<OtherAct> Value>
constexpr void describe(Fields&& fields, Value& act) {
  fields("kind", act.kind);
  fields("line", act.line);
  fields("cluster_rank", act.clusterRank);
  fields("threads", act.threads);
  fields("times", act.times);
  fields("bytes", act.bytes);
  fields("sentence", act.sentence);
  fields("thread", act.thread);
  fields("events_before", act.eventsBefore);
}

template <class Fields, Described<PartMeeting> Value>
constexpr void describe(Fields&& fields, Value& meeting) {
  fields("thread", meeting.thread);
  fields("events_before", meeting.eventsBefore);
  fields("meeting", meeting.meeting);
  fields("part", meeting.part);
}

template <class Fields, Described<Arrival> Value>
constexpr void describe(Fields&& fields, Value& arrival) {
  fields("block", arrival.block);
}

template <class Fields, Described<BlockTrace> Value>
constexpr void describe(Fields&& fields, Value& block) {
  fields("device", block.device);
  fields("cluster", block.cluster);
  fields("inspected", block.block);
  fields("shared", block.shared);
  fields("events", block.events);
  fields("first", block.first);
  fields("issues", block.issues);
  fields("barrier_copies", block.barrierCopies);
  fields("copied", block.copied);
  fields("others", block.others);
  fields("meetings", block.meetings);
  fields("cut", block.cut);
  fields("problems", block.problems);
}

template <class Fields, Described<LaunchTrace> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("elements", launch.elements);
  fields("buffers", launch.buffers);
  fields("blocks", launch.blocks);
  fields("grid_y", launch.gridY);
  fields("grid_z", launch.gridZ);
  fields("block_y", launch.blockY);
  fields("block_z", launch.blockZ);
  fields("arrivals", launch.arrivals);
  fields("devices", launch.devices);
  fields("shown", launch.shown);
}

template <class Fields, Described<Trace> Value>
constexpr void describe(Fields&& fields, Value& trace) {
  fields("experiment", trace.experiment);
  fields("kernel_text", trace.kernelText);
  fields("preamble", trace.preamble);
  fields("executor", trace.executor);
  fields("sites", trace.sites);
  fields("kernel", trace.kernel);
  fields("launches", trace.launches);
  fields("result", trace.result);
  fields("expected", trace.expected);
  fields("ok", trace.ok);
  fields("check_note", trace.checkNote);
  fields("trial", trace.trial);
  fields("recorder_reason", trace.recorderReason);
  fields("verdict_is_recorded", trace.verdictIsRecorded);
}

// Events of a recorded block were dropped at a limit.
bool isCut(const Trace& trace);

}  // namespace stridescope::model

// The runtime's own header includes nothing of the program's, so its structure is described here.
namespace recording {

template <class Fields, stridescope::Described<Site> Value>
constexpr void describe(Fields&& fields, Value& site) {
  fields("id", site.id);
  fields("kind", site.kind);
  fields("line", site.line);
  fields("column", site.column);
  fields("length", site.length);
  fields("statement", site.statement);
  fields("loops", site.loops);
  fields("text", site.text);
  fields("hands_over", site.handsOver);
}

}  // namespace recording
