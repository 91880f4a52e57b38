#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "draw/marks.h"
#include "narration/measured_sentences.h"
#include "narration/memory_words.h"
#include "views/reading/glossary.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"
#include "views/transport/round_text.h"
#include "views/transport/transport_view.h"

namespace stridescope::views {
namespace {

// What the caption and the line below it say of a round that is to be predicted, and of marks that were made.

HoverLine threadLine(const ViewContext& view, unsigned thread) {
  const std::vector<bool>* const marks = threadMarks(view.predict);
  HoverLine line{.tag = "thread " + figure(thread),
                 .pieces = {"warp " + figure(thread / model::kWarpSize) + " lane " +
                            std::to_string(thread % model::kWarpSize)}};
  if (marks != nullptr)
    line.pieces.emplace_back(thread < marks->size() && (*marks)[thread] ? "marked" : "not marked");
  return line;
}

HoverLine warpLine(const ViewContext& view, unsigned warp) {
  const unsigned first = warp * model::kWarpSize, lanes = lanesOf(view.replay.launch(), warp);
  HoverLine line{.tag = "warp " + figure(warp),
                 .pieces = {"threads " + figure(first) + " to " + figure(first + lanes - 1)}};
  const std::vector<bool>* const marks = threadMarks(view.predict);
  if (marks == nullptr) return line;
  unsigned marked = 0;
  for (unsigned thread = first; thread < first + lanes && thread < marks->size(); ++thread)
    marked += (*marks)[thread] ? 1 : 0;
  line.pieces.push_back(figure(marked) + " marked");
  return line;
}

// What it holds before the round.
HoverLine elementLine(const ViewContext& view, const session::Hover& hover) {
  const narration::RoundAt at = roundAt(view.replay);
  const MemoryStage stage(at.launch, at.analysis, hover.array);
  const std::uint64_t element = hover.index;
  if (!stage.exists()) return {"element " + figure(element), {"not in this launch"}};
  const auto words = stage.wordsBefore(at);
  const bool known = words && element < words->size() && (*words)[element];
  return {.tag = stage.nameOf(element),
          .pieces = {known ? grouped(narration::WordPrinter(stage.array()).brief(*(*words)[element]))
                           : std::string("never written"),
                     "before the round"}};
}

// "Next is stride 16. Mark the threads that will add, then reveal." Requires view.predict.isHidden().
std::string hiddenCaption(const ViewContext& view) {
  const std::string next = "Next is " + view.replay.hidden()->inSentence + ". ";
  const auto& asked = view.predict.asked();
  if (view.predict.isHeld())
    return next + "It is hidden: reveal it with " + revealKeys(view.app) + ", or skip it with S.";
  if (asked.empty())
    return next +
           "Nothing can be asked about it, because not everything that it does is determined. Reveal it, "
           "or skip it.";
  if (asked.front().question.topic != teaching::Topic::ActiveThreads)
    return next + "Answer what you can, then reveal.";
  const std::string& does = asked.front().question.does;
  return next + "Mark the threads that will " + (does.empty() ? "be active" : does) + ", then reveal.";
}

// What may be told of what is hovered before the round is revealed. Requires the same.
HoverLine hiddenHoverLine(const ViewContext& view, const session::Hover& hover) {
  switch (hover.kind) {
    case session::HoverKind::Thread:
      return threadLine(view, unsigned(hover.index));
    case session::HoverKind::Warp:
      return warpLine(view, unsigned(hover.index));
    case session::HoverKind::Element:
      return elementLine(view, hover);
    case session::HoverKind::Bank:
      return {.tag = "bank " + std::to_string(hover.index), .pieces = {kHiddenWords}, .words = true};
    case session::HoverKind::Site: {
      const model::Site& site = view.replay.run()->trace.sites[hover.index];
      return {.tag = "line " + std::to_string(site.line), .pieces = {inOneLine(site.text)}};
    }
    case session::HoverKind::Round:
      break;
  }
  return hoverLineOf(view.replay, hover, view.linked);
}

// What a revealed round says of a thread's mark: "marked, and active"; empty: marks of threads were not asked
// for.
std::string judgedMark(const ViewContext& view, unsigned thread) {
  const teaching::Judgement* const judgement = threadJudgement(view.predict);
  if (judgement == nullptr || !judgement->answered || thread >= judgement->marks.size()) return {};
  switch (judgement->marks[thread]) {
    case teaching::Mark::Right:
      return "marked, and active";
    case teaching::Mark::Wrong:
      return "marked, but not active";
    case teaching::Mark::Missed:
      return "active, but not marked";
    case teaching::Mark::None:
      break;
  }
  return "not marked, and not active";
}

// The largest size at which the sentences keep to the lines there is room for.
float captionSize(ViewContext& view, const std::string& text, float width, float height) {
  for (const float size : {draw::kCaptionSize, 18.0f, 16.0f})
    if (fitsAt(view, size, text, width, height)) return size;
  return draw::kBodySize;
}

// What the word of the glossary under the pointer means; a click shows it there. False: no such word is.
bool explainWords(ViewContext& view, ImDrawList& list, const std::string& text, const draw::TextStyle& style,
                  const draw::DrawnText& drawn, float width, float lineHeight) {
  std::vector<TextMark> words = glossary().wordsIn(text);
  for (TextMark& word : words) word.underlined = false;
  for (const MarkedPlace& place : placesOf(words, text, style, drawn.min, width, lineHeight)) {
    if (place.max.y > drawn.max.y || !ImGui::IsMouseHoveringRect(place.min, place.max)) continue;
    if (drawMark(view, list, place))
      view.commands.push_back(session::ShowOverlay{session::Overlay::Glossary, place.mark->target});
    return true;
  }
  return false;
}

// What the bars of the scrub bar below are, at the right end, where there is room.
void drawBarsLegend(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const auto& clocks = view.replay.cycles().clocks;
  if (clocks.empty()) return;
  const draw::TextStyle style = view.words(view.colours().dim);
  const std::string text =
      (view.comparison != nullptr ? "Bars: cycles, left and right, " : "Bars: cycles of each round, ") +
      narration::countedOn(measuredFrom(view.replay.cycles()), clocks.back().executor.device);
  const float left = max.x - draw::textSize(style, text).x - view.px(2);
  if (left > min.x + view.px(24)) view.text(list, {left, min.y}, max, text, style);
}

// A picture has no hint: nobody can follow it.
void drawHint(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  if (view.draw.isPicture) return drawBarsLegend(view, list, min, max);
  const std::string text =
      view.predict.isHidden()
          ? std::string("Press ") + revealKeys(view.app) +
                " to reveal the round, S to skip it, H for a hint. Point at an element to see its value."
          : std::string(!atLast(view)      ? "Press Right to step. "
                        : sumsUpNext(view) ? "Press Right to sum up. "
                        : !atFirst(view)   ? "Press Left to step back. "
                                           : "") +
                "Point at a lane, an element, a bank or the source to see its part in this round.";
  const draw::TextStyle words = view.words(view.colours().dim, draw::kBodySize);
  view.text(list, min, max, text, words);
  drawBarsLegend(view, list, {min.x + draw::textSize(words, text).x, min.y}, max);
}

bool hasHover(const ViewContext& view) {
  return view.comparison != nullptr ? hasComparedHover(view) : view.replay.hover().has_value();
}

// Requires hasHover().
void drawHoverLine(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, int lines) {
  if (view.comparison != nullptr) return drawComparedHoverLine(view, list, min, max);
  const draw::Palette& colours = view.colours();
  const float height = (max.y - min.y) / float(lines);
  const draw::TextStyle code = view.code(colours.text, draw::kBodySize);
  const auto hover = view.replay.hover();
  HoverLine line =
      view.predict.isHidden() ? hiddenHoverLine(view, *hover) : hoverLineOf(view.replay, *hover, view.linked);
  if (hover->kind == session::HoverKind::Thread && !view.predict.isHidden())
    if (std::string mark = judgedMark(view, unsigned(hover->index)); !mark.empty())
      line.pieces.insert(line.pieces.begin() + 1, std::move(mark));
  const draw::TextStyle style = line.words ? view.words(colours.text, draw::kBodySize) : code;
  const draw::TextStyle ink = view.semiBold(colours.ink);
  std::string tag = line.tag;
  if (view.replay.pinned()) tag += " · pinned";
  const float tagHeight = draw::textSize(ink, tag).y + view.px(8);
  const draw::DrawnText drawn =
      draw::drawTag(view.draw, list, {min.x, std::round(min.y + (height - tagHeight) / 2)}, tag, ink,
                    colours.hover, view.draw.theme == draw::Theme::Light ? colours.ink : 0);
  float x = drawn.max.x + view.px(16), y = min.y;
  const float gap = view.px(line.words ? 6 : 24);
  for (const std::string& piece : line.pieces) {
    const float width = draw::textSize(style, piece).x;
    if (x + width > max.x) x = min.x, y += height;
    if (x + width > max.x || y + height > max.y + 1) break;
    view.text(list, {x, y}, {x + width + view.px(2), y + height}, piece, style);
    x += width + gap;
  }
}

// Over the lowest part of the panels, on a ground of its own.
void drawHoverLineAbove(ViewContext& view, ImVec2 min, ImVec2 max, int lines) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float inset = view.px(8), bottom = min.y - inset,
              top = bottom - view.px(kHoverLineHeight * float(lines));
  list.AddRectFilled({min.x - inset, top}, {max.x + inset, bottom}, view.colours().raised,
                     view.px(draw::kPanelRadius));
  drawHoverLine(view, list, {min.x, top}, {max.x, bottom}, lines);
}

// The caption if one run is shown.
CaptionText shownCaption(const ViewContext& view) {
  if (view.predict.isHidden()) return {.text = hiddenCaption(view)};
  return captionAt(view, roundAt(view.replay), view.replay.playhead().launch, countedCycles(view.replay));
}

struct SetText {
  std::string text;
  float size = 0;    // units
  float bottom = 0;  // of its room
};

// The text with the sentence behind it, if that fits at this size, or is needed.
std::string withSentence(ViewContext& view, const std::string& text, const std::string& sentence, float size,
                         ImVec2 room, bool isNeeded = false) {
  if (sentence.empty()) return text;
  const std::string whole = text + " " + sentence;
  return isNeeded || fitsAt(view, size, whole, room.x, room.y) ? whole : text;
}

// All of the room has the text, at the size that all captions of the run have.
SetText setSteadily(ViewContext& view, const CaptionText& caption, ImVec2 min, ImVec2 max,
                    SteadySize& steady) {
  SetText set{.text = caption.text, .size = steady.sizeFor(view, caption), .bottom = max.y};
  const ImVec2 room{max.x - min.x, max.y - min.y};
  set.text = withSentence(view, set.text, caption.result, set.size, room, caption.needsResult);
  set.text = withSentence(view, set.text, caption.cost, set.size, room);
  return set;
}

// At the largest size that leaves the room below `foot` to what is hovered, if there is one.
SetText setAtLargest(ViewContext& view, const CaptionText& caption, ImVec2 min, ImVec2 max, float foot) {
  SetText set{.text = caption.text, .bottom = foot};
  const float width = max.x - min.x, height = foot - min.y;
  set.text =
      withSentence(view, set.text, caption.result, draw::kBodySize, {width, height}, caption.needsResult);
  // What it cost, where that makes no text smaller.
  if (!caption.cost.empty())
    set.text = withSentence(view, set.text, caption.cost, captionSize(view, set.text, width, height),
                            {width, height});
  // A long caption in large text takes the foot, too.
  if (!fitsAt(view, draw::kBodySize, set.text, width, height)) set.bottom = max.y;
  set.size = captionSize(view, set.text, width, set.bottom - min.y);
  return set;
}

}  // namespace

void drawCaption(ViewContext& view, ImVec2 min, ImVec2 max, const CaptionRoom& room) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const draw::Palette& colours = view.colours();
  if (!hasRun(view)) {
    const auto job = view.workspace.job();
    view.text(list, min, max, job ? job->doing + "…" : "Nothing is recorded yet.",
              view.semiBold(colours.text, draw::kCaptionSize));
    return;
  }
  const bool isCompared = view.comparison != nullptr;
  const CaptionText caption = isCompared ? comparedCaption(view) : shownCaption(view);
  const ImU32 colour = caption.problem ? colours.problem : colours.text;
  const float foot = max.y - view.px(kHoverLineHeight * float(room.hoverLines));
  const float left = min.x + crossWidth(view, caption.problem);
  if (caption.problem)
    draw::drawCross(view.draw, list, {min.x + view.px(8), min.y + view.px(draw::kCaptionSize * 0.65f)},
                    view.px(6), colour, 2);
  const bool isSteady = room.steady != nullptr && !isCompared;
  const SetText set = isSteady ? setSteadily(view, caption, {left, min.y}, max, *room.steady)
                               : setAtLargest(view, caption, {left, min.y}, max, foot);
  const float lineHeight = view.px(set.size * 1.3f);
  const int most = std::max(1, int((set.bottom - min.y) / lineHeight));
  const draw::TextStyle style = view.semiBold(colour, set.size);
  const draw::DrawnText drawn =
      view.wrapped(list, {left, min.y}, max.x - left, lineHeight, set.text, style, most);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(drawn.min, drawn.max) &&
      !explainWords(view, list, set.text, style, drawn, max.x - left, lineHeight) && drawn.shortened)
    wideTooltip(view, set.text);
  const bool hasFoot = room.hoverLines > 0 && (isSteady ? drawn.max.y <= foot : set.bottom <= foot);
  if (hasHover(view)) {
    if (hasFoot)
      drawHoverLine(view, list, {min.x, foot}, max, room.hoverLines);
    else if (!isCovered(view.app))
      drawHoverLineAbove(view, min, max, std::max(1, room.hoverLines));
  } else if (hasFoot && !isSteady) {
    drawHint(view, list, {min.x, foot}, max);
  }
}

}  // namespace stridescope::views
