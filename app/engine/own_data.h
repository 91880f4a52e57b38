// A person's own input: numbers in a text file, or sorted lists in a JSON file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "base/result.h"
#include "model/experiment.h"
#include "model/trace_check.h"

namespace stridescope::engine {

inline constexpr std::size_t kMaxGivenValues = model::kMaxGivenValues;  // a recording keeps them
inline constexpr std::size_t kMaxLists = 1024;

// One number per line; blank lines and what follows a # are passed over. An empty file has no numbers. The
// error names the line that is no number of the type, or is out of its range.
Result<model::GivenData> readNumbers(const std::filesystem::path& file, model::ElementType type);

// An array of arrays of numbers: [[1, 4, 9], [], [2, 2]]. Each list ascends; there are 1 to kMaxLists. The
// error names the list and the position.
Result<model::GivenData> readLists(const std::filesystem::path& file, model::ElementType type);

// The first of the types in which the whole file can be read: of readLists() if `lists`, else of
// readNumbers(). nullopt: in none. It is read again for each.
std::optional<model::ElementType> typeThatReads(const std::filesystem::path& file, bool lists,
                                                std::span<const model::ElementType> types);

// The least legal block for a merge of so many lists: a power of two from 2.
unsigned threadsForLists(std::size_t lists);

}  // namespace stridescope::engine
