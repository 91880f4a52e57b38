// A file in the making. It is written under a temporary name in the folder where it shall stand and takes its
// place whole or not at all: a reader never sees half a file, and a failure leaves nothing behind.
#pragma once

#include <filesystem>
#include <string_view>
#include <variant>

#include "trace/result.h"

namespace stridescope {

class PendingFile {
 public:
  // Makes the temporary file, empty. Errors, each with its own sentence: the target exists and `overwrite` is
  // false, the target is no regular file, the folder is missing or may not be written to.
  static Result<PendingFile> create(const std::filesystem::path& target, bool overwrite);

  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();  // removes the temporary file unless it was published

  const std::filesystem::path& temporaryPath() const { return temporary_; }

  // Syncs what was written to the disk and renames it.
  Result<std::monostate> publish();

  // The sentence for a failure while writing this file; `systemError` is an errno value.
  tl::unexpected<Error> failure(int systemError) const;

 private:
  PendingFile() = default;

  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
  bool overwrite_ = false;
};

}  // namespace stridescope
