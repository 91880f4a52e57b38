#include "twin/round_kind.h"

#include <fmt/format.h>

#include "twin/wording.h"

namespace stridescope {
namespace {

bool accesses(const Round& round, EventKind kind, bool shared) {
  for (const Request& request : round.requests)
    if (request.kind == kind && request.shared == shared) return true;
  return false;
}

bool shuffles(const Round& round) {
  for (const WarpOperation& operation : round.operations)
    if (operation.kind == EventKind::Shuffle) return true;
  return false;
}

}  // namespace

// The two outer rounds are told first: a thread that adds two elements while loading has a stride, too.
RoundKind kindOf(const RoundAt& at) {
  const Round& round = at.round();
  const bool readsDevice = accesses(round, EventKind::Load, false);
  const bool readsShared = accesses(round, EventKind::Load, true);
  const bool writesDevice =
      accesses(round, EventKind::Store, false) || accesses(round, EventKind::Atomic, false);
  if (readsDevice && !readsShared && accesses(round, EventKind::Store, true)) return RoundKind::Load;
  if (shuffles(round) && round.stride) return RoundKind::Shuffle;
  if (writesDevice && !readsDevice) return RoundKind::Write;
  if (!round.stride) return RoundKind::Other;
  return round.endsWith == RoundEnd::WarpBarrier ? RoundKind::WarpStride : RoundKind::Stride;
}

std::string tickOf(const RoundAt& at) {
  switch (kindOf(at)) {
    case RoundKind::Load:
      return "load";
    case RoundKind::Write:
      return "write";
    case RoundKind::Stride:
    case RoundKind::WarpStride:
    case RoundKind::Shuffle:
      return figure(*at.round().stride);
    case RoundKind::Other:
      break;
  }
  return fmt::format("r{}", at.index);
}

std::string titleOf(const RoundAt& at) {
  switch (kindOf(at)) {
    case RoundKind::Load:
      return "Load";
    case RoundKind::Write:
      return "Write";
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return "Stride " + figure(*at.round().stride);
    case RoundKind::Shuffle:
      return "Shuffle by " + figure(*at.round().stride);
    case RoundKind::Other:
      break;
  }
  return "Round " + figure(at.index);
}

std::string nameInSentence(const RoundAt& at) {
  switch (kindOf(at)) {
    case RoundKind::Load:
      return "the load";
    case RoundKind::Write:
      return "the write";
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return "stride " + figure(*at.round().stride);
    case RoundKind::Shuffle:
      return "the shuffle by " + figure(*at.round().stride);
    case RoundKind::Other:
      break;
  }
  return "round " + figure(at.index);
}

}  // namespace stridescope
