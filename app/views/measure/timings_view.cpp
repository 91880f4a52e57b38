#include "views/measure/timings_view.h"

#include <array>

#include "draw/panel.h"
#include "measure/words.h"
#include "views/chrome/tabs.h"
#include "views/measure/timings_controls.h"

namespace stridescope::views {
namespace {

constexpr std::array<const char*, 4> kTabs{"live", "ladder", "by size", "by block"};  // as TimingsTab
constexpr float kSentenceLine = 20, kSentenceWidth = 380;                             // units

TimingFilter filterOf(const session::Workspace& workspace, const session::Measurements& measurements) {
  const session::TimingChoices& choices = measurements.choices();
  return {.type = workspace.experiment().type,
          .op = workspace.experiment().op,
          .warmL2 = choices.warmL2,
          .graph = choices.graph,
          .elements = choices.elements};
}

void drawTab(TimingsScene& scene) {
  switch (scene.state.tab) {
    case TimingsTab::Live:
      return drawLiveTab(scene);
    case TimingsTab::Ladder:
      scene.state.pointedAt.clear();  // it has no labels beside lines
      return drawLadderTab(scene);
    case TimingsTab::BySize:
      return drawSizesTab(scene);
    case TimingsTab::ByBlock:
      return drawBlocksTab(scene);
  }
}

// What is reduced: "int add, n = 2^24".
std::string noteOf(const TimingsState& state) {
  const TimingsPicture& picture = state.picture;
  std::string note =
      std::string(model::nameOf(picture.filter.type)) + " " + std::string(model::nameOf(picture.filter.op));
  if (state.tab == TimingsTab::Live && picture.hasLive)
    return note + ", n = " + measure::elementsText(picture.snapshot->station.elements);
  if (state.tab == TimingsTab::Live || state.tab == TimingsTab::Ladder)
    return note + ", n = " + measure::elementsText(picture.ladderElements);
  if (state.tab == TimingsTab::ByBlock) return note + ", n = " + measure::elementsText(picture.blockElements);
  return note;
}

// At the right of the tabs, where it fits.
void drawNote(ViewContext& view, const draw::Panel& panel, const std::string& note, float tabsEnd) {
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const ImVec2 max{panel.contentMax().x, panel.contentMin().y};
  const ImVec2 min{tabsEnd + view.px(draw::kBaseUnit), max.y - view.px(draw::kPanelTitleHeight)};
  if (min.x + draw::textSize(style, note).x > max.x) return;
  draw::drawText(view.draw, panel.list(), min, max, note, style, draw::TextAlign::Right);
}

}  // namespace

void drawNothing(TimingsScene& scene, const std::string& sentence) {
  const ViewContext& view = scene.view;
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kBodySize, view.colours().dim);
  const float width = std::min(scene.max.x - scene.min.x, view.px(kSentenceWidth));
  const float line = view.px(kSentenceLine);
  const float height = line * float(draw::wrappedLineCount(style, sentence, width));
  const ImVec2 topLeft{(scene.min.x + scene.max.x - width) / 2, (scene.min.y + scene.max.y - height) / 2};
  draw::drawWrapped(scene.view.draw, scene.list, topLeft, width, line, sentence, style);
}

// The statistics of a snapshot are worked out in one frame and kept for those that follow.
void refreshTimings(const session::Workspace& workspace, const session::Measurements& measurements,
                    TimingsState& state) {
  auto snapshot = measurements.timings();
  if (!snapshot)
    snapshot = state.picture.snapshot ? state.picture.snapshot : std::make_shared<measure::TimingSnapshot>();
  const TimingFilter filter = filterOf(workspace, measurements);
  if (state.picture.isOf(snapshot.get(), filter)) return;
  state.picture = timingsPicture(std::move(snapshot), filter);
  state.rungs = ladderTimes(state.picture);
}

void drawTimings(ViewContext& view, TimingsState& state) {
  draw::Panel panel(
      view.draw, {.name = kTimingsPanel, .hasControlsInTitle = true, .leastWidth = 360, .leastHeight = 200});
  if (!panel) return;
  float tabsEnd = 0;
  const int clicked = drawTabs(view, panel, kTabs, int(state.tab), view.colours().result, &tabsEnd);
  drawNote(view, panel, noteOf(state), tabsEnd);
  if (clicked >= 0) state.tab = TimingsTab(clicked);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::GetIO().WantTextInput &&
      ImGui::IsKeyPressed(ImGuiKey_F))
    state.fit();

  TimingsScene scene{view, state, panel.list(), panel.contentMin(), panel.contentMax()};
  const bool blank =
      state.picture.lines.empty() && state.picture.snapshot->state != measure::TimingState::Failed;
  const bool onlyFailed = state.picture.lines.empty() && !blank;
  if (blank) {
    drawTimingStart(scene);
  } else {
    drawTimingControls(scene);
    drawTimingStatus(scene);
    if (!onlyFailed) drawTab(scene);
  }
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && state.tab == TimingsTab::Ladder &&
      ImGui::IsMouseReleased(ImGuiMouseButton_Right))
    scene.menuWanted = true;
  drawTimingMenu(scene);
}

}  // namespace stridescope::views
