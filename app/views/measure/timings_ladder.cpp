// Ladder: a bar a variant, as taught or the fastest first, with what it comes to. Where not all fit, the
// chosen one, the fastest and CUB stay above the others, which scroll.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "measure/timing_rows.h"
#include "views/measure/timings_controls.h"
#include "views/measure/timings_look.h"
#include "views/shared/explanations.h"
#include "views/shared/ladder_times.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kPinnedGap = 7, kRow = 18, kColumnGap = 9, kMinBar = 90, kNameMarkRoom = 18;  // units
constexpr float kMaxNameShare = 0.36f;
constexpr const char* kPublishedLabel = "published:";

enum class Column { Time, ToCub, ToOneGpu, ToNccl, Gigabytes, Ceiling, ToFirst, ToPrevious };
struct ColumnSpec {
  Column column;
  const char* heading;
  const char* widest;
};
// The columns, in the order in which they stay while the panel gets narrow.
constexpr std::array<ColumnSpec, 6> kColumns{{{Column::Time, "µs", "28 888"},
                                              {Column::ToCub, "of CUB", "99.99"},
                                              {Column::Ceiling, "ceiling", "100 %"},
                                              {Column::ToFirst, "× first", "99.99"},
                                              {Column::Gigabytes, "GB/s", "8888"},
                                              {Column::ToPrevious, "× before", "99.99"}}};

// The same of several GPUs.
constexpr std::array<ColumnSpec, 4> kGroupColumns{{{Column::Time, "µs", "28 888"},
                                                   {Column::ToNccl, "of NCCL", "99.99"},
                                                   {Column::ToOneGpu, "of one GPU", "99.99"},
                                                   {Column::Gigabytes, "GB/s", "8888"}}};

std::string speedUp(const std::optional<measure::Ratio>& ratio) {
  return !ratio || ratio->median <= 0 ? std::string() : factorText(1 / ratio->median);
}

std::string textOf(Column column, const TimingLine& line) {
  const measure::TimingPoint& point = *line.rung;
  switch (column) {
    case Column::Time:
      return microsecondsText(point.time.median);
    case Column::ToCub:
      return point.toCub && line.series->subject.id != "cub" ? factorText(point.toCub->median)
                                                             : std::string();
    case Column::ToOneGpu:
      return point.toOneGpu ? factorText(point.toOneGpu->median) : std::string();
    case Column::ToNccl:
      return point.toNccl ? factorText(point.toNccl->median) : std::string();
    case Column::Gigabytes:
      return gigabytesText(measure::gigabytesPerSecond(point));
    case Column::Ceiling:
      if (const double share = measure::shareOfCeiling({line.series, &point}); share > 0)
        return percentText(share);
      return {};
    case Column::ToFirst:
      return speedUp(point.toFirst);
    case Column::ToPrevious:
      break;
  }
  return line.series->subject.kind == model::SubjectKind::Variant ? speedUp(point.toPrevious) : std::string();
}

// Lines of one device, recorded or live.
struct Group {
  std::string heading;
  std::vector<const TimingLine*> lines;
};

std::string headingOf(const TimingLine& line) {
  const model::Executor& executor = line.series->executor;
  if (line.recorded)
    return "Recorded on " + deviceOf(*line.series) + ", " + executor.recordedOn.substr(0, 10) + ". Not live.";
  return "Measured here on " + deviceOf(*line.series);
}

std::vector<Group> groupsOf(const TimingsScene& scene) {
  std::vector<Group> groups;
  for (const TimingLine& line : scene.picture().lines) {
    if (line.rung == nullptr || isMeasuredHereToo(scene.picture(), scene.state, line)) continue;
    const std::string heading = headingOf(line);
    auto group = std::ranges::find(groups, heading, &Group::heading);
    if (group == groups.end()) group = groups.insert(groups.end(), {heading, {}});
    group->lines.push_back(&line);
  }
  for (Group& group : groups)
    std::ranges::stable_sort(group.lines, {}, [&](const TimingLine* line) {
      if (scene.state.byTime) return line->rung->time.median;
      return line->series->subject == measure::kOneGpu ? -1 : double(line->number);
    });
  // What is measured here comes first, as its rows move; else the GPU's rungs are what the panel is about.
  std::ranges::stable_sort(groups, {}, [](const Group& group) {
    return std::pair(group.lines.front()->recorded, group.lines.front()->onCpu);
  });
  return groups;
}

bool isOfVariant(const TimingLine* line) {
  const model::TimingSubject& subject = line->series->subject;
  if (subject.kind == model::SubjectKind::SeveralGpus) return subject != measure::kOneGpu;
  return subject.kind == model::SubjectKind::Variant;
}

// One that the window can show: NCCL has no steps.
bool canBeChosen(const TimingLine& line) {
  const kernels::Variant* const variant = kernels::findVariant(line.series->subject.id);
  return isOfVariant(&line) && variant != nullptr && variant->onlyTimed.empty();
}

// The group whose lines are compared above the others: the first that has the chosen variant, else the first
// with any variant. Times of two GPUs never stand side by side there. Requires a group.
const Group& pinnedGroup(const std::vector<Group>& groups, const std::string& chosen) {
  const auto with = [&](const auto& is) {
    return std::ranges::find_if(groups,
                                [&](const Group& group) { return std::ranges::any_of(group.lines, is); });
  };
  auto found = with([&](const TimingLine* line) { return line->series->subject.id == chosen; });
  if (found == groups.end()) found = with(isOfVariant);
  return found == groups.end() ? groups.front() : *found;
}

// The lines that stay in view where not all fit: the chosen variant, the fastest one and CUB, the fastest
// first.
std::vector<const TimingLine*> pinnedLines(const Group& group, const std::string& chosen) {
  const TimingLine *selected = nullptr, *fastest = nullptr, *cub = nullptr;
  for (const TimingLine* line : group.lines) {
    if (line->series->subject.id == "cub") cub = line;
    if (!isOfVariant(line)) continue;
    if (line->series->subject.id == chosen) selected = line;
    if (fastest == nullptr || line->rung->time.median < fastest->rung->time.median) fastest = line;
  }
  std::vector<const TimingLine*> pinned;
  for (const TimingLine* line : {selected, fastest, cub})
    if (line != nullptr && std::ranges::find(pinned, line) == pinned.end()) pinned.push_back(line);
  std::ranges::stable_sort(pinned, {}, [](const TimingLine* line) { return line->rung->time.median; });
  return pinned;
}

struct LadderTable {
  TimingsScene& scene;
  ImDrawList* list;
  float left, right, nameWidth = 0;
  std::vector<ColumnSpec> columns{};  // from the right of the bars on
  std::vector<float> widths{};
  NameLength names = NameLength::Full;
  double longest = 0;  // microseconds: a bar of full length
  double first = 0;    // the first variant's time, to which published times are scaled
  float barLeft() const { return left + nameWidth; }
  float barRight() const {
    float edge = right;
    for (const float width : widths) edge -= width + scene.view.px(kColumnGap);
    return edge;
  }

  std::span<const ColumnSpec> all() const {
    if (scene.picture().filter.gpus > 0) return kGroupColumns;
    return kColumns;
  }

  // All columns with the full names if that leaves a bar, else with short ones, else as many columns as go.
  void chooseColumns(const std::vector<Group>& groups) {
    for (const NameLength length : {NameLength::Full, NameLength::Short}) {
      names = length;
      takeColumns(groups);
      if (columns.size() == all().size()) return;
    }
  }

  void takeColumns(const std::vector<Group>& groups) {
    const ViewContext& view = scene.view;
    const draw::TextStyle words = view.semiBold(0);
    columns.clear();
    widths.clear();
    float widest = 0;
    for (const Group& group : groups)
      for (const TimingLine* line : group.lines)
        widest = std::max(widest, draw::textSize(words, nameOf(*line, names)).x);
    nameWidth = std::ceil(widest) + view.px(kNameMarkRoom + kColumnGap);
    for (const ColumnSpec& spec : all()) {
      const float width = std::ceil(std::max(draw::textSize(view.code(0), spec.widest).x,
                                             draw::textSize(view.words(0), spec.heading).x));
      columns.push_back(spec);
      widths.push_back(width);
      if (columns.size() > 1 && barRight() - barLeft() < view.px(kMinBar)) {
        columns.pop_back();
        widths.pop_back();
      }
    }
    inReadingOrder();
    if (barRight() - barLeft() < view.px(kMinBar)) nameWidth = (right - left) * kMaxNameShare;
  }

  void inReadingOrder() {
    std::vector<std::pair<ColumnSpec, float>> both;
    for (std::size_t i = 0; i < columns.size(); ++i) both.emplace_back(columns[i], widths[i]);
    std::ranges::stable_sort(both, {}, [](const auto& column) { return column.first.column; });
    for (std::size_t i = 0; i < both.size(); ++i) std::tie(columns[i], widths[i]) = both[i];
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
    const draw::TextStyle style = scene.view.words(scene.view.colours().dim);
    eachColumn([&](const ColumnSpec& spec, float from, float to) {
      scene.view.text(*list, {from - 1, top}, {to + 1, top + scene.view.px(kRow)}, spec.heading, style,
                      draw::TextAlign::Right);
      explain(scene.view, spec.heading, {from, top}, {to, top + scene.view.px(kRow)});
    });
  }

  void bar(const TimingLine& line, const LineLook& look, float top) const {
    const ViewContext& view = scene.view;
    const float from = barLeft(), to = barRight(), y = top + view.px(5), bottom = top + view.px(kRow - 5);
    drawRungBar(view.draw, *list, {from, y}, {to, bottom},
                {line.rung->time.median / longest, look.colour, line.recorded});
  }

  // Draws a published time as the same share of its own GPU's first variant, so that the two first variants
  // are equally long.
  void published(const TimingLine& line, float top) const {
    if (line.series->subject.kind != model::SubjectKind::Variant || first <= 0 || !showsPublished(scene))
      return;
    for (const PublishedTimes& times : publishedTimes()) {
      const double share = shareOfFirst(times, line.series->subject.id) * first / longest;
      if (share <= 0 || share > 1) continue;
      const ImVec2 middle{barLeft() + (barRight() - barLeft()) * float(share), top + scene.view.px(kRow / 2)};
      draw::drawPlotMark(scene.view.draw, *list, middle, scene.view.px(6), times.mark,
                         scene.view.colours().panel);
      draw::drawPlotMark(scene.view.draw, *list, middle, scene.view.px(5), times.mark,
                         scene.view.colours().text, false);
    }
  }

  void row(const TimingLine& line, float top) const {
    const ViewContext& view = scene.view;
    const draw::Palette& colours = view.colours();
    const LineLook look = lookOf(view, scene.state, line);
    const float bottom = top + view.px(kRow);
    const HitArea area = hitArea(("rung " + line.key).c_str(), {left, top}, {right, bottom});
    if (area.clicked && canBeChosen(line))
      scene.view.commands.push_back(session::Choose(&model::Experiment::variant, line.series->subject.id));
    if (area.hovered) tooltip(line);
    if (look.selected || area.hovered)
      list->AddRectFilled({left - view.px(4), top}, {right, bottom},
                          look.selected ? colours.raised : colours.field, view.px(3));
    draw::drawPlotMark(view.draw, *list, {left + view.px(6), (top + bottom) / 2}, view.px(5), look.mark,
                       look.colour, look.filled);
    view.text(*list, {left + view.px(kNameMarkRoom), top}, {barLeft() - view.px(4), bottom},
              nameOf(line, names), look.selected ? view.semiBold(colours.text) : view.words(colours.text));
    bar(line, look, top);
    published(line, top);
    eachColumn([&](const ColumnSpec& spec, float from, float to) {
      view.text(*list, {from - view.px(6), top}, {to + 1, bottom}, textOf(spec.column, line),
                view.code(colours.text), draw::TextAlign::Right);
    });
  }

  void tooltip(const TimingLine& line) const {
    const measure::Summary& time = line.rung->time;
    std::string text = nameOf(line) + ", " + originOf(line) + "\nmedian " + microsecondsText(time.median) +
                       " µs (" + microsecondsText(time.medianInterval.low) + " to " +
                       microsecondsText(time.medianInterval.high) + " with 95 %), quartiles " +
                       microsecondsText(time.lowerQuartile) + " and " + microsecondsText(time.upperQuartile) +
                       ", least " + microsecondsText(time.least) + ", of " + figure(time.count) + " samples";
    if (const std::string more = whatElseIsTimed(line.series->subject); !more.empty()) text += "\n" + more;
    wideTooltip(scene.view, text);
  }

  // What the outlined marks on the bars are, beside the columns' headings.
  void note(float top) const {
    const draw::TextStyle style = scene.view.words(scene.view.colours().dim);
    const float bottom = top + scene.view.px(kRow), end = barRight();
    float x = left;
    const auto say = [&](const std::string& text) {
      const float width = std::ceil(draw::textSize(style, text).x);
      scene.view.text(*list, {x, top}, {x + width + 1, bottom}, text, style);
      x += width + scene.view.px(8);
    };
    float needed = draw::textSize(style, kPublishedLabel).x + scene.view.px(8);
    for (const PublishedTimes& times : publishedTimes())
      if (!times.onCpu) needed += draw::textSize(style, labelOf(times)).x + scene.view.px(14 + 8);
    if (x + needed <= end)
      say(kPublishedLabel);
    else if (x + needed - draw::textSize(style, kPublishedLabel).x > end + scene.view.px(8))
      return;
    for (const PublishedTimes& times : publishedTimes()) {
      if (times.onCpu) continue;
      draw::drawPlotMark(scene.view.draw, *list, {x + scene.view.px(5), (top + bottom) / 2}, scene.view.px(5),
                         times.mark, scene.view.colours().text, false);
      x += scene.view.px(14);
      say(labelOf(times));
    }
  }

  void measure(const std::vector<Group>& groups) {
    std::vector<const TimingLine*> lines;
    for (const Group& group : groups)
      for (const TimingLine* line : group.lines) {
        lines.push_back(line);
        if (first == 0 && line->number == 0) first = line->rung->time.median;
      }
    longest = fullBarOf(lines);
  }

  void heading(const Group& group, float top) const {
    scene.view.text(*list, {left, top}, {right, top + scene.view.px(kRow)}, group.heading,
                    scene.view.semiBold(scene.view.colours().dim));
  }

  // From `top` on; where they end.
  float rows(const std::vector<Group>& groups, float top) const {
    for (const Group& group : groups) {
      heading(group, top);
      top += scene.view.px(kRow);
      for (const TimingLine* line : group.lines) {
        row(*line, top);
        top += scene.view.px(kRow);
      }
    }
    return top;
  }
};

}  // namespace

void drawLadderTab(TimingsScene& scene) {
  const std::vector<Group> groups = groupsOf(scene);
  if (groups.empty()) return drawNothing(scene, "Nothing of this reduction was timed yet.");
  const float row = scene.view.px(kRow), slack = scene.view.px(4);
  LadderTable table{.scene = scene,
                    .list = &scene.list,
                    .left = scene.min.x,
                    .right = scene.max.x - ImGui::GetStyle().ScrollbarSize - scene.view.px(2)};
  table.measure(groups);
  table.chooseColumns(groups);
  table.headings(scene.min.y);
  if (table.first > 0 && showsPublished(scene)) table.note(scene.min.y);

  float top = scene.min.y + row;
  std::size_t all = groups.size();
  for (const Group& group : groups) all += group.lines.size();
  if (float(all) * row > scene.max.y - top) {
    ImGui::PushID("pinned");
    const std::string& chosen = scene.view.workspace.experiment().variant;
    const Group& pinned = pinnedGroup(groups, chosen);
    if (&pinned != &groups.front()) {  // else its heading is the first one below
      table.heading(pinned, top);
      top += row;
    }
    for (const TimingLine* line : pinnedLines(pinned, chosen)) {
      table.row(*line, top);
      top += row;
    }
    ImGui::PopID();
    top += scene.view.px(kPinnedGap);
    const float y = std::round(top - scene.view.px(kPinnedGap) / 2);
    scene.list.AddLine({table.left, y}, {table.right, y}, scene.view.colours().line, scene.view.px(1));
  }

  const float wholeRows = std::max(1.0f, std::floor((scene.max.y - top) / row)) * row;
  const ScrolledPart part("ladder of times", {scene.min.x - slack, top}, {scene.max.x, top + wholeRows});
  if (!part) return;
  table.list = ImGui::GetWindowDrawList();
  part.fill(table.rows(groups, part.origin().y) - part.origin().y);
}

}  // namespace stridescope::views
