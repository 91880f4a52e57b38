// What a person brings along: input data, and an operator.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/experiment.h"
#include "model/trace_check.h"

namespace stridescope::engine {

// A person's own input: numbers in a text file, or sorted lists in a JSON file.

inline constexpr std::size_t kMaxGivenValues = model::kMaxGivenValues;  // a recording keeps them
inline constexpr std::size_t kMaxLists = 1024;

// More than the most numbers take, however they are written; with the numbers in it, half a GiB.
inline constexpr std::uint64_t kMaxDataBytes = 256ull << 20;

// UTF-8 text, with or without a byte-order mark: one number per line, or several with commas, semicolons or
// blanks between them. Blank lines and what follows a # are passed over. The error names the line of what is
// no number of the type, or is out of its range; a file without any number is an error, too.
Result<model::GivenData> readNumbers(const std::filesystem::path& file, model::ElementType type);

// An array of arrays of numbers: [[1, 4, 9], [], [2, 2]]. Each list ascends; there are 1 to kMaxLists, and
// not all are empty. The error names the list and the position.
Result<model::GivenData> readLists(const std::filesystem::path& file, model::ElementType type);

// The same for a text that was read elsewhere. Sentences and the data call it what `from` says: "standard
// input".
Result<model::GivenData> numbersOf(std::string_view text, const std::string& from, model::ElementType type);
Result<model::GivenData> listsOf(std::string_view text, const std::string& from, model::ElementType type);

// The first of the types in which the whole file can be read, by readLists() if `lists`, else by
// readNumbers(). nullopt: in none. The file is read again for each type.
std::optional<model::ElementType> typeThatReads(const std::filesystem::path& file, bool lists,
                                                std::span<const model::ElementType> types);

// The least legal block for a merge of so many lists: a power of two from 2.
unsigned threadsForLists(std::size_t lists);

// A person's own operator: combine(a, b) as text, and its identity. The same sentences for the command line
// and for the window.
//
// The text is one expression of a and b, elements of the type T ("a > b ? a : b"), or statements that return
// one ("while (b != 0) { T rest = a % b; a = b; b = rest; } return a;"). It stands between the braces of a
// function; it may call what the kernels may (min, max, __popc, ...). It holds no comments, character or
// string literals, directives and backslashes, and its brackets match, so that it cannot by accident end the
// function that it stands in. Whether it is C++ is for the compiler to say.

inline constexpr std::size_t kMaxCombineBytes = 4096;

// A sentence: why this cannot be the text; nothing if it may.
std::optional<std::string> faultOfCombine(std::string_view combine);

// Blanks around the two texts are dropped. The error names the text that is wrong, and says why.
Result<model::CustomOperator> readCustomOperator(std::string_view combine, std::string_view identity,
                                                 model::ElementType type);

}  // namespace stridescope::engine
