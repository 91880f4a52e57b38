#include "narration/round_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "narration/round_facts.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

bool accesses(const analysis::Round& round, model::EventKind kind, bool shared) {
  return std::ranges::any_of(round.requests, [&](const analysis::Request& request) {
    return request.kind == kind && request.shared == shared;
  });
}

// What a round is called in its three places.
struct Names {
  std::string tick, title, inSentence;
};

Names namesOf(const RoundAt& at) {
  const auto distance = [&] { return figure(at.round().stride.value_or(0)); };
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {"load", "Load", "the load"};
    case RoundKind::Write:
      return {"write", "Write", "the write"};
    case RoundKind::Read:
      return {"read", "Read", "the read"};
    case RoundKind::WarpReduce:
      return {"warp", "Warp reduction", "the warp reduction"};
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return {distance(), "Stride " + distance(), "stride " + distance()};
    case RoundKind::Shuffle:
      return {distance(), "Shuffle by " + distance(), "the shuffle by " + distance()};
    case RoundKind::Other:
      break;
  }
  if (at.pass == nullptr && at.round().passes > 1 && accesses(at.round(), model::EventKind::Load, true)) {
    if (accesses(at.round(), model::EventKind::Store, true)) return {"strides", "Strides", "the strides"};
    return {"read", "Read", "the read"};
  }
  const bool isLast =
      at.index > 0 && !at.analysis.goesOn && at.index + 1 == at.analysis.rounds.size() && at.endsTheRound();
  if (isLast && at.round().activeLanes > 0) return {"last", "Last step", "the last step"};
  const std::string index = figure(at.index);
  return {"r" + index, "Round " + index, "round " + index};
}

}  // namespace

// The outer rounds are told first: a thread that adds two elements while loading has a stride, too.
RoundKind kindOf(const RoundAt& at) {
  const analysis::Round& round = at.round();
  const bool readsShared = accesses(round, model::EventKind::Load, true);
  const bool storesShared = accesses(round, model::EventKind::Store, true);
  const bool writesDevice =
      accesses(round, model::EventKind::Store, false) || accesses(round, model::EventKind::Atomic, false);
  const DeviceReads reads = deviceReads(at);
  if (takesPart(round, model::EventKind::Shuffle) && round.stride) return RoundKind::Shuffle;
  if (reads.input && (!readsShared || !storesShared)) return RoundKind::Load;
  if (reads.ownWork && !reads.inPlace && !writesDevice) return RoundKind::Load;
  if (takesPart(round, model::EventKind::WarpReduce)) return RoundKind::WarpReduce;
  if (writesDevice && !reads.inPlace && !storesShared) return RoundKind::Write;
  if (!round.stride) return readsShared && readsOneEach(at) ? RoundKind::Read : RoundKind::Other;
  if (round.stride == 0u) return RoundKind::Other;
  return round.endsWith == analysis::RoundEnd::WarpBarrier ? RoundKind::WarpStride : RoundKind::Stride;
}

std::string tickOf(const RoundAt& at) { return namesOf(at).tick; }

std::string titleOf(const RoundAt& at) {
  const std::string title = namesOf(at).title;
  std::string before;
  if (const auto element = at.round().outputElement)
    before = fmt::format("Element {} of {}, ", figure(*element + 1), figure(at.launch.elements));
  if (at.pass != nullptr)
    before += fmt::format("{} {} of {}, ", before.empty() ? "Pass" : "pass", figure(at.pass->pass + 1),
                          figure(at.whole().passes));
  return before.empty() ? title : before + char(title[0] - 'A' + 'a') + title.substr(1);
}

std::string nameInSentence(const RoundAt& at) {
  const std::string name = namesOf(at).inSentence;
  const auto element = at.round().outputElement;
  return element ? fmt::format("{} of element {}", name, figure(*element + 1)) : name;
}

}  // namespace stridescope::narration
