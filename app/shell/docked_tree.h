// Dear ImGui's tree of docked windows, as it stands.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "shell/docking.h"

namespace stridescope::shell {

// A side without panels gives way to the other.
DockLayout split(DockLayout::Split direction, float firstUnits, float secondUnits, DockLayout first,
                 DockLayout second);

// These add what all nodes below have, by their ids. A tree that is not there adds nothing.
void leafSizes(const ImGuiDockNode* node, std::map<ImGuiID, ImVec2>& sizes);      // pixels
void rememberSizes(const ImGuiDockNode* node, std::map<ImGuiID, ImVec2>& sizes);  // as asked for, pixels
void rememberTabs(const ImGuiDockNode* node, std::set<ImGuiID>& tabs);            // those in front

// Adds "(X a|b| (Y ...))": the splits, and which panel is where.
void describeTree(const ImGuiDockNode* node, std::string& text);

void scaleNode(ImGuiDockNode* node, ImVec2 factor);
// Gives the nodes these sizes times the factor, if they are the sizes of just these nodes. False: they are
// not.
bool setSizes(ImGuiDockNode* node, const std::map<ImGuiID, ImVec2>& sizes, ImVec2 factor);

// All panels of the tree, those of a place in the order of their tabs.
std::vector<std::string> tabOrderOf(const ImGuiDockNode* node);

// Whether the panels that both have stand in the same order.
bool areInOneOrder(std::vector<std::string> a, std::vector<std::string> b);

// The same places, their tabs in this order; those that it does not have come last.
DockLayout inOrder(DockLayout layout, const std::vector<std::string>& order);

// Puts the tabs of a tree's places in the order given: windows that come a frame later than others come
// behind them.
void orderTabs(const DockLayout& layout);

// The tree as a layout; `scale`: pixels a unit.
DockLayout layoutOf(const ImGuiDockNode* node, float scale);

// A lone panel draws its own title line; panels that share a place get tabs.
void hideTabsOfLonePanels(ImGuiDockNode* node);

}  // namespace stridescope::shell
