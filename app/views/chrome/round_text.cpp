#include "views/chrome/round_text.h"

#include "kernels/catalog.h"
#include "narration/caption.h"
#include "narration/result_words.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"
#include "narration/wording.h"
#include "session/comparison.h"
#include "views/chrome/compare_caption.h"
#include "views/compare/compared_runs.h"

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

}  // namespace

std::string roundTextOf(const narration::RoundAt& at, std::span<const Panel> panels) {
  std::string text = narration::wrapped(narration::captionOf(at).text(), narration::kTextColumns) + "\n";
  for (const std::string& sentence : narration::troubleOf(at))
    text += narration::wrapped(sentence, narration::kTextColumns) + "\n";
  if (narration::endsTheRun(at))
    text += narration::wrapped(narration::resultSentence(at.trace), narration::kTextColumns) + "\n";
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

// What may be told before the round is revealed: the round before it.
std::string hiddenRoundText(const ViewContext& view, const session::RoundName& hidden) {
  const std::string text = hidden.title + ": " + kHiddenWords + ".\n";
  if (hidden.round == 0) return text;
  return text + "\nBefore it\n" + roundTextOf(roundAt(view.replay, hidden.round - 1), view.panels);
}

}  // namespace

std::string roundTextOf(const ViewContext& view) {
  if (view.comparison != nullptr && view.comparison->hasRuns()) return textOfBoth(view);
  if (const session::RoundName* const hidden = view.replay.hidden()) return hiddenRoundText(view, *hidden);
  std::string text = roundTextOf(roundAt(view.replay), view.panels);
  for (const Panel& panel : view.panels)
    if (panel.text && panel.isOfferedIn(view.app.mode())) text += section(panel.title, panel.text(view));
  return text;
}

}  // namespace stridescope::views
