// Recordings: files that hold traces, to be shown on machines that cannot make them. A recording is an SQLite
// database (docs/recording.md has its tables), so that a person can query it without this program.
//
// Each call opens and closes the file by itself; calls may run at once, on any threads. A recording is input
// from elsewhere: it is opened read-only, nothing in it is executed, and what is read is checked (see
// trace_check.h), so that a damaged or hostile file gives an error and never an index out of range.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <ranges>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/quantities.h"
#include "model/trace.h"

namespace stridescope::archive {

inline constexpr std::string_view kRecordingSuffix = ".stride";

struct RecordingEntry {
  std::int64_t id = 0;  // for readTrace
  model::Experiment experiment;
  model::Executor executor;  // who ran it then: its kind is Host or Gpu
  std::string kernelHash;    // hashOf its kernel text
  friend bool operator==(const RecordingEntry&, const RecordingEntry&) = default;
};

struct RecordingIndex {
  std::vector<RecordingEntry> traces;  // at least one, in the order in which they were written
};

template <class Record>
using RecordSpan = std::span<const Record>;

// What is kept beside the traces: records of some quantities. Counters are those of runs on data that a
// pattern makes.
struct Measured : model::PerQuantity<RecordSpan> {
  Measured() = default;
  // Refers to the lists, each with the records of one quantity.
  template <std::ranges::contiguous_range... Lists>
  requires(sizeof...(Lists) > 0) Measured(const Lists&... lists) {
    ((of<std::ranges::range_value_t<Lists>>() = lists), ...);
  }
};

// Writes the traces into a new file, whole or not at all: under a temporary name in the same folder, synced
// to the disk, then renamed. A file that is there already is replaced only with `overwrite`. A trace that
// was itself read from a recording is written as its executor's device ran it.
// `measured` is kept beside them. `cancel` may be null; set, it ends the writing with Cancelled, and nothing
// is left of it. Errors: no trace, a trace or something measured that does not hold together, an existing
// file (names
// --force), a missing folder, no permission, a full disk, a limit on the sizes of files, no memory.
Result<std::monostate> writeRecording(const std::filesystem::path& path, std::span<const model::Trace> traces,
                                      bool overwrite, const Measured& measured = {},
                                      const std::atomic<bool>* cancel = nullptr);

// Which traces a recording holds. Reads no events, but a person's input data. `cancel` as of readTrace.
Result<RecordingIndex> readIndex(const std::filesystem::path& path,
                                 const std::atomic<bool>* cancel = nullptr);

// One trace, its executor's kind now Recorded, with the verdict that the file has. What an older format
// lacks, the kernel's model, the types and roles of the arrays and the order of loads, follows from the
// kernel's text and the catalogue. `cancel` may be null; set, it ends the reading with Cancelled. `known`:
// the input data of its entry in the index, which are then not read again; null, or none: they are read.
Result<model::Trace> readTrace(const std::filesystem::path& path, std::int64_t id,
                               const std::atomic<bool>* cancel = nullptr,
                               const model::SharedData* known = nullptr);

template <class Record>
using ReadRecords = Result<std::vector<Record>> (*)(const std::filesystem::path&);
const model::PerQuantity<ReadRecords>& quantityReaders();

// The records of one quantity (model/quantities.h) that a recording holds; most hold none.
template <class Record>
Result<std::vector<Record>> readQuantity(const std::filesystem::path& path) {
  return quantityReaders().of<Record>()(path);
}

}  // namespace stridescope::archive
