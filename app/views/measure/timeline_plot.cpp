#include "views/measure/timeline_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "narration/measured_sentences.h"
#include "narration/wording.h"
#include "views/measure/timings_plot.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kTimelineHeadHeight = 18, kTimelineAxisHeight = 20, kRowNumberGap = 8,
                kTimelineTickRoom = 64;  // units
constexpr float kMaxSlotHeight = 26, kMinMark = 3;
constexpr std::size_t kMaxWalked = 2000;  // bars that the arrow keys go through

// What is drawn, and where.
struct TimelineFrame {
  ImVec2 min, max;
  analysis::TimeSpan span{};
  std::size_t rows = 1;

  float x(std::uint64_t time) const {
    const double share =
        (double(time) - double(span.begin)) / double(std::max<std::uint64_t>(1, span.length()));
    return std::round(min.x + (max.x - min.x) * float(std::clamp(share, -1.0, 2.0)));
  }
  float y(std::size_t row) const { return std::round(min.y + (max.y - min.y) * float(row) / float(rows)); }
  std::uint64_t timeAt(float atX) const {
    const double share = std::clamp(double(atX - min.x) / double(max.x - min.x), 0.0, 1.0);
    return span.begin + std::uint64_t(share * double(span.length()));
  }
  std::size_t rowAt(float atY) const {
    const double share = double(atY - min.y) / double(max.y - min.y);
    return std::size_t(std::clamp(share * double(rows), 0.0, double(rows - 1)));
  }
  CellBox boxOf(std::size_t row, const analysis::TimeSpan& time) const {
    const float left = std::clamp(x(time.begin), min.x, max.x), right = std::clamp(x(time.end), min.x, max.x);
    return {{left, y(row)}, {std::max(right, left + 1), std::max(y(row + 1), y(row) + 1)}};
  }
};

class TimelinePlot {
 public:
  TimelinePlot(ViewContext& view, TimelineState& state, TimelineFrame frame)
      : view_(view),
        state_(state),
        timeline_(state.grid->timeline),
        frame_(frame),
        list_(*ImGui::GetWindowDrawList()) {}

  void draw() {
    heads();
    axis();
    bars();
    labels();
    answer();
  }

 private:
  std::optional<std::size_t> row() const { return state_.oneRow ? std::optional(state_.row) : std::nullopt; }
  bool isInspected(const analysis::BlockBar& bar) const {
    return bar.launch == view_.replay.playhead().launch &&
           bar.block == view_.replay.launch().recorded().block;
  }

  void axis() const {
    const draw::TextStyle style = view_.code(view_.colours().dim);
    const int count = std::max(2, int((frame_.max.x - frame_.min.x) / view_.px(kTimelineTickRoom)));
    bool first = true;
    for (const AxisTick& tick : axisTicks(AxisKind::Microseconds, double(frame_.span.begin) / 1e3,
                                          double(frame_.span.end) / 1e3, count)) {
      const float x = frame_.x(std::uint64_t(std::max(0.0, tick.value) * 1e3));
      if (x < frame_.min.x || x > frame_.max.x) continue;
      list_.AddRectFilled({x, frame_.max.y}, {x + 1, frame_.max.y + view_.px(4)}, view_.colours().line);
      const std::string text = tick.label + (first ? " µs" : "");
      first = false;
      const float width = draw::textSize(style, text).x;
      const float left =
          std::clamp(x - width / 2, frame_.min.x, std::max(frame_.min.x, frame_.max.x - width));
      view_.textAt(list_, {left, frame_.max.y + view_.px(5)}, text, style);
    }
  }

  // Launches and gaps by name, as far as they have room.
  void heads() const {
    const draw::TextStyle dim = view_.words(view_.colours().dim);
    const draw::TextStyle strong = view_.semiBold(view_.colours().text);
    const auto name = [&](const analysis::TimeSpan& span, const std::string& text,
                          const draw::TextStyle& style) {
      const float left = std::max(frame_.x(span.begin), frame_.min.x),
                  right = std::min(frame_.x(span.end), frame_.max.x);
      const std::string time = timeText(double(span.length()) / 1e3);
      for (const std::string& each : {text + ", " + time, text, time}) {
        const float width = draw::textSize(style, each).x;
        if (width > right - left) continue;
        view_.textAt(list_,
                     {std::round((left + right - width) / 2), frame_.min.y - view_.px(kTimelineHeadHeight)},
                     each, style);
        return;
      }
    };
    for (std::size_t launch = 0; launch < timeline_.launches.size(); ++launch) {
      const analysis::TimeSpan& span = timeline_.launches[launch].time;
      const float left = frame_.x(span.begin), right = std::max(frame_.x(span.end), left + view_.px(2));
      if (right < frame_.min.x || left > frame_.max.x) continue;
      list_.AddRectFilled({std::max(left, frame_.min.x), frame_.min.y - view_.px(2)},
                          {std::min(right, frame_.max.x), frame_.min.y - view_.px(1)},
                          view_.colours().operand);
      const bool shown = launch == view_.replay.playhead().launch;
      name(span, "launch " + figure(launch), shown ? strong : dim);
    }
    for (std::size_t gap = 0; gap < timeline_.gaps.size(); ++gap)
      name(timeline_.gaps[gap], narration::gapName(timeline_, gap), dim);
  }

  void bars() {
    const draw::Palette& colours = view_.colours();
    const auto columns = std::size_t(std::max(1.0f, frame_.max.x - frame_.min.x));
    const BarsShown shown{.timeline = {state_.grid, &timeline_},
                          .span = frame_.span,
                          .row = row(),
                          .columns = columns,
                          .maxRows = std::size_t(std::max(1.0f, frame_.max.y - frame_.min.y)),
                          .launch = view_.replay.playhead().launch,
                          .block = view_.replay.launch().recorded().block};
    const std::vector<std::uint8_t>& cells = state_.bars.cells(shown);
    draw::GridPicture picture{.name = "timeline",
                              .columns = int(columns),
                              .rows = int(state_.bars.rows()),
                              .cells = cells,
                              .styles = {},
                              .gapPx = state_.oneRow ? 1 : 0};
    const auto amounts = draw::amountStyles(colours.dead);
    const std::array<draw::CellStyle, 4> kinds{{{.fill = colours.dead},
                                                {.fill = draw::mix(colours.panel, colours.dim, 0.75f)},
                                                {.fill = draw::mix(colours.panel, colours.dim, 0.5f)},
                                                {.fill = colours.result}}};
    picture.styles = state_.oneRow ? std::span<const draw::CellStyle>(kinds) : amounts;
    // A gap between slots, and none between columns.
    if (state_.oneRow) picture.gapPx = 0;
    draw::paintGrid(view_.draw, list_, frame_.min, frame_.max, picture);
    if (!state_.oneRow) markInspected();
  }

  // The inspected block, in the picture of all: at least a few pixels wide.
  void markInspected() const {
    for (const analysis::BlockBar& bar : timeline_.bars) {
      if (!isInspected(bar)) continue;
      CellBox box = frame_.boxOf(bar.row, bar.time);
      if (bar.time.end < frame_.span.begin || bar.time.begin > frame_.span.end) return;
      const float least = view_.px(kMinMark);
      box.max = {std::max(box.max.x, box.min.x + least), std::max(box.max.y, box.min.y + least)};
      list_.AddRectFilled(box.min, box.max, view_.colours().result);
      list_.AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, view_.colours().ink);
      return;
    }
  }

  void labels() {
    const draw::TextStyle style = view_.code(view_.colours().dim);
    const float left = ImGui::GetWindowPos().x, height = (frame_.max.y - frame_.min.y) / float(frame_.rows);
    std::size_t step = 1;
    while (float(step) * height < view_.px(draw::kLabelLineHeight)) step *= 2;
    for (std::size_t each = 0; each < frame_.rows; each += step) {
      const float middle = (frame_.y(each) + frame_.y(each + 1)) / 2 - view_.px(draw::kLabelLineHeight) / 2;
      const std::string text = state_.oneRow ? figure(each) : figure(timeline_.rows[each].multiprocessor);
      view_.text(list_, {left, middle},
                 {frame_.min.x - view_.px(kRowNumberGap), middle + view_.px(draw::kLabelLineHeight)}, text,
                 style, draw::TextAlign::Right);
    }
  }

  void answer() {
    const HitArea area = walkArea(view_, "timeline", frame_.min, frame_.max, [&](const AddCell& add) {
      if (state_.oneRow)
        addBars(add);
      else
        for (std::size_t each = 0; each < frame_.rows; ++each) add(frame_.boxOf(each, frame_.span), false);
    });
    const double perPixel =
        double(frame_.span.length()) / double(std::max(1.0f, frame_.max.x - frame_.min.x));
    const std::uint64_t time = frame_.timeAt(frame_.min.x + area.pointer.x);
    zoomAndPan(view_, area,
               {.all = std::size_t(timeline_.nanoseconds),
                .first = std::size_t(frame_.span.begin),
                .inView = std::size_t(frame_.span.length()),
                .width = float(1 / std::max(perPixel, 1e-6)),
                .pointer = double(time)},
               state_.moved);
    if (!area.hovered && !area.clicked) return;
    const std::size_t line = frame_.rowAt(frame_.min.y + area.pointer.y);
    if (!state_.oneRow && area.byKey) {
      if (area.clicked) state_.oneRow = true, state_.row = line;
      if (area.hovered) wideTooltip(view_, "SM " + figure(timeline_.rows[line].multiprocessor));
      return;
    }
    const analysis::BlockBar* const bar = barAt(line, time, area.pointer);
    if (bar == nullptr) {
      if (area.hovered) tellNothing(line, time);
      return;
    }
    if (area.hovered) {
      tellBlock(*bar, time);
      if (state_.oneRow) {
        const CellBox box = frame_.boxOf(bar->slot, bar->time);
        draw::drawHoverRing(view_.draw, list_, box.min, box.max);
      }
    }
    if (area.clicked && !isInspected(*bar))
      view_.commands.push_back(session::Choose::block(bar->launch, bar->block));
  }

  void addBars(const AddCell& add) const {
    std::size_t added = 0;
    for (const std::uint32_t index : timeline_.rows[state_.row].bars) {
      const analysis::BlockBar& bar = timeline_.bars[index];
      if (bar.time.end < frame_.span.begin || bar.time.begin > frame_.span.end) continue;
      if (++added > kMaxWalked) return;
      add(frame_.boxOf(bar.slot, bar.time), isInspected(bar));
    }
  }

  // In the picture of all, a row's slots lie below each other in it.
  const analysis::BlockBar* barAt(std::size_t line, std::uint64_t time, ImVec2 pointer) const {
    if (state_.oneRow) return timeline_.at(state_.row, unsigned(line), time);
    const auto resident = timeline_.resident(line, time);
    if (resident.empty()) return nullptr;
    const float height = std::max(1.0f, frame_.y(line + 1) - frame_.y(line));
    const float into = std::clamp((frame_.min.y + pointer.y - frame_.y(line)) / height, 0.0f, 0.999f);
    return resident[std::size_t(into * float(resident.size()))];
  }

  void tellBlock(const analysis::BlockBar& bar, std::uint64_t time) const {
    std::string text = narration::blockTimes(timeline_, bar);
    text.front() = 'B';
    if (!state_.oneRow)
      text += "\n" + figure(timeline_.resident(bar.row, time).size()) + " of " +
              narration::count(timeline_.slots, "place") + " filled";
    if (!isInspected(bar)) text += "\nClick: inspect this block";
    wideTooltip(view_, text);
  }

  void tellNothing(std::size_t line, std::uint64_t time) const {
    for (std::size_t gap = 0; gap < timeline_.gaps.size(); ++gap) {
      const analysis::TimeSpan& span = timeline_.gaps[gap];
      if (time < span.begin || time >= span.end) continue;
      const std::string name = narration::capitalized(narration::gapName(timeline_, gap));
      return wideTooltip(view_, name + ": " + timeText(double(span.length()) / 1e3));
    }
    const std::size_t row = state_.oneRow ? state_.row : line;
    wideTooltip(view_, "SM " + figure(timeline_.rows[row].multiprocessor) + ": no block here at this moment");
  }

  ViewContext& view_;
  TimelineState& state_;
  const analysis::GridTimeline& timeline_;
  const TimelineFrame frame_;
  ImDrawList& list_;
};

// What is in view: what a person zoomed to, else all.
analysis::TimeSpan spanShown(const analysis::GridTimeline& timeline, const ZoomAndPan& moved) {
  const std::uint64_t all = std::max<std::uint64_t>(1, timeline.nanoseconds);
  const std::uint64_t length = std::clamp<std::uint64_t>(moved.inView.value_or(all), 1, all);
  const std::uint64_t first = std::min<std::uint64_t>(moved.first.value_or(0), all - length);
  return {first, first + length};
}

}  // namespace

void drawTimelinePlot(ViewContext& view, ImVec2 min, ImVec2 max, TimelineState& state) {
  const analysis::GridTimeline& timeline = state.grid->timeline;
  state.row = std::min(state.row, timeline.rows.size() - 1);
  const draw::TextStyle labels = view.code(view.colours().dim);
  const std::size_t rows = state.oneRow ? std::max(1u, timeline.slots) : timeline.rows.size();
  TimelineFrame frame{.min = {min.x + std::ceil(draw::textSize(labels, figure(timeline.rows.size() - 1)).x) +
                                  view.px(kRowNumberGap),
                              min.y + view.px(kTimelineHeadHeight)},
                      .max = {max.x, max.y - view.px(kTimelineAxisHeight)},
                      .span = spanShown(timeline, state.moved),
                      .rows = rows};
  if (state.oneRow) frame.max.y = std::min(frame.max.y, frame.min.y + view.px(kMaxSlotHeight) * float(rows));
  frame.max = {std::max(frame.max.x, frame.min.x + 1), std::max(frame.max.y, frame.min.y + 1)};
  TimelinePlot(view, state, frame).draw();
}

namespace {

constexpr std::size_t kWideBar = 4;  // pixels from which on a bar has a gap before it

// Rows of a picture, several as one: their average, at least 1 where one of them is.
std::vector<std::uint8_t> foldedRows(const std::vector<std::uint8_t>& picture, std::size_t rows,
                                     std::size_t columns, std::size_t fewer) {
  std::vector<std::uint8_t> folded(fewer * columns);
  for (std::size_t row = 0; row < fewer; ++row) {
    const std::size_t first = row * rows / fewer, last = (row + 1) * rows / fewer;
    for (std::size_t column = 0; column < columns; ++column) {
      std::size_t sum = 0;
      for (std::size_t each = first; each < last; ++each) sum += picture[each * columns + column];
      const std::size_t average = (sum + (last - first) / 2) / (last - first);
      folded[row * columns + column] = std::uint8_t(sum > 0 ? std::max<std::size_t>(1, average) : 0);
    }
  }
  return folded;
}

std::vector<std::uint8_t> slotsOf(const BarsShown& shown) {
  const analysis::GridTimeline& timeline = *shown.timeline;
  std::vector<std::uint8_t> cells(std::size_t(timeline.slots) * shown.columns);
  std::vector<bool> odd(timeline.slots);
  const double columnsPerNs = double(shown.columns) / double(std::max<std::uint64_t>(1, shown.span.length()));
  const auto columnOf = [&](std::uint64_t time) {
    const double column = (double(time) - double(shown.span.begin)) * columnsPerNs;
    return std::size_t(std::clamp(std::round(column), 0.0, double(shown.columns)));
  };
  for (const std::uint32_t index : timeline.rows[*shown.row].bars) {
    const analysis::BlockBar& bar = timeline.bars[index];
    odd[bar.slot] = !odd[bar.slot];
    if (bar.time.end < shown.span.begin || bar.time.begin >= shown.span.end) continue;
    std::size_t from = columnOf(bar.time.begin), to = columnOf(bar.time.end);
    if (from == shown.columns) continue;
    to = std::max(to, from + 1);
    if (to - from >= kWideBar && bar.time.begin > shown.span.begin) ++from;
    const bool inspected = bar.launch == shown.launch && bar.block == shown.block;
    const BarCell cell = inspected ? BarCell::Inspected : odd[bar.slot] ? BarCell::Odd : BarCell::Even;
    std::fill_n(cells.begin() + std::ptrdiff_t(bar.slot * shown.columns + from), to - from,
                std::uint8_t(cell));
  }
  return cells;
}

}  // namespace

const std::vector<std::uint8_t>& GridBars::cells(const BarsShown& shown) {
  if (shown_ == shown) return cells_;
  shown_ = shown;
  ++drawn_;
  if (shown.row) {
    rows_ = std::max(1u, shown.timeline->slots);
    cells_ = slotsOf(shown);
    cells_.resize(rows_ * shown.columns);
    return cells_;
  }
  const std::size_t rows = shown.timeline->rows.size();
  cells_ = analysis::residencyPicture(*shown.timeline, shown.span, shown.columns);
  rows_ = std::clamp<std::size_t>(shown.maxRows, 1, rows);
  if (rows_ < rows) cells_ = foldedRows(cells_, rows, shown.columns, rows_);
  return cells_;
}

}  // namespace stridescope::views
