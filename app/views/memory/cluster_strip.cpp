#include "views/memory/cluster_strip.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "views/shared/cell_walk.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr float kRemoteArrowHead = 5;  // units

unsigned clusterOf(const session::Replay& replay) {
  const model::Kernel* const kernel = kernels::kernelOf(replay.run()->trace.experiment);
  return kernel == nullptr ? 1 : kernel->launch.cluster;
}

}  // namespace

std::vector<RemoteArrow> remoteArrows(const model::LaunchTrace& launch,
                                      const std::vector<std::uint32_t>& others, unsigned size) {
  std::vector<RemoteArrow> arrows;
  const std::uint64_t own = launch.recorded().block % size;
  for (const std::uint32_t index : others) {
    const model::OtherAct& act = launch.recorded().others[index];
    if (act.clusterRank < 0 || act.clusterRank >= std::int64_t{size}) continue;
    const auto other = std::uint64_t(act.clusterRank);
    const bool isLoad = act.kind == "remote load";
    arrows.push_back({isLoad ? other : own, isLoad ? own : other, isLoad});
  }
  const auto order = [](const RemoteArrow& arrow) { return std::tuple(arrow.from, arrow.to, arrow.isLoad); };
  std::ranges::sort(arrows, {}, order);
  const auto [again, end] = std::ranges::unique(arrows);
  arrows.erase(again, end);
  return arrows;
}

bool showsClusterStrip(const session::Replay& replay) { return replay.run() && clusterOf(replay) > 1; }

void drawClusterStrip(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, float labelRight) {
  const draw::Palette& colours = view.colours();
  const model::LaunchTrace& launch = view.replay.launch();
  const unsigned size = clusterOf(view.replay);
  const std::uint64_t own = launch.recorded().block % size, first = launch.recorded().block - own;
  const float height = view.px(26), gap = view.px(8),
              step = std::min(view.px(110), (max.x - min.x + gap) / float(size));
  view.text(list, {labelRight - view.px(52), min.y}, {labelRight, min.y + height}, "cluster",
            view.words(colours.dim), draw::TextAlign::Right);
  const auto boxOf = [&](std::uint64_t rank) {
    return std::pair(ImVec2{std::round(min.x + step * float(rank)), min.y},
                     ImVec2{std::round(min.x + step * float(rank + 1) - gap), min.y + height});
  };
  for (std::uint64_t rank = 0; rank < size; ++rank) {
    const auto [from, to] = boxOf(rank);
    const bool isOwn = rank == own;
    list.AddRectFilled(from, to, isOwn ? colours.result : colours.live);
    const std::string number = figure(first + rank), name = "block " + number;
    const draw::TextStyle style = isOwn ? view.semiBold(colours.ink) : view.words(colours.text);
    view.text(list, from, to, draw::textSize(style, name).x <= to.x - from.x - view.px(4) ? name : number,
              style, draw::TextAlign::Centre);
    const HitArea area = walkArea(view, ("cluster " + std::to_string(rank)).c_str(), from, to);
    if (!area.hovered || isOwn) continue;
    if (area.clicked)
      view.commands.push_back(session::Choose::block(view.replay.playhead().launch, first + rank));
    if (const Tooltip tooltip(view); tooltip) ImGui::TextUnformatted(("Click to show " + name).c_str());
  }
  if (view.predict.isHidden()) return;
  for (const RemoteArrow& arrow : remoteArrows(launch, roundAt(view.replay).round().others, size)) {
    const auto [fromMin, fromMax] = boxOf(arrow.from);
    const auto [toMin, toMax] = boxOf(arrow.to);
    const float start = (fromMin.x + fromMax.x) / 2, end = (toMin.x + toMax.x) / 2;
    const float low = toMax.y + view.px(12), head = view.px(kRemoteArrowHead);
    const ImU32 colour = arrow.isLoad ? colours.operandLine : colours.resultLine;
    list.AddLine({start, fromMax.y}, {start, low}, colour, view.px(1.5f));
    list.AddLine({start, low}, {end, low}, colour, view.px(1.5f));
    list.AddLine({end, low}, {end, toMax.y + head}, colour, view.px(1.5f));
    list.AddTriangleFilled({end, toMax.y}, {end - head * 0.8f, toMax.y + head},
                           {end + head * 0.8f, toMax.y + head}, colour);
  }
}

}  // namespace stridescope::views
