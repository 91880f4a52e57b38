#include "views/source_view.h"

#include <cmath>

#include "draw/marks.h"
#include "draw/panel.h"
#include "views/source_lines.h"

namespace stridescope {
namespace {

constexpr float kGutter = 22, kGap = 8, kAnnotationHeight = 22, kNoteHeight = 24, kEdge = 3;
constexpr int kFramesToSettle = 3;

struct SourcePainter {
  ViewContext& view;
  ImDrawList& list;
  float left = 0, right = 0;  // of the panel's content
  float y = 0;
  float glyph = 0;     // one character's advance
  float scrolled = 0;  // the text's way to the left; the numbers in the gutter stay

  float textLeft() const { return left + view.px(kGutter + kGap); }
  float xOf(int column) const { return std::round(textLeft() - scrolled + glyph * float(column - 1)); }
  void clipToText() const { list.PushClipRect({textLeft(), y - 1e4f}, {right, y + 1e4f}, true); }

  void code(const std::string& text, int number, bool strong, bool dim) {
    const Palette& colours = view.colours();
    const float height = view.px(kCodeLineHeight);
    const auto comment = text.find("//");
    const std::string head = text.substr(0, comment);
    const float top = y + (height - view.px(kLabelSize)) / 2;
    if (number > 0) {
      const TextStyle style = strong ? codeBoldStyle(view.draw, kLabelSize, colours.text)
                                     : codeStyle(view.draw, kLabelSize, colours.dim);
      const std::string figures = std::to_string(number);
      drawTextAt(view.draw, list, {left + view.px(kGutter) - textSize(style, figures).x, top}, figures,
                 style);
    }
    clipToText();
    if (!head.empty())
      drawTextAt(view.draw, list, {xOf(1), top}, head,
                 codeStyle(view.draw, kLabelSize, dim ? colours.dim : colours.text));
    if (comment != std::string::npos)
      drawTextAt(view.draw, list, {xOf(int(comment) + 1), top}, text.substr(comment),
                 codeStyle(view.draw, kLabelSize, colours.dim));
    list.PopClipRect();
  }

  // After the line: how many threads the branch let through; shorter, or not at all, where there is no room.
  void branchNote(const SourceLine& line, const std::string& text) {
    if (line.branchTrue == line.branchAll) return;
    const TextStyle style = semiBoldStyle(view.draw, kLabelSize, accent());
    const std::string part = std::to_string(line.branchTrue), all = std::to_string(line.branchAll);
    const ImVec2 at{xOf(int(text.size()) + 3), y + (view.px(kCodeLineHeight) - view.px(kLabelSize)) / 2};
    for (const std::string& note : {"true in " + part + " of " + all + " threads", part + "/" + all})
      if (at.x + textSize(style, note).x <= right) {
        drawTextAt(view.draw, list, at, note, style);
        return;
      }
  }

  // Orange words: in the light theme orange is too pale for text.
  ImU32 accent() const {
    return view.draw.theme == Theme::Dark ? view.colours().result : view.colours().text;
  }

  // Brackets under the accesses and the thread's values under them, pushed apart where they would touch.
  void annotations(const SourceLine& line) {
    const Palette& colours = view.colours();
    float taken = -1e9f;
    if (line.way > 1) {
      const std::string way = std::to_string(line.way) + "-way";
      const DrawnText drawn = drawTextAt(view.draw, list, {left + view.px(8), y + view.px(8)}, way,
                                         semiBoldStyle(view.draw, kLabelSize, accent()));
      taken = drawn.max.x + view.px(8);
    }
    clipToText();
    for (const SourceAccess& access : line.accesses) {
      const float from = xOf(access.column), to = xOf(access.column + access.length);
      drawBracket(view.draw, list, from, to, y + view.px(6),
                  access.writes ? colours.result : colours.operand);
      if (access.value.empty()) continue;
      const std::string text = access.writes ? "becomes " + access.value : access.value;
      const bool yellow = view.session.hoveredThread() && view.draw.theme == Theme::Dark;
      const TextStyle style = codeBoldStyle(view.draw, kLabelSize, yellow ? colours.hover : colours.text);
      const float width = textSize(style, text).x;
      const float x = std::min(std::max(taken, std::round((from + to - width) / 2)), right - width);
      taken = x + width + view.px(10);
      drawTextAt(view.draw, list, {x, y + view.px(8)}, text, style);
    }
    list.PopClipRect();
  }
};

}  // namespace

void drawSource(ViewContext& view, SourceState& state) {
  const Session& session = view.session;
  std::string note;
  if (session.run()) note = "kernels/" + session.run()->trace.experiment.variant + ".cu";
  Panel panel(view.draw, {.name = kSourcePanel, .note = note, .leastWidth = 300, .leastHeight = 160});
  if (!panel || !session.run()) return;
  const Trace& trace = session.run()->trace;
  const Palette& colours = view.colours();
  const unsigned thread = shownThread(session);
  const auto executing = executingLines(session, thread);

  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const float noteTop = max.y - view.px(kNoteHeight);
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::BeginChild("source text", {max.x - min.x, noteTop - min.y}, ImGuiChildFlags_None,
                                       ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  if (shown) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    SourcePainter painter{.view = view,
                          .list = list,
                          .left = min.x,
                          .right = max.x,
                          .y = origin.y,
                          .glyph = textSize(codeStyle(view.draw, kLabelSize, 0), "m").x,
                          .scrolled = min.x - origin.x};
    const float line = view.px(kCodeLineHeight);

    const auto preamble = splitLines(trace.preamble);
    list.AddRectFilled({min.x, painter.y}, {painter.right, painter.y + line * float(preamble.size())},
                       colours.window);
    for (const std::string& text : preamble) {
      painter.code(text, 0, false, true);
      painter.y += line;
    }
    painter.y += view.px(6);

    float executingTop = -1, executingBottom = -1, accessesEnd = 0;
    std::size_t widest = 0;
    const auto lines = splitLines(trace.kernelText);
    for (int number = 1; number <= int(lines.size()); ++number) {
      const std::string& text = lines[std::size_t(number) - 1];
      widest = std::max(widest, text.size());
      const auto found = executing.find(number);
      const bool runs = found != executing.end();
      const float height = line + (runs && !found->second.accesses.empty() ? view.px(kAnnotationHeight) : 0);
      if (runs) {
        if (executingTop < 0) executingTop = painter.y;
        executingBottom = painter.y + height;
        for (const SourceAccess& access : found->second.accesses)
          accessesEnd = std::max(accessesEnd, painter.xOf(access.column + access.length) + painter.scrolled);
        list.AddRectFilled({min.x, painter.y}, {painter.right, painter.y + height}, colours.raised);
        list.AddRectFilled({min.x, painter.y}, {min.x + view.px(kEdge), painter.y + height}, colours.result);
        painter.branchNote(found->second, text);
      }
      painter.code(text, number, runs, false);
      painter.y += line;
      if (height > line) {
        painter.annotations(found->second);
        painter.y += height - line;
      }
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({painter.textLeft() - painter.left + painter.glyph * float(widest), painter.y - origin.y});
    // The executing lines stay in the middle third.
    if (state.run != session.run() || state.scrolledTo != session.playhead())
      state = {session.playhead(), session.run(), kFramesToSettle};
    if (executingTop >= 0 && state.framesToSettle > 0) {
      --state.framesToSettle;
      const float middle = (executingTop + executingBottom) / 2 - origin.y;
      const float room = noteTop - min.y;
      if (painter.y - origin.y > room) ImGui::SetScrollY(std::max(0.0f, middle - room / 2));
      // So are the accesses' ends, where the panel is narrower than the text.
      ImGui::SetScrollX(std::max(0.0f, accessesEnd + view.px(8) - painter.right));
    }
  }
  ImGui::EndChild();

  const bool hovered = session.hoveredThread().has_value();
  const std::string text =
      "values of thread " + std::to_string(thread) + (hovered ? "" : ", the lowest active one");
  const ImU32 colour = hovered && view.draw.theme == Theme::Dark ? colours.hover : colours.dim;
  drawText(view.draw, panel.list(), {min.x, noteTop}, max, text, wordsStyle(view.draw, kLabelSize, colour));
}

}  // namespace stridescope
