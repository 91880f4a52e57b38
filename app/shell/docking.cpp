#include "shell/docking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"
#include "shell/docked_tree.h"

namespace stridescope::shell {
namespace {

constexpr const char* kHostName = "##dock host";
constexpr const char* kDockSpaceName = "stridescope dock space";
// A gap that is dragged stops where a panel beside it would be smaller; units.
constexpr float kLeastPanelWidth = 180, kLeastPanelHeight = 100;
// The windows of a new tree are in their nodes after this many frames.
constexpr int kFramesToSettle = 3;

// What the tree of a layout would be described as, with those of its panels that are shown.
void describe(const DockLayout& layout, std::string& text) {
  if (!layout.children.empty()) {
    text += layout.split == DockLayout::Split::LeftRight ? "(X " : "(Y ";
    describe(layout.children[0], text);
    text += ' ';
    describe(layout.children[1], text);
    text += ')';
    return;
  }
  std::vector<std::string> names;
  for (const std::string& panel : layout.panels) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(panel.c_str());
    if (window != nullptr && window->LastFrameActive + 1 >= ImGui::GetFrameCount()) names.push_back(panel);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) text += name + '|';
}

std::string shapeNow() {
  std::string text;
  describeTree(ImGui::DockBuilderGetNode(dockSpaceId()), text);
  return text;
}

// The first panel's tab is the one that is seen, and the tabs stand in the order given, whichever window
// begins first.
void dockTabs(ImGuiID id, const std::vector<std::string>& panels) {
  for (std::size_t i = 0; i < panels.size(); ++i) {
    ImGui::DockBuilderDockWindow(panels[i].c_str(), id);
    const ImGuiID windowId = ImHashStr(panels[i].c_str());
    const auto order = static_cast<short>(i);
    if (ImGuiWindow* window = ImGui::FindWindowByID(windowId)) window->DockOrder = order;
    if (ImGuiWindowSettings* settings = ImGui::FindWindowSettingsByID(windowId)) settings->DockOrder = order;
  }
  ImGuiDockNode* node = ImGui::DockBuilderGetNode(id);
  if (node != nullptr && !panels.empty())
    node->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(panels[0].c_str()));
}

// For a split in a node of this size: the first child's extent along it, and both children's together.
struct Extents {
  float first, room;
};
Extents extents(const DockLayout& layout, ImVec2 size, float gapPx, float scale) {
  const bool across = layout.split == DockLayout::Split::LeftRight;
  const float room = std::max(1.0f, (across ? size.x : size.y) - gapPx);
  float first = room / 2;
  if (layout.firstUnits > 0) first = layout.firstUnits * scale;
  if (layout.secondUnits > 0) first = room - layout.secondUnits * scale;
  return {std::clamp(std::round(first), room * 0.1f, room * 0.9f), room};
}

// The size of a child that has this extent along the split.
ImVec2 withExtent(const DockLayout& layout, ImVec2 size, float extent) {
  return layout.split == DockLayout::Split::LeftRight ? ImVec2(extent, size.y) : ImVec2(size.x, extent);
}

void buildNode(ImGuiID id, const DockLayout& layout, ImVec2 size, float gapPx, float scale) {
  if (layout.split == DockLayout::Split::None || layout.children.size() != 2) {
    dockTabs(id, layout.panels);
    return;
  }
  const bool across = layout.split == DockLayout::Split::LeftRight;
  const auto [first, room] = extents(layout, size, gapPx, scale);
  ImGuiID firstId = 0, secondId = 0;
  // The piece of a given extent is split off: what is left takes up what the window or its text changes by.
  // Half a pixel more for the first: Dear ImGui cuts its product to a whole number.
  if (layout.secondUnits > 0)
    ImGui::DockBuilderSplitNode(id, across ? ImGuiDir_Right : ImGuiDir_Down, (room - first - 0.5f) / room,
                                &secondId, &firstId);
  else
    ImGui::DockBuilderSplitNode(id, across ? ImGuiDir_Left : ImGuiDir_Up, (first + 0.5f) / room, &firstId,
                                &secondId);
  buildNode(firstId, layout.children[0], withExtent(layout, size, first), gapPx, scale);
  buildNode(secondId, layout.children[1], withExtent(layout, size, room - first), gapPx, scale);
}

// Gives a tree of the layout's shape the sizes that it has when it is built in this room: Dear ImGui's own go
// by what the sizes were before, so that a message that comes and goes would leave others behind.
void fitNode(ImGuiDockNode* node, const DockLayout& layout, ImVec2 size, float gapPx, float scale) {
  if (node == nullptr) return;
  node->SizeRef = size;
  const bool across = layout.split == DockLayout::Split::LeftRight;
  if (layout.children.size() != 2 || !node->IsSplitNode() || (node->SplitAxis == ImGuiAxis_X) != across)
    return;
  const auto [first, room] = extents(layout, size, gapPx, scale);
  fitNode(node->ChildNodes[0], layout.children[0], withExtent(layout, size, first), gapPx, scale);
  fitNode(node->ChildNodes[1], layout.children[1], withExtent(layout, size, room - first), gapPx, scale);
}

bool isKnown(const std::string& panel) {
  return ImGui::FindWindowSettingsByID(ImHashStr(panel.c_str())) != nullptr;
}

// A node where one of the layout's panels is; 0: none is docked.
ImGuiID nodeOfAny(const DockLayout& layout) {
  for (const std::string& panel : layout.panels)
    if (const ImGuiWindowSettings* settings = ImGui::FindWindowSettingsByID(ImHashStr(panel.c_str()));
        settings != nullptr && settings->DockId != 0)
      return settings->DockId;
  for (const DockLayout& child : layout.children)
    if (const ImGuiID node = nodeOfAny(child)) return node;
  return 0;
}

// A panel that the layout file does not know comes as a tab where the nearest panel of the layout is.
void dockUnknown(const DockLayout& layout, ImGuiID outer) {
  const ImGuiID inner = nodeOfAny(layout), node = inner != 0 ? inner : outer;
  for (const std::string& panel : layout.panels)
    if (node != 0 && !isKnown(panel)) ImGui::DockBuilderDockWindow(panel.c_str(), node);
  for (const DockLayout& child : layout.children) dockUnknown(child, node);
}

}  // namespace

ImGuiID dockSpaceId() { return ImHashStr(kDockSpaceName); }

DockLayout dockPanels(std::vector<std::string> panels) {
  DockLayout layout;
  layout.panels = std::move(panels);
  return layout;
}
DockLayout leftOf(float leftUnits, DockLayout left, DockLayout right) {
  return split(DockLayout::Split::LeftRight, leftUnits, 0, std::move(left), std::move(right));
}
DockLayout rightOf(float rightUnits, DockLayout left, DockLayout right) {
  return split(DockLayout::Split::LeftRight, 0, rightUnits, std::move(left), std::move(right));
}
DockLayout bottomOf(float bottomUnits, DockLayout top, DockLayout bottom) {
  return split(DockLayout::Split::TopBottom, 0, bottomUnits, std::move(top), std::move(bottom));
}

bool DockSpace::wasRearranged() const { return !builtShape_.empty() && shapeNow() != builtShape_; }

void DockSpace::keep() {
  const ImGuiDockNode* const root = ImGui::DockBuilderGetNode(dockSpaceId());
  if (root == nullptr) return;
  if (tabsKept_.empty() || framesBack_ > kFramesToSettle) tabsKept_ = inFront_;
  framesBack_ = 0;
  ImGui::DockSpace(dockSpaceId(), ImVec2(0, 0), ImGuiDockNodeFlags_KeepAliveOnly);
}

// A window that comes back takes the focus, and with it the front of its place.
void DockSpace::bringTabsBack() {
  if (tabsKept_.empty()) return;
  const ImGuiWindow* const focused = ImGui::GetCurrentContext()->NavWindow;
  if (focused != nullptr && focused->RootWindow->DockNode != nullptr) ImGui::FocusWindow(nullptr);
  for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
    ImGuiDockNode* const node = window->DockNode;
    if (node == nullptr || !tabsKept_.contains(window->TabId)) continue;
    node->SelectedTabId = window->TabId;
    if (node->TabBar != nullptr)
      node->TabBar->SelectedTabId = node->TabBar->NextSelectedTabId = window->TabId;
  }
  if (++framesBack_ > kFramesToSettle) tabsKept_.clear();
}

void DockSpace::panelsComeAndGo() {
  if (wasRearranged()) return;
  builtShape_.clear();
  framesSinceBuilt_ = 0;
}

// A tree from the layout file has whatever order a person gave it before.
void DockSpace::keepOrder() {
  std::vector<std::string> order = tabOrderOf(ImGui::DockBuilderGetNode(dockSpaceId()));
  if (!isOurs_ || !areInOneOrder(order, builtOrder_)) order_[group_] = std::move(order);
}

void DockSpace::use(const std::string& group) {
  if (group == group_) return;
  const ImGuiDockNode* const tree = ImGui::DockBuilderGetNode(dockSpaceId());
  auto& front = front_[group_];
  front = std::exchange(tabsKept_, {});  // where the panels were away
  if (front.empty()) front = inFront_;
  tabsKept_ = front_[group];
  framesBack_ = 0;
  if (tree != nullptr && (builtName_.empty() || wasRearranged() || wasDragged_))
    arranged_[group_] = layoutOf(tree, builtScale_ > 0 ? builtScale_ : 1);
  else if (tree != nullptr)
    keepOrder();
  // The layout file is the first group's.
  ImGuiIO& io = ImGui::GetIO();
  if (group_.empty()) {
    endBeside();
    if (io.IniFilename != nullptr && tree != nullptr) ImGui::SaveIniSettingsToDisk(io.IniFilename);
    layoutFile_ = std::exchange(io.IniFilename, nullptr);
  } else if (group.empty()) {
    io.IniFilename = layoutFile_;
  }
  group_ = group;
  const auto found = arranged_.find(group);
  if (found == arranged_.end()) {
    resetWanted_ = true;
    return;
  }
  comesBack_ = found->second;
  arranged_.erase(found);
}

void DockSpace::build(const DockLayout& layout, ImVec2 position, ImVec2 size, float gapPx, float scale) {
  const ImGuiID id = dockSpaceId();
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, position);
  ImGui::DockBuilderSetNodeSize(id, size);
  buildNode(id, layout, size, gapPx, scale);
  ImGui::DockBuilderFinish(id);
  ordered_ = layout;
  builtOrder_.clear();
}

// The tree has come to rest: what it is from now on compared with, if it is a layout's.
void DockSpace::settle(std::span<const NamedLayout> layouts) {
  const std::string shape = shapeNow();
  for (const NamedLayout& each : layouts) {
    if (!builtName_.empty()) break;
    std::string text;
    describe(each.layout, text);
    if (text == shape) builtName_ = each.name;
  }
  if (!builtName_.empty()) builtShape_ = shape;
  if (builtOrder_.empty()) builtOrder_ = tabOrderOf(ImGui::DockBuilderGetNode(dockSpaceId()));
}

void DockSpace::makeRoom(const Beside& beside, bool isSameSize) {
  ImGuiDockNode* const root = ImGui::DockBuilderGetNode(dockSpaceId());
  // A panel gives way to it after all, as the first frames of a window find out.
  if (hasBeside_ && beside.px > 0 && beside.shrink != shrink_ && isSameSize)
    scaleNode(root, {beside.shrink / std::exchange(shrink_, beside.shrink), 1});
  if (hasBeside_ == (beside.px > 0)) return;
  if (hasBeside_) return endBeside();
  hasBeside_ = true;
  shrink_ = beside.shrink;
  sizesWithout_.clear();
  rememberSizes(root, sizesWithout_);
  scaleNode(root, {beside.shrink, 1});
}

void DockSpace::endBeside() {
  hasBeside_ = false;
  for (const auto& [id, size] : std::exchange(sizesWithout_, {}))
    if (ImGuiDockNode* const node = ImGui::DockBuilderGetNode(id)) node->SizeRef = size;
}

void DockSpace::watchSizes(ImVec2 size) {
  constexpr float kRounding = 2;
  std::map<ImGuiID, ImVec2> leaves;
  leafSizes(ImGui::DockBuilderGetNode(dockSpaceId()), leaves);
  const bool isSame =
      framesOfThisSize_ > 1 && framesSinceBuilt_ > kFramesToSettle && leaves.size() == leavesBefore_.size();
  bool isDragged = false;
  for (const auto& [id, leaf] : leaves)
    if (const auto before = leavesBefore_.find(id); isSame && before != leavesBefore_.end())
      isDragged = isDragged || std::abs(before->second.x - leaf.x) > kRounding ||
                  std::abs(before->second.y - leaf.y) > kRounding;
  wasDragged_ = wasDragged_ || isDragged;
  if (isDragged && !hasBeside_) sizesDragged_.clear();  // they are taken anew
  framesOfThisSize_ = size.x == sizeBefore_.x && size.y == sizeBefore_.y ? framesOfThisSize_ + 1 : 0;
  sizeBefore_ = size;
  leavesBefore_ = std::move(leaves);
}

// In another room what a person dragged has the same shares of it.
void DockSpace::keepShares(ImVec2 room) {
  ImGuiDockNode* const root = ImGui::DockBuilderGetNode(dockSpaceId());
  const bool isAnother = room.x != sizeBefore_.x || room.y != sizeBefore_.y;
  if (isAnother && !sizesDragged_.empty()) {
    if (setSizes(root, sizesDragged_, {room.x / roomDragged_.x, room.y / roomDragged_.y}))
      framesOfThisSize_ = -1;
    else
      sizesDragged_.clear();
  }
  if (!sizesDragged_.empty() || isAnother) return;
  rememberSizes(root, sizesDragged_);
  roomDragged_ = room;
}

void DockSpace::draw(const std::string& name, std::span<const NamedLayout> layouts, float topPx,
                     float bottomPx, float gapPx, float scale, Beside beside) {
  const DockLayout& layout = std::ranges::find(layouts, name, &NamedLayout::name)->layout;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImVec2 position(viewport.Pos.x + gapPx, viewport.Pos.y + topPx + gapPx);
  ImVec2 size(std::max(1.0f, viewport.Size.x - 2 * gapPx),
              std::max(1.0f, viewport.Size.y - topPx - bottomPx - 2 * gapPx));

  const bool comesBack = comesBack_.has_value();
  if (comesBack) {
    build(*std::exchange(comesBack_, std::nullopt), position, size, gapPx, scale);
    builtName_.clear(), builtShape_.clear();
    builtScale_ = scale;
    framesSinceBuilt_ = 0;
    wasDragged_ = true;  // a layout comes back because a person made it
    sizesDragged_.clear();
    hasBeside_ = isOurs_ = false;
  }
  const bool missing = ImGui::DockBuilderGetNode(dockSpaceId()) == nullptr;
  const bool settled = framesSinceBuilt_ >= kFramesToSettle;
  // What a person arranged or dragged stays, whatever the window's and the text's size, until Reset layout.
  const bool isAsBuilt = !builtName_.empty() && settled && !wasRearranged() && !wasDragged_;
  const bool otherLayout = isAsBuilt && builtName_ != name;
  const bool otherScale = isAsBuilt && builtScale_ != scale && builtScale_ > 0;
  if (missing || resetWanted_ || otherLayout || otherScale) {
    if (!resetWanted_) order_.erase(group_);
    build(inOrder(layout, order_[group_]), position, size, gapPx, scale);
    resetWanted_ = false;
    builtName_ = name;
    builtScale_ = scale;
    framesSinceBuilt_ = 0;
    builtShape_.clear();
    wasDragged_ = false;
    sizesDragged_.clear();
    hasBeside_ = false;
    isOurs_ = true;
  }
  if ((!std::exchange(knowsPanels_, true) || comesBack) && !missing) dockUnknown(layout, 0);
  if (builtScale_ != scale && builtScale_ > 0 && !wasDragged_) {
    const float factor = scale / builtScale_;
    scaleNode(ImGui::DockBuilderGetNode(dockSpaceId()), {factor, factor});
    for (auto& [id, before] : sizesWithout_) before = {before.x * factor, before.y * factor};
  }
  builtScale_ = scale;
  const ImVec2 room(size.x - beside.px, size.y);
  makeRoom(beside, room.x == sizeBefore_.x);
  fitWanted_ = fitWanted_ || room.x != sizeBefore_.x || room.y != sizeBefore_.y;
  if (fitWanted_ && settled && !hasBeside_) {
    fitWanted_ = false;
    if (isOurs_ && builtName_ == name && !wasDragged_ && !wasRearranged()) {
      fitNode(ImGui::DockBuilderGetNode(dockSpaceId()), layout, room, gapPx, scale);
      framesOfThisSize_ = -1;
    }
  }
  if (wasDragged_ && settled && !hasBeside_) keepShares(room);
  watchSizes(room);
  position.x += beside.px;
  size.x = std::max(1.0f, size.x - beside.px);
  if (ordered_) orderTabs(*ordered_);
  if (++framesSinceBuilt_ == kFramesToSettle) settle(layouts);
  if (framesSinceBuilt_ > kFramesToSettle) ordered_.reset();

  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::SetNextWindowViewport(viewport.ID);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin(kHostName, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  hideTabsOfLonePanels(ImGui::DockBuilderGetNode(dockSpaceId()));
  bringTabsBack();
  // Between panels the window itself shows: Dear ImGui paints these two there until the gap is grasped.
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_DockingEmptyBg));
  ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(0, 0, 0, 0));
  // Only while a gap is dragged: a layout may give a panel less.
  const ImGuiWindow* const active = ImGui::GetCurrentContext()->ActiveIdWindow;
  const bool isDragged = active != nullptr && active->RootWindow == ImGui::GetCurrentWindow()->RootWindow;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize,
                      isDragged ? ImVec2{kLeastPanelWidth * scale, kLeastPanelHeight * scale}
                                : ImGui::GetStyle().WindowMinSize);
  ImGui::DockSpace(dockSpaceId(), ImVec2(0, 0),
                   static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoWindowMenuButton));
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  ImGui::End();
  inFront_.clear();
  rememberTabs(ImGui::DockBuilderGetNode(dockSpaceId()), inFront_);
}

}  // namespace stridescope::shell
