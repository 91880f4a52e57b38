// Recordings with texts in them that nobody should see as they are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace.h"

namespace stridescope::support {

// Adds kHostileText to the trace's kernel text, as a comment at its end.
void appendHostileComment(model::Trace& trace);

struct TextColumn {
  std::string table, name;
};

// Every column of the file's tables that holds text, whatever tables there are.
std::vector<TextColumn> textColumnsOf(const std::filesystem::path& recording);

// Appends the bytes to the column's text in every row.
void appendTo(const std::filesystem::path& recording, const TextColumn& column, std::string_view bytes);

}  // namespace stridescope::support
