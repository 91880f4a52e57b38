// A file in the making. It is written under a temporary name in the folder where it shall stand and takes its
// place whole or not at all: a reader never sees half a file, and a failure leaves nothing behind. What a run
// that was killed left there is removed by the next one (temporary_entry.h).
#pragma once

#include <atomic>
#include <filesystem>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/temporary_entry.h"

namespace stridescope {

class PendingFile {
 public:
  // Makes the temporary file, empty. Errors, each with its own sentence: the target exists and `overwrite` is
  // false, the target is no regular file, the folder is missing or may not be written to.
  static Result<PendingFile> create(const std::filesystem::path& target, bool overwrite);

  PendingFile(PendingFile&& other) = default;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();  // removes the temporary file unless it was published

  const std::filesystem::path& temporaryPath() const { return entry_.path; }

  // Appends to it. Others may write to temporaryPath() instead.
  Result<std::monostate> write(std::string_view bytes);

  // Syncs what was written to the disk and renames it. `cancel` may be null; set, it ends the syncing with
  // Cancelled, within the time that the disk takes for some megabytes.
  Result<std::monostate> publish(const std::atomic<bool>* cancel = nullptr);

  // The sentence for a failure while writing this file; `systemError` is an errno value.
  tl::unexpected<Error> failure(int systemError) const;

 private:
  PendingFile(std::filesystem::path target, TemporaryEntry entry, bool overwrite)
      : target_(std::move(target)), entry_(std::move(entry)), overwrite_(overwrite) {}
  int sync(const std::atomic<bool>* cancel) const;

  std::filesystem::path target_;
  TemporaryEntry entry_;  // without a descriptor: published, or moved from
  bool overwrite_ = false;
};

}  // namespace stridescope
