// A system call by its number, without the C library, and how a test asks another process for one.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace stridescope::sandbox_test {

struct RawCall {
  unsigned long number = 0;
  long arguments[6] = {-1, -1, -1, -1, -1, -1};  // nothing that any call could do harm with
};

// "59-0_1_2_3_4_5", in hexadecimal digits but for the number; "p" for an argument: the process's number.
inline std::string textOf(const RawCall& call) {
  std::string text = std::to_string(call.number) + "-";
  for (const long argument : call.arguments) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (int shift = 60; shift >= 0; shift -= 4)
      text += kDigits[static_cast<unsigned long>(argument) >> shift & 15];
    text += '_';
  }
  text.pop_back();
  return text;
}

// Allocates nothing and makes no call, but for "p".
inline RawCall callIn(const char* text) {
  RawCall call;
  char* at = nullptr;
  call.number = std::strtoul(text, &at, 10);
  for (long& argument : call.arguments) {
    if (*at == '\0') break;
    ++at;
    argument = *at == 'p' ? ::getpid() : static_cast<long>(std::strtoul(at, &at, 16));
    if (*at == 'p') ++at;
  }
  return call;
}

// What the kernel answers: below 0 an errno value. In its caller's frame, so that a child of vfork does not
// return from it twice.
[[gnu::always_inline]] inline long make(const RawCall& call) {
  long answer = 0;
#if defined(__x86_64__)
  register long fourth asm("r10") = call.arguments[3];
  register long fifth asm("r8") = call.arguments[4];
  register long sixth asm("r9") = call.arguments[5];
  asm volatile("syscall"
               : "=a"(answer)
               : "a"(call.number), "D"(call.arguments[0]), "S"(call.arguments[1]), "d"(call.arguments[2]),
                 "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
#endif
  return answer;
}

}  // namespace stridescope::sandbox_test
