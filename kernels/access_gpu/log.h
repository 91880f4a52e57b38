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
};

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
enum class Missed : U8 { RemoteShared, BulkCopy, ArrivalBarrier, NamedBarrier, Matrix, Count };
inline constexpr U32 kMissed = U32(Missed::Count);

inline constexpr U32 kMaxRanges = 16;

struct Log {
  U32 block[3] = {0, 0, 0};  // the one that is recorded
  U32 threads = 0;           // of a block
  U64 capacity = 0, used = 0;
  Entry* entries = nullptr;

  // Shared memory as it is when a block barrier is complete.
  U32 sharedBegin = 0, sharedBytes = 0;  // in the window
  U32 copyCapacity = 0, copies = 0;
  U8* copied = nullptr;
  U32 state = 0;  // threads that wait at the barrier, in the low 16 bits; above them: that have ended

  // The arrays that the kernel was given, in one piece of memory with room between them.
  Range arena;
  U32 ranges = 0;
  Range range[kMaxRanges];

  U32 faults = 0;
  Fault fault;  // the first
  U32 missed[kMissed] = {};
};

}  // namespace patched
