// In place of a compiler: makes one system call, a RawCall's text, and prints the kernel's answer.
#include <sys/syscall.h>

#include <cstdio>

#include "raw_call.h"

using namespace stridescope::sandbox_test;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const RawCall call = callIn(argv[1]);
  const long answer = make(call);
#if defined(__x86_64__)
  const bool makesProcesses = call.number == SYS_fork || call.number == SYS_vfork || call.number == SYS_clone;
  if (makesProcesses && answer == 0) make({.number = SYS_exit_group, .arguments = {0}});
#endif
  std::printf("answer %ld\n", answer);
  return 0;
}
