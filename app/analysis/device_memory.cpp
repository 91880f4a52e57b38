#include "analysis/device_memory.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

// How the block uses one buffer.
struct BufferUse {
  bool read = false;
  std::optional<std::size_t> firstWritten;  // in which round
  bool writtenAgain = false;                // in a later one
  std::uint64_t firstByte = ~std::uint64_t{0}, endByte = 0;
};

template <class Visit>
void forEachDeviceAccess(const model::LaunchTrace& launch, const std::vector<Round>& rounds, Visit visit) {
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (const WarpOperation& operation : rounds[round].operations) {
      if (!isAccess(operation.kind) || !firstEventOf(operation, launch).inGlobal()) continue;
      forEachLane(operation.mask, [&](unsigned lane) { visit(round, operation, lane); });
    }
}

std::vector<BufferUse> usesOf(const model::LaunchTrace& launch, const std::vector<Round>& rounds) {
  std::vector<BufferUse> uses(launch.buffers.size());
  forEachDeviceAccess(launch, rounds, [&](std::size_t round, const WarpOperation& operation, unsigned lane) {
    const model::Event& event = launch.recorded().events[operation.event[lane]];
    BufferUse& use = uses[event.buffer()];
    use.firstByte = std::min<std::uint64_t>(use.firstByte, event.offset());
    use.endByte = std::max<std::uint64_t>(use.endByte, event.offset() + event.width());
    use.read = use.read || operation.kind == model::EventKind::Load;
    if (!isWrite(operation.kind)) return;
    if (!use.firstWritten) use.firstWritten = round;
    use.writtenAgain = use.writtenAgain || *use.firstWritten != round;
  });
  return uses;
}

std::vector<DeviceWindow> windowsOf(const model::LaunchTrace& launch, const std::vector<BufferUse>& uses) {
  std::vector<DeviceWindow> windows;
  for (std::uint32_t buffer = 0; buffer < uses.size(); ++buffer) {
    const BufferUse& use = uses[buffer];
    if (!use.firstWritten || !(use.read || use.writtenAgain)) continue;
    const unsigned bytes = std::max(1u, launch.buffers[buffer].elementBytes);
    const std::uint64_t first = use.firstByte / bytes, end = (use.endByte + bytes - 1) / bytes;
    windows.push_back({buffer, first, std::min(end - first, kMaxFollowedElements), use.read});
  }
  return windows;
}

class DeviceMemoryFollower {
 public:
  DeviceMemoryFollower(const model::LaunchTrace& launch, DeviceMemory& memory)
      : launch_(launch), memory_(memory) {
    for (const DeviceWindow& window : memory.windows) seen_.emplace_back(window.elements, false);
  }

  void follow(std::size_t round, model::EventKind kind, std::uint32_t thread, std::uint32_t index) {
    note(round, kind, launch_.recorded().events[index]);
    if (const model::Event* upper = upperHalfOf(launch_, thread, index)) note(round, kind, *upper);
  }

 private:
  void note(std::size_t round, model::EventKind kind, const model::Event& event) {
    const auto window = memory_.windowOf(event.buffer());
    const unsigned bytes = std::max(1u, launch_.buffers[event.buffer()].elementBytes);
    if (!window || bytes > sizeof event.value) return;
    const unsigned elements = std::max(1u, valueBytesOf(event) / bytes);
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint64_t element = event.offset() / bytes + i - memory_.windows[*window].first;
      if (element >= memory_.windows[*window].elements) return;
      const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
      add(round, kind, *window, element, event.value >> (8 * bytes * i) & mask);
    }
  }

  void add(std::size_t round, model::EventKind kind, std::size_t window, std::uint64_t element,
           std::uint64_t bits) {
    const bool first = !seen_[window][element];
    seen_[window][element] = true;
    if (kind == model::EventKind::Load && !first) return;
    // What was there before the block came to it: nobody else can have changed it if there is nobody else.
    const bool fromTheStart = kind == model::EventKind::Load && launch_.grid == 1;
    memory_.changes.push_back({fromTheStart ? 0 : std::uint32_t(round), std::uint32_t(window), element,
                               kind == model::EventKind::Atomic ? std::nullopt : std::optional(bits)});
  }

  const model::LaunchTrace& launch_;
  DeviceMemory& memory_;
  std::vector<std::vector<bool>> seen_;
};

}  // namespace

DeviceMemory followDeviceMemory(const model::LaunchTrace& launch, const std::vector<Round>& rounds) {
  DeviceMemory memory;
  memory.windows = windowsOf(launch, usesOf(launch, rounds));
  if (memory.windows.empty()) return memory;
  DeviceMemoryFollower follower(launch, memory);
  forEachDeviceAccess(launch, rounds, [&](std::size_t round, const WarpOperation& operation, unsigned lane) {
    follower.follow(round, operation.kind, threadOf(operation, lane), operation.event[lane]);
  });
  std::ranges::stable_sort(memory.changes, {}, &DeviceChange::round);
  return memory;
}

std::vector<std::optional<std::uint64_t>> DeviceMemory::wordsAfter(std::size_t window,
                                                                   std::size_t round) const {
  std::vector<std::optional<std::uint64_t>> words(windows[window].elements);
  for (const DeviceChange& change : changes) {
    if (change.round > round) break;
    if (change.window == window) words[change.element] = change.bits;
  }
  return words;
}

std::optional<std::size_t> DeviceMemory::windowOf(std::uint32_t buffer) const {
  const auto found = std::ranges::find(windows, buffer, &DeviceWindow::buffer);
  if (found == windows.end()) return std::nullopt;
  return std::size_t(found - windows.begin());
}

}  // namespace stridescope::analysis
