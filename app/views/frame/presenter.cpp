#include "views/frame/presenter.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "draw/panel.h"
#include "imgui_internal.h"
#include "views/frame/key_focus.h"
#include "views/frame/menu_bar.h"
#include "views/frame/presented_layout.h"
#include "views/shared/cell_walk.h"
#include "views/shared/panel.h"
#include "views/shared/shown_round.h"
#include "views/transport/scrub_bar.h"
#include "views/transport/transport_view.h"

namespace stridescope::views {
namespace {

constexpr float kKeys = 246, kMinBar = 100;  // units
// A projector of fewer pixels shows the same picture; below this a window is no projector's.
constexpr float kMinPresenterScale = 0.6f;
// One that is held upright has at least so many units of width, in which a map is whole.
constexpr float kMinPresentedWidth = 380;
constexpr float kSpotlight = 1.0f / 6, kDimmed = 0.65f;  // share of the height; of the light that is taken
constexpr float kMark = 6;                               // pixels at kPresenterHeight

void drawKeys(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  const float middle = (min.y + max.y) / 2, line = view.px(draw::kLabelLineHeight);
  const draw::TextStyle strong = view.semiBold(colours.text), dim = view.words(colours.dim);
  const auto fits = [&](std::string_view text) { return draw::textSize(strong, text).x <= max.x - min.x; };
  view.text(list, {min.x, middle - line}, {max.x, middle}, nextOfPresenter(view, fits), strong,
            draw::TextAlign::Right);
  const std::size_t turns = turnsIn(view.panels, session::Mode::Present).size();
  view.text(list, {min.x, middle}, {max.x, middle + line}, toolsOfPresenter(view, turns),
            view.app.isOn(session::PresenterTool::Draw) ? strong : dim, draw::TextAlign::Right);
}

// The panel that has its turn; where it has nothing to show of the round, the first that has. nullptr: none
// is there.
const Panel* turnNow(const ViewContext& view) {
  const auto fits = [&](const Panel& panel) { return !panel.hasSomething || panel.hasSomething(view); };
  const Panel* const chosen = findPanel(view.panels, view.app.presentedMap());
  if (chosen == nullptr || fits(*chosen)) return chosen;
  for (const Panel* const other : turnsIn(view.panels, session::Mode::Present))
    if (fits(*other)) return other;
  return chosen;
}

}  // namespace

float presenterScale(ImVec2 window) {
  const float byHeight = draw::kPresenterTextSize *
                         std::max(kMinPresenterScale, window.y / draw::kPresenterHeight) / draw::kLabelSize;
  return window.x > 0 ? std::min(byHeight, window.x / kMinPresentedWidth) : byHeight;
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

float Presenter::draw(ViewContext& view, KeyFocus& focus, CellWalk* walk, float left, ImVec2 size) {
  const float gap = view.px(kPresenterGap), inset = view.px(kPresenterInset);
  PresentedState now{.hasMessage = view.app.isMessageShown(),
                     .isSwapped = view.app.isOn(session::PresenterTool::LargeMap)};
  if (now.hasMessage) {
    const ImVec2 min{left + gap, gap}, max{size.x - gap, gap + view.px(kMessageHeight)};
    if (beginStrip("##message", min, max, ImGuiWindowFlags_NoFocusOnAppearing)) {
      focus.enterHere(view.app, session::kMessagePart);
      drawMessageStrip(view, min, max);
    }
    ImGui::End();
  }
  const Panel* const turn = turnNow(view);
  const std::string map = turn == nullptr ? view.app.presentedMap() : turn->id;
  // In the frame in which a key ends Present the window's mode is another one already.
  const Panel* const main = mainPanel(view.panels, session::Mode::Present);
  const std::string_view mainId = main == nullptr ? std::string_view() : std::string_view(main->id);
  const ModePlace* const place = turn == nullptr ? nullptr : turn->placeIn(session::Mode::Present);
  now.isNarrow = place != nullptr && place->isNarrow;
  const std::string_view large = now.isSwapped ? std::string_view(map) : mainId;
  const std::string_view small = now.isSwapped ? mainId : std::string_view(map);

  const PresentedLayout layout = layoutFor(view, left, size, now);
  std::vector<ImVec2> rooms, aboveFoot;
  for (unsigned number = 0; number < kPresentedStates; ++number) {
    const PresentedState state = presentedState(number);
    const PresentedLayout other = layoutFor(view, 0, size, state);
    const ImVec2 text{other.textMax.x - other.textMin.x, other.textMax.y - other.textMin.y};
    rooms.push_back(text);
    if (!state.hasMessage && !state.isSwapped)
      aboveFoot.push_back({text.x, text.y - view.px(kHoverLineHeight * float(other.hoverLines()))});
  }
  captionSize_.lieIn(std::move(rooms), aboveFoot);
  if (view.draw.isPicture) captionSize_.findAtOnce();
  if (!layout.hasOnePanel) {
    drawPanel(view, focus, walk, large, layout.largeMin, layout.largeMax);
    drawPanel(view, focus, walk, small, layout.smallMin, layout.smallMax);
  } else {
    const bool isSmallInFront = view.app.isMapInFront() && !now.isSwapped;
    drawPanel(view, focus, walk, isSmallInFront ? small : large, layout.largeMin, layout.largeMax);
  }
  if (beginStrip("##present caption", layout.captionMin, layout.captionMax, ImGuiWindowFlags_NoBackground)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min = layout.captionMin, max = layout.captionMax;
    list.AddRectFilled(min, max, view.colours().panel, view.px(draw::kPanelRadius));
    list.AddRectFilled(min, {min.x + view.px(3), max.y}, view.colours().result);
    drawCaption(view, layout.textMin, layout.textMax,
                {.hoverLines = layout.hoverLines(), .steady = &captionSize_});
  }
  ImGui::End();

  const float transportTop = layout.captionMax.y + gap;
  const ImVec2 stripMin{gap, transportTop}, stripMax{size.x - gap, size.y - gap};
  if (beginStrip("##present transport", stripMin, stripMax, ImGuiWindowFlags_NoBackground)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(stripMin, stripMax, view.colours().panel, view.px(draw::kPanelRadius));
    const float between = view.px(24);  // for the bar's labels, which go beyond its ends
    const float barLeft = drawPlayButton(view, list, {stripMin.x + inset, stripMin.y + view.px(6)}) + between;
    const float right = stripMax.x - inset, keysLeft = hasTools_ ? right - view.px(kKeys) : 0;
    // Nobody presses keys at a picture, and in a narrow window the bar may need their room.
    const bool showsKeys = !view.draw.isPicture && keysLeft - between - barLeft >= view.px(kMinBar);
    drawScrubBar(view, list, {barLeft, stripMin.y + view.px(1)},
                 {(showsKeys ? keysLeft : right) - between, stripMax.y});
    if (showsKeys) drawKeys(view, list, {keysLeft, stripMin.y}, {right, stripMax.y});
  }
  ImGui::End();
  // Over the transport: what the audience looks at stays uncovered.
  drawRemark(view, {stripMin.x, stripMax.y}, stripMax.x - stripMin.x, stripMax.y - stripMin.y);
  takeMarks(view, left, size);
  return layout.isLow ? layout.largeMax.y : layout.captionMax.y;
}

// While drawing, the pointer is the presenter's alone: a window over all others takes it.
void Presenter::takeMarks(const ViewContext& view, float left, ImVec2 size) {
  const DrawnOn now{.run = view.replay.run(),
                    .at = view.replay.playhead(),
                    .map = view.app.presentedMap(),
                    .isLarge = view.app.isOn(session::PresenterTool::LargeMap),
                    .left = left,
                    .width = size.x,
                    .height = size.y};
  if (std::exchange(drawnOn_, now) != now) strokes_.clear();
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
  if (view.app.isOn(session::PresenterTool::Black)) return list.AddRectFilled({0, 0}, size, IM_COL32_BLACK);
  if (isCovered(view.app)) return;  // what lies over the panels lies over the marks, too
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const draw::Palette& colours = view.colours();
  // The colours of text and of its ground, the one inside the other: the marks are seen on whatever they
  // cross, orange cells among them.
  const float mark = std::max(kMark, kMark * size.y / draw::kPresenterHeight);
  const auto line = [&](const Stroke& stroke, ImU32 colour, float width) {
    if (stroke.size() == 1) list.AddCircleFilled(stroke.front(), width / 2, colour);
    list.AddPolyline(stroke.data(), int(stroke.size()), colour, 0, width);
  };
  for (const Stroke& stroke : strokes_) line(stroke, colours.panel, mark * 2);
  for (const Stroke& stroke : strokes_) line(stroke, colours.text, mark);
  if (view.app.isOn(session::PresenterTool::Draw) && ImGui::IsMousePosValid(&pointer)) {
    list.AddCircleFilled(pointer, mark, colours.panel);
    list.AddCircleFilled(pointer, mark * 0.75f, colours.text);
  }
  if (!view.app.isOn(session::PresenterTool::Spotlight)) return;
  const ImU32 shade = draw::withAlpha(IM_COL32_BLACK, kDimmed);
  if (!ImGui::IsMousePosValid(&pointer)) return list.AddRectFilled({0, 0}, size, shade);
  // A ring so thick that it covers the rest of the window.
  const float radius = size.y * kSpotlight, thick = 2 * (size.x + size.y);
  list.AddCircle(pointer, radius + thick / 2, shade, 96, thick);
}

namespace {

using session::Command;
using session::Parts;
using session::PresenterTool;

const session::TourStop* neighbourStop(const session::AppState& app, int direction) {
  if (!app.tour()) return nullptr;
  const auto& stops = app.tour()->stops;
  const std::size_t stop = app.tourStop();
  if (direction > 0) return stop + 1 < stops.size() ? &stops[stop + 1] : nullptr;
  return stop > 0 ? &stops[stop - 1] : nullptr;
}

bool isAtEnd(const Parts& parts, int direction) {
  return direction > 0 ? parts.replay.atLast() : parts.replay.atFirst();
}

// A black screen gives way first, so that nothing is stepped over unseen. Beyond the last round the tour goes
// on.
Command stepOf(const Parts& parts, int direction) {
  if (parts.app.isOn(PresenterTool::Black)) return session::UseTool{PresenterTool::Black};
  if (isAtEnd(parts, direction)) return session::StepStop{direction};
  if (direction > 0) return session::StepForward{};
  return session::StepBack{};
}

CommandEntry stepEntry(const char* name, int direction, ImGuiKeyChord keys, ImGuiKeyChord otherKeys) {
  return {.menu = "Present",
          .name = name,
          .also = "remote",
          .keys = keys,
          .otherKeys = otherKeys,
          .make = [direction](const Parts& parts) { return stepOf(parts, direction); },
          .enabled =
              [direction](const Parts& parts) {
                return parts.app.isOn(PresenterTool::Black) || !isAtEnd(parts, direction) ||
                       neighbourStop(parts.app, direction) != nullptr;
              },
          .repeats = true,
          .mode = session::Mode::Present};
}

CommandEntry toolEntry(const char* name, PresenterTool tool, ImGuiKeyChord keys,
                       const char32_t* characters = nullptr) {
  return {.menu = "Present",
          .group = 1,
          .name = name,
          .also = "present",
          .keys = keys,
          .characters = characters,
          .make = [tool](const Parts&) -> Command { return session::UseTool{tool}; },
          .checked = [tool](const Parts& parts) { return parts.app.isOn(tool); },
          .mode = session::Mode::Present};
}

// What lies over the panels or is read beside them first, then a black screen, drawing, and a panel's
// keyboard; then Present ends.
Command escapeOf(const Parts& parts) {
  const session::AppState& app = parts.app;
  if (isCovered(app)) return session::ShowOverlay{app.overlay()};
  if (app.seenText() != session::Overlay::None) return session::ShowOverlay{app.seenText()};
  for (const PresenterTool tool : {PresenterTool::Black, PresenterTool::Draw})
    if (app.isOn(tool)) return session::UseTool{tool};
  if (!app.focused().empty()) return session::FocusPart{};
  return session::EnterMode{session::Mode::Present};
}

// `beside`: the id of the panel that it stands beside. Requires that its turn is 1 to 9.
CommandEntry mapEntry(const Panel& panel, std::size_t turn, const std::string& beside) {
  static constexpr std::array kDigits{U"1", U"2", U"3", U"4", U"5", U"6", U"7", U"8", U"9"};
  return {.menu = "Present",
          .group = 2,
          .name = panel.title + " beside the caption",
          .also = "map swap present",
          .keys = ImGuiKeyChord(ImGuiKey_0 + int(turn)),
          .characters = kDigits[turn - 1],  // where a layout has digits with Shift
          // Again: back to the main panel, where there is room for one panel alone.
          .make = [id = panel.id, beside](const Parts& parts) -> Command {
            const bool isThere = parts.app.presentedMap() == id && parts.app.isMapInFront();
            return session::ShowPanel{isThere ? beside : id};
          },
          .checked = [id = panel.id](const Parts& parts) { return parts.app.presentedMap() == id; },
          .mode = session::Mode::Present};
}

}  // namespace

std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels) {
  std::vector<CommandEntry> entries{
      stepEntry("Next round, or the next stop of the tour", +1, ImGuiKey_PageDown, ImGuiKey_RightArrow),
      stepEntry("Previous round, or the previous stop", -1, ImGuiKey_PageUp, ImGuiKey_LeftArrow),
      toolEntry("Black screen", PresenterTool::Black, ImGuiKey_B, U"."),  // which many remotes send
      toolEntry("Spotlight", PresenterTool::Spotlight, ImGuiKey_L),
      toolEntry("Draw with the pointer", PresenterTool::Draw, ImGuiKey_D),
      toolEntry("Large map", PresenterTool::LargeMap, ImGuiKey_M),
      {.menu = "Present",
       .group = 3,
       .name = "End Present",
       .keys = ImGuiKey_Escape,
       .make = escapeOf,
       .enabled = [](const session::Parts& parts) { return !parts.app.escapeRests(); },
       .mode = session::Mode::Present}};
  const Panel* const main = mainPanel(panels, session::Mode::Present);
  for (const Panel* const panel : turnsIn(panels, session::Mode::Present))
    entries.push_back(mapEntry(*panel, panel->placeIn(session::Mode::Present)->turn,
                               main == nullptr ? std::string() : main->id));
  return entries;
}

std::string toolsOfPresenter(const session::Parts& parts, std::size_t turns) {
  if (parts.app.isOn(PresenterTool::Draw)) return "Drawing: D or Esc ends it";
  return "B black  L light  D draw  M map  1-" + std::to_string(turns) + "  Esc";
}

std::string nextOfPresenter(const session::Parts& parts, const std::function<bool(std::string_view)>& fits) {
  const session::Replay& replay = parts.replay;
  if (parts.app.isOn(PresenterTool::Black)) return "Page Down: the picture";
  if (!replay.run()) return {};
  if (!replay.atLast()) {
    const session::Playhead at = replay.playhead();
    const auto& launches = replay.run()->analysis.launches;
    session::Playhead next{at.launch, at.round + 1};
    while (next.launch < launches.size() && next.round >= launches[next.launch].rounds.size())
      next = {next.launch + 1, 0};
    if (next.launch >= launches.size()) return "Page Down: the last pass";
    const narration::RoundAt round = roundAt(replay, next.launch, next.round);
    const bool isStride = launches[next.launch].rounds[next.round].stride.has_value() &&
                          narration::tickOf(round).find_first_not_of("0123456789") == std::string::npos;
    const bool isExchange = launches[next.launch].rounds[next.round].kind == analysis::RoundKind::Exchange;
    return std::string("Page Down: ") +
           (!isStride    ? ""
            : isExchange ? "shuffle "
                         : "stride ") +
           narration::tickOf(round) +
           (next.launch != at.launch ? " of launch " + std::to_string(next.launch) : "");
  }
  const session::TourStop* const stop = neighbourStop(parts.app, +1);
  if (stop == nullptr) return "The last round";
  std::string text = "Page Down: " + stop->title;
  return fits(text) ? text : "Page Down: the next stop";
}

}  // namespace stridescope::views
