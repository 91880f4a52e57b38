#include "twin/head_lists.h"

#include <algorithm>

#include "analysis/shared_layout.h"

namespace stridescope {

HeadLists::HeadLists(const RoundAt& at) : at_(at) {
  if (at.round().outputElement && at.launch.shared.size() > 1)
    printer_.emplace(at.trace, at.launch.shared[1]);
}

std::string HeadLists::of(std::uint64_t element, bool afterTheRound) const {
  if (!printer_ || (!afterTheRound && at_.index == 0)) return {};
  const Array& lists = at_.launch.shared[1];
  const Snapshot& snapshot = at_.analysis.rounds[afterTheRound ? at_.index : at_.index - 1].snapshot;
  const std::size_t from =
      SharedLayout(at_.launch).beginOf(1) + std::size_t(element) * std::size_t(lists.elementBytes);
  if (from + lists.elementBytes > snapshot.bytes.size() || !snapshot.known[from]) return {};
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < std::min(8u, lists.elementBytes); ++i)
    bits |= std::uint64_t(snapshot.bytes[from + i]) << (8 * i);
  return printer_->brief(bits);
}

}  // namespace stridescope
