// What the program remembers between two starts, and small choices of the window.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "base/result.h"
#include "model/experiment.h"

namespace stridescope::session {

enum class ThemeName : std::uint8_t { Dark, Light };
constexpr std::string_view nameOf(ThemeName theme) { return theme == ThemeName::Light ? "light" : "dark"; }
constexpr auto allOf(ThemeName) { return std::array{ThemeName::Dark, ThemeName::Light}; }
enum class Overlay : std::uint8_t {
  None,
  Keys,
  Palette,
  OpenFile,
  OwnData,
  CustomOperator,
  SaveFile,
  RoundText,
  Export,
  Lesson,
  Glossary,
  About,
  TrustCode,
  Tour,
  Welcome,
  OpenTour,
  SaveTour,
  DeleteScore,
  CopyVariant,  // the shown variant becomes a person's own kernel
  Launches      // of a person's own kernel
};
// Texts that speak of the panels and stand beside them; all others are laid over them.
constexpr bool isReadBeside(Overlay overlay) {
  return overlay == Overlay::Lesson || overlay == Overlay::Glossary || overlay == Overlay::Tour ||
         overlay == Overlay::Welcome;
}

inline constexpr double kSlowest = 0.25, kFastest = 8;       // rounds a second
inline constexpr int kMinTextSize = 50, kMaxTextSize = 300;  // percent

struct Settings {
  ThemeName theme = ThemeName::Dark, presenterTheme = ThemeName::Light;
  int textSize = 100;  // percent, kMinTextSize to kMaxTextSize
  double speed = 1;    // rounds a second, kSlowest to kFastest
  bool reducedMotion = false;
  bool runsWhileTyping = false;  // a person's own kernel, after a pause
  bool welcomed = false;         // the first start's doors were shown
  int windowX = -1, windowY = -1, windowWidth = 1600, windowHeight = 1000;  // -1: where the desktop puts it
  std::vector<std::string> recent;         // recordings, newest first, at most kMaxRecent
  std::vector<std::string> hiddenPanels;   // their ids
  std::string timingsTab;                  // of Timings, by its label; empty: as at first
  std::vector<std::string> timingsChecks;  // lines of it whose check mark a person changed
  std::string tour;                        // the file of the last tour that was opened; empty: none yet
  model::Experiment lastExperiment;        // variant empty: none yet
  unsigned lastLaunch = 0, lastRound = 0;  // where the playhead stood in it
  friend bool operator==(const Settings&, const Settings&) = default;
};
inline constexpr std::size_t kMaxRecent = 8;

// The members of the file (base/describe.h).
template <class Fields, Described<Settings> Value>
constexpr void describe(Fields&& fields, Value& settings) {
  fields("theme", settings.theme);
  fields("presenter_theme", settings.presenterTheme);
  fields("text_size", settings.textSize);
  fields("speed", settings.speed);
  fields("reduced_motion", settings.reducedMotion);
  fields("runs_while_typing", settings.runsWhileTyping);
  fields("welcomed", settings.welcomed);
  fields("window_x", settings.windowX);
  fields("window_y", settings.windowY);
  fields("window_width", settings.windowWidth);
  fields("window_height", settings.windowHeight);
  fields("recent", settings.recent);
  fields("hidden_panels", settings.hiddenPanels);
  fields("timings_tab", settings.timingsTab);
  fields("timings_checks", settings.timingsChecks);
  fields("tour", settings.tour);
  fields("experiment", settings.lastExperiment);
  fields("launch", settings.lastLaunch);
  fields("round", settings.lastRound);
}

// $XDG_CONFIG_HOME/stridescope, else ~/.config/stridescope; empty if neither is known.
std::string configFolder();

// Values out of range and unknown names fall back to the defaults; a file that is not there, or is no regular
// file or a very large one, gives the defaults.
Settings settingsFromJson(const std::string& text);
std::string settingsToJson(const Settings& settings);
Settings loadSettings(const std::string& file);
// Replaces the file whole, or leaves it as it is; a link to it stays a link.
Result<bool> saveSettings(const std::string& file, const Settings& settings);

}  // namespace stridescope::session
