#include "views/source/source_panel.h"

#include <algorithm>

#include "base/plain_text.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "views/shared/cell_walk.h"
#include "views/source/source_painter.h"

namespace stridescope::views {
namespace {

constexpr const char* kTitle = "Source";

struct SourceState {
  session::Playhead scrolledTo;  // the round whose lines were last brought into view
  const session::Run* run = nullptr;
  float height = 0, room = 0;            // of the text and of the view: other ones have other lines in view
  int framesToSettle = 0;                // a scroll is clamped to the content of the frame before
  std::optional<session::Hover> pinned;  // as it was when its line was last brought into view
  LinesOutside outside;                  // of the view
  // Selected lines, in either order, counted from the preamble's first: where the press was, where it was
  // dragged to. Nothing is selected without the second.
  std::optional<int> selectedFrom, selectedTo;
};

constexpr float kAnnotationHeight = 22, kNoteHeight = 24, kBetween = 6;
constexpr int kFramesToSettle = 3;
constexpr std::size_t kMaxValues = 8;

// The values that the threads found or left at what is pointed at.
void showValues(const ViewContext& view, std::uint32_t site) {
  const auto values = valuesAtSite(view.replay, site, kMaxValues);
  if (values.empty()) return;
  const Tooltip tooltip(view);
  if (!tooltip) return;
  ImGui::PushFont(view.draw.fonts.code, 0);
  ImGui::TextUnformatted(printable(view.replay.run()->trace.sites[site].text, Lines::Many).c_str());
  ImGui::Separator();
  for (const std::string& line : values) ImGui::TextUnformatted(line.c_str());
  ImGui::PopFont();
}

// A press on a line selects it, dragging or Shift goes on from there; a click on an access pins it, and with
// Ctrl the playhead goes to the next round that executes the line.
void takePointer(ViewContext& view, const SourceText& text, const SourcePainter& painter, SourceState& state,
                 float height) {
  const ImVec2 min{painter.left, painter.top};
  const HitArea area =
      walkArea(view, "source lines", min, {painter.right, painter.top + std::max(height, text.height)},
               [&](const AddCell& add) { painter.addCells(add); });
  const ImGuiIO& io = ImGui::GetIO();
  if (area.byKey) {
    if (const auto site = painter.siteAt(min + area.pointer))
      pointAt(view, area, session::Hover{session::HoverKind::Site, *site});
    return;
  }
  const int line = text.lineAt(area.pointer.y);
  const auto site = area.hovered ? painter.siteAt(io.MousePos) : std::nullopt;
  const session::Hover hover{session::HoverKind::Site, site.value_or(0)};
  if (ImGui::IsItemActivated() && io.KeyCtrl) {
    if (const auto next = nextRoundOf(view.replay, text.numberOf(line)))
      view.commands.push_back(session::GoToRound{next->launch, next->round});
  } else if (ImGui::IsItemActivated()) {
    if (!io.KeyShift || !state.selectedFrom) state.selectedFrom = line;
    state.selectedTo = site && !io.KeyShift ? std::nullopt : std::optional(line);
    if (site) view.commands.push_back(session::Pin{hover});
  } else if (ImGui::IsItemActive() && !io.KeyCtrl && state.selectedFrom) {
    if (state.selectedTo || line != *state.selectedFrom) state.selectedTo = line;
  }
  if (!site || ImGui::IsItemActive()) return;
  if (view.replay.hover() != hover) view.commands.push_back(session::PointAt{hover});
  showValues(view, std::uint32_t(hover.index));
}

void copyByKey(ViewContext& view, const SourceText& text, SourceState& state) {
  if (!ImGui::IsWindowFocused() || ImGui::GetIO().WantTextInput) return;
  const int last = int(text.lines.size()) - 1;
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_A)) state.selectedFrom = 0, state.selectedTo = last;
  if (ImGui::IsKeyChordPressed(ImGuiKey_Escape)) state.selectedTo.reset();
  if (state.selectedTo && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C))
    view.commands.push_back(session::CopyText{copiedLines(text, *state.selectedFrom, *state.selectedTo)});
}

// Of an access that is pointed at.
std::optional<int> lineOf(const session::Replay& replay, const std::optional<session::Hover>& hover) {
  const auto& sites = replay.run()->trace.sites;
  if (!hover || hover->kind != session::HoverKind::Site || hover->index >= sites.size()) return std::nullopt;
  return sites[hover->index].line;
}

// And the line that is pinned.
void keepExecutingInView(const session::Replay& replay, const SourceText& text, float room,
                         SourceState& state) {
  if (state.run != replay.run()) state.selectedFrom = state.selectedTo = std::nullopt;
  const auto pinned = replay.pinned() ? replay.hover() : std::nullopt;
  const auto line = lineOf(replay, pinned);
  const float scroll = ImGui::GetScrollY();
  const bool isLineOutside =
      line && pinned != state.pinned && scrollToLine(text, room, *line, scroll) != scroll;
  state.pinned = pinned;
  if (state.run != replay.run() || state.scrolledTo != replay.playhead() || state.height != text.height ||
      state.room != room || isLineOutside) {
    state.scrolledTo = replay.playhead();
    state.run = replay.run();
    state.height = text.height;
    state.room = room;
    state.framesToSettle = kFramesToSettle;
  }
  state.outside = executingOutside(text, ImGui::GetScrollY(), ImGui::GetScrollY() + room);
  if ((text.executingTop < 0 && !line) || state.framesToSettle == 0) return;
  --state.framesToSettle;
  const float executing = scrollToExecuting(text, room);
  ImGui::SetScrollY(line ? scrollToLine(text, room, *line, executing) : executing);
}

// "3 executing lines above".
std::string outsideText(const LinesOutside& outside) {
  const auto text = [](int lines, const char* where) {
    return std::to_string(lines) + (lines == 1 ? " executing line " : " executing lines ") + where;
  };
  if (outside.above > 0 && outside.below > 0)
    return text(outside.above, "above, ") + std::to_string(outside.below) + " below";
  if (outside.above > 0) return text(outside.above, "above");
  return outside.below > 0 ? text(outside.below, "below") : std::string();
}

std::string noteOf(const ViewContext& view, const SourceState& state) {
  const std::string whose = shownThreadNote(view.replay, view.linked);
  const std::string outside = outsideText(state.outside);
  if (!state.selectedTo) return outside.empty() ? whose : outside + " · " + whose;
  const int lines = std::abs(*state.selectedTo - *state.selectedFrom) + 1;
  return std::to_string(lines) + (lines == 1 ? " line" : " lines") + " selected: Ctrl+C copies";
}

void drawLines(ViewContext& view, ImVec2 min, ImVec2 max, SourceState& state) {
  const session::Replay& replay = view.replay;
  const float glyph = draw::textSize(draw::codeStyle(view.draw, draw::kLabelSize, 0), "m").x;
  const auto layOut = [&](float right) {
    return layOutSource(replay, shownThread(replay, view.linked),
                        {.columns = columnsThatFit(view, right - min.x, glyph),
                         .lineHeight = view.px(draw::kCodeLineHeight),
                         .annotationHeight = view.px(kAnnotationHeight),
                         .between = view.px(kBetween)});
  };
  float right = max.x;
  SourceText text = layOut(right);
  if (text.height > max.y - min.y) {  // it scrolls
    right -= ImGui::GetStyle().ScrollbarSize;
    text = layOut(right);
  }
  SourcePainter painter{.view = view,
                        .list = *ImGui::GetWindowDrawList(),
                        .text = text,
                        .left = min.x,
                        .right = right,
                        .top = ImGui::GetCursorScreenPos().y,
                        .glyph = glyph,
                        .selected = {}};
  keepExecutingInView(replay, text, max.y - min.y, state);
  takePointer(view, text, painter, state, max.y - min.y);
  copyByKey(view, text, state);
  if (state.selectedTo) painter.selected = std::pair(std::minmax(*state.selectedFrom, *state.selectedTo));
  painter.draw(min.y, max.y);
  ImGui::SetCursorScreenPos({min.x, painter.top});
  const float room = max.y - min.y;
  ImGui::Dummy({1, text.height > room ? greatestScroll(text, room) + room : text.height});
}

void drawSource(ViewContext& view, SourceState& state) {
  const session::Replay& replay = view.replay;
  std::string title;
  if (replay.run()) title = "kernels/" + replay.run()->trace.experiment.variant + ".cu";
  draw::Panel panel(view.draw, {.name = kTitle, .note = title, .leastWidth = 300, .leastHeight = 160});
  if (!panel || !replay.run()) return;

  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const float noteTop = max.y - view.px(kNoteHeight);
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::BeginChild("source text", {max.x - min.x, noteTop - min.y});
  ImGui::PopStyleVar();
  if (shown) drawLines(view, min, {max.x, noteTop}, state);
  ImGui::EndChild();

  const bool yellow = isPointedThread(replay, view.linked) && !replay.hidden() &&
                      view.draw.theme == draw::Theme::Dark && !state.selectedTo;
  draw::drawText(
      view.draw, panel.list(), {min.x, noteTop}, max, noteOf(view, state),
      draw::wordsStyle(view.draw, draw::kLabelSize, yellow ? view.colours().hover : view.colours().dim));
}

}  // namespace

Panel sourcePanel() {
  return {.id = "source",
          .title = kTitle,
          .place = {.region = shell::Region::Right},
          .draw = [state = SourceState{}](ViewContext& view) mutable { drawSource(view, state); }};
}

}  // namespace stridescope::views
