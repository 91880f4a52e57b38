#include "analysis/snapshots.h"

#include "analysis/copied_words.h"
#include "analysis/event_groups.h"
#include "analysis/replay.h"

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
      if (round.endsWith == RoundEnd::BlockBarrier && blockBarriers < launch.barrierCopies.size()) {
        replay.adopt(launch.barrierCopies[blockBarriers]);
        from = SnapshotFrom::Copied;
      }
      blockBarriers += round.endsWith == RoundEnd::BlockBarrier ? 1 : 0;
      carried.adopt(replay);
    }
    round.snapshot = carried.asSnapshot(from);
  }
}

}  // namespace stridescope::analysis
