#include "engine/own_data.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "base/regular_file.h"
#include "engine/parse_element.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

// More than the most numbers take, however they are written.
constexpr std::uint64_t kMaxFileBytes = 256ull << 20;  // with the numbers in it, half a GiB

// What to do about what is no number of any type is the file's: `advice`, a sentence.
std::string sentenceOf(ElementFault fault, std::string_view text, model::ElementType type,
                       const char* advice) {
  const std::string what = describeFault(fault, text, type) + ". ";
  if (fault == ElementFault::OutOfRange) return what + "Take another type, or a smaller number.";
  std::uint64_t bits = 0;
  const bool isNumber = parseElement(model::ElementType::Double, text, bits) == ElementFault::None;
  return what + (isNumber ? "Fix it, or take another type." : advice);
}

std::string_view trimmed(std::string_view line) {
  if (const auto comment = line.find('#'); comment != std::string_view::npos) line = line.substr(0, comment);
  constexpr std::string_view blanks = " \t\r\v\f";
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

bool isLess(model::ElementType type, std::uint64_t a, std::uint64_t b) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return model::elementOfBits<T>(a) < model::elementOfBits<T>(b);
  });
}

std::string placeIn(const std::filesystem::path& file, std::size_t list, std::size_t position) {
  return file.native() + ", list " + std::to_string(list) + ", position " + std::to_string(position) + ": ";
}

// Takes an array of arrays of numbers as the parser comes to them, and nothing else: what the file claims
// beyond that is not kept anywhere. The positions are counted from 0, as lists and elements are everywhere.
class ListsReader final : public JsonEvents {
 public:
  ListsReader(const std::filesystem::path& file, model::ElementType type, model::GivenData& data)
      : file_(file), type_(type), data_(data) {}

  // What ended the reading; empty where the text is no JSON.
  const std::string& fault() const { return fault_; }

  bool beginList() override {
    ++depth_;
    if (depth_ == 1) return true;
    if (depth_ > 2) return somethingElse("array");
    if (data_.listLengths.size() == kMaxLists)
      return ends("'" + file_.native() + "' has more than " + std::to_string(kMaxLists) +
                  " lists, which is what a merge takes.");
    begin_ = data_.values.size();
    return true;
  }
  bool endList() override {
    if (depth_-- == 2) data_.listLengths.push_back(std::uint32_t(data_.values.size() - begin_));
    return true;
  }
  bool number(const std::string& text) override {
    if (depth_ < 2) return somethingElse("number");
    std::uint64_t bits = 0;
    if (const ElementFault fault = parseElement(type_, text, bits); fault != ElementFault::None)
      return ends(place() + sentenceOf(fault, text, type_, "Fix it, or take another type."));
    if (data_.values.size() > begin_ && isLess(type_, bits, data_.values.back()))
      return ends(place() + text +
                  " is less than the number before it. A merge takes sorted lists: sort it.");
    if (data_.values.size() == kMaxGivenValues)
      return ends("'" + file_.native() + "' holds more than " + figure(kMaxGivenValues) +
                  " numbers. Take fewer.");
    data_.values.push_back(bits);
    return true;
  }
  bool somethingElse(std::string_view kind) override {
    if (depth_ == 0) return false;
    if (depth_ == 1)
      return ends(file_.native() + ", list " + std::to_string(data_.listLengths.size()) +
                  ": it is no array of numbers.");
    return ends(place() + "here is no number, but a JSON " + std::string(kind) + ".");
  }

 private:
  bool ends(std::string sentence) {
    fault_ = std::move(sentence);
    return false;
  }
  std::string place() const { return placeIn(file_, data_.listLengths.size(), data_.values.size() - begin_); }

  const std::filesystem::path& file_;
  model::ElementType type_;
  model::GivenData& data_;
  unsigned depth_ = 0;
  std::size_t begin_ = 0;  // of the list
  std::string fault_;
};

}  // namespace

Result<model::GivenData> readNumbers(const std::filesystem::path& file, model::ElementType type) {
  const auto content = readRegularFile(file, "a file of numbers", kMaxFileBytes);
  if (!content) return tl::unexpected(content.error());
  model::GivenData data{.name = printable(file.filename().native())};
  std::size_t number = 0;
  for (std::string_view rest = *content; !rest.empty();) {
    ++number;
    const std::size_t end = rest.find('\n');
    const std::string_view text = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (text.empty()) continue;
    std::uint64_t bits = 0;
    if (const ElementFault fault = parseElement(type, text, bits); fault != ElementFault::None)
      return usageError(file.native() + ", line " + std::to_string(number) + ": " +
                        sentenceOf(fault, text, type, "Write one number per line."));
    if (data.values.size() == kMaxGivenValues)
      return usageError("'" + file.native() + "' holds more than " + figure(kMaxGivenValues) +
                        " numbers. Take fewer.");
    data.values.push_back(bits);
  }
  return data;
}

Result<model::GivenData> readLists(const std::filesystem::path& file, model::ElementType type) {
  const auto text = readRegularFile(file, "a file of lists", kMaxFileBytes);
  if (!text) return tl::unexpected(text.error());
  model::GivenData data{.name = printable(file.filename().native())};
  ListsReader reader(file, type, data);
  if (!readJson(*text, reader)) {
    if (!reader.fault().empty()) return usageError(reader.fault());
    return usageError("'" + file.native() +
                      "' is no JSON array of arrays of numbers, as in [[1, 4], [], [2, 3]].");
  }
  if (data.listLengths.empty())
    return usageError("'" + file.native() + "' has no lists; a merge takes 1 to " +
                      std::to_string(kMaxLists) + ".");
  return data;
}

std::optional<model::ElementType> typeThatReads(const std::filesystem::path& file, bool lists,
                                                std::span<const model::ElementType> types) {
  for (const model::ElementType type : types)
    if (lists ? readLists(file, type).has_value() : readNumbers(file, type).has_value()) return type;
  return std::nullopt;
}

unsigned threadsForLists(std::size_t lists) {
  return std::max(2u, unsigned(std::bit_ceil(std::min(std::max<std::size_t>(lists, 1), kMaxLists))));
}

}  // namespace stridescope::engine
