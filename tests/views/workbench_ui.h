// The real window over the CPU executor, driven without a display.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "session/session.h"
#include "support/ui_harness.h"
#include "views/frame/workbench.h"
#include "views/measure/timings_look.h"
#include "views/panels.h"

namespace stridescope::views::test {

struct UiRequest {
  std::string variant = "interleaved_contiguous";
  unsigned round = 4;  // stride 8 of the contiguous rung
  unsigned threads = 256;
  model::ElementType type = model::ElementType::Int;
  std::uint64_t elements = 0;  // 0: one block's load
  shell::PixelSize size{1600, 1000};
  float scale = 1;
  session::Settings settings = {};
  std::optional<model::Experiment> experiment = {};  // a legal one, in place of variant, threads and type
  session::Commands before = {};                     // given before the first frame
};

// "host" and "auto" are the CPU executor, a path is a recording.
session::SessionServices hostServices();

// With recorded cycles: every mark of a warp's clock is at 7 times the square of its number, in a full grid
// at 9 times. "NVIDIA H100 80GB HBM3".
lab::Recorded someCycles();
session::SessionServices hostServicesWithCycles();

// With what a test has made of it, whatever the engine.
session::SessionServices hostServicesWith(lab::Recorded recorded);

// With hand-made counters for whatever is asked for: the contiguous rung has four more store conflicts than
// the model says.
session::SessionServices hostServicesWithCounters();

// With a hand-made timeline and costs of sequential at 3072 elements (support/grid_records.h), and costs of
// the variant before it, and machine code of whatever is asked for; timelines and prices are recorded of 3072
// and of 2^20 elements.
session::SessionServices hostServicesWithGrids();

// All panels, of which Timings has a state of the test's.
std::vector<Panel> panelsWith(std::shared_ptr<TimingsState> timings);

bool tooltipIsShown();

// Only within a test's steps: the Test Engine keeps the clipboard of the person at the machine out of it.
std::string clipboard();

// All texts of the last frame on one line, for sentences that may be wrapped.
std::string spoken(const class WorkbenchUi& w);

class WorkbenchUi {
 public:
  // `more`: a panel beside the window's own.
  explicit WorkbenchUi(const UiRequest& request = {}, session::SessionServices services = hostServices(),
                       std::optional<Panel> more = std::nullopt);

  session::Session& session() { return *session_; }
  Workbench& workbench() { return *workbench_; }
  TimingsState& timings() { return *timings_; }
  support::UiHarness& ui() { return *ui_; }
  const support::UiHarness& ui() const { return *ui_; }
  const session::Settings& saved() const { return saved_; }

  void apply(const session::Command& command);  // and wait until it is on screen
  void settle();                                // until no job runs and the layout has come to rest
  void run(const std::string& name, std::function<void(ImGuiTestContext*)> steps) {
    ui_->run(name, std::move(steps));
  }

  // What the latest frame wrote in a window ("" for any): one text after another.
  std::string textsIn(const std::string& window) const;
  bool shows(const std::string& text, const std::string& window = "") const;

  // Whether no panel whose window's name begins so ("" for any) has less room than it needs, and so scrolls.
  bool hasRoom(const std::string& window = "") const;

  // Whether there is a tooltip while the pointer rests on a text, in a window whose name begins so.
  bool hasTooltip(const std::string& text, const std::string& window);

  // The middle of a cell of a painted grid.
  ImVec2 cellOf(const std::string& grid, int column, int row) const;

 private:
  std::unique_ptr<session::Session> session_;
  session::Settings saved_;
  std::shared_ptr<TimingsState> timings_ = std::make_shared<TimingsState>();
  std::unique_ptr<Workbench> workbench_;
  std::unique_ptr<support::UiHarness> ui_;
};

}  // namespace stridescope::views::test
