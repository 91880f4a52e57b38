#include "views/timings_view.h"

#include <array>

#include "draw/panel.h"
#include "timing/words.h"
#include "views/tabs.h"
#include "views/timings_controls.h"

namespace stridescope {
namespace {

constexpr std::array<const char*, 4> kTabs{"live", "ladder", "by size", "by block"};  // as TimingsTab
constexpr float kSentenceLine = 20, kSentenceWidth = 380;                             // units

TimingFilter filterOf(const Session& session) {
  const TimingChoices& choices = session.timingChoices();
  return {.type = session.experiment().type,
          .op = session.experiment().op,
          .warmL2 = choices.warmL2,
          .graph = choices.graph,
          .elements = choices.elements};
}

// The statistics of a snapshot are worked out in one frame and kept for those that follow.
void refresh(const Session& session, TimingsState& state) {
  auto snapshot = session.timings();
  if (!snapshot)
    snapshot = state.picture.snapshot ? state.picture.snapshot : std::make_shared<TimingSnapshot>();
  const TimingFilter filter = filterOf(session);
  if (!state.picture.isOf(snapshot.get(), filter))
    state.picture = timingsPicture(std::move(snapshot), filter);
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

std::string noteOf(const TimingsPicture& picture) {
  return std::string(nameOf(picture.filter.type)) + " " + std::string(nameOf(picture.filter.op)) +
         ", n = " + elementsText(picture.filter.elements);
}

}  // namespace

void drawNothing(TimingsScene& scene, const std::string& sentence) {
  const ViewContext& view = scene.view;
  const TextStyle style = wordsStyle(view.draw, kBodySize, view.colours().dim);
  const float width = std::min(scene.max.x - scene.min.x, view.px(kSentenceWidth));
  const float line = view.px(kSentenceLine);
  const float height = line * float(wrappedLineCount(style, sentence, width));
  const ImVec2 topLeft{(scene.min.x + scene.max.x - width) / 2, (scene.min.y + scene.max.y - height) / 2};
  drawWrapped(scene.view.draw, scene.list, topLeft, width, line, sentence, style);
}

void drawTimings(ViewContext& view, TimingsState& state) {
  refresh(view.session, state);
  const std::string note = noteOf(state.picture);
  Panel panel(view.draw,
              {.name = kTimingsPanel, .hasControlsInTitle = true, .leastWidth = 360, .leastHeight = 200});
  if (!panel) return;
  const int clicked = drawTabs(view, panel, kTabs, int(state.tab), view.colours().result);
  if (clicked >= 0) state.tab = TimingsTab(clicked);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::GetIO().WantTextInput &&
      ImGui::IsKeyPressed(ImGuiKey_F))
    state.fit();

  TimingsScene scene{view, state, panel.list(), panel.contentMin(), panel.contentMax()};
  const bool blank = state.picture.lines.empty() && state.picture.snapshot->state != TimingState::Failed;
  if (blank) {
    drawTimingStart(scene);
  } else {
    drawTimingControls(scene);
    drawTimingStatus(scene);
    drawTab(scene);
  }
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && state.tab == TimingsTab::Ladder &&
      ImGui::IsMouseReleased(ImGuiMouseButton_Right))
    scene.menuWanted = true;
  drawTimingMenu(scene);
}

}  // namespace stridescope
