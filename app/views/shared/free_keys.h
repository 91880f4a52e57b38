// Whether keys are the window's, or of something that lies over it or is typed into.
#pragma once

#include "imgui_internal.h"
#include "session/app_state.h"

namespace stridescope::views {

// Forms: sentences, fields and buttons that ask for something.
constexpr bool isForm(session::Overlay overlay) {
  using enum session::Overlay;
  return overlay == OpenFile || overlay == OwnData || overlay == CustomOperator || overlay == SaveFile ||
         overlay == Export || overlay == TrustCode || overlay == OpenTour || overlay == SaveTour ||
         overlay == DeleteScore;
}

// True while an overlay lies over the panels, so that the keyboard is its alone. What is read beside them
// leaves it to them.
inline bool isCovered(const session::AppState& app) {
  if (app.overlay() == session::Overlay::None) return false;
  // Present has no room beside its panels, and no place for a tour or the first start's doors.
  if (app.isPresenting())
    return app.overlay() != session::Overlay::Tour && app.overlay() != session::Overlay::Welcome;
  return !session::isReadBeside(app.overlay());
}

// A control outside of the panels has a frame round it, which says that what is typed is the control's.
inline bool isFramed(const session::AppState& app) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (!imgui.NavCursorVisible) return false;
  return imgui.NavLayer == ImGuiNavLayer_Menu ||
         (!app.focused().empty() && !session::isPanelPart(app.focused()));
}

// Whether letters and digits are the window's and its panels'.
inline bool areLettersFree(const session::AppState& app) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  return !isCovered(app) && imgui.OpenPopupStack.Size == 0 && !imgui.IO.WantTextInput && !isFramed(app);
}

}  // namespace stridescope::views
