#include "trace/timing_record.h"

namespace stridescope {

std::string_view nameOf(SubjectKind kind) {
  constexpr std::array<std::string_view, kSubjectKinds.size()> names{"variant", "gpu peer", "cpu peer"};
  return names[std::size_t(kind)];
}

}  // namespace stridescope
