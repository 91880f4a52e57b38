#include "lab/sources/shipped_recordings.h"

#include <algorithm>
#include <iterator>

#include "archive/recording_file.h"

namespace stridescope::lab::sources {
namespace {

template <class Record>
std::vector<Record> allOf(Result<std::vector<Record>> (*read)(const std::filesystem::path&)) {
  std::vector<Record> all;
  for (const auto& path : shippedRecordings())
    if (auto records = read(path))  // one that cannot be read is told of where it is opened
      std::ranges::move(*records, std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<std::filesystem::path> shippedRecordings() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::vector<std::filesystem::path> found;
  for (const auto& folder : {program.parent_path().parent_path() / "share/stridescope/assets/recordings",
                             std::filesystem::path(STRIDESCOPE_SOURCE_DIRECTORY) / "assets/recordings"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().extension() == archive::kRecordingSuffix) found.push_back(entry.path());
    if (!found.empty()) break;
  }
  std::ranges::sort(found);
  return found;
}

const std::vector<model::TimingRecord>& shippedTimings() {
  static const auto all = allOf(&archive::readTimings);
  return all;
}
const std::vector<model::ClockRecord>& shippedClocks() {
  static const auto all = allOf(&archive::readClocks);
  return all;
}
const std::vector<model::CounterRecord>& shippedCounters() {
  static const auto all = allOf(&archive::readCounters);
  return all;
}
const std::vector<model::TimelineRecord>& shippedTimelines() {
  static const auto all = allOf(&archive::readTimelines);
  return all;
}
const std::vector<model::CostRecord>& shippedCosts() {
  static const auto all = allOf(&archive::readCosts);
  return all;
}
const std::vector<model::MachineCode>& shippedCodes() {
  static const auto all = allOf(&archive::readCodes);
  return all;
}

}  // namespace stridescope::lab::sources
