#include "shell/docked_tree.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace stridescope::shell {
namespace {

bool isEmpty(const DockLayout& layout) { return layout.panels.empty() && layout.children.empty(); }

// The panels of a leaf, shown or hidden, in the order of their tabs.
std::vector<std::string> panelsOf(const ImGuiDockNode& node) {
  std::vector<const ImGuiWindow*> windows;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->DockId == node.ID) windows.push_back(window);
  std::ranges::stable_sort(windows, {}, &ImGuiWindow::DockOrder);
  std::vector<std::string> names;
  for (const ImGuiWindow* window : windows) names.emplace_back(window->Name);
  return names;
}

}  // namespace

DockLayout split(DockLayout::Split direction, float firstUnits, float secondUnits, DockLayout first,
                 DockLayout second) {
  if (isEmpty(first)) return second;
  if (isEmpty(second)) return first;
  DockLayout layout;
  layout.split = direction;
  layout.firstUnits = firstUnits;
  layout.secondUnits = secondUnits;
  layout.children.push_back(std::move(first));
  layout.children.push_back(std::move(second));
  return layout;
}

void leafSizes(const ImGuiDockNode* node, std::map<ImGuiID, ImVec2>& sizes) {
  if (node == nullptr) return;
  if (node->IsLeafNode()) sizes[node->ID] = node->Size;
  for (const ImGuiDockNode* child : node->ChildNodes) leafSizes(child, sizes);
}

void describeTree(const ImGuiDockNode* node, std::string& text) {
  if (node == nullptr) return;
  if (node->IsSplitNode()) {
    text += node->SplitAxis == ImGuiAxis_X ? "(X " : "(Y ";
    describeTree(node->ChildNodes[0], text);
    text += ' ';
    describeTree(node->ChildNodes[1], text);
    text += ')';
    return;
  }
  std::vector<std::string> names;
  for (const ImGuiWindow* window : node->Windows) names.emplace_back(window->Name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) text += name + '|';
}

void scaleNode(ImGuiDockNode* node, ImVec2 factor) {
  if (node == nullptr) return;
  node->SizeRef.x *= factor.x;
  node->SizeRef.y *= factor.y;
  for (ImGuiDockNode* child : node->ChildNodes) scaleNode(child, factor);
}

bool setSizes(ImGuiDockNode* node, const std::map<ImGuiID, ImVec2>& sizes, ImVec2 factor) {
  std::map<ImGuiID, ImVec2> now;
  rememberSizes(node, now);
  const auto idOf = [](const auto& each) { return each.first; };
  if (!std::ranges::equal(now, sizes, {}, idOf, idOf)) return false;
  for (const auto& [id, size] : sizes)
    ImGui::DockBuilderGetNode(id)->SizeRef = {size.x * factor.x, size.y * factor.y};
  return true;
}

void rememberSizes(const ImGuiDockNode* node, std::map<ImGuiID, ImVec2>& sizes) {
  if (node == nullptr) return;
  sizes[node->ID] = node->SizeRef;
  for (const ImGuiDockNode* child : node->ChildNodes) rememberSizes(child, sizes);
}

void rememberTabs(const ImGuiDockNode* node, std::set<ImGuiID>& tabs) {
  if (node == nullptr) return;
  if (node->TabBar != nullptr && node->TabBar->SelectedTabId != 0) tabs.insert(node->TabBar->SelectedTabId);
  for (const ImGuiDockNode* child : node->ChildNodes) rememberTabs(child, tabs);
}

DockLayout layoutOf(const ImGuiDockNode* node, float scale) {
  if (node == nullptr) return {};
  if (!node->IsSplitNode()) return dockPanels(panelsOf(*node));
  const bool across = node->SplitAxis == ImGuiAxis_X;
  const ImGuiDockNode &first = *node->ChildNodes[0], &second = *node->ChildNodes[1];
  // The side that has the central node takes what the other one leaves.
  const bool isFirstLeft = first.IsCentralNode() || first.HasCentralNodeChild;
  const auto unitsOf = [&](const ImGuiDockNode& side) {
    return (across ? side.Size.x : side.Size.y) / scale;
  };
  return split(across ? DockLayout::Split::LeftRight : DockLayout::Split::TopBottom,
               isFirstLeft ? 0 : unitsOf(first), isFirstLeft ? unitsOf(second) : 0, layoutOf(&first, scale),
               layoutOf(&second, scale));
}

std::vector<std::string> tabOrderOf(const ImGuiDockNode* node) {
  if (node == nullptr) return {};
  if (!node->IsSplitNode()) return panelsOf(*node);
  std::vector<std::string> order = tabOrderOf(node->ChildNodes[0]);
  for (std::string& panel : tabOrderOf(node->ChildNodes[1])) order.push_back(std::move(panel));
  return order;
}

bool areInOneOrder(std::vector<std::string> a, std::vector<std::string> b) {
  const auto without = [](const std::vector<std::string>& others) {
    return [&others](const std::string& panel) { return std::ranges::count(others, panel) == 0; };
  };
  std::erase_if(a, without(b));
  std::erase_if(b, without(a));
  return a == b;
}

DockLayout inOrder(DockLayout layout, const std::vector<std::string>& order) {
  std::ranges::stable_sort(layout.panels, {},
                           [&](const std::string& panel) { return std::ranges::find(order, panel); });
  for (DockLayout& child : layout.children) child = inOrder(std::move(child), order);
  return layout;
}

void orderTabs(const DockLayout& layout) {
  for (const DockLayout& child : layout.children) orderTabs(child);
  const auto placeOf = [&](const ImGuiTabItem& tab) {
    return tab.Window == nullptr ? layout.panels.end() : std::ranges::find(layout.panels, tab.Window->Name);
  };
  for (const std::string& panel : layout.panels) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(panel.c_str());
    if (window == nullptr || window->DockNode == nullptr || window->DockNode->TabBar == nullptr) continue;
    std::ranges::stable_sort(window->DockNode->TabBar->Tabs, {}, placeOf);
    return;
  }
}

void hideTabsOfLonePanels(ImGuiDockNode* node) {
  if (node == nullptr) return;
  for (ImGuiDockNode* child : node->ChildNodes) hideTabsOfLonePanels(child);
  if (!node->IsLeafNode()) return;
  const ImGuiDockNodeFlags without = node->LocalFlags & ~ImGuiDockNodeFlags_NoTabBar;
  const ImGuiDockNodeFlags wanted = node->Windows.Size > 1 ? without : without | ImGuiDockNodeFlags_NoTabBar;
  if (wanted != node->LocalFlags) node->SetLocalFlags(wanted);
}

}  // namespace stridescope::shell
