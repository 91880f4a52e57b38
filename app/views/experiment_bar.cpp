#include "views/experiment_bar.h"

#include "views/engine_chip.h"
#include "views/experiment_fields.h"

namespace stridescope {
namespace {

constexpr float kLabelHeight = 18, kFieldGap = 12, kBlockWidth = 150;

// Places one field after the other, each with its label above.
struct Bar {
  ViewContext& view;
  float x, top, right;

  // False if the field does not fit.
  bool begin(const char* label, float units) {
    const float width = view.px(units);
    if (x + width > right) return false;
    drawText(view.draw, *ImGui::GetWindowDrawList(), {x + view.px(4), top},
             {x + width, top + view.px(kLabelHeight)}, label,
             wordsStyle(view.draw, kLabelSize, view.colours().dim));
    ImGui::SetCursorScreenPos({x, top + view.px(kLabelHeight)});
    ImGui::SetNextItemWidth(width);
    x += width + view.px(kFieldGap);
    return true;
  }
};

}  // namespace

void drawExperimentBar(ViewContext& view, ImVec2 min, ImVec2 max) {
  const float chip = engineChipWidth(view);
  Bar bar{.view = view, .x = min.x, .top = min.y, .right = max.x - chip - view.px(kFieldGap)};
  bool room = true;
  for (const ExperimentField& field : experimentFields()) {
    room = room && bar.begin(field.label, field.width);
    if (!room) break;
    if (!ImGui::BeginCombo(("##" + std::string(field.label)).c_str(), field.shown(view.session).c_str()))
      continue;
    field.entries(view);
    ImGui::EndCombo();
  }
  if (room && view.session.run() && bar.begin("block shown", kBlockWidth)) blockInput(view);

  drawText(view.draw, *ImGui::GetWindowDrawList(), {max.x - chip + view.px(8), min.y},
           {max.x, min.y + view.px(kLabelHeight)}, "what executes",
           wordsStyle(view.draw, kLabelSize, view.colours().dim));
  const float top = min.y + view.px(kLabelHeight);
  drawEngineChip(view, {max.x - chip, top}, {max.x, top + view.px(kControlHeight)});
}

}  // namespace stridescope
