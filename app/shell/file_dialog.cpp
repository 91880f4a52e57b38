#include "shell/file_dialog.h"

#include <portable_file_dialogs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/plain_text.h"
#include "base/process.h"

namespace stridescope::shell {
namespace {

constexpr int kPollMs = 20;  // how often its process is asked whether it has ended

std::vector<std::string> filtersOf(const FileDialogRequest& request) {
  std::vector<std::string> filters;
  for (const FileKind& kind : request.kinds) {
    filters.push_back(kind.name);
    filters.push_back(kind.patterns);
  }
  filters.emplace_back("All files");
  filters.emplace_back("*");
  return filters;
}

// Until the person has answered, or `closing`.
template <class Dialog>
void wait(const Dialog& dialog, const std::atomic<bool>& closing) {
  while (!dialog.ready(kPollMs))
    if (closing) {
      dialog.kill();
      return;
    }
}

// The library asks a shell for each that it knows, in a process of its own: where none is, nobody needs to.
bool hasDialogProgram() {
  constexpr std::array kKnown{"zenity", "matedialog", "qarma", "kdialog"};
  return std::ranges::any_of(kKnown, [](const char* program) { return !findTool(program, {}).empty(); });
}

Result<std::string> ask(const FileDialogRequest& request, const std::atomic<bool>& closing) {
  const bool isThere = hasDialogProgram();
  if (isThere) pfd::settings::rescan();  // one may have been installed meanwhile
  if (!isThere || !pfd::settings::available())
    return unavailable(
        "No program for file dialogs was found. Choose from the list or type the path; zenity or kdialog "
        "would be one.");
  if (request.save) {
    pfd::save_file dialog(request.title, request.path, filtersOf(request));
    wait(dialog, closing);
    return dialog.result();
  }
  pfd::open_file dialog(request.title, request.path, filtersOf(request));
  wait(dialog, closing);
  const std::vector<std::string> chosen = dialog.result();
  return chosen.empty() ? std::string() : chosen.front();
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
