#include <array>

#include "analysis/analysis.h"

namespace stridescope::analysis {

std::string_view nameOf(RoundEnd end) {
  constexpr std::array<std::string_view, 4> names{"block barrier", "warp barrier", "shuffle", "end"};
  return names[std::size_t(end)];
}

std::string_view nameOf(RoundKind kind) {
  constexpr std::array<std::string_view, 6> names{"load", "combine", "exchange", "merge", "write", "mixed"};
  return names[std::size_t(kind)];
}

std::string_view nameOf(SnapshotFrom from) {
  constexpr std::array<std::string_view, 3> names{"copied", "carried", "replayed"};
  return names[std::size_t(from)];
}

}  // namespace stridescope::analysis
