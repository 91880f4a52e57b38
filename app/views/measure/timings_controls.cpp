#include "views/measure/timings_controls.h"

#include <array>

#include "base/numbers.h"
#include "draw/marks.h"
#include "views/measure/timings_look.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr const char* kMenu = "timings menu";
constexpr float kTimingsButtonInset = 8;  // units

bool isUnderWay(measure::TimingState state) {
  return state == measure::TimingState::Preparing || state == measure::TimingState::Sampling ||
         state == measure::TimingState::Paused || state == measure::TimingState::Held;
}
measure::TimingState stateOf(const TimingsScene& scene) { return scene.picture().snapshot->state; }

// What a start on this tab goes through, and what its button says.
session::TimingSweep sweepOf(TimingsTab tab) {
  if (tab == TimingsTab::BySize) return session::TimingSweep::Sizes;
  return tab == TimingsTab::ByBlock ? session::TimingSweep::BlockSizes : session::TimingSweep::OneSize;
}

const char* startLabelOf(TimingsTab tab) {
  if (tab == TimingsTab::BySize) return "Time all sizes";
  return tab == TimingsTab::ByBlock ? "Time all blocks" : "Start timing";
}

// Buttons one after the other from the left, as long as there is room; one that ends what goes on stands at
// the right, where nothing comes into its place: a click that comes late starts and clears nothing.
class ButtonRow {
 public:
  ButtonRow(TimingsScene& scene, float left, float right)
      : scene_(scene), left_(left), right_(right), top_(scene.min.y) {}

  bool atRight(const char* label) {
    const float width = widthOf(label);
    right_ -= width;
    ImGui::SetCursorScreenPos({right_, top_});
    const bool clicked = ImGui::Button(label, {width, scene_.view.px(draw::kControlHeight)});
    right_ -= scene_.view.px(draw::kBaseUnit + 2);
    return clicked;
  }

  // False where there is no room, too.
  bool button(const char* label, bool chosen = false) {
    const float width = widthOf(label);
    if (left_ + width > right_) return false;
    ImGui::SetCursorScreenPos({left_, top_});
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const bool clicked = ImGui::Button(label, {width, scene_.view.px(draw::kControlHeight)});
    if (chosen) ImGui::PopStyleColor();
    left_ += width + scene_.view.px(draw::kBaseUnit + 2);
    return clicked;
  }
  // In a page.
  bool programLink() {
    const float width = programLinkSize(scene_.view).x;
    if (left_ + width > right_ || !drawProgramLink(scene_.view, scene_.list, {left_, top_})) return false;
    left_ += width + scene_.view.px(draw::kBaseUnit + 2);
    return true;
  }
  // One of two, the chosen one with a line under it.
  bool choice(const char* label, bool chosen) {
    const float from = left_;
    const bool clicked = button(label, chosen);
    if (chosen && left_ > from) {
      const float bottom = top_ + scene_.view.px(draw::kControlHeight),
                  to = left_ - scene_.view.px(draw::kBaseUnit + 2);
      scene_.list.AddRectFilled({from + scene_.view.px(6), bottom - scene_.view.px(2)},
                                {to - scene_.view.px(6), bottom}, scene_.view.colours().result);
    }
    return clicked;
  }
  // From here on, with a gap before them, or not at all.
  bool hasRoomFor(std::initializer_list<const char*> labels) {
    float room = right_ - left_ - scene_.view.px(8);
    for (const char* label : labels) room -= widthOf(label) + scene_.view.px(draw::kBaseUnit + 2);
    if (room + scene_.view.px(draw::kBaseUnit + 2) < 0) return false;
    left_ += scene_.view.px(8);
    return true;
  }

 private:
  float widthOf(const char* label) const {
    return ImGui::CalcTextSize(label).x + scene_.view.px(kTimingsButtonInset) * 2;
  }

  TimingsScene& scene_;
  float left_, right_, top_;
};

// The menu has them, too.
void drawTabChoices(TimingsScene& scene, ButtonRow& row) {
  if (scene.state.tab == TimingsTab::Ladder && row.hasRoomFor({"as taught", "by time"})) {
    if (row.choice("as taught", !scene.state.byTime)) scene.state.byTime = false;
    if (row.choice("by time", scene.state.byTime)) scene.state.byTime = true;
  }
  if (scene.state.tab == TimingsTab::BySize && row.hasRoomFor({"time", "GB/s"})) {
    if (row.choice("time", !scene.state.gigabytes)) scene.state.gigabytes = false;
    if (row.choice("GB/s", scene.state.gigabytes)) scene.state.gigabytes = true;
  }
}

void drawRunButtons(TimingsScene& scene, ButtonRow& row) {
  const measure::TimingState now = stateOf(scene);
  const session::Measurements& measurements = scene.view.measurements;
  const session::TimingSweep sweep = sweepOf(scene.state.tab);
  auto& commands = scene.view.commands;
  if (isUnderWay(now)) {
    if (row.atRight("Stop")) commands.push_back(session::StopTiming{});
    if (row.atRight(now == measure::TimingState::Paused ? "Go on" : "Pause"))
      commands.push_back(session::PauseTiming{});
  }
  if (row.programLink()) return;  // nothing can be timed there
  const bool goesOn = isUnderWay(now) && measurements.sweep() == sweep;
  const std::string why = goesOn ? "This is what is timed now." : measurements.whyNotTimed(sweep);
  ImGui::BeginDisabled(!why.empty());
  if (row.button(now == measure::TimingState::Failed ? "Try again" : startLabelOf(scene.state.tab)))
    commands.push_back(session::StartTiming{sweep});
  ImGui::EndDisabled();
  if (!why.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) wideTooltip(scene.view, why);
  if (!scene.picture().hasLive && !isUnderWay(now)) return;
  ImGui::BeginDisabled(!scene.picture().hasLive);
  if (row.button("Clear")) commands.push_back(session::ClearTimings{});
  ImGui::EndDisabled();
}

// The mark before the status line: a disc for what is measured now, two bars when it waits, a square when it
// stands, a hollow diamond for what was recorded, a cross for what went wrong.
void drawStatusMark(const TimingsScene& scene, ImVec2 middle) {
  const draw::Palette& colours = scene.view.colours();
  const float r = scene.view.px(5);
  const TimingsPicture& picture = scene.picture();
  switch (picture.snapshot->state) {
    case measure::TimingState::Preparing:
    case measure::TimingState::Sampling:
      return scene.list.AddCircleFilled(middle, r, colours.operand);
    case measure::TimingState::Paused:
    case measure::TimingState::Held:
      scene.list.AddRectFilled({middle.x - r, middle.y - r}, {middle.x - r / 3, middle.y + r}, colours.dim);
      return scene.list.AddRectFilled({middle.x + r / 3, middle.y - r}, {middle.x + r, middle.y + r},
                                      colours.dim);
    case measure::TimingState::Failed:
      return draw::drawCross(scene.view.draw, scene.list, middle, r, colours.problem, 2);
    case measure::TimingState::Idle:
    case measure::TimingState::Done:
      break;
  }
  if (picture.hasLive)
    return scene.list.AddRectFilled({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, colours.dim);
  draw::drawPlotMark(scene.view.draw, scene.list, middle, r, draw::PlotMark::Diamond, colours.dim, false);
}

// The device of the first line that was measured here, the GPU's first.
std::string liveDevice(const TimingsPicture& picture) {
  for (const TimingLine& line : picture.lines)
    if (!line.recorded) return line.series->executor.device;
  return {};
}
std::string recordedDevices(const TimingsPicture& picture, const TimingsState& state) {
  std::string devices;
  for (const TimingLine& line : picture.lines) {
    if (!line.recorded || isMeasuredHereToo(picture, state, line)) continue;
    const model::Executor& executor = line.series->executor;
    const std::string device = executor.device + ", " + executor.recordedOn.substr(0, 10);
    if (line.onCpu || devices.find(device) != std::string::npos) continue;
    devices += (devices.empty() ? "" : " and ") + device;
  }
  return devices;
}

std::string stateText(const TimingsPicture& picture) {
  const measure::TimingSnapshot& now = *picture.snapshot;
  const std::string on = liveDevice(picture).empty() ? "" : " on " + liveDevice(picture);
  switch (now.state) {
    case measure::TimingState::Preparing:
      return "Getting ready" + (now.doing.empty() ? std::string() : ": " + now.doing);
    case measure::TimingState::Sampling:
      return "Live" + on + " · " + now.doing;
    case measure::TimingState::Paused:
      return "Paused" + on + ": nothing is sampled";
    case measure::TimingState::Held:
      return "Waits while the GPU records";
    case measure::TimingState::Done:
      return "Measured" + on + ", finished";
    case measure::TimingState::Failed:
      return now.failure ? session::inWindow(now.failure->sentence) : "Timing ended.";
    case measure::TimingState::Idle:
      break;
  }
  return picture.hasLive ? "Measured" + on + ", stopped" : std::string();
}

// "Live on NVIDIA H100": what the status line says first.
std::string timingStatusText(const TimingsPicture& picture, const TimingsState& state,
                             const session::Measurements& measurements) {
  std::string text = stateText(picture);
  if (!recordedDevices(picture, state).empty())
    text += (text.empty() ? "" : ". ") + std::string("Outlined: recorded on ") +
            recordedDevices(picture, state) + ", not live";
  const bool onlyCpu = !picture.lines.empty() &&
                       std::ranges::all_of(picture.lines, [](const auto& line) { return line.onCpu; });
  if (onlyCpu && !measurements.canTimeOnGpu())
    text += ". No recording has a GPU's times of " + std::string(model::nameOf(picture.filter.type)) + " " +
            std::string(model::nameOf(picture.filter.op));
  if (picture.filter.warmL2) text += ". Warm L2";
  if (picture.filter.graph) text += ". CUDA graph";
  if (text.empty()) text = measurements.whyNotTimed(session::TimingSweep::OneSize);
  return text;
}

void drawSwitches(TimingsScene& scene) {
  session::TimingChoices choices = scene.view.measurements.choices();
  const session::TimingChoices before = choices;
  ImGui::MenuItem("CUB, Thrust and the CPU", nullptr, &choices.baselines);
  ImGui::MenuItem("Every variant that can be timed", nullptr, &choices.everyVariant);
  ImGui::MenuItem("Launches as a CUDA graph", nullptr, &choices.graph);
  ImGui::MenuItem("Warm L2: the same input again", nullptr, &choices.warmL2);
  if (choices != before) scene.view.commands.push_back(session::ChooseTimings{choices});
}

}  // namespace

void drawTimingControls(TimingsScene& scene) {
  const float menuWidth = ImGui::CalcTextSize("More").x + scene.view.px(kTimingsButtonInset) * 2;
  const float menuLeft = scene.max.x - menuWidth;
  ButtonRow row(scene, scene.min.x, menuLeft - scene.view.px(draw::kBaseUnit));
  drawRunButtons(scene, row);
  drawTabChoices(scene, row);
  ImGui::SetCursorScreenPos({menuLeft, scene.min.y});
  if (ImGui::Button("More", {menuWidth, scene.view.px(draw::kControlHeight)})) scene.menuWanted = true;
  scene.min.y += scene.view.px(draw::kControlHeight + 6);
}

void drawTimingStatus(TimingsScene& scene) {
  const draw::Palette& colours = scene.view.colours();
  const measure::TimingSnapshot& now = *scene.picture().snapshot;
  const bool failed = now.state == measure::TimingState::Failed;
  const float line = scene.view.px(draw::kLabelLineHeight), left = scene.min.x + scene.view.px(18);
  const std::string text = timingStatusText(scene.picture(), scene.state, scene.view.measurements);
  if (!text.empty()) {
    drawStatusMark(scene, {scene.min.x + scene.view.px(6), scene.min.y + line / 2});
    const draw::DrawnText drawn =
        scene.view.wrapped(scene.list, {left, scene.min.y}, scene.max.x - left, line, text,
                           scene.view.words(failed ? colours.problem : colours.text), 3);
    scene.min.y = drawn.max.y + scene.view.px(2);
  }
  if (!now.notes.empty()) {
    std::string all;
    for (const std::string& note : now.notes) all += note + "\n";
    const draw::DrawnText drawn =
        scene.view.wrapped(scene.list, {left, scene.min.y}, scene.max.x - left, line, now.notes.back(),
                           scene.view.words(colours.dim), 2);
    draw::fillTriangleRight(scene.list, {scene.min.x + scene.view.px(2), scene.min.y + scene.view.px(4)},
                            {scene.min.x + scene.view.px(9), scene.min.y + scene.view.px(12)},
                            colours.result);
    if (ImGui::IsMouseHoveringRect(drawn.min, drawn.max)) wideTooltip(scene.view, all);
    scene.min.y = drawn.max.y + scene.view.px(2);
  }
  scene.min.y += scene.view.px(draw::kBaseUnit);
}

namespace {

// If the chosen reduction has no recorded times, draws a button for each reduction that has some.
void offerRecorded(TimingsScene& scene, float left, float top, float width) {
  const ViewContext& view = scene.view;
  const auto reductions = recordedReductions(*scene.picture().snapshot);
  if (reductions.empty()) return;
  const draw::TextStyle style = view.words(view.colours().dim, draw::kBodySize);
  top = view.wrapped(scene.list, {left, top}, width, view.px(20),
                     "There are recorded times of these reductions:", style)
            .max.y +
        view.px(6);
  ImGui::SetCursorScreenPos({left, top});
  for (const auto& [type, op] : reductions) {
    const std::string label = std::string(model::nameOf(type)) + " " + std::string(model::nameOf(op));
    if (ImGui::Button(label.c_str())) {
      scene.view.commands.push_back(session::Choose(&model::Experiment::type, type));
      scene.view.commands.push_back(session::Choose(&model::Experiment::op, op));
    }
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

}  // namespace

void drawTimingStart(TimingsScene& scene) {
  const ViewContext& view = scene.view;
  const bool gpu = view.measurements.canTimeOnGpu(), underWay = isUnderWay(stateOf(scene));
  const std::string why = view.measurements.whyNotTimed(sweepOf(scene.state.tab));
  std::string sentence =
      gpu ? "Times the ladder's variants again and again on this GPU, beside CUB, Thrust and the CPU."
          : "No GPU can be used here: the CPU's own reductions are timed, and no GPU's time is shown.";
  if (!why.empty()) sentence = why;
  if (underWay) sentence = stateText(scene.picture());
  const draw::TextStyle style = view.words(view.colours().text, draw::kBodySize);
  const float line = view.px(20), width = std::min(scene.max.x - scene.min.x, view.px(380));
  const float height = line * float(draw::wrappedLineCount(style, sentence, width)) + view.px(8 + 32);
  const float left = (scene.min.x + scene.max.x - width) / 2;
  float top = std::max(scene.min.y, (scene.min.y + scene.max.y - height) / 2);
  top = scene.view.wrapped(scene.list, {left, top}, width, line, sentence, style).max.y + view.px(10);
  if (drawProgramLink(scene.view, scene.list, {left, top})) {
    const float below = top + programLinkSize(view).y + view.px(12);
    if (!view.app.areRecordingsOffered()) return offerRecorded(scene, left, below, width);
    return drawFetchButton(scene.view, {left, below}, scene.max.x);
  }
  ImGui::SetCursorScreenPos({left, top});
  const auto button = [&](const char* label) {
    return ImGui::Button(label, {ImGui::CalcTextSize(label).x + view.px(32), view.px(32)});
  };
  ImGui::BeginDisabled(!why.empty() || underWay);
  ImGui::PushStyleColor(ImGuiCol_Button, view.colours().result);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, view.colours().result);
  ImGui::PushStyleColor(ImGuiCol_Text, view.colours().ink);
  if (button(startLabelOf(scene.state.tab)))
    scene.view.commands.push_back(session::StartTiming{sweepOf(scene.state.tab)});
  ImGui::PopStyleColor(3);
  ImGui::EndDisabled();
  if (underWay) {
    ImGui::SameLine(0, view.px(draw::kBaseUnit + 2));
    if (button("Stop")) scene.view.commands.push_back(session::StopTiming{});
  }
  offerRecorded(scene, left, top + view.px(32 + 12), width);
}

void drawTimingMenu(TimingsScene& scene) {
  if (scene.menuWanted) ImGui::OpenPopup(kMenu);
  if (!ImGui::BeginPopup(kMenu)) return;
  const bool any = !scene.picture().lines.empty();
  if (ImGui::MenuItem("Copy as CSV", nullptr, false, any))
    scene.view.commands.push_back(session::CopyTimings{});
  if (ImGui::MenuItem("Save as PNG..."))
    scene.view.commands.push_back(session::ShowOverlay{session::Overlay::Export, kTimingsId});
  if (ImGui::MenuItem("Clear what was measured", nullptr, false, scene.picture().hasLive))
    scene.view.commands.push_back(session::ClearTimings{});
  ImGui::Separator();
  if (ImGui::MenuItem("Fit the axes", "F")) scene.state.fit();
  if (scene.state.tab == TimingsTab::Ladder)
    ImGui::MenuItem("The fastest first", nullptr, &scene.state.byTime);
  if (scene.state.tab == TimingsTab::BySize)
    ImGui::MenuItem("GB/s in place of time", nullptr, &scene.state.gigabytes);
  ImGui::MenuItem("Logarithmic time", nullptr, &scene.state.logarithmic);
  ImGui::MenuItem("Published times of older cards", nullptr, &scene.state.published);
  ImGui::MenuItem("Recorded times beside live ones", nullptr, &scene.state.recordedBesideLive,
                  scene.picture().hasLive && scene.picture().hasRecorded);
  if (ImGui::MenuItem("Colours as they were at first", nullptr, false, !scene.state.toggled.empty()))
    scene.state.toggled.clear();
  ImGui::Separator();
  drawSwitches(scene);
  ImGui::EndPopup();
}

}  // namespace stridescope::views
