#include "archive/recording_open.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "archive/recording_clocks.h"
#include "archive/recording_codes.h"
#include "archive/recording_costs.h"
#include "archive/recording_counters.h"
#include "archive/recording_header.h"
#include "archive/recording_kernel.h"
#include "archive/recording_later.h"
#include "archive/recording_limits.h"
#include "archive/recording_own.h"
#include "archive/recording_schema.h"
#include "archive/recording_timelines.h"
#include "archive/recording_timings.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

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

// A view, a virtual table or a table with computed columns under one of our names could make a simple SELECT
// run anything: only the very tables that we write are read.
Result<std::monostate> OpenRecording::checkTables() {
  ReadState state{.textBytesLeft = std::size_t{1} << 20};
  {
    RowReader version(database(), "PRAGMA user_version", "PRAGMA user_version", state);
    const bool told = version.next();
    format_ = told ? std::uint32_t(version.integer(0, kFirstRecordingFormat, kRecordingFormat)) : 0;
    std::vector<RecordingTable> wanted = recordingTables(format_);
    if (hasTimings()) wanted.insert(wanted.end(), timingTables().begin(), timingTables().end());
    if (hasOwn()) wanted.insert(wanted.end(), ownTables().begin(), ownTables().end());
    if (hasModel())
      for (const auto tables : {laterTables(), kernelTables()})
        wanted.insert(wanted.end(), tables.begin(), tables.end());
    if (hasClocks()) wanted.insert(wanted.end(), clockTables().begin(), clockTables().end());
    if (hasCounters()) wanted.insert(wanted.end(), counterTables().begin(), counterTables().end());
    if (hasTimelines())
      for (const auto tables : {timelineTables(), costTables(), codeTables()})
        wanted.insert(wanted.end(), tables.begin(), tables.end());
    std::size_t found = 0;
    RowReader rows(database(), "sqlite_schema", "SELECT name, sql FROM sqlite_schema WHERE type = 'table'",
                   state);
    while (rows.next()) {
      const std::string name = rows.text(0), sql = rows.text(1);
      for (const RecordingTable& table : wanted) found += table.name == name && table.sql == sql;
    }
    if (!state.failed() && found != wanted.size())
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

}  // namespace stridescope::archive
