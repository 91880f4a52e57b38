// How measured quantities (model/quantity.h) are kept in recordings: what may be written, and how all records
// of one are written and read. Their rows: quantity_rows.h.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "archive/printable_labels.h"
#include "archive/quantity_rows.h"
#include "archive/recording_clocks.h"
#include "archive/recording_file.h"
#include "archive/recording_limits.h"
#include "archive/recording_read.h"
#include "archive/recording_schema.h"
#include "archive/row_shapes.h"
#include "base/result.h"
#include "model/quantity.h"

namespace stridescope::archive {

// The tables of a quantity. A record that is not described so has its own (recording_clocks.h).
template <class Record>
struct RecordTables {
  static std::span<const RecordingTable> tables() {
    static const std::vector<MadeTable> made = make();
    static const std::vector<RecordingTable> all = [] {
      std::vector<RecordingTable> list;
      for (const MadeTable& each : made) list.push_back({each.name, each.sql});
      if constexpr (HasMoreTables<Record>)
        for (const RecordingTable& each : MoreTables<Record>::tables()) list.push_back(each);
      return list;
    }();
    return all;
  }
  // Into tables that are there. False: SQLite refused.
  static bool write(sqlite3* database, std::span<const Record> records) {
    QuantityWriter<Record> writer(database);
    for (std::size_t i = 0; i < records.size(); ++i)
      if (!writer.write(std::int64_t(i) + 1, records[i])) return false;
    return true;
  }
  static std::vector<Record> read(sqlite3* database, ReadState& state) {
    return QuantityReader<Record>(database, state).read();
  }

 private:
  static std::vector<MadeTable> make() {
    constexpr const model::Quantity& quantity = model::kQuantity<Record>;
    static_assert(!quantity.table.empty(), "model::kQuantity<Record> says what the record is called");
    static const std::string owner = std::string(quantity.table) + ".id";
    std::vector<TableColumn> columns{{"id", "INTEGER PRIMARY KEY"}};
    addColumns<Record>(columns, quantity.fields, quantity);
    if constexpr (HasMoreTables<Record>)
      columns.insert(columns.end(), MoreTables<Record>::kColumns.begin(), MoreTables<Record>::kColumns.end());
    std::vector<MadeTable> tables{{quantity.table, createStatement(quantity.table, columns, {})}};
    addListTables<Record>(tables, quantity, {{"record", "INTEGER NOT NULL", owner}});
    return tables;
  }
};

// The order of their columns is not the description's (recording_clocks.cpp).
template <>
struct RecordTables<model::TimingRecord> {
  static std::span<const RecordingTable> tables();
  static bool write(sqlite3* database, std::span<const model::TimingRecord> timings);
  static std::vector<model::TimingRecord> read(sqlite3* database, ReadState& state);
};

// The most that reading all records takes.
template <class Record>
inline constexpr RecordBudget kBudget{.parts = model::kQuantity<Record>.mostParts};
template <>
inline constexpr RecordBudget kBudget<model::ClockRecord>{
    .textBytes = kMaxRecordTextBytes + kMaxCyclesTextBytes,
    .parts = 2 * model::kMaxMarksOfClocks};  // each path is a warp's
template <>
inline constexpr RecordBudget kBudget<model::TimelineRecord>{
    .blobBytes = kMaxPackedBytes, .rowBytes = kMaxBlocksRowBytes, .parts = model::kMaxRecordedBlocks};
template <>
inline constexpr RecordBudget kBudget<model::MachineCode>{.textBytes = kMaxRecordTextBytes + kMaxListingBytes,
                                                          .rowBytes = kMaxListingRowBytes};

// The parts that a quantity limits.
inline std::uint64_t partsOf(const auto&) { return 0; }
inline std::uint64_t partsOf(const model::TimingRecord& timing) { return timing.samples.size(); }
inline std::uint64_t partsOf(const model::ClockRecord& clock) { return model::markCount(clock); }
inline std::uint64_t partsOf(const model::TimelineRecord& timeline) { return model::blockCount(timeline); }
inline std::uint64_t partsOf(const model::MachineCode& code) {
  return Packing<std::vector<model::CodeLine>>(code.lines).text().size();
}

using Checked = Result<std::monostate>;

// An error: there are more than that.
Checked checkCount(const std::string& what, std::uint64_t has, std::uint64_t most,
                   const char* advice = "Record fewer experiments at once.");

// What a record is of, in a sentence.
const std::string& subjectOf(const auto& record) { return record.experiment.variant; }
inline const std::string& subjectOf(const model::ClockRecord& clock) { return clock.variant; }
inline const std::string& subjectOf(const model::TimingRecord& timing) { return timing.subject.id; }
inline const std::string& subjectOf(const model::LinkRecord& links) { return links.executor.device; }

// Whether a recording may hold these: what the reader would call damaged is not written.
template <class Record>
Checked checkRecords(std::span<const Record> records) {
  constexpr const model::Quantity& quantity = model::kQuantity<Record>;
  const std::string many(quantity.many);
  const auto refused = [&](const std::string& of, const std::string& why) {
    return "The " + std::string(quantity.one) + " of '" + of + "' cannot be recorded: " + why + ".";
  };
  if constexpr (requires(const Record& record) { record.experiment.given; })
    if (std::ranges::find(quantity.experiment, "data") != quantity.experiment.end())
      for (const Record& record : records)
        if (record.experiment.given.get() != nullptr)
          return usageError(refused(record.experiment.variant, "they are of a person's input data"));
  if (auto checked = checkCount(many, records.size(), quantity.most); !checked) return checked;
  std::size_t texts = 0;
  std::uint64_t parts = 0;
  for (const Record& record : records) {
    texts += textBytes(record);
    if (const auto fault = faultOf(record)) return unavailable(refused(subjectOf(record), *fault));
    // A listing is no label, and has a limit of its own.
    if constexpr (std::is_same_v<Record, model::MachineCode>) texts -= textBytes(record.lines);
  }
  for (const Record& record : records) parts += partsOf(record);
  if (auto checked = checkCount("bytes of names and other texts of " + many, texts, kMaxRecordTextBytes);
      !checked)
    return checked;
  return quantity.parts.empty() ? std::monostate{}
                                : checkCount(std::string(quantity.parts), parts, quantity.mostParts);
}

// Records of one quantity that a recording is to hold.
class KeptRecords {
 public:
  virtual ~KeptRecords() = default;
  virtual std::span<const RecordingTable> tables() const = 0;
  // Whether a recording of this format has the tables, with records or without.
  virtual bool hasTables(std::uint32_t format) const = 0;
  virtual Checked check() const = 0;
  virtual bool write(sqlite3* database) const = 0;
};

template <class Record>
class KeptOf final : public KeptRecords {
 public:
  explicit KeptOf(std::span<const Record> records) : records_(records) {}
  std::span<const RecordingTable> tables() const override { return RecordTables<Record>::tables(); }
  bool hasTables(std::uint32_t format) const override {
    constexpr unsigned first = model::kQuantity<Record>.format;
    return first == 0 ? !records_.empty() : format >= first;
  }
  Checked check() const override { return checkRecords(records_); }
  bool write(sqlite3* database) const override {
    return records_.empty() || RecordTables<Record>::write(database, records_);
  }

 private:
  std::span<const Record> records_;
};

using AllKept = std::vector<std::unique_ptr<const KeptRecords>>;

// As they are written, one after another. They refer to what `measured` refers to.
AllKept keptOf(const Measured& measured);

// As writeRecording() in recording_file.h.
Checked writeKept(const std::filesystem::path& path, std::span<const model::Trace> traces, bool overwrite,
                  const AllKept& kept, const std::atomic<bool>* cancel = nullptr);

// As readQuantity() in recording_file.h.
template <class Record>
Result<std::vector<Record>> readRecords(const std::filesystem::path& path) {
  constexpr const model::Quantity& quantity = model::kQuantity<Record>;
  constexpr const RecordBudget& budget = kBudget<Record>;
  std::vector<Record> records;
  const auto read = reading(path, nullptr,
                            {.textBytesLeft = budget.textBytes,
                             .blobBytesLeft = budget.blobBytes,
                             .rowBytes = budget.rowBytes,
                             .partsLeft = budget.parts},
                            [&](const OpenRecording& recording, ReadState& state) {
                              if (!recording.has(quantity, RecordTables<Record>::tables(), state)) return;
                              records = RecordTables<Record>::read(recording.database(), state);
                              for (const Record& record : records)
                                if (const auto fault = faultOf(record); fault && !state.failed())
                                  state.fault = "of " + std::string(quantity.where) + ": " + *fault;
                            });
  if (!read) return tl::unexpected(read.error());
  for (Record& record : records) makeLabelsPrintable(record);
  return records;
}

}  // namespace stridescope::archive
