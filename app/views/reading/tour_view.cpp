#include "views/reading/tour_view.h"

#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "draw/text.h"
#include "views/forms/forms.h"
#include "views/reading/lesson.h"

namespace stridescope::views {
namespace {

const session::TourStop& stopOf(const ViewContext& view) {
  return view.app.tour()->stops[view.app.tourStop()];
}

// Draws the way to the neighbouring stops, whose keys the tooltips name.
void drawWay(ViewContext& view, const session::Tour& tour, float width) {
  const std::size_t stop = view.app.tourStop();
  const float gap = ImGui::GetStyle().ItemSpacing.x, back = view.px(64);
  const auto button = [&](const std::string& label, float wide, int direction, const char* key) {
    if (ImGui::Button(label.c_str(), {wide, 0})) view.commands.push_back(session::StepStop{direction});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view, key);
  };
  const bool isFirst = stop == 0;
  if (!isFirst) {
    button("Back", back, -1, "Ctrl+Left");
    ImGui::SameLine();
  }
  const bool isLast = stop + 1 == tour.stops.size();
  const draw::TextStyle style = view.words(0, draw::kBodySize);
  std::string next = isLast ? "Close the tour" : "Next: " + tour.stops[stop + 1].title;
  const float room = isFirst ? width : width - back - gap;
  if (draw::textSize(style, next).x > room - 2 * ImGui::GetStyle().FramePadding.x) next = "Next";
  if (!isLast) return button(next + "###next", room, +1, "Ctrl+Right");
  if (ImGui::Button((next + "###next").c_str(), {room, 0}))
    view.commands.push_back(session::ShowOverlay{session::Overlay::Tour});
}

void drawStops(ViewContext& view, const session::Tour& tour) {
  for (std::size_t i = 0; i < tour.stops.size(); ++i) {
    const session::TourStop& stop = tour.stops[i];
    std::string label = figure(i + 1) + "  " + stop.title;
    if (stop.minutes > 0) label += " (" + figure(stop.minutes) + " min)";
    if (ImGui::Selectable((label + "###stop " + std::to_string(i)).c_str(), i == view.app.tourStop()))
      view.commands.push_back(session::GoToStop{i});
  }
}

void drawTours(ViewContext& view, float width) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {view.px(8), view.px(10)});
  sentence(view, width, "A tour goes through variants and rounds, stop by stop.", view.colours().text);
  for (const session::ShippedTour& tour : session::kShippedTours)
    if (ImGui::Button(std::string(tour.title).c_str(), {width, 0}))
      view.commands.push_back(session::StartTour{std::string(tour.id)});
  if (ImGui::Button("Open a tour...", {width, 0}))
    view.commands.push_back(session::ShowOverlay{session::Overlay::OpenTour, view.app.settings().tour});
  ImGui::PopStyleVar();
}

// What can be done with the whole of it.
void drawFoot(ViewContext& view, const session::Tour& tour) {
  if (ImGui::Button("Keep a copy..."))
    view.commands.push_back(session::ShowOverlay{session::Overlay::SaveTour});
  if (tour.path.empty()) return;
  ImGui::SameLine();
  if (ImGui::Button("Read again")) view.commands.push_back(session::OpenTour{tour.path});
}

}  // namespace

std::vector<markdown::Block> textOfStop(const session::Tour& tour, std::size_t stop) {
  std::vector<markdown::Block> text;
  if (stop == 0) text = tour.intro;
  text.push_back(
      {.kind = markdown::BlockKind::Heading, .level = 2, .pieces = {{.text = tour.stops[stop].title}}});
  text.insert(text.end(), tour.stops[stop].text.begin(), tour.stops[stop].text.end());
  return text;
}

bool refresh(const ViewContext& view, ShownStop& shown) {
  const auto& timings = view.times.picture.snapshot;
  if (shown.tour == view.app.tour() && shown.stop == view.app.tourStop() && shown.timings == timings)
    return false;
  const bool other = shown.tour != view.app.tour() || shown.stop != view.app.tourStop();
  shown = {view.app.tour(), view.app.tourStop(), timings,
           shownParagraphs(view, textOfStop(*view.app.tour(), view.app.tourStop())),
           shownParagraphs(view, stopOf(view).notes)};
  return other;
}

std::string progressOf(const session::Tour& tour, std::size_t stop) {
  std::string text = "Stop " + figure(stop + 1) + " of " + figure(tour.stops.size());
  if (tour.minutes() == 0 || tour.stops[stop].minutes == 0) return text;
  const unsigned before = tour.minutesBefore(stop);
  return text + " · minutes " + figure(before) + " to " + figure(before + tour.stops[stop].minutes) + " of " +
         figure(tour.minutes());
}

void drawTour(ViewContext& view, ShownStop& shown, float width) {
  if (!view.app.tour()) return drawTours(view, width);
  if (refresh(view, shown)) ImGui::SetScrollY(0);
  const session::Tour& tour = *view.app.tour();
  drawWay(view, tour, width);
  sentence(view, width, progressOf(tour, view.app.tourStop()), view.colours().dim);
  drawParagraphs(view, shown.text, width);
  for (const std::string& fault : stopOf(view).faults)
    remark(view, width, fault, session::MessageKind::Wrong);
  ImGui::Spacing();
  if (!shown.notes.empty() && ImGui::CollapsingHeader("Speaker notes"))
    drawParagraphs(view, shown.notes, width);
  if (ImGui::CollapsingHeader("All stops")) drawStops(view, tour);
  ImGui::Spacing();
  drawFoot(view, tour);
}

std::vector<CommandEntry> tourEntries() {
  const auto hasTour = [](const session::Parts& parts) { return parts.app.tour() != nullptr; };
  const auto noTour = says("No tour is open: F4 offers two.");
  const auto start = [](const session::ShippedTour& tour) {
    return CommandEntry{.menu = "Help",
                        .group = 1,
                        .name = std::string(tour.title),
                        .also = "guide introduction",
                        .make = gives(session::StartTour{std::string(tour.id)})};
  };
  const auto step = [&](const char* name, int direction, ImGuiKeyChord keys) {
    return CommandEntry{.menu = "Help",
                        .group = 1,
                        .name = name,
                        .also = "tour",
                        .keys = keys,
                        .make = gives(session::StepStop{direction}),
                        .enabled = hasTour,
                        .why = noTour};
  };
  return {{.menu = "File",
           .name = "Open tour...",
           .also = "lecture markdown",
           .make = [](const session::Parts& parts) -> session::Command {
             return session::ShowOverlay{session::Overlay::OpenTour, parts.app.settings().tour};
           }},
          {.menu = "File",
           .group = 1,
           .name = "Keep a copy of the tour...",
           .also = "save edit markdown",
           .make = opens(session::Overlay::SaveTour),
           .enabled = hasTour,
           .why = noTour},
          start(session::kFirstTour),
          start(session::kLectureTour),
          {.menu = "Help",
           .group = 1,
           .name = "Tour",
           .also = "stop speaker notes",
           .keys = ImGuiKey_F4,
           .make = opens(session::Overlay::Tour),
           .enabled = [](const session::Parts& parts) { return !parts.app.isPresenting(); },
           .why = says("Present does not show the tour's text.")},
          step("Next stop of the tour", +1, ImGuiMod_Ctrl | ImGuiKey_RightArrow),
          step("Previous stop of the tour", -1, ImGuiMod_Ctrl | ImGuiKey_LeftArrow)};
}

namespace {

constexpr float kWelcomeSize = 16, kKeysLine = 20;  // units
constexpr const char* kWelcomeWhat =
    "Stridescope steps through GPU reductions, stride by stride, and shows what each stride does to values, "
    "threads, warps and banks.";
constexpr const char* kWelcomeKeys =
    "By keyboard: F6, arrow keys and Enter. Esc closes this, and Help > Welcome shows it again. Right and "
    "Left "
    "step at once.";

// Where the window is low, what lies between texts gives way.
struct WelcomeSpacing {
  float inset, gap, wordsLine, titleLine, welcomeLine;  // units
};
constexpr std::array kWelcomeSpacings{WelcomeSpacing{12, 10, 19, draw::kCaptionSize * 1.3f, 22},
                                      WelcomeSpacing{8, 8, 18, draw::kCaptionSize * 1.25f, 20},
                                      WelcomeSpacing{5, 5, 17, draw::kCaptionSize * 1.2f, 19}};

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

struct Welcome {
  ViewContext& view;
  float width;
  const WelcomeSpacing& spacing;

  float px(float units) const { return view.px(units); }
  draw::TextStyle title() const { return view.semiBold(view.colours().text, draw::kCaptionSize); }
  draw::TextStyle words() const { return view.words(view.colours().text, draw::kBodySize); }
  draw::TextStyle head() const { return view.semiBold(view.colours().text, kWelcomeSize); }

  float titleHeight(const Door& door) const {
    return px(spacing.titleLine) *
           float(draw::wrappedLineCount(title(), door.title, width - 2 * px(spacing.inset)));
  }
  float heightOf(const Door& door) const {
    return 2 * px(spacing.inset) + titleHeight(door) +
           px(spacing.wordsLine) *
               float(draw::wrappedLineCount(words(), door.what, width - 2 * px(spacing.inset)));
  }
  float height(const std::vector<Door>& all) const {
    float sum = px(spacing.welcomeLine) * float(draw::wrappedLineCount(head(), kWelcomeWhat, width)) +
                px(spacing.gap) + px(kKeysLine) * float(draw::wrappedLineCount(words(), kWelcomeKeys, width));
    for (const Door& door : all) sum += px(spacing.gap) + heightOf(door);
    return sum;
  }

  void draw(const Door& door) const {
    const float inset = px(spacing.inset), room = width - 2 * inset, height = heightOf(door);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    if (ImGui::Button(("###" + door.title).c_str(), {width, height}))
      view.commands.insert(view.commands.end(), door.commands.begin(), door.commands.end());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, {min.x + view.px(4), min.y + height}, view.colours().result);
    view.wrapped(list, {min.x + inset, min.y + inset}, room, px(spacing.titleLine), door.title, title());
    view.wrapped(list, {min.x + inset, min.y + inset + titleHeight(door)}, room, px(spacing.wordsLine),
                 door.what, words());
  }
};

}  // namespace

void drawWelcome(ViewContext& view, float width) {
  const std::vector<Door> all = doors();
  const float room = ImGui::GetContentRegionAvail().y;
  const auto spacing = std::ranges::find_if(kWelcomeSpacings, [&](const WelcomeSpacing& each) {
    return Welcome{view, width, each}.height(all) <= room;
  });
  const Welcome welcome{view, width, spacing == kWelcomeSpacings.end() ? kWelcomeSpacings.back() : *spacing};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {view.px(8), view.px(welcome.spacing.gap)});
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const draw::DrawnText drawn =
      view.wrapped(*ImGui::GetWindowDrawList(), min, width, view.px(welcome.spacing.welcomeLine),
                   kWelcomeWhat, welcome.head());
  ImGui::Dummy({width, drawn.max.y - min.y});
  sentence(view, width, kWelcomeKeys, view.colours().dim);
  for (const Door& door : all) welcome.draw(door);
  ImGui::PopStyleVar();
}

}  // namespace stridescope::views
