#include "analysis/replay.h"

#include <algorithm>

#include "analysis/event_groups.h"
#include "analysis/lane_mask.h"

namespace stridescope::analysis {

Replay::Replay(const model::LaunchTrace& launch)
    : launch_(launch),
      layout_(launch),
      bytes_(layout_.bytes(), 0),
      known_(layout_.bytes(), false),
      written_(layout_.bytes(), false) {}

Replay::Replay(const model::LaunchTrace& launch, const Snapshot& start)
    : launch_(launch), layout_(launch), bytes_(start.bytes), known_(start.known), written_(start.known) {}

void Replay::apply(const WarpOperation& operation) {
  if (!isWrite(operation.kind)) return;
  if (!firstEventOf(operation, launch_).inShared()) return;
  forEachLane(operation.mask, [&](unsigned lane) {
    const std::uint32_t index = operation.event[lane];
    write(launch_.recorded().events[index], operation.kind);
    if (const model::Event* upper = upperHalfOf(launch_, operation.warp * model::kWarpSize + lane, index))
      write(*upper, operation.kind);
  });
}

void Replay::adopt(const std::vector<std::uint8_t>& barrierCopy) {
  if (barrierCopy.size() != bytes_.size()) return;
  bytes_ = barrierCopy;
  known_ = written_;
}

void Replay::adopt(const model::Event& copiedWord) {
  if (!layout_.holds(copiedWord)) return;
  const std::size_t begin = layout_.beginOf(copiedWord);
  for (unsigned i = 0; i < valueBytesOf(copiedWord); ++i) {
    bytes_[begin + i] = std::uint8_t(copiedWord.value >> (8 * i));
    known_[begin + i] = written_[begin + i];
  }
}

void Replay::write(const model::Event& event, model::EventKind kind) {
  if (!layout_.holds(event)) return;
  const std::size_t begin = layout_.beginOf(event);
  for (unsigned i = 0; i < valueBytesOf(event); ++i) {
    if (kind == model::EventKind::Store) bytes_[begin + i] = std::uint8_t(event.value >> (8 * i));
    known_[begin + i] = kind == model::EventKind::Store;
    written_[begin + i] = true;
  }
}

}  // namespace stridescope::analysis
