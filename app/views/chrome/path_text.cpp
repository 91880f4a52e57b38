#include "views/chrome/path_text.h"

#include <algorithm>
#include <sstream>

namespace stridescope::views {
namespace {

// The common beginning ends between two characters of UTF-8.
std::size_t commonLength(std::string_view a, std::string_view b) {
  std::size_t length = std::size_t(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto isWithinCharacter = [](std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u;
  };
  while (length > 0 && (isWithinCharacter(a, length) || isWithinCharacter(b, length))) --length;
  return length;
}

}  // namespace

TypedPath typedPath(std::string_view text) {
  if (text == "~" || text == ".." || text.ends_with("/.."))
    return {.folder = std::string(text) + "/", .begun = {}};
  const std::size_t slash = text.rfind('/');
  if (slash == text.npos) return {.folder = {}, .begun = std::string(text)};
  return {.folder = std::string(text.substr(0, slash + 1)), .begun = std::string(text.substr(slash + 1))};
}

bool isOfKinds(std::string_view name, const std::vector<shell::FileKind>& kinds) {
  if (kinds.empty()) return true;
  for (const shell::FileKind& kind : kinds) {
    std::istringstream patterns(kind.patterns);
    for (std::string pattern; patterns >> pattern;)
      if (pattern.starts_with('*') ? name.ends_with(std::string_view(pattern).substr(1)) : name == pattern)
        return true;
  }
  return false;
}

std::vector<shell::FolderEntry> candidatesFor(const TypedPath& typed, const shell::FolderListing& listing,
                                              const std::vector<shell::FileKind>& kinds) {
  std::vector<shell::FolderEntry> candidates;
  for (const shell::FolderEntry& entry : listing.entries) {
    if (!entry.name.starts_with(typed.begun)) continue;
    if (entry.name.starts_with('.') && typed.begun.empty()) continue;
    if (entry.isFolder || isOfKinds(entry.name, kinds)) candidates.push_back(entry);
  }
  return candidates;
}

std::string pathOf(const TypedPath& typed, const shell::FolderEntry& entry) {
  return typed.folder + entry.name + (entry.isFolder ? "/" : "");
}

std::string completed(const TypedPath& typed, const std::vector<shell::FolderEntry>& candidates) {
  if (candidates.size() == 1) return pathOf(typed, candidates.front());
  if (candidates.empty()) return typed.folder + typed.begun;
  std::string_view common = candidates.front().name;
  for (const shell::FolderEntry& entry : candidates)
    common = common.substr(0, commonLength(common, entry.name));
  return typed.folder + std::string(common);
}

std::string folderAbove(std::string_view folder) {
  if (folder == "/") return {};
  if (folder.empty()) return "../";
  if (folder == "~/" || folder.ends_with("../")) return std::string(folder) + "../";
  if (folder == "./") return "../";
  folder.remove_suffix(1);
  const std::size_t slash = folder.rfind('/');
  return slash == folder.npos ? "./" : std::string(folder.substr(0, slash + 1));
}

}  // namespace stridescope::views
