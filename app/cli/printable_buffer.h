// What the command line writes, on its way out: everything is made printable (base/plain_text.h), with
// newlines and tabs. So no text from a file, a driver or the command line itself reaches the terminal as it
// is, whoever prints it.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace stridescope::cli {

// For an ostream of its own; what is written to that goes to `target`, at once.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& target) : target_(target) {}
  ~PrintableBuffer() override;

 private:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* data, std::streamsize size) override;
  int sync() override;
  void write(std::string_view text);

  std::ostream& target_;
  std::string begun_;  // the beginning of a character whose end has not been written yet
};

}  // namespace stridescope::cli
