// What the caption and the line below it say of a round that is to be predicted, and of marks that were made.
#pragma once

#include <string>

#include "views/chrome/hover_line.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// "Next is stride 16. Mark the threads that will add, then reveal." Requires view.predict.isHidden().
std::string hiddenCaption(const ViewContext& view);

// What may be told of what is hovered before the round is revealed. Requires the same.
HoverLine hiddenHoverLine(const ViewContext& view, const session::Hover& hover);

// What a revealed round says of a thread's mark: "marked, and active"; empty: marks of threads were not asked
// for.
std::string judgedMark(const ViewContext& view, unsigned thread);

}  // namespace stridescope::views
