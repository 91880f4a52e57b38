// What the page begins with, as the last visit left it.
#pragma once

#include <string>
#include <string_view>

#include "session/session.h"
#include "session/settings.h"

namespace stridescope::web {

// The last experiment, or the contiguous variant at stride 8.
session::Start startOf(const session::Settings& settings);

// The mode, which the settings do not have: a page that is loaded again goes on in it, a new visit explores.

// "explore", "predict", "present", or "compare/LEFT/RIGHT" with the variants of both sides.
std::string modeAsText(const session::Session& session);
// Goes on in it, with the run that is explored. Who has chosen a mode meanwhile stays there, and so does who
// has a text that is none.
void resumeMode(session::Session& session, std::string_view text);

}  // namespace stridescope::web
