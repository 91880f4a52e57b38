#include "base/file_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

namespace stridescope {
namespace {

constexpr int kLookMs = 500;   // without inotify, and on folders of other machines, of which it tells nothing
constexpr int kSettleMs = 20;  // what comes in one go is one change

// What a file is, so that another one in its place is told from it.
using Stamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;

std::vector<Stamp> stampsOf(const std::vector<std::filesystem::path>& files) {
  std::vector<Stamp> stamps;
  for (const auto& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) status = {};
    stamps.emplace_back(status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                        status.st_mtim.tv_nsec);
  }
  return stamps;
}

void drain(int descriptor) {
  alignas(inotify_event) std::array<char, 4096> events;
  while (::read(descriptor, events.data(), events.size()) > 0) {
  }
}

}  // namespace

FileWatch::FileWatch(std::vector<std::filesystem::path> files, std::function<void()> changed)
    : files_(std::move(files)),
      changed_(std::move(changed)),
      events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      ends_(::eventfd(0, EFD_CLOEXEC)) {
  const auto folder = files_.empty() ? std::filesystem::path() : files_.front().parent_path();
  const bool watches =
      events_.number() >= 0 &&
      ::inotify_add_watch(events_.number(), folder.empty() ? "." : folder.c_str(),
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE) >= 0;
  if (!watches) events_.close();
  thread_ = std::thread([this, before = stampsOf(files_)]() mutable {
    pollfd waits[] = {{ends_.number(), POLLIN, 0}, {events_.number(), POLLIN, 0}};
    while (true) {
      ::poll(waits, 2, kLookMs);
      if ((waits[0].revents & POLLIN) != 0) return;
      if ((waits[1].revents & POLLIN) != 0) {
        ::poll(waits, 1, kSettleMs);
        drain(events_.number());
      }
      if (auto now = stampsOf(files_); now != before) {
        before = std::move(now);
        changed_();
      }
    }
  });
}

FileWatch::~FileWatch() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(ends_.number(), &one, sizeof one);
  thread_.join();
}

}  // namespace stridescope
