// A trace's log, and marks of a GPU's clock, travel between processes as their bytes, copied at once.
#pragma once

#include <type_traits>

#include "engine/worker/byte_archive.h"
#include "model/clock_record.h"
#include "model/quantities.h"
#include "model/trace.h"

namespace stridescope::engine::worker {

template <>
inline constexpr bool kIsPlain<model::Event> = std::has_unique_object_representations_v<model::Event>;
template <>
inline constexpr bool kIsPlain<model::BlockTrace::CopiedWord> =
    std::has_unique_object_representations_v<model::BlockTrace::CopiedWord>;
static_assert(kIsPlain<model::Event> && kIsPlain<model::BlockTrace::CopiedWord>);

template <>
inline constexpr bool kIsPlain<model::Mark> = std::has_unique_object_representations_v<model::Mark>;
template <>
inline constexpr bool kIsPlain<model::BlockRun> = std::has_unique_object_representations_v<model::BlockRun>;
static_assert(kIsPlain<model::Mark> && kIsPlain<model::BlockRun>);

}  // namespace stridescope::engine::worker
