// Present: the Shared memory panel, one other panel, the caption and the transport, large enough for the last
// row; and a presenter's tools over them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "views/frame/key_focus.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"
#include "views/transport/transport_view.h"

namespace stridescope::views {

// Pixels a unit in a window of this size, so that the smallest text is kPresenterTextSize at
// kPresenterHeight, and the same part of the height in any other, down to that of a small laptop's window; in
// one that is held upright it is smaller, so that what is shown is whole.
float presenterScale(ImVec2 window);

// What its panels' windows have behind their titles.
inline constexpr std::string_view kPresentedWindow = "##present";

class Presenter {
 public:
  // Without tools no keys are shown for them.
  explicit Presenter(bool hasTools) : hasTools_(hasTools) {}

  // `walk`: how the panel that has the keyboard is walked through; null: none may have it. `left`: where a
  // text beside the panels ends, pixels; 0: there is none. Gives where its lower edge is to be.
  float draw(ViewContext& view, KeyFocus& focus, CellWalk* walk, float left, ImVec2 size);
  // Over everything: spotlight, marks, black screen.
  void drawTools(const ViewContext& view, ImVec2 size);
  bool wantsFrameSoon() const { return captionSize_.isSearching(); }
  void leave() {
    strokes_.clear();
    captionSize_ = {};
  }

 private:
  void drawPanel(ViewContext& view, KeyFocus& focus, CellWalk* walk, std::string_view id, ImVec2 min,
                 ImVec2 max);
  void takeMarks(const ViewContext& view, float left, ImVec2 size);

  using Stroke = std::vector<ImVec2>;
  // The picture that the pen draws on; what was drawn goes with it.
  struct DrawnOn {
    const lab::Run* run = nullptr;
    session::Playhead at = {};
    std::string map = {};
    bool isLarge = false;  // the map
    float left = 0, width = 0, height = 0;
    friend bool operator==(const DrawnOn&, const DrawnOn&) = default;
  };
  bool hasTools_;
  SteadySize captionSize_;
  std::vector<Stroke> strokes_;  // in pixels of the picture that they were drawn on
  bool drawing_ = false;         // the button is down
  DrawnOn drawnOn_;
};

// What a presenter does with keys: most of them are a remote's.

// The commands that only Present has; digits put those of `panels` that take turns there beside the caption.
std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels);

// What Page Down will do, shown small: "Page Down: stride 16", "Page Down: Sequential" of the next stop,
// whose title gives way to "the next stop" if that text does not fit.
std::string nextOfPresenter(const session::Parts& parts, const std::function<bool(std::string_view)>& fits);

// Which keys the tools have, and how many digits `turns` panels; while one is on that takes the pointer, how
// it ends.
std::string toolsOfPresenter(const session::Parts& parts, std::size_t turns);

}  // namespace stridescope::views
