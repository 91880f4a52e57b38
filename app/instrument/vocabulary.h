// The words of CUDA C++ that the text pass knows. A word that is neither here nor declared in the text is
// refused, because what it does to memory is unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "instrument/instrument.h"
#include "model/kernel_model.h"

namespace stridescope::instrument {

// int, float4, T, ...; the names declared in the text come on top (declarations.h).
bool isBuiltInType(std::string_view word, Preamble preamble);

// Words that may stand before or between the type's own in a declaration: const, __device__, inline, ...
bool isSpecifier(std::string_view word);

// Specifiers that take an argument in parentheses: __launch_bounds__, alignas, ...
bool takesArgument(std::string_view specifier);

bool isKeyword(std::string_view word);

// return, else, ...: a keyword that cannot be the end of an operand (this, true, ... can).
bool isOperatorKeyword(std::string_view word);

// sizeof, alignof, ...: what stands in their parentheses is never run.
bool isUnevaluated(std::string_view word);

// static_cast, ...: keywords with a template list.
bool isNamedCast(std::string_view word);

// +=, -=, ...
bool isCompoundAssignment(std::string_view punctuation);

// threadIdx, combine, ...: names that are there without being declared in the text. With Preamble::None also
// the constants of plain headers, such as FLT_MAX.
bool isPredefined(std::string_view word, Preamble preamble);

// With Preamble::None, a header that a text may include: none of its functions accesses memory unless the
// text calls it, and then isHarmlessFunction() is asked.
bool isPlainHeader(std::string_view name);

// Functions that neither access memory nor synchronize: __popc, fabsf, make_float4, ...
bool isHarmlessFunction(std::string_view word, Preamble preamble);

// The barrier, warp operation or atomic of that name that CALLS.md lists.
std::optional<model::Operation> recordedOperation(std::string_view word, Preamble preamble);

// Whether the operation of that name is given a memory order and a scope, as its last two arguments.
bool takesMemoryOrder(std::string_view operation);
// What CUDA's name of an order or a scope stands for; Unnamed: it is no such name.
model::MemoryOrder memoryOrderOf(std::string_view word);
model::MemoryScope memoryScopeOf(std::string_view word);

// Why a word cannot be used at all, as a sentence that says what to write instead; nullopt for the others.
std::optional<std::string> reasonAgainst(std::string_view word);

}  // namespace stridescope::instrument
