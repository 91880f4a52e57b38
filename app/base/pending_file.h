// Files and folders in the making, and what runs that were killed left of theirs. Each has a name that
// nothing else has, .stridescope-NUMBER-NUMBER.tmp, and is locked as long as its process lives, so that the
// next run can tell the one from the other, on another machine that shares the folder, too.
#pragma once

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/regular_file.h"
#include "base/result.h"

namespace stridescope {

// The path with the folder that it is relative to, for a person who does not know where the program was
// started.
std::string absoluteOf(const std::string& path);

struct TemporaryEntry {
  std::filesystem::path path;
  Descriptor lock;      // a file's, open for reading and writing; while it is open, nobody sweeps the entry
  int systemError = 0;  // an errno value: there is no entry
};

// A new empty file, or a folder that nobody else may enter. Both sweep `folder` first.
TemporaryEntry makeTemporaryFile(const std::filesystem::path& folder);
TemporaryEntry makeTemporaryFolder(const std::filesystem::path& folder);

// Removes what runs of this user that are gone left in `folder`. Nothing else is touched, no link is
// followed, and nothing is told: what cannot be removed stays.
void sweepTemporaries(const std::filesystem::path& folder);

// For a process that ends at once: removes every such file and folder that this process made and that still
// stands under its temporary name. It waits for publishing(), and from then on this process can begin no new
// one.
void removeOwnTemporaries() noexcept;

// While it is held, removeOwnTemporaries() waits: several files are moved to where they shall stand.
[[nodiscard]] std::unique_lock<std::mutex> publishing();

// The sentence for a file, or a folder of files, that cannot be written; `systemError` is an errno value.
tl::unexpected<Error> cannotWrite(const std::filesystem::path& target, int systemError);

// It is written under a temporary name in the folder where it shall stand and takes its place whole or not at
// all: a reader never sees half a file, and a failure leaves nothing behind. What a run that was killed left
// there is removed by the next one.
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
  tl::unexpected<Error> failure(int systemError) const { return cannotWrite(target_, systemError); }

 private:
  PendingFile(std::filesystem::path target, TemporaryEntry entry, bool overwrite)
      : target_(std::move(target)), entry_(std::move(entry)), overwrite_(overwrite) {}

  std::filesystem::path target_;
  TemporaryEntry entry_;  // without a descriptor: published, or moved from
  bool overwrite_ = false;
};

// A whole file of these bytes: create(), write(), publish(), and their errors.
Result<std::monostate> writeWhole(const std::filesystem::path& target, std::string_view bytes, bool overwrite,
                                  const std::atomic<bool>* cancel = nullptr);

// A folder of files in the making: all of them come to stand in it, or none.

// Its files are written into a folder with a temporary name, which takes the place of the new folder. Where
// a folder with something in it is written to, the temporary one stands in it, and its files are moved when
// all are written: others of that folder stay, those of the same names are replaced.
class PendingFolder {
 public:
  // Errors, each with its own sentence: there is something else than a folder, the folder is not empty and
  // `overwrite` is false, what it stands in is missing or may not be written to.
  static Result<PendingFolder> create(const std::filesystem::path& target, bool overwrite);

  PendingFolder(PendingFolder&& other) = default;
  PendingFolder& operator=(PendingFolder&&) = delete;
  ~PendingFolder();  // removes what was written unless it was published

  // `name`: without a path, and new.
  Result<std::monostate> add(const std::string& name, std::string_view bytes);

  Result<std::monostate> publish();

 private:
  PendingFolder(std::filesystem::path target, TemporaryEntry entry, bool isInside)
      : target_(std::move(target)), entry_(std::move(entry)), isInside_(isInside) {}
  Result<std::monostate> publishAsNew();
  Result<std::monostate> moveFiles();

  std::filesystem::path target_;
  TemporaryEntry entry_;  // without a descriptor: published, or moved from
  bool isInside_ = false;
  std::vector<std::string> names_;
};

}  // namespace stridescope
