// JSON, read and written by nlohmann's library, which json.cpp alone includes.
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

}  // namespace stridescope
