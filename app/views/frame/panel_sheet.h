// Panels alone, each of a given size, side by side and without the window round them: for pictures of them.
#pragma once

#include <string>
#include <vector>

#include "session/session.h"
#include "shell/app.h"
#include "views/shared/explanations.h"
#include "views/shared/panel.h"

namespace stridescope::views {

struct SheetPanel {
  std::string id;
  float width = 0, height = 0;  // units
};

class PanelSheet : public shell::App {
 public:
  // `panels`: those that there are.
  PanelSheet(session::Session& session, std::vector<Panel> panels);

  // From the next frame on; in rows, as many in each as the frame's width has room for. Each at most once.
  void lay(std::vector<SheetPanel> sheet) { sheet_ = std::move(sheet); }
  // Where the last frame drew the one at this place of the list.
  std::pair<ImVec2, ImVec2> areaOf(std::size_t place) const { return areas_[place]; }

  void drawFrame(shell::Frame& frame) override;
  shell::Appearance appearance() const override;

 private:
  session::Session& session_;
  std::vector<Panel> panels_;
  std::vector<SheetPanel> sheet_;
  std::vector<std::pair<ImVec2, ImVec2>> areas_;
  ShownTimes times_;
  Explanations explanations_;
};

}  // namespace stridescope::views
