// A path as sentences have it.
#pragma once

#include <filesystem>
#include <string>

namespace stridescope {

// "'data.txt'".
inline std::string quoted(const std::filesystem::path& path) { return "'" + path.native() + "'"; }

}  // namespace stridescope
