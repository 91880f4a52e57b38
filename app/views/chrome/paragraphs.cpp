#include "views/chrome/paragraphs.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "session/link.h"
#include "views/chrome/glossary.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr std::string_view kBold = "**", kItem = "- ";
constexpr float kLine = 18, kBetween = 5;  // units: the longest lesson is to fit beside the panels
constexpr float kHeadingLine = 28, kListIndent = 14;

// "the guide (https://...)" of "[the guide](https://...)": nothing here leads to the web, but the address can
// be read.
std::string withAddresses(std::string text) {
  constexpr std::string_view kMiddle = "](";
  for (std::size_t from = 0;;) {
    const std::size_t middle = text.find(kMiddle, from);
    if (middle == text.npos) return text;
    from = middle + 1;
    const std::size_t open = text.rfind('[', middle), close = text.find(')', middle);
    if (open == text.npos || close == text.npos || text.substr(middle).starts_with("](#")) continue;
    text.replace(middle, kMiddle.size(), " (");
    text.erase(open, 1);
  }
}

// Bold words within a text, and code, stand as the rest does.
std::string withoutMarks(std::string text) {
  std::erase(text, '`');
  for (std::size_t open = text.find(kBold); open != text.npos; open = text.find(kBold, open)) {
    const std::size_t close = text.find(kBold, open + kBold.size());
    if (close == text.npos) break;
    text.erase(close, kBold.size());
    text.erase(open, kBold.size());
  }
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

Paragraph paragraphOf(std::string joined) {
  Paragraph paragraph;
  if (joined.starts_with(kItem)) {
    paragraph.listed = true;
    joined.erase(0, kItem.size());
  }
  const auto end = joined.starts_with(kBold) ? joined.find(kBold, kBold.size()) : joined.npos;
  if (end != joined.npos) {
    paragraph.lead = joined.substr(kBold.size(), end - kBold.size());
    joined.erase(0, std::min(joined.find_first_not_of(' ', end + kBold.size()), joined.size()));
  }
  paragraph.text = withAddresses(withoutMarks(std::move(joined)));
  paragraph.marks = takeLinks(paragraph.text);
  return paragraph;
}

void follow(ViewContext& view, const TextMark& mark) {
  if (!mark.isLink) {
    view.commands.push_back(session::ShowOverlay{session::Overlay::Glossary, mark.target});
    return;
  }
  if (const auto link = session::parseLink(mark.target, idsOf(view.panels)))
    view.commands.push_back(session::FollowLink{*link});
}

// Draws paragraphs one below the other; gives the links names for the keyboard's focus and for tests.
class ParagraphPainter {
 public:
  ParagraphPainter(ViewContext& view, float width)
      : view_(view),
        width_(width),
        list_(*ImGui::GetWindowDrawList()),
        origin_(ImGui::GetCursorScreenPos()),
        y_(origin_.y) {}

  void add(const Paragraph& paragraph) {
    const draw::Palette& colours = view_.colours();
    if (paragraph.heading) {
      wrapped(paragraph.text, view_.px(kHeadingLine),
              draw::semiBoldStyle(view_.draw, draw::kCaptionSize, colours.text), 0);
    } else {
      const draw::TextStyle lead = draw::semiBoldStyle(view_.draw, draw::kBodySize, colours.text);
      const draw::TextStyle words = draw::wordsStyle(view_.draw, draw::kBodySize, colours.text);
      const float indent = paragraph.listed ? view_.px(kListIndent) : 0, line = view_.px(kLine);
      if (paragraph.listed)
        list_.AddCircleFilled({origin_.x + view_.px(5), y_ + line / 2}, view_.px(2.5f), colours.text);
      if (!paragraph.lead.empty()) wrapped(paragraph.lead, line, lead, indent);
      const ImVec2 at{origin_.x + indent, y_};
      if (!paragraph.text.empty()) wrapped(paragraph.text, line, words, indent);
      marks(paragraph, words, at, width_ - indent);
    }
    y_ += view_.px(kBetween);
  }

  void end() {
    ImGui::SetCursorScreenPos(origin_);  // a link set another
    ImGui::Dummy({width_, y_ - origin_.y});
  }

 private:
  void wrapped(const std::string& text, float line, const draw::TextStyle& style, float indent) {
    y_ = draw::drawWrapped(view_.draw, list_, {origin_.x + indent, y_}, width_ - indent, line, text, style)
             .max.y;
  }

  void marks(const Paragraph& paragraph, const draw::TextStyle& style, ImVec2 at, float width) {
    const TextMark* drawn = nullptr;
    for (const MarkedPlace& place :
         placesOf(paragraph.marks, paragraph.text, style, at, width, view_.px(kLine))) {
      std::string label = paragraph.lead.empty() ? "" : paragraph.lead + " ";
      label += paragraph.text.substr(place.mark->begin, place.mark->end - place.mark->begin);
      if (place.mark == drawn) label += "##next line";
      drawn = place.mark;
      while (place.mark->isLink && !labels_.insert(label).second) label += "##again";
      if (drawMark(view_, list_, place, label)) follow(view_, *place.mark);
    }
  }

  ViewContext& view_;
  float width_;
  ImDrawList& list_;
  ImVec2 origin_;
  float y_;
  std::set<std::string> labels_;
};

}  // namespace

std::vector<Paragraph> parseParagraphs(std::string_view markdown) {
  std::vector<Paragraph> paragraphs;
  std::string joined;
  const auto flush = [&] {
    if (!joined.empty()) paragraphs.push_back(paragraphOf(joined));
    joined.clear();
  };
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \r") + 1);
    if (line.starts_with("# ")) {
      flush();
      paragraphs.push_back({.heading = true, .text = line.substr(2)});
      continue;
    }
    if (line.empty() || line.starts_with(kItem)) flush();
    line.erase(0, line.find_first_not_of(' '));  // an item's second line is indented
    if (!line.empty()) joined += (joined.empty() ? "" : " ") + line;
  }
  flush();
  return paragraphs;
}

void markGlossaryWords(std::vector<Paragraph>& paragraphs) {
  std::set<std::string> seen;
  for (Paragraph& paragraph : paragraphs) {
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

void dropDeadLinks(std::vector<Paragraph>& paragraphs, std::span<const Panel> panels) {
  const std::vector<std::string> ids = idsOf(panels);
  for (Paragraph& paragraph : paragraphs)
    std::erase_if(paragraph.marks,
                  [&](const TextMark& mark) { return mark.isLink && !session::parseLink(mark.target, ids); });
}

void drawParagraphs(ViewContext& view, const std::vector<Paragraph>& paragraphs, float width) {
  ParagraphPainter painter(view, width);
  for (const Paragraph& paragraph : paragraphs) painter.add(paragraph);
  painter.end();
}

}  // namespace stridescope::views
