// What the patches of a person's kernel write on the GPU (patches.cu), and what the program reads of it.
// Compiled by both; it includes nothing.
#pragma once

namespace patched {

using U8 = unsigned char;
using U16 = unsigned short;
using U32 = unsigned int;
using U64 = unsigned long long;

enum class EntryKind : U8 {
  Shared,        // an access; address: in the block's window of shared memory
  Global,        // an access; address: of device memory
  BlockBarrier,  // address: which of the block's barriers
  WarpBarrier,   // address: the mask
  Shuffle,       // address: the lanes that came together
  Clock,         // a mark of the clock; address: which (ClockMark), value: the SM's cycles

  // What no event of a trace has.
  RemoteShared,  // an access to another block of the cluster; address: what the instruction has, upper: the
                 // block's rank in the cluster
  RemoteStored,  // a store of another block to this one, of no thread here; address: in the window
  BulkToShared,  // a copy; address: in the window, value: from where in device memory, upper: bytes
  BulkToGlobal,  // a copy; address: in the window, value: to where in device memory, upper: bytes
  BulkToOther,   // a copy to another block's shared memory; as BulkToShared, value: address there
  Arrival,       // at a barrier in shared memory; address: its own, value: what is done there (BarrierAct)
  PartBarrier,   // of some warps of the block; address: its number, value: the threads that it waits for

  // What a text tells that was compiled to tell it (told.h).
  Condition,  // value: its number * 2 + whether it is met
  Given,      // before an exchange; value: what the lane gives, upper: mask | about << 32 (ToldExchange)
  Received,   // behind it; the same of what the lane receives

  // The program's own, of what was told put among what was recorded (app/engine/access/gpu/told_acts.h).
  Exchange,  // address: mask | source lane << 32, value: what the lane receives, upper: what it gives
};

// At a barrier in shared memory (cuda::barrier, mbarrier): by the numbers of NVIDIA's Sanitizer API.
// Within: an arrival that does not end a phase.
enum class BarrierAct : U8 {
  Init = 1,
  Arrive = 2,
  ArriveAndDrop = 3,
  ArriveWithin = 4,
  ArriveAndDropWithin = 5,
  Wait = 6
};

// What lanes exchange by; told.h has the same numbers.
enum class ToldExchange : U8 { Shuffle, Vote, WarpReduce };
inline constexpr U32 kToldBox = 16, kToldBoxes = 3;  // bytes; Condition, Given and Received have one each

// Where the first lane of a warp read the clock.
enum class ClockMark : U8 { Start, Arrive, Leave, End };

inline constexpr U8 kReads = 1, kWrites = 2;  // both: an atomic

// What one thread did. 48 bytes.
struct Entry {
  U64 pc = 0;
  U64 address = 0;
  U64 value = 0, upper = 0;  // what is stored, or lies there before a load; upper: bytes 8 to 15
  U32 thread = 0;
  EntryKind kind{};
  U8 bytes = 0, access = 0;
  U8 isValueKnown = 0;  // an atomic's operand is not
  U32 together = 0;     // the lanes that executed the instruction with it, and it
  U32 block = 0;        // which of the blocks that are recorded; 0 where it is one
};
static_assert(sizeof(Entry) == 48, "the log's layout is shared by host and device");

struct Range {
  U64 base = 0, bytes = 0;
};

// An access that must not be: its warp ends there.
struct Fault {
  U64 pc = 0, address = 0, block = 0;
  U32 thread = 0;
  EntryKind kind{};
  U8 bytes = 0, access = 0;
};

// What the patches do not follow, counted.
enum class Missed : U8 { AsyncStore, BulkReduction, Matrix, Count };
inline constexpr U32 kMissed = U32(Missed::Count);

// Barriers in shared memory at which threads arrive, as many as are told apart in a block.
inline constexpr U32 kMaxArrivalBarriers = 8;

// Before each copy of shared memory, in as many bytes: which barrier it was taken at.
inline constexpr U32 kCopyHead = 16;

inline constexpr U32 kMaxRanges = 16;

// What the patches keep of a recorded block.
struct BlockState {
  U32 waiting = 0;  // threads that wait at the barrier, in the low 16 bits; above them: that have ended
  U32 copies = 0;   // of shared memory; more may have been due than there is room for
  U32 barrier[kMaxArrivalBarriers] = {};  // where each lies in the window; 0: none
  U32 arrived[kMaxArrivalBarriers] = {};  // threads, since as many as the block has arrived last
};

// When a block ran, and where: by its first thread. Nanoseconds of the GPU's timer.
struct BlockTime {
  U64 start = 0, end = 0;
  U32 multiprocessor = 0, unused = 0;
};

struct Log {
  U32 block[3] = {0, 0, 0};  // the one that is recorded
  U32 recordsAll = 0;        // 1: all are
  U32 threads = 0;           // of a block
  U64 capacity = 0, used = 0;
  Entry* entries = nullptr;

  // Shared memory as it is when a block barrier is complete.
  U32 sharedBegin = 0, sharedBytes = 0;  // in the window
  U32 copyCapacity = 0;                  // of each recorded block
  U8* copied = nullptr;  // block after block; of each copy kCopyHead bytes, and those of the window
  BlockState* states = nullptr;
  U64 told = 0;  // where a text that tells stores (told.h); 0: it tells nothing

  // The arrays that the kernel was given, in one piece of memory with room between them.
  Range arena;
  U32 ranges = 0;
  Range range[kMaxRanges];

  U32 faults = 0;
  Fault fault;  // the first
  U32 missed[kMissed] = {};

  BlockTime* times = nullptr;  // of all blocks of the grid, where they are timed
};

}  // namespace patched
