#include "private_folder.h"

#include <system_error>

namespace stridescope::engine::sandbox {

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::make() {
  std::error_code failed;
  const std::filesystem::path named = std::filesystem::temp_directory_path(failed);
  // Whole, as TMPDIR may not be: what runs in the folder is told its path, too.
  const std::filesystem::path parent = std::filesystem::absolute(failed ? "/tmp" : named);
  TemporaryEntry entry = makeTemporaryFolder(parent);
  if (entry.systemError != 0)
    return unavailable("No temporary folder could be made in " + parent.native() + ": " +
                       std::generic_category().message(entry.systemError) +
                       ". Make room there, or name another folder in TMPDIR.");
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(entry)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path(), ignored);
}

}  // namespace stridescope::engine::sandbox
