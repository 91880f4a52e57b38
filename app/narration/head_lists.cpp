#include "narration/head_lists.h"

#include <algorithm>

#include "analysis/shared_layout.h"

namespace stridescope::narration {

namespace {

constexpr std::uint32_t kListsArray = 1;

}  // namespace

HeadLists::HeadLists(const RoundAt& at) : at_(at) {
  if (at.round().outputElement && at.launch.shared.size() > kListsArray)
    printer_.emplace(at.launch.shared[kListsArray]);
}

bool HeadLists::areIn(std::uint32_t array) const { return printer_ && array == kListsArray; }

std::string HeadLists::of(std::uint64_t element, bool afterTheRound) const {
  if (!printer_ || (!afterTheRound && at_.index == 0)) return {};
  const model::Array& lists = at_.launch.shared[kListsArray];
  const analysis::Snapshot& snapshot =
      at_.analysis.rounds[afterTheRound ? at_.index : at_.index - 1].snapshot;
  const std::size_t from = analysis::SharedLayout(at_.launch).beginOf(kListsArray) +
                           std::size_t(element) * std::size_t(lists.elementBytes);
  if (from + lists.elementBytes > snapshot.bytes.size() || !snapshot.known[from]) return {};
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < std::min(8u, lists.elementBytes); ++i)
    bits |= std::uint64_t(snapshot.bytes[from + i]) << (8 * i);
  return printer_->brief(bits);
}

}  // namespace stridescope::narration
