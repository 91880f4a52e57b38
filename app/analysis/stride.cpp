#include "analysis/stride.h"

#include <algorithm>
#include <vector>

#include "analysis/event_groups.h"
#include "analysis/snapshots.h"

namespace stridescope::analysis {
namespace {

// Collects distances; the common one, if there is one.
class CommonDistance {
 public:
  void add(std::uint64_t distance) {
    agree_ = agree_ && (!distance_ || *distance_ == distance);
    distance_ = distance;
  }
  void spoil() { agree_ = false; }
  bool spoilt() const { return !agree_; }
  std::optional<std::uint64_t> value() const { return agree_ ? distance_ : std::nullopt; }

 private:
  std::optional<std::uint64_t> distance_;
  bool agree_ = true;
};

std::uint64_t distanceBetween(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

bool hasShuffle(const Round& round) {
  return std::ranges::any_of(round.operations,
                             [](const auto& op) { return op.kind == model::EventKind::Shuffle; });
}

std::optional<std::uint64_t> shuffleDelta(const model::LaunchTrace& launch, const Round& round) {
  CommonDistance delta;
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != model::EventKind::Shuffle) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const unsigned source = launch.recorded().events[operation.event[lane]].sourceLane();
      if (source != lane) delta.add(distanceBetween(source, lane));
    });
  }
  return delta.value();
}

// What one thread read and wrote in one array: up to two distinct elements each, and how many there were (3:
// more).
struct Touched {
  std::uint64_t loaded[2]{}, stored[2]{};
  unsigned loads = 0, stores = 0;

  static void note(std::uint64_t (&elements)[2], unsigned& count, std::uint64_t element) {
    for (unsigned i = 0; i < std::min(count, 2u); ++i)
      if (elements[i] == element) return;
    if (count < 2) elements[count] = element;
    count = std::min(count + 1, 3u);
  }
  void load(std::uint64_t element) { note(loaded, loads, element); }
  void store(std::uint64_t element) { note(stored, stores, element); }

  std::optional<std::uint64_t> distance() const {
    if (loads == 2) return distanceBetween(loaded[0], loaded[1]);
    if (loads == 1 && stores == 1 && loaded[0] != stored[0]) return distanceBetween(loaded[0], stored[0]);
    return std::nullopt;
  }
};

std::uint64_t elementOf(const model::LaunchTrace& launch, const SharedPadding& padding,
                        const model::Event& event) {
  if (!event.inShared()) return event.offset() / launch.buffers[event.buffer()].elementBytes;
  const std::uint32_t array = event.sharedArray();
  return padding.withoutPadding(array, event.offset() / launch.recorded().shared[array].elementBytes);
}

bool loadsFromShared(const model::LaunchTrace& launch, const Round& round) {
  return std::ranges::any_of(round.operations, [&](const WarpOperation& op) {
    return op.kind == model::EventKind::Load && firstEventOf(op, launch).inShared();
  });
}

// Adds to `distances[thread]` what the threads' accesses to one space say.
void addDistances(const model::LaunchTrace& launch, const SharedPadding& padding, const Round& round,
                  unsigned space, std::vector<CommonDistance>& distances) {
  std::vector<Touched> touched(launch.block);
  for (const WarpOperation& operation : round.operations) {
    if (!isAccess(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch.recorded().events[operation.event[lane]];
      if (event.space() != space) return;
      Touched& own = touched[threadOf(operation, lane)];
      if (operation.kind == model::EventKind::Load)
        own.load(elementOf(launch, padding, event));
      else
        own.store(elementOf(launch, padding, event));
    });
  }
  for (std::size_t thread = 0; thread < touched.size(); ++thread)
    if (const auto distance = touched[thread].distance()) distances[thread].add(*distance);
}

// Whether each active thread stores one element at most: what loads several and stores as many copies them.
bool combines(const model::LaunchTrace& launch, const Round& round) {
  std::vector<Touched> touched(launch.block);
  for (const WarpOperation& operation : round.operations) {
    if (!isWrite(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch.recorded().events[operation.event[lane]];
      touched[threadOf(operation, lane)].store(std::uint64_t(event.space()) << 48 | event.offset());
    });
  }
  return std::ranges::all_of(touched, [](const Touched& own) { return own.stores <= 1; });
}

std::optional<std::uint64_t> operandDistance(const model::LaunchTrace& launch, const SharedPadding& padding,
                                             const Round& round) {
  const bool shared = loadsFromShared(launch, round);
  if (!shared && launch.devices > 1) return std::nullopt;  // operands lie in the memory of different devices
  if (!shared && !combines(launch, round)) return std::nullopt;
  const unsigned first = shared ? recording::kSharedSpace : recording::kGlobalSpace;
  const auto count = shared ? launch.recorded().shared.size() : launch.buffers.size();
  std::vector<CommonDistance> distances(launch.block);
  for (unsigned i = 0; i < count; ++i) addDistances(launch, padding, round, first + i, distances);

  CommonDistance common;
  for (std::size_t thread = 0; thread < distances.size(); ++thread) {
    if (round.lanes[thread] != LaneState::Active) continue;
    if (const auto distance = distances[thread].value())
      common.add(*distance);
    else
      common.spoil();
  }
  return common.value();
}

}  // namespace

SharedPadding::SharedPadding(const model::LaunchTrace& launch, const std::vector<Round>& rounds)
    : numbers_(launch.recorded().shared.size()) {
  const auto last = std::ranges::find_if(rounds.rbegin(), rounds.rend(),
                                         [](const Round& round) { return !round.snapshot.known.empty(); });
  if (last == rounds.rend()) return;
  const SharedLayout layout(launch);
  for (std::size_t array = 0; array < numbers_.size(); ++array) {
    const std::size_t bytes = launch.recorded().shared[array].elementBytes;
    const auto isWritten = [&](std::size_t element) {
      return last->snapshot.known[layout.beginOf(array) + element * bytes];
    };
    std::size_t end = std::size_t(launch.recorded().shared[array].bytes) / bytes;
    while (end > 0 && !isWritten(end - 1)) --end;
    std::uint32_t number = 0;
    std::vector<std::uint32_t>& numbers = numbers_[array];
    for (std::size_t element = 0; element < end; ++element)
      numbers.push_back(isWritten(element) ? number++ : number);
    if (number == end) numbers.clear();  // no padding
  }
}

std::optional<std::uint64_t> findStride(const model::LaunchTrace& launch, const SharedPadding& padding,
                                        const Round& round) {
  return hasShuffle(round) ? shuffleDelta(launch, round) : operandDistance(launch, padding, round);
}

}  // namespace stridescope::analysis
