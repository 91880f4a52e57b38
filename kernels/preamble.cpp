#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"
#include "model/value.h"

namespace stridescope::kernels {
namespace {

// The infinities are spelled by their bits: INFINITY, 1e999 and 1.0f / 0.0f each fail in NVRTC or in g++.
std::string_view infinityOf(model::ElementType type, bool negative) {
  if (type == model::ElementType::Float)
    return negative ? "__builtin_bit_cast(float, 0xff800000u)" : "__builtin_bit_cast(float, 0x7f800000u)";
  return negative ? "__builtin_bit_cast(double, 0xfff0000000000000ull)"
                  : "__builtin_bit_cast(double, 0x7ff0000000000000ull)";
}

std::string_view largestOf(model::ElementType type) {
  switch (type) {
    case model::ElementType::Int:
      return "2147483647";
    case model::ElementType::Unsigned:
      return "4294967295u";
    case model::ElementType::Int64:
      return "9223372036854775807ll";
    default:
      return infinityOf(type, false);
  }
}

std::string_view smallestOf(model::ElementType type) {
  switch (type) {
    case model::ElementType::Int:
      return "-2147483647 - 1";
    case model::ElementType::Unsigned:
      return "0";
    case model::ElementType::Int64:
      return "-9223372036854775807ll - 1";
    default:
      return infinityOf(type, true);
  }
}

std::string_view identityOf(model::ElementType type, model::Operator op) {
  switch (model::factsOf(op).identity) {
    case model::IdentityKind::Zero:
      return "0";
    case model::IdentityKind::One:
      return "1";
    case model::IdentityKind::Largest:
      return largestOf(type);
    case model::IdentityKind::Smallest:
      return smallestOf(type);
    case model::IdentityKind::AllBits:
      return "~T(0)";
    case model::IdentityKind::Given:
      break;  // Experiment::custom has it
  }
  return {};
}

bool isIdentifierPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool names(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool before = at > 0 && isIdentifierPart(text[at - 1]);
    const auto end = at + name.size();
    const bool after = end < text.size() && isIdentifierPart(text[end]);
    if (!before && !after) return true;
  }
  return false;
}

// The bitwise functions are there for unsigned numbers only, and 64-bit addition too: two's complement gives
// the same bits.
bool goesThroughUnsigned(HardwareForm form, model::ElementType type, model::Operator op) {
  const bool bitwise = model::factsOf(op).isBitwise;
  if (form == HardwareForm::WarpReduction) return type == model::ElementType::Int && bitwise;
  return type == model::ElementType::Int64 && (bitwise || op == model::Operator::Add);
}

std::string combineWarpOf(model::ElementType type, model::Operator op) {
  const std::string call = "__reduce_" + std::string(model::factsOf(op).reduce) + "_sync(0xffffffff, ";
  return "__device__ T combineWarp(T value) { return " +
         (goesThroughUnsigned(HardwareForm::WarpReduction, type, op) ? "T(" + call + "unsigned(value)))"
                                                                     : call + "value)") +
         "; }\n";
}

std::string combineAtomicallyOf(model::ElementType type, model::Operator op) {
  const std::string call = "atomic" + std::string(model::factsOf(op).atomic) + "(";
  const bool cast = goesThroughUnsigned(HardwareForm::Atomic, type, op);
  return "__device__ void combineAtomically(T* total, T value) { " + call +
         (cast ? "reinterpret_cast<unsigned long long*>(total), (unsigned long long)value" : "total, value") +
         "); }\n";
}

// As the infinities: a NaN has no literal either.
std::string nanOf(model::ElementType type, std::uint64_t bits) {
  const bool isFloat = type == model::ElementType::Float;
  std::array<char, 24> digits{};
  std::snprintf(digits.data(), digits.size(), isFloat ? "0x%08llxu" : "0x%016llxull",
                static_cast<unsigned long long>(bits));
  return (isFloat ? "__builtin_bit_cast(float, " : "__builtin_bit_cast(double, ") +
         std::string(digits.data()) + ")";
}

// The element as a C++ expression of its type that gives the same bits.
std::string literalOf(model::ElementType type, std::uint64_t bits) {
  return model::withType(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    const T value = model::elementOfBits<T>(bits);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isinf(value)) return std::string(infinityOf(type, value < 0));
      if (std::isnan(value)) return nanOf(type, bits);
      std::string text = model::printElement(type, bits);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      return type == model::ElementType::Float ? text + "f" : text;
    } else {
      if (std::is_signed_v<T> && value == std::numeric_limits<T>::min()) return std::string(smallestOf(type));
      const std::string_view suffix = type == model::ElementType::Unsigned ? "u"
                                      : type == model::ElementType::Int64  ? "ll"
                                                                           : "";
      return model::printElement(type, bits) + std::string(suffix);
    }
  });
}

std::string preambleLines(std::string_view text, model::ElementType type, model::Operator op,
                          unsigned threads, std::string_view identity, std::string_view body) {
  std::string lines = "using T = " + std::string(model::cppNameOf(type)) + ";\n";
  lines += "constexpr T identity = " + std::string(identity) + ";\n";
  lines += "__device__ T combine(T a, T b) { " + std::string(body) + " }\n";
  if (names(text, "combineWarp") && hasHardwareForm(HardwareForm::WarpReduction, type, op))
    lines += combineWarpOf(type, op);
  if (names(text, "combineAtomically") && hasHardwareForm(HardwareForm::Atomic, type, op))
    lines += combineAtomicallyOf(type, op);
  if (namesBlockSize(text)) lines += "constexpr unsigned blockSize = " + std::to_string(threads) + ";\n";
  return lines;
}

}  // namespace

bool namesBlockSize(std::string_view text) { return names(text, "blockSize"); }

std::string combineBody(std::string_view combine) {
  return hasOwnReturn(combine) ? std::string(combine) : "return " + std::string(combine) + ";";
}

bool hasOwnReturn(std::string_view combine) { return names(combine, "return"); }

std::string preambleOf(std::string_view text, model::ElementType type, model::Operator op, unsigned threads) {
  const std::string body = "return " + std::string(model::factsOf(op).expression) + ";";
  return preambleLines(text, type, op, threads, identityOf(type, op), body);
}

std::string preambleOf(std::string_view text, const model::Experiment& experiment) {
  if (experiment.op != model::Operator::Custom)
    return preambleOf(text, experiment.type, experiment.op, experiment.threads);
  return preambleLines(text, experiment.type, experiment.op, experiment.threads,
                       literalOf(experiment.type, experiment.custom.identityBits),
                       combineBody(experiment.custom.combine));
}

}  // namespace stridescope::kernels
