#include "narration/memory_words.h"

#include <algorithm>

#include "analysis/shared_layout.h"
#include "model/value.h"

namespace stridescope::narration {

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
  return WordPrinter((operand.shared ? launch.recorded().shared : launch.buffers)[operand.array]);
}

std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event) {
  const model::Array& array = launch.arrayOf(event);
  return WordPrinter(array).brief(event.value);
}

std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array) {
  const std::size_t begin = analysis::SharedLayout(at.launch).beginOf(array);
  const std::size_t elementBytes = std::max(1u, at.launch.recorded().shared[array].elementBytes);
  std::vector<std::optional<std::uint64_t>> words(std::size_t(at.launch.recorded().shared[array].bytes) /
                                                  elementBytes);
  for (std::size_t element = 0; element < words.size(); ++element)
    words[element] = at.round().snapshot.word(begin + element * elementBytes, elementBytes);
  return words;
}

HeadLists::HeadLists(const RoundAt& at) : at_(at) {
  if (!at.round().outputElement || !at.analysis.headArrays) return;
  arrays_ = *at.analysis.headArrays;
  printer_.emplace(at.launch.recorded().shared[arrays_.lists]);
}

std::string HeadLists::of(std::uint64_t element, bool afterTheRound) const {
  if (!printer_ || (!afterTheRound && at_.index == 0)) return {};
  const model::Array& lists = at_.launch.recorded().shared[arrays_.lists];
  const analysis::Snapshot& snapshot =
      at_.analysis.rounds[afterTheRound ? at_.index : at_.index - 1].snapshot;
  const std::size_t begin = analysis::SharedLayout(at_.launch).beginOf(arrays_.lists);
  const auto bits = snapshot.word(begin + std::size_t(element) * lists.elementBytes, lists.elementBytes);
  return bits ? printer_->brief(*bits) : std::string();
}

}  // namespace stridescope::narration
