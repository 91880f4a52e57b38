#include "views/timings_look.h"

#include <array>
namespace stridescope {
namespace {

constexpr float kLineWidth = 2, kSelectedWidth = 3;  // units
constexpr float kFaded = 0.3f;                       // while another line is pointed at

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShortPeers{{
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"cpu_loop", "CPU loop"},
    {"cpu_reduce_par", "CPU par"},
    {"cpu_openmp", "OpenMP"},
}};

}  // namespace

bool isHidden(const TimingsState& state, TimingsTab tab, const TimingLine& line) {
  bool gpuLines = false;
  for (const TimingLine& other : state.picture.lines) gpuLines |= !other.onCpu && !other.recorded;
  const bool byItself = tab == TimingsTab::Live && line.onCpu && gpuLines;
  return byItself != state.toggled.contains(toggleKey(tab, line));
}

LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line) {
  const TimingSubject& subject = line.series->subject;
  const PlotStyle style = plotStyle(line.number);
  LineLook look{
      .colour = style.colour,
      .mark = style.mark,
      .widthPx = view.px(kLineWidth),
      .selected = subject.kind == SubjectKind::Variant && subject.id == view.session.experiment().variant,
      .filled = !line.recorded};
  if (look.selected) look.colour = view.colours().result, look.widthPx = view.px(kSelectedWidth);
  if (state.pointedAt == line.key)
    look.widthPx = view.px(kSelectedWidth + 1);
  else if (!state.pointedAt.empty())
    look.colour = withAlpha(look.colour, kFaded);
  return look;
}

std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state,
                                          TimingsTab tab) {
  std::vector<const TimingLine*> lines;
  const TimingLine* selected = nullptr;
  for (const TimingLine& line : state.picture.lines) {
    if (isHidden(state, tab, line)) continue;
    if (line.series->subject.id == view.session.experiment().variant && !line.recorded && selected == nullptr)
      selected = &line;
    else
      lines.push_back(&line);
  }
  if (selected != nullptr) lines.push_back(selected);
  return lines;
}

std::string nameOf(const TimingLine& line) {
  if (line.series->subject.kind != SubjectKind::Variant) return line.series->label;
  return std::to_string(line.number + 1) + " " + line.series->label;
}

std::string shortNameOf(const TimingLine& line) {
  for (const auto& [id, name] : kShortPeers)
    if (id == line.series->subject.id) return std::string(name);
  return std::to_string(line.number + 1);
}

}  // namespace stridescope
