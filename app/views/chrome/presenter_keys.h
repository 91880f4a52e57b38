// What a presenter does with keys: most of them are a remote's.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "views/shared/command_entry.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// The panels that the keys 1 to 5 put beside the caption, by their ids.
inline constexpr std::array<std::string_view, 5> kPresenterMaps{"lanes", "divergence", "banks", "source",
                                                                "timings"};

// The commands that only Present has. `panels` are all panels.
std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels);

// What Page Down will do, shown small: "Page Down: stride 16", "Page Down: Sequential" of the next stop,
// whose title gives way to "the next stop" if that text does not fit.
std::string nextOfPresenter(const session::Parts& parts, const std::function<bool(std::string_view)>& fits);

// Which keys the tools have; while one is on that takes the pointer, how it ends.
std::string toolsOfPresenter(const session::Parts& parts);

}  // namespace stridescope::views
