// The recorders on the CPU: what a person's compiled text calls before each access (kernels/access/hooks.h)
// becomes the events of the CPU executor, which runs the threads. If the text has recording calls, too
// (kernels/access/recorded.h), those are the events, and the others are held against the bounds of arrays
// alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access/hooks.h"
#include "handovers.h"
#include "recording/event.h"
#include "recording/host/machine.h"
#include "recording/site.h"

namespace stridescope::engine::access {

// The places of the text from which the recorder was called, numbered as they came.
class CalledPlaces {
 public:
  struct Place {
    const void* address = nullptr;  // behind the call
    recording::SiteKind kind{};
    int branch = -1;  // the number of its condition in the text; -1: it is none
  };

  // The number of the place, below recording::kMaxSites. Of more places those beyond share the last number:
  // isFull() tells.
  recording::U32 numberOf(const void* address, recording::SiteKind kind, int branch = -1);
  const std::vector<Place>& all() const { return places_; }
  bool isFull() const { return isFull_; }

 private:
  std::vector<Place> places_;
  std::unordered_map<recording::U64, recording::U32> numbers_;  // by address and kind
  bool isFull_ = false;
};

// Launches being recorded on the calling OS thread. One at a time.
class AccessRecorder {
 public:
  AccessRecorder();
  ~AccessRecorder();
  AccessRecorder(const AccessRecorder&) = delete;
  AccessRecorder& operator=(const AccessRecorder&) = delete;

  // What lies there is no memory of the kernel's, from the next launch on.
  struct Passed {
    const void* address = nullptr;
    std::uint64_t bytes = 0;
  };
  void passOver(const Passed& range) {
    passedOver_[reinterpret_cast<std::uint64_t>(range.address)] = range.bytes;
  }

  // Before each launch. `staticArrays`: how many of a block's shared arrays the compiler placed; the dynamic
  // one comes behind them.
  // `arrayOf`: what is known of a shared array, by number.
  void beginLaunch(std::uint32_t staticArrays, std::function<model::Array(std::uint32_t)> arrayOf);

  // Which types the elements of the launch's arrays have.
  struct Elements {
    recording::MemoryRange range;            // of dynamic shared memory nothing, until a thread asks for it
    std::uint32_t bytes = 0, alignment = 0;  // of one; 0: it is not known
  };
  struct LaunchElements {
    std::vector<Elements> all;  // of the arrays whose place is known
    Elements dynamic;
    // clang++ compiled the text: by the number of a shared array, whether its elements have bit-fields. It
    // reads the others of their word before it stores one.
    std::vector<bool> haveBitFields{};
  };
  void setElements(LaunchElements elements) { elements_ = std::move(elements); }

  // By the order of the code: where a place stands among the others (recording::HostLaunch::positionOf).
  static recording::U32 positionOf(recording::U32 place);

  // The text has recording calls, whose places have the numbers from 0 to `sites` - 1. Others follow them.
  void expectRecorded(std::uint32_t sites) {
    isRecorded_ = true;
    firstPlace_ = sites;
  }
  bool isRecorded() const { return isRecorded_; }
  std::uint32_t firstPlace() const { return firstPlace_; }

  // A shared array that a recording call declared since beginLaunch(); 0 bytes: none has.
  struct DeclaredArray {
    std::uint64_t bytes = 0;
    std::uint32_t elementBytes = 4;
    ::accesses::ElementKind kind{};
  };
  const std::array<DeclaredArray, recording::kMaxSharedArrays>& declared() const { return declared_; }

  // An access to an array without a recording call, or one that a GPU makes in pieces: what was recorded is
  // not all. `place`: by number; nothing: there is none.
  const std::optional<std::uint32_t>& unseen() const { return unseen_; }

  // What the threads of a recorded block handed over to one another. To be asked for once.
  HandedOver takeHandedOver(std::uint64_t block);

  // Whether threads of the blocks that takeHandedOver() was asked for handed over by accesses of that site.
  bool handsOver(std::uint32_t site) const { return handingOver_.contains(site); }
  // Whether the loads or stores of that site are atomic operations.
  bool isAtomic(std::uint32_t site) const { return atomic_.contains(site); }

  // The number of a place that the text did not call from: of an instruction at which a thread failed.
  recording::U32 numberOfInstruction(std::uint64_t address);

  // What the compiled text is given (access_attach).
  static const ::accesses::Hooks& hooks();

  const CalledPlaces& places() const { return places_; }
  // Which functions of the text called which: behind each call, and an address in the function.
  using Call = std::pair<std::uint64_t, std::uint64_t>;
  const std::set<Call>& calls() const { return calls_; }
  const std::string& printed() const { return printed_; }  // at most kMaxPrinted bytes
  bool printsMore() const { return printsMore_; }
  static constexpr std::size_t kMaxPrinted = 64 << 10;
  // A thread accessed dynamic shared memory, of which the launch has none.
  bool missesDynamic() const { return missesDynamic_; }

 private:
  struct Functions;          // the hooks
  struct RecordedFunctions;  // those of recording calls
  // A store that was announced, or a piece of one; what it stored is known when its thread calls again.
  struct Pending {
    recording::Event* event = nullptr;
    recording::Event* upperHalf = nullptr;  // of 16 bytes
    const void* address = nullptr;
    std::uint32_t bytes = 0;
    const void* readPlace = nullptr;  // the reads that came behind it are from here; null: none has
    using Bits = std::array<recording::U64, 2>;
    Bits passed{};  // what was there when the last of these reads had been recorded

    Bits now() const;  // what is there
    void take();       // as what it stored, if the thread has stored it
  };

  CalledPlaces places_;
  std::set<Call> calls_;
  Call lastCall_{};
  std::uint32_t dynamicArray_ = 0;
  // What a recording call is for.
  struct Located {
    recording::MemoryRange range;
    recording::U32 site = 0;
    bool isEvent = false;  // it will be recorded
    bool isStrong = false;
  };
  // A read of a word with bit-fields to which nothing was stored: no fault if the thread stores there next.
  struct Uninitialized {
    recording::U32 site = 0, array = 0;
    recording::U64 offset = 0;
    recording::U32 bytes = 0;
    const volatile void* address = nullptr;
  };
  // What is kept for a block that runs, or that pauses while others do.
  struct BlockState {
    const recording::Machine* machine = nullptr;
    dim3 block;
    std::vector<std::vector<Pending>> pending;                           // by thread
    std::vector<std::optional<Uninitialized>> uninitialized;             // by thread
    std::vector<Located> located;                                        // by thread
    std::array<std::vector<bool>, recording::kMaxSharedArrays> written;  // by byte
    Handovers handovers;
    std::uint64_t number = 0;  // of the block, if it is recorded
    bool isKept = false;       // it is
  };
  BlockState& stateOfBlock();  // of the one that runs

  recording::U32 siteOf(const void* place, recording::SiteKind kind, int branch = -1) {
    return firstPlace_ + places_.numberOf(place, kind, branch);
  }
  bool isNoMemory(recording::U64 address) const;
  void lookForDynamic(recording::U64 address);
  // `address`: of a read that may be of the other bits of a bit-field's word; null: it is none.
  void look(recording::U32 site, recording::U64 head, recording::U32 bytes, bool reads, bool writes,
            const volatile void* address = nullptr);
  void forgetReadOf(const volatile void* address, recording::U32 bytes);
  recording::U32 pieceOf(recording::U64 address, recording::U64 bytes) const;
  bool isPadding(std::uint32_t array, recording::U64 offset);
  void guard(const volatile void* pointer, recording::U32 bytes, recording::U32 site);
  // recorded_handovers.cpp
  static Handovers::Moment now();
  void handOverByFence(::accesses::Order order);
  struct OfEvent {
    bool isEvent = false;                      // it is recorded ...
    bool isToCome = false;                     // ... at once behind this
    recording::U32 site = Handovers::kNoSite;  // of a load or a store
  };
  void handOver(const ::accesses::Atomic& operation, const OfEvent& event);
  void handOverLocated(const ::accesses::Atomic& operation);

  std::vector<std::unique_ptr<BlockState>> states_;
  std::map<std::uint64_t, HandedOver> handedOver_;     // by block that is recorded and has ended
  std::set<std::uint32_t> handingOver_, atomic_;       // sites
  BlockState* last_ = nullptr;                         // the one that was asked for last
  std::map<std::uint64_t, std::uint64_t> passedOver_;  // bytes by address
  std::string printed_;
  bool printsMore_ = false;
  std::uint64_t dynamicBase_ = 0;  // where dynamic shared memory would be if there were any
  bool missesDynamic_ = false;
  bool isRecorded_ = false;
  std::uint32_t firstPlace_ = 0;
  std::array<DeclaredArray, recording::kMaxSharedArrays> declared_{};
  std::function<model::Array(std::uint32_t)> arrayOf_;
  LaunchElements elements_;
  std::map<std::uint32_t, std::vector<bool>> padding_;  // by array, and byte of an element
  std::optional<std::uint32_t> unseen_;
};

}  // namespace stridescope::engine::access
