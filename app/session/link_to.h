// Writes links, in the language that link.h reads.
#pragma once

#include <string>

#include "base/result.h"
#include "session/parts.h"

namespace stridescope::session {

// The link to what is shown: "show/sequential?type=int64&round=4&panel=banks&ring=thread:5". It has the
// variant, what was chosen otherwise than the variant has it by default, the round, the panel that has the
// keyboard, and what is pinned; in Predict the question, in Compare both variants. Error: no run is shown
// yet, or a link cannot say what is shown, such as a person's own input data; the sentence names it.
Result<std::string> linkTo(const Parts& parts);

}  // namespace stridescope::session
