// What a presenter does with keys: most of them are a remote's.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "views/shared/command_entry.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// The commands that only Present has; digits put those of `panels` that take turns there beside the caption.
std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels);

// What Page Down will do, shown small: "Page Down: stride 16", "Page Down: Sequential" of the next stop,
// whose title gives way to "the next stop" if that text does not fit.
std::string nextOfPresenter(const session::Parts& parts, const std::function<bool(std::string_view)>& fits);

// Which keys the tools have; while one is on that takes the pointer, how it ends.
std::string toolsOfPresenter(const session::Parts& parts);

}  // namespace stridescope::views
