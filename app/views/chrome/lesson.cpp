#include "views/chrome/lesson.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "views/chrome/glossary.h"
#include "views/chrome/lesson_figures.h"
#include "views/shared/panel.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

namespace {

constexpr std::string_view kVariantLink = "variant/";
constexpr float kLine = 18, kBetweenParagraphs = 5;  // units: the longest lesson is to fit beside the panels

std::string withoutBackquotes(std::string text) {
  std::erase(text, '`');
  return text;
}

// Takes the links out of the text: "[Banks](#banks)" becomes "Banks", which is marked.
std::vector<TextMark> takeLinks(std::string& text) {
  static constexpr std::string_view kMiddle = "](#";
  std::vector<TextMark> links;
  for (std::size_t from = 0;;) {
    const std::size_t middle = text.find(kMiddle, from);
    const std::size_t open = middle == text.npos ? text.npos : text.rfind('[', middle);
    const std::size_t close = middle == text.npos ? text.npos : text.find(')', middle);
    if (open == text.npos || close == text.npos) return links;
    const std::string target = text.substr(middle + kMiddle.size(), close - middle - kMiddle.size());
    text.erase(middle, close + 1 - middle);
    text.erase(open, 1);
    links.push_back({.begin = open, .end = middle - 1, .target = target, .isLink = true});
    from = middle - 1;
  }
}

LessonParagraph paragraphOf(std::string joined) {
  LessonParagraph paragraph;
  constexpr std::string_view bold = "**";
  const auto end = joined.starts_with(bold) ? joined.find(bold, bold.size()) : joined.npos;
  if (end != joined.npos) {
    paragraph.lead = joined.substr(bold.size(), end - bold.size());
    joined.erase(0, std::min(joined.find_first_not_of(' ', end + bold.size()), joined.size()));
  }
  paragraph.text = withoutBackquotes(std::move(joined));
  paragraph.marks = takeLinks(paragraph.text);
  return paragraph;
}

// Each word of the glossary is underlined where the lesson has it first.
void markGlossaryWords(std::vector<LessonParagraph>& paragraphs) {
  std::set<std::string> seen;
  for (LessonParagraph& paragraph : paragraphs) {
    if (paragraph.heading) continue;
    const std::vector<TextMark> links = paragraph.marks;
    for (TextMark& word : glossary().wordsIn(paragraph.text)) {
      const bool isInLink = std::ranges::any_of(
          links, [&](const TextMark& link) { return word.begin < link.end && link.begin < word.end; });
      if (isInLink) continue;
      word.underlined = seen.insert(word.target).second;
      paragraph.marks.push_back(std::move(word));
    }
    std::ranges::sort(paragraph.marks, {}, &TextMark::begin);
  }
}

// The first round of the stride, in the order of launches; nullopt: the run has none.
std::optional<session::GoToRound> roundOfStride(const session::Replay& replay, std::uint64_t stride) {
  if (!replay.run()) return std::nullopt;
  const auto& launches = replay.run()->analysis.launches;
  for (unsigned launch = 0; launch < launches.size(); ++launch) {
    const auto& rounds = launches[launch].rounds;
    const auto found = std::ranges::find(rounds, std::optional(stride), &analysis::Round::stride);
    if (found != rounds.end()) return session::GoToRound{launch, unsigned(found - rounds.begin())};
  }
  return std::nullopt;
}

void follow(ViewContext& view, const TextMark& mark) {
  if (!mark.isLink) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::Glossary, mark.target});
    return;
  }
  const LinkTarget target = linkTarget(mark.target);
  if (!target.variant.empty()) view.commands.push_back(session::ChooseVariant{target.variant});
  if (target.isLastRound) view.commands.push_back(session::GoToLast{});
  if (target.stride == 0u) view.commands.push_back(session::GoToFirst{});
  if (target.stride)
    if (const auto round = roundOfStride(view.replay, *target.stride)) view.commands.push_back(*round);
  if (findPanel(view.panels, target.panel)) view.commands.push_back(session::ShowPanel{target.panel});
}

void refresh(const ViewContext& view, ShownLesson& lesson) {
  const std::string& variant = view.workspace.experiment().variant;
  const auto& timings = view.times.picture.snapshot;
  if (lesson.variant == variant && lesson.timings == timings) return;
  lesson = {variant, timings, lessonOf(variant, timings ? *timings : measure::TimingSnapshot{})};
}

}  // namespace

LinkTarget linkTarget(std::string_view target) {
  if (target.starts_with(kVariantLink)) return {.variant = std::string(target.substr(kVariantLink.size()))};
  const std::size_t at = std::min(target.find('@'), target.size());
  LinkTarget result{.panel = std::string(target.substr(0, at))};
  std::uint64_t stride = 0;
  const std::string_view number = target.substr(std::min(at + 1, target.size()));
  const char* const end = number.data() + number.size();
  result.isLastRound = number == "last";
  if (!number.empty() && std::from_chars(number.data(), end, stride).ptr == end) result.stride = stride;
  return result;
}

std::string_view lessonText(std::string_view variant) { return embeddedLesson(std::string(variant) + ".md"); }

std::vector<LessonParagraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings) {
  std::vector<LessonParagraph> paragraphs = parseLesson(withFigures(lessonText(variant), timings));
  markGlossaryWords(paragraphs);
  return paragraphs;
}

std::vector<LessonParagraph> parseLesson(std::string_view markdown) {
  std::vector<LessonParagraph> paragraphs;
  std::string joined;
  const auto flush = [&] {
    if (!joined.empty()) paragraphs.push_back(paragraphOf(joined));
    joined.clear();
  };
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      flush();
      paragraphs.push_back({.heading = true, .text = line.substr(2)});
    } else if (line.empty()) {
      flush();
    } else {
      joined += (joined.empty() ? "" : " ") + line;
    }
  }
  flush();
  return paragraphs;
}

void drawLesson(ViewContext& view, ShownLesson& lesson, float width) {
  refresh(view, lesson);
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  float y = origin.y;
  const float line = view.px(kLine);
  const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kBodySize, colours.text);
  for (const LessonParagraph& paragraph : lesson.paragraphs) {
    if (paragraph.heading) {
      y = draw::drawWrapped(view.draw, list, {origin.x, y}, width, view.px(28), paragraph.text,
                            draw::semiBoldStyle(view.draw, draw::kCaptionSize, colours.text))
              .max.y;
    } else {
      if (!paragraph.lead.empty())
        y = draw::drawWrapped(view.draw, list, {origin.x, y}, width, line, paragraph.lead,
                              draw::semiBoldStyle(view.draw, draw::kBodySize, colours.text))
                .max.y;
      const ImVec2 at{origin.x, y};
      y = draw::drawWrapped(view.draw, list, at, width, line, paragraph.text, words).max.y;
      const TextMark* drawn = nullptr;
      for (const MarkedPlace& place : placesOf(paragraph.marks, paragraph.text, words, at, width, line)) {
        std::string label = paragraph.lead + " " +
                            paragraph.text.substr(place.mark->begin, place.mark->end - place.mark->begin);
        if (place.mark == drawn) label += "##next line";
        drawn = place.mark;
        if (drawMark(view, list, place, label)) follow(view, *place.mark);
      }
    }
    y += view.px(kBetweenParagraphs);
  }
  ImGui::SetCursorScreenPos(origin);  // a link set another
  ImGui::Dummy({width, y - origin.y});
}

}  // namespace stridescope::views
