// What a presenter does with keys: most of them are a remote's.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "views/shared/command_entry.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// The panels that the keys 1 to 5 put beside the caption, by their ids.
inline constexpr std::array<std::string_view, 5> kPresenterMaps{"lanes", "divergence", "banks", "source",
                                                                "timings"};

// Of Present alone. `panels`: all that there are.
std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels);

// What Page Down will do, shown small: "Page Down: stride 16", "Page Down: next stop, Sequential".
std::string nextOfPresenter(const session::Parts& parts);

}  // namespace stridescope::views
