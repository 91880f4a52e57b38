// What a person does with the window: each mode and all that sets it apart. Who must know something of the
// mode asks for that property; no other code asks which mode it is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope::session {

enum class Mode : std::uint8_t { Explore, Compare, Predict, Present };
inline constexpr std::size_t kModeCount = 4;

struct ModeFacts {
  Mode mode{};
  std::string_view id;       // what `shot --mode` calls it
  std::string_view name;     // on its tab and in the menus
  std::string_view meaning;  // a sentence
  char key = 0;              // the letter that enters it
  unsigned functionKey = 0;  // F1 is 1; 0: none
  // The mode whose panels it offers in menus and by links: its own, or those of Explore, of which it shows as
  // many as it has places for.
  Mode panelsOf = mode;
  std::string_view layouts = {};  // the group of dock layouts that it has for itself; empty: Explore's
  bool presents = false;          // to an audience: it fills the screen, has no bars, and ends where it began
  bool comparesSides = false;     // two runs are shown
  bool hidesRounds = false;       // a round is hidden until it was guessed
  bool editsText = false;         // Source is an editor where a person's own kernel is shown
  bool isLeftByLinks = false;     // a link and a stop of a tour begin in the run that is explored
};

// Those that the window offers, in the order of their tabs.
inline constexpr std::array<ModeFacts, kModeCount> kModes{
    {{.mode = Mode::Explore,
      .id = "explore",
      .name = "Explore",
      .meaning = "Step through a run, with every panel at hand.",
      .key = 'E',
      .editsText = true},
     {.mode = Mode::Predict,
      .id = "predict",
      .name = "Predict",
      .meaning = "Say what the next round will do before it is shown.",
      .key = 'G',
      .layouts = "predict",
      .hidesRounds = true,
      .isLeftByLinks = true},
     {.mode = Mode::Compare,
      .id = "compare",
      .name = "Compare",
      .meaning = "Step through two runs side by side, with what differs between them.",
      .key = 'C',
      .panelsOf = Mode::Explore,
      .comparesSides = true,
      .isLeftByLinks = true},
     {.mode = Mode::Present,
      .id = "present",
      .name = "Present",
      .meaning = "Few and large panels for a projector. Esc ends it.",
      .key = 'P',
      .functionKey = 5,
      .panelsOf = Mode::Explore,
      .presents = true}}};

constexpr const ModeFacts& factsOf(Mode mode) { return *std::ranges::find(kModes, mode, &ModeFacts::mode); }
// nullptr: no mode has that id.
constexpr const ModeFacts* findMode(std::string_view id) {
  const auto found = std::ranges::find(kModes, id, &ModeFacts::id);
  return found == kModes.end() ? nullptr : &*found;
}

// How a panel stands in a mode.
enum class PanelRole : std::uint8_t {
  None,    // it has no place there
  Docked,  // in the mode's layout
  Main,    // the one that everything else is about, which is never covered
  Turn,    // one of those that take turns beside the main one
};

// What the session knows of a panel of the window; all else is in the panel's registration (views).
struct KnownPanel {
  std::string id;
  std::array<PanelRole, kModeCount> roles{};  // by Mode
  bool isPresentedFirst = false;              // it has its turn when Present begins for the first time
  PanelRole roleIn(Mode mode) const { return roles[std::size_t(mode)]; }
};

// What a presenter switches on and off.
enum class PresenterTool : std::uint8_t {
  Black,      // a black screen
  Spotlight,  // all but what is round the pointer is dimmed
  Draw,       // the pointer draws
  LargeMap,   // the panel that has its turn is the large one, and the main panel beside the caption
};
inline constexpr std::size_t kPresenterTools = 4;

}  // namespace stridescope::session
