// Opens a recording and reads it, distrusting it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "archive/database.h"
#include "archive/recording_schema.h"
#include "base/result.h"
#include "model/quantity.h"

namespace stridescope::archive {

// A recording that is open: read-only, taken as unchanging (so that nothing is locked and nothing is written
// beside it), with SQLite's defences up, the tables known to be ours, and the work that may be spent on it
// bounded by its size. Use it on one thread.
class OpenRecording {
 public:
  // Errors say in a sentence what the file is instead of a recording. Looks at the first bytes of the file
  // before SQLite does, and never at all of it. `cancel` may be null.
  static Result<OpenRecording> open(const std::filesystem::path& path, const std::atomic<bool>* cancel);

  // Whether there are the tables of a quantity. Some of them, or others of their names, set the fault.
  bool has(const model::Quantity& quantity, std::span<const RecordingTable> tables, ReadState& state) const;

  // Whether there are tables that a recording of any format may have. Some of them, or others of their names,
  // set the fault, a clause that names `what` they are of.
  bool hasAll(std::string_view what, std::span<const RecordingTable> tables, ReadState& state) const;

  bool hasOwn() const { return format_ >= kOwnFormat; }
  // The kernel's model, assignments, the types and roles of arrays, and fields that no other table has.
  bool hasModel() const { return format_ >= kModelFormat; }
  bool hasTextOrder() const { return format_ >= kTextOrderFormat; }

  // The same file on a connection of its own: for another thread.
  Result<OpenRecording> openAgain() const { return open(name_, watch_->cancel); }

  sqlite3* database() const { return database_.get(); }

  // The error for a reading that failed.
  tl::unexpected<Error> failure(const ReadState& state) const;

 private:
  // Counts SQLite's steps in a place that stays where it is when the recording is moved.
  struct Watch {
    const std::atomic<bool>* cancel = nullptr;
    std::uint64_t callsLeft = 0;
    bool cancelled = false;
  };
  static int onProgress(void* watch);

  // How many of the tables there are by their names, and how many with their very text.
  struct Found {
    std::size_t named = 0, equal = 0;
  };
  Found lookFor(std::span<const RecordingTable> tables, ReadState& state) const;

  OpenRecording() = default;
  Result<std::monostate> checkTables();

  std::string name_;              // the path, for the sentences
  std::unique_ptr<Watch> watch_;  // outlives the connection
  Database database_;
  std::uint32_t format_ = 0;
};

// Opens, reads with `body(recording, state)` and turns a fault into an error.
template <class Body>
Result<std::monostate> reading(const std::filesystem::path& path, const std::atomic<bool>* cancel,
                               ReadState state, const Body& body) {
  Result<OpenRecording> recording = OpenRecording::open(path, cancel);
  if (!recording) return tl::unexpected(recording.error());
  if (state.rowBytes != 0) sqlite3_limit(recording->database(), SQLITE_LIMIT_LENGTH, int(state.rowBytes));
  body(*recording, state);
  if (state.failed()) return recording->failure(state);
  return std::monostate{};
}

}  // namespace stridescope::archive
