#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/text_maps.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"
#include "views/panels.h"
#include "views/shared/shown_round.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kWhyTitle = "Why";
constexpr float kWhyBarHeight = 26, kWhyRowHeight = 18, kWhyGap = 8, kWhyColumnGap = 14,
                kWhyInset = 6;    // units
constexpr float kMiniBar = 0.3f;  // a share of the width: a limit's bar

class WhyPainter {
 public:
  // From the cursor of the current window down, as wide as its content.
  explicit WhyPainter(ViewContext& view)
      : view_(view),
        list_(*ImGui::GetWindowDrawList()),
        left_(ImGui::GetCursorScreenPos().x + view.px(kWhyInset)),
        right_(ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x - view.px(kWhyInset)),
        begin_(ImGui::GetCursorScreenPos().y),
        top_(begin_) {}
  // Tells the window how long it got.
  ~WhyPainter() {
    ImGui::SetCursorScreenPos({left_, begin_});
    ImGui::Dummy({1, top_ - begin_});
  }
  WhyPainter(const WhyPainter&) = delete;
  WhyPainter& operator=(const WhyPainter&) = delete;

  // One bar: launching, memory and the rest, from the left; where launching and memory overlap, memory ends
  // at the right.
  void bar(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts) {
    const draw::Palette& colours = view_.colours();
    const narration::PartText launching = narration::launchingText(reduction, parts),
                              memory = narration::memoryText(reduction, parts),
                              rest = narration::restText(parts);
    const double total = std::max(parts.total, 1e-9);
    const auto at = [&](double time) {
      return std::round(left_ + (right_ - left_) * float(std::clamp(time / total, 0.0, 1.0)));
    };
    const float bottom = top_ + view_.px(kWhyBarHeight);
    const float launched = at(parts.launching);
    const bool overlaps = parts.rest() < 0;
    const float memoryFrom = overlaps ? at(parts.total - parts.memory) : launched;
    const float memoryTo = overlaps ? right_ : at(parts.launching + parts.memory);
    // The grey has the presenter's contrast while the window presents.
    const ImU32 grey = draw::mix(colours.panel, colours.dim, view_.app.isPresenting() ? 1 : 0.7f);
    bool told = part({left_, top_}, {launched, bottom}, grey, launching);
    told = part({memoryFrom, top_}, {memoryTo, bottom}, colours.operand, memory) && told;
    if (overlaps) {
      list_.AddRectFilled({memoryFrom, top_}, {launched, bottom}, colours.field);
      draw::drawHatch(view_.draw, list_, {memoryFrom, top_}, {launched, bottom}, colours.text);
      told = false;
    } else {
      told = part({memoryTo, top_}, {right_, bottom}, colours.result, rest) && told;
    }
    top_ = bottom;
    if (told) return;
    top_ += view_.px(kWhyGap);
    swatch(grey, launching);
    swatch(colours.operand, memory);
    swatch(overlaps ? colours.field : colours.result, rest);
  }

  // What holds the rest up, each with how long it takes by itself.
  void limits(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts) {
    if (parts.limits.empty()) return;
    top_ += view_.px(kWhyGap);
    words("What takes its time by itself, if nothing else did:", view_.colours().dim);
    const double most = std::max(parts.total, parts.limits.front().microseconds);
    for (std::size_t i = 0; i < parts.limits.size(); ++i) {
      const narration::PartText text = narration::limitText(parts.limits[i], reduction, parts);
      const ImVec2 min = rowArea(text.title, text.formula);
      const float width = (right_ - left_) * kMiniBar, x = right_ - width;
      const float length = std::max(view_.px(1), width * float(parts.limits[i].microseconds / most));
      list_.AddRectFilled({x, min.y + view_.px(5)}, {x + length, min.y + view_.px(kWhyRowHeight - 5)},
                          i == 0 ? view_.colours().result : view_.colours().live);
      rowTexts(min, x - view_.px(kWhyColumnGap), text.title, text.time, i == 0);
    }
  }

  void sentence(const std::string& text, bool strong) {
    if (text.empty()) return;
    if (top_ > begin_) top_ += view_.px(kWhyGap);
    const draw::TextStyle style =
        strong ? view_.semiBold(view_.colours().text, draw::kBodySize) : view_.words(view_.colours().dim);
    const float line = view_.px(strong ? 19 : draw::kLabelLineHeight);
    top_ = view_.wrapped(list_, {left_, top_}, right_ - left_, line, text, style).max.y;
  }

  // What changed, a row each: before, after, and the factor; the cause is marked.
  void changes(const analysis::RungChange& change) {
    const std::vector<narration::ChangeText> rows = narration::changeTexts(change);
    const draw::TextStyle code = view_.code(0);
    const auto widest = [&](auto textOf) {
      float width = view_.px(40);
      for (const narration::ChangeText& row : rows)
        width = std::max(width, std::ceil(draw::textSize(code, textOf(row)).x));
      return width + view_.px(kWhyColumnGap);
    };
    const float factorWidth = widest([](const auto& row) { return row.factor; });
    const float afterRight = right_ - factorWidth;
    const float beforeRight = afterRight - widest([](const auto& row) { return row.after; });
    const float titleRight = beforeRight - widest([](const auto& row) { return row.before; });
    head(titleRight, beforeRight, "before");
    head(beforeRight, afterRight, "after");
    head(afterRight, right_, "factor");
    top_ += view_.px(draw::kLabelLineHeight + 2);
    for (const narration::ChangeText& row : rows) {
      const bool cause = change.cause == row.figure, time = row.figure == analysis::ChangedFigure::Time;
      const ImVec2 min = rowArea(row.title, {});
      if (cause)
        list_.AddRectFilled({left_ - view_.px(6), min.y},
                            {left_ - view_.px(3), min.y + view_.px(kWhyRowHeight)}, view_.colours().result);
      const auto cell = [&](float right, const std::string& text) {
        const draw::TextStyle style =
            cause || time ? view_.codeBold(view_.colours().text) : view_.code(view_.colours().text);
        const float width = draw::textSize(style, text).x;
        view_.text(list_, {right - width - 1, min.y}, {right + 1, min.y + view_.px(kWhyRowHeight)}, text,
                   style, draw::TextAlign::Right);
      };
      const draw::TextStyle title =
          cause || time ? view_.semiBold(view_.colours().text) : view_.words(view_.colours().dim);
      view_.text(list_, min, {titleRight, min.y + view_.px(kWhyRowHeight)},
                 row.title + (cause ? " (largest cause)" : ""), title);
      cell(beforeRight, row.before);
      cell(afterRight, row.after);
      cell(right_, row.factor);
    }
  }

 private:
  // Whether it could tell its title and its time.
  bool part(ImVec2 min, ImVec2 max, ImU32 colour, const narration::PartText& text) {
    if (max.x <= min.x) return false;
    list_.AddRectFilled(min, max, colour);
    const draw::TextStyle style = view_.semiBold(draw::readableOn(colour));
    const std::string named = text.title + " " + text.time;
    std::string fits;
    for (const std::string& each : {text.share, text.time, named, named + ", " + text.share})
      if (draw::textSize(style, each).x + view_.px(8) <= max.x - min.x) fits = each;
    view_.text(list_, min, max, fits, style, draw::TextAlign::Centre);
    hitArea(("part " + text.title).c_str(), min, max);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view_, text.formula);
    return fits.size() >= named.size();
  }

  void swatch(ImU32 colour, const narration::PartText& text) {
    const ImVec2 min = rowArea(text.title, text.formula);
    list_.AddRectFilled({left_, min.y + view_.px(4)}, {left_ + view_.px(12), min.y + view_.px(16)}, colour);
    rowTexts({left_ + view_.px(20), min.y}, right_, text.title, text.time + "  " + text.share, false);
  }

  ImVec2 rowArea(const std::string& title, const std::string& formula) {
    const ImVec2 min{left_, top_}, max{right_, top_ + view_.px(kWhyRowHeight)};
    const HitArea area = hitArea(("row " + title).c_str(), min, max);
    if (area.hovered && !formula.empty())
      list_.AddRectFilled({min.x - view_.px(3), min.y}, {max.x + view_.px(3), max.y}, view_.colours().raised);
    if (!formula.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view_, formula);
    top_ = max.y;
    return min;
  }

  void rowTexts(ImVec2 min, float right, const std::string& title, const std::string& figures, bool strong) {
    const ImU32 colour = view_.colours().text;
    const draw::TextStyle words = strong ? view_.semiBold(colour) : view_.words(colour);
    const draw::TextStyle code = strong ? view_.codeBold(colour) : view_.code(colour);
    const float width = draw::textSize(code, figures).x, bottom = min.y + view_.px(kWhyRowHeight);
    view_.text(list_, min, {right - width - view_.px(kWhyGap), bottom}, title, words);
    view_.text(list_, {right - width - 1, min.y}, {right + 1, bottom}, figures, code, draw::TextAlign::Right);
  }

  void head(float left, float right, const std::string& text) {
    view_.text(list_, {left + view_.px(4), top_}, {right + 1, top_ + view_.px(draw::kLabelLineHeight)}, text,
               view_.words(view_.colours().dim), draw::TextAlign::Right);
  }

  void words(const std::string& text, ImU32 colour) {
    view_.text(list_, {left_, top_}, {right_, top_ + view_.px(draw::kLabelLineHeight)}, text,
               view_.words(colour));
    top_ += view_.px(draw::kLabelLineHeight + 2);
  }

  ViewContext& view_;
  ImDrawList& list_;
  const float left_, right_, begin_;
  float top_;
};

void drawTime(ViewContext& view, const analysis::ReductionCost& own) {
  const analysis::TimeParts parts = analysis::timePartsOf(own);
  WhyPainter painter(view);
  painter.bar(own, parts);
  painter.sentence(narration::whySentence(own, parts), true);
  painter.limits(own, parts);
  painter.sentence(narration::gpuLimits(own.cost.limits), false);
}

void drawChange(ViewContext& view, const lab::RunCosts& costs) {
  WhyPainter painter(view);
  const analysis::RungChange change = analysis::changeFrom(*costs.before, *costs.own);
  painter.sentence(narration::changeSentence(change), true);
  painter.sentence("From " + kernels::titleOf(costs.before->cost.experiment.variant) +
                       narration::otherBlocks(*costs.before, *costs.own) + ", to " +
                       kernels::titleOf(costs.own->cost.experiment.variant) + ":",
                   false);
  painter.changes(change);
}

// What scrolls, and below it whose the figures are, which is always to be seen.
void drawWithOrigin(ViewContext& view, const draw::Panel& panel, const lab::RunCosts& costs, int tab) {
  const float bottom = drawFoot(view, panel, narration::costedRun(measuredFrom(costs), costs.own->cost));
  const ImVec2 min = panel.contentMin();
  const float inset = view.px(kWhyInset);
  const ScrolledPart part("why", {min.x - inset, min.y}, {panel.contentMax().x + inset, bottom});
  if (part) tab == 0 ? drawTime(view, *costs.own) : drawChange(view, costs);
}

void drawWhyPanel(ViewContext& view, int& tab) {
  draw::Panel panel(view.draw,
                    {.name = kWhyTitle, .hasControlsInTitle = true, .leastWidth = 280, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  const lab::RunCosts& costs = view.replay.costs();
  if (!costs.own) {
    drawInstead(view, panel, whyNone(view, costs.why, narration::noCosts()));
    return;
  }
  const std::array<Choice, 2> tabs{{{"its time"}, {"what changed"}}};
  const std::size_t count = costs.before ? 2 : 1;
  float end = 0;
  const int shown = std::min(tab, int(count) - 1);
  const int clicked = drawTabs(view, panel, std::span(tabs).first(count), shown, view.colours().result, end);
  if (clicked >= 0) tab = clicked;
  drawWithOrigin(view, panel, costs, shown);
}

std::string whyText(const ViewContext& view) {
  if (!view.replay.run() || !view.replay.costs().own) return {};
  return narration::whyText(measuredFrom(view.replay.costs()), *view.replay.costs().own,
                            view.replay.costs().before ? &*view.replay.costs().before : nullptr);
}

}  // namespace

Panel whyPanel() {
  return {.id = "why",
          .title = kWhyTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
          .draw = [tab = 0](ViewContext& view) mutable { drawWhyPanel(view, tab); },
          .text = whyText};
}

}  // namespace stridescope::views
