#include "session/settings.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/formats.h"
#include "base/pending_file.h"
#include "base/regular_file.h"

namespace stridescope::session {
namespace {

constexpr std::size_t kMaxInAList = 64;  // lists in the file that are longer are cut
constexpr int kMaxWindowExtent = 16384;
constexpr std::uint64_t kMaxFileBytes = 1 << 20;

// The fields of the last experiment that begin anew with every start, or need more than a small file.
constexpr std::array<std::string_view, 10> kNotKept{
    "launch", "block", "schedule",    "schedule_seed",    "lists",
    "custom", "given", "block_order", "block_order_seed", "kernel"};
bool isKept(std::string_view name) { return std::ranges::find(kNotKept, name) == kNotKept.end(); }

// What a number may be where it is not any of its type; a number outside is the default's.
struct Range {
  std::string_view name;
  double least, most;
};
constexpr std::array kRanges{Range{"text_size", kMinTextSize, kMaxTextSize},
                             Range{"speed", kSlowest, kFastest}, Range{"window_width", 320, kMaxWindowExtent},
                             Range{"window_height", 200, kMaxWindowExtent}};

bool isWithin(std::string_view name, double number) {
  const auto range = std::ranges::find(kRanges, name, &Range::name);
  return range == kRanges.end() || (number >= range->least && number <= range->most);
}

// Names that people write, too.
std::optional<model::Operator> enumeratorOf(std::string_view name, model::Operator) {
  return model::parseOperator(name);
}
std::optional<model::DataPattern> enumeratorOf(std::string_view name, model::DataPattern) {
  return model::parseDataPattern(name);
}
template <class Enum>
std::optional<Enum> enumeratorOf(std::string_view name, Enum) {
  for (const Enum each : allOf(Enum{}))
    if (nameOf(each) == name) return each;
  return std::nullopt;
}

// Each takes the value over if it is one of the field's; else the field keeps its default.
void take(const JsonValue& json, std::string_view, bool& flag) {
  if (const auto* given = json.as<bool>()) flag = *given;
}
void take(const JsonValue& json, std::string_view, std::string& text) {
  if (const auto* given = json.as<std::string>()) text = *given;
}
void take(const JsonValue& json, std::string_view, std::vector<std::string>& list) {
  if (const auto* given = json.as<JsonList>())
    for (const JsonValue& each : *given)
      if (const auto* text = each.as<std::string>(); text && list.size() < kMaxInAList) list.push_back(*text);
}
template <class Field>
requires std::is_enum_v<Field>
void take(const JsonValue& json, std::string_view, Field& field) {
  if (const auto* name = json.as<std::string>()) field = enumeratorOf(*name, field).value_or(field);
}
template <std::floating_point Field>
void take(const JsonValue& json, std::string_view name, Field& field) {
  if (const auto number = json.number(); number && isWithin(name, *number)) field = Field(*number);
}
// Integers are read in 64 bits and compared before they are narrowed.
template <std::integral Field>
void take(const JsonValue& json, std::string_view name, Field& field) {
  const auto narrow = [&](auto number) {
    if (std::in_range<Field>(number) && isWithin(name, double(number))) field = Field(number);
  };
  if (const auto* number = json.as<std::uint64_t>()) narrow(*number);
  if (const auto* number = json.as<std::int64_t>()) narrow(*number);
}
template <HasDescription Struct>
void take(const JsonValue& json, std::string_view, Struct& value) {
  forEachField(value, [&](std::string_view name, auto& field) {
    if constexpr (requires { take(json, name, field); })
      if (const JsonValue* const member = json.member(name); member && isKept(name))
        take(*member, name, field);
  });
}

template <class Field>
JsonValue jsonOf(const Field& field) {
  if constexpr (HasDescription<Field>) {
    JsonObject members;
    forEachField(field, [&](std::string_view name, const auto& member) {
      if (isKept(name)) members.emplace_back(name, jsonOf(member));
    });
    return {std::move(members)};
  } else if constexpr (std::is_enum_v<Field>) {
    return {std::string(nameOf(field))};
  } else if constexpr (std::same_as<Field, std::vector<std::string>>) {
    JsonList list;
    for (const std::string& text : field) list.push_back({text});
    return {std::move(list)};
  } else if constexpr (std::same_as<Field, std::string> || std::same_as<Field, bool>) {
    return {field};
  } else if constexpr (std::signed_integral<Field>) {
    return {std::int64_t{field}};
  } else if constexpr (std::unsigned_integral<Field>) {
    return {std::uint64_t{field}};
  } else if constexpr (std::floating_point<Field>) {
    return {double{field}};
  } else {
    return {};
  }
}

}  // namespace

std::string configFolder() {
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME"); xdg != nullptr && *xdg == '/')
    return std::string(xdg) + "/stridescope";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.config/stridescope";
  return {};
}

Settings settingsFromJson(const std::string& text) {
  Settings settings;
  take(parseJson(text), "", settings);
  if (settings.recent.size() > kMaxRecent) settings.recent.resize(kMaxRecent);
  return settings;
}

std::string settingsToJson(const Settings& settings) { return printJson(jsonOf(settings)) + "\n"; }

Settings loadSettings(const std::string& file) {
  const auto text = readRegularFile(file, "a file of settings", kMaxFileBytes);
  return settingsFromJson(text.value_or(""));
}

Result<bool> saveSettings(const std::string& file, const Settings& settings) {
  std::error_code failed;  // is told by what needs the folder
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  const auto saved = writeWhole(file, settingsToJson(settings), true);
  if (!saved)
    return unavailable("The settings were not kept in " + file + ". " + saved.error().sentence,
                       saved.error().details);
  return true;
}

}  // namespace stridescope::session
