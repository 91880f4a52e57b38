#include "kernels/catalog.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace stridescope {

std::string_view embeddedKernel(std::string_view fileName);  // generated from the files in this folder

namespace {

std::vector<unsigned> powersOfTwo(unsigned from, unsigned to) {
  std::vector<unsigned> sizes;
  for (unsigned size = from; size <= to; size *= 2) sizes.push_back(size);
  return sizes;
}

// What the rungs of the ladder have in common: every type and operator, one element a thread in shared
// memory.
Variant rung(Variant variant, unsigned leastThreads, unsigned elementsPerThread) {
  variant.family = "ladder";
  variant.types.assign(kElementTypes.begin(), kElementTypes.end());
  variant.operators.assign(kOperators.begin(), kOperators.end());
  variant.threads = powersOfTwo(leastThreads, 1024);
  variant.elementsPerThread = elementsPerThread;
  return variant;
}

std::vector<Variant> makeCatalog() {
  std::vector<Variant> variants;
  variants.push_back(rung({.id = "interleaved_modulo",
                           .title = "interleaved, modulo",
                           .changed = "Only threads whose number is a multiple of 2s add.",
                           .source = "Harris, Optimizing Parallel Reduction in CUDA (2007), 1"},
                          32, 1));
  variants.push_back(rung({.id = "interleaved_contiguous",
                           .title = "interleaved, contiguous",
                           .previous = "interleaved_modulo",
                           .changed = "Neighbouring threads add, without the modulo.",
                           .source = "Harris, Optimizing Parallel Reduction in CUDA (2007), 2"},
                          32, 1));
  variants.push_back(rung({.id = "sequential",
                           .title = "sequential",
                           .previous = "interleaved_contiguous",
                           .changed = "The stride halves, and neighbours read neighbours.",
                           .source = "Harris, Optimizing Parallel Reduction in CUDA (2007), 3"},
                          32, 1));
  variants.push_back(rung({.id = "first_add_on_load",
                           .title = "first add during load",
                           .previous = "sequential",
                           .changed = "Every thread adds once while loading.",
                           .source = "Harris, Optimizing Parallel Reduction in CUDA (2007), 4"},
                          32, 2));
  variants.push_back(rung({.id = "unrolled_last_warp",
                           .title = "last warp unrolled",
                           .previous = "first_add_on_load",
                           .changed = "The last warp needs no block barrier.",
                           .source = "Harris, Optimizing Parallel Reduction in CUDA (2007), 5"},
                          64, 2));
  return variants;
}

// "a + b", or the choice for min and max.
std::string_view expressionOf(Operator op) {
  switch (op) {
    case Operator::Add:
      return "a + b";
    case Operator::Multiply:
      return "a * b";
    case Operator::Min:
      return "b < a ? b : a";
    case Operator::Max:
      return "a < b ? b : a";
    case Operator::And:
      return "a & b";
    case Operator::Or:
      return "a | b";
    case Operator::Xor:
      return "a ^ b";
    case Operator::Subtract:
      return "a - b";
    case Operator::Custom:
      break;  // Experiment::custom has it
  }
  return {};
}

// The infinities are spelled by their bits: INFINITY, 1e999 and 1.0f / 0.0f each fail in NVRTC or in g++.
std::string_view infinityOf(ElementType type, bool negative) {
  if (type == ElementType::Float)
    return negative ? "__builtin_bit_cast(float, 0xff800000u)" : "__builtin_bit_cast(float, 0x7f800000u)";
  return negative ? "__builtin_bit_cast(double, 0xfff0000000000000ull)"
                  : "__builtin_bit_cast(double, 0x7ff0000000000000ull)";
}

std::string_view largestOf(ElementType type) {
  switch (type) {
    case ElementType::Int:
      return "2147483647";
    case ElementType::Unsigned:
      return "4294967295u";
    case ElementType::Int64:
      return "9223372036854775807ll";
    default:
      return infinityOf(type, false);
  }
}

std::string_view smallestOf(ElementType type) {
  switch (type) {
    case ElementType::Int:
      return "-2147483647 - 1";
    case ElementType::Unsigned:
      return "0";
    case ElementType::Int64:
      return "-9223372036854775807ll - 1";
    default:
      return infinityOf(type, true);
  }
}

std::string_view identityOf(ElementType type, Operator op) {
  switch (op) {
    case Operator::Add:
    case Operator::Or:
    case Operator::Xor:
    case Operator::Subtract:
      return "0";
    case Operator::Multiply:
      return "1";
    case Operator::Min:
      return largestOf(type);
    case Operator::Max:
      return smallestOf(type);
    case Operator::And:
      return "~T(0)";
    case Operator::Custom:
      break;
  }
  return {};
}

bool isIdentifierPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::span<const Variant> catalog() {
  static const std::vector<Variant> variants = makeCatalog();
  return variants;
}

const Variant* findVariant(std::string_view id) {
  const auto all = catalog();
  const auto found = std::ranges::find(all, id, &Variant::id);
  return found == all.end() ? nullptr : &*found;
}

std::string_view kernelText(std::string_view id) { return embeddedKernel(std::string(id) + ".cu"); }

bool namesBlockSize(std::string_view text) {
  constexpr std::string_view name = "blockSize";
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool before = at > 0 && isIdentifierPart(text[at - 1]);
    const auto end = at + name.size();
    const bool after = end < text.size() && isIdentifierPart(text[end]);
    if (!before && !after) return true;
  }
  return false;
}

std::string preambleOf(std::string_view text, ElementType type, Operator op, unsigned threads) {
  std::string lines = "using T = " + std::string(cppNameOf(type)) + ";\n";
  lines += "constexpr T identity = " + std::string(identityOf(type, op)) + ";\n";
  lines += "__device__ T combine(T a, T b) { return " + std::string(expressionOf(op)) + "; }\n";
  if (namesBlockSize(text)) lines += "constexpr unsigned blockSize = " + std::to_string(threads) + ";\n";
  return lines;
}

}  // namespace stridescope
