#include "archive/recording_read.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "archive/launch_reader.h"
#include "archive/printable_labels.h"
#include "archive/recorded_quantity.h"
#include "archive/recording_file.h"
#include "archive/recording_kernel.h"
#include "archive/recording_limits.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "base/regular_file.h"
#include "base/result.h"
#include "instrument/instrument.h"
#include "kernels/described_arrays.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

// What stands at a path: told from the file's kind and its first 100 bytes, before SQLite sees it.

// SQLite's header, https://www.sqlite.org/fileformat2.html#the_database_header: numbers are big-endian.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kPageSizeAt = 16, kChangeCounterAt = 24, kPageCountAt = 28, kUserVersionAt = 60,
                      kApplicationIdAt = 68, kVersionValidForAt = 92;
using Header = std::array<unsigned char, kHeaderBytes>;

std::uint32_t numberAt(const Header& header, std::size_t at, std::size_t bytes = 4) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) number = number << 8 | header[at + i];
  return number;
}

tl::unexpected<Error> cutShort(const std::string& name, std::uint64_t bytes) {
  return unavailable("The recording " + name + " is cut short after " + std::to_string(bytes) +
                     " bytes. Copy it again from where it came.");
}

Result<std::uint64_t> checkHeader(const std::string& name, const Header& header, std::uint64_t size) {
  if (numberAt(header, kApplicationIdAt) != kRecordingApplicationId)
    return unavailable("The file " + name + " is another program's database, not a recording.");
  const std::uint32_t format = numberAt(header, kUserVersionAt);
  const std::string formats = " is in format " + std::to_string(format) +
                              ", and this program reads formats up to " + std::to_string(kRecordingFormat) +
                              ".";
  if (format > kRecordingFormat && format <= 0xffff)
    return unavailable("The recording " + name + formats + " Open it with a newer Stridescope.");
  if (format < kFirstRecordingFormat || format > kRecordingFormat)
    return unavailable("The recording " + name + " is damaged: it" + formats);
  // The page count holds only if the last writer kept it: two counters agree then.
  const std::uint64_t pageSize =
      numberAt(header, kPageSizeAt, 2) == 1 ? 65536 : numberAt(header, kPageSizeAt, 2);
  const std::uint64_t bytes = pageSize * numberAt(header, kPageCountAt);
  if (numberAt(header, kChangeCounterAt) == numberAt(header, kVersionValidForAt) && bytes != size) {
    if (bytes > size) return cutShort(name, size);
    return unavailable("The recording " + name +
                       " is damaged: the file is longer than what it says it holds.");
  }
  return size;
}

// The file's size in bytes if it looks like a whole recording of a format that this program reads; else a
// sentence that says what it is: missing, a folder, a named pipe, empty, no recording, another program's
// database, a newer format, cut short. Never blocks on a pipe or a device.
Result<std::uint64_t> checkRecordingHeader(const std::filesystem::path& path) {
  const std::string name = "'" + path.native() + "'";
  const auto file = openRegularFile(path, "a recording");
  if (!file) return tl::unexpected(file.error());
  Header header{};
  const ssize_t got = ::pread(file->descriptor.number(), header.data(), header.size(), 0);
  if (got < 0) return cannotRead(path, errno);
  if (got == 0) return unavailable("The file " + name + " is empty, not a recording.");
  const std::string_view begin(reinterpret_cast<const char*>(header.data()), std::size_t(got));
  if (begin.substr(0, kMagic.size()) != kMagic.substr(0, begin.size()))
    return unavailable("The file " + name + " is not a recording.");
  if (begin.size() < kHeaderBytes) return cutShort(name, file->bytes);
  return checkHeader(name, header, file->bytes);
}

constexpr int kStepsPerCall = 1000;
// Loading the schema and looking at it: a few hundred steps. What people add (views, indexes) has room.
constexpr std::uint64_t kOpeningCalls = 20;
// Reading a row takes fewer steps than twice its bytes. The upper bound is some tens of seconds.
constexpr std::uint64_t kBaseSteps = 1'000'000, kStepsPerByte = 4, kMaxSteps = 2'000'000'000;
constexpr int kMaxSqlBytes = 16 << 10;

// file:///folder/name?immutable=1, with everything escaped that a URI could take for something else.
std::string immutableUri(const std::filesystem::path& path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::error_code unknown;  // without a current folder the name stays relative, and opening it fails
  std::string uri = "file://";
  const std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
  for (const char c : absolute.native()) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri + "?immutable=1";
}

bool raiseDefences(sqlite3* database) {
  struct Setting {
    int option, value;
  };
  for (const auto& [option, value] : {Setting{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}})
    if (sqlite3_db_config(database, option, value, nullptr) != SQLITE_OK) return false;
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, int(kMaxRowBytes));
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes);
  sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 100);
  sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 10);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  return sqlite3_exec(database, "PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA temp_store=MEMORY",
                      nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

int OpenRecording::onProgress(void* watch) {
  auto& self = *static_cast<Watch*>(watch);
  self.cancelled = self.cancel && self.cancel->load(std::memory_order_relaxed);
  if (self.cancelled || self.callsLeft == 0) return 1;  // ends the statement
  --self.callsLeft;
  return 0;
}

Result<OpenRecording> OpenRecording::open(const std::filesystem::path& path,
                                          const std::atomic<bool>* cancel) {
  const Result<std::uint64_t> size = checkRecordingHeader(path);
  if (!size) return tl::unexpected(size.error());

  OpenRecording recording;
  recording.name_ = path.native();
  recording.watch_ = std::make_unique<Watch>(Watch{cancel, kOpeningCalls, false});
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(immutableUri(path).c_str(), &opened,
                                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  recording.database_.reset(opened);
  if (code != SQLITE_OK || !raiseDefences(opened))
    return unavailable("The recording '" + path.native() + "' cannot be opened.",
                       opened ? sqlite3_errmsg(opened) : "out of memory");
  sqlite3_progress_handler(opened, kStepsPerCall, &onProgress, recording.watch_.get());

  if (const auto tables = recording.checkTables(); !tables) return tl::unexpected(tables.error());
  recording.watch_->callsLeft = std::min(kBaseSteps + kStepsPerByte * *size, kMaxSteps) / kStepsPerCall;
  return recording;
}

OpenRecording::Found OpenRecording::lookFor(std::span<const RecordingTable> tables, ReadState& state) const {
  Found found;
  RowReader rows(database(), "sqlite_schema", "SELECT name, sql FROM sqlite_schema WHERE type = 'table'",
                 state);
  while (rows.next()) {
    const std::string name = rows.text(0), sql = rows.text(1);
    for (const RecordingTable& table : tables) {
      found.named += table.name == name;
      found.equal += table.name == name && table.sql == sql;
    }
  }
  return found;
}

bool OpenRecording::has(const model::Quantity& quantity, std::span<const RecordingTable> tables,
                        ReadState& state) const {
  return quantity.format != 0 ? format_ >= quantity.format : hasAll(quantity.many, tables, state);
}

bool OpenRecording::hasAll(std::string_view what, std::span<const RecordingTable> tables,
                           ReadState& state) const {
  const Found found = lookFor(tables, state);
  if (found.named != 0 && found.equal != tables.size() && !state.failed())
    state.fault = "its tables of " + std::string(what) + " are not those of this program";
  return found.named != 0 && !state.failed();
}

// A view, a virtual table or a table with computed columns under one of our names could make a simple SELECT
// run anything: only the very tables that we write are read.
Result<std::monostate> OpenRecording::checkTables() {
  ReadState state{.textBytesLeft = std::size_t{1} << 20};
  {
    RowReader version(database(), "PRAGMA user_version", "PRAGMA user_version", state);
    const bool told = version.next();
    format_ = told ? std::uint32_t(version.integer(0, kFirstRecordingFormat, kRecordingFormat)) : 0;
    std::vector<RecordingTable> wanted = recordingTables(format_);
    for (const auto& kept : keptOf({}))
      if (kept->hasTables(format_)) wanted.insert(wanted.end(), kept->tables().begin(), kept->tables().end());
    if (hasOwn()) wanted.insert(wanted.end(), ownTables().begin(), ownTables().end());
    if (hasModel())
      for (const auto tables : {laterTables(), kernelTables()})
        wanted.insert(wanted.end(), tables.begin(), tables.end());
    if (lookFor(wanted, state).equal != wanted.size() && !state.failed())
      state.fault = "its tables are not those of format " + std::to_string(format_);
  }
  if (state.failed()) return failure(state);
  return std::monostate{};
}

tl::unexpected<Error> OpenRecording::failure(const ReadState& state) const {
  const bool stopped = state.databaseCode == SQLITE_INTERRUPT && watch_->cancel && *watch_->cancel;
  if (stopped || watch_->cancelled) return cancelled();
  const std::string name = "The recording '" + name_ + "'";
  switch (state.databaseCode) {
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_NOMEM:
      return unavailable(name + " could not be read.", state.fault);
    case SQLITE_INTERRUPT:
      return unavailable(name + " is damaged: reading it takes more work than its size allows.", state.fault);
    default:
      return unavailable(name + " is damaged: " + state.fault + ".");
  }
}

namespace {

RecordingEntry readEntry(RowReader& row) {
  RecordingEntry entry;
  entry.id = std::int64_t(row.bits(row.column("id")));
  readFields(row, entry.experiment, kExperimentRow);
  readExecutor(row, entry.executor);
  readField(row, row.column("kernel_sha256"), entry.kernelHash, {});
  return entry;
}

// Reads one trace, table after table. After the first fault everything reads as empty.
class TraceReader {
 public:
  TraceReader(const OpenRecording& recording, std::int64_t id, const model::SharedData* known,
              ReadState& state)
      : known_(known),
        recording_(recording),
        database_(recording.database()),
        hasOwn_(recording.hasOwn()),
        hasModel_(recording.hasModel()),
        id_(id),
        state_(state) {}

  // False if there is no such trace.
  bool read(model::Trace& trace) {
    RowReader row = reader("traces", "* FROM traces WHERE id = ?1");
    row.start({id_});
    if (!row.next()) return false;
    RecordingEntry entry = readEntry(row);
    trace.experiment = std::move(entry.experiment);
    trace.executor = std::move(entry.executor);
    trace.executor.kind = model::EngineKind::Recorded;
    trace.verdictIsRecorded = true;
    readFields(row, trace);
    const auto siteCount = row.count("site_count", recording::kMaxSites);
    const auto launchCount = row.count("launch_count", model::kMaxLaunches);
    if (entry.kernelHash != model::hashOf(trace.kernelText))
      row.fault(row.column("kernel_sha256"), "is not that of kernel_text");
    if (hasOwn_) {
      readOwnExperiment(database_, id_, state_, trace.experiment, known_);
      readOwnTrial(database_, id_, state_, trace.trial);
    }
    readSites(trace.sites, siteCount);
    readSiteLoops(trace.sites);
    LaunchReader(recording_, id_, state_).read(trace.launches, launchCount);
    if (hasModel_) {
      readLater(database_, id_, state_, trace);
      readKernelModel(database_, id_, state_, trace.kernel);
      instrument::addMemoryOrders(trace.kernel, trace.kernelText, trace.sites);
    }
    return true;
  }

 private:
  RowReader reader(std::string_view table, std::string_view columnsFromWhere) {
    return {database_, table, "SELECT " + std::string(columnsFromWhere), state_};
  }

  void readSites(std::vector<model::Site>& sites, std::size_t count) {
    RowReader row = reader("sites", "* FROM sites WHERE trace = ?1 ORDER BY id");
    for (row.start({id_}); row.next();) {
      row.expect(row.column("id"), sites.size());
      readFields(row, sites.emplace_back(), kSiteRow);
    }
    row.expectCount(sites.size(), count);
  }

  void readSiteLoops(std::vector<model::Site>& sites) {
    RowReader row =
        reader("site_loops", "site, depth, loop FROM site_loops WHERE trace = ?1 ORDER BY site, depth");
    for (row.start({id_}); row.next();) {
      const auto id = std::size_t(row.integer(0, 0, std::int64_t(sites.size()) - 1));
      row.integer(1, 0, model::kMaxLoopDepth - 1);
      if (state_.failed()) return;
      std::vector<int>& loops = sites[id].loops;
      row.expect(1, loops.size());
      loops.push_back(int(row.integer(2, 0, kMaxSite)));
    }
  }

  const model::SharedData* known_;
  const OpenRecording& recording_;
  sqlite3* database_;
  bool hasOwn_, hasModel_;
  std::int64_t id_;
  ReadState& state_;
};

}  // namespace

Result<RecordingIndex> readIndex(const std::filesystem::path& path, const std::atomic<bool>* cancel) {
  RecordingIndex index;
  const auto read =
      reading(path, cancel, {.textBytesLeft = kMaxRecordTextBytes},
              [&](const OpenRecording& recording, ReadState& state) {
                RowReader row(recording.database(), "traces", "SELECT * FROM traces ORDER BY id", state);
                while (row.next()) index.traces.push_back(readEntry(row));
                for (RecordingEntry& entry : index.traces) {
                  if (recording.hasOwn())
                    readOwnExperiment(recording.database(), entry.id, state, entry.experiment);
                  if (recording.hasModel())
                    readLaterHead(recording.database(), entry.id, state, entry.experiment, entry.executor);
                }
              });
  if (!read) return tl::unexpected(read.error());
  for (RecordingEntry& entry : index.traces) makeLabelsPrintable(entry);
  if (index.traces.empty()) return unavailable("The recording '" + path.native() + "' holds no trace.");
  return index;
}

Result<model::Trace> readTrace(const std::filesystem::path& path, std::int64_t id,
                               const std::atomic<bool>* cancel, const model::SharedData* known) {
  model::Trace trace;
  bool found = false;
  const ReadState limits{.textBytesLeft = kMaxTraceTextBytes,
                         .blobBytesLeft = model::kMaxBarrierCopyBytes + 4 * model::kMaxTraceEvents};
  const auto read = reading(path, cancel, limits, [&](const OpenRecording& recording, ReadState& state) {
    found = TraceReader(recording, id, known, state).read(trace);
    if (state.failed() || !found) return;
    if (!recording.hasModel()) {
      trace.kernel = instrument::modelFor(trace.kernelText, trace.sites);
      kernels::describeArrays(trace);
    }
    if (const auto fault = model::faultOf(trace))
      state.fault = *fault;
    else if (!recording.hasTextOrder())
      for (model::LaunchTrace& launch : trace.launches) putLoadsInOrder(launch, trace.sites);
  });
  if (!read) return tl::unexpected(read.error());
  if (!found)
    return usageError("The recording '" + path.native() + "' has no trace with the number " +
                      std::to_string(id) + ".");
  makeLabelsPrintable(trace);
  return trace;
}

}  // namespace stridescope::archive
