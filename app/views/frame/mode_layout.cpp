#include "views/frame/mode_layout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "draw/panel.h"
#include "draw/text.h"
#include "imgui_internal.h"
#include "narration/caption.h"
#include "session/mode.h"
#include "shell/docking.h"

namespace stridescope::views {
namespace {

// The source stands beside the memory, with room for a whole line of a kernel where the maps leave it, and
// the questions have the whole height. Units.
constexpr float kMinSourceWidth = 400, kSourceWidth = 530, kQuestionsWidth = 470;
constexpr float kMapsHaveRoom = 1600, kSourcesShareOfGrowth = 0.65f;

shell::ColumnWidths predictColumns(float width) {
  const float wider = (width - kMapsHaveRoom) * kSourcesShareOfGrowth;
  return {.left = std::clamp(kMinSourceWidth + wider, kMinSourceWidth, kSourceWidth),
          .right = kQuestionsWidth};
}

// The columns of a window of so many units, by mode.
shell::ColumnWidths exploreColumns(float) { return {}; }
struct ModeColumns {
  session::Mode mode;
  shell::ColumnWidths (*of)(float width);
};
constexpr std::array kModeColumns{ModeColumns{session::Mode::Explore, exploreColumns},
                                  ModeColumns{session::Mode::Predict, predictColumns}};

// Whatever the pointer does: nobody reads a tooltip on a picture.
std::string noExplanation(std::string_view) { return {}; }

}  // namespace

std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const Panel> panels) {
  const session::Mode docking = session::factsOf(mode).panelsOf;
  std::vector<std::pair<unsigned, shell::PlacedPanel>> ordered;
  for (const Panel& panel : panels) {
    const ModePlace* const place = panel.placeIn(docking);
    if (place == nullptr) continue;
    shell::PanelPlace dock = place->dock;
    if (place->wideRegion && width >= shell::kWideLayoutWidth) dock.region = *place->wideRegion;
    ordered.push_back({place->order, {panel.title, dock}});
  }
  std::ranges::stable_sort(ordered, {}, [](const auto& each) { return each.first; });
  std::vector<shell::PlacedPanel> placed;
  for (auto& [order, panel] : ordered) placed.push_back(std::move(panel));
  return shell::defaultLayouts(width, height, placed,
                               std::ranges::find(kModeColumns, docking, &ModeColumns::mode)->of(width));
}

StripRoom stripRoom(float width, float height) {
  constexpr float kLow = 345, kLowest = 300, kHoverLine = 26, kAllButOneLine = 30;
  constexpr float kUprightWidth = 480, kUprightHeight = 600, kMoreLines = 80;
  if (height < kLowest) return {.isLow = true, .isLowest = true, .saved = kHoverLine + kAllButOneLine};
  if (height < kLow) return {.isLow = true, .saved = kHoverLine};
  return {.saved = width < kUprightWidth && height >= kUprightHeight ? -kMoreLines : 0};
}

namespace {

constexpr float kModeInset = 10, kGapBefore = 24;  // units

}  // namespace

std::vector<CommandEntry> modeEntries() {
  std::vector<CommandEntry> entries;
  if (session::kModes.size() == 1) return entries;
  for (const session::ModeFacts& facts : session::kModes)
    entries.push_back(
        {.menu = "View",
         .name = std::string(facts.name),
         .also = "mode " + std::string(facts.meaning),
         .keys = ImGuiKeyChord(ImGuiKey_A + (facts.key - 'A')),
         .otherKeys = facts.functionKey == 0 ? 0 : ImGuiKeyChord(ImGuiKey_F1 + int(facts.functionKey) - 1),
         .make = gives(session::EnterMode{facts.mode}),
         .checked = [mode = facts.mode](const session::Parts& parts) { return parts.app.mode() == mode; }});
  return entries;
}

float drawModeTabs(ViewContext& view, float left, float right) {
  if (session::kModes.size() == 1) return right;
  const draw::TextStyle plain = view.words(view.colours().dim);
  const draw::TextStyle chosen = view.semiBold(view.colours().text);
  // As wide as when it is chosen, so that no tab moves.
  const auto widthOf = [&](const session::ModeFacts& facts) {
    return draw::textSize(chosen, std::string(facts.name)).x + 2 * view.px(kModeInset);
  };
  const float width =
      std::accumulate(session::kModes.begin(), session::kModes.end(), 0.0f,
                      [&](float sum, const session::ModeFacts& facts) { return sum + widthOf(facts); });
  if (right - width < left) return right;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetFrameHeight();
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  float x = right - width;
  for (const session::ModeFacts& facts : session::kModes) {
    const bool isChosen = view.app.mode() == facts.mode;
    const ImVec2 min{x, top + view.px(2)}, max{x + widthOf(facts), bottom - view.px(2)};
    const HitArea area = hitArea(("mode " + std::string(facts.name)).c_str(), min, max);
    if (area.clicked && !isChosen) view.commands.push_back(session::EnterMode{facts.mode});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view, std::string(facts.meaning));
    if (isChosen || area.hovered) list.AddRectFilled(min, max, view.colours().field, view.px(3));
    if (isChosen)
      list.AddRectFilled({min.x + view.px(kModeInset), max.y - view.px(2)},
                         {max.x - view.px(kModeInset), max.y}, view.colours().result);
    view.text(list, min, max, std::string(facts.name), isChosen ? chosen : plain, draw::TextAlign::Centre);
    x = max.x;
  }
  ImGui::SetCursorScreenPos(cursor);
  return right - width - view.px(kGapBefore);
}

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

void TabFollower::use(const std::string& group, const std::string& layout) {
  if (group == group_) {
    if (layout != layout_) forget();
  } else {
    Left& left = left_[group_] = {layout_, std::exchange(comesBack_, {})};
    for (const auto& [node, tab] : std::exchange(chosen_, {})) left.tabs.insert(tab);
    if (Left& before = left_[group]; before.layout == layout) comesBack_ = std::move(before.tabs);
    panelsComeBack();
  }
  group_ = group;
  layout_ = layout;
}

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
    const ImGuiID front = node->TabBar->SelectedTabId;
    if (panel.title == commanded || comesBack_.erase(windowOf(panel)->TabId) > 0) chosen_[node->ID] = front;
    if (std::ranges::count(places, node->ID, &Place::node) != 0) continue;
    places.push_back({node->ID, front});
    const auto before = std::ranges::find(places_, node->ID, &Place::node);
    const bool changed = before != places_.end() && before->tab != front;
    if ((changed && framesSinceClick_ <= kFramesToShow) || chosen_.contains(node->ID))
      chosen_[node->ID] = front;
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

void bringToFront(const std::string& title, const session::AppState& app, bool isCovered) {
  ImGuiWindow* const window = ImGui::FindWindowByName(title.c_str());
  const ImGuiWindow* const used = ImGui::GetCurrentContext()->NavWindow;
  const bool isUsed = window != nullptr && used != nullptr && used->Active && used->RootWindow == window;
  if (isUsed) return;  // what has the keyboard within it keeps it
  const bool goes = app.focused().empty() || session::isPanelPart(app.focused());
  ImGuiDockNode* const node = window == nullptr ? nullptr : window->DockNode;
  if (node != nullptr && node->TabBar != nullptr)  // where there are more tabs than fit, they scroll to it
    if (ImGuiTabItem* const tab = ImGui::TabBarFindTabByID(node->TabBar, window->TabId))
      ImGui::TabBarQueueFocus(node->TabBar, tab);
  if ((goes && !isCovered) || window == nullptr) return ImGui::SetWindowFocus(title.c_str());
  if (node == nullptr || node->TabBar == nullptr) return;
  node->TabBar->SelectedTabId = node->SelectedTabId = window->TabId;
}

PanelSheet::PanelSheet(session::Session& session, std::vector<Panel> panels)
    : session_(session), panels_(std::move(panels)), explanations_(noExplanation) {}

shell::Appearance PanelSheet::appearance() const {
  return {.theme = session_.app().settings().theme == session::ThemeName::Light ? draw::Theme::Light
                                                                                : draw::Theme::Dark};
}

void PanelSheet::drawFrame(shell::Frame& frame) {
  session_.update(0);
  times_.refresh(session_.workspace(), session_.measurements());
  const LinkedHighlight linked(session_.replay());
  const TroubleMarks trouble = troubleMarks(session_.replay());
  session::Commands ignored;
  ViewContext view{session_.parts(), frame.draw, ignored, linked, trouble, times_, panels_, explanations_};
  frame.draw.isPicture = true;
  areas_.clear();
  ImVec2 at{0, 0};
  float rowBottom = 0;
  const float gap = view.px(draw::kPanelGap);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  for (const SheetPanel& each : sheet_) {
    const ImVec2 size{view.px(each.width), view.px(each.height)};
    if (at.x > 0 && at.x + size.x > frame.size.x) at = {0, rowBottom + gap};
    areas_.emplace_back(at, at + size);
    if (const Panel* const panel = findPanel(panels_, each.id)) {
      const draw::PanelStand stand{.min = at, .max = at + size, .id = "sheet"};
      frame.draw.stand = &stand;
      panel->draw(view);
    }
    rowBottom = std::max(rowBottom, at.y + size.y);
    at.x += size.x + gap;
  }
  ImGui::PopStyleVar(2);
  frame.draw.stand = nullptr;
}

}  // namespace stridescope::views
