#include "views/measure/timings_look.h"

#include <algorithm>
#include <array>

#include "kernels/catalog.h"

namespace stridescope::views {
namespace {

constexpr float kLineWidth = 2, kSelectedWidth = 3;  // units
constexpr std::size_t kLongestShortTitle = 19;       // characters, unless it is one word
constexpr std::array<std::string_view, 7> kNotTheLastWord{"a", "of", "in", "an", "the", "during", "per"};
constexpr float kFaded = 0.3f;  // while another line is pointed at

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShortBaselines{{
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"cpu_loop", "CPU loop"},
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

}  // namespace stridescope::views
