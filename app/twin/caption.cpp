#include "twin/caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "trace/value.h"
#include "twin/memory_sentence.h"
#include "twin/round_kind.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

unsigned lanesIn(const RoundAt& at, LaneState state) {
  return unsigned(std::ranges::count(at.round().lanes, state));
}

// How many lanes of each working warp are active, and how many lanes it has.
struct WarpFill {
  unsigned warp = 0, active = 0, lanes = 0;
};

std::vector<WarpFill> workingWarps(const RoundAt& at) {
  std::vector<WarpFill> working;
  const auto& lanes = at.round().lanes;
  for (unsigned warp = 0; warp < at.warps(); ++warp) {
    const auto begin = lanes.begin() + warp * kWarpSize;
    const unsigned size = std::min(kWarpSize, unsigned(lanes.end() - begin));
    const unsigned active = unsigned(std::count(begin, begin + size, LaneState::Active));
    if (active > 0) working.push_back({warp, active, size});
  }
  return working;
}

// "half of its lanes are off", "31 of its 32 lanes are off", "half of the lanes of each are off".
std::string lanesOff(const WarpFill& fill, bool one) {
  const unsigned off = fill.lanes - fill.active;
  const std::string part = 2 * off == fill.lanes ? "half" : figure(off);
  const char* verb = off == 1 ? "is" : "are";
  if (2 * off == fill.lanes)
    return fmt::format("half of {} off", one ? "its lanes are" : "the lanes of each are");
  if (one) return fmt::format("{} of its {} lanes {} off", part, fill.lanes, verb);
  return fmt::format("{} of the {} lanes of each {} off", part, fill.lanes, verb);
}

std::string warpsSentence(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  if (working.empty()) return {};
  const unsigned total = at.warps();
  const bool one = working.size() == 1;
  const bool all = working.size() == total;
  const auto full = std::ranges::count_if(working, [](const WarpFill& w) { return w.active == w.lanes; });
  const bool allFull = std::size_t(full) == working.size();
  if (all && allFull)
    return total == 1 ? "The only warp is full." : fmt::format("All {} warps are full.", total);

  std::string text = all ? (total == 1 ? "The only warp works" : fmt::format("All {} warps work", total))
                         : fmt::format("{} of {} warps {}", working.size(), total, one ? "works" : "work");
  const bool alike = std::ranges::all_of(working, [&](const WarpFill& w) {
    return w.active == working[0].active && w.lanes == working[0].lanes;
  });
  if (allFull)
    return text + (one ? ", and it is full." : working.size() == 2 ? ", both full." : ", all full.");
  if (alike) return text + ", and " + lanesOff(working[0], one) + ".";
  return text + fmt::format(": {} full, {} partial.", full, long(working.size()) - full);
}

// The loads from device memory: how many each thread makes, and the distance of two.
struct DeviceLoads {
  unsigned threads = 0;
  std::optional<unsigned> each;        // the same for all threads
  std::optional<std::uint64_t> apart;  // of two elements, the same for all threads
  std::uint64_t elements = 0;
};

DeviceLoads deviceLoads(const RoundAt& at) {
  std::map<unsigned, std::vector<std::uint64_t>> byThread;
  for (const WarpOperation& operation : at.round().operations) {
    if (operation.kind != EventKind::Load) continue;
    for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = unsigned(std::countr_zero(lanes));
      const Event& event = at.launch.events[operation.event[lane]];
      if (!event.inGlobal() || event.secondHalf()) continue;
      const unsigned bytes = std::max(1u, at.launch.buffers[event.buffer()].elementBytes);
      byThread[operation.warp * kWarpSize + lane].push_back(event.offset() / bytes);
    }
  }
  DeviceLoads loads{.threads = unsigned(byThread.size()), .each = {}, .apart = {}, .elements = 0};
  std::set<std::size_t> counts;
  std::set<std::uint64_t> distances;
  for (auto& [thread, elements] : byThread) {
    counts.insert(elements.size());
    loads.elements += elements.size();
    const auto [least, most] = std::ranges::minmax(elements);
    distances.insert(most - least);
  }
  if (counts.size() == 1) loads.each = unsigned(*counts.begin());
  if (loads.each == 2u && distances.size() == 1) loads.apart = *distances.begin();
  return loads;
}

std::string loadSentence(const RoundAt& at) {
  const DeviceLoads loads = deviceLoads(at);
  const bool plural = loads.threads != 1;
  const std::string who = count(loads.threads, "thread");
  if (!loads.each)
    return fmt::format("Load: {} {} {} into shared memory.", who, plural ? "bring" : "brings",
                       count(loads.elements, "element"));
  if (*loads.each == 1)
    return fmt::format("Load: {} {} one element{} into shared memory.", who, plural ? "copy" : "copies",
                       plural ? " each" : "");
  return fmt::format("Load: {} {}{} into shared memory.", who,
                     combinesEach(at.trace.experiment.op, smallNumber(*loads.each), plural),
                     loads.apart ? fmt::format(", {} apart,", figure(*loads.apart)) : "");
}

std::string strideSentence(const RoundAt& at) {
  const unsigned active = at.round().activeLanes;
  const std::string verb = combines(at.trace.experiment.op, active != 1);
  if (active == at.launch.block)
    return fmt::format("{}: all {} {}.", titleOf(at), count(active, "thread"), verb);
  return fmt::format("{}: {} of {} {}.", titleOf(at), figure(active), count(at.launch.block, "thread"), verb);
}

unsigned usefulThreads(const RoundAt& at) {
  return unsigned(std::ranges::count(at.work().work, true, &ThreadWork::useful));
}

// In a tail without a guard all lanes of the warp combine, though fewer and fewer results are ever read.
std::string warpStrideSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const unsigned active = at.round().activeLanes, useful = usefulThreads(at);
  const std::string where =
      working.size() == 1 ? fmt::format("warp {}", working[0].warp) : count(working.size(), "warp");
  std::string text = fmt::format("{}: {} of {} {}", titleOf(at), count(active, "thread"), where,
                                 combines(at.trace.experiment.op, active != 1));
  if (useful > 0 && useful < active)
    text += fmt::format(", and {} of the results {} used", figure(useful), useful == 1 ? "is" : "are");
  return text + ".";
}

std::string otherWarpsSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const unsigned others = at.warps() - unsigned(working.size());
  if (others == 0) return warpsSentence(at);
  const bool finished = lanesIn(at, LaneState::IdleWarp) == 0;
  const char* verb =
      finished ? (others == 1 ? "has finished" : "have finished") : (others == 1 ? "is idle" : "are idle");
  return fmt::format("The other {} {}, so the barrier is the warp's, not the block's.",
                     others == 1 ? std::string("warp") : count(others, "warp"), verb);
}

std::string_view withRegister(Operator op) {
  switch (op) {
    case Operator::Add:
      return "adds";
    case Operator::Multiply:
      return "multiplies by";
    case Operator::Min:
      return "takes the minimum with";
    case Operator::Max:
      return "takes the maximum with";
    case Operator::And:
      return "combines by and with";
    case Operator::Or:
      return "combines by or with";
    case Operator::Subtract:
      return "subtracts";
    case Operator::Custom:
      return "combines with";
    case Operator::Xor:
      return "combines by xor with";
  }
  return {};
}

// Which way the shuffle of this round goes, as its text says.
std::string_view directionOf(const RoundAt& at) {
  for (const WarpOperation& operation : at.round().operations) {
    if (operation.kind != EventKind::Shuffle) continue;
    const std::string& text = at.trace.sites[operation.site].text;
    if (text.find("_down_") != std::string::npos) return "above";
    if (text.find("_up_") != std::string::npos) return "below";
    break;
  }
  return "away from";
}

std::string shuffleSentence(const RoundAt& at, const std::vector<WarpFill>& working) {
  const std::string where =
      working.size() == 1 ? fmt::format("warp {}", working[0].warp) : count(working.size(), "warp");
  return fmt::format("{}: each lane of {} {} the register of the lane {} {} it.", titleOf(at), where,
                     withRegister(at.trace.experiment.op), figure(*at.round().stride), directionOf(at));
}

bool touchesShared(const Round& round) {
  return std::ranges::any_of(round.requests, [](const Request& request) { return request.shared; });
}

std::string writeSentence(const RoundAt& at) {
  std::vector<const ThreadWork*> writers;
  for (const ThreadWork& work : at.work().work)
    if (work.result && !work.result->shared) writers.push_back(&work);
  if (writers.size() != 1)
    return fmt::format("{}: {} write to device memory.", titleOf(at), count(writers.size(), "thread"));
  const Operand& result = *writers[0]->result;
  const ElementType type = at.trace.experiment.type;
  const bool atomic = at.round().operations[result.operation].kind == EventKind::Atomic;
  const std::string value = groupedElement(printElement(type, result.bits));
  const std::string place =
      fmt::format("{}[{}]", at.launch.buffers[result.array].name, figure(result.element));
  return fmt::format("{}: thread {} {} {}{}, the {} of this block.", titleOf(at), figure(writers[0]->thread),
                     atomic ? "gives" : "writes", value + (atomic ? " atomically to " : " to "), place,
                     nounOf(at.trace.experiment.op));
}

// In the launch's last round whoever takes no part returns without having done anything.
std::string finishedSentence(const RoundAt& at) {
  const bool last = at.index + 1 == at.analysis.rounds.size();
  const unsigned finished =
      last ? unsigned(at.round().lanes.size()) - at.round().activeLanes : lanesIn(at, LaneState::Finished);
  if (finished == 0) return {};
  return fmt::format("{} {} finished.", count(finished, "thread"), finished == 1 ? "has" : "have");
}

std::string otherSentence(const RoundAt& at) {
  const unsigned active = at.round().activeLanes;
  if (active == 0) return fmt::format("{}: no thread touches memory.", titleOf(at));
  return fmt::format("{}: {} of {} {}.", titleOf(at), figure(active), count(at.launch.block, "thread"),
                     active == 1 ? "works" : "work");
}

}  // namespace

std::string Caption::text() const {
  std::string joined;
  for (const std::string& sentence : sentences) joined += (joined.empty() ? "" : " ") + sentence;
  return joined;
}

Caption captionOf(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  Caption caption;
  switch (kindOf(at)) {
    case RoundKind::Load:
      caption.sentences = {loadSentence(at), warpsSentence(at), memorySentence(at, false)};
      break;
    case RoundKind::Stride:
      caption.sentences = {strideSentence(at), warpsSentence(at), memorySentence(at, true)};
      break;
    case RoundKind::WarpStride:
      caption.sentences = {warpStrideSentence(at, working), otherWarpsSentence(at, working),
                           memorySentence(at, false)};
      break;
    case RoundKind::Shuffle:
      caption.sentences = {shuffleSentence(at, working), touchesShared(at.round())
                                                             ? memorySentence(at, false)
                                                             : std::string("Shared memory is not touched.")};
      break;
    case RoundKind::Write:
      caption.sentences = {writeSentence(at), finishedSentence(at)};
      break;
    case RoundKind::Other:
      caption.sentences = {otherSentence(at), warpsSentence(at), memorySentence(at, false)};
      break;
  }
  std::erase(caption.sentences, std::string());
  return caption;
}

}  // namespace stridescope
