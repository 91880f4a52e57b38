// What a kernel prints, in place of this process's standard output, which is nobody's.
#pragma once

#include <string>

namespace stridescope::engine::access::gpu {

class PrintedText {
 public:
  PrintedText();
  ~PrintedText();
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;

  std::string text() const;  // its beginning, of at most 64 KiB

 private:
  int file_, before_;
};

}  // namespace stridescope::engine::access::gpu
