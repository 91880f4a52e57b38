#include "analysis/barrier_copies.h"

#include <algorithm>
#include <vector>

#include "base/numbers.h"

namespace stridescope::analysis {
namespace {

constexpr std::uint32_t kNever = ~0u;

// By byte of all shared arrays: the first barrier by which a thread has stored it.
std::vector<std::uint32_t> firstStored(const model::BlockTrace& block, std::uint64_t bytes) {
  std::vector<std::uint64_t> begins;
  std::uint64_t begin = 0;
  for (const model::Array& array : block.shared) {
    begins.push_back(begin);
    begin += array.bytes;
  }
  std::vector<std::uint32_t> stored(bytes, kNever);
  for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
    std::uint32_t barrier = 0;
    for (const model::Event& event : block.eventsOf(thread)) {
      if (event.kind() == model::EventKind::BlockBarrier) ++barrier;
      const bool stores = event.kind() == model::EventKind::Store || event.kind() == model::EventKind::Atomic;
      if (!stores || !event.inShared() || event.sharedArray() >= begins.size() || event.secondHalf())
        continue;
      const std::uint64_t from = begins[event.sharedArray()] + event.offset();
      for (std::uint64_t at = from; at < std::min(from + event.width(), bytes); ++at)
        stored[at] = std::min(stored[at], barrier);
    }
  }
  return stored;
}

class Comparison {
 public:
  Comparison(std::size_t launch, const model::BlockTrace& one, const model::BlockTrace& other,
             CopiesCompared& compared)
      : launch_(launch), one_(one), other_(other), compared_(compared) {}

  void run() {
    if (one_.barrierCopies.size() != other_.barrierCopies.size()) {
      tell("one has " + figure(one_.barrierCopies.size()) + " complete block barriers and the other " +
           figure(other_.barrierCopies.size()) + ".");
      return;
    }
    compared_.barriers += one_.barrierCopies.size();
    if (one_.barrierCopies.empty()) return;
    const auto stored = firstStored(one_, one_.barrierCopies.front().size());
    std::uint64_t begin = 0;
    for (const model::Array& array : one_.shared) {
      compareArray(array, begin, stored);
      begin += array.bytes;
    }
  }

 private:
  void compareArray(const model::Array& array, std::uint64_t begin,
                    const std::vector<std::uint32_t>& stored) {
    std::uint64_t there = 0;
    const auto same = std::ranges::find_if(other_.shared, [&](const model::Array& each) {
      const bool isSame = each.name == array.name && each.bytes == array.bytes;
      if (!isSame) there += each.bytes;
      return isSame;
    });
    if (same == other_.shared.end()) return;
    for (std::size_t barrier = 0; barrier < one_.barrierCopies.size(); ++barrier) {
      const auto &mine = one_.barrierCopies[barrier], &theirs = other_.barrierCopies[barrier];
      for (std::uint64_t at = 0; at < array.bytes; ++at) {
        const bool isThere = begin + at < mine.size() && there + at < theirs.size();
        if (!isThere || stored[begin + at] > barrier) continue;
        ++compared_.bytes;
        if (mine[begin + at] == theirs[there + at]) continue;
        return tell(array.name + "[" + figure(at / std::max(1u, array.elementBytes)) +
                    "] differs at block barrier " + figure(barrier) + ".");
      }
    }
  }

  void tell(const std::string& what) {
    if (!compared_.difference) compared_.difference = "In launch " + figure(launch_) + ", " + what;
  }

  std::size_t launch_;
  const model::BlockTrace &one_, &other_;
  CopiesCompared& compared_;
};

}  // namespace

CopiesCompared compareBarrierCopies(const model::Trace& one, const model::Trace& other) {
  CopiesCompared compared;
  if (one.launches.size() != other.launches.size()) {
    compared.difference = "One has " + figure(one.launches.size()) + " launches and the other " +
                          figure(other.launches.size()) + ".";
    return compared;
  }
  for (std::size_t k = 0; k < one.launches.size(); ++k)
    Comparison(k, one.launches[k].recorded(), other.launches[k].recorded(), compared).run();
  return compared;
}

}  // namespace stridescope::analysis
