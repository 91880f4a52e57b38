#include "views/lessons/ladder_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/panel.h"
#include "views/shared/cell_walk.h"
#include "views/shared/ladder_times.h"
#include "views/shared/panel.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kLadderTitle = "Ladder";

struct LadderState {
  bool cycles = false;     // in place of the times
  std::string scrolledTo;  // the variant that was last brought into view
  int framesToSettle = 0;  // a scroll is clamped to the content of the frame before
};

constexpr float kTitleLine = 20, kRungInset = 10, kTightInset = 4, kHeading = 30;  // units
constexpr float kTimeLine = 15, kBar = 6, kTimeGap = 8, kMinTimeBar = 32, kBarBesideTitles = 100;
constexpr float kSideBranch = 14;  // how far a side branch is indented
constexpr float kTitleGap = 16, kFootGap = 8, kMinList = 112;
constexpr const char* kDefaultTime = "888.8 µs";
const std::array kLadderTabs{Choice{.label = "time", .text = {}, .where = {}},
                             Choice{.label = "cycles", .text = {}, .where = {}}};

// Where a variant's time stands, as the panel's width has it.
enum class TimePlace { None, BelowTitle, BesideTitle };

// The list between two edges of the screen.
struct LadderPainter {
  ViewContext& view;
  const LadderTimes& times;
  ImDrawList& list;
  float left, right;       // pixels; rows reach to both
  float numberWidth;       // the widest number's
  float inset;             // above and below a variant
  float timeWidth = 0;     // the widest time's
  float titlesWidth = 0;   // the widest title's
  bool showsTimes = true;  // where there is room for them

  float textLeft() const { return left + view.px(draw::kPanelInset) + numberWidth + view.px(6); }
  float indentOf(const kernels::Variant& variant) const {
    return variant.sideBranch ? view.px(kSideBranch) : 0;
  }
  float textRight() const { return right - view.px(6); }
  float timesWidth(float bar) const { return view.px(bar) + view.px(kTimeGap) + timeWidth; }

  TimePlace place() const {
    const float room = textRight() - textLeft();
    if (!showsTimes || times.rungs.empty() || room < timesWidth(kMinTimeBar)) return TimePlace::None;
    const float besideTitles = titlesWidth + view.px(kTitleGap) + timesWidth(kBarBesideTitles);
    return room < besideTitles ? TimePlace::BelowTitle : TimePlace::BesideTitle;
  }
  float textWidth(const kernels::Variant& variant) const {
    const float room = textRight() - textLeft() - indentOf(variant);
    if (place() != TimePlace::BesideTitle) return room;
    return room - view.px(kTitleGap) - timesWidth(kBarBesideTitles);
  }

  // The first of these that fits into one line: the title, its last words, what stands before a colon, the
  // last word. The title, if none does.
  std::string titleOf(const kernels::Variant& variant) const {
    const std::string title(variant.title);
    const auto fits = [&](const std::string& text) {
      return draw::textSize(view.semiBold(0, draw::kBodySize), text).x <= textWidth(variant);
    };
    const std::string beforeColon = title.substr(0, title.find(": ")),
                      lastWord = title.substr(title.rfind(' ') + 1);
    for (const std::string& each : {title, shortTitle(title), beforeColon, lastWord})
      if (fits(each)) return each;
    return title;
  }

  void heading(const LadderRow& row, float top, bool first) const {
    const draw::Palette& colours = view.colours();
    const float x = left + view.px(draw::kPanelInset), bottom = top + row.height;
    if (!first)
      list.AddRectFilled({x, top + view.px(5)}, {right - view.px(6), top + view.px(6)}, colours.line);
    view.text(list, {x, bottom - view.px(draw::kLabelLineHeight + 4)},
              {right - view.px(6), bottom - view.px(4)}, kernels::titleOf(row.family),
              view.semiBold(colours.dim));
  }

  // A bar and the figure, which end at the list's right edge whatever the title's length.
  void time(const RungTime& rung, bool chosen, float barLeft, float top, float height) const {
    const draw::Palette& colours = view.colours();
    const float middle = top + std::round(height / 2), half = view.px(kBar / 2);
    const float barRight = textRight() - timeWidth - view.px(kTimeGap);
    drawRungBar(view.draw, list, {barLeft, middle - half}, {barRight, middle + half},
                {rung.share, chosen ? colours.result : colours.dim, rung.recorded});
    view.text(list, {textRight() - timeWidth - 1, top}, {textRight() + 1, top + height},
              amountOf(times, rung), view.code(colours.text), draw::TextAlign::Right);
  }

  // Draws the line from the rung above to a side branch's number.
  void elbow(float top, float numberTop) const {
    const draw::Palette& colours = view.colours();
    const float x = left + view.px(draw::kPanelInset + 4), width = view.px(1),
                y = numberTop + view.px(kTitleLine / 2);
    list.AddRectFilled({x, top}, {x + width, y + width}, colours.dim);
    list.AddRectFilled({x, y}, {x + view.px(kSideBranch - 6), y + width}, colours.dim);
  }

  void variant(const LadderRow& row, float top) const {
    const draw::Palette& colours = view.colours();
    const kernels::Variant& variant = *row.variant;
    const bool chosen = view.workspace.experiment().variant == variant.id;
    const ImVec2 min{left, top}, max{right, top + row.height};
    const HitArea area =
        walkArea(view, std::string(variant.title).c_str(), min, max, [&](const AddCell& add) {
          add({min, max}, chosen);
        });
    const std::string why = view.workspace.whyNotRecorded(variant.id);
    if (area.clicked && why.empty())
      view.commands.push_back(session::Choose(&model::Experiment::variant, std::string(variant.id)));
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
      if (!why.empty())
        wideTooltip(view, why);
      else if (row.sentenceLines == 0)
        wideTooltip(view, std::string(variant.title) + "\n" + std::string(variant.changed));
    }
    if (chosen || (area.hovered && why.empty()))
      list.AddRectFilled(min, max, chosen ? colours.raised : colours.field);
    if (chosen) list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.result);

    float y = top + inset;
    const float indent = indentOf(variant), textLeft = this->textLeft() + indent,
                textWidth = this->textWidth(variant);
    if (variant.sideBranch) elbow(top, y);
    const ImVec2 numberMin{left + view.px(draw::kPanelInset) + indent, y};
    view.text(list, numberMin, {numberMin.x + numberWidth + 1, y + view.px(kTitleLine)},
              kernels::numberOf(variant.id), view.words(chosen ? colours.text : colours.dim, draw::kBodySize),
              draw::TextAlign::Right);
    view.wrapped(list, {textLeft, y}, textWidth, view.px(kTitleLine), titleOf(variant),
                 view.semiBold(why.empty() ? colours.text : colours.dim, draw::kBodySize));
    const RungTime* const rung = times.find(variant.id);
    if (rung != nullptr && place() == TimePlace::BesideTitle)
      time(*rung, chosen, textRight() - timesWidth(kBarBesideTitles), y, view.px(kTitleLine));
    y += view.px(kTitleLine) * float(row.titleLines);
    if (row.sentenceLines > 0)
      view.wrapped(list, {textLeft, y}, textWidth, view.px(draw::kLabelLineHeight), variant.changed,
                   view.words(chosen ? colours.text : colours.dim));
    y += view.px(draw::kLabelLineHeight) * float(row.sentenceLines);
    if (rung != nullptr && row.hasTimeLine) time(*rung, chosen, textLeft, y, view.px(kTimeLine));
  }
};

LadderLayout layOutFor(const LadderPainter& painter, const std::string& chosen, float room) {
  const ViewContext& view = painter.view;
  const bool below = painter.place() == TimePlace::BelowTitle;
  return layOutLadder(
      kernels::catalog(), chosen,
      {.titleLine = view.px(kTitleLine),
       .sentenceLine = view.px(draw::kLabelLineHeight),
       .inset = painter.inset,
       .heading = view.px(kHeading),
       .titleLines =
           [&](const kernels::Variant& variant) {
             return draw::wrappedLineCount(view.semiBold(0, draw::kBodySize), painter.titleOf(variant),
                                           painter.textWidth(variant));
           },
       .sentenceLines =
           [&](const kernels::Variant& variant) {
             return draw::wrappedLineCount(view.words(0), variant.changed, painter.textWidth(variant));
           },
       .timeLine = view.px(kTimeLine),
       .hasTimeLine =
           [&](const kernels::Variant& variant) {
             return below && painter.times.find(variant.id) != nullptr;
           }},
      room);
}

// The width of the widest of the variants' numbers: 10 may be wider than 11a.
float widestNumber(const draw::TextStyle& style) {
  float widest = 0;
  for (const kernels::Variant& variant : kernels::catalog())
    widest = std::max(widest, draw::textSize(style, kernels::numberOf(variant.id)).x);
  return std::ceil(widest);
}

// Closer where the list is longer than the room, and beside a scroll bar.
LadderLayout fit(LadderPainter& painter, const std::string& chosen, float room) {
  painter.inset = painter.view.px(kRungInset);
  LadderLayout layout = layOutFor(painter, chosen, room);
  if (layout.height <= room) return layout;
  painter.inset = painter.view.px(kTightInset);
  layout = layOutFor(painter, chosen, room);
  if (layout.height <= room) return layout;
  painter.right -= ImGui::GetStyle().ScrollbarSize;
  return layOutFor(painter, chosen, room);
}

void measureTexts(LadderPainter& painter) {
  const ViewContext& view = painter.view;
  const draw::TextStyle figures = view.code(0);
  painter.timeWidth = draw::textSize(figures, kDefaultTime).x;
  for (const RungTime& rung : painter.times.rungs)
    painter.timeWidth = std::max(painter.timeWidth, draw::textSize(figures, amountOf(painter.times, rung)).x);
  painter.timeWidth = std::ceil(painter.timeWidth);
  for (const kernels::Variant& variant : kernels::catalog())
    painter.titlesWidth =
        std::max(painter.titlesWidth, painter.indentOf(variant) +
                                          draw::textSize(view.semiBold(0, draw::kBodySize), variant.title).x);
}

void keepChosenInView(const LadderLayout& layout, const std::string& chosen, float room, LadderState& state) {
  if (state.scrolledTo != chosen) state = {.scrolledTo = chosen, .framesToSettle = kFramesToSettle};
  if (state.framesToSettle == 0) return;
  --state.framesToSettle;
  if (const LadderRow* row = layout.find(chosen))
    ImGui::SetScrollY(scrollTo(row->top, row->height, ImGui::GetScrollY(), room, layout.height));
}

void drawList(LadderPainter& painter, LadderState& state, const ScrolledPart& part, float room) {
  const std::string& chosen = painter.view.workspace.experiment().variant;
  const LadderLayout layout = fit(painter, chosen, room);
  keepChosenInView(layout, chosen, room, state);
  const ImVec2 origin = part.origin();
  for (const LadderRow& row : layout.rows) {
    if (row.variant != nullptr)
      painter.variant(row, origin.y + row.top);
    else
      painter.heading(row, origin.y + row.top, &row == layout.rows.data());
  }
  part.fill(layout.height);
}

// Whose times they are, at the panel's foot; where they are to be fetched yet, room for the button.
struct Foot {
  std::string text;
  float height = 0;  // pixels, with the gap above; 0: nothing is said
};

Foot footOf(const ViewContext& view, const LadderTimes& times, float width, float height) {
  const bool isOffered = times.rungs.empty() && view.app.areRecordingsOffered();
  const float button = view.px(draw::kControlHeight + kFootGap);
  if (isOffered && height - button >= view.px(kMinList)) return {.text = {}, .height = button};
  if (times.rungs.empty()) return {};
  Foot foot{.text = originOf(times, "Filled", "Outlined")};
  const auto linesOf = [&](const std::string& text) {
    return draw::wrappedLineCount(view.words(0), text, width);
  };
  const int lines = linesOf(foot.text);
  // Where it takes several lines, "n = 2^24" stands in one of them.
  if (const std::size_t at = foot.text.rfind(" n = "); lines > 1 && at != std::string::npos) {
    std::string whole = foot.text;
    whole[at] = '\n';
    if (linesOf(whole) == lines) foot.text = std::move(whole);
  }
  foot.height = view.px(draw::kLabelLineHeight) * float(lines) + view.px(kFootGap);
  return height - foot.height < view.px(kMinList) ? Foot{} : foot;
}

// Tabs, where both are known or may be. True: the cycles are shown.
bool chooseUnit(ViewContext& view, const draw::Panel& panel, const LadderTimes& cycles, LadderState& state) {
  if (cycles.rungs.empty()) return false;
  float end = 0;
  const int chosen = int(state.cycles);
  const int clicked = tabsFit(view, panel, kLadderTabs)
                          ? drawTabs(view, panel, kLadderTabs, chosen, view.colours().result, end)
                          : drawChoiceList(view, panel, "##unit", kLadderTabs, chosen, view.colours().result);
  if (clicked >= 0) state.cycles = clicked == 1;
  return state.cycles;
}

void drawLadder(ViewContext& view, LadderState& state) {
  const LadderTimes cycles = ladderCycles(view.replay);
  draw::Panel panel(view.draw, {.name = kLadderTitle,
                                .hasControlsInTitle = !cycles.rungs.empty(),
                                .leastWidth = 140,
                                .leastHeight = 120});
  if (!panel) return;
  const bool showsCycles = chooseUnit(view, panel, cycles, state);
  const LadderTimes& times = showsCycles ? cycles : view.times.rungs;
  const float textWidth = panel.contentMax().x - panel.contentMin().x;
  const ImVec2 min{panel.contentMin().x - view.px(draw::kPanelInset), panel.contentMin().y};
  ImVec2 max{panel.contentMax().x + view.px(draw::kPanelInset), panel.contentMax().y};
  const Foot foot = footOf(view, times, textWidth, max.y - min.y);
  max.y -= foot.height;

  if (const ScrolledPart part("variants", min, max); part) {
    const draw::TextStyle numbers = view.words(0, draw::kBodySize);
    LadderPainter painter{.view = view,
                          .times = times,
                          .list = *ImGui::GetWindowDrawList(),
                          .left = min.x,
                          .right = max.x,
                          .numberWidth = widestNumber(numbers),
                          .inset = 0,
                          .showsTimes = foot.height > 0};  // not without saying whose they are
    measureTexts(painter);
    drawList(painter, state, part, max.y - min.y);
  }
  const ImVec2 footMin{panel.contentMin().x, max.y + view.px(kFootGap)};
  if (foot.height > 0 && foot.text.empty())
    drawFetchButton(view, footMin, panel.contentMax().x);
  else if (foot.height > 0)
    view.wrapped(panel.list(), footMin, textWidth, view.px(draw::kLabelLineHeight), foot.text,
                 view.words(view.colours().dim));
}

}  // namespace

Panel ladderPanel() {
  return {.id = "ladder",
          .title = kLadderTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Left}}},
          .draw = [state = LadderState{}](ViewContext& view) mutable { drawLadder(view, state); },
          .text =
              [](const ViewContext& view) {
                return ladderTimesText(view.times.rungs) + ladderTimesText(ladderCycles(view.replay));
              },
          .givesWayToTexts = true};
}

namespace {

LadderLayout layOut(std::span<const kernels::Variant> variants, std::string_view chosen,
                    const LadderMeasures& measures, bool allSentences) {
  LadderLayout layout;
  const auto families = kernels::byFamily(variants);
  const auto add = [&](LadderRow row) {
    row.top = layout.height;
    layout.height += row.height;
    layout.rows.push_back(row);
  };
  for (const auto& family : families) {
    if (families.size() > 1)
      add({.variant = nullptr, .family = family.front()->family, .height = measures.heading});
    for (const kernels::Variant* variant : family) {
      LadderRow row{.variant = variant, .family = variant->family};
      row.titleLines = measures.titleLines(*variant);
      if (allSentences || variant->id == chosen) row.sentenceLines = measures.sentenceLines(*variant);
      row.hasTimeLine = measures.hasTimeLine && measures.hasTimeLine(*variant);
      row.height = 2 * measures.inset + measures.titleLine * float(row.titleLines) +
                   measures.sentenceLine * float(row.sentenceLines) +
                   (row.hasTimeLine ? measures.timeLine : 0);
      add(row);
    }
  }
  return layout;
}

}  // namespace

const LadderRow* LadderLayout::find(std::string_view id) const {
  for (const LadderRow& row : rows)
    if (row.variant != nullptr && row.variant->id == id) return &row;
  return nullptr;
}

LadderLayout layOutLadder(std::span<const kernels::Variant> variants, std::string_view chosen,
                          const LadderMeasures& measures, float room) {
  LadderLayout layout = layOut(variants, chosen, measures, true);
  return layout.height <= room ? layout : layOut(variants, chosen, measures, false);
}

float scrollTo(float top, float height, float scrolled, float room, float all) {
  const float round = std::min(height, std::max(0.0f, (room - height) / 2));  // a neighbour's worth
  const float least = top + height + round - room, most = top - round;
  return std::clamp(std::clamp(scrolled, std::min(least, most), most), 0.0f, std::max(0.0f, all - room));
}

}  // namespace stridescope::views
