// A picture against the one that was looked at and kept.
#pragma once

#include <filesystem>
#include <string>

#include "imgui.h"
#include "shell/graphics_context.h"

namespace stridescope::support {

// Fails the running test where the picture is not that of FOLDER/NAME.png, and writes what was seen into the
// temporary folder. A channel may differ by 2 levels; a thousandth of the pixels may by more: which ones
// llvmpipe gives to a slanted edge depends on the machine's vector instructions. With UPDATE_GOLDEN in the
// environment the picture is kept instead.
void expectGoldenPicture(const shell::Image& picture, const std::filesystem::path& folder,
                         const std::string& name);

}  // namespace stridescope::support
