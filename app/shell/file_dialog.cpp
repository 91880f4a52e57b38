#include "shell/file_dialog.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "base/process.h"

namespace stridescope::shell {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
constexpr std::uint64_t kMostAnswerBytes = 1 << 16;

// matedialog and qarma take zenity's options. The first that is installed is asked: on KDE its own.
std::string dialogProgram() {
  std::array<std::string, 4> known{"zenity", "matedialog", "qarma", "kdialog"};
  if (const char* const desktop = std::getenv("XDG_CURRENT_DESKTOP");
      desktop != nullptr && std::string_view(desktop).find("KDE") != std::string_view::npos)
    std::ranges::rotate(known, known.end() - 1);
  for (const std::string& name : known)
    if (std::string program = findTool(name, {}); !program.empty()) return program;
  return {};
}

// zenity's manual, 'File Selection Options'.
std::vector<std::string> zenityArguments(const FileDialogRequest& request,
                                         const std::vector<FileKind>& kinds) {
  std::vector<std::string> arguments{"--file-selection", "--title=" + request.title};
  if (!request.path.empty()) arguments.push_back("--filename=" + request.path);
  for (const FileKind& kind : kinds) arguments.push_back("--file-filter=" + kind.name + "|" + kind.patterns);
  if (request.save) arguments.insert(arguments.end(), {"--save", "--confirm-overwrite"});
  return arguments;
}

// `kdialog --help`; it asks by itself before it replaces a file. A start of ":" is the folder of last time.
std::vector<std::string> kdialogArguments(const FileDialogRequest& request,
                                          const std::vector<FileKind>& kinds) {
  std::string filter;
  for (const FileKind& kind : kinds)
    filter += (filter.empty() ? "" : "\n") + kind.name + " (" + kind.patterns + ")";
  return {"--title", request.title, request.save ? "--getsavefilename" : "--getopenfilename",
          request.path.empty() ? ":" : request.path, filter};
}

// Until the person has answered, or `closing`.
Result<std::string> ask(const FileDialogRequest& request, const std::atomic<bool>& closing) {
  const std::string program = dialogProgram();
  if (program.empty())
    return unavailable(
        "No program for file dialogs was found. Choose from the list or type the path; zenity or kdialog "
        "would be one.");
  std::vector<FileKind> kinds = request.kinds;
  kinds.push_back({"All files", "*"});
  const OutputFile output(kMostAnswerBytes);
  auto dialog =
      ChildProcess::start({.program = program,
                           .arguments = program.ends_with("kdialog") ? kdialogArguments(request, kinds)
                                                                     : zenityArguments(request, kinds),
                           .given = {{STDOUT_FILENO, output.descriptor()}},
                           .ownGroup = true});
  if (!dialog) return unavailable("The file dialog could not be opened. Type the path.", program);
  while (!dialog->hasEnded(kBetweenLooks))
    if (closing) return std::string();
  if (dialog->status() != 0) return std::string();  // nothing was chosen
  std::string path = output.text(kMostAnswerBytes);
  if (path.ends_with('\n')) path.pop_back();
  return path;
}

}  // namespace

struct FileDialog::State {
  std::atomic<bool> closing = false;
  std::mutex mutex;
  std::optional<Result<std::string>> answer;
};

FileDialog::FileDialog(const FileDialogRequest& request)
    : state_(std::make_unique<State>()), thread_([request, state = state_.get()] {
        auto answer = withoutExceptions("choosing a file", [&] { return ask(request, state->closing); });
        const std::lock_guard lock(state->mutex);
        state->answer = std::move(answer);
      }) {}

FileDialog::~FileDialog() {
  state_->closing = true;
  thread_.join();
}

std::optional<Result<std::string>> FileDialog::answer() const {
  const std::lock_guard lock(state_->mutex);
  return state_->answer;
}

struct FolderReader::State {
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::optional<Result<FolderListing>> answer;
};

// The thread is let go, as it may hang in the system; it has all that it uses.
FolderReader::FolderReader(std::string folder, std::string begun)
    : folder_(std::move(folder)), begun_(std::move(begun)), state_(std::make_shared<State>()) {
  std::thread([state = state_, path = withHome(folder_), name = begun_] {
    auto answer = withoutExceptions("listing a folder", [&] { return listFolder(path, name, &state->stop); });
    const std::lock_guard lock(state->mutex);
    state->answer = std::move(answer);
  }).detach();
}

FolderReader::~FolderReader() { state_->stop = true; }

std::optional<Result<FolderListing>> FolderReader::answer() const {
  const std::lock_guard lock(state_->mutex);
  return state_->answer;
}

}  // namespace stridescope::shell
