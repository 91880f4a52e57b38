#include "shell/layout_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "base/file_moves.h"
#include "base/plain_text.h"
#include "imgui_internal.h"

namespace stridescope::shell {
namespace {

constexpr int kMaxKept = 99;
constexpr std::string_view kMark = "The window's first frames are being drawn.\n";

std::string inQuotes(const std::string& path) { return "'" + printable(path) + "'"; }

// The whole file, or a little more than a layout may have.
std::optional<std::string> contentsOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMaxLayoutBytes + 1, '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  if (!stream.eof() && !stream.good()) return std::nullopt;
  text.resize(std::size_t(stream.gcount()));
  return text;
}

bool haveSameContents(const std::string& a, const std::string& b) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(a, failed);
  if (failed || bytes > kMaxLayoutBytes || bytes != std::filesystem::file_size(b, failed) || failed)
    return false;
  std::ifstream first(a, std::ios::binary), second(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

// Dear ImGui knows a window by its title. Panels that have got another one since a layout was written.
struct RenamedPanel {
  const char *before, *today;
};
constexpr std::array kRenamedPanels{RenamedPanel{"Divergence", "Lane utilization"}};

// How a dock node names the tab that is in front (ImGuiWindow::TabId).
std::string selectedTab(const char* title) {
  char text[32];
  std::snprintf(text, sizeof text, "Selected=0x%08X", ImHashStr("#TAB", 0, ImHashStr(title)));
  return text;
}

void replaceAll(std::string& text, const std::string& before, const std::string& after) {
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + after.size()))
    text.replace(at, before.size(), after);
}

// The panels of an older layout under their titles of today.
std::string withTitlesOfToday(std::string text) {
  for (const auto& [before, today] : kRenamedPanels) {
    const auto section = [](const char* title) { return "[Window][" + std::string(title) + "]\n"; };
    if (text.find(section(today)) != std::string::npos) continue;
    replaceAll(text, section(before), section(today));
    replaceAll(text, selectedTab(before), selectedTab(today));
  }
  return text;
}

}  // namespace

// Held while this window is in its first frames.
class LayoutFile::Marker {
 public:
  // Null: another window holds it, or this folder takes no locks.
  static std::unique_ptr<Marker> take(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (descriptor < 0) return nullptr;
    struct stat status {};
    const bool isMine = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &status) == 0 &&
                        S_ISREG(status.st_mode) && status.st_nlink > 0;  // 0: its holder has just removed it
    if (isMine) return std::unique_ptr<Marker>(new Marker(path, descriptor, status.st_size > 0));
    ::close(descriptor);
    return nullptr;
  }
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;
  ~Marker() {
    // An exception on its way through the first frames is no orderly end. Emptied first: who has opened it
    // and is about to lock it finds nothing.
    if (std::uncaught_exceptions() == 0 && ::ftruncate(descriptor_, 0) == 0) ::unlink(path_.c_str());
    ::close(descriptor_);
  }

  // The start that wrote it did not get as far as its second frame.
  bool wasLeft() const { return wasLeft_; }

  // False: the disk is full, and nothing is marked.
  bool write() const { return ::pwrite(descriptor_, kMark.data(), kMark.size(), 0) > 0; }

 private:
  Marker(std::string path, int descriptor, bool wasLeft)
      : path_(std::move(path)), descriptor_(descriptor), wasLeft_(wasLeft) {}

  std::string path_;
  int descriptor_;
  bool wasLeft_;
};

LayoutFile::LayoutFile() = default;
LayoutFile::~LayoutFile() = default;
LayoutFile::LayoutFile(LayoutFile&&) noexcept = default;
LayoutFile& LayoutFile::operator=(LayoutFile&&) noexcept = default;

LayoutFile::LayoutFile(const std::filesystem::path& file, std::uint32_t dockSpace) : path_(file.native()) {
  read(dockSpace);
}

void LayoutFile::read(std::uint32_t dockSpace) {
  auto marker = Marker::take(path_ + ".starting");
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0 && errno == ENOENT) return;  // the first start
  if (!S_ISREG(status.st_mode)) {
    note_ =
        inQuotes(path_) + " is not a regular file that can be read, so where the panels stand is not kept.";
    path_.clear();
    return;
  }
  if (marker && marker->wasLeft())
    return keepBeside(
        "The last start of the window ended before its second frame. Where its panels stood may have been "
        "the reason, so "
        "they stand as at first.");
  const auto contents = contentsOf(path_);
  if (!contents) {
    note_ = inQuotes(path_) +
            " cannot be read, so the panels stand as at first, and where they stand is not kept.";
    path_.clear();
    return;
  }
  if (const auto fault = faultOfLayout(*contents, dockSpace))
    return keepBeside("The layout of the panels in " + inQuotes(path_) + " is damaged (" + *fault +
                      "), so they stand as at first.");
  text_ = withTitlesOfToday(*contents);
  if (!text_.empty() && marker && marker->write()) marker_ = std::move(marker);
}

void LayoutFile::setStarted() { marker_.reset(); }

void LayoutFile::keepBeside(const std::string& why) {
  note_ = why;
  int failure = EEXIST;
  for (int number = 1; number <= kMaxKept && failure == EEXIST; ++number) {
    const std::string kept = path_ + ".kept" + (number > 1 ? "-" + std::to_string(number) : "");
    // What is there already gives way only to the same.
    const auto move = haveSameContents(path_, kept) ? &moveReplacing : &moveWithoutReplacing;
    failure = move(path_.c_str(), kept.c_str());
    if (failure == 0) note_ += " The old layout is kept as " + inQuotes(kept) + ".";
  }
  if (failure == 0 || failure == ENOENT) return;  // ENOENT: another window was faster
  note_ += " The old layout cannot be moved out of the way (" + std::generic_category().message(failure) +
           "), so where the panels stand is not kept this time.";
  path_.clear();
}

}  // namespace stridescope::shell
