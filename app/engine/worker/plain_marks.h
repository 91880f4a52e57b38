// Marks of a GPU's clock travel between processes as their bytes.
#pragma once

#include <type_traits>

#include "engine/worker/byte_archive.h"
#include "model/clock_record.h"
#include "model/quantities.h"

namespace stridescope::engine::worker {

template <>
inline constexpr bool kIsPlain<model::Mark> = std::has_unique_object_representations_v<model::Mark>;
template <>
inline constexpr bool kIsPlain<model::BlockRun> = std::has_unique_object_representations_v<model::BlockRun>;
static_assert(kIsPlain<model::Mark> && kIsPlain<model::BlockRun>);

}  // namespace stridescope::engine::worker
