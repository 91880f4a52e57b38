#include "views/chrome/welcome.h"

#include "draw/text.h"
#include "views/chrome/form_text.h"

namespace stridescope::views {
namespace {

constexpr float kInset = 12, kWordsLine = 19, kGap = 10, kSentence = 16, kSentenceLine = 22;  // units

struct Door {
  std::string title, what;
  session::Commands commands;
};

std::vector<Door> doors() {
  std::vector<Door> all{{"Ten-minute tour",
                         "Eight stops, from a block of eight threads to a race.",
                         {session::StartTour{std::string(session::kFirstTour.id)}}}};
  session::Link first;
  first.variant = "warm_up";
  first.anew = true;
  first.place = session::LinkPlace{.round = 0};
  all.push_back({"Step a variant",
                 "The smallest kernel, with its lesson. Right shows the next round.",
                 {session::FollowLink{first}, session::ShowOverlay{session::Overlay::Lesson}}});
  all.push_back({"Compare two",
                 "Two variants side by side, stepped together.",
                 {session::EnterMode{session::Mode::Compare}}});
  return all;
}

void drawDoor(ViewContext& view, const Door& door, float width) {
  const draw::Palette& colours = view.colours();
  const float inset = view.px(kInset), room = width - 2 * inset;
  const draw::TextStyle title = draw::semiBoldStyle(view.draw, draw::kCaptionSize, colours.text),
                        words = draw::wordsStyle(view.draw, draw::kBodySize, colours.text);
  const float titleLine = view.px(draw::kCaptionSize * 1.3f), wordsLine = view.px(kWordsLine);
  const float titleHeight = titleLine * float(draw::wrappedLineCount(title, door.title, room));
  const float height =
      2 * inset + titleHeight + wordsLine * float(draw::wrappedLineCount(words, door.what, room));
  const ImVec2 min = ImGui::GetCursorScreenPos();
  if (ImGui::Button(("###" + door.title).c_str(), {width, height}))
    view.commands.insert(view.commands.end(), door.commands.begin(), door.commands.end());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, {min.x + view.px(4), min.y + height}, colours.result);
  draw::drawWrapped(view.draw, list, {min.x + inset, min.y + inset}, room, titleLine, door.title, title);
  draw::drawWrapped(view.draw, list, {min.x + inset, min.y + inset + titleHeight}, room, wordsLine, door.what,
                    words);
}

}  // namespace

void drawWelcome(ViewContext& view, float width) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {view.px(8), view.px(kGap)});
  const std::string what =
      "Stridescope steps through GPU reductions, stride by stride, and shows what each stride does to "
      "values, "
      "threads, warps and banks.";
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const draw::DrawnText drawn =
      draw::drawWrapped(view.draw, *ImGui::GetWindowDrawList(), min, width, view.px(kSentenceLine), what,
                        draw::semiBoldStyle(view.draw, kSentence, view.colours().text));
  ImGui::Dummy({width, drawn.max.y - min.y});
  sentence(
      view, width,
      "By keyboard: F6, arrow keys and Enter. Esc closes this, and Help > Welcome shows it again. Right and "
      "Left step at once.",
      view.colours().dim);
  for (const Door& door : doors()) drawDoor(view, door, width);
  ImGui::PopStyleVar();
}

}  // namespace stridescope::views
