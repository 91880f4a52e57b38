// Ladder: a bar a variant, as taught or the fastest first, with what it comes to.
#include <algorithm>
#include <array>
#include <cmath>

#include "timing/timing_rows.h"
#include "views/timings_published.h"
#include "views/timings_tabs.h"

namespace stridescope {
namespace {

constexpr float kRow = 20, kHeading = 20, kColumnGap = 10, kLeastBar = 60, kMarkRoom = 18;  // units
constexpr float kMostNameShare = 0.36f;

enum class Column { Time, Gigabytes, Ceiling, ToFirst, ToPrevious };
struct ColumnSpec {
  Column column;
  const char* heading;
  const char* widest;
};
// In the order in which they stay while the panel gets narrow.
constexpr std::array<ColumnSpec, 5> kColumns{{{Column::Time, "µs", "28 888.8"},
                                              {Column::ToFirst, "× first", "× first"},
                                              {Column::Ceiling, "ceiling", "ceiling"},
                                              {Column::Gigabytes, "GB/s", "8888"},
                                              {Column::ToPrevious, "× before", "× before"}}};

std::string speedUp(const std::optional<Ratio>& ratio) {
  if (!ratio || ratio->median <= 0) return {};
  std::array<char, 32> text{};
  const double times = 1 / ratio->median;
  std::snprintf(text.data(), text.size(), times < 99.95 ? "%.2f" : "%.0f", times);
  return text.data();
}

std::string percent(double share) {
  if (share <= 0) return {};
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100);
  return text.data();
}

std::string textOf(Column column, const TimingLine& line) {
  const TimingPoint& point = *line.rung;
  switch (column) {
    case Column::Time:
      return microsecondsText(point.time.median);
    case Column::Gigabytes:
      return gigabytesText(gigabytesPerSecond(point));
    case Column::Ceiling:
      return percent(shareOfCeiling({line.series, &point}));
    case Column::ToFirst:
      return speedUp(point.toFirst);
    case Column::ToPrevious:
      break;
  }
  return line.series->subject.kind == SubjectKind::Variant ? speedUp(point.toPrevious) : std::string();
}

// Lines of one device, recorded or live.
struct Group {
  std::string heading;
  std::vector<const TimingLine*> lines;
};

std::string headingOf(const TimingLine& line) {
  const Executor& executor = line.series->executor;
  if (line.recorded)
    return "Recorded on " + executor.device + ", " + executor.recordedOn.substr(0, 10) + ". Not live.";
  return "Measured here on " + executor.device;
}

std::vector<Group> groupsOf(const TimingsScene& scene) {
  std::vector<Group> groups;
  for (const TimingLine& line : scene.picture().lines) {
    if (line.rung == nullptr || isHidden(scene.state, TimingsTab::Ladder, line)) continue;
    const std::string heading = headingOf(line);
    auto group = std::ranges::find(groups, heading, &Group::heading);
    if (group == groups.end()) group = groups.insert(groups.end(), {heading, {}});
    group->lines.push_back(&line);
  }
  for (Group& group : groups)
    std::ranges::stable_sort(group.lines, {}, [&](const TimingLine* line) {
      return scene.state.byTime ? line->rung->time.median : double(line->number);
    });
  return groups;
}

struct LadderTable {
  TimingsScene& scene;
  ImDrawList& list;
  float left, right, nameWidth = 0;
  std::vector<ColumnSpec> columns{};  // from the right of the bars on
  std::vector<float> widths{};
  double longest = 0;  // microseconds: a bar of full length
  double first = 0;    // of the first variant, which what others printed is set against
  float barLeft() const { return left + nameWidth; }
  float barRight() const {
    float edge = right;
    for (const float width : widths) edge -= width + scene.view.px(kColumnGap);
    return edge;
  }

  void chooseColumns(const std::vector<Group>& groups) {
    const ViewContext& view = scene.view;
    const TextStyle words = semiBoldStyle(view.draw, kLabelSize, 0);
    float widest = 0;
    for (const Group& group : groups)
      for (const TimingLine* line : group.lines) widest = std::max(widest, textSize(words, nameOf(*line)).x);
    nameWidth = std::ceil(widest) + view.px(kMarkRoom + kColumnGap);
    for (const ColumnSpec& spec : kColumns) {
      const float width = std::ceil(std::max(textSize(codeStyle(view.draw, kLabelSize, 0), spec.widest).x,
                                             textSize(wordsStyle(view.draw, kLabelSize, 0), spec.heading).x));
      columns.push_back(spec);
      widths.push_back(width);
      if (columns.size() > 1 && barRight() - barLeft() < view.px(kLeastBar)) {
        columns.pop_back();
        widths.pop_back();
      }
    }
    if (barRight() - barLeft() < view.px(kLeastBar)) nameWidth = (right - left) * kMostNameShare;
  }

  template <class Draw>
  void eachColumn(Draw draw) const {
    float x = barRight();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      x += scene.view.px(kColumnGap);
      draw(columns[i], x, x + widths[i]);
      x += widths[i];
    }
  }

  void headings(float top) const {
    const TextStyle style = wordsStyle(scene.view.draw, kLabelSize, scene.view.colours().dim);
    eachColumn([&](const ColumnSpec& spec, float from, float to) {
      drawText(scene.view.draw, list, {from - 1, top}, {to + 1, top + scene.view.px(kRow)}, spec.heading,
               style, TextAlign::Right);
    });
  }

  void bar(const TimingLine& line, const LineLook& look, float top) const {
    const ViewContext& view = scene.view;
    const float from = barLeft(), to = barRight(), y = top + view.px(5), bottom = top + view.px(kRow - 5);
    const double share = line.rung->time.median / longest;
    const float end = from + std::max(view.px(2), (to - from) * float(std::min(share, 1.0)));
    list.AddRectFilled({from, y}, {to, bottom}, view.colours().field);
    if (line.recorded) {  // outlined: it was not measured now
      list.AddRectFilled({from, y}, {end, bottom}, withAlpha(look.colour, 0.35f));
      list.AddRect({from, y}, {end, bottom}, look.colour, 0, 0, view.px(1));
    } else {
      list.AddRectFilled({from, y}, {end, bottom}, look.colour);
    }
    if (share <= 1) return;
    const float middle = to - view.px(14);  // it goes on: a gap in the bar
    list.AddQuadFilled({middle, bottom}, {middle + view.px(6), y}, {middle + view.px(10), y},
                       {middle + view.px(4), bottom}, view.colours().panel);
  }

  // Of the same card's first variant, as long a share as here.
  void published(const TimingLine& line, float top) const {
    if (line.series->subject.kind != SubjectKind::Variant || first <= 0 || !scene.state.published) return;
    for (const PublishedTimes& times : publishedTimes()) {
      const double share = shareOfFirst(times, line.series->subject.id) * first / longest;
      if (share <= 0 || share > 1) continue;
      const ImVec2 middle{barLeft() + (barRight() - barLeft()) * float(share), top + scene.view.px(kRow / 2)};
      drawPlotMark(scene.view.draw, list, middle, scene.view.px(6), times.mark, scene.view.colours().panel);
      drawPlotMark(scene.view.draw, list, middle, scene.view.px(5), times.mark, scene.view.colours().text,
                   false);
    }
  }

  void row(const TimingLine& line, float top) const {
    const ViewContext& view = scene.view;
    const Palette& colours = view.colours();
    const LineLook look = lookOf(view, scene.state, line);
    const float bottom = top + view.px(kRow);
    const HitArea area = hitArea(("rung " + line.key).c_str(), {left, top}, {right, bottom});
    if (area.clicked && line.series->subject.kind == SubjectKind::Variant)
      scene.view.commands.push_back(ChooseVariant{line.series->subject.id});
    if (area.hovered) tooltip(line);
    if (look.selected || area.hovered)
      list.AddRectFilled({left - view.px(4), top}, {right, bottom},
                         look.selected ? colours.raised : colours.field, view.px(3));
    drawPlotMark(view.draw, list, {left + view.px(6), (top + bottom) / 2}, view.px(5), look.mark, look.colour,
                 look.filled);
    drawText(view.draw, list, {left + view.px(kMarkRoom), top}, {barLeft() - view.px(4), bottom},
             nameOf(line),
             look.selected ? semiBoldStyle(view.draw, kLabelSize, colours.text)
                           : wordsStyle(view.draw, kLabelSize, colours.text));
    bar(line, look, top);
    published(line, top);
    eachColumn([&](const ColumnSpec& spec, float from, float to) {
      drawText(view.draw, list, {from - view.px(6), top}, {to + 1, bottom}, textOf(spec.column, line),
               codeStyle(view.draw, kLabelSize, colours.text), TextAlign::Right);
    });
  }

  static void tooltip(const TimingLine& line) {
    const Summary& time = line.rung->time;
    ImGui::SetTooltip("%s\nmedian %s, quartiles %s and %s, least %s µs, of %zu samples", nameOf(line).c_str(),
                      microsecondsText(time.median).c_str(), microsecondsText(time.lowerQuartile).c_str(),
                      microsecondsText(time.upperQuartile).c_str(), microsecondsText(time.least).c_str(),
                      time.count);
  }

  // What the outlined marks on the bars are.
  void note(float top) const {
    float x = left;
    const TextStyle style = wordsStyle(scene.view.draw, kLabelSize, scene.view.colours().dim);
    const float bottom = top + scene.view.px(kRow);
    const auto say = [&](const std::string& text) {
      const float width = std::ceil(textSize(style, text).x);
      if (x + width > right) return;
      drawText(scene.view.draw, list, {x, top}, {x + width + 1, bottom}, text, style);
      x += width + scene.view.px(8);
    };
    for (const PublishedTimes& times : publishedTimes()) {
      if (times.onCpu) continue;
      const std::string text = labelOf(times);
      if (x + scene.view.px(14) + textSize(style, text).x > right) break;
      drawPlotMark(scene.view.draw, list, {x + scene.view.px(6), (top + bottom) / 2}, scene.view.px(5),
                   times.mark, scene.view.colours().text, false);
      x += scene.view.px(14);
      say(text);
    }
    say("as published, of its own first");
  }
};

void drawRows(TimingsScene& scene, const std::vector<Group>& groups) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float scrollbar = ImGui::GetStyle().ScrollbarSize;
  LadderTable table{.scene = scene,
                    .list = *ImGui::GetWindowDrawList(),
                    .left = scene.min.x,
                    .right = scene.max.x - scrollbar};
  table.chooseColumns(groups);
  for (const Group& group : groups)
    for (const TimingLine* line : group.lines) {
      if (!line->onCpu) table.longest = std::max(table.longest, line->rung->time.median);
      if (table.first == 0 && line->number == 0) table.first = line->rung->time.median;
    }
  if (table.longest == 0)
    for (const Group& group : groups)
      for (const TimingLine* line : group.lines)
        table.longest = std::max(table.longest, line->rung->time.median);
  float y = origin.y;
  table.headings(y);
  for (const Group& group : groups) {
    const float bottom = y + scene.view.px(kHeading);
    drawText(scene.view.draw, table.list, {table.left, y}, {table.barRight() + scene.view.px(4), bottom},
             group.heading, semiBoldStyle(scene.view.draw, kLabelSize, scene.view.colours().dim));
    y = bottom;
    for (const TimingLine* line : group.lines) {
      table.row(*line, y);
      y += scene.view.px(kRow);
    }
  }
  if (table.first > 0 && scene.state.published) {
    table.note(y);
    y += scene.view.px(kRow);
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({1, y - origin.y});
}

}  // namespace

void drawLadderTab(TimingsScene& scene) {
  const std::vector<Group> groups = groupsOf(scene);
  if (groups.empty()) return drawNothing(scene, "Nothing of this reduction was timed yet.");
  ImGui::SetCursorScreenPos({scene.min.x - scene.view.px(4), scene.min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  if (ImGui::BeginChild("ladder of times",
                        {scene.max.x - scene.min.x + scene.view.px(4), scene.max.y - scene.min.y}))
    drawRows(scene, groups);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace stridescope
