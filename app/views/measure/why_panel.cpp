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
                kWhyInset = 6;        // units
constexpr float kMiniBar = 0.3f;      // a share of the width: a bound's bar
constexpr float kTitleShare = 0.35f;  // of the width: a step's name at most

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

  // A row for each step: its bar begins where that of the step before it ends. Steps that are rounds are
  // buttons to them.
  void waterfall(const analysis::StepPrices& prices) {
    top_ += view_.px(kWhyGap);
    const Columns columns = columnsFor(prices.steps);
    const auto most = analysis::costliestSteps(prices.steps);
    double begin = 0;
    for (std::size_t i = 0; i < prices.steps.size(); ++i) {
      const analysis::PricedStep& step = prices.steps[i];
      const std::string title = narration::stepTitle(step);
      const std::string interval =
          decimalText(step.low, 2) + " to " + decimalText(step.high, 2) + " µs with 95 % confidence";
      const bool costliest = std::ranges::find(most, step) != most.end();
      const Row row = rowArea(std::to_string(i) + " " + title, interval, step.round.has_value());
      if (row.clicked) view_.commands.push_back(session::GoToRound{step.launch, *step.round});
      if (isShown(step)) mark(row.min);
      waterfallBar(row.min, columns.barLeft, columns.barRight, begin, step.microseconds,
                   prices.record.wholeMicroseconds, colourOf(step.kind, costliest));
      rowTexts(row.min, columns.barLeft, title, "", costliest);
      rowTexts({columns.barRight, row.min.y}, right_, "", decimalText(step.microseconds, 2) + " µs",
               costliest);
      begin += step.microseconds;
    }
  }

  // Two waterfalls on one scale, the differences at the right; the largest are marked.
  void waterfalls(const lab::RunCosts& costs, const analysis::RungChange& change) {
    top_ += view_.px(kWhyGap);
    const std::vector<narration::StepRow> rows = narration::stepRows(change);
    const Columns columns = columnsFor(rows);
    const float middle = std::round((columns.barLeft + columns.barRight) / 2), gap = view_.px(kWhyGap) / 2;
    const double whole =
        std::max(costs.before->prices->record.wholeMicroseconds, costs.own->prices->record.wholeMicroseconds);
    head(columns.barLeft, middle - gap, "before");
    head(middle + gap, columns.barRight, "after");
    head(columns.barRight, right_, "µs");
    top_ += view_.px(draw::kLabelLineHeight + 2);
    double before = 0, after = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const narration::StepRow& text = rows[i];
      const analysis::StepDifference& step = change.steps[i];
      const Row row =
          rowArea("step " + text.title, text.before + " µs before, " + text.after + " µs after", false);
      if (text.isLargest) mark(row.min);
      const ImU32 colour = colourOf(step.kind, text.isLargest);
      waterfallBar(row.min, columns.barLeft, middle - gap, before, step.before.value_or(0), whole, colour);
      waterfallBar(row.min, middle + gap, columns.barRight, after, step.after.value_or(0), whole, colour);
      rowTexts(row.min, columns.barLeft, text.title, "", text.isLargest);
      rowTexts({columns.barRight, row.min.y}, right_, "", text.change, text.isLargest);
      before += step.before.value_or(0), after += step.after.value_or(0);
    }
  }

  // Each with how long it takes if nothing else did.
  void bounds(const analysis::ReductionCost& reduction) {
    const std::vector<analysis::Bound> bounds = analysis::boundsOf(reduction);
    if (bounds.empty()) return;
    top_ += view_.px(kWhyGap);
    words("Bounds, which overlap: what each would take if nothing else did", view_.colours().dim);
    const double most = std::max(reduction.cost.microseconds, bounds.front().microseconds);
    for (const analysis::Bound& bound : bounds) {
      const narration::BoundText text = narration::boundText(bound, reduction);
      const ImVec2 min = rowArea(text.title, text.formula, false).min;
      const float width = (right_ - left_) * kMiniBar, x = right_ - width;
      const float length = std::max(view_.px(1), width * float(bound.microseconds / most));
      list_.AddRectFilled({x, min.y + view_.px(5)}, {x + length, min.y + view_.px(kWhyRowHeight - 5)},
                          view_.colours().live);
      rowTexts(min, x - view_.px(kWhyColumnGap), text.title, text.time, false);
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

  // The sizes of which prices are recorded, to choose.
  void sizes(std::span<const std::uint64_t> elements) {
    if (!elements.empty()) top_ = drawSizeButtons(view_, {left_, top_ + view_.px(kWhyGap)}, right_, elements);
  }

  // What changed, a row each: before, after, and the factor.
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
      const bool time = row.figure == analysis::ChangedFigure::Time;
      const ImVec2 min = rowArea(row.title, {}, false).min;
      const auto cell = [&](float right, const std::string& text) {
        const draw::TextStyle style =
            time ? view_.codeBold(view_.colours().text) : view_.code(view_.colours().text);
        const float width = draw::textSize(style, text).x;
        view_.text(list_, {right - width - 1, min.y}, {right + 1, min.y + view_.px(kWhyRowHeight)}, text,
                   style, draw::TextAlign::Right);
      };
      const draw::TextStyle title =
          time ? view_.semiBold(view_.colours().text) : view_.words(view_.colours().dim);
      view_.text(list_, min, {titleRight, min.y + view_.px(kWhyRowHeight)}, row.title, title);
      cell(beforeRight, row.before);
      cell(afterRight, row.after);
      cell(right_, row.factor);
    }
  }

 private:
  // Where the bars lie: between the widest title and the figures.
  struct Columns {
    float barLeft = 0, barRight = 0;
  };
  template <class Rows>
  Columns columnsFor(const Rows& rows) const {
    float widest = 0;
    for (const auto& row : rows) {
      if constexpr (requires { row.title; })
        widest = std::max(widest, draw::textSize(view_.semiBold(0), row.title).x);
      else
        widest = std::max(widest, draw::textSize(view_.semiBold(0), narration::stepTitle(row)).x);
    }
    const float figures = draw::textSize(view_.codeBold(0), "-1000.00 µs").x;
    const float most = (right_ - left_) * kTitleShare;
    return {std::round(left_ + std::min(widest, most) + view_.px(kWhyColumnGap)),
            std::round(right_ - figures - view_.px(kWhyGap))};
  }

  bool isShown(const analysis::PricedStep& step) const {
    const auto& playhead = view_.replay.playhead();
    return step.round && playhead.launch == step.launch && playhead.round == *step.round;
  }

  ImU32 colourOf(analysis::PricedKind kind, bool strong) const {
    const draw::Palette& colours = view_.colours();
    if (strong) return colours.result;
    // The grey has the presenter's contrast while the window presents.
    if (kind == analysis::PricedKind::Empty)
      return draw::mix(colours.panel, colours.dim, view_.app.isPresenting() ? 1 : 0.7f);
    return kind == analysis::PricedKind::Load ? colours.operand : colours.live;
  }

  void mark(ImVec2 min) {
    list_.AddRectFilled({left_ - view_.px(6), min.y}, {left_ - view_.px(3), min.y + view_.px(kWhyRowHeight)},
                        view_.colours().result);
  }

  // From `begin` on for so long, either of which noise may make negative.
  void waterfallBar(ImVec2 min, float left, float right, double begin, double length, double whole,
                    ImU32 colour) {
    const auto at = [&](double time) {
      return left + (right - left) * float(std::clamp(time / std::max(whole, 1e-9), 0.0, 1.0));
    };
    const float from = at(std::min(begin, begin + length)), to = at(std::max(begin, begin + length));
    list_.AddRectFilled({from, min.y + view_.px(4)},
                        {std::max(to, from + view_.px(1)), min.y + view_.px(kWhyRowHeight - 4)}, colour);
  }

  struct Row {
    ImVec2 min{};
    bool clicked = false;
  };
  Row rowArea(const std::string& title, const std::string& tooltip, bool isButton) {
    const ImVec2 min{left_, top_}, max{right_, top_ + view_.px(kWhyRowHeight)};
    const HitArea area = hitArea(("row " + title).c_str(), min, max);
    if (area.hovered && (isButton || !tooltip.empty()))
      list_.AddRectFilled({min.x - view_.px(3), min.y}, {max.x + view_.px(3), max.y}, view_.colours().raised);
    if (!tooltip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view_, tooltip);
    top_ = max.y;
    return {min, isButton && area.clicked};
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

void drawTime(ViewContext& view, const lab::RunCosts& costs) {
  const analysis::ReductionCost& own = *costs.own;
  WhyPainter painter(view);
  painter.sentence(narration::whySentence(own, costs.pricedSizes), true);
  if (!own.prices)
    painter.sizes(costs.pricedSizes);
  else if (!own.prices->steps.empty())
    painter.waterfall(*own.prices);
  painter.bounds(own);
  painter.sentence(narration::gpuLimits(own.cost.limits), false);
  painter.sentence(narration::emptyLaunchSentence(own.cost), false);
}

void drawChange(ViewContext& view, const lab::RunCosts& costs) {
  WhyPainter painter(view);
  const analysis::RungChange change = analysis::changeFrom(*costs.before, *costs.own);
  painter.sentence(narration::changeSentence(change), true);
  painter.sentence("From " + kernels::titleOf(costs.before->cost.experiment.variant) +
                       narration::otherBlocks(*costs.before, *costs.own) + ", to " +
                       kernels::titleOf(costs.own->cost.experiment.variant) + ":",
                   false);
  if (!change.steps.empty()) painter.waterfalls(costs, change);
  painter.changes(change);
}

// What scrolls, and below it whose the figures are, which is always to be seen.
void drawWithOrigin(ViewContext& view, const draw::Panel& panel, const lab::RunCosts& costs, int tab) {
  const float bottom = drawFoot(view, panel, narration::costedRun(measuredFrom(costs), *costs.own));
  const ImVec2 min = panel.contentMin();
  const float inset = view.px(kWhyInset);
  const ScrolledPart part("why", {min.x - inset, min.y}, {panel.contentMax().x + inset, bottom});
  if (part) tab == 0 ? drawTime(view, costs) : drawChange(view, costs);
}

void drawWhyPanel(ViewContext& view, int& tab) {
  draw::Panel panel(view.draw,
                    {.name = kWhyTitle, .hasControlsInTitle = true, .leastWidth = 280, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  const lab::RunCosts& costs = view.replay.costs();
  if (!costs.own) {
    return drawInstead(view, panel, whyNone(view, costs.why, narration::noCosts(costs.pricedSizes)),
                       costs.pricedSizes);
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
                            view.replay.costs().before ? &*view.replay.costs().before : nullptr,
                            view.replay.costs().pricedSizes);
}

}  // namespace

Panel whyPanel() {
  return {.id = "why",
          .title = kWhyTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
          .draw = [tab = 0](ViewContext& view) mutable { drawWhyPanel(view, tab); },
          .text = whyText,
          .isOfRecordings = true};
}

}  // namespace stridescope::views
