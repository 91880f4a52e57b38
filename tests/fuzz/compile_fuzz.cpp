// A kernel's text, changed here and there: what the text pass takes compiles with its recording calls if, and
// only if, it compiles without them. NVRTC judges; where it is missing nothing is compared.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/gpu/compiler.h"
#include "engine/gpu/kernel_compiler.h"
#include "fuzz_one.h"
#include "input_bytes.h"
#include "instrument/instrument.h"
#include "kernel_generator.h"
#include "kernels/catalog.h"

namespace stridescope::fuzz {
namespace {

constexpr const char* kArchitecture = "--gpu-architecture=compute_90";

std::string baseText(InputBytes& input) {
  const auto variants = kernels::catalog();
  const auto place = input.below(variants.size() + 8);
  if (place < variants.size()) return std::string(kernels::kernelText(variants[place].id));
  return instrument::generateKernel(unsigned(input.below(1 << 16))).text;
}

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::vector<std::string> tokensOf(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool joins = i > 0 && isWord(text[i]) && isWord(text[i - 1]);
    if (!joins) tokens.emplace_back();
    tokens.back() += text[i];
  }
  return tokens;
}

// Tokens are taken from elsewhere in the text, so that many changes still compile.
std::string changed(const std::string& text, InputBytes& input) {
  std::vector<std::string> tokens = tokensOf(text);
  for (std::uint64_t changes = 1 + input.below(4); changes > 0; --changes) {
    const std::size_t at = input.below(tokens.size()), from = input.below(tokens.size());
    switch (input.byte() % 4) {
      case 0:
        tokens[at] = tokens[from];
        break;
      case 1:
        std::swap(tokens[at], tokens[from]);
        break;
      case 2:
        tokens.insert(tokens.begin() + std::ptrdiff_t(at), tokens[from]);
        break;
      default:
        tokens.erase(tokens.begin() + std::ptrdiff_t(at));
    }
  }
  std::string all;
  for (const std::string& token : tokens) all += token;
  return all;
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  static const auto nvrtc = engine::gpu::loadNvrtc({}, 0);
  if (!nvrtc) {
    std::fprintf(stderr, "SKIPPED: %s\n", nvrtc.error().sentence.c_str());
    return;
  }
  InputBytes input(bytes);
  const std::string text = changed(baseText(input), input);
  const auto instrumented = instrument::instrument(text);
  if (!instrumented || engine::gpu::includesHeaders(text)) return;
  const model::ElementType type = model::kElementTypes[input.below(model::kElementTypes.size())];
  const engine::gpu::KernelText kernel{"fuzz.cu", kernels::preambleOf(text, type, model::Operator::Add, 64),
                                       text, instrumented->kernel};
  const auto clean = engine::gpu::compileToPtx(**nvrtc, engine::gpu::cleanProgram(kernel, kArchitecture));
  const auto recorded =
      engine::gpu::compileToPtx(**nvrtc, engine::gpu::recordedProgram(kernel, *instrumented, kArchitecture));
  if (clean.has_value() == recorded.has_value()) return;
  std::fprintf(stderr, "%s\n--- clean: %s\n--- recorded: %s\n%s\n", text.c_str(),
               clean ? "compiles" : clean.error().details.c_str(),
               recorded ? "compiles" : recorded.error().details.c_str(), instrumented->text.c_str());
  std::abort();
}

}  // namespace stridescope::fuzz
