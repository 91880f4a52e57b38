#include "narration/caption_subject.h"

#include <algorithm>

#include "narration/figures.h"
#include "narration/trouble.h"

namespace stridescope::narration {
namespace {

constexpr std::string_view kLanes = "lanes", kUtilization = "divergence", kBanks = "banks";

}  // namespace

CaptionSubject subjectOf(const RoundAt& at) {
  // The Shared memory panel and the source tell of races and problems.
  if (!troubleIn(at).empty()) return {};
  const analysis::Round& round = at.round();
  CaptionSubject subject;
  if (round.activeLanes > 0) subject.panels = {kLanes, kUtilization};
  if (!round.requests.empty()) subject.panels.push_back(kBanks);
  const bool conflicts = std::ranges::any_of(round.requests, [](const analysis::Request& request) {
    return request.conflicts() > 0 || request.sectors > request.idealSectors;
  });
  const analysis::LaneCounts lanes = lanesByUse(at);
  if (conflicts)
    subject.main = kBanks;
  else if (round.partialWarps > 0 || lanes.used < lanes.active())
    subject.main = kLanes;
  return subject;
}

}  // namespace stridescope::narration
