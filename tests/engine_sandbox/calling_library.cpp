// In place of a compiled combine: makes the system call that its file's name asks for, "load-" and a
// RawCall's text when it is loaded, "call-" when its combine is called, and then gives the kernel's answer.
#include <dlfcn.h>

#include <cstring>

#include "raw_call.h"

namespace {

using namespace stridescope::sandbox_test;

int answer = 0;
bool isAnswered = false;

void makeIfAsked(const char* when) {
  Dl_info self{};
  if (isAnswered || ::dladdr(reinterpret_cast<const void*>(&makeIfAsked), &self) == 0) return;
  const char* const slash = std::strrchr(self.dli_fname, '/');
  const char* const name = slash == nullptr ? self.dli_fname : slash + 1;
  if (std::strncmp(name, when, std::strlen(when)) != 0) return;
  isAnswered = true;
  answer = int(make(callIn(name + std::strlen(when))));
}

[[gnu::constructor]] void whenLoaded() { makeIfAsked("load-"); }

}  // namespace

extern "C" __attribute__((visibility("default"))) int stridescope_combine(int, int) {
  makeIfAsked("call-");
  return answer;
}
