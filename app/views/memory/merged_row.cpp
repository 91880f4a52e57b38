#include "views/memory/merged_row.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "draw/marks.h"
#include "narration/memory_words.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kMinCell = 34, kPadding = 10, kValueHeight = 22, kListHeight = 16;

// The words of the buffer of that role after the round, as they are printed.
class OutputWords {
 public:
  OutputWords(const narration::RoundAt& at, model::ParameterRole role) {
    const auto buffer = model::indexOfRole(at.launch.buffers, role);
    if (!buffer) return;
    const analysis::DeviceMemory& memory = at.analysis.deviceMemory;
    const auto window = memory.windowOf(*buffer);
    if (!window) return;
    printer_.emplace(at.launch.buffers[*buffer]);
    first_ = memory.windows[*window].first;
    words_ = memory.wordsAfter(*window, at.index);
  }
  // Empty: not written.
  std::string at(std::uint64_t element) const {
    if (element < first_ || element - first_ >= words_.size() || !words_[element - first_]) return {};
    return printer_->brief(*words_[element - first_]);
  }

 private:
  std::optional<narration::WordPrinter> printer_;
  std::uint64_t first_ = 0;
  std::vector<std::optional<std::uint64_t>> words_;
};

void drawCell(ViewContext& view, ImDrawList& list, const MergedCell& cell, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  const ImVec2 valueMax{max.x, min.y + view.px(kValueHeight)};
  if (cell.written)
    list.AddRectFilled(min, valueMax, cell.current ? colours.result : colours.live);
  else
    draw::outlineInside(view.draw, list, min, valueMax, cell.current ? colours.result : colours.toCome,
                        cell.current ? 2 : 1);
  if (cell.written)
    draw::drawText(view.draw, list, min, valueMax, cell.value,
                   cell.current ? draw::codeBoldStyle(view.draw, draw::kLabelSize, colours.ink)
                                : draw::codeStyle(view.draw, draw::kLabelSize, colours.text),
                   draw::TextAlign::Centre);
  else if (cell.current)
    draw::drawText(view.draw, list, min, valueMax, "?",
                   draw::codeBoldStyle(view.draw, draw::kLabelSize, colours.text), draw::TextAlign::Centre);
  if (!cell.list.empty())
    draw::drawText(view.draw, list, {min.x, valueMax.y}, {max.x, valueMax.y + view.px(kListHeight)},
                   "L" + cell.list,
                   draw::codeStyle(view.draw, draw::kLabelSize, cell.current ? colours.text : colours.dim),
                   draw::TextAlign::Centre);
}

// A click on a cell goes to the last round that serves its element.
void goToElement(ViewContext& view, std::uint64_t element) {
  const auto& rounds = view.replay.launchAnalysis().rounds;
  for (std::size_t round = rounds.size(); round-- > 0;)
    if (rounds[round].outputElement == element) {
      view.commands.push_back(session::GoToRound{view.replay.playhead().launch, unsigned(round)});
      return;
    }
}

}  // namespace

std::vector<MergedCell> mergedCells(const narration::RoundAt& at, std::size_t most) {
  std::vector<MergedCell> cells;
  const auto current = at.round().outputElement;
  if (!current || most == 0) return cells;
  const OutputWords values(at, model::ParameterRole::Merged), lists(at, model::ParameterRole::Origin);
  const std::uint64_t first = *current + 1 > most ? *current + 1 - most : 0;
  const std::uint64_t end = std::min<std::uint64_t>(at.launch.elements, first + most);
  for (std::uint64_t element = first; element < end; ++element) {
    MergedCell& cell = cells.emplace_back();
    cell.element = element;
    cell.current = element == *current;
    cell.value = values.at(element);
    cell.written = !cell.value.empty();
    if (cell.written) cell.list = lists.at(element);
  }
  return cells;
}

void drawMergedRow(ViewContext& view, ImDrawList& list, const MergedPlace& place) {
  const narration::RoundAt at = roundAt(view.replay);
  const draw::Palette& colours = view.colours();
  const float bottom = place.top + view.px(kValueHeight);
  draw::drawText(view.draw, list, {place.labelRight - view.px(52), place.top}, {place.labelRight, bottom},
                 "merged", draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim),
                 draw::TextAlign::Right);
  draw::drawText(view.draw, list, {place.labelRight - view.px(52), bottom},
                 {place.labelRight, bottom + view.px(kListHeight)}, "L: list",
                 draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim), draw::TextAlign::Right);

  // The widest of the cells that there could be decides how many there are.
  const draw::TextStyle bold = draw::codeBoldStyle(view.draw, draw::kLabelSize, 0);
  const auto widest = [&](const std::vector<MergedCell>& cells) {
    float width = view.px(kMinCell);
    for (const MergedCell& cell : cells)
      width = std::max({width, draw::textSize(bold, cell.value).x + view.px(kPadding),
                        draw::textSize(bold, "L" + cell.list).x + view.px(kPadding)});
    return width;
  };
  const float room = place.right - place.left;
  const auto most = [&](float width) { return std::max<std::size_t>(1, std::size_t(room / width)); };
  const float width = widest(mergedCells(at, most(view.px(kMinCell))));
  const std::vector<MergedCell> cells = mergedCells(at, most(width));
  const float step = std::floor(room / float(most(width)));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const float left = place.left + step * float(i);
    const ImVec2 min{left, place.top}, max{left + step - view.px(2), bottom};
    drawCell(view, list, cells[i], min, max);
    const HitArea area = walkArea(view, ("merged " + std::to_string(cells[i].element)).c_str(), min, max);
    if (area.clicked) goToElement(view, cells[i].element);
  }
}

}  // namespace stridescope::views
