#include "narration/memory_words.h"

#include <algorithm>

#include "analysis/shared_layout.h"
#include "model/value.h"

namespace stridescope::narration {
namespace {

constexpr std::uint32_t kListsArray = 1;

}  // namespace

WordPrinter::WordPrinter(const model::Array& array) : type_(array.type), bytes_(array.elementBytes) {}

WordPrinter::WordPrinter(model::ElementType type) : type_(type), bytes_(model::bytesOf(type)) {}

std::string WordPrinter::exact(std::uint64_t bits) const {
  return type_ ? model::printElement(*type_, bits) : std::to_string(bits);
}

std::string WordPrinter::brief(std::uint64_t bits) const {
  const bool allSet = bytes_ == sizeof(std::uint32_t) && std::uint32_t(bits) == ~std::uint32_t{0};
  return !type_ && allSet ? "none" : exact(bits);
}

WordPrinter printerOf(const model::Trace& trace, const model::LaunchTrace& launch,
                      const analysis::Operand& operand) {
  if (!operand.placed) return WordPrinter(trace.experiment.type);
  return WordPrinter((operand.shared ? launch.shared : launch.buffers)[operand.array]);
}

std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event) {
  const model::Array& array =
      event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return WordPrinter(array).brief(event.value);
}

std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array) {
  const analysis::Snapshot& snapshot = at.round().snapshot;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < array; ++i) begin += std::size_t(at.launch.shared[i].bytes);
  const std::size_t elementBytes = std::max(1u, at.launch.shared[array].elementBytes);
  const std::size_t elements = std::size_t(at.launch.shared[array].bytes) / elementBytes;

  std::vector<std::optional<std::uint64_t>> words(elements);
  for (std::size_t element = 0; element < elements; ++element) {
    const std::size_t first = begin + element * elementBytes;
    if (first + elementBytes > snapshot.bytes.size() || first + elementBytes > snapshot.known.size()) break;
    std::uint64_t bits = 0;
    bool known = true;
    for (std::size_t byte = 0; byte < elementBytes; ++byte) {
      known = known && snapshot.known[first + byte];
      if (byte < sizeof bits) bits |= std::uint64_t(snapshot.bytes[first + byte]) << (8 * byte);
    }
    if (known) words[element] = bits;
  }
  return words;
}

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
