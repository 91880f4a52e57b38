// Dear ImGui's own widgets in the window's colours and measures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "draw/draw_context.h"
#include "imgui.h"

namespace stridescope::shell {

// Sets all of `style`: colours of `theme`, measures of draw_context.h times `scale` (monitor's scale times
// text size). Anything that was changed in `style` before is lost.
void applyTheme(ImGuiStyle& style, draw::Theme theme, float scale);

// Registers Okabe and Ito's colours with the current ImPlot context and makes plots look like the
// rest.
void applyPlotTheme(draw::Theme theme, float scale);

// The colour map that applyPlotTheme registers and makes the default: orange first, no black.
inline constexpr const char* kCategoriesColormap = "Okabe-Ito";

// Finds the window's typefaces and gives them to Dear ImGui.

struct LoadedFonts {
  draw::Fonts fonts;
  std::vector<std::string>
      missing;  // a sentence for each face that another stands in for; doctor prints them
};

// Folders in the order in which faces are looked for in them: a package's ../share/stridescope/fonts beside
// the running program, then where Debian, Fedora and Arch keep Inter and JetBrains Mono.
std::vector<std::filesystem::path> fontFolders();

// Adds every face to `atlas` of the current ImGui context, once and without a size; words is the first and so
// the default. A face that is not found, or whose file is not a font, is replaced by one that was, in the end
// by Dear ImGui's own. What one face lacks (thin spaces in JetBrains Mono, some signs in Inter) comes from
// the other.
LoadedFonts loadFonts(ImFontAtlas& atlas, const std::vector<std::filesystem::path>& folders);

// Ascent less descent in ems, from an OpenType file's 'hhea' and 'head' tables; nothing for bytes that are no
// such file.
std::optional<float> lineHeightInEms(std::span<const std::byte> file);

}  // namespace stridescope::shell
