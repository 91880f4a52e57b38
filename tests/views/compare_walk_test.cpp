// Whatever a person does with two runs, in whatever order: heads, bar, maps, caption, title and middle tell
// of the two that are drawn, and each stands where the lock puts it.
#include <gtest/gtest.h>

#include <algorithm>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "narration/compared.h"
#include "narration/outcome.h"
#include "session/comparison.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "walker.h"
#include "workbench_ui.h"

namespace stridescope::views::test {
namespace {

using analysis::LockedBy;
using analysis::Side;
using session::Command;
using session::Replay;

std::string withoutBreaks(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Collects what in the two columns, and around them, tells of other runs than those that are drawn; empty:
// nothing does.
class Contradictions {
 public:
  explicit Contradictions(WorkbenchUi& ui) : ui_(ui), both_(*ui.session().comparison()) {
    if (!both_.isShown() || !both_.hasRuns()) {
      wrong_ = "nothing is shown";
      return;
    }
    for (const Side side : analysis::kSides) ofSide(side);
    locked();
    bar();
    caption();
    middle();
    lanes();
  }
  const std::string& text() const { return wrong_; }

 private:
  const model::Trace& trace(Side side) const { return both_.replay(side).run()->trace; }
  void expect(bool is, const std::string& what) {
    if (!is) wrong_ += what + "; ";
  }
  void has(const std::string& window, const std::string& text) {
    const std::string shown = withoutBreaks(ui_.textsIn(window));
    expect(shown.find(text) != std::string::npos, window + " has no '" + text + "' but '" + shown + "'");
  }

  void ofSide(Side side) {
    const std::string name(analysis::nameOf(side));
    const model::Experiment& shown = trace(side).experiment;
    const session::Workspace& workspace = both_.workspace(side);
    expect(workspace.experiment() == shown, "the experiment asked for at the " + name + " is another");
    expect((workspace.recording() != nullptr) == (trace(side).executor.kind == model::EngineKind::Recorded),
           "what executes at the " + name + " is another");
    has("Side##" + name, std::string(kernels::findVariant(shown.variant)->title));
    if (!both_.hasRound(side))
      has("Side##" + name, both_.lockedBy() == LockedBy::Round ? "finished" : "no such round");
    else
      has("Side##" + name, "round " + std::to_string(both_.replay(side).playhead().round));
    const std::string source = ui_.textsIn("Source##" + name);
    expect(source.empty() || source.find("kernels/" + shown.variant + ".cu") != std::string::npos,
           "the source at the " + name + " is " + source.substr(0, 60));
  }

  // Beside a round stands that of the same number, or of the same stride; a side that has none shows a last
  // round.
  void locked() {
    const Replay &left = both_.replay(Side::Left), &right = both_.replay(Side::Right);
    const bool pair = both_.hasRound(Side::Left) && both_.hasRound(Side::Right);
    expect(both_.hasRound(Side::Left) || both_.hasRound(Side::Right), "neither side has a round");
    if (pair) {
      expect(left.playhead().launch == right.playhead().launch, "the launches differ");
      if (both_.lockedBy() == LockedBy::Round)
        expect(left.playhead().round == right.playhead().round, "the rounds differ");
      else if (left.wholeRound().kind == analysis::RoundKind::Combine)
        expect(left.wholeRound().stride == right.wholeRound().stride, "the strides differ");
    }
    for (const Side side : analysis::kSides) {
      if (both_.hasRound(side)) continue;
      const session::Playhead at = both_.replay(side).playhead();
      const session::Playhead other = both_.replay(analysis::otherOf(side)).playhead();
      expect(at.round + 1 == both_.replay(side).launchAnalysis().rounds.size(),
             "a side without a round stands at " + std::to_string(at.round));
      if (both_.lockedBy() == LockedBy::Round)
        expect(at.launch < other.launch || (at.launch == other.launch && at.round < other.round),
               "a side has finished that has a round there");
    }
  }

  void bar() {
    for (const Side side : analysis::kSides) {
      const std::string title(kernels::findVariant(trace(side).experiment.variant)->title);
      has("##bar", std::string(analysis::nameOf(side)) + " variant " + title);
    }
    const auto shared = [&](const std::string& field, const std::string& left, const std::string& right) {
      has("##bar", field + " " + (left == right ? left : left + " | " + right));
    };
    const model::Experiment &left = trace(Side::Left).experiment, &right = trace(Side::Right).experiment;
    shared("block size", std::to_string(left.threads), std::to_string(right.threads));
    shared("type", std::string(model::nameOf(left.type)), std::string(model::nameOf(right.type)));
    has("##bar",
        "set for " + (both_.together() ? "both sides" : std::string(analysis::nameOf(both_.chosen()))));
    has("##bar", "locked by " + std::string(analysis::nameOf(both_.lockedBy())));
    const std::string chosen(kernels::findVariant(trace(both_.chosen()).experiment.variant)->title);
    expect(ui_.workbench().title().find(chosen) != std::string::npos, "title: " + ui_.workbench().title());
  }

  void caption() {
    std::optional<narration::RoundAt> at[2];
    std::string trouble;
    for (const Side side : analysis::kSides) {
      if (!both_.hasRound(side)) continue;
      at[std::size_t(side)].emplace(roundAt(both_.replay(side)));
      const auto found = narration::troubleIn(*at[std::size_t(side)]);
      if (!found.empty() && trouble.empty()) trouble = found.front();
    }
    std::string text = trouble;
    if (text.empty())
      text =
          narration::comparedCaption({at[0] ? &*at[0] : nullptr, at[1] ? &*at[1] : nullptr}, both_.lockedBy())
              .text();
    has("##transport", text.substr(0, 60));  // the strip may cut it short
  }

  // "active threads 16 | 8", in whichever way the row is set.
  void middle() {
    std::string figures[2];
    for (const Side side : analysis::kSides) {
      if (!both_.hasRound(side)) return;
      figures[std::size_t(side)] =
          std::to_string(std::ranges::count(both_.replay(side).round().lanes, analysis::LaneState::Active));
    }
    std::string shown;
    for (const draw::TextLog::Entry& entry : ui_.ui().texts().entries())
      if (entry.window.starts_with("What differs")) shown += entry.text + " ";
    std::erase_if(shown, [](char each) { return each == '|' || each == ','; });
    const std::size_t at = shown.find("active threads ");
    const std::string row = at == std::string::npos ? "" : shown.substr(at + 15, 24);
    const std::string should = figures[0] == figures[1] ? figures[0] : figures[0] + " " + figures[1];
    std::string squeezed;
    std::ranges::unique_copy(row, std::back_inserter(squeezed),
                             [](char a, char b) { return a == ' ' && b == ' '; });
    expect(squeezed.starts_with(should), "active threads are '" + row + "', not '" + should + "'");
  }

  void lanes() {
    unsigned found = 0;
    for (const draw::PaintedGrid& grid : ui_.ui().runner().grids().painted()) {
      if (grid.name != "lanes") continue;
      const ImGuiWindow* const right = ImGui::FindWindowByName("Maps##right");
      const Replay& replay =
          both_.replay(right != nullptr && grid.min.x >= right->Pos.x ? Side::Right : Side::Left);
      expect(grid.cells == laneBytes(replay.launch(), replay.round(), replay.flow()).cells,
             "the lanes at x = " + std::to_string(int(grid.min.x)) + " are another round's");
      ++found;
    }
    expect(found == 0 || found == 2, "lanes are drawn " + std::to_string(found) + " times");
  }

  WorkbenchUi& ui_;
  const session::Comparison& both_;
  std::string wrong_;
};

TEST(TwoRuns, TheWindowTellsOfBothWhateverIsDone) {
  Walker walker(20261124);
  WorkbenchUi ui;
  ui.apply(session::EnterMode{session::Mode::Compare});
  unsigned finished = 0, byStride = 0, apart = 0, recorded = 0;  // steps that showed such a thing
  for (unsigned step = 0; step < stepsToWalk(); ++step) {
    const Command command = walker.nextOfTwo(ui.session().parts());
    ui.apply(command);
    if (ui.session().comparison() == nullptr)  // a tour leaves it
      ui.apply(session::EnterMode{session::Mode::Compare});
    ASSERT_EQ(Contradictions(ui).text(), "")
        << "after step " << step << ", command " << command.any().index();
    const session::Comparison& both = *ui.session().comparison();
    byStride += both.lockedBy() == LockedBy::Stride;
    for (const Side side : analysis::kSides) {
      finished += !both.hasRound(side);
      recorded += both.replay(side).run()->trace.executor.kind == model::EngineKind::Recorded;
    }
    apart +=
        both.workspace(Side::Left).experiment().threads != both.workspace(Side::Right).experiment().threads;
    if (step % 50 != 49) continue;
    ui.apply(session::EnterMode{session::Mode::Explore});
    ui.apply(session::EnterMode{session::Mode::Compare});
    ASSERT_EQ(Contradictions(ui).text(), "") << "after Explore, step " << step;
  }
  EXPECT_GT(finished, 0u);
  EXPECT_GT(byStride, 0u);
  EXPECT_GT(apart, 0u);
  EXPECT_GT(recorded, 0u);
}

}  // namespace
}  // namespace stridescope::views::test
