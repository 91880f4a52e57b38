#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kAboveSizes = 8;  // units

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
  if (view.replay.run() && model::isOwnKernel(view.replay.run()->trace.experiment))
    return "Nothing is measured of your own kernel: it runs on the CPU executor, and a GPU measures the "
           "catalogue's variants alone.";
  return why.empty() ? none : session::inWindow(why);
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
