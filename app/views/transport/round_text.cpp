#include "views/transport/round_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "draw/marks.h"
#include "kernels/catalog.h"
#include "narration/caption.h"
#include "narration/compared.h"
#include "narration/outcome.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "session/comparison.h"
#include "views/compare/compare_view.h"
#include "views/shared/predicted_sum.h"
#include "views/shared/shown_round.h"
#include "views/shared/spoken_questions.h"

namespace stridescope::views {
namespace {

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? std::string() : "\n" + std::string(title) + "\n" + text;
}

std::string_view titleOf(const narration::TextMap& map, std::span<const Panel> panels) {
  if (!map.title.empty()) return map.title;
  const Panel* const panel = findPanel(panels, map.panel);
  return panel == nullptr ? map.panel : panel->title;
}

// Caption, trouble, result, each a paragraph.
std::vector<std::string> sentencesOf(const narration::RoundAt& at) {
  std::vector<std::string> all{narration::captionOf(at).text()};
  std::ranges::copy(narration::troubleOf(at), std::back_inserter(all));
  if (narration::endsTheRun(at)) all.push_back(narration::resultSentence(at.trace));
  return all;
}

}  // namespace

std::string roundTextOf(const narration::RoundAt& at, std::span<const Panel> panels) {
  std::string text;
  for (const std::string& sentence : sentencesOf(at))
    text += narration::wrapped(sentence, narration::kTextColumns) + "\n";
  for (const narration::TextMap& map : narration::textMaps())
    text += section(titleOf(map, panels), map.text(at));
  return text;
}

namespace {

// What both columns and the middle say, and the chosen side's maps.
std::string textOfBoth(const ViewContext& view) {
  const session::Comparison& both = *view.comparison;
  std::string text;
  for (const analysis::Side side : analysis::kSides) {
    text += std::string(analysis::nameOf(side)) + ": " + kernels::titleOf(both.workspace(side).experiment()) +
            "\n";
  }
  text += narration::wrapped(comparedCaption(view).text, narration::kTextColumns) + "\n" +
          narration::comparedText(view.compared->table());
  if (!both.hasRound(both.chosen())) return text;
  return text + "\nThe " + std::string(analysis::nameOf(both.chosen())) + " side\n" +
         roundTextOf(roundAt(view.replay), view.panels);
}

std::string hiddenCaption(const session::Replay& replay) {
  return replay.hidden()->title + ": " + kHiddenWords + ".";
}

// What may be told before the round is revealed: the round before it.
std::string textBeforeHidden(const session::Replay& replay, std::span<const Panel> panels) {
  const lab::RoundName& hidden = *replay.hidden();
  if (hidden.round == 0) return {};
  return "\nBefore it\n" + roundTextOf(roundAt(replay, hidden.round - 1), panels);
}

std::string hiddenRoundText(const session::Replay& replay, std::span<const Panel> panels) {
  return hiddenCaption(replay) + "\n" + textBeforeHidden(replay, panels);
}

}  // namespace

std::string roundTextOf(const session::Replay& replay, std::span<const Panel> panels) {
  return replay.hidden() != nullptr ? hiddenRoundText(replay, panels) : roundTextOf(roundAt(replay), panels);
}

std::string roundTextOf(const ViewContext& view) {
  if (view.comparison != nullptr && view.comparison->hasRuns()) return textOfBoth(view);
  std::string text = roundTextOf(view.replay, view.panels);
  if (view.replay.hidden() != nullptr) return text;
  for (const Panel& panel : view.panels)
    if (panel.text && panel.isOfferedIn(view.app.mode())) text += section(panel.title, panel.text(view));
  return text;
}

namespace {

SpokenRound spokenHidden(const session::Parts& parts, std::span<const Panel> panels) {
  const session::Predict& predict = parts.predict;
  SpokenRound spoken{.caption = hiddenCaption(parts.replay), .summary = {}, .text = {}};
  if (predict.chosen() < predict.asked().size())
    spoken.caption += " " + questionText(predict, predict.chosen());
  for (std::size_t place = 0; place < predict.asked().size(); ++place)
    spoken.text += narration::wrapped(questionText(predict, place), narration::kTextColumns) + "\n";
  const std::string before = textBeforeHidden(parts.replay, panels);
  spoken.summary =
      before.empty() ? "As text: the questions." : "As text: the questions, and the round before.";
  spoken.text += before;
  return spoken;
}

std::vector<std::string> sumSentences(const session::Parts& parts) {
  std::vector<std::string> sentences;
  for (const SumLine& line : sumLines(parts)) sentences.push_back(line.text);
  return sentences;
}

SpokenRound spokenBoth(const session::Parts& parts, std::span<const Panel> panels) {
  const session::Comparison& both = *parts.comparison;
  ComparedRuns compared;
  compared.refresh(both, parts.measurements);
  SpokenRound spoken{.caption = comparedCaption(parts).text,
                     .summary = "As text: what differs, the left side, the right side.",
                     .text = narration::comparedText(compared.table())};
  for (const analysis::Side side : analysis::kSides) {
    spoken.text += "\nThe " + std::string(analysis::nameOf(side)) +
                   " side: " + kernels::titleOf(both.workspace(side).experiment()) + "\n";
    spoken.text +=
        both.hasRound(side) ? roundTextOf(roundAt(both.replay(side)), panels) : "It is finished.\n";
  }
  return spoken;
}

}  // namespace

SpokenRound spokenRound(const session::Parts& parts, std::span<const Panel> panels) {
  if (parts.comparison != nullptr && parts.comparison->hasRuns()) return spokenBoth(parts, panels);
  if (parts.replay.run() == nullptr) return {};
  if (parts.replay.hidden() != nullptr) return spokenHidden(parts, panels);
  const narration::RoundAt at = roundAt(parts.replay);
  SpokenRound spoken;
  const auto captions = parts.predict.isSummedUp() ? sumSentences(parts) : sentencesOf(at);
  for (const std::string& sentence : captions)
    spoken.caption += (spoken.caption.empty() ? "" : " ") + sentence;
  const std::string verdicts = parts.predict.isSummedUp() ? std::string() : spokenVerdicts(parts);
  if (!verdicts.empty()) spoken.caption = verdicts + " " + spoken.caption;
  for (const narration::TextMap& map : narration::textMaps()) {
    const std::string_view title = titleOf(map, panels);
    const std::string part = section(title, map.text(at));
    if (part.empty()) continue;
    spoken.summary += (spoken.summary.empty() ? "As text: " : ", ") + std::string(title);
    spoken.text += part;
  }
  if (spoken.summary.empty()) return spoken;
  spoken.summary += ".";
  spoken.text.erase(0, 1);  // the line between two maps
  return spoken;
}

namespace {

using analysis::Side;
using session::Comparison;

// The cycles of both rounds, if they are shown whole and one GPU has clocked them in one way.
std::string cyclesOfBoth(const Comparison& both) {
  const analysis::Cycles* cycles[2] = {};
  for (const Side side : analysis::kSides) {
    const session::Replay& replay = both.replay(side);
    if (!both.hasRound(side) || replay.shownPass() != nullptr || replay.cycles().clocks.empty()) return {};
    cycles[std::size_t(side)] = cyclesAlone(replay, replay.playhead().launch, replay.playhead().round);
  }
  const lab::RunCycles &left = both.replay(Side::Left).cycles(), &right = both.replay(Side::Right).cycles();
  if (left.live != right.live || left.clocks.back().executor.device != right.clocks.back().executor.device)
    return {};
  return narration::comparedCycles(measuredFrom(left), cycles[0], cycles[1]);
}

// "left", then the pieces that fit.
void drawSide(ViewContext& view, ImDrawList& list, Side side, ImVec2 min, ImVec2 max) {
  const session::Replay& replay = view.comparison->replay(side);
  const draw::TextStyle dim = view.words(view.colours().dim);
  const std::string name(analysis::nameOf(side));
  float x = view.text(list, min, max, name, dim).max.x + view.px(10);
  const auto hover = replay.hover();
  const bool hasRound = view.comparison->hasRound(side);
  HoverLine line;
  if (hover && hasRound) line = hoverLineOf(replay, *hover, view.compared->marks(side).linked);
  if (line.pieces.empty())
    line = {.tag = {}, .pieces = {hasRound ? "nothing that belongs to it" : "finished"}, .words = true};
  const draw::TextStyle style = line.words ? view.words(view.colours().text, draw::kBodySize)
                                           : view.code(view.colours().text, draw::kBodySize);
  // What a thread computed comes before the thread's place.
  if (hover && hover->kind == session::HoverKind::Thread && line.pieces.size() > 1)
    std::rotate(line.pieces.begin(), line.pieces.begin() + 1, line.pieces.end());
  for (const std::string& piece : line.pieces) {
    const float width = draw::textSize(style, piece).x;
    if (x + width > max.x) break;
    view.text(list, {x, min.y}, {x + width + view.px(2), max.y}, piece, style);
    x += width + view.px(line.words ? 6 : 20);
  }
}

}  // namespace

CaptionText comparedCaption(const session::Parts& parts) {
  const Comparison& both = *parts.comparison;
  const RoundsOfBoth rounds(both);
  CaptionText caption;
  // What goes wrong on a side is told first.
  for (const Side side : analysis::kSides) {
    const narration::RoundAt* const at = rounds.both()[side];
    const auto trouble = at == nullptr ? std::vector<std::string>() : narration::troubleIn(*at);
    if (trouble.empty()) continue;
    caption.problem = true;
    const std::string name = narration::capitalized(std::string(analysis::nameOf(side)));
    caption.text += (caption.text.empty() ? "" : " ") + name + ": " + trouble.front();
  }
  if (caption.problem) return caption;
  caption.text = narration::comparedCaption(rounds.both(), both.lockedBy()).text();
  for (const Side side : analysis::kSides) {
    const narration::RoundAt* const at = rounds.both()[side];
    if (at != nullptr && narration::endsTheRun(*at) && model::isWrong(at->trace)) caption.problem = true;
  }
  caption.cost = cyclesOfBoth(both);
  return caption;
}

bool hasComparedHover(const ViewContext& view) {
  return std::ranges::any_of(analysis::kSides,
                             [&](Side side) { return view.comparison->replay(side).hover().has_value(); });
}

void drawComparedHoverLine(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const Comparison& both = *view.comparison;
  // The tag is that of what is pointed at: an element of one side is a thread of the other.
  std::string tag;
  bool pinned = false;
  for (const Side side : analysis::kSides) {
    const auto hover = both.replay(side).hover();
    if (!hover || both.replay(side).run() == nullptr) continue;
    const HoverLine line = hoverLineOf(both.replay(side), *hover, view.compared->marks(side).linked);
    if (tag.empty() || hover->kind == session::HoverKind::Thread) tag = line.tag;
    pinned = pinned || both.replay(side).pinned();
  }
  if (tag.empty()) return;
  if (pinned) tag += " · pinned";
  const draw::TextStyle ink = view.semiBold(view.colours().ink);
  const float height = draw::textSize(ink, tag).y + view.px(8);
  const draw::DrawnText drawn =
      draw::drawTag(view.draw, list, {min.x, std::round((min.y + max.y - height) / 2)}, tag, ink,
                    view.colours().hover, view.draw.theme == draw::Theme::Light ? view.colours().ink : 0);
  const float left = drawn.max.x + view.px(16), middle = std::round((left + max.x) / 2);
  drawSide(view, list, Side::Left, {left, min.y}, {middle - view.px(16), max.y});
  drawSide(view, list, Side::Right, {middle, min.y}, max);
}

}  // namespace stridescope::views
