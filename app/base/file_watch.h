// Notices that another program has changed a file: by inotify on its folder, since editors often put a new
// file in the place of the old one; where there is no inotify, by looking twice a second.
#pragma once

#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "base/regular_file.h"

namespace stridescope {

class FileWatch {
 public:
  // `changed` is called from a thread of the watch's own, perhaps more than once for one change, whenever one
  // of the files was written, replaced, or removed. All of them lie in one folder.
  FileWatch(std::vector<std::filesystem::path> files, std::function<void()> changed);
  ~FileWatch();  // waits for the thread
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  std::vector<std::filesystem::path> files_;
  std::function<void()> changed_;
  Descriptor events_, ends_;  // inotify's; an eventfd that ends the thread
  std::thread thread_;
};

}  // namespace stridescope
