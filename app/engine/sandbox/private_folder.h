// A folder that nobody else may enter, removed with everything in it when the object goes; should the program
// be killed, when it starts again (base/pending_file.h).
#pragma once

#include <filesystem>
#include <memory>

#include "base/pending_file.h"
#include "base/result.h"

namespace stridescope::engine::sandbox {

class PrivateFolder {
 public:
  static Result<std::unique_ptr<PrivateFolder>> make();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return entry_.path; }  // absolute

 private:
  explicit PrivateFolder(TemporaryEntry entry) : entry_(std::move(entry)) {}
  TemporaryEntry entry_;
};

}  // namespace stridescope::engine::sandbox
