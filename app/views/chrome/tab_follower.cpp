#include "views/chrome/tab_follower.h"

#include <algorithm>

#include "imgui_internal.h"
#include "narration/caption_subject.h"
#include "shell/docking.h"

namespace stridescope::views {
namespace {

// A click on a tab shows in the dock node after as many frames at most.
constexpr int kFramesToShow = 4;

ImGuiWindow* windowOf(const Panel& panel) { return ImGui::FindWindowByName(panel.title.c_str()); }

// The place that several panels share; nullptr: the panel has its own, or none.
ImGuiDockNode* sharedPlaceOf(const Panel& panel) {
  const ImGuiWindow* const window = windowOf(panel);
  if (window == nullptr || window->DockNode == nullptr) return nullptr;
  return window->DockNode->TabBar != nullptr && window->DockNode->Windows.Size > 1 ? window->DockNode
                                                                                   : nullptr;
}

bool isInFront(const Panel& panel) {
  const ImGuiWindow* const window = windowOf(panel);
  if (window == nullptr || !window->WasActive) return false;
  const ImGuiDockNode* const node = sharedPlaceOf(panel);
  return node == nullptr ? !window->Hidden : node->TabBar->SelectedTabId == window->TabId;
}

// Large text in a small window: all panels are tabs of one place.
bool isOnlyPlace(const ImGuiDockNode& node) { return node.ID == shell::dockSpaceId(); }

bool hasFocus(const ImGuiDockNode& node) {
  const ImGuiWindow* const focused = ImGui::GetCurrentContext()->NavWindow;
  return focused != nullptr && focused->RootWindow->DockNode == &node;
}

}  // namespace

void TabFollower::watch(const ViewContext& view, std::string_view commanded) {
  const ImGuiWindow* const hovered = ImGui::GetCurrentContext()->HoveredWindow;
  ++framesSinceClick_;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) framesSinceClick_ = 0;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    workedIn_ = hovered == nullptr || hovered->RootWindow->DockNode == nullptr
                    ? 0
                    : hovered->RootWindow->DockNode->ID;
  std::vector<Place> places;
  for (const Panel& panel : view.panels) {
    const ImGuiDockNode* const node = sharedPlaceOf(panel);
    if (node == nullptr) continue;
    if (panel.title == commanded) chosen_.insert(node->ID);
    if (std::ranges::count(places, node->ID, &Place::node) != 0) continue;
    places.push_back({node->ID, node->TabBar->SelectedTabId});
    const auto before = std::ranges::find(places_, node->ID, &Place::node);
    const bool changed = before != places_.end() && before->tab != node->TabBar->SelectedTabId;
    if (changed && framesSinceClick_ <= kFramesToShow) chosen_.insert(node->ID);
  }
  places_ = std::move(places);
}

void TabFollower::open(const ViewContext& view, const Panel& panel) {
  ImGuiDockNode* const node = sharedPlaceOf(panel);
  if (node == nullptr || chosen_.contains(node->ID)) return;
  const Panel* const covered = mainPanel(view.panels, view.app.mode());
  if (covered != nullptr && sharedPlaceOf(*covered) == node && !isOnlyPlace(*node)) return;
  ImGuiWindow* const window = windowOf(panel);
  if (hasFocus(*node)) {
    if (workedIn_ == node->ID || ImGui::GetIO().WantTextInput) return;
    ImGui::FocusWindow(nullptr);  // it came with the window, and would bring its tab back
  }
  node->TabBar->SelectedTabId = node->SelectedTabId = window->TabId;
  const auto place = std::ranges::find(places_, node->ID, &Place::node);
  if (place != places_.end()) place->tab = window->TabId;
}

void TabFollower::follow(const ViewContext& view, std::string_view commanded) {
  watch(view, commanded);
  if (!view.replay.run() || !commanded.empty() || view.predict.isOn()) return;  // marks stay in sight
  narration::CaptionSubject subject = narration::subjectOf(roundAt(view.replay));
  const auto panelOf = [&](std::string_view id) {
    const Panel* const panel = findPanel(view.panels, id);
    return panel != nullptr && view.app.isShown(panel->id) ? panel : nullptr;
  };
  // Every caption is about the main panel, too: in the only place it takes its turn.
  const Panel* const main = mainPanel(view.panels, view.app.mode());
  const Panel* const always = main != nullptr && view.app.isShown(main->id) ? main : nullptr;
  const ImGuiDockNode* const place = always == nullptr ? nullptr : sharedPlaceOf(*always);
  if (place != nullptr && isOnlyPlace(*place)) {
    subject.panels.insert(subject.panels.begin(), always->id);
    if (subject.main.empty()) subject.main = always->id;
  }
  const bool anyInFront = std::ranges::any_of(subject.panels, [&](std::string_view id) {
    const Panel* const panel = panelOf(id);
    return panel != nullptr && isInFront(*panel);
  });
  if (anyInFront && (subject.main.empty() || view.replay.playing())) return;
  const std::string_view wanted = !subject.main.empty()    ? subject.main
                                  : subject.panels.empty() ? std::string_view()
                                                           : subject.panels.front();
  const Panel* const panel = panelOf(wanted);
  if (panel != nullptr && !isInFront(*panel)) open(view, *panel);
}

}  // namespace stridescope::views
