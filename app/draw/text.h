// Text on an ImDrawList: aligned, shortened with an ellipsis, wrapped; and logged when somebody measures it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/draw_context.h"
#include "imgui.h"

namespace stridescope::draw {

struct TextStyle {
  ImFont* font = nullptr;
  float sizePx = 0;  // the em
  ImU32 colour = 0;
};

// Styles of the window's faces; `size` in units (draw_context.h).
TextStyle wordsStyle(const DrawContext& context, float size, ImU32 colour);
TextStyle semiBoldStyle(const DrawContext& context, float size, ImU32 colour);
TextStyle boldStyle(const DrawContext& context, float size, ImU32 colour);
TextStyle codeStyle(const DrawContext& context, float size, ImU32 colour);
TextStyle codeBoldStyle(const DrawContext& context, float size, ImU32 colour);

enum class TextAlign { Left, Centre, Right };

struct DrawnText {
  ImVec2 min, max;         // what the text covers: its advance wide, its em high
  bool shortened = false;  // an ellipsis stands for the end of it
};

// The advance of one line, and its em.
ImVec2 textSize(const TextStyle& style, std::string_view text);

// One line inside [min, max]: aligned across, figures and capitals in the middle of its height. What does not
// fit is cut before the last character that fits together with an ellipsis; nothing is drawn where not even
// the ellipsis fits.
DrawnText drawText(DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, std::string_view text,
                   const TextStyle& style, TextAlign align = TextAlign::Left);

// One line from `topLeft`, as long as it is.
DrawnText drawTextAt(DrawContext& context, ImDrawList& list, ImVec2 topLeft, std::string_view text,
                     const TextStyle& style);

// Lines broken between words to fit `widthPx`, `lineHeightPx` from one to the next; at most `mostLines`, the
// last of which ends in an ellipsis if text is left over. Returns what they cover: max.y is where the next
// paragraph may start.
DrawnText drawWrapped(DrawContext& context, ImDrawList& list, ImVec2 topLeft, float widthPx,
                      float lineHeightPx, std::string_view text, const TextStyle& style,
                      int mostLines = 1000);

// How many lines drawWrapped needs; at least 1.
int wrappedLineCount(const TextStyle& style, std::string_view text, float widthPx);

// The lines themselves, in order: views into `text`.
std::vector<std::string_view> wrappedLines(const TextStyle& style, std::string_view text, float widthPx);

// Every text that the functions above drew in a frame, so that a test can look for overlaps and for cut
// letters.
class TextLog {
 public:
  struct Entry {
    std::string text;         // as drawn, with the ellipsis if it was shortened
    ImVec2 min, max;          // what it covers
    ImVec2 clipMin, clipMax;  // what was visible of the draw list
    std::string window;       // the Dear ImGui window that was being drawn
    bool shortened = false;
    ImU32 colour = 0;
  };

  void beginFrame() { entries_.clear(); }
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace stridescope::draw
