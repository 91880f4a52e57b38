// One recorded event: what a single thread did at one site. 16 bytes, the same on the GPU and on the host.
//
// This header is compiled by the program, by NVRTC (as device code) and by the machine's C++ compiler, so it
// includes nothing and uses built-in types only.
#pragma once

namespace recording {

using U8 = unsigned char;
using U16 = unsigned short;
using U32 = unsigned int;
using U64 = unsigned long long;

enum class EventKind : U8 {
  Load,          // value: the element read
  Store,         // value: the element written
  Atomic,        // value: the operand given (what an atomic returns depends on the order and is not kept)
  Branch,        // value: 1 when taken (a loop: when it goes on), else 0
  BlockBarrier,  // ends a round
  WarpBarrier,   // offset: the mask of lanes
  Shuffle,       // offset: mask | source lane << 32; value: what the lane received
  Vote,          // offset: the mask; value: the result
  WarpReduce,    // offset: the mask; value: the result
  Give,    // comes right before a Shuffle, Vote or WarpReduce of the same site: the value the lane put in
  Copied,  // after a WarpBarrier: one shared word as it was then (a piece of the snapshot, not an act of the
           // kernel)
  Value,   // value: what a local variable of the element type has become
  Remote,  // in a GPU's log alone, before an access to the shared memory of another block of the cluster.
           // Space, offset and width: as that block would have it; value: that block's rank
};

// Where an address lies. kShared + k is the k-th __shared__ array in the order of their declarations;
// kGlobal + b is the b-th buffer passed to the kernel.
constexpr U8 kNoSpace = 0;
constexpr U8 kSharedSpace = 1;
constexpr U8 kGlobalSpace = 8;
constexpr U32 kMaxSharedArrays = 7;
constexpr U32 kMaxBuffers = 8;
constexpr U32 kMaxSites = 4096;
constexpr U32 kMaxEventsOfALook = 6;  // behind a look that is taken back: see recording/core.h

struct Event {
  U64 head = 0;   // offset:40 | site:12 | kind:4 | space:4 | log2 of the width in bytes:3 | second half:1
  U64 value = 0;  // the bits of the element, zero-extended; of a 16-byte access one event holds each half

  constexpr U64 offset() const {
    return head & ((1ull << 40) - 1);
  }  // bytes from the start of the array or buffer
  constexpr U32 site() const { return U32(head >> 40) & 0xfff; }
  constexpr EventKind kind() const { return EventKind((head >> 52) & 0xf); }
  constexpr U32 space() const { return U32(head >> 56) & 0xf; }
  constexpr U32 width() const { return 1u << (U32(head >> 60) & 7); }  // bytes: 1, 2, 4, 8 or 16
  constexpr bool secondHalf() const { return (head >> 63) != 0; }
  constexpr bool inShared() const { return space() >= kSharedSpace && space() < kGlobalSpace; }
  constexpr bool inGlobal() const { return space() >= kGlobalSpace; }
  constexpr U32 sharedArray() const { return space() - kSharedSpace; }  // only if inShared()
  constexpr U32 buffer() const { return space() - kGlobalSpace; }       // only if inGlobal()
  constexpr U32 laneMask() const { return U32(offset()); }              // of a warp operation
  constexpr U32 sourceLane() const { return U32(offset() >> 32); }      // of a Shuffle

  // Is this the upper half of the 16-byte access whose lower half is `lower`? The two differ in the offset,
  // by 8 bytes, and in the mark, and stand right behind each other in their thread's events.
  constexpr bool isUpperHalfOf(const Event& lower) const {
    return !lower.secondHalf() && lower.width() == 16 && head == ((lower.head + 8) | 1ull << 63);
  }
};
static_assert(sizeof(Event) == 16, "the log's layout is shared by host and device");

constexpr bool operator==(const Event& a, const Event& b) { return a.head == b.head && a.value == b.value; }

constexpr U64 eventHead(U64 offset, U32 site, EventKind kind, U32 space, U32 log2Width,
                        bool secondHalf = false) {
  return (offset & ((1ull << 40) - 1)) | U64(site & 0xfff) << 40 | U64(kind) << 52 | U64(space & 0xf) << 56 |
         U64(log2Width & 7) << 60 | U64(secondHalf) << 63;
}

}  // namespace recording
