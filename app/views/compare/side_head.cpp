#include "views/compare/side_head.h"

#include <string>
#include <vector>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "narration/round_kind.h"
#include "session/comparison.h"
#include "views/compare/part_window.h"

namespace stridescope::views {
namespace {

using analysis::Side;

std::string executorOf(const session::Replay& replay) {
  const model::Executor& executor = replay.run()->trace.executor;
  return executor.kind == model::EngineKind::Recorded ? "recorded on " + executor.device : executor.device;
}

// "round 4, stride 8", "finished"; while the side is recorded, that. With the executor where the sides have
// others. The longest comes first, then what remains of it where there is less room.
std::vector<std::string> notesOf(const ViewContext& view, Side side) {
  if (const auto job = view.workspace.job()) return {job->doing + "…"};
  if (view.replay.run() == nullptr) return {"nothing recorded"};
  std::vector<std::string> notes;
  if (!view.comparison->hasRound(side)) {
    notes = {view.comparison->lockedBy() == analysis::LockedBy::Round ? "finished" : "no such round"};
  } else {
    const narration::RoundAt at = roundAt(view.replay);
    const std::string round = "round " + figure(at.index), name = narration::nameInSentence(at);
    std::string note = name == round ? round : round + ", " + name;
    if (at.pass != nullptr) note += ", pass " + figure(at.pass->pass + 1);
    notes = {note, round};
  }
  const session::Replay& other = view.comparison->replay(analysis::otherOf(side));
  if (other.run() != nullptr && executorOf(other) != executorOf(view.replay))
    notes.insert(notes.begin(), executorOf(view.replay) + " · " + notes.front());
  return notes;
}

}  // namespace

void drawSideHead(ViewContext& view, Side side, const Box& box) {
  const std::string name(analysis::nameOf(side));
  const PartWindow window("Side##" + name, box);
  ImDrawList& list = window.list();
  const draw::Palette& colours = view.colours();
  const HitArea area = hitArea((name + " side").c_str(), box.min, box.max);
  if (area.clicked) view.commands.push_back(session::ChooseSide{side});
  const bool chosen = view.comparison->chosen() == side;
  const std::string title = kernels::titleOf(view.workspace.experiment());
  const std::vector<std::string> notes = notesOf(view, side);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
    wideTooltip(view, title + ": " + notes.front() +
                          (chosen ? "\nThe variant keys and the lists mean this side."
                                  : "\nClick: the variant keys and the lists then mean this side."));
  list.AddRectFilled(box.min, box.max, area.hovered && !chosen ? colours.raised : colours.panel,
                     view.px(draw::kPanelRadius), ImDrawFlags_RoundCornersTop);
  const float inset = view.px(draw::kPanelInset);
  const draw::TextStyle dim = draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim);
  const draw::DrawnText tag =
      draw::drawText(view.draw, list, {box.min.x + inset, box.min.y}, {box.max.x - inset, box.max.y}, name,
                     chosen ? draw::semiBoldStyle(view.draw, draw::kLabelSize, colours.text) : dim);
  if (chosen)
    list.AddRectFilled({tag.min.x, tag.max.y + view.px(2)}, {tag.max.x, tag.max.y + view.px(4)},
                       colours.result);
  const float left = tag.max.x + view.px(12), right = box.max.x - inset;
  draw::TextStyle bold = draw::semiBoldStyle(view.draw, draw::kBodySize, colours.text);
  if (left + draw::textSize(bold, title).x > right)
    bold = draw::semiBoldStyle(view.draw, draw::kLabelSize, colours.text);
  const float titleEnd = left + draw::textSize(bold, title).x;
  draw::drawText(view.draw, list, {left, box.min.y}, {right, box.max.y}, title, bold);
  for (const std::string& note : notes) {
    const float noteWidth = draw::textSize(dim, note).x;
    if (titleEnd + view.px(16) + noteWidth > right) continue;
    draw::drawText(view.draw, list, {right - noteWidth - 1, box.min.y}, {right + 1, box.max.y}, note, dim,
                   draw::TextAlign::Right);
    break;
  }
}

}  // namespace stridescope::views
