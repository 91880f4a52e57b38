#include "shell/theme.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "draw/draw_context.h"

namespace stridescope::shell {
namespace {

ImVec4 colour(ImU32 packed, float alpha = 1.0f) {
  return ImGui::ColorConvertU32ToFloat4(draw::withAlpha(packed, alpha));
}

void applyColours(ImGuiStyle& style, draw::Theme theme) {
  const draw::Palette& p = draw::palette(theme);
  const ImU32 hoveredField = draw::mix(p.field, p.text, 0.10f);
  const ImU32 heldField = draw::mix(p.field, p.text, 0.18f);
  const auto set = [&](ImGuiCol which, ImU32 packed, float alpha = 1.0f) {
    style.Colors[which] = colour(packed, alpha);
  };
  const auto three = [&](ImGuiCol idle, ImGuiCol hovered, ImGuiCol held) {
    set(idle, p.field);
    set(hovered, hoveredField);
    set(held, heldField);
  };
  // Whatever is not named below is one of these, never Dear ImGui's blue.
  for (ImVec4& any : style.Colors) any = colour(p.field);

  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.dim);
  set(ImGuiCol_TextLink, p.operandLine);
  set(ImGuiCol_TextSelectedBg, p.operand, 0.35f);
  set(ImGuiCol_InputTextCursor, p.text);
  set(ImGuiCol_WindowBg, p.panel);
  set(ImGuiCol_ChildBg, p.panel, 0.0f);
  set(ImGuiCol_PopupBg, theme == draw::Theme::Dark ? p.raised : p.panel);
  set(ImGuiCol_Border, p.frame);
  set(ImGuiCol_BorderShadow, p.line, 0.0f);
  three(ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive);
  three(ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive);
  three(ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive);
  set(ImGuiCol_MenuBarBg, p.panel);
  set(ImGuiCol_TitleBg, p.window);
  set(ImGuiCol_TitleBgActive, p.window);
  set(ImGuiCol_TitleBgCollapsed, p.window);
  set(ImGuiCol_ScrollbarBg, p.panel, 0.0f);
  set(ImGuiCol_ScrollbarGrab, p.frame);
  set(ImGuiCol_ScrollbarGrabHovered, p.dim);
  set(ImGuiCol_ScrollbarGrabActive, p.text);
  set(ImGuiCol_CheckMark, p.text);
  set(ImGuiCol_SliderGrab, p.frame);
  set(ImGuiCol_SliderGrabActive, p.result);
  set(ImGuiCol_Separator, p.line);
  set(ImGuiCol_SeparatorHovered, p.operand, 0.5f);
  set(ImGuiCol_SeparatorActive, p.operand);
  set(ImGuiCol_ResizeGrip, p.line, 0.0f);
  set(ImGuiCol_ResizeGripHovered, p.operand, 0.5f);
  set(ImGuiCol_ResizeGripActive, p.operand);
  set(ImGuiCol_Tab, p.window);
  set(ImGuiCol_TabHovered, p.field);
  set(ImGuiCol_TabSelected, p.panel);
  set(ImGuiCol_TabSelectedOverline, p.result);
  set(ImGuiCol_TabDimmed, p.window);
  set(ImGuiCol_TabDimmedSelected, p.panel);
  set(ImGuiCol_TabDimmedSelectedOverline, p.result);
  set(ImGuiCol_DockingPreview, p.operand, 0.4f);
  set(ImGuiCol_DockingEmptyBg, p.window);
  set(ImGuiCol_PlotLines, p.dim);
  set(ImGuiCol_PlotLinesHovered, p.hover);
  set(ImGuiCol_PlotHistogram, p.dim);
  set(ImGuiCol_PlotHistogramHovered, p.hover);
  set(ImGuiCol_TableHeaderBg, p.raised);
  set(ImGuiCol_TableBorderStrong, p.line);
  set(ImGuiCol_TableBorderLight, p.grid);
  set(ImGuiCol_TableRowBg, p.panel, 0.0f);
  set(ImGuiCol_TableRowBgAlt, p.raised, 0.5f);
  set(ImGuiCol_TreeLines, p.line);
  set(ImGuiCol_DragDropTarget, p.result);
  set(ImGuiCol_DragDropTargetBg, p.result, 0.15f);
  set(ImGuiCol_UnsavedMarker, p.text);
  set(ImGuiCol_NavCursor, p.text);
  set(ImGuiCol_NavWindowingHighlight, p.text);
  set(ImGuiCol_NavWindowingDimBg, p.window, 0.5f);
  set(ImGuiCol_ModalWindowDimBg, p.window, 0.65f);
}

}  // namespace

void applyTheme(ImGuiStyle& style, draw::Theme theme, float scale) {
  style = ImGuiStyle();
  applyColours(style, theme);

  style.FontSizeBase = draw::kBodySize;
  style.FontScaleMain = 1.0f;
  style.FontScaleDpi = scale;

  style.WindowPadding = {draw::kPanelInset, draw::kPanelInset};
  style.WindowRounding = draw::kPanelRadius;
  style.ChildRounding = draw::kPanelRadius;
  style.PopupRounding = draw::kPanelRadius;
  style.FrameRounding = draw::kFieldRadius;
  style.GrabRounding = draw::kFieldRadius;
  style.TabRounding = draw::kFieldRadius;
  style.ScrollbarRounding = draw::kFieldRadius;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.FrameBorderSize = 1;
  style.TabBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FramePadding = {draw::kBaseUnit * 2, (draw::kControlHeight - draw::kBodySize) / 2};
  style.ItemSpacing = {draw::kBaseUnit * 2, draw::kBaseUnit};
  style.ItemInnerSpacing = {draw::kBaseUnit + 2, draw::kBaseUnit};
  style.CellPadding = {draw::kBaseUnit, draw::kBaseUnit / 2};
  style.IndentSpacing = draw::kBaseUnit * 4;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.TabBarOverlineSize = 2;
  style.TabBarBorderSize = 0;
  style.DockingSeparatorSize = draw::kPanelGap;
  style.DockingNodeHasCloseButton = false;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.WindowTitleAlign = {0, 0.5f};
  style.SeparatorTextBorderSize = 1;
  style.HoverStationaryDelay = 0.15f;
  style.ScaleAllSizes(scale);
  style.TabMinWidthShrink = 10000;  // a name that is cut tells nothing: the bar scrolls
  // Hairlines stay visible below 100 %.
  style.PopupBorderSize = std::max(1.0f, style.PopupBorderSize);
  style.FrameBorderSize = std::max(1.0f, std::round(scale));
}

void applyPlotTheme(draw::Theme theme, float scale) {
  const draw::Palette& p = draw::palette(theme);
  if (ImPlot::GetColormapIndex(kCategoriesColormap) < 0) {
    // Without their black, which the dark theme's ground would swallow.
    ImPlot::AddColormap(kCategoriesColormap, draw::kOkabeIto.data() + 1,
                        static_cast<int>(draw::kOkabeIto.size() - 1));
  }
  ImPlotStyle& style = ImPlot::GetStyle();
  style = ImPlotStyle();
  style.Colormap = ImPlot::GetColormapIndex(kCategoriesColormap);
  style.Colors[ImPlotCol_FrameBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_PlotBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_PlotBorder] = colour(p.line, 0.0f);
  style.Colors[ImPlotCol_LegendBg] = colour(p.panel, 0.8f);
  style.Colors[ImPlotCol_LegendBorder] = colour(p.line, 0.0f);
  style.Colors[ImPlotCol_LegendText] = colour(p.dim);
  style.Colors[ImPlotCol_TitleText] = colour(p.text);
  style.Colors[ImPlotCol_InlayText] = colour(p.text);
  style.Colors[ImPlotCol_AxisText] = colour(p.dim);
  style.Colors[ImPlotCol_AxisGrid] = colour(p.grid);
  style.Colors[ImPlotCol_AxisTick] = colour(p.line);
  style.Colors[ImPlotCol_AxisBg] = colour(p.panel, 0.0f);
  style.Colors[ImPlotCol_AxisBgHovered] = colour(p.field);
  style.Colors[ImPlotCol_AxisBgActive] = colour(p.field);
  style.Colors[ImPlotCol_Selection] = colour(p.operand);
  style.Colors[ImPlotCol_Crosshairs] = colour(p.dim);
  style.PlotBorderSize = 0;
  style.PlotPadding = {0, draw::kBaseUnit * scale};
  style.LabelPadding = {draw::kBaseUnit * scale, draw::kBaseUnit * scale};
  style.LegendPadding = {draw::kBaseUnit * 2 * scale, draw::kBaseUnit * scale};
  style.MousePosPadding = {draw::kBaseUnit * 2 * scale, draw::kBaseUnit * 2 * scale};
  style.MajorTickLen = {0, 0};
  style.MinorTickLen = {0, 0};
  style.MinorAlpha = 0;
  style.PlotDefaultSize = {0, 0};
  style.PlotMinSize = {40 * scale, 40 * scale};
}

namespace {

struct Face {
  const char* name;
  const char* file;  // without its suffix
  ImFont* draw::Fonts::*target;
  ImFont* draw::Fonts::*standIn;  // null for the first
  bool isCode;
};

constexpr Face kFaces[] = {
    {"Inter Regular", "Inter-Regular", &draw::Fonts::words, nullptr, false},
    {"Inter SemiBold", "Inter-SemiBold", &draw::Fonts::wordsSemiBold, &draw::Fonts::words, false},
    {"Inter Bold", "Inter-Bold", &draw::Fonts::wordsBold, &draw::Fonts::wordsSemiBold, false},
    {"JetBrains Mono Regular", "JetBrainsMono-Regular", &draw::Fonts::code, &draw::Fonts::words, true},
    {"JetBrains Mono Bold", "JetBrainsMono-Bold", &draw::Fonts::codeBold, &draw::Fonts::code, true},
};

constexpr const char* kSuffixes[] = {".otf", ".ttf"};

struct FontFile {
  std::vector<std::byte> bytes;
  float lineInEms = 1;
};

std::optional<FontFile> readFont(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) return std::nullopt;
  const auto size = static_cast<std::streamoff>(stream.tellg());
  if (size <= 0) return std::nullopt;
  FontFile file;
  file.bytes.resize(static_cast<std::size_t>(size));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(file.bytes.data()), size);
  if (!stream) return std::nullopt;
  const auto line = lineHeightInEms(file.bytes);
  if (!line) return std::nullopt;
  file.lineInEms = *line;
  return file;
}

std::optional<FontFile> findFont(const std::vector<std::filesystem::path>& folders, const char* name) {
  for (const auto& folder : folders) {
    for (const char* suffix : kSuffixes) {
      if (auto file = readFont(folder / (std::string(name) + suffix))) return file;
    }
  }
  return std::nullopt;
}

// Dear ImGui takes a size for the height of a line; ours are ems, so the glyphs are drawn that much larger.
ImFont* addFont(ImFontAtlas& atlas, const FontFile& file, const char* name, bool mergeIntoLast) {
  ImFontConfig config;
  config.ExtraSizeScale = file.lineInEms;
  config.MergeMode = mergeIntoLast;
  std::strncpy(config.Name, name, sizeof config.Name - 1);
  void* copy = ImGui::MemAlloc(file.bytes.size());  // the atlas frees it
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, file.bytes.data(), file.bytes.size());
  return atlas.AddFontFromMemoryTTF(copy, static_cast<int>(file.bytes.size()), 0.0f, &config);
}

// Big-endian numbers of a font file; 0 outside it.
class FontReader {
 public:
  explicit FontReader(std::span<const std::byte> file) : file_(file) {}
  std::uint32_t number(std::size_t at, std::size_t bytes) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      value = value << 8 | (at + i < file_.size() ? std::to_integer<std::uint32_t>(file_[at + i]) : 0u);
    }
    return value;
  }
  float signed16(std::size_t at) const { return static_cast<std::int16_t>(number(at, 2)); }

  std::optional<std::size_t> table(std::string_view tag) const {
    constexpr std::size_t kDirectory = 12, kRecord = 16;
    const std::size_t count = number(4, 2);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t record = kDirectory + i * kRecord;
      if (record + kRecord > file_.size()) return std::nullopt;
      if (std::memcmp(file_.data() + record, tag.data(), 4) != 0) continue;
      const std::size_t offset = number(record + 8, 4), length = number(record + 12, 4);
      if (offset > file_.size() || length > file_.size() - offset) return std::nullopt;
      return offset;
    }
    return std::nullopt;
  }

 private:
  std::span<const std::byte> file_;
};

}  // namespace

std::optional<float> lineHeightInEms(std::span<const std::byte> file) {
  constexpr std::uint32_t kTrueType = 0x00010000, kOpenTypeCff = 0x4F54544F;  // 'OTTO'
  const FontReader reader(file);
  const std::uint32_t kind = reader.number(0, 4);
  if (kind != kTrueType && kind != kOpenTypeCff) return std::nullopt;
  const auto head = reader.table("head"), hhea = reader.table("hhea");
  if (!head || !hhea || !reader.table("cmap")) return std::nullopt;
  const auto unitsPerEm = static_cast<float>(reader.number(*head + 18, 2));
  const float line = reader.signed16(*hhea + 4) - reader.signed16(*hhea + 6);
  if (unitsPerEm < 16 || line < unitsPerEm / 2 || line > unitsPerEm * 4) return std::nullopt;
  return line / unitsPerEm;
}

std::vector<std::filesystem::path> fontFolders() {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share/stridescope/fonts");
  for (const char* folder :
       {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/inter",
        "/usr/share/fonts/truetype/jetbrains-mono", "/usr/share/fonts/rsms-inter-fonts",
        "/usr/share/fonts/jetbrains-mono-fonts", "/usr/share/fonts/inter", "/usr/share/fonts/TTF"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

LoadedFonts loadFonts(ImFontAtlas& atlas, const std::vector<std::filesystem::path>& folders) {
  LoadedFonts loaded;
  const auto words = findFont(folders, "Inter-Regular");
  const auto code = findFont(folders, "JetBrainsMono-Regular");
  for (const Face& face : kFaces) {
    ImFont*& target = loaded.fonts.*face.target;
    if (const auto file = findFont(folders, face.file)) {
      target = addFont(atlas, *file, face.name, false);
      const auto& complement = face.isCode ? words : code;
      if (target != nullptr && complement) addFont(atlas, *complement, face.name, true);
    }
    if (target != nullptr) continue;
    target = face.standIn == nullptr ? atlas.AddFontDefault() : loaded.fonts.*face.standIn;
    loaded.missing.push_back(std::string(face.name) +
                             " was not found; another face stands in for it. Install " +
                             (face.isCode ? "fonts-jetbrains-mono." : "fonts-inter."));
  }
  return loaded;
}

}  // namespace stridescope::shell
