#include "views/measure/timings_look.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/timing_board.h"
#include "views/shared/ladder_times.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kLineWidth = 2, kSelectedWidth = 3;  // units
constexpr float kFaded = 0.3f;                       // while another line is pointed at
constexpr float kGrey = 0.5f;                        // between the ground and the colour of dim words
constexpr float kGreyWidth = 1.25f;                  // units

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kShortBaselines{{
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"floor", "reads all"},
    {"cpu_loop", "CPU loop"},
    {"cpu_vector_loop", "CPU vectors"},
    {"cpu_reduce_par", "CPU par"},
    {"cpu_openmp", "OpenMP"},
}};

}  // namespace

bool isMeasuredHereToo(const TimingsPicture& picture, const TimingsState& state, const TimingLine& line) {
  return line.recorded && !state.recordedBesideLive &&
         std::ranges::any_of(picture.lines, [&](const TimingLine& other) {
           return !other.recorded && other.series->subject == line.series->subject;
         });
}

LineStanding standingOf(const TimingsPicture& picture, const TimingsState& state, TimingsTab tab,
                        const TimingLine& line, std::string_view chosenVariant) {
  const bool hasLiveGpu = std::ranges::any_of(
      picture.lines, [](const TimingLine& other) { return !other.onCpu && !other.recorded; });
  const kernels::Variant* const chosen = kernels::findVariant(chosenVariant);
  const std::string& id = line.series->subject.id;
  const bool isAbsent =
      (tab == TimingsTab::Live && line.onCpu && hasLiveGpu) || isMeasuredHereToo(picture, state, line);
  const bool isMeant = id == "cub" || id == measure::kFloor.id || id == chosenVariant ||
                       (chosen != nullptr && id == chosen->previous) || id == measure::kOneGpu.id ||
                       measure::isOfNccl(id) || (!line.recorded && line.onCpu && !hasLiveGpu);
  if ((isMeant && !isAbsent) != state.toggled.contains(toggleKey(tab, line))) return LineStanding::Coloured;
  return isAbsent ? LineStanding::Absent : LineStanding::Grey;
}

LineStanding standingOf(const ViewContext& view, const TimingsState& state, TimingsTab tab,
                        const TimingLine& line) {
  return standingOf(view.times.picture, state, tab, line, view.workspace.experiment().variant);
}

LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line,
                LineStanding standing) {
  const model::TimingSubject& subject = line.series->subject;
  const draw::PlotStyle style = draw::plotStyle(line.number);
  LineLook look{.colour = style.colour,
                .mark = style.mark,
                .widthPx = view.px(kLineWidth),
                .selected = subject.id == view.workspace.experiment().variant,
                .filled = !line.recorded};
  look.grey = standing != LineStanding::Coloured && state.pointedAt != line.key;
  if (look.grey) {
    look.colour = draw::mix(view.colours().panel, view.colours().dim, kGrey);
    look.widthPx = view.px(kGreyWidth);
  }
  if (look.selected && !look.grey)
    look.colour = view.colours().result, look.widthPx = view.px(kSelectedWidth);
  if (state.pointedAt == line.key)
    look.widthPx = view.px(kSelectedWidth + 1);
  else if (!state.pointedAt.empty())
    look.colour = draw::withAlpha(look.colour, kFaded);
  return look;
}

std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state,
                                          TimingsTab tab) {
  std::vector<std::pair<int, const TimingLine*>> lines;
  for (const TimingLine& line : view.times.picture.lines) {
    const LineStanding standing = standingOf(view, state, tab, line);
    if (standing == LineStanding::Absent) continue;
    const bool isChosen = line.series->subject.id == view.workspace.experiment().variant && !line.recorded;
    lines.emplace_back(isChosen ? 2 : standing == LineStanding::Coloured ? 1 : 0, &line);
  }
  std::ranges::stable_sort(lines, {}, &std::pair<int, const TimingLine*>::first);
  std::vector<const TimingLine*> inOrder;
  for (const auto& [rank, line] : lines) inOrder.push_back(line);
  return inOrder;
}

std::string nameOf(const TimingLine& line, NameLength length) {
  const std::string& label = line.series->label;
  if (line.series->subject.kind != model::SubjectKind::Variant) {
    if (length != NameLength::Full)
      for (const auto& [id, name] : kShortBaselines)
        if (id == line.series->subject.id) return std::string(name);
    return label;
  }
  const std::string number = kernels::numberOf(line.series->subject.id);
  std::string name = length == NameLength::Full ? label : shortTitle(label);
  if (number.empty()) return name;
  return length == NameLength::Number ? number : number + " " + name;
}

std::string deviceOf(const measure::TimingSeries& series) {
  if (series.gpus == 0) return series.executor.device;
  return std::to_string(series.gpus) + " × " + series.executor.device;
}

std::string whatElseIsTimed(const model::TimingSubject& subject) {
  if (subject == measure::kOneGpu)
    return "One GPU reduces all elements alone, timed as several are: by the host, from its first launch "
           "until it "
           "has the result.";
  if (measure::isOfNccl(subject.id))
    return "NCCL's own steps are not visible: it is timed, and its result is checked.";
  if (subject.id == "thrust")
    return "thrust::reduce gives its result to the host: its time holds allocating scratch memory, waiting "
           "for "
           "the GPU and copying the value, which the others' do not.";
  if (subject.id == "cub") return "Its scratch memory is allocated before it is timed.";
  if (subject == measure::kFloor)
    return "No reduction, but what one cannot be faster than: the blocks of single_pass read all elements "
           "and "
           "leave their results, which nobody combines.";
  if (subject.kind == model::SubjectKind::CpuBaseline)
    return "The data lie in the host's memory: no copy to or from a GPU is in it.";
  return {};
}

std::string originOf(const TimingLine& line) {
  const model::Executor& executor = line.series->executor;
  const std::string device = deviceOf(*line.series);
  if (!line.recorded) return "measured here on " + device;
  return "recorded on " + device + ", " + executor.recordedOn.substr(0, 10) + ", not live";
}

namespace {

constexpr float kLegendLine = 17, kCheckRoom = 16, kCheckBox = 10, kLegendMarkRoom = kCheckRoom + 16,
                kValueGap = 6;  // units
constexpr std::string_view kWidestTime = "888.8 µs", kWidestRate = "8888 GB/s";
constexpr float kMaxShare = 0.5f;  // a share of the panel, for names rather than numbers

float valueWidth(const ViewContext& view, LegendUnit unit) {
  const std::string_view widest = unit == LegendUnit::Rate ? kWidestRate : kWidestTime;
  return std::ceil(draw::textSize(view.code(0), widest).x);
}

float widthFor(const ViewContext& view, NameLength names, LegendUnit unit) {
  const draw::TextStyle style = view.semiBold(0);
  float widest = 0;
  for (const TimingLine& line : view.times.picture.lines)
    widest = std::max(widest, draw::textSize(style, nameOf(line, names)).x);
  return std::ceil(widest) + view.px(kLegendMarkRoom + kValueGap) + valueWidth(view, unit) + 1;
}

struct LegendPainter {
  ViewContext& view;
  TimingsState& state;
  LegendRoom room;
  std::string pointedAt;
  bool hasKeys = false;  // the keyboard's frame is on one of them

  void entry(const LegendEntry& entry, float left, float top) {
    const TimingLine& line = *entry.line;
    const draw::Palette& colours = view.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min{left, top}, max{left + room.width, top + view.px(kLegendLine)};
    ImGui::SetCursorScreenPos(min);
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);  // arrows go through the rows, Tab passes them
    const bool pressed =
        ImGui::InvisibleButton(("label " + line.key).c_str(), {std::max(1.0f, max.x - min.x), max.y - min.y},
                               ImGuiButtonFlags_EnableNav);
    ImGui::PopItemFlag();
    const bool hovered = ImGui::IsItemHovered();
    hasKeys = hasKeys || (ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible);
    const LineStanding standing = standingOf(view, state, state.tab, line);
    const bool coloured = standing == LineStanding::Coloured;
    if (hovered && standing != LineStanding::Absent) pointedAt = line.key;
    if (hovered) tooltip(line, coloured);
    if (pressed && !state.toggled.erase(toggleKey(state.tab, line)))
      state.toggled.insert(toggleKey(state.tab, line));
    const LineLook look = lookOf(view, state, line, standing);
    const bool strong = look.selected && coloured;
    if (hovered) list.AddRectFilled({min.x - view.px(2), min.y}, max, colours.field, view.px(3));
    const float middle = (min.y + max.y) / 2;
    checkBox({left + view.px(kCheckBox) / 2, middle}, coloured);
    draw::drawPlotMark(view.draw, list, {left + view.px(kCheckRoom + 6), middle}, view.px(kPlotMarkRadius),
                       look.mark, look.colour, look.filled);
    float x = left + view.px(kLegendMarkRoom);
    const ImU32 ink = coloured ? colours.text : colours.dim;
    const draw::TextStyle figures = strong ? view.codeBold(ink) : view.code(ink);
    view.text(list, {x, min.y}, {x + room.valueWidth + 1, max.y}, entry.value, figures,
              draw::TextAlign::Right);
    x += room.valueWidth + view.px(kValueGap);
    const draw::TextStyle words = strong ? view.semiBold(ink) : view.words(ink);
    view.text(list, {x, min.y}, {max.x + 1, max.y}, nameOf(line, room.names), words);
  }

  void checkBox(ImVec2 middle, bool checked) const {
    const draw::Palette& colours = view.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = view.px(kCheckBox) / 2;
    list.AddRect({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, colours.frame,
                 view.px(2));
    if (checked) draw::drawTick(view.draw, list, middle, half * 0.8f, colours.text);
  }

  void tooltip(const TimingLine& line, bool coloured) const {
    std::string text = nameOf(line) + "\n" + originOf(line);
    if (const std::string more = whatElseIsTimed(line.series->subject); !more.empty()) text += "\n" + more;
    wideTooltip(view, text + (coloured ? "\nA click makes the line grey." : "\nA click colours the line."));
  }
};

void drawBesideEnds(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max,
                    bool isHeld) {
  const float line = painter.view.px(kLegendLine);
  std::vector<float>& tops = painter.state.legend.tops;
  if (!isHeld || tops.size() != entries.size()) {
    std::vector<float> middles;
    for (const LegendEntry& entry : entries) middles.push_back(std::clamp(entry.height, min.y, max.y));
    tops = pushedApart(middles, line, min.y, max.y);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) painter.entry(entries[i], min.x, tops[i]);
}

void drawAsList(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max) {
  const float line = painter.view.px(kLegendLine);
  const float wholeLines = std::max(1.0f, std::floor((max.y - min.y) / line)) * line;
  const ScrolledPart part("labels", min, {max.x, min.y + wholeLines}, ImGuiChildFlags_NavFlattened);
  if (!part) return;
  painter.room.width = std::min(painter.room.width, max.x - min.x - ImGui::GetStyle().ScrollbarSize);
  for (std::size_t i = 0; i < entries.size(); ++i)
    painter.entry(entries[i], part.origin().x + painter.view.px(2), part.origin().y + line * float(i));
  part.fill(line * float(entries.size()));
}

}  // namespace

LegendRoom legendRoom(const ViewContext& view, float available, LegendUnit unit) {
  const float value = valueWidth(view, unit);
  const float scrollbar = ImGui::GetStyle().ScrollbarSize + view.px(4);
  for (const NameLength names : {NameLength::Full, NameLength::Short})
    if (const float width = widthFor(view, names, unit) + scrollbar; width <= available * kMaxShare)
      return {width, value, names};
  return {widthFor(view, NameLength::Number, unit) + scrollbar, value, NameLength::Number};
}

std::vector<float> pushedApart(const std::vector<float>& middles, float line, float top, float bottom) {
  std::vector<float> tops;
  float free = top;
  for (const float middle : middles) {
    tops.push_back(std::max(free, middle - line / 2));
    free = tops.back() + line;
  }
  float least = bottom;
  for (std::size_t i = tops.size(); i-- > 0;) {
    tops[i] = std::min(tops[i], least - line);
    least = tops[i];
  }
  return tops;
}

void drawLegend(ViewContext& view, TimingsState& state, const LegendRoom& room, const std::string& heading,
                std::vector<LegendEntry> entries, ImVec2 min, ImVec2 max) {
  std::erase_if(entries, [&](const LegendEntry& entry) {
    return isMeasuredHereToo(view.times.picture, state, *entry.line);
  });
  const float line = view.px(kLegendLine);
  view.text(*ImGui::GetWindowDrawList(), min, {max.x, min.y + line}, heading, view.words(view.colours().dim));
  min.y += line;
  const bool fit = line * float(entries.size()) <= max.y - min.y;
  std::ranges::stable_sort(entries, {}, [&](const LegendEntry& entry) {
    const LineStanding standing = standingOf(view, state, state.tab, *entry.line);
    return std::pair(fit && standing != LineStanding::Absent ? LineStanding::Coloured : standing,
                     entry.height);
  });
  LegendOrder& order = state.legend;
  const bool isPointedAt =
      ImGui::IsMouseHoveringRect(min, max) &&
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  const bool isHeld = order.tab == state.tab && order.keys.size() == entries.size() &&
                      (isPointedAt || order.hasKeys) &&
                      std::ranges::all_of(entries, [&](const LegendEntry& entry) {
                        return std::ranges::find(order.keys, entry.line->key) != order.keys.end();
                      });
  if (isHeld)
    std::ranges::sort(entries, {}, [&](const LegendEntry& entry) {
      return std::ranges::find(order.keys, entry.line->key);
    });
  order.tab = state.tab;
  order.keys.clear();
  for (const LegendEntry& entry : entries) order.keys.push_back(entry.line->key);
  LegendPainter painter{.view = view, .state = state, .room = room, .pointedAt = {}};
  if (fit)
    drawBesideEnds(painter, entries, min, max, isHeld);
  else
    drawAsList(painter, entries, min, max);
  state.pointedAt = painter.pointedAt;
  order.hasKeys = painter.hasKeys;
}

namespace {

constexpr std::array<PublishedTime, 5> kTeslaC2070{{{"interleaved_modulo", 5280},
                                                    {"interleaved_contiguous", 2520},
                                                    {"sequential", 1880},
                                                    {"first_add_on_load", 990},
                                                    {"unrolled_last_warp", 650}}};
constexpr std::array<PublishedTime, 1> kXeonE5620{{{"cpu_openmp", 2340}}};
constexpr std::array<PublishedTime, 7> kG80{{{"interleaved_modulo", 8054},
                                             {"interleaved_contiguous", 3456},
                                             {"sequential", 1722},
                                             {"first_add_on_load", 965},
                                             {"unrolled_last_warp", 536},
                                             {"fully_unrolled", 381},
                                             {"grid_stride", 268}}};

constexpr std::uint64_t kSixteenMillion = 16'000'000;  // "16 mln elements"
constexpr std::string_view kCourse = "A course's slides on reduction: 16 million ints";

constexpr std::array kPublished{
    PublishedTimes{.device = "Tesla C2070",
                   .year = 2010,
                   .source = kCourse,
                   .elements = kSixteenMillion,
                   .mark = draw::PlotMark::Diamond,
                   .times = kTeslaC2070},
    PublishedTimes{.device = "2 x Xeon E5620",
                   .year = 2010,
                   .source = kCourse,
                   .elements = kSixteenMillion,
                   .onCpu = true,
                   .mark = draw::PlotMark::Square,
                   .times = kXeonE5620},
    PublishedTimes{.device = "G80",
                   .year = 2006,
                   .source = "Harris, Optimizing Parallel Reduction in CUDA (2007): 2^22 ints",
                   .elements = 1u << 22,
                   .mark = draw::PlotMark::TriangleDown,
                   .times = kG80},
};

double timeOf(const PublishedTimes& published, std::string_view subject) {
  for (const PublishedTime& time : published.times)
    if (time.subject == subject) return time.microseconds;
  return 0;
}

}  // namespace

std::span<const PublishedTimes> publishedTimes() { return kPublished; }

std::string labelOf(const PublishedTimes& published) {
  return std::string(published.device) + ", " + std::to_string(published.year);
}

double shareOfFirst(const PublishedTimes& published, std::string_view subject) {
  if (published.onCpu) return 0;
  return timeOf(published, subject) / published.times.front().microseconds;
}

}  // namespace stridescope::views
