// The small rules of the captions' language: numbers of things (their digits: base/numbers.h), operators as
// verbs and nouns; and text broken into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "model/experiment.h"

namespace stridescope::narration {

// count(1, "wavefront") is "1 wavefront", count(8, "wavefront") is "8 wavefronts".
std::string count(std::uint64_t number, std::string_view noun);

// "a 2-way bank conflict", "an 8-way bank conflict".
std::string wayConflict(unsigned way);

// What threads do with their operands: "16 threads add", "1 thread adds", "take the minimum".
std::string combines(model::Operator op, bool plural);

// What threads do with several elements each: "add two elements each", "take the minimum of 8 elements each".
std::string combinesEach(model::Operator op, std::uint64_t elements, bool plural);

// "sum", "product", "minimum", "maximum", "and", "or", "xor", "difference"; "result" of a person's own.
std::string_view nounOf(model::Operator op);

// How an expression shows the operator between two operands: "a + b", "min(a, b)", "combine(a, b)".
std::string expression(model::Operator op, std::string_view a, std::string_view b);

// "2nd", "3rd", "16th".
std::string ordinal(std::uint64_t number);

// "one", "two", then digits.
std::string smallNumber(std::uint64_t number);

// "Threads add; others wait." of "threads add" and "others wait": parts that are empty are left out. Empty if
// all are.
std::string sentenceOf(const std::vector<std::string>& parts);

// "Between launches 0 and 1" of "between launches 0 and 1"; an empty text stays.
std::string capitalized(std::string text);

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& parts);

// For which n something is recorded: "Recorded is n = 2^24.", "Recorded are n = 2^16 and 2^24.". Empty
// without any.
std::string recordedSizes(const std::vector<std::uint64_t>& sizes);

// Breaks between words, so that no line has more than `columns` characters; a longer word stays whole.
std::string wrapped(std::string_view text, std::size_t columns);

// Characters of UTF-8 text, and the first ones of it.
std::size_t charactersIn(std::string_view text);
std::string_view firstCharacters(std::string_view text, std::size_t count);

}  // namespace stridescope::narration
