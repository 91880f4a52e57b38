// What a person does with the window.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stridescope::session {

enum class Mode : std::uint8_t {
  Explore,  // steps through one run, every panel at hand
  Compare,  // two runs side by side, step-locked
  Predict,  // says what the next round will do before it is shown
  Present,  // few and large panels, for a projector
};

struct ModeFacts {
  Mode mode{};
  std::string_view name;     // on its tab and in the menus
  std::string_view meaning;  // a sentence
};

// Those that the window offers, in the order of their tabs.
inline constexpr std::array<ModeFacts, 4> kModes{{
    {Mode::Explore, "Explore", "Step through a run, with every panel at hand."},
    {Mode::Predict, "Predict", "Say what the next round will do before it is shown."},
    {Mode::Compare, "Compare", "Step through two runs side by side, with what differs between them."},
    {Mode::Present, "Present", "Few and large panels for a projector. Esc ends it."},
}};

// The panels of Predict, by their ids; the others show what belongs to the run as a whole.
inline constexpr std::array<std::string_view, 5> kPredictPanels{"shared_memory", "lanes", "banks", "source",
                                                                "predict"};
constexpr bool hasPanel(Mode mode, std::string_view panel) {
  if (mode != Mode::Predict) return panel != "predict";
  for (const std::string_view own : kPredictPanels)
    if (own == panel) return true;
  return false;
}

// What a presenter switches on and off.
enum class PresenterTool : std::uint8_t {
  Black,      // a black screen
  Spotlight,  // all but what is round the pointer is dimmed
  Draw,       // the pointer draws
};

// The panel that Present always has, and the one that has a place of its own nowhere in it.
inline constexpr std::string_view kPresentedPanel = "shared_memory", kNeverPresentedPanel = "ladder";

}  // namespace stridescope::session
