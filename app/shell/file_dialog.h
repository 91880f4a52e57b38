// The desktop's own dialog for files: zenity, kdialog or one of their kin, in a process of its own, which a
// separate thread waits for.
#pragma once

#include <memory>
#include <optional>
#include <string>
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

}  // namespace stridescope::shell
