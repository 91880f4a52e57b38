// A person's text made plain for the text pass (app/instrument), which reads one kernel without a
// preprocessor's lines: what the preprocessor and the launches decide is decided here. Everything keeps its
// line. What is not understood stays, and the text pass says what it does not take.
//
// - #if, #ifdef and their like are decided, where the text's own macros do; what is not compiled becomes
//   blanks.
// - Macros are expanded, but for plain constants; those that nothing uses are left out. So are #pragma once,
//   C++'s headers that only the host uses, and using namespace std.
// - Kernels that no launch names are left out, as are instantiations (template void k<int>(int*);) and a
//   kernel's default arguments.
// - template <class T, int N> before the launched kernel becomes using T = float; constexpr int N = 256;
// - typedef int number; becomes using number = int;
#pragma once

#include <string>
#include <vector>

#include "named_kernels.h"
#include "text_edits.h"

namespace stridescope::engine::access {

class SettledText {
 public:
  // `deviceText`: of a text that can be read.
  SettledText(const std::string& deviceText, const NamedKernels& kernels);

  const std::string& text() const { return text_; }

  // A kernel that is no template any longer, by its place among the named ones.
  const std::vector<bool>& isPlain() const { return isPlain_; }

  // Lines that do not compile where a header defines what a condition takes to be undefined. They go before
  // the text.
  const std::string& check() const { return check_; }

  // The column, 1-based, of the text before it was settled.
  int columnBefore(int line, int column) const;
  // The same of the last byte of something: within what took a macro's place, the last one of the macro's
  // use.
  int lastColumnBefore(int line, int column) const;

 private:
  std::string text_;
  std::vector<TextEdits> steps_;  // in their order
  std::vector<bool> isPlain_;
  std::string check_;
};

}  // namespace stridescope::engine::access
