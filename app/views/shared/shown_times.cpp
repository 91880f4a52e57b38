#include "views/shared/shown_times.h"

namespace stridescope::views {
namespace {

TimingFilter filterOf(const session::Workspace& workspace, const session::Measurements& measurements) {
  const session::TimingChoices& choices = measurements.choices();
  return {.type = workspace.experiment().type,
          .op = workspace.experiment().op,
          .warmL2 = choices.warmL2,
          .graph = choices.graph,
          .elements = choices.elements};
}

}  // namespace

void ShownTimes::refresh(const session::Workspace& workspace, const session::Measurements& measurements) {
  auto snapshot = measurements.timings();
  if (!snapshot) snapshot = picture.snapshot ? picture.snapshot : std::make_shared<measure::TimingSnapshot>();
  const TimingFilter filter = filterOf(workspace, measurements);
  if (picture.isOf(snapshot.get(), filter)) return;
  picture = timingsPicture(std::move(snapshot), filter);
  rungs = ladderTimes(picture);
}

}  // namespace stridescope::views
