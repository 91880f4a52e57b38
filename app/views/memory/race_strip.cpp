#include "views/memory/race_strip.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "draw/marks.h"
#include "model/array_names.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kRaceLabelWidth = 60, kRaceArrow = 44, kRaceGap = 8, kRaceCellHeight = 26, kRaceLine = 18,
                kRaceInset = 6;
constexpr const char* kInOrder = "in this order, no barrier";
constexpr const char* kUnknown = "order unknown, no barrier";

const char* whyOf(const analysis::Race& race) { return race.orderKnown ? kInOrder : kUnknown; }

const model::Array& arrayOf(const narration::RoundAt& at, const analysis::Race& race) {
  return race.shared ? at.launch.recorded().shared[race.array] : at.launch.buffers[race.array];
}

std::string elementText(const narration::RoundAt& at, const analysis::Race& race) {
  const model::Array& array = arrayOf(at, race);
  const std::uint64_t bytes = std::max(1u, array.elementBytes);
  return model::placeName(array, race.element * bytes + race.offset % bytes, 1, model::Digits::Plain);
}

// "thread 16 wrote 280", "line 13, warp 0"
struct AccessText {
  std::string act, where;
};

AccessText textOf(const narration::RoundAt& at, const analysis::Race::Access& access) {
  AccessText text{
      .act = "thread " + std::to_string(access.thread) + " " + std::string(narration::pastOf(access.kind)),
      .where = "warp " + std::to_string(access.thread / model::kWarpSize)};
  if (access.event)
    text.act += " " + narration::printedAccess(at.launch, at.launch.recorded().events[*access.event]);
  if (access.site < at.trace.sites.size())
    text.where = "line " + std::to_string(at.trace.sites[access.site].line) + ", " + text.where;
  return text;
}

struct StripTexts {
  AccessText first, second;
  std::string element;
  float side = 0, middle = 0;  // the widths that they need, pixels
};

StripTexts textsOf(const ViewContext& view, const analysis::Race& race) {
  const narration::RoundAt at = roundAt(view.replay);
  StripTexts texts{
      .first = textOf(at, race.first), .second = textOf(at, race.second), .element = elementText(at, race)};
  const draw::TextStyle act = view.semiBold(0, draw::kBodySize), words = view.words(0);
  for (const AccessText& text : {texts.first, texts.second})
    texts.side = std::max({texts.side, draw::textSize(act, text.act).x, draw::textSize(words, text.where).x});
  const float element = draw::textSize(view.codeBold(0, draw::kBodySize), texts.element).x;
  texts.middle =
      std::ceil(std::max(element + view.px(24), draw::textSize(words, whyOf(race)).x)) + view.px(2);
  return texts;
}

float widthOf(const ViewContext& view, const StripTexts& texts) {
  return view.px(kRaceLabelWidth) + 2 * (texts.side + view.px(kRaceArrow + 2 * kRaceGap)) + texts.middle;
}

void drawArrow(ViewContext& view, ImDrawList& list, float from, float to, float y, ImU32 colour) {
  const float head = to > from ? view.px(8) : -view.px(8), half = view.px(5);
  list.AddLine({from, y}, {to - head, y}, colour, view.px(2));
  list.AddTriangleFilled({to, y}, {to - head, y + half}, {to - head, y - half}, colour);
}

// A store goes to the element, a load comes from it.
void drawAccessArrow(ViewContext& view, ImDrawList& list, model::EventKind kind, float thread, float element,
                     float y) {
  const draw::Palette& colours = view.colours();
  if (kind == model::EventKind::Load)
    drawArrow(view, list, element, thread, y, colours.operand);
  else
    drawArrow(view, list, thread, element, y, colours.result);
}

}  // namespace

bool raceStripFits(const ViewContext& view, const TroubleMarks& marks, float width) {
  return widthOf(view, textsOf(view, *marks.race)) <= width;
}

void drawRaceStrip(ViewContext& view, ImDrawList& list, const TroubleMarks& marks, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  const analysis::Race& race = *marks.race;
  const StripTexts texts = textsOf(view, race);
  list.AddRectFilled(min, max, colours.field);
  list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.problem);

  const float top = min.y + view.px(kRaceInset), cellBottom = top + view.px(kRaceCellHeight);
  const float y = std::round((top + cellBottom) / 2), lower = cellBottom + view.px(2);
  const draw::TextStyle words = view.words(colours.dim);
  draw::drawCross(view.draw, list, {min.x + view.px(18), y}, view.px(5), colours.problem, 2);
  view.text(list, {min.x + view.px(28), top}, {min.x + view.px(kRaceLabelWidth), cellBottom}, "race",
            view.semiBold(colours.problem));
  if (marks.races > 1)
    view.text(list, {min.x + view.px(12), lower},
              {min.x + view.px(kRaceLabelWidth + 12), lower + view.px(kRaceLine)},
              "1 of " + std::to_string(marks.races), words);

  const float left = min.x + view.px(kRaceLabelWidth), middle = std::round((left + max.x) / 2);
  const float cellLeft = std::round(middle - texts.middle / 2),
              cellRight = std::round(middle + texts.middle / 2);
  draw::outlineInside(view.draw, list, {cellLeft, top}, {cellRight, cellBottom}, colours.problem, 2, 3);
  view.text(list, {cellLeft, top}, {cellRight, cellBottom}, texts.element,
            view.codeBold(colours.text, draw::kBodySize), draw::TextAlign::Centre);
  view.text(list, {cellLeft, lower}, {cellRight, lower + view.px(kRaceLine)}, whyOf(race),
            view.words(colours.problem), draw::TextAlign::Centre);

  const float gap = view.px(kRaceGap), arrow = view.px(kRaceArrow);
  const auto side = [&](const AccessText& text, model::EventKind kind, float from, float to,
                        float arrowThread, float arrowElement, draw::TextAlign align) {
    view.text(list, {from, top}, {to, cellBottom}, text.act, view.semiBold(colours.text, draw::kBodySize),
              align);
    view.text(list, {from, lower}, {to, lower + view.px(kRaceLine)}, text.where, words, align);
    drawAccessArrow(view, list, kind, arrowThread, arrowElement, y);
  };
  const float firstEnd = cellLeft - 2 * gap - arrow, secondStart = cellRight + 2 * gap + arrow;
  side(texts.first, race.first.kind, firstEnd - texts.side, firstEnd, firstEnd + gap, cellLeft - gap,
       draw::TextAlign::Right);
  side(texts.second, race.second.kind, secondStart, secondStart + texts.side, secondStart - gap,
       cellRight + gap, draw::TextAlign::Left);

  const HitArea area = walkArea(view, "race", min, max);
  if (marks.element) pointAt(view, area, session::Hover{session::HoverKind::Element, *marks.element});
}

namespace {

constexpr float kMinMergedCell = 34, kMergedCellPadding = 10, kMergedValueHeight = 22, kMergedListHeight = 16;

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
  const ImVec2 valueMax{max.x, min.y + view.px(kMergedValueHeight)};
  if (cell.written)
    list.AddRectFilled(min, valueMax, cell.current ? colours.result : colours.live);
  else
    draw::outlineInside(view.draw, list, min, valueMax, cell.current ? colours.result : colours.toCome,
                        cell.current ? 2 : 1);
  if (cell.written)
    view.text(list, min, valueMax, cell.value,
              cell.current ? view.codeBold(colours.ink) : view.code(colours.text), draw::TextAlign::Centre);
  else if (cell.current)
    view.text(list, min, valueMax, "?", view.codeBold(colours.text), draw::TextAlign::Centre);
  if (!cell.list.empty())
    view.text(list, {min.x, valueMax.y}, {max.x, valueMax.y + view.px(kMergedListHeight)}, "L" + cell.list,
              view.code(cell.current ? colours.text : colours.dim), draw::TextAlign::Centre);
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
  const float bottom = place.top + view.px(kMergedValueHeight);
  view.text(list, {place.labelRight - view.px(52), place.top}, {place.labelRight, bottom}, "merged",
            view.words(colours.dim), draw::TextAlign::Right);
  view.text(list, {place.labelRight - view.px(52), bottom},
            {place.labelRight, bottom + view.px(kMergedListHeight)}, "L: list", view.words(colours.dim),
            draw::TextAlign::Right);

  // The widest of the cells that there could be decides how many there are.
  const draw::TextStyle bold = view.codeBold(0);
  const auto widest = [&](const std::vector<MergedCell>& cells) {
    float width = view.px(kMinMergedCell);
    for (const MergedCell& cell : cells)
      width = std::max({width, draw::textSize(bold, cell.value).x + view.px(kMergedCellPadding),
                        draw::textSize(bold, "L" + cell.list).x + view.px(kMergedCellPadding)});
    return width;
  };
  const float room = place.right - place.left;
  const auto most = [&](float width) { return std::max<std::size_t>(1, std::size_t(room / width)); };
  const float width = widest(mergedCells(at, most(view.px(kMinMergedCell))));
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
