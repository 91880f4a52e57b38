// The most that a recording holds, beside what each of its structures may hold by itself (model/). The writer
// refuses more, with a sentence; the reader asks for no more. docs/recording.md lists these limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "archive/row_shapes.h"
#include "base/describe.h"
#include "base/memory_limits.h"
#include "model/clock_record.h"
#include "model/machine_code.h"
#include "model/trace_check.h"

namespace stridescope::archive {

// Limits in bytes: for the texts of all records of a kind (timings, clocks, ...), and for all traces' texts
// in the index. The names of types, kinds and other words that the program knows do not count.
inline constexpr std::size_t kMaxRecordTextBytes = std::size_t{16} << 20;
// All machine code, as it is stored.
inline constexpr std::size_t kMaxListingBytes = model::kQuantity<model::MachineCode>.mostParts;
// The numbers of a person's input data in all traces together: they are read at once, each in eight bytes.
inline constexpr std::size_t kMaxAllGivenValues = kDefaultMemoryBudget / sizeof(std::uint64_t);

// These follow from the others.
// A mark's clock has at most fifteen digits, and a bracket or a comma.
inline constexpr std::size_t kMaxCyclesTextBytes = model::kMaxMarksOfClocks * 21;
inline constexpr std::size_t kMaxPackedBytes = model::kMaxRecordedBlocks * kMaxPackedBlockBytes;
// The kernel's text, the results, the texts of the other columns of a trace and of its operator, and all
// others.
inline constexpr std::size_t kMaxTraceTextBytes = model::kMaxKernelTextBytes + 2 * model::kMaxResultBytes +
                                                  32 * model::kMaxTextBytes +
                                                  model::kMaxSiteAndProblemTextBytes;
// A row: a kernel's text and the other texts beside it; the blocks of a launch; a listing and its texts.
inline constexpr std::size_t kMaxRowBytes =
    model::kMaxKernelTextBytes + 2 * model::kMaxResultBytes + 16 * model::kMaxTextBytes;
inline constexpr std::size_t kMaxBlocksRowBytes =
    std::size_t{model::kMaxTimelineBlocks} * kMaxPackedBlockBytes + model::kMaxTextBytes;
inline constexpr std::size_t kMaxListingRowBytes = kMaxListingBytes + 16 * model::kMaxTextBytes;

// What reading all records of a quantity takes at most.
struct RecordBudget {
  std::size_t textBytes = kMaxRecordTextBytes, blobBytes = 0;
  std::size_t rowBytes = 0;  // as ReadState has it
  std::uint64_t parts = 0;
};

// How many bytes all texts in a structure have: in its fields, its lists and its structures.
template <class Value>
std::size_t textBytes(const Value& value);

template <class Element>
std::size_t textBytes(const std::vector<Element>& list) {
  std::size_t bytes = 0;
  if constexpr (!std::is_arithmetic_v<Element>)
    for (const Element& each : list) bytes += textBytes(each);
  return bytes;
}

template <class Value>
std::size_t textBytes(const Value& value) {
  std::size_t bytes = 0;
  if constexpr (std::is_same_v<Value, std::string>)
    bytes = value.size();
  else if constexpr (HasDescription<Value>)
    forEachField(value, [&](std::string_view, const auto& field) { bytes += textBytes(field); });
  return bytes;
}

}  // namespace stridescope::archive
