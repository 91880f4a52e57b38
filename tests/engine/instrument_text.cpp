// Writes a kernel's instrumented text, for tests to compile.
//   instrument_text KERNEL.cu OUTPUT
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "instrument/instrument.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "instrument_text KERNEL.cu OUTPUT\n";
    return 2;
  }
  std::ifstream file(arguments[1]);
  const auto result =
      stridescope::instrument::instrument(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!result) {
    std::cerr << arguments[1] << "(" << result.error().line << "): " << result.error().reason << "\n";
    return 1;
  }
  std::ofstream output(arguments[2]);
  output << "#line 1 \"" << arguments[1] << "\"\n" << result->text;
  return output ? 0 : 1;
}
