#include "views/chrome/presenter.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "draw/panel.h"
#include "imgui_internal.h"
#include "views/chrome/caption_view.h"
#include "views/chrome/message_strip.h"
#include "views/chrome/presenter_keys.h"
#include "views/chrome/scrub_bar.h"
#include "views/chrome/transport_view.h"
#include "views/shared/cell_walk.h"
#include "views/shared/panel.h"
#include "views/shared/strip.h"

namespace stridescope::views {
namespace {

constexpr float kGap = 5, kTransport = 45, kKeys = 200, kInset = 10;  // units
// In a window too low for both, in units, one panel stands over a caption of four lines.
constexpr float kMinHero = 164, kMinMap = 154, kCompactCaption = 81;
constexpr float kHeroShare = 0.56f, kHeroShareBesideText = 0.44f;  // the height's, without the transport
constexpr float kMapShare = 0.47f, kWideMapShare = 0.58f;          // shares of the width, beside the caption
constexpr int kHoverLines = 2;
// A projector of fewer pixels shows the same picture; below this a window is no projector's.
constexpr float kMinPresenterScale = 0.6f;
constexpr float kSpotlight = 1.0f / 6, kDimmed = 0.65f;  // share of the height; of the light that is taken
constexpr float kMark = 4;                               // pixels at kPresenterHeight

void drawKeys(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  const float middle = (min.y + max.y) / 2, line = view.px(draw::kLabelLineHeight);
  const draw::TextStyle strong = draw::semiBoldStyle(view.draw, draw::kLabelSize, colours.text),
                        dim = draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim);
  const auto fits = [&](std::string_view text) { return draw::textSize(strong, text).x <= max.x - min.x; };
  draw::drawText(view.draw, list, {min.x, middle - line}, {max.x, middle}, nextOfPresenter(view, fits),
                 strong, draw::TextAlign::Right);
  draw::drawText(view.draw, list, {min.x, middle}, {max.x, middle + line}, toolsOfPresenter(view),
                 view.app.isOn(session::PresenterTool::Draw) ? strong : dim, draw::TextAlign::Right);
}

}  // namespace

float presenterScale(float windowHeight) {
  return draw::kPresenterTextSize * std::max(kMinPresenterScale, windowHeight / draw::kPresenterHeight) /
         draw::kLabelSize;
}

void Presenter::drawPanel(ViewContext& view, KeyFocus& focus, CellWalk* walk, std::string_view id, ImVec2 min,
                          ImVec2 max) {
  const Panel* const panel = findPanel(view.panels, id);
  if (panel == nullptr) return;
  const draw::PanelStand stand{.min = min, .max = max, .id = kPresentedWindow.substr(2)};
  view.draw.stand = &stand;
  const bool focused = walk != nullptr && view.app.focused() == id;
  view.walk = focused ? walk : nullptr;
  panel->draw(view);
  view.walk = nullptr;
  view.draw.stand = nullptr;
  if (!focused) return;
  walk->drawRing(view.draw);
  focus.drawRing(view, *ImGui::GetForegroundDrawList(), min, max);
}

void Presenter::draw(ViewContext& view, KeyFocus& focus, CellWalk* walk, ImVec2 size) {
  const float gap = view.px(kGap), inset = view.px(kInset);
  float top = gap;
  if (view.app.isMessageShown()) {
    const ImVec2 min{gap, gap}, max{size.x - gap, gap + view.px(kMessageHeight)};
    if (beginStrip("##message", min, max, ImGuiWindowFlags_NoFocusOnAppearing)) {
      focus.enterHere(view.app, session::kMessagePart);
      drawMessageStrip(view, min, max);
    }
    ImGui::End();
    top = max.y + gap;
  }
  const float transportTop = size.y - gap - view.px(kTransport), room = transportTop - gap - top;
  const std::string& map = view.app.presentedMap();
  // In the frame in which a key ends Present the window's mode is another one already.
  const Panel* const main = mainPanel(view.panels, session::Mode::Present);
  const std::string_view mainId = main == nullptr ? std::string_view() : std::string_view(main->id);
  const Panel* const turn = findPanel(view.panels, map);
  const ModePlace* const place = turn == nullptr ? nullptr : turn->placeIn(session::Mode::Present);
  const bool isWide = place == nullptr || !place->isNarrow;
  ImVec2 captionMin, captionMax{size.x - gap, transportTop - gap};
  HoverRoom hover{.lines = kHoverLines, .hint = false};
  if (const float most = room - gap - view.px(kMinMap); most >= view.px(kMinHero)) {
    const float share = isWide ? kHeroShareBesideText : kHeroShare;
    const float heroBottom = std::round(top + std::clamp(room * share, view.px(kMinHero), most));
    const float mapRight = std::round(size.x * (isWide ? kWideMapShare : kMapShare));
    drawPanel(view, focus, walk, mainId, {gap, top}, {size.x - gap, heroBottom});
    drawPanel(view, focus, walk, map, {gap, heroBottom + gap}, {mapRight, captionMax.y});
    captionMin = {mapRight + gap, heroBottom + gap};
  } else {  // a low window: one of the two panels, over the caption
    captionMin = {gap, captionMax.y - view.px(kCompactCaption)};
    hover = {.lines = 1, .hint = false, .yields = true};
    drawPanel(view, focus, walk, view.app.isMapInFront() ? std::string_view(map) : mainId, {gap, top},
              {size.x - gap, captionMin.y - gap});
  }
  if (beginStrip("##present caption", captionMin, captionMax)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(captionMin, captionMax, view.colours().panel, view.px(draw::kPanelRadius));
    list.AddRectFilled(captionMin, {captionMin.x + view.px(3), captionMax.y}, view.colours().result);
    drawCaption(view, {captionMin.x + inset + view.px(6), captionMin.y + view.px(6)},
                {captionMax.x - inset, captionMax.y - view.px(2)}, hover);
  }
  ImGui::End();

  const ImVec2 stripMin{gap, transportTop}, stripMax{size.x - gap, size.y - gap};
  if (beginStrip("##present transport", stripMin, stripMax)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(stripMin, stripMax, view.colours().panel, view.px(draw::kPanelRadius));
    const float keysLeft = stripMax.x - inset - view.px(kKeys);
    const float left = drawPlayButton(view, list, {stripMin.x + inset, stripMin.y + view.px(6)});
    drawScrubBar(view, list, {left + view.px(24), stripMin.y + view.px(1)},
                 {keysLeft - view.px(24), stripMax.y});
    drawKeys(view, list, {keysLeft, stripMin.y}, {stripMax.x - inset, stripMax.y});
  }
  ImGui::End();
  takeMarks(view, size);
}

// While drawing, the pointer is the presenter's alone: a window over all others takes it.
void Presenter::takeMarks(const ViewContext& view, ImVec2 size) {
  const bool isSame = run_ == view.replay.run() && at_ == view.replay.playhead() &&
                      map_ == view.app.presentedMap() && size_.x == size.x && size_.y == size.y;
  if (!isSame) strokes_.clear();
  run_ = view.replay.run();
  at_ = view.replay.playhead();
  map_ = view.app.presentedMap();
  size_ = size;
  if (!view.app.isOn(session::PresenterTool::Draw) || isCovered(view.app)) {
    drawing_ = false;
    return;
  }
  if (beginStrip(
          "##present marks", {0, 0}, size,
          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing)) {
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const HitArea area = hitArea("marks", {0, 0}, size);
    if (area.held && !drawing_) strokes_.emplace_back();
    drawing_ = area.held && !strokes_.empty();
    if (drawing_ && (strokes_.back().empty() || strokes_.back().back().x != area.pointer.x ||
                     strokes_.back().back().y != area.pointer.y))
      strokes_.back().push_back(area.pointer);
  }
  ImGui::End();
}

void Presenter::drawTools(const ViewContext& view, ImVec2 size) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const draw::Palette& colours = view.colours();
  // A darker edge on both sides: the marks are seen on orange cells, too.
  const float mark = std::max(kMark, kMark * size.y / draw::kPresenterHeight);
  const auto line = [&](const Stroke& stroke, ImU32 colour, float width) {
    if (stroke.size() == 1) list.AddCircleFilled(stroke.front(), width / 2, colour);
    list.AddPolyline(stroke.data(), int(stroke.size()), colour, 0, width);
  };
  for (const Stroke& stroke : strokes_) line(stroke, colours.ink, mark * 2);
  for (const Stroke& stroke : strokes_) line(stroke, colours.result, mark);
  if (view.app.isOn(session::PresenterTool::Draw) && ImGui::IsMousePosValid(&pointer)) {
    list.AddCircleFilled(pointer, mark, colours.ink);
    list.AddCircleFilled(pointer, mark * 0.75f, colours.result);
  }
  if (view.app.isOn(session::PresenterTool::Spotlight)) {
    const ImU32 shade = draw::withAlpha(IM_COL32_BLACK, kDimmed);
    if (!ImGui::IsMousePosValid(&pointer)) {
      list.AddRectFilled({0, 0}, size, shade);
    } else {  // a ring so thick that it covers the rest of the window
      const float radius = size.y * kSpotlight, thick = 2 * (size.x + size.y);
      list.AddCircle(pointer, radius + thick / 2, shade, 96, thick);
    }
  }
  if (view.app.isOn(session::PresenterTool::Black)) list.AddRectFilled({0, 0}, size, IM_COL32_BLACK);
}

}  // namespace stridescope::views
