#include "lab/sources/sources.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "archive/recording_file.h"
#include "engine/recorded/recorded_engine.h"

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

namespace {

Result<Opened> openHost(const Sources& sources) {
  if (!sources.makeHost) return unavailable("This build has no CPU executor.");
  return Opened{.engine = sources.makeHost()};
}

Result<std::unique_ptr<engine::Engine>> makeGpu(const Sources& sources, unsigned index) {
  if (!sources.makeGpu)
    return unavailable(
        "This build has no GPU engine; use the CPU executor (on the command line: "
        "--engine host) or a recording.");
  return sources.makeGpu(index);
}

Result<Opened> openAuto(const Sources& sources, engine::OnGpuFailure onGpuFailure) {
  auto gpu = makeGpu(sources, 0);
  if (!gpu) {
    auto host = openHost(sources);
    if (host) host->whyNoGpu = gpu.error().sentence;
    return host;
  }
  if (!sources.makeHost) return Opened{.engine = *std::move(gpu)};
  return Opened{.engine =
                    std::make_unique<engine::AutoEngine>(*std::move(gpu), sources.makeHost(), onGpuFailure)};
}

Result<Opened> openRecording(const std::string& file) {
  auto index = archive::readIndex(file);
  if (!index) return tl::unexpected(index.error());
  return Opened{.engine = recordingOf(file, *index), .recording = *std::move(index)};
}

}  // namespace

Result<Opened> Sources::open(const std::string& name, engine::OnGpuFailure onGpuFailure) const {
  const auto parsed = engine::parseEngineName(name);
  if (!parsed) return usageError("There is no engine '" + name + "'.");
  switch (parsed->kind) {
    case engine::EngineNameKind::Host:
      return openHost(*this);
    case engine::EngineNameKind::Auto:
      return openAuto(*this, onGpuFailure);
    case engine::EngineNameKind::Gpu:
      return sources::makeGpu(*this, parsed->gpu).map([](auto gpu) {
        return Opened{.engine = std::move(gpu)};
      });
    case engine::EngineNameKind::Recording:
      break;
  }
  return openRecording(name);
}

std::unique_ptr<engine::Engine> recordingOf(const std::string& file, archive::RecordingIndex index) {
  return engine::recorded::makeRecordedEngine(file, std::move(index));
}

}  // namespace stridescope::lab::sources
