#include "file_rules.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sandbox_support.h"

namespace stridescope::engine::sandbox {
namespace {

// The kernel's structure as its newest version has it, and rights that are newer than Debian 12's header.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};
constexpr std::uint64_t kTruncate = 1ull << 14, kDeviceControl = 1ull << 15;
constexpr std::uint64_t kBindAndConnect = 3, kAbstractSocketsAndSignals = 3;

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kChange = kRead | kTruncate | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                  LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;  // the others are a folder's

// Everything that this version can forbid.
Ruleset everything(int version) {
  Ruleset all{.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  if (version >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) all.files |= kTruncate;
  if (version >= 4) all.network = kBindAndConnect;
  if (version >= 5) all.files |= kDeviceControl;
  if (version >= 6) all.scopes = kAbstractSocketsAndSignals;
  return all;
}

std::size_t sizeKnownTo(int version) {
  return version >= 6   ? sizeof(Ruleset)
         : version >= 4 ? offsetof(Ruleset, scopes)
                        : offsetof(Ruleset, network);
}

std::uint64_t rightsOf(FileAccess access) {
  switch (access) {
    case FileAccess::Read:
      return kRead;
    case FileAccess::ReadAndRun:
      return kRead | LANDLOCK_ACCESS_FS_EXECUTE;
    case FileAccess::Change:
      break;
  }
  return kChange;
}

tl::unexpected<Error> noRules() {
  return unavailable(
      "The kernel's Landlock could not be set up, so a person's code is not run. Close other programs.",
      std::strerror(errno));
}

}  // namespace

Result<FileRules> FileRules::make(const std::vector<AllowedFiles>& allowed) {
  const int version = sandboxSupport().landlock;
  if (version == 0) return FileRules(Descriptor());
  const Ruleset all = everything(version);
  Descriptor ruleset(int(::syscall(SYS_landlock_create_ruleset, &all, sizeKnownTo(version), 0)));
  if (ruleset.number() < 0) return noRules();
  for (const AllowedFiles& each : allowed) {
    const Descriptor place(::open(each.path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (place.number() < 0 || ::fstat(place.number(), &status) != 0) continue;
    landlock_path_beneath_attr rule{.allowed_access = rightsOf(each.access) & all.files,
                                    .parent_fd = place.number()};
    if (!S_ISDIR(status.st_mode)) rule.allowed_access &= kOfFiles;
    if (::syscall(SYS_landlock_add_rule, ruleset.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      return noRules();
  }
  return FileRules(std::move(ruleset));
}

bool FileRules::enforce() const {
  return ruleset_.number() < 0 || ::syscall(SYS_landlock_restrict_self, ruleset_.number(), 0) == 0;
}

}  // namespace stridescope::engine::sandbox
