#include "session/recorded_measurements.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "archive/recording_file.h"
#include "engine/engine_name.h"

namespace stridescope::session {
namespace {

// One table of a recording, read when it is first asked for.
template <class Record>
class Table {
 public:
  using Read = Result<std::vector<Record>> (*)(const std::filesystem::path&);
  Table(std::string path, Read read) : path_(std::move(path)), read_(read) {}

  const Result<std::vector<Record>>& records() {
    if (!records_) records_ = read_(path_);
    return *records_;
  }

 private:
  std::string path_;
  Read read_;
  std::optional<Result<std::vector<Record>>> records_;
};

// The records that tell of an experiment, from the shipped recordings and from the table, if there is one.
template <class Record, class Tells>
auto recordsOf(const std::vector<Record>& (*shipped)(), typename Table<Record>::Read read,
               const std::string& path, const Tells& tells) {
  const auto table = path.empty() ? nullptr : std::make_shared<Table<Record>>(path, read);
  return [=](const model::Experiment& experiment) {
    std::vector<Record> records;
    const auto take = [&](const std::vector<Record>& all) {
      std::ranges::copy_if(all, std::back_inserter(records),
                           [&](const Record& record) { return tells(record, experiment); });
    };
    if (shipped != nullptr) take(shipped());
    if (!table) return records;
    const auto& own = table->records();
    if (!own) return std::vector<Record>();
    take(*own);
    return records;
  };
}

}  // namespace

RecordedMeasurements measurementsOf(const std::string& engineId, const ShippedMeasurements& shipped) {
  const auto name = engine::parseEngineName(engineId);
  const bool isRecording = name && name->kind == engine::EngineNameKind::Recording;
  const std::string path = isRecording ? engineId : std::string();
  const auto tells = [](const auto& record, const model::Experiment& experiment) {
    return model::tellsOf(record, experiment);
  };
  const auto tellsAtAnySize = [](const model::TimelineRecord& record, model::Experiment experiment) {
    experiment.elements = record.experiment.elements;
    return model::tellsOf(record, experiment);
  };
  return {.clocks = recordsOf(shipped.clocks, &archive::readClocks, path, tells),
          .counters = recordsOf(shipped.counters, &archive::readCounters, path, tells),
          .timelines = recordsOf(shipped.timelines, &archive::readTimelines, path, tellsAtAnySize),
          .costs = recordsOf(shipped.costs, &archive::readCosts, path, tells),
          .codes = recordsOf(shipped.codes, &archive::readCodes, path, tells)};
}

}  // namespace stridescope::session
