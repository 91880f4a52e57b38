// Who draws rounds for handouts, without a display. Handouts know no window: it is wired in from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "handout/rounds.h"
#include "lab/run.h"
#include "picture/image.h"

namespace stridescope::handout {

enum class PictureTheme : std::uint8_t { Dark, Light };

// A panel as it is drawn alone.
struct PanelSize {
  std::string panel;               // its id
  unsigned width = 0, height = 0;  // at a scale of 1
};

struct PanelPicture {
  std::string title;  // the panel's
  picture::Image image;
};

struct PainterSetup {
  unsigned width = 1600, height = 1000;  // the window's, pixels
  float scale = 1;                       // scales text and controls
  bool presented = false;                // in Present, whose text goes by the height of the window
};

// One window, in which run after run is shown. Use it on one thread.
class RoundPainter {
 public:
  virtual ~RoundPainter() = default;

  // The run is shown from now on, as `engine` (a name that --engine takes) brought it; it outlives that.
  virtual Result<void> show(const lab::Run& run, const std::string& engine) = 0;
  virtual void useTheme(PictureTheme theme) = 0;

  // These require a run. `panel`: that one alone, as it is in the window; empty: the whole window.
  virtual Result<picture::Image> window(const Place& place, const std::string& panel) = 0;
  // Panels outside the window, each as large as is said; all together within the window's size.
  virtual Result<std::vector<PanelPicture>> panels(const Place& place, std::span<const PanelSize> sizes) = 0;
};

using MakePainter = std::function<Result<std::unique_ptr<RoundPainter>>(const PainterSetup&)>;

}  // namespace stridescope::handout
