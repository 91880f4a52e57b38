// Everything that is written of an operator, in one table: its names, how C++ and CUDA spell it, its
// identity, and the words that sentences use. One more operator is one more line here, its arithmetic
// (arithmetic.h, measure/timing_data.h) and a test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/experiment.h"

namespace stridescope::model {

// What leaves the other operand as it is.
enum class IdentityKind : std::uint8_t { Zero, One, Largest, Smallest, AllBits, Given };

struct OperatorFacts {
  Operator op{};
  std::string_view enumerator;      // Operator's, in C++
  std::string_view symbol, word;    // as the command line takes them and nameOf() and wordOf() give them
  std::string_view expression;      // in terms of a and b; empty: Experiment::custom has it
  IdentityKind identity{};          // in C++: kernels/catalog.cpp
  std::string_view reduce, atomic;  // __reduce_min_sync, atomicMin; empty: there is no such instruction
  bool isBitwise = false;           // it makes no sense on floating types
  // Sentences: what threads do, and one thread; what stands before and after "two elements each"; what comes
  // out; and what a lane does with another one's register.
  std::string_view verbs, verb, before, after, noun, withRegister;
};

// The entries stand in the order of Operator.
inline constexpr std::array<OperatorFacts, std::size_t(Operator::Custom) + 1> kOperatorTable{{
    {Operator::Add, "Add", "+", "add", "a + b", IdentityKind::Zero, "add", "Add", false,  //
     "add", "adds", "", "", "sum", "adds"},
    {Operator::Multiply, "Multiply", "*", "mul", "a * b", IdentityKind::One, "", "", false,  //
     "multiply", "multiplies", "", "", "product", "multiplies by"},
    {Operator::Min, "Min", "min", "min", "b < a ? b : a", IdentityKind::Largest, "min", "Min", false,  //
     "take the minimum", "takes the minimum", " of", "", "minimum", "takes the minimum with"},
    {Operator::Max, "Max", "max", "max", "a < b ? b : a", IdentityKind::Smallest, "max", "Max", false,  //
     "take the maximum", "takes the maximum", " of", "", "maximum", "takes the maximum with"},
    {Operator::And, "And", "&", "and", "a & b", IdentityKind::AllBits, "and", "And", true,  //
     "combine by and", "combines by and", "", " by and", "and", "combines by and with"},
    {Operator::Or, "Or", "|", "or", "a | b", IdentityKind::Zero, "or", "Or", true,  //
     "combine by or", "combines by or", "", " by or", "or", "combines by or with"},
    {Operator::Xor, "Xor", "^", "xor", "a ^ b", IdentityKind::Zero, "xor", "Xor", true,  //
     "combine by xor", "combines by xor", "", " by xor", "xor", "combines by xor with"},
    {Operator::Subtract, "Subtract", "-", "sub", "a - b", IdentityKind::Zero, "", "", false,  //
     "subtract", "subtracts", "", "", "difference", "subtracts"},
    {Operator::Custom, "Custom", "custom", "custom", "", IdentityKind::Given, "", "", false,  //
     "combine", "combines", "", "", "result", "combines with"},
}};

constexpr const OperatorFacts& factsOf(Operator op) { return kOperatorTable[std::size_t(op)]; }

// Other names that people type for variants, types and operators: one table for the command line, links and
// searches. What is written (output, links that the program makes, recordings) has the name itself.

enum class Named : std::uint8_t { Variant, Type, Operator };

struct Alias {
  Named kind{};
  std::string_view alias;
  std::string_view name;  // a variant's id, or what nameOf() gives for a type or an operator
};

// reduce0 to reduce7 are the kernels of NVIDIA's reduction sample.
inline constexpr std::array kAliases{
    Alias{Named::Variant, "reduce0", "interleaved_modulo"},
    Alias{Named::Variant, "reduce1", "interleaved_contiguous"},
    Alias{Named::Variant, "reduce2", "sequential"},
    Alias{Named::Variant, "reduce3", "first_add_on_load"},
    Alias{Named::Variant, "reduce4", "unrolled_last_warp"},
    Alias{Named::Variant, "reduce5", "fully_unrolled"},
    Alias{Named::Variant, "reduce6", "grid_stride"},
    Alias{Named::Variant, "reduce7", "warp_shuffle"},
    Alias{Named::Variant, "shuffle", "warp_shuffle"},
    Alias{Named::Type, "int32", "int"},
    Alias{Named::Type, "uint", "unsigned"},
    Alias{Named::Type, "uint32", "unsigned"},
    Alias{Named::Type, "long", "int64"},
    Alias{Named::Type, "float32", "float"},
    Alias{Named::Type, "float64", "double"},
    Alias{Named::Operator, "sum", "+"},
    Alias{Named::Operator, "product", "*"},
};

// The name that the alias stands for; any other text as it is. The view is of the table or of `typed`.
constexpr std::string_view resolved(Named kind, std::string_view typed) {
  for (const Alias& each : kAliases)
    if (each.kind == kind && each.alias == typed) return each.name;
  return typed;
}

// In the order of the table; empty if the name has none.
inline std::vector<std::string_view> aliasesOf(Named kind, std::string_view name) {
  std::vector<std::string_view> aliases;
  for (const Alias& each : kAliases)
    if (each.kind == kind && each.name == name) aliases.push_back(each.alias);
  return aliases;
}

// The same as words that a search finds: "reduce7 shuffle ". Each ends with a blank.
inline std::string aliasWords(Named kind, std::string_view name) {
  std::string words;
  for (const std::string_view alias : aliasesOf(kind, name)) (words += alias) += ' ';
  return words;
}

}  // namespace stridescope::model
