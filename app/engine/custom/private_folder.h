// A folder that nobody else may enter, removed with everything in it when the object goes.
#pragma once

#include <filesystem>
#include <memory>

#include "trace/result.h"

namespace stridescope {

class PrivateFolder {
 public:
  static Result<std::unique_ptr<PrivateFolder>> make();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }  // absolute

 private:
  explicit PrivateFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace stridescope
