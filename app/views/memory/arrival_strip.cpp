#include "views/memory/arrival_strip.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/numbers.h"
#include "draw/marks.h"
#include "model/experiment_fields.h"
#include "narration/arrivals.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kArrivalCell = 26, kMinArrivalCell = 26, kArrivalPadding = 10, kReaderHeight = 10,
                kSentenceHeight = 20;  // units

// The place in the order that is to be in view: that of the block for which the hovered thread reads, else of
// the recorded block.
std::optional<std::size_t> heldPlace(const ViewContext& view, const analysis::RoundArrivals& arrivals) {
  const auto& order = view.replay.launch().arrivals;
  const auto thread = view.replay.hoveredThread();
  const auto read = std::ranges::find_if(
      arrivals.reads, [&](const analysis::BlockRead& each) { return thread && each.thread == *thread; });
  if (read == arrivals.reads.end()) return arrivals.own;
  const auto found = std::ranges::find(order, read->block, &model::Arrival::block);
  return found == order.end() ? arrivals.own : std::optional(std::size_t(found - order.begin()));
}

class ArrivalPainter {
 public:
  ArrivalPainter(ViewContext& view, ImDrawList& list, float left, float right, float top)
      : view_(view), list_(list), left_(left), right_(right), top_(top) {}

  void draw(const std::vector<ArrivalCell>& cells, float step) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float from = left_ + step * float(i);
      drawCell(cells[i], from, std::min(right_, from + step - view_.px(2)));
    }
  }

 private:
  bool isHovered(const ArrivalCell& cell) const {
    const auto thread = view_.replay.hoveredThread();
    return thread && std::ranges::count(cell.readers, *thread) > 0;
  }

  void drawCell(const ArrivalCell& cell, float from, float to) {
    const draw::Palette& colours = view_.colours();
    const ImVec2 min{from, top_}, max{to, top_ + view_.px(kArrivalCell)};
    const bool isRead = !cell.readers.empty();
    if (cell.isToCome)
      draw::outlineInside(view_.draw, list_, min, max, colours.toCome, 1);
    else
      list_.AddRectFilled(min, max, cell.isOwn ? colours.result : isRead ? colours.operand : colours.live);
    const ImU32 ink = cell.isToCome ? colours.dim : cell.isOwn || isRead ? colours.ink : colours.text;
    view_.text(list_, min, max, figure(cell.block),
               cell.isOwn || isRead ? view_.codeBold(ink) : view_.code(ink), draw::TextAlign::Centre);
    if (isHovered(cell)) draw::drawHoverRing(view_.draw, list_, min, max);
    if (isRead) drawReader((from + to) / 2, max.y, isHovered(cell));
    answerPointer(cell, min, max);
  }

  // What a block left goes down to the threads.
  void drawReader(float x, float y, bool isLit) {
    const ImU32 colour = isLit ? view_.colours().hover : view_.colours().operand;
    const float end = y + view_.px(kReaderHeight), head = view_.px(4);
    list_.AddLine({x, y}, {x, end - head}, colour, view_.px(isLit ? 2 : 1));
    list_.AddTriangleFilled({x, end}, {x - head, end - head}, {x + head, end - head}, colour);
  }

  // A click shows what the block does.
  void answerPointer(const ArrivalCell& cell, ImVec2 min, ImVec2 max) {
    const HitArea area = walkArea(view_, ("arrival " + std::to_string(cell.place)).c_str(), min, max);
    if (!area.hovered) return;
    if (!cell.readers.empty()) hoverOver(view_, session::hoverThread(cell.readers.front()));
    if (cell.isOwn) return;
    if (area.clicked)
      view_.commands.push_back(session::Choose::block(view_.replay.playhead().launch, cell.block));
    if (const Tooltip tooltip(view_); tooltip)
      ImGui::TextUnformatted(("Click to show block " + figure(cell.block)).c_str());
  }

  ViewContext& view_;
  ImDrawList& list_;
  const float left_, right_, top_;
};

model::BlockOrder nextOrder(model::BlockOrder order) {
  const auto at = std::ranges::find(model::kBlockOrders, order) - model::kBlockOrders.begin();
  return model::kBlockOrders[std::size_t(at + 1) % model::kBlockOrders.size()];
}

// At the right of the sentence: the order that is chosen; a click takes the next one. Gives its width.
float drawOrderButton(ViewContext& view, float right, float top, float height) {
  const model::Experiment& experiment = view.workspace.experiment();
  const std::string text = "blocks " + model::experimentField("block-order").value(experiment, 0);
  const model::BlockOrder next = nextOrder(experiment.blockOrder);
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetCursorScreenPos({right - width, top});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  if (ImGui::Button((text + "##arrivals").c_str(), {width, height}))
    view.commands.push_back(session::Choose::blockOrder(next, experiment.blockOrderSeed));
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered())
    wideTooltip(view, "Click for the next order of the blocks: " + std::string(model::nameOf(next)) + ".");
  return width;
}

}  // namespace

std::vector<ArrivalCell> arrivalCells(const model::LaunchTrace& launch,
                                      const analysis::RoundArrivals& arrivals, std::size_t most,
                                      std::optional<std::size_t> held) {
  const std::size_t all = launch.arrivals.size(), count = std::min(all, most);
  const std::size_t behind = held && *held >= count ? *held - count / 2 : 0;
  const std::size_t first = std::min(behind, all - count);
  std::vector<ArrivalCell> cells;
  for (std::size_t place = first; place < first + count; ++place) {
    ArrivalCell& cell = cells.emplace_back();
    cell.place = place;
    cell.block = launch.arrivals[place].block;
    cell.isOwn = place == arrivals.own;
    cell.isToCome = arrivals.own && place > *arrivals.own;
    const auto reads = std::ranges::equal_range(arrivals.reads, cell.block, {}, &analysis::BlockRead::block);
    for (const analysis::BlockRead& read : reads) cell.readers.push_back(read.thread);
  }
  return cells;
}

std::optional<analysis::RoundArrivals> shownArrivals(const ViewContext& view) {
  if (view.predict.isHidden()) return std::nullopt;
  return analysis::arrivalsIn(view.replay.launch(), roundAt(view.replay).round());
}

void drawArrivalStrip(ViewContext& view, ImDrawList& list, const analysis::RoundArrivals& arrivals,
                      ImVec2 min, ImVec2 max, float labelRight) {
  const draw::Palette& colours = view.colours();
  const model::LaunchTrace& launch = view.replay.launch();
  view.text(list, {labelRight - view.px(52), min.y}, {labelRight, min.y + view.px(kArrivalCell)}, "arrival",
            view.words(colours.dim), draw::TextAlign::Right);
  const float widest = draw::textSize(view.codeBold(0), figure(launch.grid - 1)).x + view.px(kArrivalPadding);
  const float step = std::floor(std::max(widest, view.px(kMinArrivalCell)));
  const auto most = std::size_t(std::max(1.0f, (max.x - min.x) / step));
  const auto cells = arrivalCells(launch, arrivals, most, heldPlace(view, arrivals));
  ArrivalPainter(view, list, min.x, max.x, min.y).draw(cells, step);

  const float line = min.y + view.px(kArrivalCell + kReaderHeight + 2);
  float right = max.x;
  if (view.replay.run()->trace.executor.kind == model::EngineKind::Host && !view.draw.isPicture)
    right -= drawOrderButton(view, max.x, line, view.px(kSentenceHeight)) + view.px(8);
  view.text(list, {min.x, line}, {right, line + view.px(kSentenceHeight)},
            narration::arrivalSentence(launch, arrivals, view.replay.hoveredThread()),
            view.words(colours.text));
}

}  // namespace stridescope::views
