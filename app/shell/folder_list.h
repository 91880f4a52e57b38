// What is in a folder, for lists of files: read by a thread of its own, because a folder on a network may
// take long or not answer at all.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::shell {

struct FolderEntry {
  std::string name;
  bool isFolder = false;  // or a link to one

  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

struct FolderListing {
  std::vector<FolderEntry> entries;  // folders first, each kind by name
  bool isWhole = true;               // false: there are more than are listed
};

inline constexpr std::size_t kMaxListedEntries = 2000;

// "~" and what begins with "~/" in the person's home folder (HOME); every other path as it is.
std::string withHome(std::string_view path);

// The entries whose names begin with `begun`: hidden ones only if that begins with a dot. Error: a sentence
// that names the folder. `stop`, if there is one, ends it soon: with what was found until then.
Result<FolderListing> listFolder(const std::string& folder, std::string_view begun,
                                 const std::atomic<bool>* stop = nullptr);

class FolderReader {
 public:
  // Begins to read. `folder` may begin with ~.
  FolderReader(std::string folder, std::string begun);
  ~FolderReader();  // does not wait
  FolderReader(const FolderReader&) = delete;
  FolderReader& operator=(const FolderReader&) = delete;

  const std::string& folder() const { return folder_; }
  const std::string& begun() const { return begun_; }
  // nullopt: it is being read.
  std::optional<Result<FolderListing>> answer() const;

 private:
  struct State;
  std::string folder_, begun_;
  std::shared_ptr<State> state_;
};

}  // namespace stridescope::shell
