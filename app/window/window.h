// The window: opened on the display, or drawn without one. Only the program itself knows it; the command line
// gets these as services.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/services.h"
#include "engine/code_trust.h"
#include "engine/engine.h"
#include "engine/worker/gpu_worker.h"
#include "lab/sources/sources.h"
#include "session/exports.h"

namespace stridescope::window {

// What all windows of a program share.
struct WindowParts {
  std::shared_ptr<engine::CodeTrust> trust{};
  std::shared_ptr<engine::worker::GpuWorkers> gpus{};
  lab::sources::Sources sources{};
  // Makes the file of an order. May be empty: then nothing can be exported.
  std::function<Result<void>(const session::ExportOrder& order, engine::JobControl& job)> exportRun{};
};

// Opens the window at the last experiment, or at the contiguous variant's stride 8. Returns when it is
// closed. `file`: a recording or a tour to open first; empty: none.
Result<std::monostate> openWindow(const std::string& file, const WindowParts& parts);

// Draws the picture of `shot`; the value says who ran what is on it.
Result<model::Executor> drawShot(const cli::ShotRequest& request, const WindowParts& parts);

// For `export`: the window, and its panels alone, for one step after another.
Result<std::unique_ptr<cli::RoundPainter>> makeRoundPainter(const cli::PainterSetup& setup,
                                                            const WindowParts& parts);

// The window's panels, as `shot --panel` takes them.
std::vector<std::string> panelNames();
// Its modes, as `shot --mode` takes them: "explore", "present".
std::vector<std::string> modeNames();

// For doctor: OpenGL without a display, and the typefaces.
std::vector<cli::Finding> pictureFindings();

}  // namespace stridescope::window
