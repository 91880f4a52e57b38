#include "views/reading/paragraphs.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "draw/marks.h"
#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "model/experiment_fields.h"
#include "session/link.h"
#include "views/reading/glossary.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {
namespace {

// What a link does, in a few words for the pointer that rests on it.

std::string placeWords(const session::LinkPlace& place) {
  std::string words;
  if (place.stride) words = "stride " + figure(*place.stride);
  if (place.round)
    words = *place.round == 0     ? "first round"
            : *place.round == ~0u ? "last round"
                                  : "round " + figure(*place.round);
  if (place.launch && *place.launch != ~0u && *place.launch != 0)
    words += (words.empty() ? "launch " : " of launch ") + figure(*place.launch);
  if (place.pass) words += (words.empty() ? "pass " : ", pass ") + figure(*place.pass);
  return words;
}

// In the order of their enumerators.
constexpr std::array kRings{"thread ", "warp ", "element ", "bank ", "line "};
constexpr std::array kVerbs{"Show", "Try", "Predict", "Compare"};
static_assert(kRings.size() == std::size_t(session::RingKind::Request) &&  // which has words of its own
              kVerbs.size() == std::size_t(session::LinkAction::Compare) + 1);

std::string ringWords(const session::LinkRing& ring) {
  if (ring.kind == session::RingKind::Request) return ring.request + " ringed";
  return kRings[std::size_t(ring.kind)] + figure(ring.index) + " ringed";
}

const char* verbOf(const session::Link& link) { return kVerbs[std::size_t(link.action)]; }

// "Show: sequential · stride 8 · Banks · thread 5 ringed". Empty for a link that leads nowhere.
std::string linkWords(const ViewContext& view, std::string_view target) {
  const auto link = session::parseLink(target, idsOf(view.panels));
  if (!link) return {};
  std::string words;
  const auto add = [&](const std::string& piece) {
    if (!piece.empty()) words += (words.empty() ? ": " : " · ") + piece;
  };
  add(kernels::titleOf(link->variant));
  add(kernels::titleOf(link->other));
  for (const model::ExperimentField& field : model::experimentFields())
    if (field.words != nullptr && field.isGiven(link->choices.given))
      add(field.words(link->choices.experiment));
  if (link->place) add(placeWords(*link->place));
  const Panel* const panel = findPanel(view.panels, link->panel);
  if (panel != nullptr) add(panel->title);
  add(link->request);
  if (link->ring) add(ringWords(*link->ring));
  return verbOf(*link) + words;
}

constexpr float kParagraphLine = 18,
                kBetweenParagraphs = 5;  // units: the longest lesson is to fit beside the panels
constexpr float kHeadingLine = 28, kListIndent = 14;
constexpr unsigned kMaxDepth = 6;  // of what is nested deeper, the rest of the width would not hold a word

bool isLinkOfTheWindow(const markdown::Link& link) { return !link.image && link.target.starts_with('#'); }

// How many pieces at the beginning are the paragraph's lead: all that are bold, unless a link is among them.
std::size_t leadPieces(const markdown::Block& block) {
  if (block.kind != markdown::BlockKind::Paragraph) return 0;
  std::size_t count = 0;
  for (; count < block.pieces.size() && block.pieces[count].strong; ++count)
    if (block.pieces[count].link) return 0;
  return count;
}

// The words of a link, which begin at `begin` of the text, have been added. Nothing here leads to the web,
// but the address can be read.
void endLink(Paragraph& paragraph, std::size_t begin, const markdown::Link& link) {
  const std::string_view words = std::string_view(paragraph.text).substr(begin);
  if (isLinkOfTheWindow(link))
    paragraph.marks.push_back(
        {.begin = begin, .end = paragraph.text.size(), .target = link.target.substr(1), .isLink = true});
  else if (words != link.target)
    paragraph.text += " (" + printable(link.target) + ")";
}

Paragraph paragraphOf(const markdown::Block& block) {
  Paragraph paragraph{.heading = block.kind == markdown::BlockKind::Heading,
                      .code = block.kind == markdown::BlockKind::Code,
                      .listed = block.beginsItem,
                      .number = block.number,
                      .depth = std::min(block.lists + block.quotes, kMaxDepth)};
  const std::size_t leads = leadPieces(block);
  for (std::size_t i = 0; i < leads; ++i) paragraph.lead += block.pieces[i].text;
  for (std::size_t i = leads; i < block.pieces.size();) {
    const std::size_t begin = paragraph.text.size();
    const std::optional<std::size_t> link = block.pieces[i].link;
    do paragraph.text += block.pieces[i++].text;
    while (link && i < block.pieces.size() && block.pieces[i].link == link);
    if (i == leads + 1 && leads > 0) paragraph.text.erase(0, paragraph.text.find_first_not_of(' '));
    if (link) endLink(paragraph, begin, block.links[*link]);
  }
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
    const draw::TextStyle bold = view_.semiBold(colours.text, draw::kBodySize);
    const draw::TextStyle words = paragraph.heading ? view_.semiBold(colours.text, draw::kCaptionSize)
                                  : paragraph.code  ? view_.code(colours.text, draw::kBodySize)
                                                    : view_.words(colours.text, draw::kBodySize);
    const float line = view_.px(paragraph.heading ? kHeadingLine : kParagraphLine);
    const float indent = view_.px(kListIndent) * float(paragraph.depth);
    if (paragraph.number) {
      const std::string number = std::to_string(*paragraph.number) + ".";
      const float left = origin_.x + indent - draw::textSize(words, number + " ").x;
      view_.textAt(list_, {left, y_ + (line - words.sizePx) / 2}, number, words);
    } else if (paragraph.listed) {
      list_.AddCircleFilled({origin_.x + indent - view_.px(9), y_ + line / 2}, view_.px(2.5f), colours.text);
    }
    if (!paragraph.lead.empty()) wrapped(paragraph.lead, line, bold, indent);
    const ImVec2 at{origin_.x + indent, y_};
    if (!paragraph.text.empty()) wrapped(paragraph.text, line, words, indent);
    marks(paragraph, words, at, width_ - indent, line);
    y_ += view_.px(kBetweenParagraphs);
  }

  void end() {
    ImGui::SetCursorScreenPos(origin_);  // a link set another
    ImGui::Dummy({width_, y_ - origin_.y});
  }

 private:
  void wrapped(const std::string& text, float line, const draw::TextStyle& style, float indent) {
    y_ = view_.wrapped(list_, {origin_.x + indent, y_}, width_ - indent, line, text, style).max.y;
  }

  void marks(const Paragraph& paragraph, const draw::TextStyle& style, ImVec2 at, float width, float line) {
    const TextMark* drawn = nullptr;
    for (const MarkedPlace& place : placesOf(paragraph.marks, paragraph.text, style, at, width, line)) {
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

std::vector<Paragraph> paragraphsOf(std::span<const markdown::Block> blocks) {
  std::vector<Paragraph> paragraphs;
  for (const markdown::Block& block : blocks)
    if (!block.pieces.empty()) paragraphs.push_back(paragraphOf(block));
  return paragraphs;
}

std::vector<Paragraph> parseParagraphs(std::string_view markdown) {
  const auto blocks = markdown::read(markdown);
  return blocks ? paragraphsOf(*blocks) : std::vector<Paragraph>();
}

void markGlossaryWords(std::vector<Paragraph>& paragraphs) {
  std::set<std::string> seen;
  for (Paragraph& paragraph : paragraphs) {
    if (paragraph.heading || paragraph.code) continue;
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

namespace {

constexpr float kTooltipGap = 6;  // units

float endOfWindow() { return ImGui::GetWindowPos().x + ImGui::GetWindowSize().x; }

}  // namespace

std::vector<MarkedPlace> placesOf(std::span<const TextMark> marks, std::string_view text,
                                  const draw::TextStyle& style, ImVec2 topLeft, float widthPx,
                                  float lineHeightPx) {
  std::vector<MarkedPlace> places;
  float top = topLeft.y;
  for (const std::string_view line : draw::wrappedLines(style, text, widthPx)) {
    const auto begin = std::size_t(line.data() - text.data()), end = begin + line.size();
    for (const TextMark& mark : marks) {
      const std::size_t from = std::max(mark.begin, begin), to = std::min(mark.end, end);
      if (from >= to) continue;
      const float left = topLeft.x + draw::textSize(style, text.substr(begin, from - begin)).x;
      const float width = draw::textSize(style, text.substr(from, to - from)).x;
      places.push_back({&mark, {left, top}, {left + width, top + lineHeightPx}});
    }
    top += lineHeightPx;
  }
  return places;
}

bool drawMark(ViewContext& view, ImDrawList& list, const MarkedPlace& place, const std::string& label) {
  const draw::Palette& colours = view.colours();
  const auto underline = [&](float thickness, ImU32 colour) {
    list.AddRectFilled({place.min.x, place.max.y - view.px(1) - view.px(thickness)},
                       {place.max.x, place.max.y - view.px(1)}, colour);
  };
  if (place.mark->isLink) {
    ImGui::SetCursorScreenPos(place.min);
    const ImVec2 size{std::max(1.0f, place.max.x - place.min.x), std::max(1.0f, place.max.y - place.min.y)};
    const bool pressed = ImGui::InvisibleButton(label.c_str(), size, ImGuiButtonFlags_EnableNav);
    const bool hasKeys = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
    underline(2, ImGui::IsItemHovered() ? colours.text : colours.operandLine);
    if (hasKeys)
      draw::outlineInside(view.draw, list, {place.min.x - view.px(3), place.min.y},
                          {place.max.x + view.px(3), place.max.y}, colours.text, 2, draw::kFieldRadius);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
      // The tooltip of a link that the keyboard came to stands beside the text: below, it would cover the
      // next lines.
      if (hasKeys) ImGui::SetNextWindowPos({endOfWindow() + view.px(kTooltipGap), place.min.y});
      wideTooltip(view, linkWords(view, place.mark->target));
    }
    return pressed;
  }
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(place.min, place.max);
  if (hovered || place.mark->underlined) underline(1, hovered ? colours.text : colours.dim);
  if (!hovered) return false;
  if (const GlossaryEntry* const entry = glossary().find(place.mark->target))
    wideTooltip(view, entry->term + ": " + entry->sentence);
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

}  // namespace stridescope::views
