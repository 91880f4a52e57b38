#include "private_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace stridescope {

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::make() {
  std::error_code failed;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
  // Whole, as TMPDIR may not be: what runs in the folder is told its path, too.
  std::string name =
      std::filesystem::absolute(failed ? std::filesystem::path("/tmp") : parent) / "stridescope-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    return unavailable("No temporary folder could be made in " + parent.native() +
                           ". Make room there, or name another folder in TMPDIR.",
                       std::strerror(errno));
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(name)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace stridescope
