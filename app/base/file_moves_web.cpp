// The files of a page are in its memory, and nobody else moves them. What comes to stand outside the folder
// of settings is what a person saves: the browser puts it among its downloads, too.
#include <emscripten/emscripten.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "base/file_moves.h"

EM_JS(void, pageSaved, (const char* file), { Module.page.saved(UTF8ToString(file)); });

namespace stridescope {

int moveReplacing(const char* from, const char* to) {
  if (std::rename(from, to) != 0) return errno;
  if (std::string_view(to).find("/.config/") == std::string_view::npos) pageSaved(to);
  return 0;
}

int moveWithoutReplacing(const char* from, const char* to) {
  struct stat status {};
  if (::lstat(to, &status) == 0) return EEXIST;
  return moveReplacing(from, to);
}

int syncToDisk(int, const std::atomic<bool>* cancel) { return cancel && *cancel ? ECANCELED : 0; }

}  // namespace stridescope
