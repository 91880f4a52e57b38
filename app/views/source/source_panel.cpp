#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "imgui_internal.h"
#include "views/panels.h"
#include "views/shared/cell_walk.h"
#include "views/source/kernel_editor.h"
#include "views/source/kernel_marks.h"
#include "views/source/source_painter.h"

namespace stridescope::views {
namespace {

constexpr const char* kSourceTitle = "Source";

struct SourceState {
  session::Playhead scrolledTo;  // the round whose lines were last brought into view
  const lab::Run* run = nullptr;
  float height = 0;                      // the text's: texts of another height have other lines in view
  ImVec2 room;                           // and so have other views
  int framesToSettle = 0;                // a scroll is clamped to the content of the frame before
  ImVec2 ownScroll;                      // where the panel itself scrolled to last: a person's stays
  bool settlesSideways = false;          // too, not only down
  float sideways = 0;                    // where it is scrolled to then while nothing is pinned
  float drawnAt = 0;                     // sideways, in the frame before
  std::optional<session::Hover> pinned;  // as it was when its line was last brought into view
  LinesOutside outside;                  // outside the view
  // Selected lines, in either order, counted from the preamble's first: where the press was, where it was
  // dragged to. Nothing is selected without the second.
  std::optional<int> selectedFrom, selectedTo;
  std::shared_ptr<KernelEditor> editor;  // of a person's own kernel; from the first one on
};

constexpr float kKeyCharacters = 8;  // that a key scrolls sideways

// A press on a line selects it, dragging or Shift goes on from there; a click on an access pins it, and with
// Ctrl the playhead goes to the next round that executes the line.
void takePointer(ViewContext& view, const SourceText& text, const SourcePainter& painter, SourceState& state,
                 ImVec2 room) {
  const ImVec2 min{painter.left, painter.top};
  const HitArea area =
      walkArea(view, "source lines", min, {painter.right, painter.top + std::max(room.y, text.height)},
               [&](const AddCell& add) { painter.addCells(add); });
  const ImGuiIO& io = ImGui::GetIO();
  if (area.byKey) {
    const auto site = painter.siteAt(min + area.pointer);
    if (!site) return;
    pointAt(view, area, session::Hover{session::HoverKind::Site, *site});
    // What a person walked to stays, also where the round has just changed.
    state.ownScroll.x = state.sideways = scrollToSite(text, room.x, *site, painter.scroll);
    ImGui::SetScrollX(state.ownScroll.x);
    return;
  }
  const int line = text.lineAt(area.pointer.y);
  // The margin covers what is scrolled away.
  const bool isOnText = area.hovered && io.MousePos.x >= painter.textLeft();
  const auto site = isOnText ? painter.siteAt(io.MousePos) : std::nullopt;
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
  hoverOver(view, hover);
  showValuesAt(view, std::uint32_t(hover.index), true);
}

void copyByKey(ViewContext& view, const SourceText& text, SourceState& state) {
  if (!ImGui::IsWindowFocused() || ImGui::GetIO().WantTextInput) return;
  const int last = int(text.lines.size()) - 1;
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_A)) state.selectedFrom = 0, state.selectedTo = last;
  if (ImGui::IsKeyChordPressed(ImGuiKey_Escape)) state.selectedTo.reset();
  if (state.selectedTo && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C))
    view.commands.push_back(session::CopyText{copiedLines(text, *state.selectedFrom, *state.selectedTo)});
}

// Alt with an arrow scrolls while the panel has the keyboard or was clicked last.
void scrollByKey(const ViewContext& view, const SourcePainter& painter) {
  if ((view.walk == nullptr && !ImGui::IsWindowFocused()) || ImGui::GetIO().WantTextInput) return;
  const auto pressed = [](ImGuiKey key) {
    return ImGui::IsKeyChordPressed(ImGuiMod_Alt | key, ImGuiInputFlags_Repeat, ImGuiKeyOwner_Any);
  };
  const float across = std::round(painter.glyph * kKeyCharacters), down = view.px(draw::kCodeLineHeight);
  if (pressed(ImGuiKey_RightArrow)) ImGui::SetScrollX(painter.scroll + across);
  if (pressed(ImGuiKey_LeftArrow)) ImGui::SetScrollX(std::max(0.0f, painter.scroll - across));
  if (pressed(ImGuiKey_DownArrow)) ImGui::SetScrollY(ImGui::GetScrollY() + down);
  if (pressed(ImGuiKey_UpArrow)) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - down));
}

// The site that is pointed at, if it is one.
std::optional<std::uint32_t> siteOf(const session::Replay& replay,
                                    const std::optional<session::Hover>& hover) {
  const auto& sites = replay.run()->trace.sites;
  if (!hover || hover->kind != session::HoverKind::Site || hover->index >= sites.size()) return std::nullopt;
  return std::uint32_t(hover->index);
}

// Brings the executing lines into view when there are others, or those of what is pinned. Sideways the panel
// scrolls only to what is pinned or walked to, and from there back: the beginnings of the lines stay in view.
void keepExecutingInView(const session::Replay& replay, const SourceText& text, ImVec2 room,
                         SourceState& state) {
  const bool isOtherRun = state.run != replay.run();
  if (isOtherRun) state.selectedFrom = state.selectedTo = std::nullopt;
  const auto pinned = replay.pinned() ? replay.hover() : std::nullopt;
  const auto site = siteOf(replay, pinned);
  const int line = site ? replay.run()->trace.sites[*site].line : 0;
  const ImVec2 scroll{ImGui::GetScrollX(), ImGui::GetScrollY()};
  const auto isOwn = [](float now, float own, float most) {
    return std::abs(now - std::min(own, most)) <= 1;
  };
  const bool isOutside = site && pinned != state.pinned &&
                         (scrollToLine(text, room.y, line, scroll.y) != scroll.y ||
                          scrollToSite(text, room.x, *site, scroll.x) != scroll.x);
  state.pinned = pinned;
  const bool hasMoved =
      state.height != text.height && isOwn(scroll.y, state.ownScroll.y, ImGui::GetScrollMaxY());
  const bool isOtherRound = isOtherRun || state.scrolledTo != replay.playhead();
  if (isOtherRound || isOutside) {
    const bool isPersons = !isOwn(scroll.x, state.ownScroll.x, ImGui::GetScrollMaxX());
    state.sideways = isPersons && !isOtherRun ? scroll.x : 0;
    state.settlesSideways = true;
  }
  if (isOtherRound || hasMoved || state.room.x != room.x || state.room.y != room.y || isOutside) {
    state.scrolledTo = replay.playhead();
    state.run = replay.run();
    state.room = room;
    state.framesToSettle = kFramesToSettle;
  }
  state.height = text.height;
  state.outside = executingOutside(text, scroll.y, scroll.y + room.y);
  if (state.framesToSettle == 0) return;
  --state.framesToSettle;
  if (state.settlesSideways) {
    state.ownScroll.x = site ? scrollToSite(text, room.x, *site, state.sideways) : state.sideways;
    ImGui::SetScrollX(state.ownScroll.x);
    state.settlesSideways = state.framesToSettle > 0;
  }
  if (text.executingTop < 0 && !site) return;
  state.ownScroll.y = scrollToExecuting(text, room.y);
  if (site) state.ownScroll.y = scrollToLine(text, room.y, line, state.ownScroll.y);
  ImGui::SetScrollY(state.ownScroll.y);
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

// The text as it stands in the view, and what the bars leave of that.
struct PlacedText {
  SourceText text;
  float glyph = 0, margin = 0;
  ImVec2 room;     // for the text beside the margin, pixels
  ImVec2 content;  // what is scrolled, the margin included
};

void layOut(const ViewContext& view, float scroll, PlacedText& placed) {
  placed.text =
      layOutSource(view.replay, shownThread(view.replay, view.linked),
                   sourceMeasures(view, placed.margin, std::max(1.0f, placed.room.x), scroll, placed.glyph));
}

PlacedText placeText(const ViewContext& view, ImVec2 size, float scroll) {
  PlacedText placed;
  placed.glyph = std::max(1.0f, draw::textSize(view.code(0), "m").x);
  placed.margin = sourceMargin(view, placed.glyph);
  const float margin = placed.margin, bar = ImGui::GetStyle().ScrollbarSize;
  const ImVec2 all = placed.room = {size.x - margin, size.y};
  layOut(view, scroll, placed);
  // As Dear ImGui decides which bars there are.
  bool down = placed.text.height > all.y;
  const bool across = std::ceil(placed.text.width) > all.x - (down ? bar : 0);
  down = down || (across && placed.text.height > all.y - bar);
  placed.room = {all.x - (down ? bar : 0), all.y - (across ? bar : 0)};
  if (down || across) layOut(view, scroll, placed);
  const ImVec2 room = placed.room;
  const SourceText& text = placed.text;
  placed.content = {across ? margin + std::ceil(text.width) : 1,
                    down ? greatestScroll(text, room.y) + room.y : text.height};
  return placed;
}

void drawLines(ViewContext& view, ImVec2 min, PlacedText& placed, SourceState& state) {
  if (ImGui::GetScrollX() != state.drawnAt) layOut(view, ImGui::GetScrollX(), placed);
  state.drawnAt = ImGui::GetScrollX();
  const SourceText& text = placed.text;
  const float right = min.x + placed.margin + placed.room.x, bottom = min.y + placed.room.y;
  SourcePainter painter{.view = view,
                        .list = *ImGui::GetWindowDrawList(),
                        .text = text,
                        .left = min.x,
                        .right = right,
                        .top = min.y - ImGui::GetScrollY(),
                        .margin = placed.margin,
                        .scroll = ImGui::GetScrollX(),
                        .glyph = placed.glyph,
                        .selected = {}};
  keepExecutingInView(view.replay, text, placed.room, state);
  scrollByKey(view, painter);
  takePointer(view, text, painter, state, placed.room);
  copyByKey(view, text, state);
  if (state.selectedTo) painter.selected = std::pair(std::minmax(*state.selectedFrom, *state.selectedTo));
  painter.draw(min.y, bottom);
}

void drawSource(ViewContext& view, SourceState& state) {
  const session::Replay& replay = view.replay;
  const bool edits = view.app.modeFacts().editsText && view.kernel.isOpen();
  std::string title;
  if (edits) {
    title = printable(view.kernel.name());
  } else if (replay.run()) {
    const model::Experiment& experiment = replay.run()->trace.experiment;
    title = model::isOwnKernel(experiment) ? printable(experiment.variant)
                                           : "kernels/" + experiment.variant + ".cu";
  }
  draw::Panel panel(view.draw, {.name = kSourceTitle, .note = title, .leastWidth = 300, .leastHeight = 160});
  if (panel && edits) {
    if (!state.editor) state.editor = std::make_shared<KernelEditor>();
    return state.editor->draw(view, panel.contentMin(), panel.contentMax());
  }
  if (!panel || !replay.run()) return;

  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const float noteTop = max.y - view.px(kSourceNoteHeight);
  ImGui::SetCursorScreenPos(min);
  PlacedText placed = placeText(view, {max.x - min.x, noteTop - min.y}, state.drawnAt);
  ImGui::SetNextWindowContentSize(placed.content);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::BeginChild("source text", {max.x - min.x, noteTop - min.y}, ImGuiChildFlags_None,
                                       ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  if (shown) drawLines(view, min, placed, state);
  ImGui::EndChild();

  const bool yellow = isPointedThread(replay, view.linked) && !replay.hidden() &&
                      view.draw.theme == draw::Theme::Dark && !state.selectedTo;
  view.text(panel.list(), {min.x, noteTop}, max, noteOf(view, state),
            view.words(yellow ? view.colours().hover : view.colours().dim));
}

}  // namespace

Panel sourcePanel() {
  return {.id = "source",
          .title = kSourceTitle,
          // In Predict a tab behind the questions, where there is no room for three columns.
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Right}},
                     {.mode = session::Mode::Predict,
                      .dock = {.region = shell::Region::Right},
                      .wideRegion = shell::Region::Left,
                      .order = 1},
                     {.mode = session::Mode::Compare, .role = session::PanelRole::Turn, .turn = 4},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn, .turn = 4}},
          .draw = [state = SourceState{}](ViewContext& view) mutable { drawSource(view, state); },
          .text = [](const ViewContext& view) { return kernelOutputText(view.kernel); },
          .commands = kernelEntries(),
          .gestures = {{"Scroll Source sideways", "Shift+wheel, or Alt+arrows while it has the keyboard"}}};
}

}  // namespace stridescope::views
