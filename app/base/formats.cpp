#include "base/formats.h"

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>

#include "base/read_floating.h"

using namespace stridescope;

namespace {

using Library = nlohmann::ordered_json;

constexpr auto kReplace = Library::error_handler_t::replace;

JsonValue valueOf(const Library& json, unsigned levels) {
  switch (json.type()) {
    case Library::value_t::boolean:
      return {json.get<bool>()};
    case Library::value_t::number_integer:
      return {json.get<std::int64_t>()};
    case Library::value_t::number_unsigned:
      return {json.get<std::uint64_t>()};
    case Library::value_t::number_float:
      return {json.get<double>()};
    case Library::value_t::string:
      return {json.get<std::string>()};
    case Library::value_t::array: {
      JsonList list;
      if (levels > 0)
        for (const Library& each : json) list.push_back(valueOf(each, levels - 1));
      return {std::move(list)};
    }
    case Library::value_t::object: {
      JsonObject object;
      if (levels > 0)
        for (const auto& [name, each] : json.items()) object.emplace_back(name, valueOf(each, levels - 1));
      return {std::move(object)};
    }
    default:
      return {};
  }
}

Library libraryOf(const JsonValue& json) {
  return std::visit(
      []<class Kind>(const Kind& value) -> Library {
        if constexpr (std::same_as<Kind, JsonList>) {
          Library list = Library::array();
          for (const JsonValue& each : value) list.push_back(libraryOf(each));
          return list;
        } else if constexpr (std::same_as<Kind, JsonObject>) {
          Library object = Library::object();
          for (const auto& [name, each] : value) object[name] = libraryOf(each);
          return object;
        } else {
          return value;
        }
      },
      json.value);
}

class EventsOfLibrary final : public Library::json_sax_t {
 public:
  explicit EventsOfLibrary(JsonEvents& events) : events_(events) {}

  bool start_array(std::size_t) override { return events_.beginList(); }
  bool end_array() override { return events_.endList(); }
  // The library reads "-0" as the signed integer 0.
  bool number_integer(number_integer_t value) override {
    return events_.number(value == 0 ? "-0" : std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override { return events_.number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return events_.number(text); }
  bool start_object(std::size_t) override { return events_.somethingElse("object"); }
  bool null() override { return events_.somethingElse("null"); }
  bool boolean(bool) override { return events_.somethingElse("boolean"); }
  bool string(string_t&) override { return events_.somethingElse("string"); }
  bool binary(binary_t&) override { return false; }  // text has none
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool parse_error(std::size_t, const std::string&, const Library::exception&) override { return false; }

 private:
  JsonEvents& events_;
};

}  // namespace

std::optional<double> stridescope::JsonValue::number() const {
  if (const auto* negative = as<std::int64_t>()) return double(*negative);
  if (const auto* integer = as<std::uint64_t>()) return double(*integer);
  if (const auto* floating = as<double>()) return *floating;
  return std::nullopt;
}

const JsonValue* stridescope::JsonValue::member(std::string_view name) const {
  if (const auto* members = as<JsonObject>())
    for (const auto& [each, json] : *members)
      if (each == name) return &json;
  return nullptr;
}

JsonValue stridescope::parseJson(std::string_view text) {
  return valueOf(Library::parse(text, nullptr, /*allow_exceptions=*/false), kMaxJsonLevels);
}

std::string stridescope::printJson(const JsonValue& json) {
  return libraryOf(json).dump(2, ' ', false, kReplace);
}

bool stridescope::readJson(std::string_view text, JsonEvents& events) {
  EventsOfLibrary sax(events);
  return Library::sax_parse(text, &sax, Library::input_format_t::json, /*strict=*/true,
                            /*ignore_comments=*/true);
}

std::string stridescope::jsonText(std::string_view text) {
  return Library(text).dump(-1, ' ', false, kReplace);
}

std::string stridescope::jsonText(double number) { return Library(number).dump(); }

namespace stridescope {
namespace {

bool isNumber(std::string_view text) {
  const bool signIsPlus = text.starts_with('+');
  if (signIsPlus) text.remove_prefix(1);
  if (text.empty() || (signIsPlus && (text.front() == '+' || text.front() == '-'))) return false;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = readFloating(text.data(), end, value);
  // "nan(...)" is one for from_chars, too.
  return stop == end && fault != std::errc::invalid_argument && text.find('(') == std::string_view::npos;
}

}  // namespace

std::string csvText(std::string_view text, CsvQuotes quotes) {
  constexpr std::string_view kBeginAFormula = "=+-@\t\r";
  std::string cell;
  if (!text.empty() && kBeginAFormula.find(text.front()) != std::string_view::npos) cell = '\'';
  const bool isPlain = text.find_first_of(",\"\n\r") == std::string_view::npos;
  if (quotes == CsvQuotes::WhereNeeded && isPlain) return cell.append(text);
  cell.insert(0, 1, '"');
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

std::string csvNumber(std::string_view number) {
  return number.empty() || isNumber(number) ? std::string(number) : csvText(number);
}

std::optional<std::pair<std::size_t, std::size_t>> faultOfJson(std::string_view text) {
  try {
    [[maybe_unused]] const auto json = nlohmann::json::parse(text);
    return std::nullopt;
  } catch (const nlohmann::json::parse_error& fault) {
    const std::size_t at = std::min(fault.byte == 0 ? 0 : fault.byte - 1, text.size());
    const auto end = text.begin() + std::ptrdiff_t(at);
    const auto before = text.substr(0, at).rfind('\n');
    return std::pair(std::size_t(std::count(text.begin(), end, '\n')) + 1,
                     at - (before == std::string_view::npos ? 0 : before + 1) + 1);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace stridescope
