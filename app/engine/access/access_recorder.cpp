#include "access_recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "host_recording.h"

namespace stridescope::engine::access {
namespace {

using ::accesses::AtomicKind;
using ::accesses::Order;
using recording::EventKind;
using recording::machine;
using recording::SiteKind;
using recording::U32;
using recording::U64;

// What the hooks show of the running thread.
struct Shown {
  ::accesses::Extent threadIndex, blockIndex, blockShape, gridShape;
} shown;

AccessRecorder* current =
    nullptr;  // in the process that runs a person's kernel there is one thread that does

constexpr U32 kStackReach = 4096;  // bytes: this and what lies so near is the thread's own stack

U64 bitsAt(const void* address, U32 bytes) {
  U64 bits = 0;
  std::memcpy(&bits, address, std::min(bytes, 8u));
  return bits;
}

::accesses::Extent inHooks(const dim3& size) { return {size.x, size.y, size.z}; }

}  // namespace

U32 CalledPlaces::numberOf(const void* address, SiteKind kind, int branch) {
  // A call that copies is a load and a store.
  const U64 key = reinterpret_cast<U64>(address) << 4 | U64(kind);
  const auto [found, isNew] = numbers_.try_emplace(key, U32(places_.size()));
  if (!isNew) return found->second;
  if (places_.size() == recording::kMaxSites) {
    isFull_ = true;
    return found->second = recording::kMaxSites - 1;
  }
  places_.push_back({address, kind, branch});
  return found->second;
}

struct AccessRecorder::Functions {
  // What the running thread stored last is there by now.
  static void settle() {
    BlockState& state = current->stateOfBlock();
    const U32 thread = machine->running->thread;
    if (const auto read = std::exchange(state.uninitialized[thread], std::nullopt))
      recording::reportUninitializedRead(read->site, read->array, read->offset, read->bytes);
    for (Pending& pending : state.pending[thread]) pending.take();
    state.pending[thread].clear();
  }
  // g++ announces the store of a struct that is copied before what is read for it: it may come after the
  // reads.
  static void settleBeforeRead(const void* place) {
    std::vector<Pending>& all = current->stateOfBlock().pending[machine->running->thread];
    if (all.empty() || (all.front().readPlace != nullptr && all.front().readPlace != place)) return settle();
    for (Pending& pending : all) {
      pending.take();
      pending.readPlace = place;
      pending.passed = pending.now();
    }
  }
  // Other threads may have run: what is there now, this thread did not store.
  static void passRead() {
    for (Pending& pending : current->stateOfBlock().pending[machine->running->thread])
      if (pending.readPlace != nullptr) pending.passed = pending.now();
  }

  // `goesOn`: it is a piece of the store that was announced last.
  static void access(EventKind kind, const volatile void* pointer, U32 bytes, const void* place, Order order,
                     bool goesOn = false) {
    if (machine == nullptr)
      return;  // code that runs when the text is loaded, or when it tells of its kernels
    const auto address = reinterpret_cast<U64>(pointer);
    const SiteKind siteKind = kind == EventKind::Store ? SiteKind::Store : SiteKind::Load;
    const AtomicKind strongKind = kind == EventKind::Store ? AtomicKind::Store : AtomicKind::Load;
    if (current->isRecorded_) {
      if (place != nullptr && !current->isNoMemory(address))
        current->guard(pointer, bytes, current->siteOf(place, siteKind));
      if (order != Order::Plain) current->handOverLocated({pointer, bytes, 0, place, strongKind, order});
      return;
    }
    if (kind == EventKind::Store) current->forgetReadOf(pointer, bytes);
    if (kind == EventKind::Load)
      settleBeforeRead(place);
    else if (!goesOn)
      settle();
    if (current->isNoMemory(address)) return;
    const U32 site = current->siteOf(place, siteKind);
    current->lookForDynamic(address);
    const recording::Place at = recording::locate(site, pointer, bytes, bytes);
    const auto tellOfOrder = [&] {
      const bool isEvent = at.head != 0;
      if (order != Order::Plain)
        current->handOver({pointer, bytes, 0, place, strongKind, order},
                          {.isEvent = isEvent, .site = isEvent ? site : Handovers::kNoSite});
      else if (kind == EventKind::Store)
        current->stateOfBlock().handovers.overwrite(address);
    };
    if (at.head == 0) return tellOfOrder();  // a variable outside of functions
    current->look(site, at.head, bytes, kind == EventKind::Load, kind == EventKind::Store, pointer);
    const auto* const from = reinterpret_cast<const char*>(address);
    const U64 event = at.head | recording::eventHead(0, site, kind, 0, U32(std::countr_zero(bytes)));
    // The log may hand over to other threads as soon as it has an event, and go on elsewhere.
    Pending pending{.event = machine->next, .upperHalf = nullptr, .address = from, .bytes = bytes};
    recording::record(event, bitsAt(from, bytes));
    if (bytes == 16) {
      pending.upperHalf = machine->next;
      recording::record((event + 8) | recording::eventHead(0, 0, EventKind::Load, 0, 0, true),
                        bitsAt(from + 8, 8));
    }
    if (kind == EventKind::Load) passRead();
    if (kind == EventKind::Store && machine->keepsEvents)
      current->stateOfBlock().pending[machine->running->thread].push_back(pending);
    tellOfOrder();
  }

  static void read(const volatile void* address, U32 bytes, const void* place, Order order) {
    access(EventKind::Load, address, bytes, place, order);
  }
  static void write(const volatile void* address, U32 bytes, const void* place, Order order) {
    access(EventKind::Store, address, bytes, place, order);
  }
  static void writeOn(const volatile void* address, U32 bytes, const void* place, Order order) {
    access(EventKind::Store, address, bytes, place, order, true);
  }
  static U32 pieceBytes(const volatile void* address, U64 bytes) {
    return machine == nullptr || current->isRecorded_
               ? 0
               : current->pieceOf(reinterpret_cast<U64>(address), bytes);
  }
  static bool atomic(const ::accesses::Atomic& operation) {
    const auto& [pointer, bytes, operand, place, kind, order, comparand, failure] = operation;
    if (current->isRecorded_) {
      current->guard(pointer, bytes, current->siteOf(place, SiteKind::Atomic));
      current->handOver(operation,
                        {.isEvent = current->stateOfBlock().located[machine->running->thread].isEvent});
      return true;
    }
    if (kind == AtomicKind::Load || kind == AtomicKind::Store) {
      access(kind == AtomicKind::Load ? EventKind::Load : EventKind::Store, pointer, bytes, place, order);
      return true;
    }
    settle();
    const U32 site = current->siteOf(place, SiteKind::Atomic);
    current->lookForDynamic(reinterpret_cast<U64>(pointer));
    const recording::Place at = recording::locate(site, pointer, bytes, bytes);
    if (!at.allowed) return false;
    if (at.head != 0) {
      current->look(site, at.head, bytes, true, true);
      recording::record(
          at.head | recording::eventHead(0, site, EventKind::Atomic, 0, U32(std::countr_zero(bytes))),
          operand);
    }
    current->handOver(operation, {.isEvent = at.head != 0});
    return true;
  }
  static void fence(Order order) {
    if (machine == nullptr) return;
    settle();
    current->handOverByFence(order);
  }

  static int blockBarrier(::accesses::BarrierVote vote, int predicate, const void* place) {
    settle();
    const U32 site = current->siteOf(place, SiteKind::BlockBarrier);
    recording::noteAct(site, EventKind::BlockBarrier, 0, 0, 0);
    return waitForBlock(vote, site, predicate);
  }
  static int waitForBlock(::accesses::BarrierVote vote, U32 site, int predicate) {
    recording::waitAtBlockBarrier(site, predicate != 0);
    switch (vote) {
      case ::accesses::BarrierVote::Count:
        return machine->barrierCount;
      case ::accesses::BarrierVote::And:
        return machine->barrierAll ? 1 : 0;
      case ::accesses::BarrierVote::Or:
        return machine->barrierCount != 0 ? 1 : 0;
      case ::accesses::BarrierVote::None:
        break;
    }
    return 0;
  }
  static void warpBarrier(U32 mask, const void* place) {
    settle();
    recording::syncwarp(siteOfWarp(place), mask);
  }

  static U32 siteOfWarp(const void* place) { return current->siteOf(place, SiteKind::WarpOperation); }
  static U32 log2Of(U32 bytes) { return U32(std::countr_zero(std::bit_ceil(std::max(bytes, 1u)))); }

  static U64 shuffle(U32 mask, U64 bits, U32 bytes, U32 source, const void* place) {
    settle();
    const U32 site = siteOfWarp(place), width = log2Of(bytes);
    recording::noteAct(site, EventKind::Give, mask, width, bits);
    const U64 received = recording::meetLanes({site, mask, recording::WarpAct::Shuffle, source, bits});
    recording::noteAct(site, EventKind::Shuffle, U64(mask) | U64(source) << 32, width, received);
    return received;
  }
  static U32 vote(::accesses::LaneVote kind, U32 mask, int predicate, const void* place) {
    settle();
    const U32 site = siteOfWarp(place);
    switch (kind) {
      case ::accesses::LaneVote::Any:
        return recording::recordedVote<recording::VoteKind::Any>(site, mask, predicate != 0);
      case ::accesses::LaneVote::All:
        return recording::recordedVote<recording::VoteKind::All>(site, mask, predicate != 0);
      case ::accesses::LaneVote::Ballot:
        break;
    }
    return recording::recordedVote<recording::VoteKind::Ballot>(site, mask, predicate != 0);
  }
  // Each lane's value in turn is passed to all, which is one operation, like a vote.
  static U32 match(U32 mask, U64 bits, U32 bytes, const void* place) {
    settle();
    const U32 site = siteOfWarp(place);
    recording::noteAct(site, EventKind::Give, mask, log2Of(bytes), bits);
    U32 equal = 0;
    for (U32 lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1) != 0 &&
          recording::meetLanes({site, mask, recording::WarpAct::Shuffle, lane, bits}) == bits)
        equal |= 1u << lane;
    recording::noteAct(site, EventKind::Vote, mask, 2, equal);
    return equal;
  }
  static U64 reduce(::accesses::Fold kind, U32 mask, U64 bits, U32 bytes, U64 (*fold)(U64, U64),
                    const void* place) {
    settle();
    const U32 site = siteOfWarp(place), width = log2Of(bytes);
    const auto act = recording::WarpAct(recording::U8(recording::WarpAct::ReduceAdd) + recording::U8(kind));
    recording::noteAct(site, EventKind::Give, mask, width, bits);
    const U64 result = recording::meetLanes({site, mask, act, 0, bits, fold});
    recording::noteAct(site, EventKind::WarpReduce, mask, width, result);
    return result;
  }
  static U32 activeLanes(const void* place) {
    settle();
    return recording::activemask(siteOfWarp(place));
  }

  static void* dynamicShared() {
    void* const base = recording::sharedArray(current->dynamicArray_, machine->dynamicSharedBytes);
    if (machine->dynamicSharedBytes == 0) current->dynamicBase_ = reinterpret_cast<U64>(base);
    current->elements_.dynamic.range = {reinterpret_cast<U64>(base), machine->dynamicSharedBytes};
    return base;
  }
  static void branch(U32 id, bool isLoop, bool taken, const void* place) {
    if (machine == nullptr) return;
    settle();
    const U32 site = current->siteOf(place, isLoop ? SiteKind::Loop : SiteKind::Branch, int(id));
    recording::noteAct(site, EventKind::Branch, 0, 0, taken ? 1 : 0);
  }
  // Threads call what the thread before them called, so that the table is seldom asked.
  static void enter(const void* caller, const void* function) {
    if (machine == nullptr) return;
    const Call call{reinterpret_cast<U64>(caller), reinterpret_cast<U64>(function)};
    if (call == std::exchange(current->lastCall_, call)) return;
    current->calls_.insert(call);
  }
  static void print(const char* text) {
    if (machine == nullptr) return;
    std::string& all = current->printed_;
    const std::size_t bytes = std::strlen(text), room = kMaxPrinted - std::min(kMaxPrinted, all.size());
    all.append(text, std::min(bytes, room));
    current->printsMore_ = current->printsMore_ || bytes > room;
  }
  static void allocated(void* memory, U64 bytes) { current->passOver({memory, bytes}); }
  static void released(void* memory) { current->passedOver_.erase(reinterpret_cast<U64>(memory)); }
  static void fail(const char* what, const void* place) {
    if (machine == nullptr) return;
    settle();
    recording::failThread(std::string("reaches ") + what + ", which ends the kernel.",
                          int(current->siteOf(place, SiteKind::Assign)));
  }
  static void finished() { settle(); }

  static const ::accesses::Extent* threadIndex() {
    shown.threadIndex = inHooks(machine->running->threadIndex);
    return &shown.threadIndex;
  }
  static const ::accesses::Extent* blockIndex() {
    shown.blockIndex = inHooks(machine->blockIndex);
    return &shown.blockIndex;
  }
  static const ::accesses::Extent* blockShape() {
    shown.blockShape = inHooks(machine->blockShape);
    return &shown.blockShape;
  }
  static const ::accesses::Extent* gridShape() {
    shown.gridShape = inHooks(machine->gridShape);
    return &shown.gridShape;
  }
  static U32 lane() { return recording::currentLane(); }
  static U32 thread() { return machine->running->thread; }
};

// What recording calls in the text ask for: what host.h has for a text that is compiled into the program.
struct AccessRecorder::RecordedFunctions {
  static U64 locate(U32 site, const volatile void* pointer, U32 bytes, U32 alignment) {
    const auto address = reinterpret_cast<U64>(pointer);
    current->lookForDynamic(address);
    const recording::Place at = recording::locate(site, pointer, bytes, alignment);
    if (at.head != 0 && alignment < bytes) current->unseen_ = site;
    current->stateOfBlock().located[machine->running->thread] = {{address, bytes}, site, at.head != 0};
    return at.head;
  }
  static void record(U64 head, U64 value) {
    const recording::Event event{head, value};
    const EventKind kind = event.kind();
    if (kind <= EventKind::Atomic && !event.secondHalf())
      current->look(event.site(), head, event.width(), kind != EventKind::Store, kind != EventKind::Load);
    if (kind == EventKind::Store && !event.secondHalf()) {
      BlockState& state = current->stateOfBlock();
      const Located& located = state.located[machine->running->thread];
      if (!located.isStrong) state.handovers.overwrite(located.range.base);
    }
    recording::record(head, value);
  }
  static void betweenReadAndWrite(U32 site) { recording::betweenReadAndWrite(site); }
  static void lookAgain(U32 site, const volatile void* pointer, U32 bytes) {
    recording::lookAgain(site, pointer, bytes);
    current->stateOfBlock().handovers.takeBack(now());
  }

  static void warpBarrier(U32 site, U32 mask) { recording::warpBarrier(site, mask); }
  static U64 shuffle(U32 site, U32 mask, U64 bits, U32 source) {
    return recording::meetLanes({site, mask, recording::WarpAct::Shuffle, source, bits});
  }
  static U32 vote(::accesses::LaneVote kind, U32 site, U32 mask, int predicate) {
    switch (kind) {
      case ::accesses::LaneVote::Any:
        return recording::vote<recording::VoteKind::Any>(site, mask, predicate != 0);
      case ::accesses::LaneVote::All:
        return recording::vote<recording::VoteKind::All>(site, mask, predicate != 0);
      case ::accesses::LaneVote::Ballot:
        break;
    }
    return recording::vote<recording::VoteKind::Ballot>(site, mask, predicate != 0);
  }
  static U64 reduce(::accesses::Fold kind, U32 site, U32 mask, U64 bits, U64 (*fold)(U64, U64)) {
    const auto act = recording::WarpAct(recording::U8(recording::WarpAct::ReduceAdd) + recording::U8(kind));
    return recording::meetLanes({site, mask, act, 0, bits, fold});
  }
  static U32 activeLanes(U32 site) { return recording::activeLanes(site); }

  static void* sharedArray(U32 array, U64 bytes, U32 elementBytes, ::accesses::ElementKind kind) {
    current->declared_[array] = {bytes, elementBytes, kind};
    void* const base = recording::sharedArray(array, bytes);
    if (bytes == 0) current->dynamicBase_ = reinterpret_cast<U64>(base);
    return base;
  }
  static U64 dynamicSharedBytes() { return machine->dynamicSharedBytes; }
};

AccessRecorder::AccessRecorder() { current = this; }

// A thread's variables lie on its stack, which this runs on, too; and what the hooks point to is no memory of
// the kernel's.
bool AccessRecorder::isNoMemory(U64 address) const {
  const auto here = reinterpret_cast<U64>(__builtin_frame_address(0));
  const auto extents = reinterpret_cast<U64>(&shown);
  if ((address >= here && address - here < kStackReach) ||
      (address >= extents && address - extents < sizeof(shown)))
    return true;
  const auto after = passedOver_.upper_bound(address);
  return after != passedOver_.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

// An access that no recording call makes: of the thread's own variables, or out of bounds. What a call reads
// or writes by a function, as of a class, is announced as well.
void AccessRecorder::guard(const volatile void* pointer, U32 bytes, U32 site) {
  const auto address = reinterpret_cast<U64>(pointer);
  const recording::StackBounds stack = recording::stackOfRunningThread();
  if (address - reinterpret_cast<U64>(stack.bottom) < stack.bytes) return;
  const recording::MemoryRange& located = stateOfBlock().located[machine->running->thread].range;
  if (address >= located.base && address + bytes <= located.base + located.bytes) return;
  lookForDynamic(address);
  if (recording::locate(site, pointer, bytes, 1).head != 0) unseen_ = site;
}

void AccessRecorder::beginLaunch(std::uint32_t staticArrays,
                                 std::function<model::Array(std::uint32_t)> arrayOf) {
  dynamicArray_ = staticArrays;
  arrayOf_ = std::move(arrayOf);
  padding_.clear();
  elements_ = {};
  dynamicBase_ = 0;
  states_.clear();
  handedOver_.clear();
  last_ = nullptr;
  declared_ = {};
}

U32 AccessRecorder::numberOfInstruction(std::uint64_t address) {
  return siteOf(reinterpret_cast<const void*>(address + 1), SiteKind::Assign);
}

AccessRecorder::BlockState& AccessRecorder::stateOfBlock() {
  const auto isSame = [](const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  if (last_ != nullptr && last_->machine == machine && isSame(last_->block, machine->blockIndex))
    return *last_;
  const auto known = std::ranges::find(states_, machine, [](const auto& state) { return state->machine; });
  last_ = known != states_.end() ? known->get() : states_.emplace_back(std::make_unique<BlockState>()).get();
  if (last_->machine != machine || !isSame(last_->block, machine->blockIndex)) {
    if (last_->isKept) handedOver_[last_->number] = last_->handovers.handedOver();
    const dim3 &block = machine->blockIndex, &grid = machine->gridShape;
    *last_ = {.machine = machine,
              .block = block,
              .pending = {},
              .uninitialized = {},
              .located = {},
              .written = {},
              .handovers = {},
              .number = block.x + U64(grid.x) * (block.y + U64(grid.y) * block.z),
              .isKept = machine->keepsEvents};
    last_->pending.resize(recording::kMaxThreads);
    last_->uninitialized.resize(recording::kMaxThreads);
    last_->located.resize(recording::kMaxThreads);
  }
  return *last_;
}

U32 AccessRecorder::positionOf(U32 place) {
  constexpr U64 kPositions = 1u << 30;
  return U32(reinterpret_cast<U64>(current->places_.all()[place].address) % kPositions);
}

AccessRecorder::~AccessRecorder() { current = nullptr; }

const ::accesses::Hooks& AccessRecorder::hooks() {
  static constexpr ::accesses::RecordedHooks recorded{
      .locate = RecordedFunctions::locate,
      .record = RecordedFunctions::record,
      .betweenReadAndWrite = RecordedFunctions::betweenReadAndWrite,
      .lookAgain = RecordedFunctions::lookAgain,
      .blockBarrier = Functions::waitForBlock,
      .warpBarrier = RecordedFunctions::warpBarrier,
      .shuffle = RecordedFunctions::shuffle,
      .vote = RecordedFunctions::vote,
      .reduce = RecordedFunctions::reduce,
      .activeLanes = RecordedFunctions::activeLanes,
      .sharedArray = RecordedFunctions::sharedArray,
      .dynamicSharedBytes = RecordedFunctions::dynamicSharedBytes};
  static constexpr ::accesses::Hooks all{.read = Functions::read,
                                         .write = Functions::write,
                                         .writeOn = Functions::writeOn,
                                         .pieceBytes = Functions::pieceBytes,
                                         .atomic = Functions::atomic,
                                         .fence = Functions::fence,
                                         .blockBarrier = Functions::blockBarrier,
                                         .warpBarrier = Functions::warpBarrier,
                                         .shuffle = Functions::shuffle,
                                         .vote = Functions::vote,
                                         .match = Functions::match,
                                         .reduce = Functions::reduce,
                                         .activeLanes = Functions::activeLanes,
                                         .dynamicShared = Functions::dynamicShared,
                                         .branch = Functions::branch,
                                         .enter = Functions::enter,
                                         .print = Functions::print,
                                         .allocated = Functions::allocated,
                                         .released = Functions::released,
                                         .fail = Functions::fail,
                                         .finished = Functions::finished,
                                         .threadIndex = Functions::threadIndex,
                                         .blockIndex = Functions::blockIndex,
                                         .blockShape = Functions::blockShape,
                                         .gridShape = Functions::gridShape,
                                         .lane = Functions::lane,
                                         .thread = Functions::thread,
                                         .recorded = &recorded};
  return all;
}

}  // namespace stridescope::engine::access
