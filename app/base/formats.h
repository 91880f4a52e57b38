// Formats of files: JSON and CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stridescope {

// JSON, read and written by nlohmann's library, which formats.cpp alone includes.

// ---- Values as a whole: small files.

struct JsonValue;
using JsonList = std::vector<JsonValue>;
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;  // the members in their order

struct JsonValue {
  // An integer that is not negative is read as the unsigned one.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, JsonList, JsonObject>
      value{};

  // nullptr: it is of another kind.
  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&value);
  }
  std::optional<double> number() const;  // whichever of the three kinds of number it is
  // nullptr: there is none, or it is no object.
  const JsonValue* member(std::string_view name) const;
};

// null if the text is no JSON. If members share a name, the last one counts. Lists and objects that stand in
// kMaxJsonLevels others are read as empty.
inline constexpr unsigned kMaxJsonLevels = 32;
JsonValue parseJson(std::string_view text);

// Prints on many lines, each level two blanks further in. Text that is not UTF-8 is replaced by U+FFFD.
std::string printJson(const JsonValue& json);

// ---- Piece by piece: large files.

// What a text holds, in its order. Each gives whether to read on.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual bool beginList() = 0;
  virtual bool endList() = 0;
  // `text` has all the number's digits.
  virtual bool number(const std::string& text) = 0;
  // "object", which begins here, "string", "boolean", "null".
  virtual bool somethingElse(std::string_view kind) = 0;
};

// Keeps nothing, and takes no more of the stack for lists in lists. Comments are passed over. False: it was
// ended, or the text is no JSON.
bool readJson(std::string_view text, JsonEvents& events);

// A text with its quotes; what is not UTF-8 is replaced by U+FFFD.
std::string jsonText(std::string_view text);
// null where it is not finite.
std::string jsonText(double number);

// Cells of CSV (RFC 4180, with a line feed): the only writer of them, so that no file of the program holds a
// cell that a spreadsheet would run.
//
// A spreadsheet takes a cell that begins with = + - @, a tab or a carriage return for a formula. Such a text
// gets an apostrophe before it, as OWASP advises ("CSV Injection"); spreadsheets do not show it. Numbers stay
// numbers.

enum class CsvQuotes {
  WhereNeeded,  // around a comma, a quote or a line break
  Always,
};

// A cell of text: a name, a sentence, the operator +.
std::string csvText(std::string_view text, CsvQuotes quotes = CsvQuotes::WhereNeeded);

// A cell of a column of numbers, as it is: -5, 1e+300, inf, nan, or nothing. What is none of these is a text.
std::string csvNumber(std::string_view number);

// Line and column, from 1 on, where a text that a person wrote stops being JSON. Nothing: it is JSON, or
// nobody can say where.
std::optional<std::pair<std::size_t, std::size_t>> faultOfJson(std::string_view text);

}  // namespace stridescope
