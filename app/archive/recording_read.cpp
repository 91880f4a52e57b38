#include <string>
#include <utility>

#include "archive/launch_reader.h"
#include "archive/printable_labels.h"
#include "archive/recording_file.h"
#include "archive/recording_kernel.h"
#include "archive/recording_limits.h"
#include "archive/recording_open.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "instrument/instrument.h"
#include "kernels/described_arrays.h"
#include "model/trace_check.h"

namespace stridescope::archive {
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
