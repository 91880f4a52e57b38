#include "views/shared/ladder_times.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::views {
namespace {

constexpr std::size_t kLongestShortTitle = 19;  // characters, unless it is one word
constexpr std::array<std::string_view, 7> kNotTheLastWord{"a", "of", "in", "an", "the", "during", "per"};

constexpr unsigned kBarCharacters = 20;
constexpr char kLiveCharacter = '#', kRecordedCharacter = '-';

bool isRung(const TimingLine& line) {
  return line.rung != nullptr && !line.onCpu && line.series->subject.kind == model::SubjectKind::Variant;
}

bool isOfLadder(const TimingLine& line) {
  return kernels::familyOf(line.series->subject.id) == kernels::Family::Ladder;
}

// Live lines stand before recorded ones. If there are several recordings, the first one's device is shown.
std::vector<const TimingLine*> shownRungs(const TimingsPicture& picture) {
  std::vector<const TimingLine*> shown;
  const std::string* recordedDevice = nullptr;
  for (const bool recorded : {false, true})
    for (const TimingLine& line : picture.lines) {
      if (!isRung(line) || line.recorded != recorded) continue;
      const bool isTaken = std::ranges::any_of(shown, [&](const TimingLine* other) {
        return other->series->subject.id == line.series->subject.id;
      });
      const std::string& device = line.series->executor.device;
      if (isTaken || (recorded && recordedDevice != nullptr && *recordedDevice != device)) continue;
      if (recorded) recordedDevice = &device;
      shown.push_back(&line);
    }
  return shown;
}

std::string deviceOf(std::span<const TimingLine* const> shown, bool recorded) {
  const auto found = std::ranges::find(shown, recorded, &TimingLine::recorded);
  return found == shown.end() ? std::string() : (*found)->series->executor.device;
}

std::string padded(const std::string& text, std::size_t columns, bool toTheRight) {
  const std::size_t characters = narration::charactersIn(text),
                    missing = columns - std::min(columns, characters);
  return toTheRight ? std::string(missing, ' ') + text : text + std::string(missing, ' ');
}

TimingFilter filterOf(const session::Workspace& workspace, const session::Measurements& measurements) {
  const session::TimingChoices& choices = measurements.choices();
  const model::Experiment& experiment = workspace.experiment();
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  const bool overSeveral = kernel != nullptr && kernel->isOfSeveralGpus();
  return {.type = experiment.type,
          .op = experiment.op,
          .warmL2 = choices.warmL2,
          .graph = choices.graph && !overSeveral,
          .gpus = overSeveral ? experiment.gpus : 0,
          .arrays = overSeveral && kernel->devices == model::DeviceUse::ArrayEach,
          .elements = measurements.elements()};
}

}  // namespace

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

const RungTime* LadderTimes::find(std::string_view variant) const {
  const auto found = std::ranges::find(rungs, variant, &RungTime::variant);
  return found == rungs.end() ? nullptr : &*found;
}

double fullBarOf(std::span<const TimingLine* const> lines) {
  double ladder = 0, others = 0, cpu = 0;
  for (const TimingLine* line : lines) {
    double& most = line->onCpu ? cpu : isOfLadder(*line) ? ladder : others;
    most = std::max(most, line->rung->time.median);
  }
  return ladder > 0 ? ladder : others > 0 ? others : cpu;
}

LadderTimes ladderTimes(const TimingsPicture& picture) {
  const std::vector<const TimingLine*> shown = shownRungs(picture);
  const double full = fullBarOf(shown);
  if (full <= 0) return {};
  LadderTimes times{.unit = RungUnit::Microseconds,
                    .rungs = {},
                    .liveDevice = deviceOf(shown, false),
                    .recordedDevice = deviceOf(shown, true),
                    .elements = picture.ladderElements,
                    .threads = 0};
  for (const TimingLine* line : shown) {
    const double median = line->rung->time.median;
    times.rungs.push_back({line->series->subject.id, median, median / full, line->recorded});
  }
  return times;
}

LadderTimes ladderCycles(const session::Replay& replay) {
  LadderTimes times;
  times.unit = RungUnit::Cycles;
  if (replay.run() == nullptr || replay.cycles().clocks.empty()) return times;
  const lab::RunCycles& cycles = replay.cycles();
  times.threads = replay.run()->trace.experiment.threads;
  std::uint64_t full = 0;
  for (const lab::VariantCycles& each : cycles.variants)
    if (kernels::familyOf(each.variant) == kernels::Family::Ladder) full = std::max(full, each.block.median);
  if (full == 0) return times;
  for (const lab::VariantCycles& each : cycles.variants) {
    (each.live ? times.liveDevice : times.recordedDevice) = cycles.clocks.back().executor.device;
    times.rungs.push_back(
        {each.variant, double(each.block.median), double(each.block.median) / double(full), !each.live});
  }
  return times;
}

std::string amountOf(const LadderTimes& times, const RungTime& rung) {
  return times.unit == RungUnit::Cycles ? narration::count(std::uint64_t(rung.amount), "cycle")
                                        : microsecondsText(rung.amount) + " µs";
}

std::string originOf(const LadderTimes& times, std::string_view live, std::string_view recorded) {
  const std::string n = times.unit == RungUnit::Cycles
                            ? "one block of " + narration::count(times.threads, "thread") + " alone"
                            : "n = " + sizeText(times.elements);
  if (times.recordedDevice.empty()) return "Measured here on " + times.liveDevice + ", " + n;
  if (times.liveDevice.empty()) return "Recorded on " + times.recordedDevice + ", " + n;
  return std::string(live) + ": measured here on " + times.liveDevice + ". " + std::string(recorded) +
         ": recorded on " + times.recordedDevice + ". All: " + n;
}

std::string ladderTimesText(const LadderTimes& times) {
  std::size_t titleColumns = 0, timeColumns = 0;
  for (const RungTime& rung : times.rungs) {
    titleColumns = std::max(titleColumns, kernels::titleOf(rung.variant).size());
    timeColumns = std::max<std::size_t>(timeColumns, narration::charactersIn(amountOf(times, rung)));
  }
  std::string text;
  for (const auto& family : kernels::byFamily(kernels::catalog()))
    for (const kernels::Variant* variant : family) {
      const RungTime* const rung = times.find(variant->id);
      if (rung == nullptr) continue;
      const auto bar = std::size_t(std::ceil(std::min(rung->share, 1.0) * kBarCharacters));
      text += padded(kernels::numberOf(variant->id), 3, true) + " " +
              padded(std::string(variant->title), titleColumns, false) + "  " +
              padded(amountOf(times, *rung), timeColumns, true) + "  " +
              std::string(bar, rung->recorded ? kRecordedCharacter : kLiveCharacter) +
              (rung->share > 1 ? ">" : "") + "\n";
    }
  if (text.empty()) return text;
  return text +
         narration::wrapped(originOf(times, {&kLiveCharacter, 1}, {&kRecordedCharacter, 1}),
                            narration::kTextColumns) +
         "\n";
}

void ShownTimes::refresh(const session::Workspace& workspace, const session::Measurements& measurements) {
  auto snapshot = measurements.timings();
  if (!snapshot) snapshot = picture.snapshot ? picture.snapshot : std::make_shared<measure::TimingSnapshot>();
  const TimingFilter filter = filterOf(workspace, measurements);
  if (picture.isOf(snapshot.get(), filter)) return;
  picture = timingsPicture(std::move(snapshot), filter);
  rungs = ladderTimes(picture);
}

namespace {

constexpr float kMinLength = 2, kGapFromEnd = 14, kGapLean = 6, kGapWidth = 4;  // units
constexpr float kRecordedFill = 0.35f;

}  // namespace

void drawRungBar(const draw::DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max,
                 const RungBar& bar) {
  const float end =
      min.x + std::max(context.px(kMinLength), (max.x - min.x) * float(std::min(bar.share, 1.0)));
  list.AddRectFilled(min, max, context.colours().field);
  if (bar.recorded) {
    list.AddRectFilled(min, {end, max.y}, draw::withAlpha(bar.colour, kRecordedFill));
    list.AddRect(min, {end, max.y}, bar.colour, 0, 0, context.px(1));
  } else {
    list.AddRectFilled(min, {end, max.y}, bar.colour);
  }
  if (bar.share <= 1) return;
  const float middle = max.x - context.px(kGapFromEnd), lean = context.px(kGapLean),
              gap = context.px(kGapWidth);
  list.AddQuadFilled({middle, max.y}, {middle + lean, min.y}, {middle + lean + gap, min.y},
                     {middle + gap, max.y}, context.colours().panel);
}

}  // namespace stridescope::views
