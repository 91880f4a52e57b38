#include "views/frame/panel_sheet.h"

#include "draw/panel.h"

namespace stridescope::views {
namespace {

// Whatever the pointer does: nobody reads a tooltip on a picture.
std::string noExplanation(std::string_view) { return {}; }

}  // namespace

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
