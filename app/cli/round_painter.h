// Who draws rounds for handouts, without a display. The command line knows no window: it is wired in from
// outside (services.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "handout/told_run.h"
#include "picture/image.h"

namespace stridescope::cli {

enum class ShotTheme : std::uint8_t { Dark, Light };

// A panel as it is drawn alone.
struct PanelSize {
  std::string panel;               // one of Services::panels
  unsigned width = 0, height = 0;  // at a scale of 1
};

struct PanelPicture {
  std::string title;  // the panel's
  picture::Image image;
};

struct PainterSetup {
  unsigned width = 1600, height = 1000;  // the window's, pixels
  float scale = 1;                       // scales text and controls
};

// One window, in which run after run is shown. Use it on one thread.
class RoundPainter {
 public:
  virtual ~RoundPainter() = default;

  // The run is shown from now on, as `engine` (a name that --engine takes) brought it; it outlives that.
  virtual Result<void> show(const handout::ToldRun& run, const std::string& engine) = 0;
  virtual void useTheme(ShotTheme theme) = 0;

  // These require a run. `panel`: that one alone, as it is in the window; empty: the whole window.
  virtual Result<picture::Image> window(const handout::Place& place, const std::string& panel) = 0;
  // Panels outside the window, each as large as is said; all together within the window's size.
  virtual Result<std::vector<PanelPicture>> panels(const handout::Place& place,
                                                   std::span<const PanelSize> sizes) = 0;
};

using MakePainter = std::function<Result<std::unique_ptr<RoundPainter>>(const PainterSetup&)>;

}  // namespace stridescope::cli
