// Any bytes as a recording: index, traces, timings and cycles are read, or refused with a sentence.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "archive/recording_file.h"
#include "engine/recorded/recorded_engine.h"
#include "fuzz_one.h"
#include "model/trace_check.h"

namespace stridescope::fuzz {
namespace {

class Place {
 public:
  Place()
      : path_(std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(::getpid()) + ".stride")) {}
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void expectSentence(const Error& error) {
  if (error.sentence.empty() || error.sentence.back() != '.') std::abort();
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  static const Place place;
  std::ofstream(place.path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (const auto timings = archive::readQuantity<model::TimingRecord>(place.path()); !timings)
    expectSentence(timings.error());
  const auto clocks = archive::readQuantity<model::ClockRecord>(place.path());
  if (!clocks) expectSentence(clocks.error());
  for (const model::ClockRecord& clock : clocks ? *clocks : std::vector<model::ClockRecord>())
    if (model::faultOf(clock)) std::abort();
  const auto index = archive::readIndex(place.path());
  if (!index) return expectSentence(index.error());
  for (const archive::RecordingEntry& entry : index->traces) {
    const auto trace = engine::recorded::readRecordedTrace(place.path(), entry.id);
    if (!trace)
      expectSentence(trace.error());
    else if (model::faultOf(*trace))
      std::abort();
  }
}

}  // namespace stridescope::fuzz
