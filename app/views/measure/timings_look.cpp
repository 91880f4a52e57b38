#include "views/measure/timings_look.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/catalog.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kLineWidth = 2, kSelectedWidth = 3;  // units
constexpr std::size_t kLongestShortTitle = 19;       // characters, unless it is one word
constexpr std::array<std::string_view, 7> kNotTheLastWord{"a", "of", "in", "an", "the", "during", "per"};
constexpr float kFaded = 0.3f;  // while another line is pointed at

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShortBaselines{{
    {"cub", "CUB"},
    {"thrust", "Thrust"},
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

bool isHidden(const TimingsPicture& picture, const TimingsState& state, TimingsTab tab,
              const TimingLine& line) {
  bool gpuLines = false;
  for (const TimingLine& other : picture.lines) gpuLines |= !other.onCpu && !other.recorded;
  const bool byItself =
      (tab == TimingsTab::Live && line.onCpu && gpuLines) || isMeasuredHereToo(picture, state, line);
  return byItself != state.toggled.contains(toggleKey(tab, line));
}

LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line) {
  const model::TimingSubject& subject = line.series->subject;
  const draw::PlotStyle style = draw::plotStyle(line.number);
  LineLook look{.colour = style.colour,
                .mark = style.mark,
                .widthPx = view.px(kLineWidth),
                .selected = subject.kind == model::SubjectKind::Variant &&
                            subject.id == view.workspace.experiment().variant,
                .filled = !line.recorded};
  if (look.selected) look.colour = view.colours().result, look.widthPx = view.px(kSelectedWidth);
  if (state.pointedAt == line.key)
    look.widthPx = view.px(kSelectedWidth + 1);
  else if (!state.pointedAt.empty())
    look.colour = draw::withAlpha(look.colour, kFaded);
  return look;
}

std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state,
                                          TimingsTab tab) {
  std::vector<const TimingLine*> lines;
  const TimingLine* selected = nullptr;
  for (const TimingLine& line : view.times.picture.lines) {
    if (isHidden(view.times.picture, state, tab, line)) continue;
    if (line.series->subject.id == view.workspace.experiment().variant && !line.recorded &&
        selected == nullptr)
      selected = &line;
    else
      lines.push_back(&line);
  }
  if (selected != nullptr) lines.push_back(selected);
  return lines;
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

std::string shortTitle(std::string_view title) {
  if (const auto comma = title.rfind(", "); comma != std::string_view::npos) title.remove_prefix(comma + 2);
  const auto dropLastWord = [&] { title = title.substr(0, std::min(title.rfind(' '), title.size())); };
  const auto lastWord = [&] { return title.substr(title.rfind(' ') + 1); };
  while (title.size() > kLongestShortTitle && title.find(' ') != std::string_view::npos) dropLastWord();
  while (title.find(' ') != std::string_view::npos &&
         std::ranges::find(kNotTheLastWord, lastWord()) != kNotTheLastWord.end())
    dropLastWord();
  return std::string(title);
}

std::string whatElseIsTimed(const model::TimingSubject& subject) {
  if (subject.id == "thrust")
    return "thrust::reduce gives its result to the host: its time holds allocating scratch memory, waiting "
           "for "
           "the GPU and copying the value, which the others' do not.";
  if (subject.id == "cub") return "Its scratch memory is allocated before it is timed.";
  if (subject.kind == model::SubjectKind::CpuBaseline)
    return "The data lie in the host's memory: no copy to or from a GPU is in it.";
  return {};
}

std::string originOf(const TimingLine& line) {
  const model::Executor& executor = line.series->executor;
  if (!line.recorded) return "measured here on " + executor.device;
  return "recorded on " + executor.device + ", " + executor.recordedOn.substr(0, 10) + ", not live";
}

namespace {

constexpr float kLegendLine = 17, kLegendMarkRoom = 16, kValueGap = 6;  // units
constexpr std::string_view kWidestTime = "888.8 µs", kWidestRate = "8888 GB/s";
constexpr float kHiddenAlpha = 0.6f;
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

  void entry(const LegendEntry& entry, float left, float top) {
    const TimingLine& line = *entry.line;
    const draw::Palette& colours = view.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min{left, top}, max{left + room.width, top + view.px(kLegendLine)};
    const HitArea area = hitArea(("label " + line.key).c_str(), min, max);
    const bool hidden = isHidden(view.times.picture, state, state.tab, line);
    if (area.hovered && !hidden) pointedAt = line.key;
    if (area.hovered) tooltip(line, hidden);
    if (area.clicked && !state.toggled.erase(toggleKey(state.tab, line)))
      state.toggled.insert(toggleKey(state.tab, line));
    const LineLook look = lookOf(view, state, line);
    const bool strong = look.selected && !hidden;
    if (area.hovered) list.AddRectFilled({min.x - view.px(2), min.y}, max, colours.field, view.px(3));
    draw::drawPlotMark(view.draw, list, {left + view.px(6), (min.y + max.y) / 2}, view.px(kPlotMarkRadius),
                       look.mark, hidden ? colours.toCome : look.colour, look.filled && !hidden);
    float x = left + view.px(kLegendMarkRoom);
    const draw::TextStyle figures = strong ? view.codeBold(colours.text) : view.code(colours.text);
    view.text(list, {x, min.y}, {x + room.valueWidth + 1, max.y}, hidden ? "hidden" : entry.value,
              hidden ? view.words(draw::withAlpha(colours.dim, kHiddenAlpha)) : figures,
              draw::TextAlign::Right);
    x += room.valueWidth + view.px(kValueGap);
    const ImU32 plain = hidden ? draw::withAlpha(colours.dim, kHiddenAlpha) : colours.dim;
    const draw::TextStyle words = strong ? view.semiBold(colours.text) : view.words(plain);
    view.text(list, {x, min.y}, {max.x + 1, max.y}, nameOf(line, room.names), words);
  }

  void tooltip(const TimingLine& line, bool hidden) const {
    std::string text = nameOf(line) + "\n" + originOf(line);
    if (const std::string more = whatElseIsTimed(line.series->subject); !more.empty()) text += "\n" + more;
    wideTooltip(view, text + (hidden ? "\nA click shows the line." : "\nA click hides the line."));
  }
};

void drawBesideEnds(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max) {
  const float line = painter.view.px(kLegendLine);
  std::vector<float> middles;
  for (const LegendEntry& entry : entries) middles.push_back(std::clamp(entry.height, min.y, max.y));
  const std::vector<float> tops = pushedApart(middles, line, min.y, max.y);
  for (std::size_t i = 0; i < entries.size(); ++i) painter.entry(entries[i], min.x, tops[i]);
}

void drawAsList(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max) {
  const float line = painter.view.px(kLegendLine);
  const float wholeLines = std::max(1.0f, std::floor((max.y - min.y) / line)) * line;
  const ScrolledPart part("labels", min, {max.x, min.y + wholeLines});
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

void drawLegend(ViewContext& view, TimingsState& state, const LegendRoom& room,
                std::vector<LegendEntry> entries, ImVec2 min, ImVec2 max) {
  std::erase_if(entries, [&](const LegendEntry& entry) {
    return isMeasuredHereToo(view.times.picture, state, *entry.line);
  });
  std::ranges::stable_sort(entries, {}, [&](const LegendEntry& entry) {
    const bool hidden = isHidden(view.times.picture, state, state.tab, *entry.line);
    return std::pair(hidden && !state.toggled.contains(toggleKey(state.tab, *entry.line)), entry.height);
  });
  LegendPainter painter{view, state, room, {}};
  if (view.px(kLegendLine) * float(entries.size()) <= max.y - min.y)
    drawBesideEnds(painter, entries, min, max);
  else
    drawAsList(painter, entries, min, max);
  state.pointedAt = painter.pointedAt;
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
