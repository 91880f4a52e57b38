// The recording runtime's shared half: what instrumented text calls (CALLS.md), written once for the GPU and
// for the host. Compiled by NVRTC and by the host's compiler: built-in types only, everything force-inlined.
//
// Text includes recording/gpu.h or recording/host.h; each includes this header first and then defines the
// hooks declared here. A hook knows the machine; this header knows the events.
//
// Order of events in a thread's log
// - Load: after the read. Store: after the write. Update (a[i] += x): a Load, then a Store, of one site.
// - Atomic: before the operation; its value is the operand (atomicCAS: the new value).
// - BlockBarrier, WarpBarrier: before the thread waits, so that a thread that never leaves shows where it is.
// - Shuffle, Vote, WarpReduce: a Give of the same site with what the lane puts in, then, once the lanes have
//   met, the event itself with what came out. __activemask() gives 1.
// - A 16-byte element is two events of width 16, one directly after the other: the first half at its offset,
//   the second half, flagged, at its offset + 8. So min(width, 8) bytes lie at an event's offset, always.
// - Value: after everything that its right side did.
// - A thread that waits looks at one place again and again, and how often depends on who ran meanwhile. So an
//   atomic load takes the place of the thread's last one if that was of the same site and place and nothing
//   came behind it but branches and values, at most kMaxEventsOfALook: they go, too. What ended the wait
//   stays.
// - An access that lies in no shared array and no buffer (a local array) is not recorded.
//
// Snapshots
// - When a block barrier completes, all of shared memory is copied.
// - When a warp barrier completes, each lane that took part copies the elements it touched itself: of each
//   Load, Store and Atomic event in shared memory that it logged after its last BlockBarrier or WarpBarrier
//   before this one, the min(width, 8) bytes at the event's offset, as they are now. A Copied event has that
//   space and offset, the width min(width, 8) and the WarpBarrier's site. A lane keeps one for each space,
//   offset and width, in that order. Two lanes may copy the same word: they read the same value. No lane of
//   the barrier goes on before all have copied.
#pragma once

#include "recording/event.h"

#if defined(RECORDING_FUNCTION)  // who includes this has both (kernels/access/recorded.h)
#elif defined(__CUDACC__)        // nvcc and NVRTC, which has no __builtin_memcpy
#define RECORDING_FUNCTION __device__ __forceinline__
#define RECORDING_COPY memcpy
#else
#define RECORDING_FUNCTION inline __attribute__((always_inline))
#define RECORDING_COPY __builtin_memcpy
#endif

namespace recording {

// Where an access lies.
struct Place {
  U64 head = 0;         // offset and space as in an Event's head; 0: in no recorded space
  bool allowed = true;  // false: out of bounds; the access is not made, a read gives zero
};

constexpr Place placeAt(U32 space, U64 offset) {
  return {eventHead(offset, 0, EventKind::Load, space, 0), true};
}

enum class ShuffleKind : U8 { Indexed, Up, Down, Xor };
enum class VoteKind : U8 { Ballot, Any, All };
enum class BarrierVote : U8 { Count, And, Or };
enum class ReduceKind : U8 { Add, Min, Max, And, Or, Xor };
enum class AtomicKind : U8 { Add, Sub, Min, Max, And, Or, Xor, Exchange, CompareAndSwap, Increment };

// ---- The hooks: gpu.h and host.h define each of them.

// Appends one event to the calling thread's log.
RECORDING_FUNCTION void record(U64 head, U64 value);
// Finds the array or buffer of `bytes` bytes at `pointer`. An access out of bounds, or one that is not
// aligned to `alignment` bytes, is reported by the hook, which either does not return or returns a place that
// is not allowed.
RECORDING_FUNCTION Place locate(U32 site, const volatile void* pointer, U32 bytes, U32 alignment);
// Before an atomic load: takes back the thread's last look at this place and what came behind it, as stated
// above. A thread that waits may then let others go on.
RECORDING_FUNCTION void lookAgain(U32 site, const volatile void* pointer, U32 bytes);
// Between the two halves of a[i] += x, which are two accesses and not one.
RECORDING_FUNCTION void betweenReadAndWrite(U32 site);
// A volatile element is read or written, when that is done.
RECORDING_FUNCTION void noteVolatile(const volatile void* pointer, U32 bytes, bool writes);
// The calling thread's lane: 0 to 31.
RECORDING_FUNCTION U32 currentLane();
// Waits at the barrier, and takes the snapshot.
RECORDING_FUNCTION void blockBarrier(U32 site);
RECORDING_FUNCTION void clusterBarrier(U32 site);  // waits for all blocks of the cluster, too
template <BarrierVote kind>
RECORDING_FUNCTION int blockBarrierVote(U32 site, bool predicate);
RECORDING_FUNCTION void warpBarrier(U32 site, U32 mask);
// What the lane receives. `operand` is the delta, lane mask or source lane as written; `source` the lane it
// comes from by CUDA's rules.
template <ShuffleKind kind, class T>
RECORDING_FUNCTION T shuffle(U32 site, U32 mask, T value, U32 operand, int width, U32 source);
template <VoteKind kind>
RECORDING_FUNCTION U32 vote(U32 site, U32 mask, bool predicate);
RECORDING_FUNCTION U32 activeLanes(U32 site);
template <ReduceKind kind, class T>
RECORDING_FUNCTION T reduceWarp(U32 site, U32 mask, T value);
// Returns what *pointer was. `comparand` is for CompareAndSwap alone.
template <AtomicKind kind, class T>
RECORDING_FUNCTION T applyAtomic(T* pointer, T operand, T comparand);

// ---- Elements as bits.

template <class T>
struct WithoutQualifiers {
  using Type = T;
};
template <class T>
struct WithoutQualifiers<const T> {
  using Type = T;
};
template <class T>
struct WithoutQualifiers<volatile T> {
  using Type = T;
};
template <class T>
struct WithoutQualifiers<const volatile T> {
  using Type = T;
};
template <class T>
using Element = typename WithoutQualifiers<T>::Type;

template <class T>
RECORDING_FUNCTION void noteIfVolatile(const T*, bool) {}
template <class T>
RECORDING_FUNCTION void noteIfVolatile(const volatile T* element, bool writes) {
  noteVolatile(element, sizeof(T), writes);
}

template <class T>
constexpr U32 log2WidthOf() {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "a recorded element is 1, 2, 4, 8 or 16 bytes wide");
  return sizeof(T) == 16 ? 4 : sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : sizeof(T) == 2 ? 1 : 0;
}

// The bytes from `from` on, at most 8 of them, zero-extended.
template <U32 from = 0, class T>
RECORDING_FUNCTION U64 bitsOf(const T& element) {
  constexpr U32 bytes = sizeof(T) - from < 8 ? sizeof(T) - from : 8;
  U64 bits = 0;
  RECORDING_COPY(&bits, reinterpret_cast<const char*>(&element) + from, bytes);
  return bits;
}

template <class T>
RECORDING_FUNCTION void note(Place place, U32 site, EventKind kind, const T& element) {
  if (place.head == 0) return;
  const U64 head = place.head | eventHead(0, site, kind, 0, log2WidthOf<T>());
  record(head, bitsOf(element));
  if constexpr (sizeof(T) == 16)
    record((head + 8) | eventHead(0, 0, EventKind::Load, 0, 0, true), bitsOf<8>(element));
}

// An event that is no access: a branch, a barrier, a warp operation.
RECORDING_FUNCTION void noteAct(U32 site, EventKind kind, U64 offset, U32 log2Width, U64 value) {
  record(eventHead(offset, site, kind, kNoSpace, log2Width), value);
}

// ---- The order of evaluation. C++ evaluates from left to right what stands in the braces of an initializer
// ([dcl.init.list]), and leaves the order of a call's arguments and of an operator's operands to the
// compiler.

// InOrder{apply, a, b}() is apply(a, b), of whatever a and b do a's first.
template <class Result>
struct InOrder {
  Result result;

  template <class Apply, class... Operand>
  RECORDING_FUNCTION InOrder(Apply apply, Operand... operands) : result(apply(operands...)) {}
  RECORDING_FUNCTION Result operator()() const { return result; }
};
template <>
struct InOrder<void> {
  template <class Apply, class... Operand>
  RECORDING_FUNCTION InOrder(Apply apply, Operand... operands) {
    apply(operands...);
  }
  RECORDING_FUNCTION void operator()() const {}
};
template <class T>
RECORDING_FUNCTION T& somewhere();  // named in decltype alone
template <class Apply, class... Operand>
InOrder(Apply, Operand...) -> InOrder<decltype(somewhere<Apply>()(somewhere<Operand>()...))>;

// An array and an index into it, each of which does something that is recorded.
template <class T, class Index>
struct At {
  T* array;
  Index index;

  RECORDING_FUNCTION At(T* itsArray, Index itsIndex) : array(itsArray), index(itsIndex) {}
};

// ---- Accesses.

template <class T, class Index>
RECORDING_FUNCTION Element<T> load(U32 site, T* array, Index index) {
  T* const pointer = array + index;
  const Place place = locate(site, pointer, sizeof(T), alignof(T));
  if (!place.allowed) return Element<T>{};
  const Element<T> value = *pointer;
  noteIfVolatile(pointer, false);
  note(place, site, EventKind::Load, value);
  return value;
}
template <class T, class Index>
RECORDING_FUNCTION Element<T> load(U32 site, At<T, Index> at) {
  return load(site, at.array, at.index);
}

// a[i] as the target of an assignment. It is no reference: assigning one to another would copy nothing.
template <class T>
struct StoreTarget {
  T* pointer;
  U32 site;

  RECORDING_FUNCTION Element<T> operator=(Element<T> value) const {
    const Place place = locate(site, pointer, sizeof(T), alignof(T));
    if (!place.allowed) return value;
    *pointer = value;
    noteIfVolatile(pointer, true);
    note(place, site, EventKind::Store, value);
    return value;
  }
  StoreTarget& operator=(const StoreTarget&) = delete;
};

template <class T, class Index>
RECORDING_FUNCTION StoreTarget<T> store(U32 site, T* array, Index index) {
  return {array + index, site};
}
template <class T, class Index>
RECORDING_FUNCTION StoreTarget<T> store(U32 site, At<T, Index> at) {
  return {at.array + at.index, site};
}

// a[i] as the operand of a compound assignment or of ++ and --. Each gives a value, not a reference.
template <class T>
struct UpdateTarget {
  T* pointer;
  U32 site;

#define RECORDING_COMPOUND(op)                                              \
  template <class Operand>                                                  \
  RECORDING_FUNCTION Element<T> operator op(const Operand& operand) const { \
    Element<T> value{};                                                     \
    const Place place = read(value);                                        \
    value op operand;                                                       \
    write(place, value);                                                    \
    return value;                                                           \
  }
  RECORDING_COMPOUND(+=)
  RECORDING_COMPOUND(-=)
  RECORDING_COMPOUND(*=)
  RECORDING_COMPOUND(/=)
  RECORDING_COMPOUND(%=)
  RECORDING_COMPOUND(&=)
  RECORDING_COMPOUND(|=)
  RECORDING_COMPOUND(^=)
  RECORDING_COMPOUND(<<=)
  RECORDING_COMPOUND(>>=)
#undef RECORDING_COMPOUND

  RECORDING_FUNCTION Element<T> operator++() const { return step(true).after; }
  RECORDING_FUNCTION Element<T> operator--() const { return step(false).after; }
  RECORDING_FUNCTION Element<T> operator++(int) const { return step(true).before; }
  RECORDING_FUNCTION Element<T> operator--(int) const { return step(false).before; }
  UpdateTarget& operator=(const UpdateTarget&) = delete;

 private:
  struct Step {
    Element<T> before, after;
  };

  RECORDING_FUNCTION Place read(Element<T>& value) const {
    const Place place = locate(site, pointer, sizeof(T), alignof(T));
    if (!place.allowed) return place;
    value = *pointer;
    noteIfVolatile(pointer, false);
    note(place, site, EventKind::Load, value);
    return place;
  }
  RECORDING_FUNCTION void write(Place place, const Element<T>& value) const {
    if (!place.allowed) return;
    betweenReadAndWrite(site);
    *pointer = value;
    noteIfVolatile(pointer, true);
    note(place, site, EventKind::Store, value);
  }
  RECORDING_FUNCTION Step step(bool up) const {
    Element<T> value{};
    const Place place = read(value);
    const Element<T> before = value;
    if (up)
      ++value;
    else
      --value;
    write(place, value);
    return {before, value};
  }
};

template <class T, class Index>
RECORDING_FUNCTION UpdateTarget<T> update(U32 site, T* array, Index index) {
  return {array + index, site};
}
template <class T, class Index>
RECORDING_FUNCTION UpdateTarget<T> update(U32 site, At<T, Index> at) {
  return {at.array + at.index, site};
}

template <class Condition>
RECORDING_FUNCTION bool branch(U32 site, const Condition& condition) {
  const bool taken = static_cast<bool>(condition);
  noteAct(site, EventKind::Branch, 0, 0, taken);
  return taken;
}

// ---- Local variables. T alone is named by the text; the operand converts to it as in an initialization.

template <class T>
RECORDING_FUNCTION T value(U32 site, Element<T> assigned) {
  noteAct(site, EventKind::Value, 0, log2WidthOf<T>(), bitsOf(assigned));
  return assigned;
}

// ---- Barriers.

RECORDING_FUNCTION void syncthreads(U32 site) {
  noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
  blockBarrier(site);
}
RECORDING_FUNCTION void synccluster(U32 site) {
  noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
  clusterBarrier(site);
}
RECORDING_FUNCTION int syncthreads_count(U32 site, int predicate) {
  noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
  return blockBarrierVote<BarrierVote::Count>(site, predicate != 0);
}
RECORDING_FUNCTION int syncthreads_and(U32 site, int predicate) {
  noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
  return blockBarrierVote<BarrierVote::And>(site, predicate != 0);
}
RECORDING_FUNCTION int syncthreads_or(U32 site, int predicate) {
  noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
  return blockBarrierVote<BarrierVote::Or>(site, predicate != 0);
}
RECORDING_FUNCTION void syncwarp(U32 site, U32 mask = 0xffffffffu) {
  noteAct(site, EventKind::WarpBarrier, mask, 0, 0);
  warpBarrier(site, mask);
}

}  // namespace recording

#include "recording/atomics.h"
#include "recording/warp_operations.h"
