#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "draw/marks.h"
#include "narration/caption.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
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
HoverLine elementLine(const ViewContext& view, std::uint64_t element) {
  const narration::RoundAt at = roundAt(view.replay);
  const MemoryStage stage(at.launch, at.analysis);
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
      return elementLine(view, hover.index);
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

constexpr float kSecondLine = 26;

bool fitsAt(ViewContext& view, float size, const std::string& text, float width, float height) {
  const draw::TextStyle style = view.semiBold(0, size);
  return float(draw::wrappedLineCount(style, text, width)) * view.px(size * 1.3f) <= height;
}

// The largest size at which the sentences keep to the lines there is room for.
float captionSize(ViewContext& view, const std::string& text, float width, float height) {
  for (const float size : {draw::kCaptionSize, 18.0f, 16.0f})
    if (fitsAt(view, size, text, width, height)) return size;
  return draw::kBodySize;
}

constexpr std::size_t kCaptionsTried = 256;  // a run of more rounds has some left out

// Requires a run.
void findSteadySize(ViewContext& view, float width, float height, SteadySize& steady) {
  const lab::Run* const run = view.replay.run();
  if (steady.run == run && steady.room.x == width && steady.room.y == height) return;
  steady = {run, {width, height}, draw::kCaptionSize};
  const auto& launches = run->analysis.launches;
  std::size_t rounds = 0;
  for (const auto& launch : launches) rounds += launch.rounds.size();
  const std::size_t step = rounds / kCaptionsTried + 1;
  for (unsigned launch = 0; launch < launches.size(); ++launch)
    for (std::size_t round = 0; round < launches[launch].rounds.size(); round += step) {
      const std::string text = narration::captionOf(roundAt(view.replay, launch, unsigned(round))).text();
      steady.size = std::min(steady.size, captionSize(view, text, width, height));
    }
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

void drawHint(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const std::string text =
      view.predict.isHidden()
          ? std::string("Press ") + revealKeys(view.app) +
                " to reveal the round, S to skip it, H for a hint. Point at an element to see its value."
          : std::string(!atLast(view)    ? "Press Right to step. "
                        : !atFirst(view) ? "Press Left to step back. "
                                         : "") +
                "Point at a lane, an element, a bank or the source to see its part in this round.";
  const draw::TextStyle words = view.words(view.colours().dim, draw::kBodySize);
  view.text(list, min, max, text, words);
  drawBarsLegend(view, list, {min.x + draw::textSize(words, text).x, min.y}, max);
}

bool hasHover(const ViewContext& view) {
  return view.comparison != nullptr ? hasComparedHover(view) : view.replay.hover().has_value();
}

void drawHoverLine(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const HoverRoom& room = {}) {
  if (!hasHover(view)) return room.hint ? drawHint(view, list, min, max) : void();
  if (view.comparison != nullptr) return drawComparedHoverLine(view, list, min, max);
  const draw::Palette& colours = view.colours();
  const float height = (max.y - min.y) / float(room.lines);
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
void drawHoverLineAbove(ViewContext& view, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float inset = view.px(8), bottom = min.y - inset, top = bottom - view.px(kSecondLine);
  list.AddRectFilled({min.x - inset, top}, {max.x + inset, bottom}, view.colours().raised,
                     view.px(draw::kPanelRadius));
  drawHoverLine(view, list, {min.x, top}, {max.x, bottom});
}

// The caption if one run is shown.
CaptionText captionOf(const ViewContext& view) {
  if (view.predict.isHidden()) return {.text = hiddenCaption(view)};
  const narration::RoundAt at = roundAt(view.replay);
  CaptionText caption{.text = narration::captionOf(at).text()};
  const std::vector<std::string> trouble = narration::troubleIn(at);
  if (!trouble.empty()) {
    caption = {.text = trouble.front(), .problem = true};
  } else if (const std::string elsewhere = narration::troubleInAnotherPass(
                 at, view.replay.run()->stalePasses[view.replay.playhead().launch]);
             !elsewhere.empty()) {
    caption.text += " " + elsewhere;
  }
  // What went wrong comes first: the result follows where there is room for both.
  if (narration::endsTheRun(at)) {
    caption.result = narration::resultSentence(at.trace);
    caption.needsResult = trouble.empty();
    caption.problem = caption.problem || model::isWrong(at.trace);
  }
  if (trouble.empty()) caption.cost = countedCycles(view.replay);
  return caption;
}

}  // namespace

void drawCaption(ViewContext& view, ImVec2 min, ImVec2 max, const HoverRoom& hover) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const draw::Palette& colours = view.colours();
  if (!hasRun(view)) {
    const auto job = view.workspace.job();
    view.text(list, min, max, job ? job->doing + "…" : "Nothing is recorded yet.",
              view.semiBold(colours.text, draw::kCaptionSize));
    return;
  }
  const CaptionText caption = view.comparison != nullptr ? comparedCaption(view) : captionOf(view);
  std::string text = caption.text;
  const ImU32 colour = caption.problem ? colours.problem : colours.text;
  const float secondTop = max.y - view.px(kSecondLine * float(hover.lines));
  float left = min.x;
  if (caption.problem) {
    draw::drawCross(view.draw, list, {min.x + view.px(8), min.y + view.px(draw::kCaptionSize * 0.65f)},
                    view.px(6), colour, 2);
    left += view.px(24);
  }
  if (!caption.result.empty()) {
    const std::string whole = text + " " + caption.result;
    if (caption.needsResult || fitsAt(view, draw::kBodySize, whole, max.x - left, secondTop - min.y))
      text = whole;
  }
  const bool isSteady = hover.steady != nullptr && view.comparison == nullptr;
  if (isSteady) findSteadySize(view, max.x - min.x, secondTop - min.y, *hover.steady);
  const auto sizeOf = [&](const std::string& what, float height) {
    const float own = captionSize(view, what, max.x - left, height);
    return isSteady ? std::min(own, hover.steady->size) : own;
  };
  // What it cost, where that makes no text smaller.
  if (!caption.cost.empty()) {
    const std::string whole = text + " " + caption.cost;
    const float height = secondTop - min.y;
    if (fitsAt(view, sizeOf(text, height), whole, max.x - left, height)) text = whole;
  }
  // A long caption in large text takes the second line's place, too: what is hovered is told above the strip.
  const bool alone =
      hover.lines == 0 || (!fitsAt(view, draw::kBodySize, text, max.x - left, secondTop - min.y) &&
                           (hover.hint || hover.yields || !view.replay.hover()));
  const float bottom = alone ? max.y : secondTop;
  const float size = sizeOf(text, bottom - min.y);
  const float lineHeight = view.px(size * 1.3f);
  const int most = std::max(1, int((bottom - min.y) / lineHeight));
  const draw::TextStyle style = view.semiBold(colour, size);
  const draw::DrawnText drawn =
      view.wrapped(list, {left, min.y}, max.x - left, lineHeight, text, style, most);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(drawn.min, drawn.max) &&
      !explainWords(view, list, text, style, drawn, max.x - left, lineHeight) && drawn.shortened)
    wideTooltip(view, text);
  if (!alone)
    drawHoverLine(view, list, {min.x, secondTop}, max, hover);
  else if (hasHover(view) && !isCovered(view.app))
    drawHoverLineAbove(view, min, max);
}

}  // namespace stridescope::views
