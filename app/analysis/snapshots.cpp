#include "analysis/snapshots.h"

#include <algorithm>
#include <tuple>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

// The last snapshot, with the words that the round's warp barriers copied on it.
class CarriedMemory {
 public:
  explicit CarriedMemory(const model::LaunchTrace& launch)
      : layout_(launch), bytes_(layout_.bytes(), 0), known_(layout_.bytes(), false) {}

  void adopt(const model::Event& word, const Replay& replay) {
    if (!layout_.holds(word)) return;
    const std::size_t begin = layout_.beginOf(word);
    for (unsigned i = 0; i < valueBytesOf(word); ++i) {
      bytes_[begin + i] = std::uint8_t(word.value >> (8 * i));
      known_[begin + i] = replay.everWritten()[begin + i];
    }
  }
  void adopt(const Replay& replay) {
    bytes_ = replay.bytes();
    known_ = replay.known();
  }
  Snapshot asSnapshot(SnapshotFrom from) const { return {from, bytes_, known_}; }

 private:
  SharedLayout layout_;
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> known_;
};

}  // namespace

CopiedWords::CopiedWords(const model::LaunchTrace& launch)
    : words_(launch.recorded().copied), first_(launch.block + 1, 0), passed_(launch.block, 0) {
  const auto byBarrier = [](const model::BlockTrace::CopiedWord& a, const model::BlockTrace::CopiedWord& b) {
    return std::tuple(a.thread, a.barrier) < std::tuple(b.thread, b.barrier);
  };
  if (!std::ranges::is_sorted(words_, byBarrier)) std::ranges::stable_sort(words_, byBarrier);
  for (const model::BlockTrace::CopiedWord& word : words_) ++first_[word.thread + 1];
  for (std::uint32_t thread = 0; thread < launch.block; ++thread) first_[thread + 1] += first_[thread];
  next_.assign(first_.begin(), first_.end() - 1);
}

void findSnapshots(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  Replay replay(launch);
  CopiedWords copiedWords(launch);
  CarriedMemory carried(launch);
  std::size_t blockBarriers = 0;
  for (Round& round : rounds) {
    bool copied = false;
    for (const WarpOperation& operation : round.operations) {
      replay.apply(operation);
      if (operation.kind != model::EventKind::WarpBarrier) continue;
      copiedWords.visitNext(operation, [&](const model::Event& word) {
        replay.adopt(word);
        carried.adopt(word, replay);
        copied = true;
      });
    }
    auto from = copied ? SnapshotFrom::Copied : SnapshotFrom::Carried;
    if (round.endsWith == RoundEnd::BlockBarrier || round.endsWith == RoundEnd::End) {
      from = SnapshotFrom::Replayed;
      if (round.endsWith == RoundEnd::BlockBarrier &&
          blockBarriers < launch.recorded().barrierCopies.size()) {
        replay.adopt(launch.recorded().barrierCopies[blockBarriers]);
        from = SnapshotFrom::Copied;
      }
      blockBarriers += round.endsWith == RoundEnd::BlockBarrier ? 1 : 0;
      carried.adopt(replay);
    }
    round.snapshot = carried.asSnapshot(from);
  }
}

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
    if (const model::Event* upper = upperHalfOf(launch_, threadOf(operation, lane), index))
      write(*upper, operation.kind);
  });
}

void Replay::adopt(const std::vector<std::uint8_t>& barrierCopy) {
  if (barrierCopy.size() != bytes_.size()) return;
  noteStoresOfOthers(barrierCopy);
  bytes_ = lastCopy_ = barrierCopy;
  known_ = written_;
}

// What changed since the barrier before, and was never stored by the block, another block of its cluster has
// stored, or a copy in bulk.
void Replay::noteStoresOfOthers(const std::vector<std::uint8_t>& barrierCopy) {
  if (lastCopy_.empty()) return;
  const std::vector<model::Array>& arrays = launch_.recorded().shared;
  for (std::size_t array = 0; array < arrays.size(); ++array) {
    const std::size_t width = std::max(1u, arrays[array].elementBytes);
    const std::size_t begin = layout_.beginOf(array), end = begin + arrays[array].bytes;
    for (std::size_t element = begin; element + width <= end; element += width) {
      if (written_[element]) continue;
      const auto first = barrierCopy.begin() + std::ptrdiff_t(element);
      if (std::equal(first, first + std::ptrdiff_t(width), lastCopy_.begin() + std::ptrdiff_t(element)))
        continue;
      std::fill_n(written_.begin() + std::ptrdiff_t(element), width, true);
    }
  }
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
