// What makes a record a measured quantity, beside the description of its fields (base/describe.h): where it
// stands in a recording, what it is called in sentences, and how many of it there may be. Tables, messages,
// JSON and CSV follow from the two; docs/contributing.md says how a quantity is added. And what all such
// records have in common.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::model {

// How a field stands in a table, where its name and its type do not say it all.
struct StoredField {
  std::string_view field;
  std::string_view comment = {};  // stands beside the column, for people who look into the file
  // `low` and `high` are what its column may hold; both 0: any number of the type. Integers of 64 bits are
  // never limited, real numbers always.
  std::int64_t low = 0, high = 0;
  unsigned commentAt = 36;       // in its line
  std::string_view column = {};  // the column's name; empty: the field's
};

// A list of structures in a record, or in an element of such a list: rows of a table of their own.
struct StoredList {
  std::string_view field;
  std::string_view table;
  std::string_view key;         // the column with an element's number, from 0 on
  std::string_view count = {};  // the owner's column with the number of elements; empty: there is none
  std::size_t most = 0;
  StoredField fields[5] = {};
};

struct Quantity {
  std::string_view table = {};           // in recordings, and the key of its list in JSON
  std::string_view one = {}, many = {};  // what is not written: "timeline", "timelines"
  std::string_view where = {};           // what is damaged: "a run's counters"
  std::string_view notMeasured = {};     // a sentence: why a device that does not measure it cannot
  std::size_t most = 0;                  // records in one recording
  // Every recording has its tables from this format on. 0: those alone that have records of it, so that a new
  // quantity needs no new format.
  unsigned format = 0;
  // The parts of all records in one recording together; none: they are not limited beside `most`.
  std::string_view parts = {};  // "blocks in timelines"
  std::uint64_t mostParts = 0;
  std::span<const std::string_view> experiment = {};  // its fields that are stored, in the columns' order
  StoredField fields[10] = {};
  StoredList lists[2] = {};
};

// A record's own; `table` is empty where there is none. The fields of a released quantity stay as they are,
// because a format's tables do: whoever measures more adds a quantity.
template <class Record>
inline constexpr Quantity kQuantity{};

inline constexpr unsigned kMaxMultiprocessors = 1 << 12;
inline constexpr std::int64_t kMaxStoredTime = 1'000'000'000'000;  // microseconds

// The fields of an experiment that a measurement depends on.
inline constexpr std::array<std::string_view, 11> kRunFields{
    "variant", "type",     "op",   "combine", "identity", "identity_bits",
    "threads", "elements", "data", "seed",    "lists"};
// Those of a reduction's time, which does not depend on the values.
inline constexpr std::span<const std::string_view> kTimedFields = std::span(kRunFields).first(8);
// Those of its machine code, which does not depend on n.
inline constexpr std::span<const std::string_view> kCompiledFields = std::span(kRunFields).first(7);

// What records of measurements have in common: the experiment, its kernel, and the GPU.

inline constexpr double kMaxMicroseconds = 1e12;  // the limit of any measured time

// The first thing wrong with them, as a clause, or nothing.
std::optional<std::string> faultOfOrigin(const Experiment& experiment, const std::string& kernelHash,
                                         const Executor& executor);

// The experiment without what no measurement depends on: which block is inspected, the CPU executor's
// schedule and block order, and a seed that its data do not have.
Experiment measuredExperiment(Experiment experiment);

// The same for a reduction's time, which does not depend on the values, either: merges are not timed.
Experiment timedExperiment(Experiment experiment);

// Microseconds, from 0 on.
bool isTime(double microseconds);

// The time now as a recording keeps it: ISO 8601, UTC, to the second: "2026-01-02T03:04:05Z".
inline std::string utcNow() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace stridescope::model
