// How a person moves about a map that shows a part of its columns, or of its columns and rows: the wheel
// zooms about the pointer by powers of two, dragging pans, F fits; while its panel has the keyboard, + and -
// zoom, too.
#pragma once

#include <optional>

#include "imgui_internal.h"
#include "session/app_state.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Behind a note on what is in view; on a picture, with which nobody can do that, it is left out.
inline constexpr const char* kGestures = " · wheel zooms, drag pans, F fits";

// What a person has zoomed and panned to; nullopt: as the map would have it.
struct ZoomAndPan {
  std::optional<std::size_t> inView, first;
  std::size_t grabbed = 0;  // the first column in view when the drag began
  std::optional<double> firstRow;
  double grabbedRow = 0;
};

// The part that is shown, and where the pointer is in it.
struct ColumnsShown {
  std::size_t all = 0, first = 0, inView = 0;
  float width = 1;        // a column's, pixels
  double pointer = 0;     // the column under the pointer, with its fraction
  std::size_t least = 1;  // so many stay in view
};
// The rows of a map that is zoomed in both directions alike, each as high as a column is wide.
struct RowsShown {
  double all = 0, first = 0, inView = 0;
  double pointer = 0;
};

// Takes what the person does over the map's area into `state`.
void zoomAndPan(const ViewContext& view, const HitArea& area, const ColumnsShown& shown, ZoomAndPan& state,
                const RowsShown& rows = {});

// Whether keys are the window's, or of something that lies over it or is typed into.

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
  return app.overlay() != session::Overlay::None && !session::isReadBeside(app.overlay());
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
