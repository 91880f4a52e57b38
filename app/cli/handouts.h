// What `export` was asked for, and the handouts that it makes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/services.h"
#include "handout/rounds.h"
#include "lab/measured.h"
#include "model/trace.h"

namespace stridescope::cli {

// What `export` was asked for, read and checked.

enum class HandoutFormat : std::uint8_t { Png, Gif, Html, Csv, Markdown };

struct HandoutRequest {
  HandoutFormat format{};
  std::filesystem::path file;  // a folder if there are several PNG
  bool overwrite = false;
  std::optional<handout::Rounds> rounds;  // nullopt: all
  PainterSetup window;
  std::string panel;               // empty: the whole window
  std::optional<ShotTheme> theme;  // nullopt: a page has both, a picture the dark one
  double speed = 1;                // rounds per second
  bool questions = false, values = false;
  std::string engine;  // as --engine has it
};

using Runs = std::vector<std::unique_ptr<lab::KnownRun>>;

// Each writes the file, whole or not at all.
Result<void> writeTables(const Context& context, const HandoutRequest& request, const Runs& runs,
                         engine::JobControl& job);
Result<void> writePage(const Context& context, const HandoutRequest& request, const Runs& runs,
                       engine::JobControl& job);
Result<void> writePictures(const Context& context, const HandoutRequest& request, const Runs& runs,
                           engine::JobControl& job);

// The chosen steps of a run; at most so many rounds, and so many steps. Errors: none is there, there are
// more.
Result<std::vector<handout::Place>> chosenPlaces(const HandoutRequest& request, const lab::Run& run,
                                                 std::size_t mostRounds, std::size_t mostSteps);

// Requires Services::makePainter or says that there is none.
Result<std::unique_ptr<RoundPainter>> makePainter(const Context& context, const PainterSetup& setup);

// Makes the file of these bytes.
Result<void> writeFile(const HandoutRequest& request, std::string_view bytes, engine::JobControl& job);

// What a handout calls a run.

struct ToldNames {
  std::string title;    // "interleaved, contiguous"; the id of a variant that the catalogue no longer has
  std::string changed;  // a sentence; may be empty
  std::string experiment, engine;
};
ToldNames namesOf(const model::Trace& trace);

}  // namespace stridescope::cli
