// The files that runs are handed out as: tables, a page, pictures, a film.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "handout/painter.h"
#include "handout/rounds.h"
#include "lab/measured.h"

namespace stridescope::handout {

enum class Format : std::uint8_t { Png, Gif, Html, Csv, Markdown };

struct Request {
  Format format{};
  std::filesystem::path file;  // a folder if there are several PNG
  bool overwrite = false;
  std::optional<Rounds> rounds;  // nullopt: all
  PainterSetup window;
  std::string panel;                  // empty: the whole window
  std::optional<PictureTheme> theme;  // nullopt: a page has both, a picture the dark one
  double speed = 1;                   // rounds per second
  bool questions = false, values = false;
  std::string engine;  // as --engine has it
};

using Runs = std::vector<std::unique_ptr<lab::KnownRun>>;

// Who makes them.
struct Maker {
  std::string version;  // the program's: "0.1.0"
  MakePainter makePainter;
};

// Before anything is run or drawn.
Result<void> mayBeWritten(const Request& request);

// Writes the file, whole or not at all. Requires a run.
Result<void> write(const Maker& maker, const Request& request, const Runs& runs, engine::JobControl& job);

}  // namespace stridescope::handout
