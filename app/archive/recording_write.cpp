#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <variant>

#include "archive/database.h"
#include "archive/recorded_quantity.h"
#include "archive/recording_clocks.h"
#include "archive/recording_file.h"
#include "archive/recording_kernel.h"
#include "archive/recording_limits.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/result.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

Checked checkTraces(std::span<const model::Trace> traces, const std::atomic<bool>* cancel) {
  std::uint64_t texts = 0, numbers = 0;
  for (const model::Trace& trace : traces) {
    if (cancel && *cancel) return cancelled();
    if (const auto fault = model::faultOf(trace))
      return unavailable("The trace of '" + trace.experiment.variant + "' cannot be recorded: " + *fault +
                         ".");
    for (const model::LaunchTrace& launch : trace.launches)
      if (auto checked = checkCount("recorded blocks in a launch of '" + trace.experiment.variant + "'",
                                    launch.blocks.size(), launch.devices, "Record one of them.");
          !checked)
        return checked;
    const model::GivenData* const given = trace.experiment.given.get();
    if (given != nullptr) numbers += given->values.size();
    texts += textBytes(trace.experiment) + textBytes(trace.executor) + model::hashOf({}).size() +
             (given != nullptr ? given->name.size() : 0);
  }
  if (auto checked = checkCount("numbers of input data in all traces", numbers, kMaxAllGivenValues,
                                "Record fewer variants at once, or fewer numbers.");
      !checked)
    return checked;
  return checkCount("bytes of names and other texts of traces", texts, kMaxRecordTextBytes);
}

// Everything against the limits of its own structures and of the file (recording_limits.h). The error says
// what is beyond which limit. `cancel` may be null.
Checked checkWritable(std::span<const model::Trace> traces, const AllKept& kept,
                      const std::atomic<bool>* cancel) {
  if (auto checked = checkTraces(traces, cancel); !checked) return checked;
  for (const auto& each : kept)
    if (auto checked = each->check(); !checked) return checked;
  return std::monostate{};
}

// The engine as the file names it. What a recording gave no longer says which engine it was; only the host
// has no compute capability.
model::EngineKind engineThatRan(const model::Executor& executor) {
  if (executor.kind != model::EngineKind::Recorded) return executor.kind;
  return executor.computeCapability.empty() ? model::EngineKind::Host : model::EngineKind::Gpu;
}

class TraceWriter {
 public:
  explicit TraceWriter(sqlite3* database) : database_(database) {}

  bool write(std::int64_t id, const model::Trace& trace) {
    if (!writeHeader(id, trace) || !writeSites(id, trace)) return false;
    nextNumber_ = trace.launches.size();
    for (std::size_t i = 0; i < trace.launches.size(); ++i)
      if (!writeLaunch(id, i, trace.launches[i])) return false;
    return true;
  }

 private:
  bool writeHeader(std::int64_t id, const model::Trace& trace) {
    model::Executor by = trace.executor;
    by.kind = engineThatRan(by);
    const std::string hash = model::hashOf(trace.kernelText);
    traces_.set("id", id);
    setFields(traces_, trace.experiment, kExperimentRow);
    setFields(traces_, by, kExecutorRow);
    setFields(traces_, trace);
    traces_.set("site_count", trace.sites.size());
    traces_.set("launch_count", trace.launches.size());
    traces_.set("kernel_sha256", std::string_view(hash));
    return traces_.write();
  }

  bool writeSites(std::int64_t id, const model::Trace& trace) {
    for (const model::Site& site : trace.sites) {
      sites_.set("trace", id);
      setFields(sites_, site, kSiteRow);
      if (!sites_.write()) return false;
      for (std::size_t depth = 0; depth < site.loops.size(); ++depth)
        if (!siteLoops_.write(id, site.id, depth, site.loops[depth])) return false;
    }
    return true;
  }

  bool writeLaunch(std::int64_t id, std::size_t number, const model::LaunchTrace& launch) {
    launches_.set("trace", id);
    launches_.set("launch", number);
    const model::BlockTrace& block = launch.recorded();
    setFields(launches_, launch, kLaunchRow);
    setFields(launches_, block, kBlockRow);
    setCounts(launches_, block);
    return launches_.write() && writeArrays(id, number, launch.buffers, recording::kGlobalSpace) &&
           writeBlock(id, number, block) &&
           writeList(arrivals_, kArrivalTables.front(), {}, id, number, launch.arrivals) &&
           writeOtherBlocks(id, number, launch);
  }

  static void setCounts(RowWriter& row, const model::BlockTrace& block) {
    row.set("event_count", block.events.size());
    row.set("barrier_copy_count", block.barrierCopies.size());
    row.set("copied_word_count", block.copied.size());
  }

  // Those that are not shown (kDeviceBlockTables).
  bool writeOtherBlocks(std::int64_t id, std::size_t launch, const model::LaunchTrace& trace) {
    std::size_t ordinal = 0;
    for (const model::BlockTrace& block : trace.blocks) {
      if (&block == &trace.recorded()) continue;
      if (!deviceBlocks_) deviceBlocks_.emplace(database_, kDeviceBlockTables.front().name);
      deviceBlocks_->set("trace", id);
      deviceBlocks_->set("launch", launch);
      deviceBlocks_->set("ordinal", ordinal++);
      deviceBlocks_->set("number", nextNumber_);
      setFields(*deviceBlocks_, block, kBlockRow);
      setCounts(*deviceBlocks_, block);
      if (!deviceBlocks_->write() || !writeBlock(id, nextNumber_++, block)) return false;
    }
    return true;
  }

  bool writeBlock(std::int64_t id, std::size_t number, const model::BlockTrace& block) {
    if (!writeArrays(id, number, block.shared, recording::kSharedSpace) || !writeEvents(id, number, block))
      return false;
    for (std::size_t i = 0; i < block.barrierCopies.size(); ++i)
      if (!barrierCopies_.write(id, number, i, block.barrierCopies[i])) return false;
    for (std::size_t i = 0; i < block.copied.size(); ++i) {
      const auto& [thread, barrier, event] = block.copied[i];
      if (!copiedWords_.write(id, number, i, thread, barrier, event.site(), event.space(), event.offset(),
                              event.width(), event.secondHalf(), event.value))
        return false;
    }
    for (std::size_t i = 0; i < block.problems.size(); ++i)
      if (!writeProblem(id, number, i, block.problems[i])) return false;
    if (!block.issues.empty() && !writeIssues(id, number, block.issues)) return false;
    return writeList(others_, kOtherActTables.front(), kOtherActRow, id, number, block.others) &&
           writeList(meetings_, kMeetingTables.front(), kMeetingRow, id, number, block.meetings);
  }

  // Rows of a table that is there where a trace tells of any.
  template <class Each>
  bool writeList(std::optional<RowWriter>& writer, const RecordingTable& table, const RowShape& shape,
                 std::int64_t id, std::size_t launch, const std::vector<Each>& list) {
    if (!list.empty() && !writer) writer.emplace(database_, table.name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      writer->set("trace", id);
      writer->set("launch", launch);
      writer->set("ordinal", i);
      setFields(*writer, list[i], shape);
      if (!writer->write()) return false;
    }
    return true;
  }

  bool writeIssues(std::int64_t id, std::size_t launch, std::span<const std::uint32_t> issues) {
    if (!issues_) issues_.emplace(database_, kIssueTables.front().name, 4);
    for (std::size_t part = 0; !issues.empty(); ++part) {
      const auto row = issues.first(std::min(kIssuesPerRow, issues.size()));
      issues = issues.subspan(row.size());
      std::vector<std::uint8_t> bytes;
      for (const std::uint32_t issue : row)
        for (int shift = 0; shift < 32; shift += 8) bytes.push_back(std::uint8_t(issue >> shift));
      if (!issues_->write(id, launch, part, bytes)) return false;
    }
    return true;
  }

  bool writeProblem(std::int64_t id, std::size_t launch, std::size_t ordinal, const model::Problem& problem) {
    problems_.set("trace", id);
    problems_.set("launch", launch);
    problems_.set("ordinal", ordinal);
    setFields(problems_, problem, kProblemRow);
    problems_.set("site", problem.site < 0 ? std::nullopt : std::optional(problem.site));
    return problems_.write();
  }

  bool writeArrays(std::int64_t id, std::size_t launch, const std::vector<model::Array>& arrays,
                   unsigned space) {
    for (const model::Array& array : arrays) {
      arrays_.set("trace", id);
      arrays_.set("launch", launch);
      arrays_.set("space", space++);
      setFields(arrays_, array, kArrayRow);
      if (!arrays_.write() || !writeShape(id, launch, space - 1, array)) return false;
    }
    return true;
  }

  bool writeShape(std::int64_t id, std::size_t launch, unsigned space, const model::Array& array) {
    if (!array.extents.empty() && !extents_) extents_.emplace(database_, kExtentTables.front().name, 5);
    for (std::size_t i = 0; i < array.extents.size(); ++i)
      if (!extents_->write(id, launch, space, i, array.extents[i])) return false;
    if (!array.members.empty() && !members_) members_.emplace(database_, kMemberTables.front().name);
    for (std::size_t i = 0; i < array.members.size(); ++i) {
      members_->set("trace", id);
      members_->set("launch", launch);
      members_->set("space", space);
      members_->set("member", i);
      setFields(*members_, array.members[i], kMemberRow);
      if (!members_->write()) return false;
    }
    return true;
  }

  bool writeEvents(std::int64_t id, std::size_t number, const model::BlockTrace& block) {
    for (std::uint32_t thread = 0; thread + 1 < block.first.size(); ++thread) {
      std::uint32_t ordinal = 0;
      for (const model::Event& event : block.eventsOf(thread))
        if (!events_.write(id, number, thread, ordinal++, event.site(), unsigned(event.kind()), event.space(),
                           event.offset(), event.width(), event.secondHalf(), event.value))
          return false;
    }
    return true;
  }

  sqlite3* database_;
  RowWriter traces_{database_, "traces"};
  RowWriter sites_{database_, "sites"};
  RowWriter siteLoops_{database_, "site_loops", 4};
  RowWriter launches_{database_, "launches"};
  RowWriter arrays_{database_, "arrays"};
  RowWriter events_{database_, "events", 11};
  RowWriter barrierCopies_{database_, "barrier_copies", 4};
  RowWriter copiedWords_{database_, "copied_words", 11};
  RowWriter problems_{database_, "problems"};
  std::optional<RowWriter> issues_, others_, meetings_, arrivals_, extents_, members_,
      deviceBlocks_;            // where a trace tells them
  std::size_t nextNumber_ = 0;  // of a block that is not shown
};

bool execute(sqlite3* database, const std::string& sql) {
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

// The tables that a recording has where a trace tells of what they hold.
std::vector<RecordingTable> toldTables(std::span<const model::Trace> traces) {
  bool issues = false, others = false, meetings = false, arrivals = false, extents = false, members = false,
       blocks = false;
  for (const model::Trace& trace : traces)
    for (const model::LaunchTrace& launch : trace.launches) {
      issues = issues || !launch.recorded().issues.empty();
      others = others || !launch.recorded().others.empty();
      meetings = meetings || !launch.recorded().meetings.empty();
      arrivals = arrivals || !launch.arrivals.empty();
      blocks = blocks || launch.blocks.size() > 1;
      for (const std::vector<model::Array>* arrays : {&launch.recorded().shared, &launch.buffers})
        for (const model::Array& array : *arrays) {
          extents = extents || !array.extents.empty();
          members = members || !array.members.empty();
        }
    }
  std::vector<RecordingTable> tables;
  if (issues) tables.push_back(kIssueTables.front());
  if (others) tables.push_back(kOtherActTables.front());
  if (meetings) tables.push_back(kMeetingTables.front());
  if (arrivals) tables.push_back(kArrivalTables.front());
  if (extents) tables.push_back(kExtentTables.front());
  if (members) tables.push_back(kMemberTables.front());
  if (blocks) tables.push_back(kDeviceBlockTables.front());
  return tables;
}

bool writeTables(sqlite3* database, const AllKept& kept, std::span<const RecordingTable> told) {
  // Nobody else sees the file before it is published, and a failure removes it: no journal, no syncs, no
  // locks.
  std::string sql =
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA "
      "cache_size=-65536;"
      "PRAGMA application_id=" +
      std::to_string(kRecordingApplicationId) + "; PRAGMA user_version=" + std::to_string(kRecordingFormat) +
      "; BEGIN;";
  for (const RecordingTable& table : recordingTables(kRecordingFormat)) sql += std::string(table.sql) + ";";
  sql += std::string(recordingConveniences());
  for (const RecordingTable& table : ownTables()) sql += std::string(table.sql) + ";";
  for (const RecordingTable& table : laterTables()) sql += std::string(table.sql) + ";";
  for (const RecordingTable& table : kernelTables()) sql += std::string(table.sql) + ";";
  for (const auto& each : kept)
    if (each->hasTables(kRecordingFormat))
      for (const RecordingTable& table : each->tables()) sql += std::string(table.sql) + ";";
  for (const RecordingTable& table : told) sql += std::string(table.sql) + ";";
  sql += std::string(timingConveniences());
  if (!execute(database, sql)) return false;
  RowWriter kinds(database, "event_kinds", 2);
  for (std::size_t kind = 0; kind < kEventKindNames.size(); ++kind)
    if (!kinds.write(kind, kEventKindNames[kind])) return false;
  return true;
}

constexpr int kStepsBetweenLooks = 10'000;  // at whether it was cancelled: some hundred rows

int isCancelled(void* cancel) { return int(*static_cast<const std::atomic<bool>*>(cancel)); }

bool writeAll(sqlite3* database, std::span<const model::Trace> traces, const AllKept& kept) {
  if (!writeTables(database, kept, toldTables(traces))) return false;
  TraceWriter writer(database);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::int64_t id = std::int64_t(i) + 1;
    if (!writer.write(id, traces[i]) || !writeOwn(database, id, traces[i]) ||
        !writeLater(database, id, traces[i]) || !writeKernelModel(database, id, traces[i].kernel))
      return false;
  }
  for (const auto& each : kept)
    if (!each->write(database)) return false;
  return execute(database, "COMMIT");
}

// What the system said when SQLite failed: its errno value, or 0. SQLite itself does not keep it when a
// COMMIT fails, so errno must have been 0 before.
int systemErrorOf(sqlite3* database) {
  const int last = errno;
  if (sqlite3_errcode(database) == SQLITE_FULL) return ENOSPC;
  if (sqlite3_errcode(database) == SQLITE_NOMEM) return ENOMEM;
  return sqlite3_system_errno(database) != 0 ? sqlite3_system_errno(database) : last;
}

}  // namespace

Result<std::monostate> writeRecording(const std::filesystem::path& path, std::span<const model::Trace> traces,
                                      bool overwrite, const Measured& measured,
                                      const std::atomic<bool>* cancel) {
  return writeKept(path, traces, overwrite, keptOf(measured), cancel);
}

Checked writeKept(const std::filesystem::path& path, std::span<const model::Trace> traces, bool overwrite,
                  const AllKept& kept, const std::atomic<bool>* cancel) {
  if (traces.empty()) return usageError("There is no trace to write into '" + path.native() + "'.");
  if (const auto checked = checkWritable(traces, kept, cancel); !checked) return checked;

  Result<PendingFile> file = PendingFile::create(path, overwrite);
  if (!file) return tl::unexpected(file.error());
  sqlite3* opened = nullptr;
  errno = 0;
  std::error_code unknown;  // without a current folder the name stays relative, and opening it fails
  const std::string name = std::filesystem::absolute(file->temporaryPath(), unknown).native();
  const int code =
      sqlite3_open_v2(name.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
  Database database(opened);
  if (opened && cancel)
    sqlite3_progress_handler(opened, kStepsBetweenLooks, &isCancelled,
                             const_cast<std::atomic<bool>*>(cancel));
  if (code != SQLITE_OK || !writeAll(opened, traces, kept)) {
    if (cancel && *cancel) return cancelled();
    const int systemError = opened ? systemErrorOf(opened) : ENOMEM;
    if (systemError != 0) return file->failure(systemError);
    return unavailable("The recording '" + path.native() +
                       "' could not be written: " + sqlite3_errmsg(opened) + ".");
  }
  if (sqlite3_close(database.release()) != SQLITE_OK) return file->failure(EIO);
  return file->publish(cancel);
}

}  // namespace stridescope::archive
