#include "narration/word_printer.h"

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
  return WordPrinter((operand.shared ? launch.shared : launch.buffers)[operand.array]);
}

std::string printedAccess(const model::LaunchTrace& launch, const model::Event& event) {
  const model::Array& array =
      event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return WordPrinter(array).brief(event.value);
}

}  // namespace stridescope::narration
