#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "views/memory/array_grids.h"
#include "views/memory/arrival_strip.h"
#include "views/memory/cluster_strip.h"
#include "views/memory/device_map.h"
#include "views/memory/race_strip.h"
#include "views/memory/register_view.h"
#include "views/memory/shared_memory_scene.h"
#include "views/panels.h"
#include "views/shared/tabs.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {
namespace {

constexpr const char* kSharedMemoryTitle = "Shared memory";

// What a person looks at; given up when another round is shown.
struct SharedMemoryState {
  ZoomAndPan moved;
  std::optional<unsigned> heldThread;  // its registers' values come into view
  session::Playhead at;
  const lab::Run* run = nullptr;
  bool wantsOperands = false;  // in place of the arrays as grids
  ZoomAndPan movedArrays;      // in these, over the rounds of a run
  // What threads of the launch access, by byte of shared memory; empty: it is not known yet.
  std::vector<bool> accessed;
  CarvedArrays carved;  // known when `accessed` is
};

const std::array<Choice, 2> kViews{{{"Arrays"}, {"Operands"}}};

// The arrays as grids, if the launch has such and nobody wants the operands. Gives the notes for the title
// line, or nothing if they are not shown. `end` gets the right edge of the tabs.
std::optional<std::vector<std::string>> drawArrays(ViewContext& view, const draw::Panel& panel, ImVec2 min,
                                                   SharedMemoryState& state, float& end) {
  if (view.predict.isHidden() || !hasArrayGrids(view.replay)) return std::nullopt;
  if (!view.app.isPresenting() && tabsFit(view, panel, kViews))
    if (const int clicked =
            drawTabs(view, panel, kViews, state.wantsOperands ? 1 : 0, view.colours().result, end);
        clicked >= 0)
      state.wantsOperands = clicked == 1;
  if (state.wantsOperands) return std::nullopt;
  if (state.accessed.empty())
    state.accessed = accessedBytes(view.replay), state.carved = carvedArrays(view.replay);
  return drawArrayGrids(view, panel.list(), min, panel.contentMax(), state.accessed, state.carved,
                        state.movedArrays);
}

constexpr float kMinMemoryMap = 132;       // units: what stands above the map leaves it this height
constexpr float kMinMapBelowDevices = 96;  // the GPUs and their messages are the point of their variants

// The part of all columns that the band shows, for zooming and panning.
ColumnsShown columnsShown(const HitArea& area, const Band& band, float width) {
  const std::size_t inView = band.columns.size();
  const double pointer = double(band.firstColumn) + double(area.pointer.x / width) * double(inView);
  return {band.allColumns, band.firstColumn, inView, width / std::max(1.0f, float(inView)), pointer};
}

// The element's column comes into the middle.
void panTo(std::uint64_t element, const MemoryScene& scene, SharedMemoryState& state) {
  const std::size_t inView = scene.band.columns.size();
  const double perColumn = double(scene.ofBand.last - scene.ofBand.first) / double(inView);
  const double column =
      double(scene.band.firstColumn) + (double(element) - double(scene.ofBand.first)) / perColumn;
  state.moved.inView = inView;
  state.moved.first = std::size_t(
      std::clamp(std::round(column - double(inView) / 2), 0.0, double(scene.band.allColumns - inView)));
}

// A cell of shared memory finds its element, everything between the cells the thread.
void pointAtBand(ViewContext& view, const HitArea& area, const MemoryScene& scene,
                 const BandHeights& heights) {
  if (!area.hovered || scene.band.columns.empty()) return;
  const auto& columns = scene.band.columns;
  const float x = area.pointer.x;
  const auto found =
      std::ranges::find_if(columns, [&](const BandColumn& column) { return x < column.result.to; });
  const BandColumn& column = found == columns.end() ? columns.back() : *found;
  if (const analysis::Operand* operand = operandAt(view, scene, column, heights, x, area.pointer.y))
    return pointAt(view, area, session::Hover{session::HoverKind::Element, scene.stage.placeOf(*operand)});
  pointAt(view, area, column.work->thread);
}

// "256"; of a block's part of device memory "2560-3071".
std::string elementsOf(const MemoryScene& scene) {
  const std::uint64_t first = scene.stage.first();
  if (first == 0) return figure(scene.elements);
  return std::to_string(first) + "-" + std::to_string(first + scene.elements - 1);
}

// "elements 0-15 over 64-79 of 256"; "16 of 256 elements"; "16 of 256 threads" where they only fill registers
// or their elements lie apart.
std::string figuresInView(const MemoryScene& scene) {
  const Band& band = scene.band;
  if (hasWedge(scene) && band.hasB) return pairsInView(scene) + " of " + elementsOf(scene);
  const bool apart = band.shape == BandShape::Columns && !isContiguous(band);
  if (!band.columns.empty() && (apart || !touchesStage(band, scene.stage)))
    return figure(band.columns.size()) + " of " + figure(band.allColumns) + " threads";
  const std::uint64_t shown = band.everything() ? scene.elements : scene.ofBand.last - scene.ofBand.first;
  return figure(shown) + " of " + figure(scene.elements) + " elements";
}

// The panel's note in two lengths: with the way to more, and the figures alone.
std::vector<std::string> notesOf(const MemoryScene& scene) {
  const Band& band = scene.band;
  if (scene.elements == 0) return {};
  const std::string figures = figuresInView(scene);
  if (!band.everything()) return {figures + " in view" + kGestures, figures};
  if (band.shape == BandShape::Adjacent)
    return {figures + " · dead elements fold under the live one to their left", figures};
  return {figures};
}

// The thread that the band keeps in view: the hovered one, the one that works on the hovered element, or the
// one that a problem of the round names.
std::optional<unsigned> heldThread(const ViewContext& view) {
  const auto hover = view.replay.hover();
  if (hover && hover->kind == session::HoverKind::Element) return view.linked.owner();
  if (const auto thread = view.replay.hoveredThread()) return thread;
  return view.trouble.problemThread;
}

// The first of the notes for which there is room at the right of the panel's title, if that is not on a tab.
// `end`: the right edge of what stands there behind the title.
void drawTitleNote(ViewContext& view, draw::Panel& panel, const std::vector<std::string>& notes,
                   float end = 0) {
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const draw::TextStyle style = view.words(view.colours().dim);
  const float left = std::max(end, panel.titleEnd().x) + view.px(12);
  if (panel.titleEnd().x <= min.x) return;
  const auto note = std::ranges::find_if(notes, [&](const std::string& each) {
    const bool isForNobody = view.draw.isPicture && each.ends_with(kGestures);
    return !isForNobody && left + draw::textSize(style, each).x <= max.x;
  });
  if (note == notes.end()) return;
  view.text(panel.list(), {left, min.y - view.px(draw::kPanelTitleHeight)}, {max.x, min.y}, *note, style,
            draw::TextAlign::Right);
}

// Where the operands stand of work that the map's memory has no part in.
const char* fromWhereToRegisters(const std::vector<analysis::ThreadWork>& work) {
  const auto any = [&](bool shared) {
    return std::ranges::any_of(work, [&](const analysis::ThreadWork& each) {
      return std::ranges::any_of(std::array{each.a, each.b}, [&](const auto& operand) {
        return operand && operand->placed && !operand->inRegister && operand->shared == shared;
      });
    });
  };
  return any(false) ? "Device memory to registers" : any(true) ? "Shared memory to registers" : "Registers";
}

// What the panel shows in this round.
const char* titleFor(const session::Replay& replay) {
  if (showsRegisters(replay) || hidesRegisters(replay)) return "Registers";
  const MemoryStage stage = stageOf(replay);
  const bool elsewhere = std::ranges::none_of(replay.flow().work, [&](const analysis::ThreadWork& work) {
    return stage.holds(work.a) || stage.holds(work.b) || stage.holds(work.result);
  });
  if (elsewhere && !replay.flow().work.empty()) return fromWhereToRegisters(replay.flow().work);
  return stage.inDevice() ? "Device memory" : kSharedMemoryTitle;
}

// In Present the panel is titled by the variant, and says the rest beside it.
std::vector<std::string> presentedNotes(const ViewContext& view, const std::string& figures) {
  const std::string what = std::string(titleFor(view.replay)) + (figures.empty() ? "" : " · " + figures);
  return {what + " · " + executorText(view), what};
}

// Above the map, where there is room: several GPUs or a cluster, a race of the round, the order in which
// blocks arrive, and a merge's output. Gives the y below them.
float drawAboveTheMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  float y = min.y;
  const auto hasRoom = [&](float height, float least = kMinMemoryMap) {
    return max.y - y - view.px(height) >= view.px(least);
  };
  if (showsDeviceStrip(view.replay) && hasRoom(kDeviceStripHeight, kMinMapBelowDevices)) {
    const float labelRight = min.x + view.px(kMemoryLabelWidth);
    drawDeviceStrip(view, list, {labelRight + view.px(kMemoryGap), y},
                    {max.x, y + view.px(kDeviceStripHeight)}, labelRight);
    y += view.px(kDeviceStripHeight);
  }
  if (showsClusterStrip(view.replay) && hasRoom(kClusterStripHeight, kMinMapBelowDevices)) {
    const float labelRight = min.x + view.px(kMemoryLabelWidth);
    drawClusterStrip(view, list, {labelRight + view.px(kMemoryGap), y},
                     {max.x, y + view.px(kClusterStripHeight)}, labelRight);
    y += view.px(kClusterStripHeight);
  }
  if (view.trouble.race != nullptr && hasRoom(kRaceStripHeight + kMemoryGap) &&
      raceStripFits(view, view.trouble, max.x - min.x)) {
    drawRaceStrip(view, list, view.trouble, {min.x, y}, {max.x, y + view.px(kRaceStripHeight)});
    y += view.px(kRaceStripHeight + kMemoryGap);
  }
  if (const auto arrivals = shownArrivals(view); arrivals && hasRoom(kArrivalStripHeight)) {
    const float labelRight = min.x + view.px(kMemoryLabelWidth);
    drawArrivalStrip(view, list, *arrivals, {labelRight + view.px(kMemoryGap), y},
                     {max.x, y + view.px(kArrivalStripHeight)}, labelRight);
    y += view.px(kArrivalStripHeight);
  }
  if (view.replay.round().outputElement && hasRoom(kMergedRowHeight)) {
    const float labelRight = min.x + view.px(kMemoryLabelWidth);
    drawMergedRow(view, list, {labelRight + view.px(kMemoryGap), max.x, labelRight, y});
    y += view.px(kMergedRowHeight);
  }
  return y;
}

void drawSharedMemory(ViewContext& view, SharedMemoryState& state) {
  const session::Replay& replay = view.replay;
  if (state.run != replay.run() || state.at != replay.playhead())
    state = {.moved = {},
             .heldThread = {},
             .at = replay.playhead(),
             .run = replay.run(),
             .wantsOperands = state.wantsOperands,
             .movedArrays = state.run == replay.run() ? state.movedArrays : ZoomAndPan{},
             .accessed = {},
             .carved = {}};

  draw::PanelSpec spec{.name = kSharedMemoryTitle, .leastWidth = 360, .leastHeight = 160};
  if (!replay.run()) {
    draw::Panel panel(view.draw, spec);
    return;
  }
  // The panel's width is known only once it has begun, so its note is of the frame before: it changes with
  // the round.
  const float value = draw::textSize(view.codeBold(0), "0").x;
  BandLayoutInput input{
      .width = 0,
      .minimumCell = view.px(14),
      .textWidth = [&](const std::string& text) { return value * float(text.size()) + view.px(8); },
      .heldThread = heldThread(view),
      .columnsInView = state.moved.inView,
      .firstColumn = state.moved.first};
  const MemoryStage stage = stageOf(replay);
  const std::uint64_t elements = stage.elements();
  const bool presenting = view.app.isPresenting() && replay.kernel() != nullptr;
  spec.title = titleFor(replay);
  const bool hasArrays = !view.predict.isHidden() && !showsRegisters(replay) && hasArrayGrids(replay);
  if (hasArrays && !state.wantsOperands) spec.title = kSharedMemoryTitle;
  const std::string ofDevices = showsDeviceMap(replay) ? deviceMapTitle(replay) : "";
  if (!ofDevices.empty()) spec.title = ofDevices.c_str();
  spec.hasControlsInTitle = !presenting && hasArrays;
  if (presenting) {
    spec.leastHeight = 140;  // it says less
    spec.title = replay.kernel()->title;
  }

  draw::Panel panel(view.draw, spec);
  if (!panel) return;
  ImDrawList& list = panel.list();
  const ImVec2 max = panel.contentMax();
  if (!ofDevices.empty()) {
    std::vector<std::string> notes = drawDeviceMap(view, list, panel.contentMin(), max);
    if (presenting)
      for (std::string& note : notes) note = ofDevices + " · " + note;
    return drawTitleNote(view, panel, notes);
  }
  const ImVec2 min{panel.contentMin().x, drawAboveTheMap(view, list, panel.contentMin(), max)};
  if (showsRegisters(replay)) {
    const std::vector<std::string> notes = drawRegisters(view, list, min, max, state.moved, state.heldThread);
    drawTitleNote(view, panel, presenting ? presentedNotes(view, notes.empty() ? "" : notes.back()) : notes);
    return;
  }
  float tabsEnd = 0;
  if (const auto notes = drawArrays(view, panel, min, state, tabsEnd))
    return drawTitleNote(view, panel, presenting ? presentedNotes(view, notes->front()) : *notes, tabsEnd);
  const float left = min.x + view.px(kMemoryLabelWidth) + view.px(kMemoryGap);
  input.width = std::floor(max.x - left);
  const Band band = layOutBand(replay, input);
  const auto rows = memoryRows(stage, replay.run()->flow[replay.playhead().launch], replay.playhead().round);
  const ElementRange bandRange = elementsInView(band, stage);
  const bool wholeRange = band.shape == BandShape::Columns;
  MemoryScene scene{.stage = stage,
                    .band = band,
                    .rows = rows,
                    .elements = elements,
                    .inView = wholeRange ? ElementRange{0, elements} : bandRange,
                    .ofBand = bandRange,
                    .left = left,
                    .right = left + input.width,
                    .labelRight = left - view.px(kMemoryGap)};
  if (!view.predict.isHidden())
    drawTitleNote(
        view, panel,
        presenting ? presentedNotes(view, elements == 0 ? "" : figuresInView(scene)) : notesOf(scene),
        tabsEnd);
  const MemoryPlan plan = planOf(view, scene, max.y - min.y);
  float y = min.y;
  if (plan.overview) {
    if (const auto element = drawOverview(view, list, scene, y + view.px(2), view.px(kMemoryOverviewHeight)))
      panTo(*element, scene, state);
    y += view.px(kMemoryOverviewHeight + kMemoryGap);
  }
  if (plan.rows.past > 0) {
    drawElementAxis(view, list, scene, y);
    y += view.px(kMemoryAxisHeight);
  }
  const unsigned current = replay.playhead().round;
  const float rowHeight = view.px(plan.rowHeight), rowStep = rowHeight + view.px(kMemoryRowGap);
  const float pastTop = y;
  for (unsigned round = current - plan.rows.past; round < current; ++round, y += rowStep)
    drawPastRow(view, list, scene, round, y, rowHeight);
  if (plan.rows.past > 0) markTroubled(view, list, scene, pastTop, y - view.px(kMemoryRowGap));
  if (plan.wedge) drawWedge(view, list, scene, y - view.px(kMemoryRowGap), y + view.px(kWedgeHeight));
  y += plan.wedge ? view.px(kWedgeHeight) : view.px(4);
  if (view.predict.isHidden()) {
    std::vector<std::string> notes{"before " + replay.hidden()->inSentence};
    if (std::string part = drawHiddenBand(view, list, scene, plan.heights, y, state.moved); !part.empty())
      notes.insert(notes.begin(), std::move(part));
    return drawTitleNote(view, panel, notes);
  }
  drawBand(view, list, scene, plan.heights, y);

  const ImVec2 bandMin{scene.left, y}, bandMax{scene.right, y + view.px(plan.heights.total())};
  const HitArea area = walkArea(view, "shared memory map", bandMin, bandMax, [&](const AddCell& add) {
    addBandCells(view, scene, plan.heights, bandMin.y, add);
  });
  zoomAndPan(view, area, columnsShown(area, band, input.width), state.moved);
  pointAtBand(view, area, scene, plan.heights);
  y = bandMax.y + view.px(kMemoryGap);
  for (unsigned round = current + 1; round <= current + plan.rows.toCome; ++round, y += rowStep)
    drawRowToCome(view, list, scene, round, y, rowHeight);
  if (plan.legend)
    drawMemoryLegend(view, list, legendOf(view, scene, plan.rows.past > 0, plan.rows.toCome > 0),
                     {scene.left, max.y - view.px(kMemoryLegendHeight)}, max.x);
}

}  // namespace

Panel sharedMemoryPanel() {
  return {
      .id = "shared_memory",
      .title = kSharedMemoryTitle,
      .places = {{.mode = session::Mode::Explore,
                  .role = session::PanelRole::Main,
                  .dock = {.region = shell::Region::Centre}},
                 {.mode = session::Mode::Predict,
                  .role = session::PanelRole::Main,
                  .dock = {.region = shell::Region::Centre}},
                 {.mode = session::Mode::Compare, .role = session::PanelRole::Main},
                 {.mode = session::Mode::Present, .role = session::PanelRole::Main}},
      .draw = [state = SharedMemoryState{}](ViewContext& view) mutable { drawSharedMemory(view, state); },
      .gestures = {{std::string("Zoom ") + kSharedMemoryTitle, "wheel; + and - where it has the keyboard"},
                   {"Pan it", "drag"},
                   {"Fit it", "F over the panel"}}};
}

}  // namespace stridescope::views
