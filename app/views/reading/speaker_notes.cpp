#include "views/reading/speaker_notes.h"

#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "narration/caption.h"
#include "views/reading/paragraphs.h"

namespace stridescope::views {
namespace {

constexpr float kLine = 1.35f;        // a line's height, ems
constexpr float kBetween = 0.5f;      // between paragraphs, ems
constexpr float kNotesIndent = 1.2f;  // of what is listed or quoted, ems
constexpr float kHeadShare = 30;      // the window's height, in ems of its smaller texts
// The notes' size: the largest of these, in parts of the window's height, at which they fit.
constexpr std::array kNotesShares{14.0f, 17.0f, 20.0f, 24.0f, 28.0f, 33.0f, 40.0f};

const session::TourStop& stopOf(const session::AppState& app) { return app.tour()->stops[app.tourStop()]; }

bool hasNotes(const session::AppState& app) {
  return app.tour() != nullptr && std::ranges::any_of(app.tour()->stops, [](const session::TourStop& stop) {
           return !stop.notes.empty();
         });
}

std::string plainText(const Paragraph& paragraph) {
  const std::string begin = paragraph.number   ? figure(*paragraph.number) + ". "
                            : paragraph.listed ? "· "
                                               : "";
  return begin + paragraph.lead + (paragraph.lead.empty() || paragraph.text.empty() ? "" : " ") +
         paragraph.text;
}

// A quotation is what notes are, so that only what is listed within it is indented.
float indentOf(const Paragraph& paragraph, float em) {
  return em * kNotesIndent * float(std::max(paragraph.depth, 1u) - 1);
}

float heightOf(const std::vector<Paragraph>& notes, const draw::TextStyle& style, float width) {
  float height = 0;
  for (const Paragraph& paragraph : notes)
    height += style.sizePx * kLine *
                  float(draw::wrappedLineCount(style, plainText(paragraph),
                                               width - indentOf(paragraph, style.sizePx))) +
              style.sizePx * kBetween;
  return height;
}

std::string nextStopLine(const session::AppState& app) {
  const std::size_t next = app.tourStop() + 1;
  return next < app.tour()->stops.size() ? "Next stop: " + app.tour()->stops[next].title
                                         : "This is the last stop.";
}

}  // namespace

std::optional<std::string> notesTitle(const session::AppState& app) {
  if (!app.wantsNotes() || !hasNotes(app)) return std::nullopt;
  return "Speaker notes · " + (app.tour()->title.empty() ? std::string("Stridescope") : app.tour()->title);
}

void drawSpeakerNotes(const ViewContext& view, ShownStop& shown, ImDrawList& list, ImVec2 size) {
  refresh(view, shown);
  const draw::Palette& colours = view.colours();
  const session::TourStop& stop = stopOf(view.app);
  const float em = std::max(10.0f, size.y / kHeadShare), inset = em, width = size.x - 2 * inset;
  const auto styled = [](draw::TextStyle style, float sizePx) {
    style.sizePx = sizePx;
    return style;
  };
  const draw::TextStyle dim = styled(view.words(colours.dim), em);
  list.AddRectFilled({0, 0}, size, colours.panel);

  float y = inset;
  view.text(list, {inset, y}, {size.x - inset, y + em * kLine},
            progressOf(*view.app.tour(), view.app.tourStop()), dim);
  y += em * kLine;
  const draw::TextStyle title = styled(view.semiBold(colours.text), em * 1.5f);
  y = view.wrapped(list, {inset, y}, width, title.sizePx * kLine, stop.title, title, 2).max.y + em;

  // From below: what comes next, and the round that the audience sees.
  float bottom = size.y - inset - em * kLine;
  view.text(list, {inset, bottom}, {size.x - inset, bottom + em * kLine}, nextStopLine(view.app), dim);
  if (hasRun(view) && view.comparison == nullptr && !view.predict.isHidden()) {
    const std::string caption = "Shown: " + narration::captionOf(roundAt(view.replay)).text();
    const float height = em * kLine * float(std::min(3, draw::wrappedLineCount(dim, caption, width)));
    bottom -= height + em * kBetween;
    view.wrapped(list, {inset, bottom}, width, em * kLine, caption, styled(view.words(colours.text), em), 3);
  }
  bottom -= em;
  list.AddLine({inset, bottom}, {size.x - inset, bottom}, colours.dim);

  std::vector<Paragraph> notes = shown.notes;
  if (notes.empty()) notes.push_back({.text = "This stop has no speaker notes."});
  draw::TextStyle style = view.words(colours.text);
  for (const float share : kNotesShares) {
    style.sizePx = std::max(10.0f, size.y / share);
    if (y + heightOf(notes, style, width) <= bottom) break;
  }
  list.PushClipRect({0, y}, {size.x, bottom}, true);
  for (const Paragraph& paragraph : notes) {
    const float left = inset + indentOf(paragraph, style.sizePx);
    y = view.wrapped(list, {left, y}, size.x - inset - left, style.sizePx * kLine, plainText(paragraph),
                     style)
            .max.y +
        style.sizePx * kBetween;
  }
  list.PopClipRect();
}

std::vector<CommandEntry> speakerNotesEntries() {
  return {{.menu = "Help",
           .group = 1,
           .name = "Speaker notes in a second window",
           .also = "lecture tour monitor present",
           .keys = ImGuiMod_Shift | ImGuiKey_F4,
           .make = gives(session::ToggleNotes{}),
           .enabled = [](const session::Parts& parts) { return hasNotes(parts.app); },
           .why = says("No tour with speaker notes is open: the lecture tour has some (Help)."),
           .checked = [](const session::Parts& parts) { return parts.app.wantsNotes(); },
           .everywhere = true}};
}

}  // namespace stridescope::views
