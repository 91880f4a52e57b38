#include "narration/word_printer.h"

#include <array>
#include <cctype>
#include <string_view>

#include "model/value.h"

namespace stridescope::narration {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The identifiers of a text, comments left out.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view next() {  // empty at the end
    while (!rest_.empty() && !isWordCharacter(rest_.front())) skipOther();
    std::size_t length = 0;
    while (length < rest_.size() && isWordCharacter(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

 private:
  void skipOther() {
    const bool line = rest_.starts_with("//"), block = rest_.starts_with("/*");
    const std::size_t end = line ? rest_.find('\n') : block ? rest_.find("*/", 2) : 0;
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + (block ? 2 : 1));
  }
  std::string_view rest_;
};

bool isPartOfNoType(std::string_view word) {
  return word == "const" || word == "volatile" || word == "__restrict__";
}

// The word for the type in front of the name's first occurrence, which is its declaration.
std::string_view declaredType(std::string_view text, std::string_view name) {
  Words words(text);
  std::string_view before;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == name) return before;
    if (!isPartOfNoType(word)) before = word;
  }
  return {};
}

bool isIntegerWord(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords{"unsigned", "int", "bool", "char", "short", "long"};
  for (const std::string_view known : kWords)
    if (word == known) return true;
  return false;
}

}  // namespace

WordPrinter::WordPrinter(const model::Trace& trace, const model::Array& array)
    : type_(trace.experiment.type),
      bytes_(array.elementBytes),
      holdsElements_(bytes_ == model::bytesOf(type_) &&
                     !isIntegerWord(declaredType(trace.kernelText, array.name))) {}

std::string WordPrinter::exact(std::uint64_t bits) const {
  return holdsElements_ ? model::printElement(type_, bits) : std::to_string(bits);
}

std::string WordPrinter::brief(std::uint64_t bits) const {
  const bool allSet = bytes_ == sizeof(std::uint32_t) && std::uint32_t(bits) == ~std::uint32_t{0};
  return !holdsElements_ && allSet ? "none" : exact(bits);
}

std::string printedAccess(const model::Trace& trace, const model::LaunchTrace& launch,
                          const model::Event& event) {
  const model::Array& array =
      event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
  return WordPrinter(trace, array).brief(event.value);
}

}  // namespace stridescope::narration
