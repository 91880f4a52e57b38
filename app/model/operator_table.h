// Everything that is written of an operator, in one table: its names, how C++ and CUDA spell it, its
// identity, and the words that sentences use. One more operator is one more line here, its arithmetic
// (arithmetic.h, measure/combine.h) and a test.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "model/experiment.h"

namespace stridescope::model {

// What leaves the other operand as it is.
enum class IdentityKind : std::uint8_t { Zero, One, Largest, Smallest, AllBits, Given };

struct OperatorFacts {
  Operator op{};
  std::string_view enumerator;      // Operator's, in C++
  std::string_view symbol, word;    // as the command line takes them and nameOf() and wordOf() give them
  std::string_view expression;      // in terms of a and b; empty: Experiment::custom has it
  IdentityKind identity{};          // in C++: kernels/preamble.cpp
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

}  // namespace stridescope::model
