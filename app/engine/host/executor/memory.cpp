// Where an address lies: in a shared array, in a buffer, in the thread's own variables, or out of bounds.
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "base/numbers.h"
#include "engine/host/executor/block_runner.h"
#include "kernel_module.h"
#include "model/array_names.h"
#include "model/trace_check.h"

namespace recording {

using stridescope::figure;
using stridescope::model::Array;
using stridescope::model::ProblemKind;

namespace {

constexpr U64 kAlignment = 128;  // a row of the banks
constexpr U64 kGap = 64 * 1024;  // between shared arrays: an index that misses one does not hit the next
constexpr U64 kSharedRoom = kMaxSharedBytes + (kMaxSharedArrays + 1) * (kGap + kAlignment);
constexpr int kUnwritten = 0xa5;  // what shared memory holds before it is written: no operator's identity
constexpr std::uintptr_t kNull = 4096;      // nothing lies below: a null pointer, with or without an index
constexpr std::uint64_t kFar = 1ull << 30;  // farther off than this, no array is named

std::string bytesText(std::uint64_t bytes) { return figure(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::uint64_t distanceTo(const MemoryRange& range, std::uintptr_t address) {
  if (address < range.base) return range.base - address;
  return address < range.base + range.bytes ? 0 : address - (range.base + range.bytes);
}

// What the text says of a shared array beyond its name; nothing: it is a row of numbers.
std::optional<Array> shapedArray(const HostLaunch& launch, U32 index) {
  if (!launch.sharedArray) return std::nullopt;
  Array array = launch.sharedArray(index);
  const bool isRow = array.extents.empty() && array.members.size() < 2;
  return isRow || array.elementBytes == 0 ? std::nullopt : std::optional(std::move(array));
}

// "32 x 33 elements of 4 bytes"
std::string sizeText(const Array& array, std::uint64_t bytes) {
  std::string text;
  for (const std::uint64_t extent : array.extents) text += (text.empty() ? "" : " x ") + figure(extent);
  if (text.empty()) text = figure(bytes / array.elementBytes);
  return text + (text == "1" ? " element of " : " elements of ") + bytesText(array.elementBytes);
}

// What was accessed in vain, as elements of the access's size where the array is made of such.
std::string describeMiss(const MemoryRange& range, const std::string& name,
                         const std::optional<Array>& shaped, std::uintptr_t address, std::uint64_t bytes) {
  if (address < range.base)
    return bytesText(bytes) + ", " + bytesText(range.base - address) + " before the start of " + name;
  const std::uint64_t offset = address - range.base, elements = range.bytes / bytes;
  if (shaped)
    return stridescope::model::placeName(*shaped, offset, U32(bytes)) + ", but " + name + " has " +
           sizeText(*shaped, range.bytes) + ", from 0 on";
  if (offset % bytes == 0 && range.bytes % bytes == 0)
    return name + "[" + figure(offset / bytes) + "], but " + name + " has " + figure(elements) +
           (elements == 1 ? " element of " : " elements of ") + bytesText(bytes) + ", from 0 on";
  return bytesText(bytes) + " at byte " + figure(offset) + " of " + name + ", which has " +
         bytesText(range.bytes);
}

}  // namespace

bool BlockRunner::reserveShared() {
  if (shared_ != nullptr) return true;
  void* const memory =
      mmap(nullptr, kSharedRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  shared_ = static_cast<std::uint8_t*>(memory);
  return true;
}

void BlockRunner::releaseShared() {
  if (shared_ != nullptr) munmap(shared_, kSharedRoom);
}

void BlockRunner::forgetArrays() {
  sharedUsed_ = kGap;
  std::ranges::fill(arrays, MemoryRange{});
  firstArray = {};
}

void* BlockRunner::declareArray(U32 array, U64 bytes) {
  std::uint64_t total = bytes;
  for (const MemoryRange& other : arrays) total += other.bytes;
  if (total > kMaxSharedBytes) {
    report(ProblemKind::Limit,
           "The block needs " + figure(total) + " bytes of shared memory; a block has at most " +
               figure(kMaxSharedBytes) + ". Take a smaller block.",
           -1, running->thread);
    stop(BlockOutcome::Stopped);
  }
  std::uint8_t* const base = shared_ + sharedUsed_;
  std::memset(base, kUnwritten, bytes);
  arrays[array] = {reinterpret_cast<U64>(base), bytes};
  if (array == 0 && !stepwise) firstArray = arrays[0];
  sharedUsed_ += (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
  return base;
}

void BlockRunner::beginPlacedShared() {
  placedShared_.clear();
  for (std::size_t k = 0; k < launch_.placedShared.size() && k < kMaxSharedArrays; ++k) {
    arrays[k] = launch_.placedShared[k];
    std::memset(reinterpret_cast<void*>(arrays[k].base), kUnwritten, arrays[k].bytes);
  }
  if (!launch_.placedShared.empty() && !stepwise) firstArray = arrays[0];
}

void BlockRunner::takePlacedShared() {
  placedShared_.clear();
  for (const MemoryRange& range : launch_.placedShared) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(range.base);
    placedShared_.insert(placedShared_.end(), from, from + range.bytes);
  }
}

void BlockRunner::bringPlacedShared() {
  if (placedShared_.empty()) return;
  const std::uint8_t* from = placedShared_.data();
  for (const MemoryRange& range : launch_.placedShared) {
    std::memcpy(reinterpret_cast<void*>(range.base), from, range.bytes);
    from += range.bytes;
  }
}

U64 BlockRunner::placeOf(U32 site, std::uintptr_t address, U32 bytes, U32 alignment) {
  if (address % alignment != 0) reportMisaligned(site, address, bytes, alignment);
  if (stepwise) {
    if (pauses_ != Pauses::Never && isWaitingLook(address, bytes)) yieldTurn();
    pauseBefore(site, false);
  }
  const auto holds = [&](const MemoryRange& range) {
    const U64 offset = address - range.base;
    return offset < range.bytes && range.bytes - offset >= bytes;
  };
  for (U32 b = 0; b < bufferCount; ++b)
    if (holds(buffers[b])) {
      const U32 buffer = deviceCount == 1 ? b : b / deviceCount;
      if (int(buffer) == launch_.joiningBuffer && !cameToJoin_) noteArrival(site);
      const U64 before = (b - buffer * deviceCount) * buffers[b].bytes;  // the copies of the devices before
      return eventHead(before + (address - buffers[b].base), 0, EventKind::Load, kGlobalSpace + buffer, 0);
    }
  for (U32 k = 0; k < kMaxSharedArrays; ++k)
    if (holds(arrays[k])) return eventHead(address - arrays[k].base, 0, EventKind::Load, kSharedSpace + k, 0);
  if (cluster_ != nullptr && isRemote(site, address, bytes)) return 0;
  if (!isOutsideTheKernelsArrays(address)) reportOutOfBounds(site, address, bytes);
  return 0;
}

U64 BlockRunner::addressOf(const Event& access) const {
  if (!access.inGlobal()) return arrays[access.sharedArray()].base + access.offset();
  const U32 first = access.buffer() * deviceCount;
  if (deviceCount == 1) return buffers[first].base + access.offset();
  return buffers[first + access.offset() / buffers[first].bytes].base +
         access.offset() % buffers[first].bytes;
}

void BlockRunner::noteArrival(U32 site) {
  cameToJoin_ = true;
  if (launch_.isLoad(site) || arrivals_->size() == stridescope::model::kMaxArrivals) return;
  arrivals_->push_back({block_});
}

// The thread's own variables, and the constants that stand beside the kernel in its text.
bool BlockRunner::isOutsideTheKernelsArrays(std::uintptr_t address) const {
  const StackBounds stack = stacks_.boundsOf(running->thread);
  if (address - reinterpret_cast<std::uintptr_t>(stack.bottom) < stack.bytes) return true;
  const auto holds = [address](const MemoryRange& range) { return address - range.base < range.bytes; };
  if (std::ranges::any_of(launch_.moduleData, holds))
    return std::ranges::any_of(launch_.moduleVariables, holds);
  return isInModuleOf(launch_.kernel, address);
}

void BlockRunner::reportMisaligned(U32 site, std::uintptr_t address, U32 bytes, U32 alignment) {
  {
    report(ProblemKind::OutOfBounds,
           threadName(running->thread) + " accesses " + bytesText(bytes) + " at a misaligned address, " +
               std::to_string(address % alignment) + " bytes past a multiple of " +
               std::to_string(alignment) + ". Begin such an access at a multiple of its size.",
           int(site), running->thread);
  }  // the string is gone before the stack is left for good
  stop(BlockOutcome::Stopped);
}

void BlockRunner::reportOutOfBounds(U32 site, std::uintptr_t address, U32 bytes) {
  {
    const auto nameAt = [](const std::vector<std::string>& names, U32 index, const char* otherwise) {
      return index < names.size() ? names[index] : otherwise + std::to_string(index);
    };
    std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
    std::string miss;
    const auto consider = [&](const MemoryRange& range, const std::string& name,
                              const std::optional<Array>& shaped = std::nullopt) {
      const std::uint64_t distance = distanceTo(range, address);
      if (range.base == 0 || distance >= nearest) return;  // not declared; an array may be empty
      nearest = distance;
      miss = describeMiss(range, name, shaped, address, bytes);
    };
    for (U32 k = 0; k < kMaxSharedArrays; ++k)
      consider(arrays[k], nameAt(launch_.sharedNames, k, "shared array "), shapedArray(launch_, k));
    for (U32 b = 0; b < bufferCount; ++b) consider(buffers[b], nameAt(launch_.bufferNames, b, "buffer "));
    for (U32 v = 0; v < launch_.moduleVariables.size(); ++v)
      consider(launch_.moduleVariables[v], nameAt(launch_.moduleNames, v, "variable "));
    if (nearest > kFar) miss = bytesText(bytes) + " far outside every array and buffer";
    if (address < kNull) miss = bytesText(bytes) + " through a null pointer";
    report(ProblemKind::OutOfBounds,
           threadName(running->thread) + " accesses " + miss + ". Check the index against the array's size.",
           int(site), running->thread);
  }  // the strings are gone before the stack is left for good
  stop(BlockOutcome::Stopped);
}

void reportUninitializedRead(U32 site, U32 array, U64 offset, U32 bytes) {
  BlockRunner& runner = BlockRunner::current();
  const std::string name = array < runner.launch_.sharedNames.size()
                               ? runner.launch_.sharedNames[array]
                               : "shared array " + std::to_string(array);
  const std::optional<Array> shaped = shapedArray(runner.launch_, array);
  const std::string what = shaped ? stridescope::model::placeName(*shaped, offset, bytes)
                           : offset % bytes == 0
                               ? name + "[" + figure(offset / bytes) + "]"
                               : bytesText(bytes) + " at byte " + figure(offset) + " of " + name;
  runner.report(
      ProblemKind::UninitializedRead,
      runner.threadName(runner.running->thread) + " reads " + what +
          " of shared memory before anything was stored there. Store to it first: shared memory holds "
          "anything when a block begins.",
      int(site), runner.running->thread);
}

// ---- Snapshots.

bool BlockRunner::withinCopyBudget(U64 bytes) {
  copiedBytes_ += bytes;
  if (copiedBytes_ <= launch_.traceBytes) return true;
  const std::string reached = "The copies of shared memory reached " + figure(launch_.traceBytes) + " bytes";
  if (launch_.goesOnUnrecorded) {
    stopRecording(reached);
    return false;
  }
  report(ProblemKind::Limit, reached + " and the trace was cut. Take fewer elements.", -1, running->thread);
  cut_ = true;
  outcome_ = BlockOutcome::Stopped;
  return false;
}

void BlockRunner::copyShared() {
  SharedCopy copy;
  U64 total = 0;
  for (U32 k = 0; k < kMaxSharedArrays; ++k) total += arrays[k].bytes;
  if (!withinCopyBudget(total)) return;
  copy.bytes.reserve(total);
  for (U32 k = 0; k < kMaxSharedArrays; ++k) {
    if (arrays[k].bytes == 0) continue;
    copy.declared |= 1u << k;
    const auto* const from = reinterpret_cast<const std::uint8_t*>(arrays[k].base);
    copy.bytes.insert(copy.bytes.end(), from, from + arrays[k].bytes);
  }
  barrierCopies_.push_back(std::move(copy));
}

// An array that was declared only after the copy stands in it as never written.
std::vector<std::uint8_t> BlockRunner::withAllArrays(const SharedCopy& copy) const {
  std::vector<std::uint8_t> all;
  std::size_t at = 0;
  for (U32 k = 0; k < kMaxSharedArrays; ++k) {
    if ((copy.declared >> k & 1) != 0) {
      const auto from = copy.bytes.begin() + std::ptrdiff_t(at);
      all.insert(all.end(), from, from + std::ptrdiff_t(arrays[k].bytes));
      at += arrays[k].bytes;
    } else {
      all.insert(all.end(), arrays[k].bytes, std::uint8_t(kUnwritten));
    }
  }
  return all;
}

void BlockRunner::copyTouchedWords(const HostThread& thread) {
  std::vector<Event> touched;
  bool atThisBarrier = true;
  log_.backwards(thread.lastTurn, next, [&](const Event& event) {
    const bool barrier = event.kind() == EventKind::BlockBarrier || event.kind() == EventKind::WarpBarrier;
    if (barrier) return std::exchange(atThisBarrier, false);
    if (event.inShared()) {
      Event copy;
      const U32 width = std::min(event.width(), 8u);
      std::memcpy(&copy.value,
                  reinterpret_cast<const void*>(arrays[event.sharedArray()].base + event.offset()), width);
      copy.head = eventHead(event.offset(), thread.request.site, EventKind::Copied, event.space(),
                            U32(std::countr_zero(width)));
      touched.push_back(copy);
    }
    return true;
  });
  const auto order = [](const Event& event) {
    return std::tuple(event.space(), event.offset(), event.width());
  };
  std::ranges::sort(touched, {}, order);
  const auto isRepeat = [&](const Event& a, const Event& b) { return order(a) == order(b); };
  touched.erase(std::unique(touched.begin(), touched.end(), isRepeat), touched.end());
  if (!withinCopyBudget(touched.size() * sizeof(touched[0]))) return;
  for (const Event& event : touched) copied_.push_back({thread.thread, thread.warpBarriers, event});
}

U64 locateElsewhere(U32 site, const volatile void* pointer, U32 bytes, U32 alignment) {
  return BlockRunner::current().placeOf(site, reinterpret_cast<std::uintptr_t>(pointer), bytes, alignment);
}

void* declareShared(U32 array, U64 bytes) { return BlockRunner::current().declareArray(array, bytes); }

}  // namespace recording
