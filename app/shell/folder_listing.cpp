#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "base/plain_text.h"
#include "shell/file_dialog.h"

namespace stridescope::shell {

std::string withHome(std::string_view path) {
  const char* const home = std::getenv("HOME");
  const bool isHome = path == "~" || path.starts_with("~/");
  if (!isHome || home == nullptr || *home == '\0') return std::string(path);
  return home + std::string(path.substr(1));
}

Result<FolderListing> listFolder(const std::string& folder, std::string_view begun,
                                 const std::atomic<bool>* stop) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::directory_iterator entries(folder.empty() ? "." : folder, failed);
  const auto failure = [&] {
    return unavailable("The folder " + printable(folder.empty() ? "." : folder) +
                       " cannot be listed: " + failed.message() + ".");
  };
  if (failed) return failure();
  FolderListing listing;
  while (entries != fs::directory_iterator()) {
    if (stop != nullptr && *stop) break;
    const std::string name = entries->path().filename().native();
    const bool isHidden = name.starts_with('.') && !begun.starts_with('.');
    if (!isHidden && name.starts_with(begun)) {
      if (listing.entries.size() == kMaxListedEntries) {
        listing.isWhole = false;
        break;
      }
      std::error_code unknown;  // a link that leads nowhere is a file
      listing.entries.push_back({name, entries->is_directory(unknown)});
    }
    entries.increment(failed);
    if (failed) return failure();
  }
  std::ranges::sort(listing.entries, {}, [](const FolderEntry& entry) {
    return std::tuple(!entry.isFolder, std::string_view(entry.name));
  });
  return listing;
}

}  // namespace stridescope::shell
