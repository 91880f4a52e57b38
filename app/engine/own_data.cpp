#include "engine/own_data.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/parse_element.h"
#include "trace/arithmetic.h"
#include "trace/plain_text.h"
#include "trace/regular_file.h"

namespace stridescope {
namespace {

// More than the most numbers take, however they are written.
constexpr std::uint64_t kMostFileBytes = 512ull << 20;

// What to do about what is no number of the type is the file's: `advice`, a sentence.
std::string sentenceOf(ElementFault fault, std::string_view text, ElementType type, const char* advice) {
  return describeFault(fault, text, type) + ". " +
         (fault == ElementFault::OutOfRange ? "Take another type, or a smaller number." : advice);
}

std::string_view trimmed(std::string_view line) {
  if (const auto comment = line.find('#'); comment != std::string_view::npos) line = line.substr(0, comment);
  constexpr std::string_view blanks = " \t\r\v\f";
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

bool isLess(ElementType type, std::uint64_t a, std::uint64_t b) {
  return withType(type, [&](auto zero) {
    using T = decltype(zero);
    return elementOfBits<T>(a) < elementOfBits<T>(b);
  });
}

using Json = nlohmann::json;

std::string placeIn(const std::filesystem::path& file, std::size_t list, std::size_t position) {
  return file.native() + ", list " + std::to_string(list) + ", position " + std::to_string(position) + ": ";
}

// nlohmann reads "-0" as the integer 0 and says no more of the minus than that the type is the signed one.
bool isNegativeZero(const Json& element) {
  return element.type() == Json::value_t::number_integer && element == 0;
}

// Appends one list. The positions are counted from 0, as lists and elements are everywhere.
Result<void> appendList(const std::filesystem::path& file, const Json& list, ElementType type,
                        GivenData& data) {
  const std::size_t number = data.listLengths.size();
  if (!list.is_array())
    return usageError(file.native() + ", list " + std::to_string(number) + ": it is no array of numbers.");
  const std::size_t begin = data.values.size();
  for (const Json& element : list) {
    const std::size_t position = data.values.size() - begin;
    if (!element.is_number())
      return usageError(placeIn(file, number, position) + "here is no number, but a JSON " +
                        element.type_name() + ".");
    const std::string text = isNegativeZero(element) ? "-0" : element.dump();
    std::uint64_t bits = 0;
    if (const ElementFault fault = parseElement(type, text, bits); fault != ElementFault::None)
      return usageError(placeIn(file, number, position) +
                        sentenceOf(fault, text, type, "Mend it, or take another type."));
    if (position > 0 && isLess(type, bits, data.values.back()))
      return usageError(placeIn(file, number, position) + text +
                        " is less than the number before it. A merge takes sorted lists: sort it.");
    if (data.values.size() == kMostGivenValues)
      return usageError("'" + file.native() + "' holds more than " + std::to_string(kMostGivenValues) +
                        " numbers. Take fewer.");
    data.values.push_back(bits);
  }
  data.listLengths.push_back(std::uint32_t(data.values.size() - begin));
  return {};
}

}  // namespace

Result<GivenData> readNumbers(const std::filesystem::path& file, ElementType type) {
  const auto content = readRegularFile(file, "a file of numbers", kMostFileBytes);
  if (!content) return tl::unexpected(content.error());
  GivenData data{.name = printable(file.filename().native()), .values = {}, .listLengths = {}};
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
                        sentenceOf(fault, text, type, "Write one number a line."));
    if (data.values.size() == kMostGivenValues)
      return usageError("'" + file.native() + "' holds more than " + std::to_string(kMostGivenValues) +
                        " numbers. Take fewer.");
    data.values.push_back(bits);
  }
  return data;
}

Result<GivenData> readLists(const std::filesystem::path& file, ElementType type) {
  const auto text = readRegularFile(file, "a file of lists", kMostFileBytes);
  if (!text) return tl::unexpected(text.error());
  // The parser goes down into arrays without calling itself, however deep they are; dump() would not.
  const Json json = Json::parse(*text, nullptr, false, true);
  if (json.is_discarded() || !json.is_array())
    return usageError("'" + file.native() +
                      "' is no JSON array of arrays of numbers, as in [[1, 4], [], [2, 3]].");
  if (json.empty() || json.size() > kMostLists)
    return usageError("'" + file.native() + "' has " + std::to_string(json.size()) +
                      " lists; a merge takes 1 to " + std::to_string(kMostLists) + ".");
  GivenData data{.name = printable(file.filename().native()), .values = {}, .listLengths = {}};
  for (const Json& list : json)
    if (auto appended = appendList(file, list, type, data); !appended)
      return tl::unexpected(appended.error());
  return data;
}

unsigned threadsForLists(std::size_t lists) {
  return std::max(32u, unsigned(std::bit_ceil(std::min(std::max<std::size_t>(lists, 1), kMostLists))));
}

}  // namespace stridescope
