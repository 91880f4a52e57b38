// What a trace means: rounds, lanes, divergence, bank conflicts, sectors, races, totals. Pure functions: the
// same trace always gives the same analysis. The words are those of docs/variants.md, Terms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_limits.h"
#include "model/trace.h"

namespace stridescope::analysis {

struct Round;

// The pieces of device memory that a block works in, after each round: replayed from its own loads and
// stores.
//
// A buffer is followed if the block both reads and writes it, or writes it in more than one round (a merge's
// output). What is only read, and a result that is written once, is not.

inline constexpr std::uint64_t kMaxFollowedElements = 1u << 16;  // per buffer

// The elements of one buffer that the block touches, and what lies between them; at most the first
// kMaxFollowedElements.
struct DeviceWindow {
  std::uint32_t buffer = 0;    // index into LaunchTrace::buffers
  std::uint64_t first = 0;     // element of the buffer
  std::uint64_t elements = 0;  // how many the window has
  bool readToo = false;        // the block reads it, too: it works in place
};

// From the end of this round on the element holds these bits.
struct DeviceChange {
  std::uint32_t round = 0;
  std::uint32_t window = 0;
  std::uint64_t element = 0;          // counted from the start of the window
  std::optional<std::uint64_t> bits;  // nullopt: unknown, as an atomic left it
};

struct DeviceMemory {
  std::vector<DeviceWindow> windows;  // in order of the buffers
  std::vector<DeviceChange> changes;  // by round

  // The bits of every element of the window after the round; nullopt: unknown. What the block found there is
  // known from the start if no other block runs, else from the round of its first load on.
  std::vector<std::optional<std::uint64_t>> wordsAfter(std::size_t window, std::size_t round) const;

  // The window of that buffer, as an index; nullopt if it is not followed.
  std::optional<std::size_t> windowOf(std::uint32_t buffer) const;
};

// Needs the rounds' operations.
DeviceMemory followDeviceMemory(const model::LaunchTrace& launch, const std::vector<Round>& rounds);

// Wait: what follows looks for what another device has stored.
enum class RoundEnd : std::uint8_t { BlockBarrier, WarpBarrier, Shuffle, End, Wait };
std::string_view nameOf(RoundEnd end);  // "block barrier", "warp barrier", "shuffle", "end", "wait"

enum class LaneState : std::uint8_t {
  Active,  // makes a shared access or takes part in a shuffle, vote or warp reduction; if the round has none,
           // any access
  Inactive,  // not active, in a warp that has an active lane
  IdleWarp,  // its warp has no active lane
  Finished,  // the thread has returned; in the round after the last barrier also one that only returns
};

enum class SnapshotFrom : std::uint8_t { Copied, Carried, Replayed };
std::string_view nameOf(SnapshotFrom from);  // "copied", "carried", "replayed"

// The bits of `count` bytes from `begin` on, at most the first 8 of them. nullopt: one of them is not known,
// or is not there.
std::optional<std::uint64_t> wordOf(const std::vector<std::uint8_t>& bytes, const std::vector<bool>& known,
                                    std::size_t begin, std::size_t count);

// Shared memory after a round: the arrays one after another, and for each byte whether it was ever written.
struct Snapshot {
  SnapshotFrom from = SnapshotFrom::Copied;
  std::vector<std::uint8_t> bytes;
  std::vector<bool> known;

  std::optional<std::uint64_t> word(std::size_t begin, std::size_t count) const {
    return wordOf(bytes, known, begin, count);
  }
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

inline constexpr unsigned kBankCount = 32;

// How one request of one warp went through the shared-memory banks (requests.h has the rule).
struct BankUse {
  unsigned wavefronts = 0;
  unsigned ideal = 0;
  unsigned way = 0;        // the most distinct words that one bank must serve in one group
  bool broadcast = false;  // some word is read by several lanes
  // The most distinct words that each bank must serve in one group: `way` is the largest.
  std::array<std::uint8_t, kBankCount> words{};
};

// One warp executing one site once: the lanes of `mask` together.
struct WarpOperation {
  std::uint32_t warp = 0;
  std::uint32_t site = 0;
  model::EventKind kind{};
  std::uint32_t mask = 0;
  std::uint32_t taken = 0;  // Branch: the lanes for which it was true
  std::uint32_t pass = 0;   // an access's: one of the round's passes
  bool inPass = true;       // the access is the pass's own; else it stands before or behind its loop
  std::array<std::uint32_t, model::kWarpSize> event{};  // per lane of mask: index into LaunchTrace::events
  BankUse banks;                                        // Load and Store in shared memory
  unsigned sectors = 0, idealSectors = 0;  // accesses to global memory: 32-byte sectors touched, and at best
};

// The number of the lane's thread in the block.
inline std::uint32_t threadOf(const WarpOperation& operation, unsigned lane) {
  return operation.warp * model::kWarpSize + lane;
}

// What tells a request from the others of its round, and finds it again in another round.
struct RequestId {
  std::uint32_t site = 0;
  model::EventKind kind{};  // Load, Store or Atomic
  bool shared = true;       // else global
  friend bool operator==(const RequestId&, const RequestId&) = default;
};

// All requests of one site, kind and space in one round, summed over warps and repeats (requests.h lists
// them).
struct Request : RequestId {
  std::vector<std::uint32_t> operations = {};   // indices into Round::operations, ascending; at least one
  unsigned requests = 0;                        // warp-level: as many as operations
  unsigned wavefronts = 0, ideal = 0, way = 0;  // shared loads and stores; 0 for the rest
  bool broadcast = false;
  std::array<std::uint8_t, kBankCount> bankWords{};  // the largest BankUse::words of a warp; 0 like the rest
  unsigned sectors = 0, idealSectors = 0;            // global
  unsigned conflicts() const { return wavefronts - ideal; }
  // Banks and wavefronts of atomics are not modelled.
  bool hasWavefronts() const { return shared && kind != model::EventKind::Atomic; }
};

// What a lane gave to a shuffle, a vote or a warp reduction, what it received, and what it held then.
struct LaneExchange {
  model::EventKind kind{};  // Shuffle, Vote or WarpReduce
  std::uint32_t site = 0;   // the exchange's site
  unsigned sourceLane = 0;  // Shuffle: whose value was received; its own lane if nobody's
  unsigned width = 0;       // bytes of the values
  std::uint64_t given = 0, received = 0;
  std::optional<std::uint64_t> after;  // in its register after the round; nullopt: the trace does not tell
  bool replayed = false;               // `after` was not recorded: it is combine(given, received)
};

// What the active threads of a round do.
enum class RoundKind : std::uint8_t {
  Load,      // bring elements in from device memory, perhaps combining them on the way
  Combine,   // combine elements of an array that the block works in
  Exchange,  // pass values from lane to lane
  Merge,     // compare the heads of lists
  Write,     // bring results out to device memory
  Mixed,     // several of these
};
std::string_view nameOf(RoundKind kind);  // "load", "combine", ...

struct Round {
  std::optional<std::uint64_t>
      stride;  // elements between the operands, if the same for all active lanes; a shuffle's delta
  std::optional<std::uint64_t> outputElement;  // the merged element that the round of a merge serves
  RoundEnd endsWith = RoundEnd::End;
  RoundKind kind = RoundKind::Mixed;
  std::uint32_t passes = 1;               // how many; passes.h tells them apart
  std::vector<WarpOperation> operations;  // by warp, then in order of execution
  std::vector<LaneState> lanes;           // one per thread
  unsigned activeLanes = 0, activeWarps = 0;
  unsigned partialWarps = 0;  // some lanes active, not all
  // As the source has it: warp, branch and execution whose lanes diverged. Nothing: not known.
  std::optional<unsigned> divergentBranches{};
  std::vector<Request> requests;  // by site, then load before store
  Snapshot snapshot;              // after the round
  // One per thread, each its last exchange of the round; empty if the round has none. Then the registers are
  // what the round changed: they are its snapshot beside shared memory's.
  std::vector<std::optional<LaneExchange>> exchanges;
  std::vector<std::uint32_t> others;  // indices into BlockTrace::others: what was done in it, too
};

struct Race {
  struct Access {
    std::uint32_t thread = 0, site = 0;
    model::EventKind kind{};
    // Where it happened, which the list of races always has: an index into LaunchTrace::events.
    std::optional<std::uint32_t> event = {};
    std::uint32_t round = 0, pass = 0;
  };
  std::uint32_t round = 0;  // the later access's, in the order of the program
  std::uint32_t pass = 0;   // the pass of that round, likewise
  bool shared = true;
  std::uint32_t array = 0;  // index into LaunchTrace::shared or ::buffers
  std::uint64_t element = 0;
  std::uint64_t offset = 0;  // of the first byte at which they meet, from the array's start
  // In the order in which they happened, if it is known; else in that of the program.
  Access first, second;
  bool orderKnown = false;   // from the values (races.h)
  bool acrossWarps = false;  // the two sites race in that round between threads of different warps, too
};

// What devices send each other (device_traffic.h).

// Elements [first, end) of a device's copy of a buffer.
struct ElementRun {
  std::uint64_t first = 0, end = 0;
  friend bool operator==(const ElementRun&, const ElementRun&) = default;
};

// Elements that go from the memory of one device to another one in a round: `by` has loaded them out of the
// memory of `from`, or stored them into the memory of `to`.
struct DeviceTransfer {
  unsigned from = 0, to = 0, by = 0;
  std::uint32_t buffer = 0;  // index into LaunchTrace::buffers
  std::vector<ElementRun>
      runs{};               // at least one, ascending: which elements, none of them next to another run
  std::uint64_t bytes = 0;  // over all accesses
  bool isMessage = false;   // by atomic accesses: who reads it has waited for it
  bool isLoad() const { return by == to; }
  std::uint64_t elements() const {
    std::uint64_t sum = 0;
    for (const ElementRun& run : runs) sum += run.end - run.first;
    return sum;
  }
  friend bool operator==(const DeviceTransfer&, const DeviceTransfer&) = default;
};

// A block waits for a word that a block of another device has stored.
struct DeviceWait {
  unsigned device = 0, of = 0;
  std::uint32_t thread = 0;  // of the block that waits
  friend bool operator==(const DeviceWait&, const DeviceWait&) = default;
};

struct DeviceRound {
  std::vector<DeviceTransfer> transfers{};  // by from, to, by and buffer
  std::vector<DeviceWait> waits{};
};

// Some elements of a device's copy that hold a combination of the same devices' elements.
struct DevicePart {
  std::uint64_t first = 0, end = 0;  // elements of the copy
  std::uint32_t of = 0;              // a bit for each device; 0: nothing was stored there
  friend bool operator==(const DevicePart&, const DevicePart&) = default;
};

// One access of a block of each of two devices to the same memory, at least one of them a store, that no
// message orders.
struct DeviceRace {
  std::uint32_t buffer = 0;
  unsigned device = 0;             // whose copy
  std::uint64_t element = 0;       // of the copy
  unsigned first = 0, second = 0;  // devices, ascending
  std::uint32_t firstSite = 0, secondSite = 0;
};

struct DeviceTraffic {
  // By round of the launch, of the recorded blocks of all devices: the n-th rounds of all of them together.
  std::vector<DeviceRound> rounds{};
  // By round, by buffer, by device: what the copy holds after it.
  std::vector<std::vector<std::vector<std::vector<DevicePart>>>> partsAfter{};
  std::vector<DeviceRace> races{};
};

// Bytes that went over each link, from one device to another: links[from * devices + to].
struct DeviceLinks {
  unsigned devices = 1;
  std::vector<std::uint64_t> bytes{};
  std::uint64_t at(unsigned from, unsigned to) const { return bytes[std::size_t(from) * devices + to]; }
  std::uint64_t all() const;
  std::uint64_t highest() const;  // over one link
  friend bool operator==(const DeviceLinks&, const DeviceLinks&) = default;
};

struct Totals {  // over all rounds; shared loads and stores
  std::uint64_t loadWavefronts = 0, storeWavefronts = 0, loadConflicts = 0, storeConflicts = 0;
};

// The shared arrays in which a merge holds the lists' heads and, beside each, the number of its list.
struct HeadArrays {
  std::uint32_t heads = 0, lists = 0;
};

struct LaunchAnalysis {
  std::vector<Round> rounds;
  // A launch may be told round by round. `goesOn`: more rounds follow. `hidesLast`: the last round here is
  // empty and stands for one that is not told yet.
  bool goesOn = false, hidesLast = false;
  std::vector<Race> races;  // one for each pair of sites and round at most, in order of the second access
  Totals totals;
  std::vector<model::Problem> problems;  // the engine's, and those found here
  DeviceMemory deviceMemory;             // where the block works in device memory
  std::optional<HeadArrays> headArrays;  // set if a merge wrote an element with its list's number
  DeviceTraffic traffic;                 // of a launch on several devices; else empty
  DeviceLinks before;                    // what went over the links in the launches before

  std::size_t told() const { return rounds.size() - (hidesLast ? 1 : 0); }  // rounds
};

// Whether the block asks anything of shared memory in any round.
bool usesShared(const LaunchAnalysis& analysis);

struct Analysis {
  std::vector<LaunchAnalysis> launches;  // as Trace::launches
  Totals totals;                         // over all launches
};

// Requires a trace without a fault (model/trace_check.h). Where the budget ends, so do the launch's rounds,
// and a problem of the kind Limit says so.
Analysis analyse(const model::Trace& trace, MemoryBudget& budget);
Analysis analyse(const model::Trace& trace);  // with a budget of its own

// The rounds of the launch that has the most.
std::size_t mostRounds(const Analysis& analysis);

}  // namespace stridescope::analysis
