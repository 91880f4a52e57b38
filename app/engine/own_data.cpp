#include "engine/own_data.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/formats.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "base/read_floating.h"
#include "base/regular_file.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/experiment.h"

namespace stridescope::engine {
namespace {

// A person's number as an element.

enum class ElementFault : std::uint8_t { None, NoNumber, OutOfRange };

// The whole text as a number of the type; a leading + is allowed, infinities and nan are for floating types.
// `bits` is set where there is no fault; every nan has the same ones, those of the type's quiet NaN.
ElementFault parseElement(model::ElementType type, std::string_view text, std::uint64_t& bits) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = readNumber(text.data(), end, value);
    if (fault == std::errc::result_out_of_range && stop == end) return ElementFault::OutOfRange;
    if (fault == std::errc() && stop == end && !text.empty()) {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
      bits = model::bitsOfElement(value);
      return ElementFault::None;
    }
    // An unsigned type takes no minus: a number all the same, but not one of this type.
    long long any = 0;
    const auto whole = std::from_chars(text.data(), end, any);
    const bool isNumber = !text.empty() && whole.ptr == end && whole.ec != std::errc::invalid_argument;
    return isNumber && std::is_integral_v<T> ? ElementFault::OutOfRange : ElementFault::NoNumber;
  });
}

// What is wrong, without an advice: "'x' is no int", "'5000000000' is out of the range of int".
std::string describeFault(ElementFault fault, std::string_view text, model::ElementType type) {
  std::string shown(cutBetweenCharacters(text, 40));
  if (shown.size() < text.size()) shown += "...";
  if (fault == ElementFault::OutOfRange)
    return "'" + shown + "' is out of the range of " + std::string(model::nameOf(type));
  return "'" + shown + "' is no " + std::string(model::nameOf(type));
}

// What to do about what is no number of any type is the file's: `advice`, a sentence.
std::string sentenceOf(ElementFault fault, std::string_view text, model::ElementType type,
                       const char* advice) {
  const std::string what = describeFault(fault, text, type) + ". ";
  if (fault == ElementFault::OutOfRange) return what + "Take another type, or a smaller number.";
  std::uint64_t bits = 0;
  const bool isNumber = parseElement(model::ElementType::Double, text, bits) == ElementFault::None;
  return what + (isNumber ? "Fix it, or take another type." : advice);
}

std::string_view trimmedLine(std::string_view line) {
  if (const auto comment = line.find('#'); comment != std::string_view::npos) line = line.substr(0, comment);
  constexpr std::string_view blanks = " \t\r\v\f";
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

constexpr const char* kHowToWriteNumbers = "Write one number per line, or commas between numbers.";

// A text of numbers, and what sentences call the place that it is from.
struct Source {
  std::string_view text;
  std::string inPlace, alone;  // "data.txt, line 3", "'data.txt' holds no number"
};
Source sourceOf(std::string_view text, const std::filesystem::path& file) {
  return {text, file.native(), "'" + file.native() + "'"};
}

// Skips a byte-order mark. Other encodings than UTF-8 are refused, whatever their bytes would come to.
Result<void> checkEncoding(Source& source) {
  constexpr std::string_view kMark = "\xef\xbb\xbf", kWideLittle = "\xff\xfe", kWideBig = "\xfe\xff";
  const bool wide = source.text.starts_with(kWideLittle) || source.text.starts_with(kWideBig) ||
                    source.text.substr(0, 4).find('\0') != std::string_view::npos;
  if (wide) return usageError(source.alone + " is UTF-16 or UTF-32 text, not UTF-8. Save it as UTF-8.");
  if (source.text.starts_with(kMark)) source.text.remove_prefix(kMark.size());
  return {};
}

std::string tooMany(const Source& source) {
  return source.alone + " holds more than " + figure(kMaxGivenValues) + " numbers. Take fewer.";
}

std::string placeIn(const Source& source, std::size_t list, std::size_t position) {
  return source.inPlace + ", list " + std::to_string(list) + ", position " + std::to_string(position) + ": ";
}

// Takes the numbers of a text line by line. In a line commas, semicolons or blanks stand between them.
class NumbersReader {
 public:
  NumbersReader(const Source& source, model::ElementType type, std::vector<std::uint64_t>& values)
      : source_(source), type_(type), values_(values) {}

  Result<void> read() {
    for (std::string_view rest = source_.text; !rest.empty();) {
      ++line_;
      const std::size_t end = rest.find('\n');
      STRIDESCOPE_TRY(readLine(trimmedLine(rest.substr(0, end))));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    if (values_.empty()) return usageError(source_.alone + " holds no number. " + kHowToWriteNumbers);
    return {};
  }

 private:
  Result<void> readLine(std::string_view text) {
    const bool several = text.find_first_of(kBetween) != std::string_view::npos;
    for (std::size_t number = 1; !text.empty(); ++number) {
      const auto place = [&] {
        return source_.inPlace + ", line " + std::to_string(line_) +
               (several ? ", number " + std::to_string(number) : "") + ": ";
      };
      const std::string_view cell = text.substr(0, text.find_first_of(kBetween));
      if (cell.empty())
        return usageError(place() + "there is none before '" + std::string(1, text.front()) +
                          "'. Write it, or take the " + nameOf(text.front()) + " away.");
      std::uint64_t bits = 0;
      if (const ElementFault fault = parseElement(type_, cell, bits); fault != ElementFault::None)
        return usageError(place() + sentenceOf(fault, cell, type_, kHowToWriteNumbers));
      if (values_.size() == kMaxGivenValues) return usageError(tooMany(source_));
      values_.push_back(bits);
      text = trimmedLine(text.substr(cell.size()));
      if (text.empty() || (text.front() != ',' && text.front() != ';')) continue;
      // "1,5;2,5" are two numbers where the comma is the decimal point.
      if (between_ != 0 && between_ != text.front())
        return usageError(source_.inPlace + ", line " + std::to_string(line_) +
                          ": commas and semicolons both stand between numbers. Write decimals with a point, "
                          "as in 1.5, and take either commas or semicolons.");
      between_ = text.front();
      text = trimmedLine(text.substr(1));
    }
    return {};
  }

  static const char* nameOf(char between) { return between == ',' ? "comma" : "semicolon"; }

  static constexpr std::string_view kBetween = " \t\r\v\f,;";

  const Source& source_;
  model::ElementType type_;
  std::vector<std::uint64_t>& values_;
  std::size_t line_ = 0;
  char between_ = 0;  // the comma or the semicolon that was met first
};

// Takes an array of arrays of numbers as the parser comes to them, and nothing else: what the file claims
// beyond that is not kept anywhere. The positions are counted from 0, as lists and elements are everywhere.
class ListsReader final : public JsonEvents {
 public:
  ListsReader(const Source& source, model::ElementType type, model::GivenData& data)
      : source_(source), type_(type), data_(data) {}

  // What ended the reading; empty where the text is no JSON.
  const std::string& fault() const { return fault_; }

  bool beginList() override {
    ++depth_;
    if (depth_ == 1) return true;
    if (depth_ > 2) return somethingElse("array");
    if (data_.listLengths.size() == kMaxLists)
      return ends(source_.alone + " has more than " + std::to_string(kMaxLists) +
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
    if (data_.values.size() == kMaxGivenValues) return ends(tooMany(source_));
    data_.values.push_back(bits);
    return true;
  }
  bool somethingElse(std::string_view kind) override {
    if (depth_ == 0) return false;
    if (depth_ == 1)
      return ends(source_.inPlace + ", list " + std::to_string(data_.listLengths.size()) +
                  ": it is no array of numbers.");
    return ends(place() + "here is no number, but a JSON " + std::string(kind) + ".");
  }

 private:
  bool ends(std::string sentence) {
    fault_ = std::move(sentence);
    return false;
  }
  std::string place() const {
    return placeIn(source_, data_.listLengths.size(), data_.values.size() - begin_);
  }

  const Source& source_;
  model::ElementType type_;
  model::GivenData& data_;
  unsigned depth_ = 0;
  std::size_t begin_ = 0;  // where the list begins
  std::string fault_;
};

Result<model::GivenData> numbersIn(Source source, model::ElementType type, std::string name) {
  STRIDESCOPE_TRY(checkEncoding(source));
  model::GivenData data{.name = std::move(name)};
  STRIDESCOPE_TRY(NumbersReader(source, type, data.values).read());
  return data;
}

Result<model::GivenData> listsIn(Source source, model::ElementType type, std::string name) {
  STRIDESCOPE_TRY(checkEncoding(source));
  model::GivenData data{.name = std::move(name)};
  ListsReader reader(source, type, data);
  if (!readJson(source.text, reader)) {
    if (!reader.fault().empty()) return usageError(reader.fault());
    return usageError(source.alone + " is no JSON array of arrays of numbers, as in [[1, 4], [], [2, 3]].");
  }
  if (data.listLengths.empty())
    return usageError(source.alone + " has no lists; a merge takes 1 to " + std::to_string(kMaxLists) + ".");
  if (data.values.empty())
    return usageError("All lists of " + source.alone +
                      " are empty, so there is nothing to merge. Write a number into one of them.");
  return data;
}

}  // namespace

Result<model::GivenData> readNumbers(const std::filesystem::path& file, model::ElementType type) {
  const auto text = readRegularFile(file, "a file of numbers", kMaxDataBytes);
  if (!text) return tl::unexpected(text.error());
  return numbersIn(sourceOf(*text, file), type, printable(file.filename().native()));
}

Result<model::GivenData> readLists(const std::filesystem::path& file, model::ElementType type) {
  const auto text = readRegularFile(file, "a file of lists", kMaxDataBytes);
  if (!text) return tl::unexpected(text.error());
  return listsIn(sourceOf(*text, file), type, printable(file.filename().native()));
}

Result<model::GivenData> numbersOf(std::string_view text, const std::string& from, model::ElementType type) {
  return numbersIn({text, from, from}, type, printable(from));
}

Result<model::GivenData> listsOf(std::string_view text, const std::string& from, model::ElementType type) {
  return listsIn({text, from, from}, type, printable(from));
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

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

char closingOf(char opening) { return opening == '(' ? ')' : opening == '[' ? ']' : '}'; }

std::optional<std::string> faultOfBrackets(std::string_view text) {
  std::string open;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{') open += c;
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty() || closingOf(open.back()) != c)
      return std::string("The '") + c + "' of combine closes nothing. Take it out, or open it before.";
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return std::string("The '") + open.back() + "' of combine is not closed. Add the '" +
         closingOf(open.back()) + "' that is missing.";
}

std::optional<std::string> faultOfCharacters(std::string_view text) {
  const auto isUnprintable = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\n' && c != '\t') || code >= 0x7f;
  };
  if (std::ranges::any_of(text, isUnprintable))
    return "combine takes plain ASCII characters: another one is in it.";
  if (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos)
    return "combine takes no comments. Leave them out.";
  if (const auto at = text.find_first_of("\"'#\\"); at != std::string_view::npos)
    return std::string("combine takes no ") + text[at] + ". Write an expression of a and b.";
  if (text.find("%:") != std::string_view::npos)  // # as it is written without that key
    return "combine takes no %:. Write an expression of a and b.";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> faultOfCombine(std::string_view combine) {
  const std::string_view text = trimmed(combine);
  if (text.empty()) return "combine is empty. Write an expression of a and b, such as a > b ? a : b.";
  if (text.size() > kMaxCombineBytes)
    return "combine has " + figure(text.size()) + " bytes; at most " + figure(kMaxCombineBytes) +
           " are taken.";
  if (auto fault = faultOfCharacters(text)) return fault;
  if (auto fault = faultOfBrackets(text)) return fault;
  if (!kernels::hasOwnReturn(text) && text.find(';') != std::string_view::npos)
    return "combine has a ';' but no return. Write one expression without it, or statements that return the "
           "result.";
  return std::nullopt;
}

Result<model::CustomOperator> readCustomOperator(std::string_view combine, std::string_view identity,
                                                 model::ElementType type) {
  if (auto fault = faultOfCombine(combine)) return usageError(std::move(*fault));
  model::CustomOperator custom{.combine = std::string(trimmed(combine)),
                               .identity = std::string(trimmed(identity)),
                               .identityBits = 0};
  constexpr const char* what =
      ". The identity fills the input up to whole blocks: a number e with combine(e, a) = a.";
  if (custom.identity.empty()) return usageError("The custom operator has no identity" + std::string(what));
  if (const auto fault = parseElement(type, custom.identity, custom.identityBits);
      fault != ElementFault::None)
    return usageError("The identity " + describeFault(fault, custom.identity, type) + what);
  return custom;
}

}  // namespace stridescope::engine
