#include "shell/font_loader.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace stridescope::shell {
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
