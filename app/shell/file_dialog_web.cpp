// The browser's own dialog for files: what the person chooses is copied into the page's memory, and is then a
// file of that name. What is saved goes to the browser's downloads, whose name is typed.
#include <emscripten/emscripten.h>

#include <string>
#include <utility>

#include "base/result.h"
#include "shell/file_dialog.h"

// The functions of page.js that this calls. `accept`: "*.stride *.md".
EM_JS(int, pageChooseFile, (const char* accept), { return Module.page.chooseFile(UTF8ToString(accept)); });
// 0: the dialog is open, 1: a file was chosen, 2: none was.
EM_JS(int, pageChosen, (int dialog), { return Module.page.chosen(dialog); });
EM_JS(void, pageChosenPath, (int dialog, char* to, int bytes),
      { stringToUTF8(Module.page.chosenPath(dialog), to, bytes); });

namespace stridescope::shell {

struct FileDialog::State {
  bool save = false;
  int dialog = 0;
};

FileDialog::FileDialog(const FileDialogRequest& request) : state_(std::make_unique<State>()) {
  state_->save = request.save;
  if (request.save) return;
  std::string accept;
  for (const FileKind& kind : request.kinds) accept += kind.patterns + " ";
  state_->dialog = pageChooseFile(accept.c_str());
}

FileDialog::~FileDialog() = default;

std::optional<Result<std::string>> FileDialog::answer() const {
  if (state_->save) return unavailable("Type a name: the browser saves the file among its downloads.");
  switch (pageChosen(state_->dialog)) {
    case 0:
      return std::nullopt;
    case 1: {
      std::string path(1024, '\0');
      pageChosenPath(state_->dialog, path.data(), int(path.size()));
      path.resize(path.find('\0'));
      return path;
    }
    default:
      return std::string();
  }
}

// The page's memory is read at once.
struct FolderReader::State {
  Result<FolderListing> answer;
};

FolderReader::FolderReader(std::string folder, std::string begun)
    : folder_(std::move(folder)),
      begun_(std::move(begun)),
      state_(std::make_shared<State>(State{listFolder(withHome(folder_), begun_)})) {}

FolderReader::~FolderReader() = default;

std::optional<Result<FolderListing>> FolderReader::answer() const { return state_->answer; }

}  // namespace stridescope::shell
