// A trace's log travels as its bytes, copied at once.
#pragma once

#include <type_traits>

#include "engine/worker/byte_archive.h"
#include "model/trace.h"

namespace stridescope::engine::worker {

template <>
inline constexpr bool kIsPlain<model::Event> = std::has_unique_object_representations_v<model::Event>;
template <>
inline constexpr bool kIsPlain<model::BlockTrace::CopiedWord> =
    std::has_unique_object_representations_v<model::BlockTrace::CopiedWord>;
static_assert(kIsPlain<model::Event> && kIsPlain<model::BlockTrace::CopiedWord>);

}  // namespace stridescope::engine::worker
