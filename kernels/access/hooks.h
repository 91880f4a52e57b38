// What a person's kernel, compiled for the CPU, asks of the program that runs it. The compiler's own calls
// before each access (`-fsanitize=thread`) and CUDA's functions (cuda_device.h) end here. The program and the
// compiled text both include this header, so it includes nothing and uses built-in types only.
#pragma once

namespace accesses {

using U32 = unsigned int;
using U64 = unsigned long long;

struct Extent {
  U32 x, y, z;
};

enum class BarrierVote : int { None, Count, And, Or };
enum class LaneVote : int { Ballot, Any, All };
enum class Fold : int { Add, Min, Max, And, Or, Xor };
enum class ElementKind : int { Other, Signed, Floating };

// How an access orders others: where it is atomic, in the numbers that compilers and CUDA have for it
// (__ATOMIC_RELAXED to __ATOMIC_SEQ_CST); a volatile one orders as a relaxed one does.
enum class Order : int {
  Plain = -2,
  Volatile,
  Relaxed,
  Consume,
  Acquire,
  Release,
  AcquireRelease,
  Sequential
};

// An atomic operation. Compare: it writes only if it finds `comparand`.
enum class AtomicKind : int { Update, Compare, Load, Store };
struct Atomic {
  const volatile void* address;
  U32 bytes;
  U64 operand;
  const void* place;
  AtomicKind kind = AtomicKind::Update;
  Order order = Order::Relaxed;
  U64 comparand = 0;
  Order failure = Order::Relaxed;  // where it does not find it
};

// What recording calls in the text end in (recorded.h). `site` is the number of a place of the text.
struct RecordedHooks {
  // An event's offset and space (kernels/recording/event.h), before the access; 0: it is not recorded.
  U64 (*locate)(U32 site, const volatile void* address, U32 bytes, U32 alignment);
  void (*record)(U64 head, U64 value);
  void (*betweenReadAndWrite)(U32 site);
  void (*lookAgain)(U32 site, const volatile void* address, U32 bytes);
  int (*blockBarrier)(BarrierVote vote, U32 site, int predicate);
  void (*warpBarrier)(U32 site, U32 mask);
  U64 (*shuffle)(U32 site, U32 mask, U64 bits, U32 source);
  U32 (*vote)(LaneVote kind, U32 site, U32 mask, int predicate);
  U64 (*reduce)(Fold kind, U32 site, U32 mask, U64 bits, U64 (*fold)(U64, U64));
  U32 (*activeLanes)(U32 site);
  // Where the block has the array of that number.
  void* (*sharedArray)(U32 array, U64 bytes, U32 elementBytes, ElementKind kind);
  U64 (*dynamicSharedBytes)();
};

// `place`: the address behind the call in the person's text, by which the program knows line and column.
// A value of up to 8 bytes is its bits, zero-extended.
struct Hooks {
  // Before an access. What a write stores is read when the thread calls again.
  // `place` may be null where recording calls have told of the access.
  void (*read)(const volatile void* address, U32 bytes, const void* place, Order order);
  void (*write)(const volatile void* address, U32 bytes, const void* place, Order order);
  // As write, and what the write before it announced is not stored yet: pieces of one store.
  void (*writeOn)(const volatile void* address, U32 bytes, const void* place, Order order);
  // By how many bytes at once a GPU accesses so much of an element, as its type is aligned. 0: it is not
  // known, or the bytes are not of one element.
  U32 (*pieceBytes)(const volatile void* address, U64 bytes);
  // Before an atomic operation, which comes at once behind it. False: the address is in no array of the
  // kernel's, and the operation is to be left out.
  bool (*atomic)(const Atomic& operation);
  void (*fence)(Order order);
  // __syncthreads() and its like: what each thread of the block is given.
  int (*blockBarrier)(BarrierVote vote, int predicate, const void* place);
  void (*warpBarrier)(U32 mask, const void* place);
  // What the lane `source` of the warp gave, or the lane's own `bits` where that lane did not come.
  U64 (*shuffle)(U32 mask, U64 bits, U32 bytes, U32 source, const void* place);
  U32 (*vote)(LaneVote kind, U32 mask, int predicate, const void* place);
  // The lanes of the mask that gave the same bits.
  U32 (*match)(U32 mask, U64 bits, U32 bytes, const void* place);
  // `fold`(left, right) of the values of all lanes of the mask.
  U64 (*reduce)(Fold kind, U32 mask, U64 bits, U32 bytes, U64 (*fold)(U64, U64), const void* place);
  U32 (*activeLanes)(const void* place);
  void* (*dynamicShared)();  // the block's dynamic shared memory
  // A condition of the text by its number, and whether it held; of a loop, whether it goes on.
  void (*branch)(U32 id, bool isLoop, bool taken, const void* place);
  // A function of the text begins. `caller`: behind the call; `function`: within the function.
  void (*enter)(const void* caller, const void* function);
  void (*print)(const char* text);
  // Memory that the kernel asked for, and gives back.
  void (*allocated)(void* memory, U64 bytes);
  void (*released)(void* memory);
  // The thread cannot go on: "an assertion". Never returns.
  void (*fail)(const char* what, const void* place);
  void (*finished)();  // the thread has come to the end of the kernel

  const Extent* (*threadIndex)();
  const Extent* (*blockIndex)();
  const Extent* (*blockShape)();
  const Extent* (*gridShape)();
  U32 (*lane)();    // of the running thread in its warp
  U32 (*thread)();  // in its block: x fastest

  const RecordedHooks* recorded;
};

// What the program is told of a kernel of a person's text. The types of its parameters are in the debug
// information.
struct KernelEntry {
  void (*call)(void** arguments);  // a pointer to each
  const void* function;            // the kernel itself
  U32 parameters;                  // how many
  const void* const* defaults;  // by parameter: its default argument; null: it has none, or none is asked for
};

}  // namespace accesses
