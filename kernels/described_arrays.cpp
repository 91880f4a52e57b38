#include "kernels/described_arrays.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "kernels/catalog.h"

namespace stridescope::kernels {
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

const Parameter* parameterOf(const Variant* variant, std::string_view name) {
  if (variant == nullptr) return nullptr;
  const auto found = std::ranges::find(variant->parameters, name, &Parameter::name);
  return found == variant->parameters.end() ? nullptr : &*found;
}

}  // namespace

std::optional<model::ElementType> typeOfDeclared(std::string_view words, unsigned elementBytes,
                                                 model::ElementType t) {
  Words all(words);
  std::string_view last;
  for (std::string_view word = all.next(); !word.empty(); word = all.next())
    if (!isPartOfNoType(word)) last = word;
  if (elementBytes != model::bytesOf(t) || isIntegerWord(last)) return std::nullopt;
  return t;
}

void describeArrays(model::Trace& trace) {
  const Variant* const variant = findVariant(trace.experiment.variant);
  const model::ElementType t = trace.experiment.type;
  const auto declared = [&](const model::Array& array) {
    return typeOfDeclared(declaredType(trace.kernelText, array.name), array.elementBytes, t);
  };
  for (model::LaunchTrace& launch : trace.launches) {
    for (model::Array& array : launch.shared) array.type = declared(array);
    for (model::Array& buffer : launch.buffers) {
      const Parameter* const parameter = parameterOf(variant, buffer.name);
      const bool known = parameter != nullptr && model::isBuffer(parameter->role) &&
                         parameter->elementBytes(t) == buffer.elementBytes;
      buffer.type = known ? parameter->elementType(t) : declared(buffer);
      buffer.role = known ? std::optional(parameter->role) : std::nullopt;
    }
  }
}

}  // namespace stridescope::kernels
