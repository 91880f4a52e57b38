#include "views/reading/lesson.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "shell/default_layout.h"
#include "views/forms/forms.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

std::string_view lessonText(std::string_view variant) { return embeddedLesson(std::string(variant) + ".md"); }

namespace {

// Figures stand for text: what a recording calls its device has no marks of Markdown.
std::vector<Paragraph> withItsWords(std::vector<markdown::Block> blocks,
                                    const measure::TimingSnapshot& timings) {
  for (markdown::Block& block : blocks)
    for (markdown::Piece& piece : block.pieces) piece.text = withFigures(piece.text, timings);
  std::vector<Paragraph> paragraphs = paragraphsOf(blocks);
  markGlossaryWords(paragraphs);
  return paragraphs;
}

}  // namespace

std::vector<markdown::Block> lessonBlocks(std::string_view variant) {
  return markdown::read(lessonText(variant)).value_or(std::vector<markdown::Block>());
}

std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings) {
  return withItsWords(lessonBlocks(variant), timings);
}

std::vector<Paragraph> shownParagraphs(const measure::TimingSnapshot& timings, std::span<const Panel> panels,
                                       std::vector<markdown::Block> blocks) {
  std::vector<Paragraph> paragraphs = withItsWords(std::move(blocks), timings);
  dropDeadLinks(paragraphs, panels);
  return paragraphs;
}

std::vector<Paragraph> shownParagraphs(const ViewContext& view, std::vector<markdown::Block> blocks) {
  const auto& timings = view.times.picture.snapshot;
  return shownParagraphs(timings ? *timings : measure::TimingSnapshot{}, view.panels, std::move(blocks));
}

// In a narrow window the lesson would put the answers behind another tab.
bool isFolded(const ViewContext& view, const ShownLesson& lesson) {
  const bool wasUnfolded = lesson.unfolded && lesson.variant == view.workspace.experiment().variant;
  const float beside = ImGui::GetMainViewport()->Size.x * (1 - kReadingShare) / view.draw.scale;
  return view.predict.isOn() && !wasUnfolded &&
         (view.predict.isHidden() || beside < shell::kNarrowLayoutWidth);
}

void drawLesson(ViewContext& view, ShownLesson& lesson, float width) {
  const std::string& variant = view.workspace.experiment().variant;
  const auto& timings = view.times.picture.snapshot;
  if (lesson.variant != variant || lesson.timings != timings)
    lesson = {variant, timings, shownParagraphs(view, lessonBlocks(variant)),
              lesson.unfolded && lesson.variant == variant};
  if (isFolded(view, lesson)) {
    sentence(view, width,
             std::string(view.predict.isHidden() ? kLessonWaits
                                                 : "The lesson is folded, so that the answers have room."),
             view.colours().text);
    lesson.unfolded = ImGui::Button(view.predict.isHidden() ? "Read it all the same" : "Read it", {width, 0});
    return;
  }
  drawParagraphs(view, lesson.paragraphs, width);
}

namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}", kStated = " = ";

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (text.empty()) return words;
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool isRecorded(const measure::TimingSeries& series, bool onCpu) {
  return series.source == measure::SeriesSource::Recorded &&
         (measure::deviceOf(series.subject.kind) == measure::TimingDeviceKind::Cpu) == onCpu;
}

// The device of the first recorded times on a GPU or on a CPU.
Result<std::string> deviceOf(const measure::TimingSnapshot& timings, bool onCpu) {
  const auto found = std::ranges::find_if(
      timings.series, [&](const measure::TimingSeries& series) { return isRecorded(series, onCpu); });
  if (found == timings.series.end()) return unavailable("no recording of times was found");
  return found->executor.device;
}

struct RecordedTime {
  const measure::TimingSeries* series = nullptr;
  const measure::TimingPoint* point = nullptr;
  double microseconds() const { return point->time.median; }
};

// The time for int and +, with default blocks, on the first device that has times.
Result<RecordedTime> recordedTime(const measure::TimingSnapshot& timings, std::string_view subject,
                                  std::string_view size) {
  const std::uint64_t elements = sizeOf(size);
  if (elements == 0) return usageError("\"" + std::string(size) + "\" is no size");
  for (const bool onCpu : {false, true}) {
    const auto device = deviceOf(timings, onCpu);
    for (const measure::TimingSeries& series : timings.series) {
      if (!isRecorded(series, onCpu) || series.subject.id != subject || series.executor.device != *device)
        continue;
      const model::TimingCase wanted{.elements = elements};
      const auto point = std::ranges::find(series.points, wanted, &measure::TimingPoint::timingCase);
      if (point != series.points.end() && point->time.median > 0) return RecordedTime{&series, &*point};
    }
  }
  return unavailable("no recording has the time of " + std::string(subject) + " at " + std::string(size));
}

bool isVariantOf(const measure::TimingSeries& series, const RecordedTime& time) {
  return series.subject.kind == model::SubjectKind::Variant && series.executor == time.series->executor &&
         kernels::familyOf(series.subject.id) == kernels::familyOf(time.series->subject.id) &&
         std::ranges::find(series.points, time.point->timingCase, &measure::TimingPoint::timingCase) !=
             series.points.end();
}

// The variant before this one among the family's variants that were timed; nullptr: it is the first.
const measure::TimingSeries* timedBefore(const measure::TimingSnapshot& timings, const RecordedTime& time) {
  const measure::TimingSeries* before = nullptr;
  for (const measure::TimingSeries& series : timings.series) {
    if (&series == time.series) break;
    if (isRecorded(series, false) && isVariantOf(series, time)) before = &series;
  }
  return before;
}

// The time over the other's: as Timings has it, from paired repetitions, where it compares the two; else of
// the medians.
double ratioOf(const measure::TimingSnapshot& timings, const RecordedTime& time, const RecordedTime& other) {
  const measure::TimingPoint& point = *time.point;
  if (point.toCub && other.series->subject.id == "cub") return point.toCub->median;
  if (point.toPrevious && timedBefore(timings, time) == other.series) return point.toPrevious->median;
  return time.microseconds() / other.microseconds();
}

// Whole: what lies below is noise between two runs.
std::string wholePercent(double share) {
  return std::isfinite(share) ? std::to_string(std::lround(share * 100)) + " %" : std::string(kNoNumber);
}

// {{time V N}}, {{rate V N}}, {{share V N}}
Result<std::string> ofOne(std::string_view kind, const RecordedTime& time) {
  if (kind == "time") return timeText(time.microseconds());
  const double rate = measure::gigabytesPerSecond(*time.point);
  if (kind == "rate") return gigabytesText(rate) + " GB/s";
  if (!time.series->ceiling || time.series->ceiling->read.median <= 0)
    return unavailable("no recording has the peak read bandwidth of " + time.series->executor.device);
  return wholePercent(rate / time.series->ceiling->read.median);
}

Result<std::string> resolve(std::span<const std::string_view> words, const measure::TimingSnapshot& timings) {
  if (words.size() == 1 && (words[0] == "gpu" || words[0] == "cpu"))
    return deviceOf(timings, words[0] == "cpu");
  const bool isOfOne = words.size() == 3 && (words[0] == "time" || words[0] == "rate" || words[0] == "share");
  const bool isOfTwo = words.size() == 5 && ((words[0] == "times" && words[2] == "over") ||
                                             (words[0] == "less" && words[2] == "than"));
  if (!isOfOne && !isOfTwo) return usageError("no figure is called so");
  const auto time = recordedTime(timings, words[1], words.back());
  if (!time) return tl::unexpected(time.error());
  if (isOfOne) return ofOne(words[0], *time);
  const auto other = recordedTime(timings, words[3], words.back());
  if (!other) return tl::unexpected(other.error());
  const double ratio = ratioOf(timings, *time, *other);
  if (words[0] == "times") return factorText(1 / ratio);
  const double less = 1 - ratio;
  const std::string percent = wholePercent(std::abs(less));
  if (percent == wholePercent(0)) return std::string("the same time");
  return percent + (less > 0 ? " less time" : " more time");
}

}  // namespace

std::uint64_t sizeOf(std::string_view text) { return typedNumber(text).value_or(0); }

std::optional<StatedCount> statedCount(std::string_view reference) {
  const std::size_t at = reference.find(kStated);
  if (at == reference.npos) return std::nullopt;
  return StatedCount{reference.substr(0, at), reference.substr(at + kStated.size())};
}

Result<std::string> figureOf(std::string_view reference, const measure::TimingSnapshot& timings) {
  if (const auto stated = statedCount(reference)) return std::string(stated->number);
  return resolve(wordsOf(reference), timings);
}

std::string withFigures(std::string_view text, const measure::TimingSnapshot& timings) {
  std::string resolved;
  while (true) {
    const std::size_t open = text.find(kOpen);
    const std::size_t close = open == text.npos ? text.npos : text.find(kClose, open);
    if (close == text.npos) return resolved.append(text);
    resolved += text.substr(0, open);
    const auto figure = figureOf(text.substr(open + kOpen.size(), close - open - kOpen.size()), timings);
    resolved += figure ? *figure : "– (" + figure.error().sentence + ")";
    text.remove_prefix(close + kClose.size());
  }
}

}  // namespace stridescope::views
