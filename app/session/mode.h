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
inline constexpr std::array<ModeFacts, 2> kModes{{
    {Mode::Explore, "Explore", "Step through a run, with every panel at hand."},
    {Mode::Compare, "Compare", "Step through two runs side by side, with what differs between them."},
}};

}  // namespace stridescope::session
