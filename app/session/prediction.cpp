#include "session/prediction.h"

namespace stridescope::session {

// FNV-1a, by words.
RunMark markOf(const lab::Run& run) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const model::LaunchTrace& launch : run.trace.launches) {
    for (const recording::Event& event : launch.recorded().events) add(event.head), add(event.value);
    for (const std::uint32_t first : launch.recorded().first) add(first);
  }
  return {run.trace.experiment, hash};
}

std::string changeText(const Prediction& from, const Prediction& to) {
  if (from.run != to.run) return {};
  if (to.told > from.told) {
    const auto revealed = to.rounds.find(from.told);
    return revealed != to.rounds.end() && revealed->second.judged ? "revealing the round"
                                                                  : "skipping the round";
  }
  if (to.told < from.told) return "trying the round again";
  for (const auto& [index, round] : to.rounds) {
    const auto before = from.rounds.find(index);
    for (std::size_t place = 0; place < round.asked.size(); ++place) {
      if (before == from.rounds.end() || place >= before->second.asked.size()) break;
      const AskedQuestion &was = before->second.asked[place], &is = round.asked[place];
      if (was.guess != is.guess) return "the answer to question " + std::to_string(place + 1);
      if (was.hints != is.hints) return "a hint";
    }
  }
  return {};
}

}  // namespace stridescope::session
