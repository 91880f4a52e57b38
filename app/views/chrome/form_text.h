// Sentences in forms and lists.
#pragma once

#include <optional>
#include <string>

#include "views/shared/view_context.h"

namespace stridescope::views {

// A paragraph, as one item of `width` pixels; `indent` pixels from the left.
void sentence(ViewContext& view, float width, const std::string& text, ImU32 colour, float indent = 0);

// What a person should heed, with an edge as messages have: orange is no colour for text on white.
void remark(ViewContext& view, float width, const std::string& text, session::MessageKind kind);

// Two buttons, `no` first; nullopt: neither was pressed yet. Whatever has the keyboard in the form but `yes`
// itself, Enter is no.
std::optional<bool> askYesOrNo(const char* no, const char* yes, bool appearing);

}  // namespace stridescope::views
