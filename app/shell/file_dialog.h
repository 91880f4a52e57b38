// The desktop's own dialog for files: zenity, kdialog or one of their kin, in a process of its own, which a
// separate thread waits for.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"

namespace stridescope::shell {

struct FileKind {
  std::string name;      // "Recordings"
  std::string patterns;  // "*.stride", with blanks between several
};

struct FileDialogRequest {
  bool save = false;  // the name of a file to write; the dialog asks before one that is there is replaced
  std::string title;
  std::string path = {};             // a folder or a file to begin with; empty: as the desktop likes it
  std::vector<FileKind> kinds = {};  // all files can be chosen besides
};

class FileDialog {
 public:
  explicit FileDialog(const FileDialogRequest& request);  // opens it, soon
  ~FileDialog();                                          // closes it, if it is still open
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  // nullopt: it is open. The path that was chosen, empty: none was. Error: this machine has no such dialog.
  std::optional<Result<std::string>> answer() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::thread thread_;
};

// What is in a folder, for lists of files: read by a thread of its own, because a folder on a network may
// take long or not answer at all.

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
