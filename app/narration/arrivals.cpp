#include "narration/arrivals.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// "block 3"; "GPU 1" where each device has one block; "block 3 of GPU 1".
std::string nameOf(const model::LaunchTrace& launch, std::uint64_t block) {
  if (launch.devices == 1) return "block " + figure(block);
  const std::uint64_t each = launch.blocksOfDevice();
  const std::string device = "GPU " + figure(block / each);
  return each == 1 || block % each == 0 ? device : "block " + figure(block % each) + " of " + device;
}
std::string opened(std::string name) {
  if (name.front() == 'b') name.front() = 'B';
  return name;
}

// "comes 4th of 16"
std::string comes(const model::LaunchTrace& launch, std::size_t place) {
  const std::size_t all = launch.arrivals.size();
  const std::string of = all == 1 ? "" : " of " + figure(all);
  return "comes " + (place + 1 == all ? "last" : place == 0 ? "first" : ordinal(place + 1)) + of;
}

std::string ofOneRead(const model::LaunchTrace& launch, const analysis::RoundArrivals& arrivals,
                      const analysis::BlockRead& read) {
  const auto found = std::ranges::find(launch.arrivals, read.block, &model::Arrival::block);
  const std::string which = found == launch.arrivals.end()
                                ? ""
                                : ", which " + comes(launch, std::size_t(found - launch.arrivals.begin()));
  return fmt::format("Thread {} {} of {}{}.", figure(read.thread),
                     arrivals.waits ? "waits for the word" : "reads the result", nameOf(launch, read.block),
                     which);
}

std::string ofReads(const model::LaunchTrace& launch, const analysis::RoundArrivals& arrivals) {
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < arrivals.reads.size(); ++i)
    blocks += i == 0 || arrivals.reads[i].block != arrivals.reads[i - 1].block ? 1 : 0;
  const std::uint64_t own = launch.recorded().block;
  if (arrivals.reads.size() == 1) return ofOneRead(launch, arrivals, arrivals.reads.front());
  if (!arrivals.waits)
    return fmt::format("{}, which has come last, reads the results of {}.", opened(nameOf(launch, own)),
                       count(blocks, "block"));
  return fmt::format("{} waits for the words of {}: {}'s comes first, {}'s last.",
                     opened(nameOf(launch, own)), count(blocks, launch.devices > 1 ? "other GPU" : "block"),
                     nameOf(launch, launch.arrivals.front().block),
                     nameOf(launch, launch.arrivals.back().block));
}

}  // namespace

std::string arrivalSentence(const model::LaunchTrace& launch, const analysis::RoundArrivals& arrivals,
                            std::optional<std::uint32_t> thread) {
  if (thread) {
    const auto own = std::ranges::find(arrivals.reads, *thread, &analysis::BlockRead::thread);
    if (own != arrivals.reads.end()) return ofOneRead(launch, arrivals, *own);
  }
  if (!arrivals.reads.empty()) return ofReads(launch, arrivals);
  const bool isLast = *arrivals.own + 1 == launch.arrivals.size() && launch.arrivals.size() == launch.grid;
  return fmt::format("{} {}{}.", opened(nameOf(launch, launch.recorded().block)),
                     comes(launch, *arrivals.own),
                     isLast ? ": all others have left their results before" : "");
}

std::string arrivalOrder(const model::LaunchTrace& launch, std::size_t most) {
  const std::size_t all = launch.arrivals.size(), half = std::max<std::size_t>(1, most / 2);
  std::string text;
  for (std::size_t i = 0; i < all; ++i) {
    if (all > most && i == half) {
      text += ", ...";
      i = all - half;
    }
    text += (i == 0 ? "" : all > most && i == all - half ? " " : ", ") + figure(launch.arrivals[i].block);
  }
  return text;
}

}  // namespace stridescope::narration
