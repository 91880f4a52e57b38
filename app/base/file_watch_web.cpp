// No other program reaches the files of a page: nothing changes behind its back.
#include <utility>

#include "base/file_watch.h"

namespace stridescope {

FileWatch::FileWatch(std::vector<std::filesystem::path> files, std::function<void()> changed)
    : files_(std::move(files)), changed_(std::move(changed)) {}

FileWatch::~FileWatch() = default;

}  // namespace stridescope
