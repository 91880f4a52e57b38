// Whatever a person does, in whatever order: bar, Ladder, maps, source, caption and title tell of one run.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/catalog.h"
#include "narration/caption.h"
#include "narration/outcome.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "walker.h"
#include "workbench_ui.h"

namespace stridescope::views::test {
namespace {

using session::Command;

// What stands under a label of the bar.
std::string fieldOf(const WorkbenchUi& ui, const std::string& label) {
  const std::string texts = "\n" + ui.textsIn("##bar"), mark = "\n" + label + "\n";
  const std::size_t at = texts.find(mark);
  if (at == std::string::npos) return "(none)";
  const std::size_t begin = at + mark.size();
  return texts.substr(begin, texts.find('\n', begin) - begin);
}

// What in the window tells of another run than the one that is drawn; empty: nothing does.
std::string contradictions(WorkbenchUi& ui) {
  const session::Session& session = ui.session();
  if (session.replay().run() == nullptr) return "nothing is shown";
  const model::Trace& trace = session.replay().run()->trace;
  const model::Experiment& shown = trace.experiment;
  const kernels::Variant& variant = *kernels::findVariant(shown.variant);
  const std::string title(variant.title);
  std::string wrong;
  if (session.workspace().experiment() != shown) wrong += "the experiment asked for is another; ";
  if (ui.workbench().title() != "Stridescope · " + title) wrong += "title: " + ui.workbench().title() + "; ";
  const bool recorded = session.workspace().recording() != nullptr;
  if (recorded != (trace.executor.kind == model::EngineKind::Recorded)) wrong += "what executes is another; ";
  const auto differs = [&](const std::string& what, const std::string& is, const std::string& should) {
    if (!is.starts_with(should)) wrong += what + " is '" + is + "', not '" + should + "'; ";
  };
  differs("variant", fieldOf(ui, "variant"), title);
  differs("type", fieldOf(ui, "type"), std::string(model::nameOf(shown.type)));
  differs("operator", fieldOf(ui, "operator"), std::string(model::nameOf(shown.op)));
  differs("block size", fieldOf(ui, "block size"), std::to_string(shown.threads));
  differs("data pattern", fieldOf(ui, "data pattern"),
          shown.given.get() != nullptr ? shown.given.get()->name : std::string(model::nameOf(shown.data)));
  const std::string n = fieldOf(ui, "n");
  if (!n.starts_with("2^")) differs("n", n, std::to_string(shown.elements));
  // The strip may break it into lines, and cut it short.
  const narration::RoundAt at = roundAt(session.replay());
  const std::vector<std::string> trouble = narration::troubleIn(at);  // comes first
  std::string caption = trouble.empty() ? narration::captionOf(at).text() : trouble.front();
  if (const lab::RoundName* const hidden = session.replay().hidden())
    caption = "Next is " + hidden->inSentence + ".";
  caption.resize(std::min(caption.size(), std::size_t{60}));
  std::string strip = ui.textsIn("##transport");
  std::ranges::replace(strip, '\n', ' ');
  if (strip.find(caption) == std::string::npos) wrong += "the caption is not '" + caption + "'; ";
  if (const std::string source = ui.textsIn("Source");
      !source.empty() && source.find("kernels/" + shown.variant + ".cu") == std::string::npos)
    wrong += "the source is " + source.substr(0, 60) + "; ";
  // The Ladder tells of the chosen variant alone what it changed; lines break where they must.
  std::string ladder;
  for (const draw::TextLog::Entry& entry : ui.ui().texts().entries())
    if (entry.window.starts_with("Ladder/")) ladder += entry.text + " ";
  for (const kernels::Variant& each : kernels::catalog())
    if (!ladder.empty() && (ladder.find(each.changed) != std::string::npos) != (each.id == shown.variant))
      wrong += "the Ladder tells of another than " + std::string(each.id) + "; ";
  if (const draw::PaintedGrid* const lanes = ui.ui().findGrid("lanes")) {
    const session::Replay& replay = session.replay();
    if (lanes->cells != laneBytes(replay.launch(), replay.round(), replay.flow()).cells)
      wrong += "the map of the lanes is another round's; ";
  }
  return wrong;
}

TEST(OneState, TheWindowTellsOfOneRunWhateverIsDone) {
  Walker walker(20261123);
  WorkbenchUi ui;
  unsigned ownData = 0, recorded = 0;  // steps that showed such a run
  for (unsigned step = 0; step < stepsToWalk(); ++step) {
    const Command command = walker.next(ui.session().parts());
    ui.apply(command);
    ASSERT_EQ(contradictions(ui), "") << "after step " << step << ", command " << command.any().index();
    const model::Trace& shown = ui.session().replay().run()->trace;
    ownData += shown.experiment.given.get() != nullptr;
    recorded += shown.executor.kind == model::EngineKind::Recorded;
  }
  EXPECT_GT(ownData, 0u);
  EXPECT_GT(recorded, 0u);
}

}  // namespace
}  // namespace stridescope::views::test
