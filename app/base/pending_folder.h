// A folder of files in the making: all of them come to stand in it, or none.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/pending_file.h"

namespace stridescope {

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
