// The lesson of a variant: a short text from assets/lessons/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/timing_board.h"
#include "views/reading/paragraphs.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The lesson of the variant with this id: the file's text, and the lesson as it is shown, with its figures
// and the glossary's words.
std::string_view lessonText(std::string_view variant);
// A lesson is of the program's own, and can be read.
std::vector<markdown::Block> lessonBlocks(std::string_view variant);
std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings);

// A text of a lesson or a tour as it is shown beside the panels: the same, and links that lead somewhere.
std::vector<Paragraph> shownParagraphs(const measure::TimingSnapshot& timings, std::span<const Panel> panels,
                                       std::vector<markdown::Block> blocks);
std::vector<Paragraph> shownParagraphs(const ViewContext& view, std::vector<markdown::Block> blocks);

// A lesson kept for the frames that show it.
struct ShownLesson {
  std::string variant = {};
  std::shared_ptr<const measure::TimingSnapshot> timings = {};
  std::vector<Paragraph> paragraphs = {};
  bool unfolded = false;  // though a round is to be predicted
};

// What stands in its place where a round is asked about.
inline constexpr std::string_view kLessonWaits =
    "The lesson may tell what is asked. It is folded until the round is revealed.";

inline constexpr float kReadingShare = 0.28f;  // of the window, for a text that is read beside the panels

// Only a note stands there, until the round that is asked about is revealed, in a window that has room for
// the lesson beside its answers, or until a person wants to read it.
bool isFolded(const ViewContext& view, const ShownLesson& lesson);
// Draws the lesson of the variant that is asked for into the current window, `width` pixels wide.
void drawLesson(ViewContext& view, ShownLesson& lesson, float width);

// Figures by reference: {{...}} in a lesson is resolved when the lesson is shown.
//
//   {{time V N}}             median of V (a variant, or a baseline: cub, cpu_loop, ...) for N ints and +:
//                            89.5 µs
//   {{times V over W N}}     how many times as fast as W it is: 1.26
//   {{less V than W N}}      its time against W's: 21 % less time, 3 % more time, the same time
//   {{rate V N}}             GB/s of the input: 750 GB/s
//   {{share V N}}            the same, of the peak read bandwidth measured beside it: 24 %
//   {{gpu}}, {{cpu}}         where that was recorded
//   {{318 = wavefronts two_per_thread}}
//                            a number of the picture: it stands there, and a test computes it from a trace
//                            of the CPU executor (tests/views/lesson_counts.h has the words)
//
// N is 1000 or 2^24. Times are those of the first recording that has timings. In the recordings that are
// shipped they are for default blocks and for inputs that do not lie in a cache.

// What one reference stands for, without its braces. An error is a clause: which word of it names nothing, or
// that no recording has it.
Result<std::string> figureOf(std::string_view reference, const measure::TimingSnapshot& timings);

// "2^24" or "1000"; 0: neither.
std::uint64_t sizeOf(std::string_view text);

// The text with all its references resolved; where one cannot be, a dash and, in brackets, why.
std::string withFigures(std::string_view text, const measure::TimingSnapshot& timings);

// "318" and "wavefronts two_per_thread" of "318 = wavefronts two_per_thread"; nullopt: it is no such one.
struct StatedCount {
  std::string_view number, what;
};
std::optional<StatedCount> statedCount(std::string_view reference);

}  // namespace stridescope::views
