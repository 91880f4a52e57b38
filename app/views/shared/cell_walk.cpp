#include "views/shared/cell_walk.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "draw/marks.h"
#include "imgui_internal.h"

namespace stridescope::views {
namespace {

// A cell above or below that stands to the side costs as much as one so much further away.
constexpr float kAside = 4, kAsidePerPixel = 0.05f;
constexpr float kTouch = 1;  // pixels that neighbours may overlap

// Between two intervals; 0: they overlap.
float gapBetween(float from, float to, float otherFrom, float otherTo) {
  return std::max({0.0f, otherFrom - to, from - otherTo});
}

ImVec2 middleOf(const CellBox& box) { return {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2}; }

bool contains(const CellBox& box, ImVec2 point) {
  return point.x >= box.min.x && point.x < box.max.x && point.y >= box.min.y && point.y < box.max.y;
}

// How far the way from one cell to another is; nullopt: it does not lie in that direction.
std::optional<float> costOf(const CellBox& from, const CellBox& other, WalkTo to) {
  const bool across = to == WalkTo::Left || to == WalkTo::Right;
  float ahead = 0;
  switch (to) {
    case WalkTo::Left:
      ahead = from.min.x - other.max.x;
      break;
    case WalkTo::Right:
      ahead = other.min.x - from.max.x;
      break;
    case WalkTo::Up:
      ahead = from.min.y - other.max.y;
      break;
    case WalkTo::Down:
      ahead = other.min.y - from.max.y;
      break;
  }
  if (ahead < -kTouch) return std::nullopt;
  const ImVec2 middle = middleOf(from), otherMiddle = middleOf(other);
  if (across) {
    const float overlap = std::min(from.max.y, other.max.y) - std::max(from.min.y, other.min.y);
    if (overlap <= kTouch) return std::nullopt;
    return ahead + kAsidePerPixel * std::abs(otherMiddle.y - middle.y);
  }
  const float aside = gapBetween(from.min.x, from.max.x, other.min.x, other.max.x);
  // If two lie below, the one whose middle is nearer is taken: this adds less than a pixel to the way.
  const float nearer = std::abs(otherMiddle.x - middle.x) * 1e-4f;
  return ahead + (aside > kTouch ? kAside + kAsidePerPixel * aside : 0) + nearer;
}

}  // namespace

std::optional<std::size_t> nextCell(std::span<const CellBox> cells, std::size_t from, WalkTo to) {
  std::optional<std::size_t> best;
  float least = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == from) continue;
    const auto cost = costOf(cells[from], cells[i], to);
    if (!cost || (best && *cost >= least)) continue;
    best = i;
    least = *cost;
  }
  return best;
}

void CellWalk::forget() {
  cells_.clear(), coming_.clear();
  place_.reset();
  moved_ = entered_ = false;
}

void CellWalk::begin() {
  cells_ = std::exchange(coming_, {});
  moved_ = entered_ = false;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    place_.reset();
}

void CellWalk::take(shell::KeyInput& keys) {
  if (!hasCells()) return;
  constexpr std::pair<ImGuiKey, WalkTo> kArrows[] = {{ImGuiKey_LeftArrow, WalkTo::Left},
                                                     {ImGuiKey_RightArrow, WalkTo::Right},
                                                     {ImGuiKey_UpArrow, WalkTo::Up},
                                                     {ImGuiKey_DownArrow, WalkTo::Down}};
  for (const ImGuiKeyChord chord : keys.presses())
    for (const auto& [key, to] : kArrows)
      if (chord == ImGuiKeyChord(key)) step(to);
  for (const auto& [key, to] : kArrows)
    if (keys.isPressed(key, true)) step(to);
  bool enter = std::ranges::count(keys.presses(), ImGuiKeyChord(ImGuiKey_Enter)) > 0;
  for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter}) enter |= keys.isPressed(key, false);
  entered_ = enter && place_.has_value();
  if (!moved_ && !entered_) return;
  // A pointer that rests on a map says nothing until it moves.
  ImGui::SetNavCursorVisible(true);
  ImGui::GetCurrentContext()->NavHighlightItemUnderNav = true;
}

std::optional<std::size_t> CellWalk::cellAt(const Place& place) const {
  std::optional<std::size_t> nearest;
  float least = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].area != place.area) continue;
    const ImVec2 point = cells_[i].origin + place.fromOrigin;
    if (contains(cells_[i].box, point)) return i;
    const ImVec2 middle = middleOf(cells_[i].box);
    const float away = std::hypot(middle.x - point.x, middle.y - point.y);
    if (nearest && away >= least) continue;
    nearest = i;
    least = away;
  }
  return nearest;
}

std::optional<std::size_t> CellWalk::startCell() const {
  if (place_)
    if (const auto cell = cellAt(*place_)) return cell;
  const auto hovered = std::ranges::find(cells_, true, &Cell::hovered);
  if (hovered == cells_.end()) return std::nullopt;
  return std::size_t(hovered - cells_.begin());
}

std::size_t CellWalk::firstCell() const {
  std::map<ImGuiID, float> covered;  // by the cells of each area, pixels
  for (const Cell& cell : cells_)
    if (!cell.isControl)
      covered[cell.area] += (cell.box.max.x - cell.box.min.x) * (cell.box.max.y - cell.box.min.y);
  const auto largest = std::ranges::max_element(covered, {}, [](const auto& each) { return each.second; });
  return std::size_t(std::ranges::find(cells_, largest->first, &Cell::area) - cells_.begin());
}

void CellWalk::standAt(const Cell& cell) {
  const ImVec2 middle = middleOf(cell.box);
  place_ = {cell.area, {middle.x - cell.origin.x, middle.y - cell.origin.y}};
  moved_ = true;
}

void CellWalk::step(WalkTo to) {
  const auto from = startCell();
  if (!from) return standAt(cells_[firstCell()]);
  std::vector<CellBox> boxes;
  for (const Cell& cell : cells_) boxes.push_back(cell.box);
  standAt(cells_[nextCell(boxes, *from, to).value_or(*from)]);
}

void CellWalk::add(ImVec2 origin, CellBox box, bool hovered) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  coming_.push_back({.area = ImGui::GetItemID(),
                     .origin = origin,
                     .box = box,
                     .list = window.DrawList,
                     .clipMin = window.InnerClipRect.Min,
                     .clipMax = window.InnerClipRect.Max,
                     .hovered = hovered});
  if (!moved_ || !place_ || place_->area != ImGui::GetItemID()) return;
  if (!contains(box, origin + place_->fromOrigin)) return;
  ImGui::ScrollToRect(ImGui::GetCurrentWindow(), {box.min, box.max}, ImGuiScrollFlags_KeepVisibleEdgeY);
}

void CellWalk::addControl(CellBox control) {
  add(control.min, control);
  coming_.back().isControl = true;
}

std::optional<CellWalk::Answer> CellWalk::answer() const {
  if (!place_ || place_->area != ImGui::GetItemID() || (!moved_ && !entered_)) return std::nullopt;
  return Answer{place_->fromOrigin, entered_};
}

void CellWalk::drawRing(const draw::DrawContext& context) const {
  if (!place_) return;
  for (const Cell& cell : coming_) {
    if (cell.area != place_->area || !contains(cell.box, cell.origin + place_->fromOrigin)) continue;
    cell.list->PushClipRect(cell.clipMin, cell.clipMax);
    draw::drawHoverRingOnAmounts(context, *cell.list, cell.box.min, cell.box.max);
    cell.list->PopClipRect();
    return;
  }
}

HitArea walkArea(ViewContext& view, const char* label, ImVec2 min, ImVec2 max,
                 const std::function<void(const AddCell&)>& addCells) {
  HitArea area = hitArea(label, min, max);
  if (view.walk == nullptr) return area;
  area.hasKeys = true;
  addCells([&](CellBox cell, bool hovered) { view.walk->add(min, cell, hovered); });
  const auto answer = view.walk->answer();
  if (!answer) return area;
  area.hovered = area.byKey = true;
  area.clicked = answer->clicked;
  area.pointer = answer->pointer;
  return area;
}

HitArea walkArea(ViewContext& view, const char* label, ImVec2 min, ImVec2 max) {
  return walkArea(view, label, min, max, [&](const AddCell& add) { add({min, max}, false); });
}

void walkControl(ViewContext& view, ImVec2 min, ImVec2 max) {
  if (view.walk == nullptr) return;
  view.walk->addControl({min, max});
  if (const auto answer = view.walk->answer(); answer && answer->clicked)
    ImGui::ActivateItemByID(ImGui::GetItemID());
}

}  // namespace stridescope::views
