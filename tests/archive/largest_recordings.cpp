// Writes a recording with as much of each table as one may hold, reads it back, and compares. The files stay
// in the folder that is given, for what is tried on them:
//   largest_recordings FOLDER
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "archive/recording_file.h"
#include "largest_records.h"
#include "support/ladder_trace.h"

namespace stridescope::archive::test {
namespace {

class Tried {
 public:
  explicit Tried(std::filesystem::path folder)
      : folder_(std::move(folder)), trace(support::ladderTrace("sequential", 256, model::ElementType::Int)) {}

  template <class Record>
  void tryOut(const char* name, const std::vector<Record>& records) {
    const std::filesystem::path file = folder_ / (std::string(name) + ".stride");
    const double before = now();
    const auto written = writeRecording(file, {&trace, 1}, true, {records});
    const double between = now();
    if (!written) return tell(name, written.error().sentence + " " + written.error().details);
    const auto back = readQuantity<Record>(file);
    const double after = now();
    if (!back) return tell(name, back.error().sentence);
    if (*back != records) return tell(name, "comes back changed");
    std::printf("%-20s %7zu records, %5.0f MB, written in %5.2f s, read in %5.2f s\n", name, records.size(),
                double(std::filesystem::file_size(file)) / 1e6, between - before, after - between);
  }
  int faults() const { return faults_; }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void tell(const char* name, const std::string& sentence) {
    ++faults_;
    std::printf("%s: %s\n", name, sentence.c_str());
  }

  std::filesystem::path folder_;
  int faults_ = 0;

 public:
  const model::Trace trace;
};

int tryAll(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Tried tried(folder);
  const model::Trace& trace = tried.trace;
  const std::size_t marksOfARun =
      model::markCount(clocksOf(trace, 1, 2)[0]) - model::markCount(clocksOf(trace, 1, 1)[0]);
  const std::size_t marksOfWarps = model::markCount(clocksOf(trace, 1, 1)[0]) - marksOfARun;
  const std::size_t marksOfAClock = model::kMaxMarksOfClocks / model::kMaxClocks;
  tried.tryOut("clocks", clocksOf(trace, model::kMaxClocks, (marksOfAClock - marksOfWarps) / marksOfARun));
  tried.tryOut("counters", countersOf(trace, model::kMaxCounterRecords, 64));
  tried.tryOut("counters_of_one", countersOf(trace, model::kMaxCounterRecords, 1));
  tried.tryOut("timelines",
               timelinesOf(trace, model::kMaxTimelines, model::kMaxRecordedBlocks / model::kMaxTimelines));
  tried.tryOut("longest_timelines", timelinesOf(trace, model::kMaxRecordedBlocks / model::kMaxTimelineBlocks,
                                                model::kMaxTimelineBlocks));
  tried.tryOut("scattered_timelines",
               timelinesOf(trace, model::kMaxRecordedBlocks / model::kMaxTimelineBlocks,
                           model::kMaxTimelineBlocks, true));
  tried.tryOut("costs", costsOf(trace, model::kMaxCosts, 64));
  tried.tryOut("costs_of_one", costsOf(trace, model::kMaxCosts, 1));
  tried.tryOut("codes", codesOf(trace, model::kMaxMachineCodes, 256, 56));
  tried.tryOut("longest_code", codesOf(trace, 1, model::kMaxCodeLines, model::kMaxCodeLineBytes));
  tried.tryOut("timings", timingsOf(model::kMaxTimings, model::kMaxRecordedSamples / model::kMaxTimings));
  tried.tryOut("group_timings", groupTimingsOf(model::kMaxGroupTimings, model::kMaxPairedTimes));
  tried.tryOut("gpu_links", linksOf(model::kMaxLinkRecords, model::kMaxGpus));
  return tried.faults();
}

}  // namespace
}  // namespace stridescope::archive::test

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "largest_recordings FOLDER\n"), 2;
  return stridescope::archive::test::tryAll(arguments[1]) == 0 ? 0 : 1;
}
