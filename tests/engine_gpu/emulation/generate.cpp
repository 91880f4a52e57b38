// Writes programs for the emulated device.
//   generate NAME KERNEL FILE     the kernel's text as C++; element type int, operator +
//   generate --list FILE NAMES... the function that finds them
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "instrument/instrument.h"
#include "kernels/catalog.h"

namespace {

using namespace stridescope;

std::string declarationOf(const std::string& name) {
  return "extern \"C\" void emulated_" + name +
         "(recording::GpuControl& control, const stridescope::StandInLaunch& launch)";
}

int writeKernel(const std::string& name, const std::string& kernelFile, const std::string& output) {
  std::ifstream file(kernelFile);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto instrumented = instrument(text);
  if (!instrumented) {
    std::cerr << kernelFile << "(" << instrumented.error().line << "): " << instrumented.error().reason
              << "\n";
    return 1;
  }
  std::ofstream(output)
      << "#include \"device.h\"\n#include \"stand_in_driver.h\"\n"
      // Each module on a GPU has a control block of its own.
      << "#define recording_control recording_control_of_" << name << "\n#include \"recording/gpu.h\"\n"
      << "namespace text_of_" << name << " {\n"
      << preambleOf(text, ElementType::Int, Operator::Add, 64)
      << "alignas(16) T data[emulated::kSharedBytes / sizeof(T)];\n#line 1 \"" << name << ".cu\"\n"
      << instrumented->text << "\n}\n"
      << declarationOf(name) << " {\n"
      << "  using namespace text_of_" << name << ";\n"
      << "  std::memcpy(static_cast<void*>(&recording_control), &control, sizeof control);\n"
      << "  emulated::launch(launch.grid, launch.threads, launch.sharedBytes, data, [&] {\n    "
      << instrumented->kernel
      << "(static_cast<const T*>(launch.arguments[0]), static_cast<T*>(launch.arguments[1]));\n  });\n"
      << "  std::memcpy(static_cast<void*>(&control), &recording_control, sizeof control);\n}\n";
  return 0;
}

int writeList(const std::string& output, char** names, int count) {
  std::ofstream file(output);
  file << "#include \"emulation/emulated_kernels.h\"\n";
  for (int i = 0; i < count; ++i) file << declarationOf(names[i]) << ";\n";
  file << "namespace stridescope {\nStandInKernel emulatedKernel(std::string_view name) {\n";
  for (int i = 0; i < count; ++i)
    file << "  if (name == \"" << names[i] << "\") return emulated_" << names[i] << ";\n";
  file << "  return nullptr;\n}\n}\n";
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string first = count > 1 ? arguments[1] : "";
  if (first == "--list" && count > 2) return writeList(arguments[2], arguments + 3, count - 3);
  if (count == 4) return writeKernel(first, arguments[2], arguments[3]);
  std::cerr << "generate NAME KERNEL FILE, or generate --list FILE NAMES...\n";
  return 2;
}
