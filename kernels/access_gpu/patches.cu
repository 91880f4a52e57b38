// The calls that NVIDIA's Sanitizer API puts before the instructions of a compiled kernel. What each is given
// is described there, under Sanitizer Patching API. Addresses of shared memory are offsets in the block's
// window.
#include "log.h"

using namespace patched;

namespace {

enum Answer : int { kGoOn = 0, kEndWarp = 1 };  // SanitizerPatchResult

__device__ Log& logOf(void* given) { return *static_cast<Log*>(given); }

__device__ bool isRecorded(const Log& log) {
  return log.recordsAll != 0 ||
         (blockIdx.x == log.block[0] && blockIdx.y == log.block[1] && blockIdx.z == log.block[2]);
}

__device__ U32 currentThread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ U64 currentBlock() {
  return blockIdx.x + U64(gridDim.x) * (blockIdx.y + U64(gridDim.y) * blockIdx.z);
}

// Which of the recorded blocks it is. Requires isRecorded().
__device__ U32 recordedBlock(const Log& log) { return log.recordsAll != 0 ? U32(currentBlock()) : 0; }

__device__ void putAs(Log& log, const Entry& entry) {
  const U64 at = atomicAdd(&log.used, 1ull);
  if (at < log.capacity) log.entries[at] = entry;
}

__device__ void put(Log& log, Entry entry) {
  entry.block = recordedBlock(log);
  putAs(log, entry);
}

// What the lanes of a warp do that execute an instruction together. It is asked for where the call begins,
// before anything divides them.
__device__ Entry entryOf(U64 pc, U64 address, EntryKind kind, U32 bytes = 0, U32 access = 0) {
  Entry entry;
  entry.together = __activemask();
  entry.pc = pc;
  entry.address = address;
  entry.thread = currentThread();
  entry.kind = kind;
  entry.bytes = U8(bytes);
  entry.access = U8(access);
  return entry;
}

__device__ U64 bitsAt(const volatile void* from, U32 bytes) {
  switch (bytes) {
    case 1:
      return *static_cast<const volatile U8*>(from);
    case 2:
      return *static_cast<const volatile U16*>(from);
    case 4:
      return *static_cast<const volatile U32*>(from);
    default:
      return *static_cast<const volatile U64*>(from);
  }
}

// An address of a cluster's shared memory has the block's rank above its offset in the window.
constexpr U32 kRankShift = 24;
__device__ U32 rankOf(U32 address) { return address >> kRankShift; }
__device__ U32 offsetOf(U32 address) { return address & ((1u << kRankShift) - 1); }

struct Place {
  U32 x, y, z;
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ U32 ownRank() {
  U32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// The block of this cluster that has the rank.
__device__ Place blockOfRank(U32 rank) {
  Place own, shape;
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(own.x));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(own.y));
  asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(own.z));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(shape.x));
  asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(shape.y));
  return {blockIdx.x - own.x + rank % shape.x, blockIdx.y - own.y + rank / shape.x % shape.y,
          blockIdx.z - own.z + rank / shape.x / shape.y};
}
#else
__device__ U32 ownRank() { return 0; }
__device__ Place blockOfRank(U32) { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
#endif

// The place in this block's shared memory.
__device__ const U8* inShared(U32 offset) {
  return static_cast<const U8*>(__cvta_shared_to_generic(ownRank() << kRankShift | offset));
}

__device__ void miss(Log& log, Missed what) {
  if (isRecorded(log)) atomicAdd(&log.missed[U32(what)], 1u);
}

__device__ Answer refuse(Log& log, const Entry& entry) {
  if (atomicAdd(&log.faults, 1u) == 0)
    log.fault = {entry.pc,   entry.address, currentBlock(), entry.thread,
                 entry.kind, entry.bytes,   entry.access};
  return kEndWarp;
}

// What lies between the kernel's arrays is nobody's. Other memory, such as a variable of the file, is not
// known here.
enum class Lies : U8 { InArray, Between, Elsewhere };
__device__ Lies whereLies(const Log& log, U64 address, U32 bytes) {
  if (address - log.arena.base >= log.arena.bytes) return Lies::Elsewhere;
  for (U32 i = 0; i < log.ranges; ++i) {
    const U64 offset = address - log.range[i].base;
    if (offset < log.range[i].bytes && log.range[i].bytes - offset >= bytes) return Lies::InArray;
  }
  return Lies::Between;
}

__device__ bool isInShared(const Log& log, U64 address, U32 bytes) {
  const U64 offset = address - log.sharedBegin;
  return offset < log.sharedBytes && log.sharedBytes - offset >= bytes;
}

__device__ Answer access(Log& log, Entry entry, const void* given) {
  const bool isShared = entry.kind == EntryKind::Shared;
  const Lies lies = isShared ? (isInShared(log, entry.address, entry.bytes) ? Lies::InArray : Lies::Between)
                             : whereLies(log, entry.address, entry.bytes);
  if (lies == Lies::Between || (entry.address & (entry.bytes - 1)) != 0) return refuse(log, entry);
  if (lies == Lies::Elsewhere || !isRecorded(log)) return kGoOn;
  const void* const from =
      entry.access == kWrites ? given
      : entry.access == kReads
          ? (isShared ? inShared(U32(entry.address)) : reinterpret_cast<const void*>(entry.address))
          : nullptr;
  if (from != nullptr) {
    entry.isValueKnown = 1;
    entry.value = bitsAt(from, entry.bytes);
    if (entry.bytes == 16) entry.upper = bitsAt(static_cast<const U8*>(from) + 8, 8);
  }
  put(log, entry);
  return kGoOn;
}

__device__ Answer tell(Log& log, Entry entry, const void* given) {
  if (!isRecorded(log)) return kGoOn;
  entry.value = bitsAt(given, entry.bytes == 4 ? 4 : 8);
  if (entry.bytes == 16) entry.upper = bitsAt(static_cast<const U8*>(given) + 8, 8);
  put(log, entry);
  return kGoOn;
}

// What the block has stored. `barrier`: at which it met; 0: its own.
__device__ void copyShared(const Log& log, U32 block, U32 barrier) {
  const U32 at = atomicAdd(&log.states[block].copies, 1u);
  if (at >= log.copyCapacity) return;
  U8* const to = log.copied + (U64(block) * log.copyCapacity + at) * (kCopyHead + log.sharedBytes);
  for (U32 i = 0; i < sizeof(barrier); ++i) to[i] = U8(barrier >> (8 * i));  // it may lie anywhere
  for (U32 i = 0; i < log.sharedBytes; ++i)
    to[kCopyHead + i] = *static_cast<const volatile U8*>(inShared(log.sharedBegin + i));
}

// When all threads of the block that have not ended wait, its last one copies what they have stored.
__device__ void arrive(Log& log, U32 what) {
  constexpr U32 kLow = 0xffff;
  __threadfence_block();
  const U32 block = recordedBlock(log);
  BlockState& state = log.states[block];
  const U32 now = atomicAdd(&state.waiting, what) + what;
  const U32 waiting = now & kLow, ended = now >> 16;
  if (waiting == 0 || waiting + ended != log.threads) return;
  atomicSub(&state.waiting, waiting);
  copyShared(log, block, 0);
}

// The same of a barrier in shared memory. Whether all threads of the block meet there each time is found out
// when all is recorded; until then, as many arrivals as it has threads count as a meeting.
__device__ void arriveAt(Log& log, U32 barrier) {
  __threadfence_block();
  const U32 block = recordedBlock(log);
  BlockState& state = log.states[block];
  for (U32 i = 0; i < kMaxArrivalBarriers; ++i) {
    const U32 known = atomicCAS(&state.barrier[i], 0u, barrier);
    if (known != 0 && known != barrier) continue;
    if (atomicAdd(&state.arrived[i], 1u) + 1 != log.threads) return;
    atomicSub(&state.arrived[i], log.threads);
    return copyShared(log, block, barrier);
  }
}

constexpr U32 kWaits = 1, kEnds = 1u << 16;

}  // namespace

#define STRIDESCOPE_PATCH extern "C" __device__ __attribute__((used)) __noinline__ int

STRIDESCOPE_PATCH onShared(void* log, U64 pc, void* pointer, U32 bytes, U32 flags, const void* data) {
  U64 address = reinterpret_cast<U64>(pointer);
  const U32 rank = rankOf(U32(address));
  if (rank != 0 && rank != ownRank()) return kGoOn;  // another block's
  if (rank != 0) address = offsetOf(U32(address));
  return access(logOf(log), entryOf(pc, address, EntryKind::Shared, bytes, flags & (kReads | kWrites)), data);
}

// A store to one of the boxes tells something.
STRIDESCOPE_PATCH onGlobal(void* log, U64 pc, void* address, U32 bytes, U32 flags, const void* data) {
  constexpr U32 kPrefetch = 8;
  if ((flags & kPrefetch) != 0) return kGoOn;
  const U64 box = reinterpret_cast<U64>(address) - logOf(log).told;
  if (logOf(log).told != 0 && box < kToldBoxes * kToldBox && data != nullptr && (flags & kWrites) != 0)
    return tell(logOf(log), entryOf(pc, 0, EntryKind(U32(EntryKind::Condition) + box / kToldBox), bytes),
                data);
  return access(
      logOf(log),
      entryOf(pc, reinterpret_cast<U64>(address), EntryKind::Global, bytes, flags & (kReads | kWrites)),
      data);
}

// A copy from global to shared memory: a load, then a store.
STRIDESCOPE_PATCH onAsyncCopy(void* log, U64 pc, void* from, U32 to, U32 bytes) {
  if (from == nullptr) return kGoOn;
  const Entry load = entryOf(pc, reinterpret_cast<U64>(from), EntryKind::Global, bytes, kReads);
  Entry store = load;
  store.address = to;
  store.kind = EntryKind::Shared;
  store.access = kWrites;
  const Answer loaded = access(logOf(log), load, nullptr);
  return loaded != kGoOn ? loaded : access(logOf(log), store, from);
}

namespace {

// All threads of the block meet.
__device__ Answer meetBlock(Log& log, const Entry& barrier) {
  put(log, barrier);
  arrive(log, kWaits);
  return kGoOn;
}

}  // namespace

STRIDESCOPE_PATCH onBarrier(void* given, U64 pc, U32 barrier, U32 threads, U32) {
  Log& log = logOf(given);
  if (!isRecorded(log)) return kGoOn;
  Entry entry = entryOf(pc, barrier, EntryKind::BlockBarrier);
  if (threads == 0 || threads >= log.threads) return meetBlock(log, entry);
  entry.kind = EntryKind::PartBarrier;
  entry.value = threads;
  put(log, entry);
  return kGoOn;
}

// All blocks of a cluster meet. What other blocks store there may come later than the copy.
STRIDESCOPE_PATCH onClusterBarrier(void* given, U64 pc) {
  Log& log = logOf(given);
  if (!isRecorded(log)) return kGoOn;
  return meetBlock(log, entryOf(pc, 0, EntryKind::BlockBarrier));
}

STRIDESCOPE_PATCH onEnd(void* given, U64) {
  if (isRecorded(logOf(given))) arrive(logOf(given), kEnds);
  return kGoOn;
}

STRIDESCOPE_PATCH onWarpBarrier(void* given, U64 pc, U32 mask) {
  if (isRecorded(logOf(given))) put(logOf(given), entryOf(pc, mask, EntryKind::WarpBarrier));
  return kGoOn;
}

STRIDESCOPE_PATCH onShuffle(void* given, U64 pc) {
  const U32 together = __activemask();
  if (isRecorded(logOf(given))) put(logOf(given), entryOf(pc, together, EntryKind::Shuffle));
  return kGoOn;
}

namespace {

// What another block of the cluster has is stored to by this one.
__device__ void storeElsewhere(Log& log, const Entry& store, U32 rank, U32 offset, U32 bytes) {
  const Place place = blockOfRank(rank);
  Entry stored = store;
  stored.kind = EntryKind::RemoteStored;
  stored.address = offset;
  stored.upper = bytes;
  if (log.recordsAll != 0) {
    stored.block = U32(place.x + U64(gridDim.x) * (place.y + U64(gridDim.y) * place.z));
  } else if (place.x != log.block[0] || place.y != log.block[1] || place.z != log.block[2]) {
    return;
  } else {
    stored.block = 0;
  }
  putAs(log, stored);
}

}  // namespace

STRIDESCOPE_PATCH onRemoteShared(void* given, U64 pc, void* pointer, U32 bytes, U32 flags, const void* data) {
  Log& log = logOf(given);
  const U32 address = U32(reinterpret_cast<U64>(pointer)), rank = rankOf(address);
  Entry entry = entryOf(pc, offsetOf(address), EntryKind::RemoteShared, bytes, flags & (kReads | kWrites));
  entry.upper = rank;
  if (entry.access == kWrites && data != nullptr) {
    entry.value = bitsAt(data, bytes);
    entry.isValueKnown = 1;
  }
  if ((entry.access & kWrites) != 0) storeElsewhere(log, entry, rank, offsetOf(address), bytes);
  if (isRecorded(log)) put(log, entry);
  return kGoOn;
}

// The lanes of a warp that copy together all have the same copy: the lowest one tells of it.
namespace {

__device__ bool isLowestOf(U32 together) { return (currentThread() & 31) == U32(__ffs(int(together))) - 1; }

__device__ Answer copyInBulk(Log& log, Entry entry, U64 other, U64 bytes) {
  entry.value = other;
  entry.upper = bytes;
  if (isRecorded(log) && isLowestOf(entry.together)) put(log, entry);
  return kGoOn;
}

}  // namespace

STRIDESCOPE_PATCH onBulkCopy(void* given, U64 pc, U64 from, U32 to, U32, U32 data, U32 isMulticast) {
  constexpr U32 kPiece = 16;
  Log& log = logOf(given);
  const Entry entry = entryOf(pc, offsetOf(to), EntryKind::BulkToShared);
  const U32 bytes = (data & 0xffff) * kPiece;
  if (isLowestOf(entry.together))
    for (U32 rank = 0; rank < 16; ++rank)
      if (isMulticast != 0 ? (data >> (16 + rank) & 1) != 0 : rank == rankOf(to))
        storeElsewhere(log, entry, rank, offsetOf(to), bytes);
  return copyInBulk(log, entry, from, bytes);
}
STRIDESCOPE_PATCH onBulkCopyOut(void* given, U64 pc, U64 to, U32 from, U32 pieces) {
  return copyInBulk(logOf(given), entryOf(pc, offsetOf(from), EntryKind::BulkToGlobal), to, pieces * 16ull);
}
STRIDESCOPE_PATCH onBulkCopyOver(void* given, U64 pc, U32 from, U32 to, U32, U32 pieces) {
  Log& log = logOf(given);
  const Entry entry = entryOf(pc, offsetOf(from), EntryKind::BulkToOther);
  if (isLowestOf(entry.together)) storeElsewhere(log, entry, rankOf(to), offsetOf(to), pieces * 16);
  return copyInBulk(log, entry, to, pieces * 16ull);
}
STRIDESCOPE_PATCH onBulkReduction(void* log, U64, U64, U32, U32) {
  miss(logOf(log), Missed::BulkReduction);
  return kGoOn;
}
STRIDESCOPE_PATCH onAsyncStore(void* log, U64, U32, U32, void*, U32) {
  miss(logOf(log), Missed::AsyncStore);
  return kGoOn;
}

STRIDESCOPE_PATCH onArrivalBarrier(void* given, U64 pc, void* pointer, U32 act, U32 data) {
  Log& log = logOf(given);
  if (!isRecorded(log)) return kGoOn;
  const U32 barrier = offsetOf(U32(reinterpret_cast<U64>(pointer)));
  Entry entry = entryOf(pc, barrier, EntryKind::Arrival);
  entry.value = act;
  entry.upper = data;
  put(log, entry);
  if (act == U32(BarrierAct::Arrive)) arriveAt(log, barrier);
  return kGoOn;
}

// ---- In place of the others, where the block is clocked: the first lane of each warp reads the SM's clock.

namespace {

__device__ int mark(void* given, U64 pc, ClockMark what) {
  Log& log = logOf(given);
  if (!isRecorded(log) || currentThread() % 32 != 0) return kGoOn;
  const U64 now = clock64();
  Entry entry = entryOf(pc, U64(what), EntryKind::Clock);
  entry.value = now;
  put(log, entry);
  return kGoOn;
}

}  // namespace

STRIDESCOPE_PATCH onClockedStart(void* log, U64 pc) { return mark(log, pc, ClockMark::Start); }
STRIDESCOPE_PATCH onClockedEnd(void* log, U64 pc) { return mark(log, pc, ClockMark::End); }
STRIDESCOPE_PATCH onClockedArrive(void* log, U64 pc, U32 barrier, U32, U32) {
  return barrier == 0 ? mark(log, pc, ClockMark::Arrive) : kGoOn;
}
STRIDESCOPE_PATCH onClockedLeave(void* log, U64 pc, U32 barrier, U32, U32) {
  return barrier == 0 ? mark(log, pc, ClockMark::Leave) : kGoOn;
}
STRIDESCOPE_PATCH onClockedWarpBarrier(void* log, U64 pc, U32) { return mark(log, pc, ClockMark::Leave); }
STRIDESCOPE_PATCH onClockedShuffle(void* log, U64 pc) { return mark(log, pc, ClockMark::Leave); }

// ---- In place of the others, where all blocks are timed.

namespace {

__device__ bool isFirstThread() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0; }

__device__ U64 globalTimer() {
  U64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace

STRIDESCOPE_PATCH onTimedStart(void* log, U64) {
  if (!isFirstThread()) return kGoOn;
  BlockTime& time = logOf(log).times[currentBlock()];
  asm volatile("mov.u32 %0, %%smid;" : "=r"(time.multiprocessor));
  time.start = globalTimer();
  return kGoOn;
}
STRIDESCOPE_PATCH onTimedEnd(void* log, U64) {
  if (isFirstThread()) logOf(log).times[currentBlock()].end = globalTimer();
  return kGoOn;
}
