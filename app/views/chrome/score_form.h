// The form that asks before a person's score is deleted.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

void drawDeleteScore(ViewContext& view, float width, bool appearing);

}  // namespace stridescope::views
