#include "give_up.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stridescope::engine::sandbox {

bool giveUpPrivileges() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  return ::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void closeFrom(unsigned first) {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  rlimit most{};  // Linux before 5.9
  ::getrlimit(RLIMIT_NOFILE, &most);
  for (unsigned number = first; number < most.rlim_cur; ++number) ::close(int(number));
}

}  // namespace stridescope::engine::sandbox
