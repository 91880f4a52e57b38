#include "shipped_recordings.h"

#include <algorithm>
#include <iterator>

#include "archive/recording_file.h"

namespace stridescope::program {
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

std::vector<model::TimingRecord> shippedTimings() { return allOf(&archive::readTimings); }
std::vector<model::ClockRecord> shippedClocks() { return allOf(&archive::readClocks); }
std::vector<model::CounterRecord> shippedCounters() { return allOf(&archive::readCounters); }
std::vector<model::TimelineRecord> shippedTimelines() { return allOf(&archive::readTimelines); }
std::vector<model::CostRecord> shippedCosts() { return allOf(&archive::readCosts); }
std::vector<model::MachineCode> shippedCodes() { return allOf(&archive::readCodes); }

}  // namespace stridescope::program
