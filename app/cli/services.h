// What the command line asks of the rest of the program. main.cpp wires the real ones; tests give their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "archive/recording_file.h"
#include "base/result.h"
#include "engine/code_trust.h"
#include "handout/painter.h"
#include "lab/sources/sources.h"
#include "model/experiment.h"

namespace stridescope::cli {

using handout::MakePainter, handout::PainterSetup, handout::PanelPicture, handout::PanelSize,
    handout::RoundPainter;
using ShotTheme = handout::PictureTheme;

// A picture of the window, drawn without one.
struct ShotRequest {
  std::filesystem::path file;            // PNG
  unsigned width = 1600, height = 1000;  // pixels
  float scale = 1;                       // scales text and controls
  ShotTheme theme = ShotTheme::Dark;
  model::Experiment experiment;  // checked
  bool elementsGiven = false;
  unsigned round = 0, pass = 0;
  std::optional<unsigned> thread;  // followed in every map, as if it were under the pointer
  std::string beside;              // a variant: in the Compare mode, at the right; empty: in Explore
  std::string panel;               // one of Services::panels, brought to the front; empty: the whole window
  std::string mode;                // one of Services::modes; empty: the first
  std::string engine = "auto";     // as --engine takes it
  std::optional<archive::RecordingIndex> recording{};  // the engine's, if that is a recording
  std::function<void(float fraction, const std::string& doing)> progress{};  // may be empty
};

// One line of `doctor`.
struct Finding {
  std::string subject;  // "GPU 0", "NVRTC", "display"
  bool ok = false;
  std::string text;  // ok: what is there; else a sentence: what is missing and what to do
};

// A service that is not set answers with a sentence that says so.
struct Services {
  std::string version;  // the program's: "0.1.0"
  // What the engines may compile: the person's own texts, and with --trust-code those of files.
  std::shared_ptr<engine::CodeTrust> trust = std::make_shared<engine::CodeTrust>();
  lab::sources::Sources sources;  // what runs, and what is timed
  // How long one call of NVIDIA's driver may take before it counts as hanging; before a GPU is used.
  std::function<void(std::chrono::milliseconds limit)> limitLibraryCalls;
  // Returns when the window is closed. With the file of a recording or a tour it opens that first.
  std::function<Result<std::monostate>(const std::string& file)> openWindow;
  std::function<Result<model::Executor>(const ShotRequest&)> drawShot;  // who ran what is on the picture
  MakePainter makePainter;
  std::vector<std::string> panels;  // the window's, as `shot --panel` takes them
  std::vector<std::string> modes;   // likewise, for --mode
  // Follows `export` beside the terminal. May be empty.
  std::function<void(float fraction, const std::string& doing)> exportProgress;
  std::function<void()> exportWritten;  // called when it has written what it was asked for; may be empty
  std::vector<std::function<std::vector<Finding>()>> examinations;  // what doctor looks at, in order
};

}  // namespace stridescope::cli
