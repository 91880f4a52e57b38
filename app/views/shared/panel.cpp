#include "views/shared/panel.h"

#include <cmath>

#include "imgui_internal.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {
namespace {

constexpr float kAboveSizes = 8, kLinkInset = 12;  // units

}  // namespace

const Panel* mainPanel(std::span<const Panel> panels, session::Mode mode) {
  const auto found = std::ranges::find_if(panels, [&](const Panel& panel) {
    const ModePlace* const place = panel.placeIn(mode);
    return place != nullptr && place->role == session::PanelRole::Main;
  });
  return found == panels.end() ? nullptr : &*found;
}

std::vector<const Panel*> turnsIn(std::span<const Panel> panels, session::Mode mode) {
  std::vector<const Panel*> turns;
  for (const Panel& panel : panels)
    if (const ModePlace* const place = panel.placeIn(mode); place != nullptr && place->turn > 0)
      turns.push_back(&panel);
  std::ranges::sort(turns, {}, [&](const Panel* panel) { return panel->placeIn(mode)->turn; });
  return turns;
}

std::vector<session::KnownPanel> knownPanels(std::span<const Panel> panels) {
  std::vector<session::KnownPanel> known;
  for (const Panel& panel : panels) {
    session::KnownPanel& each = known.emplace_back(session::KnownPanel{.id = panel.id});
    for (const ModePlace& place : panel.places) {
      each.roles[std::size_t(place.mode)] = place.role;
      each.isPresentedFirst =
          each.isPresentedFirst || (place.isFirst && session::factsOf(place.mode).presents);
    }
  }
  return known;
}

std::string whyNone(const ViewContext& view, const std::string& why, const std::string& none) {
  if (const auto measuring = view.workspace.measuring()) return measuring->doing + "…";
  if (view.app.shippedRecordings() == session::ShippedRecordings::Asked)
    return "The recordings are fetched: " + view.app.recordingsSize() + ".";
  if (view.replay.run() && model::isOwnKernel(view.replay.run()->trace.experiment))
    return "Nothing is measured of your own kernel: it runs on the CPU executor, and a GPU measures the "
           "catalogue's variants alone.";
  return why.empty() ? none : session::inWindow(why);
}

ImVec2 programLinkSize(const ViewContext& view) {
  const float text = draw::textSize(view.semiBold(0), kProgramLink).x;
  return {std::ceil(text) + view.px(2 * kLinkInset), view.px(draw::kControlHeight)};
}

bool drawProgramLink(ViewContext& view, ImDrawList& list, ImVec2 min) {
  if (view.app.pageAddress().empty() || view.draw.isPicture) return false;
  const ImVec2 size = programLinkSize(view), max{min.x + size.x, min.y + size.y};
  const draw::Palette& colours = view.colours();
  list.AddRectFilled(min, max, colours.result, view.px(draw::kFieldRadius));
  view.text(list, min, {max.x + 1, max.y}, kProgramLink, view.semiBold(colours.ink), draw::TextAlign::Centre);
  // What lies over the panel lies over the page's link, too.
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const bool isInPopup = (imgui.CurrentWindow->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
  const bool isFree = isInPopup || (imgui.OpenPopupStack.Size == 0 && !isCovered(view.app));
  if (isFree && view.programLinks != nullptr) view.programLinks->push_back({min, max});
  return true;
}

void askForRecordings(ViewContext& view, const std::function<bool(const Panel&)>& isInFront) {
  if (view.app.shippedRecordings() != session::ShippedRecordings::Offered) return;
  const session::Overlay text = view.app.seenText();
  const bool isRead = text == session::Overlay::Lesson || text == session::Overlay::Tour;
  const bool isPanelShown = std::ranges::any_of(view.panels, [&](const Panel& panel) {
    return panel.isOfRecordings && view.app.isShown(panel.id) && isInFront(panel);
  });
  if (isRead || isPanelShown || view.comparison != nullptr)
    view.commands.push_back(session::FetchRecordings{});
}

std::string fetchLabel(const ViewContext& view) {
  return "Fetch the recordings (" + view.app.recordingsSize() + ")";
}

void drawFetchButton(ViewContext& view, ImVec2 min, float right) {
  const auto widthOf = [&](const std::string& label) {
    return ImGui::CalcTextSize(label.c_str()).x + view.px(2 * kLinkInset);
  };
  const std::string whole = fetchLabel(view);
  std::string label = whole;
  if (min.x + widthOf(label) > right) label = "Fetch recordings";
  ImGui::SetCursorScreenPos(min);
  if (ImGui::Button(label.c_str(), {std::min(widthOf(label), right - min.x), view.px(draw::kControlHeight)}))
    view.commands.push_back(session::FetchRecordings{});
  if (label != whole && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) wideTooltip(view, whole + ".");
}

void drawInstead(ViewContext& view, const draw::Panel& panel, const std::string& sentence,
                 std::span<const std::uint64_t> sizes) {
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const draw::DrawnText drawn = view.wrapped(panel.list(), min, max.x - min.x, view.px(20), sentence,
                                             view.words(view.colours().dim, draw::kBodySize));
  drawSizeButtons(view, {min.x, drawn.max.y + view.px(kAboveSizes)}, max.x, sizes);
}

float drawSizeButtons(ViewContext& view, ImVec2 min, float right, std::span<const std::uint64_t> sizes) {
  const float gap = view.px(6), height = view.px(draw::kControlHeight);
  ImVec2 at = min;
  for (const std::uint64_t elements : sizes) {
    const std::string label = "n = " + sizeText(elements);
    const float width = ImGui::CalcTextSize(label.c_str()).x + view.px(24);
    if (at.x > min.x && at.x + width > right) at = {min.x, at.y + height + gap};
    ImGui::SetCursorScreenPos(at);
    if (ImGui::Button(label.c_str(), {std::min(width, right - min.x), height}))
      view.commands.push_back(session::Choose::elements(elements));
    at.x += width + gap;
  }
  return sizes.empty() ? min.y : at.y + height;
}

float drawFoot(ViewContext& view, const draw::Panel& panel, const std::string& text, float gap,
               int mostLines) {
  const draw::TextStyle words = view.words(view.colours().dim);
  const float left = panel.contentMin().x, width = panel.contentMax().x - left;
  const float line = view.px(draw::kLabelLineHeight);
  const int lines = std::min(mostLines, draw::wrappedLineCount(words, text, width));
  const float top = panel.contentMax().y - line * float(lines);
  view.wrapped(panel.list(), {left, top}, width, line, text, words, lines);
  return top - view.px(gap);
}

ScrolledPart::ScrolledPart(const char* name, ImVec2 min, ImVec2 max, ImGuiChildFlags flags) {
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  shown_ = ImGui::BeginChild(name, {max.x - min.x, std::max(1.0f, max.y - min.y)}, flags);
  ImGui::PopStyleVar();
  origin_ = ImGui::GetCursorScreenPos();
}

void ScrolledPart::fill(float height) const {
  ImGui::SetCursorScreenPos(origin_);
  ImGui::Dummy({1, height});
}

}  // namespace stridescope::views
