// A trace as a recording has it, held against what the program itself would have written.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/trace.h"

namespace stridescope::engine::recorded {

// readTrace (archive/recording_file.h), and in addition: the preamble is the one that follows from the
// experiment and the kernel's text, and a custom operator's identity is the one written. What a person reads
// is then what would run. Any other text is refused as damage is.
Result<model::Trace> readRecordedTrace(const std::filesystem::path& path, std::int64_t id,
                                       const std::atomic<bool>* cancel = nullptr,
                                       const model::SharedData* known = nullptr);

// Computes the result anew: what a plain loop over the experiment's input gives, held against what the trace
// says of it. A sentence if the two contradict each other. Nothing for what cannot be computed here: a custom
// operator, a merge, a run that did not end, more than kMaxRecomputed elements.
inline constexpr std::uint64_t kMaxRecomputed = std::uint64_t{1} << 28;
std::optional<std::string> contradictionIn(const model::Trace& trace);

}  // namespace stridescope::engine::recorded
