// A shared library opened at run time and closed when its last user goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::gpu {

class SharedLibrary {
 public:
  // The first of `candidates` that opens: files' paths, or names that the system's loader looks up. Fails
  // with an error whose details name each candidate and the loader's reason.
  static Result<std::shared_ptr<SharedLibrary>> open(const std::vector<std::string>& candidates);

  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // The function of that name, cast to the type wanted; nullptr if the library has none.
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  // The file it was loaded from; the name it was opened by where the loader does not tell.
  const std::string& path() const { return path_; }

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* symbol(const char* name) const;

  void* handle_;
  std::string path_;
};

}  // namespace stridescope::engine::gpu
