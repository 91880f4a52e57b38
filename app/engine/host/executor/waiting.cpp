// Threads that wait for another block: they look at one place in device memory again and again, and nothing
// that they do changes it. A block all of whose threads wait pauses (Pauses), so that the block that will
// store there can run; until then nothing can come of its going on.
//
// - Lane by lane: a thread waits that has made a whole turn of such looks, if the place was the same, and
// held
//   the same, at the end of the turn before.
// - In the stepwise schedules: one whose last kWaitingLooks accesses were to the same place and found the
// same. Looks that are further apart than kEventsBetweenLooks, that store, or that read shared memory or 16
// bytes are not recognised, nor (lane by lane) are those with a barrier or a warp operation between them.
#include <algorithm>
#include <cstring>

#include "turns.h"

namespace recording {

namespace {

constexpr U32 kWaitingLooks = 256;
constexpr unsigned kEventsBetweenLooks = 64;
constexpr U32 kMaxBytes = sizeof(WaitedPlace::bits);
// While a thread waits, its events are forgiven, but no more than so many times its limit: two blocks that
// keep each other waiting for ever come to an end. All events of a thread are counted in 32 bits.
constexpr std::uint64_t kForgivenLimits = 16;
constexpr std::uint64_t kCounted = 0xffffffffu - 2 * kTurnEvents;

U64 bitsAt(U64 address, U32 bytes) {
  U64 bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), bytes);
  return bits;
}

bool isSamePlace(const WaitedPlace& a, const WaitedPlace& b) {
  return a.address == b.address && a.bytes == b.bytes && a.bits == b.bits;
}

// The last events of a turn, all of them looks at one place.
struct Looks {
  const Event* first = nullptr;
  const Event* access = nullptr;  // the last one; null: there is none
};

Looks lastLooks(const Event* begin, const Event* end) {
  Looks looks{.first = end};
  unsigned between = 0;
  for (; looks.first != begin; --looks.first) {
    const Event& event = looks.first[-1];
    if (event.kind() == EventKind::Branch || event.kind() == EventKind::Value) {
      if (++between > kEventsBetweenLooks) break;
      continue;
    }
    const bool reads = event.kind() == EventKind::Load || event.kind() == EventKind::Atomic;
    if (!reads || !event.inGlobal() || event.width() > kMaxBytes) break;
    if (looks.access == nullptr) looks.access = &event;
    if (event.space() != looks.access->space() || event.offset() != looks.access->offset() ||
        event.width() != looks.access->width())
      break;
    between = 0;
  }
  return looks;
}

}  // namespace

// Did the running thread do nothing but wait in the turn that ends? If so, it is noted.
bool BlockRunner::isWaitingTurn() {
  HostThread& thread = *running;
  const Looks looks = lastLooks(turnStart_, next);
  const WaitedPlace before = thread.waited;
  thread.waited = {};
  if (looks.access == nullptr) return false;
  const U64 address = buffers[looks.access->buffer()].base + looks.access->offset();
  const U32 bytes = looks.access->width();
  thread.waited = {.address = address,
                   .bits = bitsAt(address, bytes),
                   .bytes = bytes,
                   .since = thread.events + U32(looks.first - turnStart_)};
  if (looks.first != turnStart_ || !isSamePlace(thread.waited, before)) return false;
  thread.waited.since = before.since;
  noteWait(thread);
  return true;
}

// The same of the access that the running thread is about to make.
bool BlockRunner::isWaitingLook(std::uintptr_t address, U32 bytes) {
  HostThread& thread = *running;
  const WaitedPlace before = thread.waited;
  thread.waited = {};
  const bool isInBuffer = std::any_of(buffers, buffers + bufferCount, [&](const MemoryRange& range) {
    const U64 offset = address - range.base;
    return offset < range.bytes && range.bytes - offset >= bytes;
  });
  if (!isInBuffer || bytes > kMaxBytes) return false;
  thread.waited = {.address = address,
                   .bits = bitsAt(address, bytes),
                   .bytes = bytes,
                   .since = thread.events + U32(next - turnStart_)};
  if (!isSamePlace(thread.waited, before)) return false;
  thread.waited.since = before.since;
  thread.waited.looks = before.looks + 1;
  if (thread.waited.looks < kWaitingLooks) return false;
  thread.waited.looks = 0;
  noteWait(thread);
  return true;
}

void BlockRunner::noteWait(HostThread& thread) {
  const U32 events = thread.events + U32(next - turnStart_);
  const std::uint64_t limit = std::min(launch_.eventsPerThread, kCounted);
  const std::uint64_t most = std::min(kForgivenLimits * limit, kCounted - limit);
  thread.forgiven = U32(std::min<std::uint64_t>(most, thread.forgiven + (events - thread.waited.since)));
  thread.waited.since = events;
  waited_.push_back(thread.waited);
}

// Nobody can go on but those that rest. True: the block pauses.
bool BlockRunner::pausesWhileResting() {
  if (pauses_ == Pauses::Never) return false;
  if (restsAtWork_ || !waits()) waited_.clear();
  if (waited_.empty() && pauses_ == Pauses::AtWaits) return false;
  outcome_ = BlockOutcome::Paused;
  return true;
}

bool BlockRunner::waits() const {
  return !waited_.empty() && std::ranges::all_of(waited_, [](const WaitedPlace& place) {
    return bitsAt(place.address, place.bytes) == place.bits;
  });
}

}  // namespace recording
