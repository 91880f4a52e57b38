// Writes programs for the emulated device.
//   generate NAME KERNEL FILE     the kernel's text as C++
//   generate --list FILE NAMES... the function that finds them
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "instrument/instrument.h"
#include "kernels/catalog.h"

namespace {

using namespace stridescope;

std::string declarationOf(const std::string& name) {
  return "extern \"C\" void emulated_" + name +
         "(recording::GpuControl& control, const stridescope::engine::gpu::StandInLaunch& launch)";
}

// The preamble takes the first type and operator that a variant offers, int and + before others.
std::string preambleFor(const std::string& name, const std::string& text, unsigned threads) {
  model::ElementType type = model::ElementType::Int;
  model::Operator op = model::Operator::Add;
  if (const kernels::Variant* const variant = kernels::findVariant(name)) {
    if (std::ranges::find(variant->types, type) == variant->types.end()) type = variant->types.front();
    if (std::ranges::find(variant->operators, op) == variant->operators.end())
      op = variant->operators.front();
  }
  std::string preamble = kernels::preambleOf(text, type, op, threads);
  const auto lacks = [&](const char* word) {
    return text.find(word) != std::string::npos && preamble.find(word) == std::string::npos;
  };
  if (lacks("combineWarp"))
    preamble += "__device__ T combineWarp(T v) { return __reduce_add_sync(0xffffffff, v); }\n";
  if (lacks("combineAtomically"))
    preamble += "__device__ void combineAtomically(T* p, T v) { atomicAdd(p, v); }\n";
  return preamble;
}

// One per block size where the text names it.
std::vector<unsigned> blockSizes(const std::string& name, const std::string& text) {
  const kernels::Variant* const variant = kernels::findVariant(name);
  return variant != nullptr && kernels::namesBlockSize(text) ? variant->threads : std::vector<unsigned>{0};
}

void writeText(std::ostream& out, const std::string& name, const std::string& text,
               const instrument::Instrumented& instrumented, const std::vector<unsigned>& sizes) {
  out << "#include \"device.h\"\n#include \"stand_in_driver.h\"\n"
      // Each module on a GPU has a control block of its own.
      << "#define recording_control recording_control_of_" << name << "\n#include \"recording/gpu"
      << (instrumented.includes.empty() ? "" : "_groups") << ".h\"\n#include \"shared_memory.h\"\n"
      << "alignas(128) static unsigned char sharedMemory[emulated::kSharedBytes];\n";
  for (const unsigned threads : sizes)
    out << "namespace text_of_" << name << "_" << threads << " {\n"
        << preambleFor(name, text, threads) << "#line 1 \"" << name << ".cu\"\n"
        << instrumented.text << "\n}\n";
}

int writeKernel(const std::string& name, const std::string& kernelFile, const std::string& output) {
  std::ifstream file(kernelFile);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto instrumented = instrument::instrument(text);
  if (!instrumented) {
    std::cerr << kernelFile << "(" << instrumented.error().line << "): " << instrumented.error().reason
              << "\n";
    return 1;
  }
  const std::vector<unsigned> sizes = blockSizes(name, text);
  std::ofstream out(output);
  writeText(out, name, text, *instrumented, sizes);
  out << declarationOf(name) << " {\n"
      << "  std::memcpy(static_cast<void*>(&recording_control), &control, sizeof control);\n"
      << "  emulated::launch(launch.gridShape, launch.blockShape, launch.sharedBytes, sharedMemory, [&] {\n";
  for (const unsigned threads : sizes)
    out << "    if (" << threads << " == 0 || launch.threads == " << threads << ") emulated::call(text_of_"
        << name << "_" << threads << "::" << instrumented->kernel << ", launch.arguments);\n";
  out << "  });\n  std::memcpy(static_cast<void*>(&control), &recording_control, sizeof control);\n}\n";
  return 0;
}

int writeList(const std::string& output, char** names, int count) {
  std::ofstream file(output);
  file << "#include \"emulation/emulated_kernels.h\"\n";
  for (int i = 0; i < count; ++i) file << declarationOf(names[i]) << ";\n";
  file << "namespace stridescope::engine::gpu {\nStandInKernel emulatedKernel(std::string_view name) {\n";
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
