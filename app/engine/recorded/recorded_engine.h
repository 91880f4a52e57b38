// The engine that runs nothing: it gives the traces of a recording, made on another machine or at another
// time.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "archive/recording_file.h"
#include "base/result.h"
#include "engine/engine.h"
#include "model/trace.h"

namespace stridescope::engine::recorded {

// Reads the recording's list of traces, not its events. The engine's record() gives the first trace whose
// experiment is the one asked for; with none, a usage error lists those that there are. It reads the file
// anew each time, so several may run at once. Its executor() is of the kind Recorded and tells who ran the
// traces; if that was more than one device, their names are joined with " and ".
// Errors: as readIndex (archive/recording_file.h).
Result<std::unique_ptr<Engine>> openRecordedEngine(const std::filesystem::path& path);

// The same for an index that was read before; it holds a trace.
std::unique_ptr<Engine> makeRecordedEngine(const std::filesystem::path& path, archive::RecordingIndex index);

// A trace as a recording has it, held against what the program itself would have written.

// Reading a trace computes no more than so many elements anew: some tenths of a second.
inline constexpr std::uint64_t kMaxJudgedWhenRead = std::uint64_t{1} << 26;
// What `verify` takes the time for.
inline constexpr std::uint64_t kMaxRecomputed = std::uint64_t{1} << 28;

struct RecordedTrace {
  model::Trace trace;
  // What the recording says of the result that the program contradicts, in a sentence; the trace's note has
  // it, too.
  std::optional<std::string> contradiction{};
};

// readTrace (archive/recording_file.h), and in addition: the preamble is the one that follows from the
// experiment and the kernel's text, a custom operator's identity is the one written, and a result has as many
// values as its experiment gives. What a person reads is then what would run. Anything else is refused as
// damage is. The verdict is then the program's own, where judgeRecorded() can tell.
Result<RecordedTrace> readJudgedTrace(const std::filesystem::path& path, std::int64_t id,
                                      const std::atomic<bool>* cancel = nullptr,
                                      std::uint64_t maxElements = kMaxJudgedWhenRead,
                                      const model::SharedData* known = nullptr);
Result<model::Trace> readRecordedTrace(const std::filesystem::path& path, std::int64_t id,
                                       const std::atomic<bool>* cancel = nullptr,
                                       const model::SharedData* known = nullptr);

// Judges the trace's result anew (engine/reference.h): expected, ok and the note become what the program
// finds, and a sentence is given if the trace says something else of its result. Where the program cannot
// tell, the trace's verdict stays as it is and is marked as the recording's: with a person's own operator, a
// variant or an experiment that it does not know, more than `maxElements` elements, or a merge with the right
// values for which no lists are recorded that they came from.
std::optional<std::string> judgeRecorded(model::Trace& trace, std::uint64_t maxElements = kMaxRecomputed);

}  // namespace stridescope::engine::recorded
