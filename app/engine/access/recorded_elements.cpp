// What the access recorder knows of the elements that are accessed: how wide their pieces are, and which
// bytes were stored.
#include <algorithm>

#include "access_recorder.h"
#include "host_recording.h"

namespace stridescope::engine::access {

using recording::machine;
using recording::U32;
using recording::U64;

namespace {

constexpr U64 kDynamicReach = 64 << 10;  // bytes: so near behind its base, dynamic shared memory is meant

}  // namespace

// Before the access is found to be out of bounds.
void AccessRecorder::lookForDynamic(U64 address) {
  if (dynamicBase_ != 0 && address >= dynamicBase_ && address - dynamicBase_ < kDynamicReach)
    missesDynamic_ = true;
}

AccessRecorder::Pending::Bits AccessRecorder::Pending::now() const {
  Bits bits{};
  std::memcpy(bits.data(), address, std::min<std::size_t>(bytes, sizeof bits));
  return bits;
}

void AccessRecorder::Pending::take() {
  const Bits stored = now();
  if (readPlace != nullptr && stored == passed) return;
  event->value = stored[0];
  if (upperHalf != nullptr) upperHalf->value = stored[1];
}

// What is read of shared memory should have been stored there, in the block that is recorded.
void AccessRecorder::look(U32 site, U64 head, U32 bytes, bool reads, bool writes,
                          const volatile void* address) {
  const recording::Event event{head, 0};
  if (!machine->keepsEvents || !event.inShared()) return;
  std::vector<bool>& written = stateOfBlock().written[event.sharedArray()];
  const U64 from = event.offset(), to = from + bytes;
  if (written.size() < to) written.resize(to);
  const auto first = written.begin() + std::ptrdiff_t(from), last = written.begin() + std::ptrdiff_t(to);
  for (auto byte = first; reads && byte != last; ++byte) {
    if (*byte || isPadding(event.sharedArray(), U64(byte - written.begin()))) continue;
    const U32 array = event.sharedArray();
    if (address != nullptr && array < elements_.haveBitFields.size() && elements_.haveBitFields[array])
      stateOfBlock().uninitialized[machine->running->thread] = {site, array, from, bytes, address};
    else
      recording::reportUninitializedRead(site, array, from, bytes);
    break;
  }
  if (writes) std::fill(first, last, true);
}

void AccessRecorder::forgetReadOf(const volatile void* address, U32 bytes) {
  auto& read = stateOfBlock().uninitialized[machine->running->thread];
  if (read && read->address == address && read->bytes == bytes) read.reset();
}

// As much as the compiled text accesses at once may be more: g++ and clang++ copy for another machine.
U32 AccessRecorder::pieceOf(U64 address, U64 bytes) const {
  const auto pieceIn = [&](const Elements& array) -> U32 {
    const U64 offset = address - array.range.base;
    const bool isInOne = address >= array.range.base && offset < array.range.bytes && array.bytes >= bytes &&
                         array.alignment > 0 && offset % array.bytes + bytes <= array.bytes;
    const U32 width = std::min(array.alignment, 16u);
    return isInOne && offset % width == 0 && bytes % width == 0 ? width : 0;
  };
  for (const Elements& array : elements_.all)
    if (const U32 width = pieceIn(array); width != 0) return width;
  return pieceIn(elements_.dynamic);
}

// Between the members of a struct, or behind them: what is stored member by member leaves that out.
bool AccessRecorder::isPadding(std::uint32_t array, U64 offset) {
  const auto [known, isNew] = padding_.try_emplace(array);
  std::vector<bool>& padding = known->second;
  if (isNew && arrayOf_) {
    const model::Array shape = arrayOf_(array);
    padding.assign(shape.members.empty() ? 0 : shape.elementBytes, true);
    for (const model::MemberType& member : shape.members)
      for (U64 byte = member.offset; byte < std::min<U64>(member.offset + member.bytes, padding.size());
           ++byte)
        padding[byte] = false;
  }
  return !padding.empty() && padding[offset % padding.size()];
}

}  // namespace stridescope::engine::access
