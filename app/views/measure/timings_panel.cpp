#include "views/measure/timings_panel.h"

#include <array>

#include "base/numbers.h"
#include "draw/panel.h"
#include "views/measure/timings_controls.h"
#include "views/shared/free_keys.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kTitle = "Timings";
const std::array<Choice, 4> kTabs{{{"live"}, {"ladder"}, {"by size"}, {"by block"}}};  // as TimingsTab
constexpr float kSentenceLine = 20, kSentenceWidth = 380;                              // units

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
std::string noteOf(const TimingsPicture& picture, const TimingsState& state) {
  const auto noteOn = [](model::ElementType type, model::Operator op) {
    return std::string(model::nameOf(type)) + " " + std::string(model::nameOf(op));
  };
  if (state.tab == TimingsTab::Live && picture.hasLive) {
    // What was measured, whatever has been chosen since.
    const model::TimingCase& measured = picture.snapshot->timingCase;
    return noteOn(measured.type, measured.op) + ", n = " + sizeText(measured.elements);
  }
  const std::string note = noteOn(picture.filter.type, picture.filter.op);
  if (state.tab == TimingsTab::Live || state.tab == TimingsTab::Ladder)
    return note + ", n = " + sizeText(picture.ladderElements);
  if (state.tab == TimingsTab::ByBlock) return note + ", n = " + sizeText(picture.blockElements);
  return note;
}

// Draws the note at the right of the tabs, where it fits.
void drawNote(ViewContext& view, const draw::Panel& panel, const std::string& note, float tabsEnd) {
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
  const ImVec2 max{panel.contentMax().x, panel.contentMin().y};
  const ImVec2 min{tabsEnd + view.px(draw::kBaseUnit), max.y - view.px(draw::kPanelTitleHeight)};
  if (min.x + draw::textSize(style, note).x > max.x) return;
  draw::drawText(view.draw, panel.list(), min, max, note, style, draw::TextAlign::Right);
}

void drawTimings(ViewContext& view, TimingsState& state) {
  draw::Panel panel(view.draw,
                    {.name = kTitle, .hasControlsInTitle = true, .leastWidth = 360, .leastHeight = 160});
  if (!panel) return;
  float tabsEnd = 0;
  const int clicked = drawTabs(view, panel, kTabs, int(state.tab), view.colours().result, tabsEnd);
  drawNote(view, panel, noteOf(view.times.picture, state), tabsEnd);
  if (clicked >= 0) state.tab = TimingsTab(clicked);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && areLettersFree(view.app) &&
      ImGui::IsKeyPressed(ImGuiKey_F))
    state.fit();

  TimingsScene scene{view, state, panel.list(), panel.contentMin(), panel.contentMax()};
  const TimingsPicture& picture = scene.picture();
  const bool blank = picture.lines.empty() && picture.snapshot->state != measure::TimingState::Failed;
  const bool onlyFailed = picture.lines.empty() && !blank;
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

Panel timingsPanel(std::shared_ptr<TimingsState> state) {
  return {.id = kTimingsId,
          .title = kTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn, .turn = 5}},
          .draw = [state = std::move(state)](ViewContext& view) { drawTimings(view, *state); }};
}

}  // namespace stridescope::views
