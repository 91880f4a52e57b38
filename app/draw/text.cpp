#include "draw/text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "imgui_internal.h"

namespace stridescope::draw {
namespace {

// Pixels. An advance is a sum of fractions, and a box may have been made to measure.
constexpr float kRoundingSlack = 0.5f;

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

TextStyle styled(const DrawContext& context, ImFont* font, float size, ImU32 colour) {
  return {font, std::round(size * context.scale), colour};
}

float advance(const TextStyle& style, std::string_view text) {
  if (text.empty()) return 0;
  return style.font->CalcTextSizeA(style.sizePx, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
}

// From the top of a line to the middle of its figures, so that a number sits in the middle of its cell.
float middleOfFigures(const TextStyle& style) {
  const ImFontGlyph* zero = style.font->GetFontBaked(style.sizePx)->FindGlyphNoFallback('0');
  return zero == nullptr ? style.sizePx / 2 : (zero->Y0 + zero->Y1) / 2;
}

void logText(DrawContext& context, const ImDrawList& list, std::string_view text, const DrawnText& drawn,
             ImU32 colour) {
  if (context.textLog == nullptr || text.empty()) return;
  const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
  context.textLog->add({std::string(text), drawn.min, drawn.max, list.GetClipRectMin(), list.GetClipRectMax(),
                        window == nullptr ? std::string() : std::string(window->Name), drawn.shortened,
                        colour});
}

DrawnText put(DrawContext& context, ImDrawList& list, ImVec2 topLeft, std::string_view text,
              const TextStyle& style, bool shortened) {
  const ImVec2 at(std::round(topLeft.x), std::round(topLeft.y));
  const DrawnText drawn{at, {at.x + advance(style, text), at.y + style.sizePx}, shortened};
  if (text.empty()) return drawn;
  list.AddText(style.font, style.sizePx, at, style.colour, text.data(), text.data() + text.size());
  logText(context, list, text, drawn, style.colour);
  return drawn;
}

bool startsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// The longest beginning of `text` that fits with an ellipsis after it; empty if not even the ellipsis fits.
std::string shortenedTo(const TextStyle& style, std::string_view text, float widthPx) {
  if (advance(style, kEllipsis) > widthPx) return {};
  const char* cut = nullptr;
  const float room = widthPx - advance(style, kEllipsis) + kRoundingSlack;
  style.font->CalcTextSizeA(style.sizePx, room, 0.0f, text.data(), text.data() + text.size(), &cut);
  std::size_t kept = cut == nullptr ? 0 : static_cast<std::size_t>(cut - text.data());
  while (kept > 0 && kept < text.size() && !startsCharacter(text[kept])) --kept;
  while (kept > 0 && text[kept - 1] == ' ') --kept;
  return std::string(text.substr(0, kept)).append(kEllipsis);
}

}  // namespace

TextStyle wordsStyle(const DrawContext& context, float size, ImU32 colour) {
  return styled(context, context.fonts.words, size, colour);
}
TextStyle semiBoldStyle(const DrawContext& context, float size, ImU32 colour) {
  return styled(context, context.fonts.wordsSemiBold, size, colour);
}
TextStyle boldStyle(const DrawContext& context, float size, ImU32 colour) {
  return styled(context, context.fonts.wordsBold, size, colour);
}
TextStyle codeStyle(const DrawContext& context, float size, ImU32 colour) {
  return styled(context, context.fonts.code, size, colour);
}
TextStyle codeBoldStyle(const DrawContext& context, float size, ImU32 colour) {
  return styled(context, context.fonts.codeBold, size, colour);
}

ImVec2 textSize(const TextStyle& style, std::string_view text) {
  return {advance(style, text), style.sizePx};
}

DrawnText drawText(DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, std::string_view text,
                   const TextStyle& style, TextAlign align) {
  const float room = max.x - min.x;
  const bool shortened = advance(style, text) > room + kRoundingSlack;
  const std::string cut = shortened ? shortenedTo(style, text, room) : std::string();
  const std::string_view line = shortened ? std::string_view(cut) : text;
  const float left = room - advance(style, line);
  const float offset = align == TextAlign::Left ? 0.0f : align == TextAlign::Right ? left : left / 2;
  const float top = (min.y + max.y) / 2 - middleOfFigures(style);
  return put(context, list, {min.x + offset, top}, line, style, shortened);
}

DrawnText drawTextAt(DrawContext& context, ImDrawList& list, ImVec2 topLeft, std::string_view text,
                     const TextStyle& style) {
  return put(context, list, topLeft, text, style, false);
}

std::vector<std::string_view> wrappedLines(const TextStyle& style, std::string_view text, float widthPx) {
  std::vector<std::string_view> lines;
  const char* const end = text.data() + text.size();
  const char* start = text.data();
  while (start < end) {
    const char* stop = style.font->CalcWordWrapPosition(style.sizePx, start, end, widthPx);
    const char* newline = std::find(start, stop, '\n');
    if (newline != stop) stop = newline;
    if (stop == start && *start != '\n') ++stop;  // a column narrower than a letter still moves on
    while (stop < end && !startsCharacter(*stop)) ++stop;
    lines.emplace_back(start, static_cast<std::size_t>(stop - start));
    while (!lines.back().empty() && lines.back().back() == ' ') lines.back().remove_suffix(1);
    if (stop < end && *stop == '\n') {
      start = stop + 1;
      continue;
    }
    start = std::find_if(stop, end, [](char c) { return c != ' '; });
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

int wrappedLineCount(const TextStyle& style, std::string_view text, float widthPx) {
  return static_cast<int>(wrappedLines(style, text, widthPx).size());
}

DrawnText drawWrapped(DrawContext& context, ImDrawList& list, ImVec2 topLeft, float widthPx,
                      float lineHeightPx, std::string_view text, const TextStyle& style, int mostLines) {
  const std::vector<std::string_view> lines = wrappedLines(style, text, widthPx);
  const std::size_t shown = std::min(lines.size(), static_cast<std::size_t>(std::max(mostLines, 1)));
  DrawnText covered{topLeft, topLeft, lines.size() > shown};
  float top = topLeft.y;
  for (std::size_t i = 0; i < shown; ++i, top += lineHeightPx) {
    const bool cutHere = covered.shortened && i + 1 == shown;
    const std::string cut = cutHere ? shortenedTo(style, lines[i], widthPx) : std::string();
    const ImVec2 at(topLeft.x, top + (lineHeightPx - style.sizePx) / 2);
    const DrawnText line = put(context, list, at, cutHere ? std::string_view(cut) : lines[i], style, cutHere);
    covered.max.x = std::max(covered.max.x, line.max.x);
  }
  covered.max.y = top;
  return covered;
}

}  // namespace stridescope::draw
