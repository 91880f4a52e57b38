#include "page_start.h"

#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "session/experiment_choices.h"
#include "session/mode.h"

namespace stridescope::web {
namespace {

// "b" of "a/b/c" is its part 1; empty: it has none.
std::string partOf(std::string_view text, unsigned part) {
  for (; part > 0; --part) {
    const std::size_t mark = text.find('/');
    if (mark == std::string_view::npos) return {};
    text.remove_prefix(mark + 1);
  }
  return std::string(text.substr(0, text.find('/')));
}

}  // namespace

session::Start startOf(const session::Settings& settings) {
  if (const model::Experiment& last = settings.lastExperiment; last.elements > 0) {
    const auto choices = session::choicesOf(last, !session::isOneBlockLoad(last));
    if (engine::checkedExperiment(session::experimentFor(choices), true))
      return {.experiment = last,
              .elementsGiven = choices.elements,
              .round = settings.lastRound,
              .launch = settings.lastLaunch,
              .engine = "host"};
  }
  model::Experiment experiment;
  experiment.variant = "interleaved_contiguous";
  experiment.data = kernels::defaultData(experiment);
  return {.experiment = *engine::checkedExperiment(experiment, false), .round = 4, .engine = "host"};
}

std::string modeAsText(const session::Session& session) {
  std::string text(session.app().modeFacts().id);
  if (const session::Comparison* const both = session.comparison())
    for (const analysis::Side side : analysis::kSides)
      text += "/" + both->workspace(side).experiment().variant;
  return text;
}

// The kept round is the last one that was told, behind which Predict hides the next.
void resumeMode(session::Session& session, std::string_view text) {
  const session::ModeFacts* const mode = session::findMode(partOf(text, 0));
  if (mode == nullptr || session.app().mode() != session::Mode::Explore) return;
  if (!mode->comparesSides) return session.apply(session::EnterMode{mode->mode});
  const std::string left = partOf(text, 1), explored = session.workspace().experiment().variant;
  session.compareWith(left == explored ? partOf(text, 2) : left);
  if (left != explored) session.apply(session::SwapSides{});
}

}  // namespace stridescope::web
