#include "views/compare/compare_view.h"

#include <algorithm>
#include <memory>
#include <variant>

#include "draw/panel.h"
#include "imgui_internal.h"
#include "measure/timing_rows.h"
#include "session/command.h"
#include "session/comparison.h"
#include "views/compare/compare_layout.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

using analysis::Side;

analysis::FigureOrigin originOf(bool live, const std::string& device) {
  return {live ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, device};
}

analysis::ComparedSide sideOf(const session::Comparison& comparison, Side of) {
  const session::Replay& replay = comparison.replay(of);
  analysis::ComparedSide side{.trace = &replay.run()->trace,
                              .analysis = &replay.run()->analysis,
                              .launch = comparison.places()[comparison.place()].launch};
  if (comparison.hasRound(of)) {
    side.shown = &replay.round();
    side.flow = &replay.flow();
    if (replay.shownPass() == nullptr) side.round = replay.playhead().round;
  }
  lab::addMeasured(replay.measured(), side);
  return side;
}

void addTime(const std::optional<measure::ComparedTime>& time, analysis::ComparedSide& side) {
  if (!time) return;
  side.timedElements = time->elements;
  side.microseconds = time->microseconds;
  side.timeInterval =
      analysis::medianInterval(time->microseconds, time->lowerQuartile, time->upperQuartile, time->samples);
  side.timeFrom = originOf(time->live, time->device);
}

using analysis::Side;
using session::Hover;
using session::HoverKind;

// What a person does in one side's panels, as commands for both.

// The lowest thread that reads the element or leaves its result there.
std::optional<Hover> threadAt(const session::Replay& replay, std::uint64_t element) {
  const MemoryStage stage(replay.launch(), replay.launchAnalysis());
  for (const analysis::ThreadWork& work : replay.flow().work)
    for (const auto& operand : {work.a, work.b, work.result})
      if (stage.holds(operand) && stage.placeOf(*operand) == element)
        return session::hoverThread(work.thread);
  return std::nullopt;
}

std::optional<Hover> roundBeside(const session::Comparison& comparison, Side side, const Hover& hover) {
  for (const analysis::LockedRound& place : comparison.places())
    if (place.launch == hover.launch && place.round[side] == hover.index) {
      const auto& other = place.round[analysis::otherOf(side)];
      return other ? std::optional(Hover{HoverKind::Round, *other, place.launch}) : std::nullopt;
    }
  return std::nullopt;
}

// What belongs in the other side to what is pointed at in this one: the same thread, warp or bank, the thread
// that works on the element, the round beside the round. nullopt: nothing does.
std::optional<Hover> counterpart(const session::Comparison& comparison, Side side, const Hover& hover) {
  switch (hover.kind) {
    case HoverKind::Thread:
    case HoverKind::Warp:
    case HoverKind::Bank:
      return hover;
    case HoverKind::Element:
      return comparison.replay(side).run() == nullptr ? std::nullopt
                                                      : threadAt(comparison.replay(side), hover.index);
    case HoverKind::Round:
      return roundBeside(comparison, side, hover);
    case HoverKind::Site:
      break;
  }
  return std::nullopt;
}

session::PointAtSides pointed(const session::Comparison& comparison, Side side,
                              const std::optional<Hover>& hover, bool pin) {
  session::PointAtSides request{.hover = {}, .pin = pin};
  request.hover[side] = hover;
  if (hover) request.hover[analysis::otherOf(side)] = counterpart(comparison, side, *hover);
  return request;
}

// Adds to `all` what the panels of the side asked for.
void addSideCommands(const session::Comparison& comparison, Side side, const session::Commands& asked,
                     session::Commands& all) {
  for (const session::Command& command : asked) {
    if (const auto* const point = std::get_if<session::PointAt>(&command.any()))
      all.push_back(pointed(comparison, side, point->hover, false));
    else if (const auto* const pin = std::get_if<session::Pin>(&command.any()))
      all.push_back(pointed(comparison, side, pin->hover, true));
    else
      all.push_back(session::OnSide{side, std::make_shared<const session::Command>(command)});
  }
}

// After a step the pointed element is another thread's: what then belongs to it in the other side, as a
// command. nullopt: nothing else does.
std::optional<session::PointAtSides> pointedAnew(const session::Comparison& comparison) {
  for (const Side side : analysis::kSides) {
    const auto hover = comparison.replay(side).hover();
    const auto beside = comparison.replay(analysis::otherOf(side)).hover();
    if (!hover || hover->kind != HoverKind::Element || (beside && beside->kind == HoverKind::Element))
      continue;
    const bool pinned = comparison.replay(side).pinned();
    session::PointAtSides request = pointed(comparison, side, hover, pinned);
    if (request.hover[analysis::otherOf(side)] != beside) return request;
  }
  return std::nullopt;
}

constexpr const char* kBanks = "banks";
constexpr const char* kLanes = "lanes";
constexpr const char* kSource = "source";
constexpr float kVeil = 0.55f;  // over what a side that has no such round shows

Side sideOf(ComparePart part) {
  return part == ComparePart::LeftMemory || part == ComparePart::LeftMap ? Side::Left : Side::Right;
}
bool isMap(ComparePart part) { return part == ComparePart::LeftMap || part == ComparePart::RightMap; }

std::string windowNameOf(const Panel& panel, Side side) {
  return panel.title + "##" + std::string(analysis::nameOf(side));
}

// What is under it is not of the round that the other side shows. Over the parts that scroll, too, which are
// windows of their own.
void drawVeil(const ViewContext& view, const std::string& window) {
  const ImGuiWindow* const panel = ImGui::FindWindowByName(window.c_str());
  if (panel == nullptr) return;
  const ImU32 ground = view.colours().panel & ~IM_COL32_A_MASK;
  for (const ImGuiWindow* const drawn : ImGui::GetCurrentContext()->Windows)
    if (drawn->Active && drawn->RootWindow == panel)
      drawn->DrawList->AddRectFilled(drawn->Pos, drawn->Rect().Max,
                                     ground | ImU32(kVeil * 255) << IM_COL32_A_SHIFT,
                                     view.px(draw::kPanelRadius));
}

// Not through what lies over its column: an overlay, a list that has dropped down.
bool isPointedAt(Side side) {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  return gui.OpenPopupStack.empty() && gui.HoveredWindow != nullptr &&
         std::string_view(gui.HoveredWindow->RootWindow->Name).ends_with("##" + std::string(nameOf(side)));
}

}  // namespace

RoundsOfBoth::RoundsOfBoth(const session::Comparison& comparison) {
  if (comparison.hasRound(Side::Left)) left_.emplace(roundAt(comparison.replay(Side::Left)));
  if (comparison.hasRound(Side::Right)) right_.emplace(roundAt(comparison.replay(Side::Right)));
}

ComparedRuns::Seen ComparedRuns::seen(const session::Comparison& comparison, Side side) {
  const session::Replay& replay = comparison.replay(side);
  const lab::RunMeasured& measured = replay.measured();
  const auto own = [](const auto& optional) -> const void* { return optional ? &*optional : nullptr; };
  return {.run = replay.sharedRun(),
          .at = replay.playhead(),
          .hasRound = comparison.hasRound(side),
          .measured = {measured.cycles.clocks.data(), own(measured.counters.record), own(measured.costs.own)},
          .live = {measured.cycles.live, measured.counters.live, measured.costs.live}};
}

void ComparedRuns::refresh(const session::Comparison& comparison, const session::Measurements& measurements) {
  const analysis::BothSides<Seen> now{seen(comparison, Side::Left), seen(comparison, Side::Right)};
  for (const Side side : analysis::kSides) {
    const auto hover = comparison.replay(side).hover();
    if (now[side] == seen_[side] && hover == hover_[side]) continue;
    marks_[side] = {LinkedHighlight(comparison.replay(side)), troubleMarks(comparison.replay(side))};
    hover_[side] = hover;
  }
  const auto snapshot = measurements.timings();
  const bool sameTimes = snapshot == times_ && measurements.choices() == choices_;
  if (now == seen_ && sameTimes) return;
  const bool sameRuns = now.left.run == seen_.left.run && now.right.run == seen_.right.run;
  seen_ = now;
  times_ = snapshot;
  choices_ = measurements.choices();
  if (!comparison.hasRuns()) {
    table_ = {};
    source_ = {};
    return;
  }
  const model::Trace &leftTrace = now.left.run->trace, &rightTrace = now.right.run->trace;
  if (!sameRuns) source_ = analysis::sourceDifference(leftTrace, rightTrace);
  analysis::ComparedSide left = sideOf(comparison, Side::Left), right = sideOf(comparison, Side::Right);
  if (snapshot) {
    const measure::ComparedTimes times =
        measure::comparedTimes(*snapshot, measure::timedExperiment(leftTrace),
                               measure::timedExperiment(rightTrace), choices_.warmL2, choices_.graph);
    addTime(times.left, left);
    addTime(times.right, right);
  }
  table_ = narration::comparedTable(left, right);
}

std::string idOf(ComparePart part) {
  if (part == ComparePart::Differences) return "differences";
  return std::string(analysis::nameOf(sideOf(part))) + (isMap(part) ? ".map" : ".memory");
}

std::string nameOf(ComparePart part) {
  if (part == ComparePart::Differences) return "What differs";
  return std::string(sideOf(part) == Side::Left ? "Left: " : "Right: ") + (isMap(part) ? "map" : "memory");
}

CompareView::CompareView(const std::vector<Panel>& panels) : panels_{panels, panels} {
  for (const Panel* const panel : turnsIn(panels, session::Mode::Compare)) maps_.push_back(panel->id);
  if (!maps_.empty()) map_ = maps_.front();
  if (const Panel* const main = mainPanel(panels, session::Mode::Compare)) memory_ = main->id;
}

void CompareView::showMap(std::string_view panel) {
  if (std::ranges::find(maps_, panel) == maps_.end()) return;
  map_ = panel;
  chosen_ = true;
}

// As long as nobody chose another: the map that shows what differs.
void CompareView::followCaption(const session::Comparison& comparison) {
  if (chosen_ || !comparison.hasRound(Side::Left) || !comparison.hasRound(Side::Right)) return;
  const analysis::Round& left = comparison.replay(Side::Left).round();
  const analysis::Round& right = comparison.replay(Side::Right).round();
  const auto conflicts = [](const analysis::Round& round) {
    return std::ranges::any_of(round.requests, [](const analysis::Request& request) {
      return request.conflicts() > 0 || request.sectors > request.idealSectors;
    });
  };
  if (conflicts(left) || conflicts(right))
    map_ = kBanks;
  else if (left.activeWarps != right.activeWarps || left.partialWarps != right.partialWarps)
    map_ = kLanes;
}

void CompareView::refresh(const session::Comparison& comparison, const session::Measurements& measurements) {
  runs_.refresh(comparison, measurements);
  followCaption(comparison);
}

Box CompareView::boxOf(ComparePart part) const {
  if (part == ComparePart::Differences) return layout_.middle;
  const CompareColumn& column = layout_.sides[sideOf(part)];
  return isMap(part) ? column.map : column.memory;
}

std::string CompareView::windowOf(ComparePart part) const {
  if (part == ComparePart::Differences) return std::string(kDifferencesWindow);
  const Side side = sideOf(part);
  const Panel* const panel = findPanel(panels_[side], isMap(part) ? map_ : memory_);
  return panel == nullptr ? std::string() : windowNameOf(*panel, side);
}

// Tab goes on from there, and no frame is left round a control of another part.
void CompareView::giveKeys(std::string_view focused) {
  std::string window;
  for (const ComparePart part : kCompareParts)
    if (focused == idOf(part)) window = windowOf(part);
  if (window != keysIn_ && !window.empty()) ImGui::SetWindowFocus(window.c_str());
  keysIn_ = window;
}

void CompareView::draw(ViewContext& view, ImVec2 min, ImVec2 max, CellWalk* walk) {
  const bool hasRuns = view.comparison->hasRuns();
  layout_ = layOutCompare({.min = min,
                           .max = max,
                           .unit = view.draw.scale,
                           .gap = view.px(draw::kPanelGap),
                           .sourceRows = hasRuns ? sourceDifferencesHeight(runs_.source()) : 0});
  const bool both = legends_.left.hasRoom && legends_.right.hasRoom;
  for (const Side side : analysis::kSides) legends_[side] = {.both = both};
  for (const Side side : analysis::kSides) drawSide(view, side, walk);
  drawDifferences(view, runs_.table(), layout_.middle,
                  walk != nullptr && view.app.focused() == idOf(ComparePart::Differences));
  giveKeys(walk == nullptr ? std::string_view() : view.app.focused());
  const analysis::BothSides<session::Playhead> at{view.comparison->replay(Side::Left).playhead(),
                                                  view.comparison->replay(Side::Right).playhead()};
  if (hasRuns && at != at_)
    if (const auto request = pointedAnew(*view.comparison)) view.commands.push_back(*request);
  at_ = at;
}

void CompareView::drawSide(ViewContext& view, Side side, CellWalk* walk) {
  const session::Comparison& both = *view.comparison;
  session::Commands commands;
  ViewContext own{partsOf(view, side),       view.draw,  commands,    runs_.marks(side).linked,
                  runs_.marks(side).trouble, view.times, view.panels, view.explanations};
  const CompareColumn& column = layout_.sides[side];
  const bool isLeft = side == Side::Left;
  const auto walkOf = [&](ComparePart part) { return view.app.focused() == idOf(part) ? walk : nullptr; };
  drawSideHead(own, side, column.head);
  own.walk = walkOf(isLeft ? ComparePart::LeftMemory : ComparePart::RightMemory);
  if (!column.memory.isEmpty()) drawPanel(own, side, memory_, column.memory, 0);
  own.walk = nullptr;
  if (!column.source.isEmpty() && drawSourceDifferences(own, runs_.source(), side, column.source, firstRow_))
    showMap(kSource);
  if (!column.map.isEmpty()) {
    own.walk = walkOf(isLeft ? ComparePart::LeftMap : ComparePart::RightMap);
    const float noteLeft = drawTabs(own, side, column.tabs);
    drawPanel(own, side, map_, column.map, noteLeft);
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && both.chosen() != side && isPointedAt(side))
    view.commands.push_back(session::ChooseSide{side});
  addSideCommands(both, side, commands, view.commands);
}

void CompareView::drawPanel(ViewContext& view, Side side, const std::string& id, const Box& box,
                            float noteLeft) {
  const Panel* const panel = findPanel(panels_[side], id);
  if (panel == nullptr) return;
  const draw::PanelStand stand{.min = box.min,
                               .max = box.max,
                               .id = analysis::nameOf(side),
                               .isNamedAbove = noteLeft > 0,
                               .noteLeft = noteLeft,
                               .legend = id == memory_ ? &legends_[side] : nullptr};
  view.draw.stand = &stand;
  panel->draw(view);
  view.draw.stand = nullptr;
  if (view.replay.run() != nullptr && view.comparison->hasRuns() && !view.comparison->hasRound(side))
    drawVeil(view, windowNameOf(*panel, side));
}

// One set of tabs for both sides. Gives where they end, pixels.
float CompareView::drawTabs(ViewContext& view, Side side, const Box& box) {
  const PartWindow window("Maps##" + std::string(analysis::nameOf(side)), box);
  ImDrawList& list = window.list();
  const draw::Palette& colours = view.colours();
  const bool belowHead = layout_.sides[side].memory.isEmpty();
  list.AddRectFilled(box.min, box.max, colours.panel, belowHead ? 0 : view.px(draw::kPanelRadius),
                     ImDrawFlags_RoundCornersTop);
  float x = box.min.x + view.px(draw::kPanelInset) - view.px(4);
  const float top = box.min.y + view.px(4), bottom = top + view.px(kTabHeight);
  for (const std::string& id : maps_) {
    const Panel* const panel = findPanel(panels_[side], id);
    const bool on = id == map_;
    const draw::TextStyle style =
        on ? view.semiBold(colours.text, draw::kBodySize) : view.words(colours.dim, draw::kBodySize);
    const float width =
        draw::textSize(view.semiBold(0, draw::kBodySize), panel->title).x + 2 * view.px(kTabPadding);
    if (x + width > box.max.x - view.px(draw::kPanelInset)) break;
    const ImVec2 min{x, top}, max{x + width, bottom};
    const HitArea area = walkArea(view, panel->title.c_str(), min, max);
    if (area.clicked) showMap(id);
    if (on || area.hovered) list.AddRectFilled(min, max, colours.field, view.px(draw::kFieldRadius));
    if (on)
      list.AddRectFilled({min.x + view.px(kTabPadding), max.y - view.px(2)},
                         {max.x - view.px(kTabPadding), max.y}, colours.result);
    view.text(list, min, max, panel->title, style, draw::TextAlign::Centre);
    x = max.x + view.px(kBetweenTabs);
  }
  return x;
}

}  // namespace stridescope::views
