#include "lab/sources/records.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "archive/recording_file.h"

namespace stridescope::lab::sources {
RecordSet recordsIn(const std::filesystem::path& file) {
  RecordSet set;
  set.forEach([&]<class Record>(Records<Record>& records) {
    records = [file] { return archive::readQuantity<Record>(file); };
  });
  return set;
}

std::vector<std::string> shippedRecordings() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::vector<std::string> found;
  for (const auto& folder : {program.parent_path().parent_path() / "share/stridescope/assets/recordings",
                             std::filesystem::path(STRIDESCOPE_SOURCE_DIRECTORY) / "assets/recordings"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().extension() == archive::kRecordingSuffix) found.push_back(entry.path().string());
    if (!found.empty()) break;
  }
  std::ranges::sort(found);
  return found;
}

RecordSet shippedRecords() {
  RecordSet set;
  set.forEach([]<class Record>(Records<Record>& records) {
    records = [] {
      std::vector<Record> all;
      for (const auto& path : shippedRecordings())
        if (auto read = archive::readQuantity<Record>(path))
          std::ranges::move(*read, std::back_inserter(all));
      return all;
    };
  });
  return set;
}

}  // namespace stridescope::lab::sources
