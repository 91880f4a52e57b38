// The engine that runs nothing: it gives the traces of a recording, made on another machine or at another
// time.
#pragma once

#include <filesystem>
#include <memory>

#include "archive/recording_file.h"
#include "base/result.h"
#include "engine/engine.h"

namespace stridescope::engine::recorded {

// Reads the recording's list of traces, not its events. The engine's record() gives the first trace whose
// experiment is the one asked for; with none, a usage error lists those that there are. It reads the file
// anew each time, so several may run at once. Its executor() is of the kind Recorded and tells who ran the
// traces; if that was more than one device, their names are joined with " and ".
// Errors: as readIndex (archive/recording_file.h).
Result<std::unique_ptr<Engine>> openRecordedEngine(const std::filesystem::path& path);

// The same for an index that was read before; it holds a trace.
std::unique_ptr<Engine> makeRecordedEngine(const std::filesystem::path& path, archive::RecordingIndex index);

}  // namespace stridescope::engine::recorded
