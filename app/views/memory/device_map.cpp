#include "views/memory/device_map.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "base/numbers.h"
#include "draw/marks.h"
#include "narration/devices.h"
#include "views/memory/device_map_layout.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kArrowHead = 5;  // units

std::string shortLabel(std::uint32_t of, unsigned devices) {
  if (of == 0) return "-";
  if (unsigned(std::popcount(of)) == devices) return "all";
  std::string label;
  for (unsigned device = 0; device < devices; ++device)
    if ((of >> device & 1) != 0) label += (label.empty() ? "" : "+") + std::to_string(device);
  return label;
}

// What each buffer held on each device after the last round that is told up to the shown one.
const DeviceParts* partsUpTo(const analysis::LaunchAnalysis& analysis, std::size_t round) {
  const auto& after = analysis.traffic.partsAfter;
  return after.empty() ? nullptr : &after[std::min(round, after.size() - 1)];
}

// In steps that are launches of their own, what the launch before left is what this one finds.
const DeviceParts* partsShown(const ViewContext& view) {
  const lab::Run& run = *view.replay.run();
  for (unsigned launch = view.replay.playhead().launch + 1; launch-- > 0;) {
    const std::size_t round =
        launch == view.replay.playhead().launch ? view.replay.playhead().round : ~std::size_t{0};
    if (const auto* const parts = partsUpTo(run.analysis.launches[launch], round)) return parts;
  }
  return nullptr;
}

const analysis::DeviceRound* shownRound(const ViewContext& view) {
  return view.predict.isHidden() ? nullptr : narration::devicesIn(roundAt(view.replay));
}

using Elements = analysis::ElementRun;

// What of the copy goes over a link, and what of it is written, in the round.
std::vector<Elements> takenFrom(const analysis::DeviceRound* round, std::uint32_t buffer, unsigned device) {
  std::vector<Elements> taken;
  if (round == nullptr) return taken;
  for (const analysis::DeviceTransfer& transfer : round->transfers)
    if (transfer.buffer == buffer && transfer.from == device && transfer.isLoad())
      taken.insert(taken.end(), transfer.runs.begin(), transfer.runs.end());
  return taken;
}

bool holds(const std::vector<Elements>& ranges, std::uint64_t element) {
  return std::ranges::any_of(
      ranges, [&](const Elements& each) { return each.first <= element && element < each.end; });
}

// The parts that differ from those before the round.
std::vector<Elements> changedParts(const std::vector<analysis::DevicePart>& before,
                                   const std::vector<analysis::DevicePart>& after) {
  std::set<std::uint64_t> edges;
  for (const auto* const parts : {&before, &after})
    for (const analysis::DevicePart& part : *parts) edges.insert(part.first), edges.insert(part.end);
  const auto at = [](const std::vector<analysis::DevicePart>& parts, std::uint64_t element) {
    const auto found = std::ranges::find_if(
        parts, [&](const analysis::DevicePart& part) { return part.first <= element && element < part.end; });
    return found == parts.end() ? 0u : found->of;
  };
  std::vector<Elements> changed;
  for (auto edge = edges.begin(); edge != edges.end() && std::next(edge) != edges.end(); ++edge)
    if (at(before, *edge) != at(after, *edge)) changed.push_back({*edge, *std::next(edge)});
  return changed;
}

class DeviceMapPainter {
 public:
  DeviceMapPainter(ViewContext& view, ImDrawList& list, const DeviceMapLayout& map)
      : view_(view), list_(list), launch_(view.replay.launch()), round_(shownRound(view)), map_(map) {}

  void draw(const DeviceParts* parts, const DeviceParts* before) {
    drawAxis();
    for (unsigned device = 0; device < launch_.devices; ++device) {
      drawLabel(device);
      for (std::uint32_t buffer = 0; buffer < launch_.buffers.size(); ++buffer)
        drawBar(device, buffer, parts, before);
    }
    if (round_ == nullptr) return;
    for (const analysis::DeviceTransfer& transfer : round_->transfers) drawArrow(transfer);
  }

 private:
  float px(float units) const { return view_.px(units) * map_.growth; }
  draw::TextStyle grown(draw::TextStyle style) const {
    style.sizePx = std::floor(style.sizePx * map_.growth);
    return style;
  }

  void drawAxis() {
    const draw::TextStyle style = grown(view_.code(view_.colours().dim));
    const std::uint64_t part = (launch_.elements + launch_.devices - 1) / launch_.devices;
    float free = map_.left;
    for (unsigned device = 0; device < launch_.devices && part > 0; ++device) {
      const std::string number = figure(part * device);
      const float x = map_.xOf(std::min(map_.elements, part * device));
      if (part * device >= map_.elements || x < free) continue;
      const ImVec2 size = draw::textSize(style, number);
      view_.textAt(list_, {x, map_.top - size.y - px(2)}, number, style);
      free = x + size.x + px(8);
    }
  }

  void drawLabel(unsigned device) {
    const bool isShown = device == launch_.recorded().device;
    const float top = map_.rowTop(device), end = top + map_.rowHeight();
    const ImVec2 min{map_.labels, top}, max{map_.arrayNames, end};
    const draw::Palette& colours = view_.colours();
    view_.text(list_, min, max, "GPU " + std::to_string(device),
               grown(isShown ? view_.semiBold(colours.text) : view_.words(colours.dim)));
    if (!map_.namesEachArray)
      drawName(launch_.buffers.front().name + "/" + launch_.buffers.back().name, top, end);
    const HitArea area = walkArea(view_, ("gpu " + std::to_string(device)).c_str(), min, max);
    if (!area.hovered || isShown) return;
    if (area.clicked)
      view_.commands.push_back(
          session::Choose::block(view_.replay.playhead().launch, blockOnDevice(launch_, device)));
    if (const Tooltip tooltip(view_); tooltip)
      ImGui::TextUnformatted(("Click to show what GPU " + std::to_string(device) + " does").c_str());
  }

  void drawName(const std::string& name, float top, float end) {
    view_.text(list_, {map_.arrayNames, top}, {map_.left - px(4), end}, name,
               grown(view_.code(view_.colours().dim)), draw::TextAlign::Right);
  }

  void drawBar(unsigned device, std::uint32_t buffer, const DeviceParts* parts, const DeviceParts* before) {
    const draw::Palette& colours = view_.colours();
    const float top = map_.barTop(device, buffer), end = top + map_.bar;
    if (map_.namesEachArray) drawName(launch_.buffers[buffer].name, top, end);
    if (parts == nullptr) {
      list_.AddRectFilled({map_.left, top}, {map_.right, end}, colours.dead);
      return;
    }
    for (const DeviceCell& cell : deviceCells(*parts, before, round_, buffer, device))
      drawCell(cell, {map_.xOf(cell.first), top}, {map_.xOf(cell.end), end});
  }

  ImU32 fillOf(std::uint32_t of) const {
    const draw::Palette& colours = view_.colours();
    if (of == 0) return colours.dead;
    const float share = float(std::popcount(of) - 1) / float(std::max(1u, launch_.devices - 1));
    return draw::mix(colours.live, colours.result, share);
  }

  void drawCell(const DeviceCell& cell, ImVec2 min, ImVec2 max) {
    const draw::Palette& colours = view_.colours();
    max.x = std::max(min.x + 1, max.x - view_.px(1));
    const ImU32 fill = fillOf(cell.of);
    list_.AddRectFilled(min, max, fill);
    if (cell.isStored) draw::outlineInside(view_.draw, list_, min, max, colours.text, 1);
    if (cell.isTaken) draw::outlineInside(view_.draw, list_, min, max, colours.operand, 2);
    // In a narrow cell the label keeps its usual size.
    const draw::TextStyle usual = view_.code(cell.of == 0 ? colours.dim : draw::readableOn(fill));
    for (const draw::TextStyle& style : {grown(usual), usual}) {
      const ImVec2 size = draw::textSize(style, cell.label);
      if (size.x + view_.px(6) > max.x - min.x || size.y > max.y - min.y) continue;
      view_.text(list_, min, max, cell.label, style, draw::TextAlign::Centre);
      return;
    }
  }

  void drawArrow(const analysis::DeviceTransfer& transfer) {
    const draw::Palette& colours = view_.colours();
    const auto [x, from, to] = map_.arrowOf(transfer);
    const bool isOwn = transfer.by == launch_.recorded().device;
    const ImU32 colour = transfer.isLoad() ? colours.operandLine : colours.resultLine;
    const float width = px(isOwn ? 2 : 1), head = px(kArrowHead) * (to > from ? -1.0f : 1.0f);
    list_.AddCircleFilled({x, from}, px(4), colours.panel);
    list_.AddCircleFilled({x, from}, px(3), colour);
    list_.AddLine({x, from}, {x, to + head}, colours.panel, width + px(2));
    list_.AddLine({x, from}, {x, to + head}, colour, width);
    const float half = px(kArrowHead) * 0.8f;
    list_.AddTriangleFilled({x, to}, {x - half, to + head}, {x + half, to + head}, colour);
    if (ImGui::IsMouseHoveringRect({x - px(5), std::min(from, to)}, {x + px(5), std::max(from, to)}) &&
        !view_.draw.isPicture)
      wideTooltip(view_, narration::transferLine(launch_, transfer));
  }

  ViewContext& view_;
  ImDrawList& list_;
  const model::LaunchTrace& launch_;
  const analysis::DeviceRound* const round_;
  const DeviceMapLayout& map_;
};

// What the launch found, before its first round: what the one before it left.
const DeviceParts* partsBefore(const ViewContext& view) {
  const lab::Run& run = *view.replay.run();
  const session::Playhead& at = view.replay.playhead();
  if (at.round > 0) return partsUpTo(run.analysis.launches[at.launch], at.round - 1);
  for (unsigned launch = at.launch; launch-- > 0;)
    if (const auto* const parts = partsUpTo(run.analysis.launches[launch], ~std::size_t{0})) return parts;
  return nullptr;
}

struct LegendEntry {
  std::string text;
  std::function<void(ImVec2, ImVec2)> mark{};
};

std::vector<LegendEntry> legendOf(ViewContext& view, ImDrawList& list, bool hasParts) {
  const draw::Palette& colours = view.colours();
  if (!hasParts)
    return {{"Which GPUs' elements a part combines is told for up to " +
             figure(analysis::kMaxFollowedElements) + " elements per GPU"}};
  return {{"its own elements", [&](ImVec2 a, ImVec2 b) { list.AddRectFilled(a, b, colours.live); }},
          {"all GPUs' combined", [&](ImVec2 a, ImVec2 b) { list.AddRectFilled(a, b, colours.result); }},
          {"goes over a link",
           [&](ImVec2 a, ImVec2 b) { draw::outlineInside(view.draw, list, a, b, colours.operand, 2); }},
          {"stored in this round",
           [&](ImVec2 a, ImVec2 b) { draw::outlineInside(view.draw, list, a, b, colours.text, 1); }},
          {"0+1: those of GPUs 0 and 1 combined"}};
}

// It grows as the map does, as far as all of it has room.
void drawLegend(ViewContext& view, ImDrawList& list, const DeviceMapLayout& map, float top, bool hasParts) {
  const std::vector<LegendEntry> entries = legendOf(view, list, hasParts);
  const auto widthAt = [&](const LegendEntry& entry, float growth) {
    draw::TextStyle words = view.words(view.colours().dim);
    words.sizePx *= growth;
    return (entry.mark ? view.px(14 + 8) * growth : 0) + std::ceil(draw::textSize(words, entry.text).x) +
           view.px(18) * growth;
  };
  float usual = 0;
  for (const LegendEntry& entry : entries) usual += widthAt(entry, 1);
  const float growth = std::clamp((map.right - map.labels) / usual, 1.0f, map.growth);
  draw::TextStyle words = view.words(view.colours().dim);
  words.sizePx = std::floor(words.sizePx * growth);
  const float line = map.legendHeight, side = view.px(12) * growth;
  float x = map.labels;
  for (const LegendEntry& entry : entries) {
    const float width = widthAt(entry, growth), box = entry.mark ? view.px(14 + 8) * growth : 0;
    if (x + width - view.px(18) * growth > map.right) continue;
    const float markTop = std::round(top + (line - side) / 2);
    if (entry.mark) entry.mark({x, markTop}, {x + view.px(14) * growth, markTop + side});
    view.text(list, {x + box, top}, {x + width, top + line}, entry.text, words);
    x += width;
  }
}

}  // namespace

std::vector<DeviceCell> deviceCells(const DeviceParts& now, const DeviceParts* before,
                                    const analysis::DeviceRound* round, std::uint32_t buffer,
                                    unsigned device) {
  const std::vector<analysis::DevicePart>& parts = now[buffer][device];
  const auto devices = unsigned(now[buffer].size());
  const std::vector<Elements> taken = takenFrom(round, buffer, device);
  const std::vector<Elements> stored = round == nullptr || before == nullptr
                                           ? std::vector<Elements>{}
                                           : changedParts((*before)[buffer][device], parts);
  std::set<std::uint64_t> edges;
  std::uint64_t end = 0;
  for (const analysis::DevicePart& part : parts) edges.insert(part.first), end = std::max(end, part.end);
  for (const auto* const ranges : {&taken, &stored})
    for (const Elements& range : *ranges) edges.insert(range.first), edges.insert(range.end);
  std::vector<DeviceCell> cells;
  for (auto edge = edges.begin(); edge != edges.end() && *edge < end; ++edge) {
    const std::uint64_t next = std::next(edge) == edges.end() ? end : std::min(end, *std::next(edge));
    const auto part = std::ranges::find_if(
        parts, [&](const analysis::DevicePart& each) { return each.first <= *edge && *edge < each.end; });
    if (part == parts.end()) continue;
    cells.push_back({.first = *edge,
                     .end = next,
                     .of = part->of,
                     .isTaken = holds(taken, *edge),
                     .isStored = holds(stored, *edge),
                     .label = shortLabel(part->of, devices)});
  }
  return cells;
}

std::uint64_t blockOnDevice(const model::LaunchTrace& launch, unsigned device) {
  const std::uint64_t each = launch.blocksOfDevice();
  return device * each + launch.recorded().block % each;
}

bool waitsIn(const analysis::DeviceRound* round, unsigned device) {
  return round != nullptr && std::ranges::any_of(round->waits, [&](const analysis::DeviceWait& wait) {
           return wait.device == device;
         });
}

bool showsDeviceMap(const session::Replay& replay) {
  return replay.run() && narration::combinesArrays(replay.launch());
}

std::string deviceMapTitle(const session::Replay& replay) {
  return "Memory of " + std::to_string(replay.launch().devices) + " GPUs" +
         narration::ofRecordedBlocks(replay.launch());
}

std::vector<std::string> drawDeviceMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const model::LaunchTrace& launch = view.replay.launch();
  const DeviceMapLayout map = layOutDevices({.left = min.x,
                                             .top = min.y,
                                             .right = max.x,
                                             .bottom = max.y,
                                             .unit = view.px(1),
                                             .devices = launch.devices,
                                             .arrays = unsigned(launch.buffers.size()),
                                             .elements = launch.elements});
  const DeviceParts* const parts = partsShown(view);
  DeviceMapPainter(view, list, map).draw(parts, partsBefore(view));
  if (map.bottom() + map.legendHeight <= max.y) drawLegend(view, list, map, map.bottom(), parts != nullptr);
  const analysis::DeviceRound* const round = shownRound(view);
  if (round == nullptr) return {};
  const std::string now = narration::linksClause(analysis::linksIn(launch, *round));
  const analysis::DeviceLinks all =
      view.replay.launchAnalysis().before + analysis::linksOf(launch, view.replay.launchAnalysis().traffic);
  const std::string sum = figure(all.all()) + " bytes over links so far";
  return {now.empty() ? sum : now + " · " + sum, now.empty() ? sum : now};
}

bool showsDeviceStrip(const session::Replay& replay) {
  return replay.run() && replay.launch().devices > 1 && !narration::combinesArrays(replay.launch());
}

void drawDeviceStrip(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, float labelRight) {
  const draw::Palette& colours = view.colours();
  const model::LaunchTrace& launch = view.replay.launch();
  const analysis::DeviceRound* const round = shownRound(view);
  const float height = view.px(26), gap = view.px(8),
              step = std::min(view.px(150), (max.x - min.x + gap) / float(launch.devices));
  view.text(list, {labelRight - view.px(52), min.y}, {labelRight, min.y + height}, "GPUs",
            view.words(colours.dim), draw::TextAlign::Right);
  const auto boxOf = [&](unsigned device) {
    return std::pair(ImVec2{std::round(min.x + step * float(device)), min.y},
                     ImVec2{std::round(min.x + step * float(device + 1) - gap), min.y + height});
  };
  const unsigned own = launch.recorded().device;
  for (unsigned device = 0; device < launch.devices; ++device) {
    const auto [from, to] = boxOf(device);
    const bool waits = waitsIn(round, device);
    list.AddRectFilled(from, to, device == own ? colours.result : waits ? colours.operand : colours.live);
    const ImU32 ink = device == own || waits ? colours.ink : colours.text;
    const std::string name = "GPU " + std::to_string(device);
    const std::string text = waits ? name + " waits" : name;
    const draw::TextStyle style = device == own ? view.semiBold(ink) : view.words(ink);
    view.text(list, from, to, draw::textSize(style, text).x <= to.x - from.x - view.px(4) ? text : name,
              style, draw::TextAlign::Centre);
    const HitArea area = walkArea(view, ("gpu " + std::to_string(device)).c_str(), from, to);
    if (!area.hovered || device == own) continue;
    if (area.clicked)
      view.commands.push_back(
          session::Choose::block(view.replay.playhead().launch, blockOnDevice(launch, device)));
    if (const Tooltip tooltip(view); tooltip) ImGui::TextUnformatted(("Click to show " + name).c_str());
  }
  if (round == nullptr) return;
  // The messages: below the boxes, from one to the other.
  for (const analysis::DeviceTransfer& transfer : round->transfers) {
    const auto [fromMin, fromMax] = boxOf(transfer.from);
    const auto [toMin, toMax] = boxOf(transfer.to);
    const float shift = view.px(5) * float(transfer.from);
    const float start = (fromMin.x + fromMax.x) / 2, end = (toMin.x + toMax.x) / 2 + shift;
    const float low = toMax.y + view.px(8) + view.px(2) * float(transfer.from), head = view.px(kArrowHead);
    const ImU32 colour = transfer.isLoad() ? colours.operandLine : colours.resultLine;
    list.AddLine({start, fromMax.y}, {start, low}, colour, view.px(1.5f));
    list.AddLine({start, low}, {end, low}, colour, view.px(1.5f));
    list.AddLine({end, low}, {end, toMax.y + head}, colour, view.px(1.5f));
    list.AddTriangleFilled({end, toMax.y}, {end - head * 0.8f, toMax.y + head},
                           {end + head * 0.8f, toMax.y + head}, colour);
  }
}

}  // namespace stridescope::views
