// What a person does to the canvas, as page.js tells it, for Dear ImGui.
#pragma once

#include "canvas_context.h"

namespace stridescope::web {

// Who takes it from now on.
void takeInput(CanvasContext& canvas);

// Whether something came in since the last call.
bool takeInputNews();

}  // namespace stridescope::web
