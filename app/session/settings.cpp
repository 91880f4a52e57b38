#include "session/settings.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/pending_file.h"
#include "base/regular_file.h"

namespace stridescope::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxInAList = 64;  // of the file: longer ones are cut
constexpr int kMaxWindowExtent = 16384;
constexpr std::uint64_t kMaxFileBytes = 1 << 20;

// Of the last experiment: what begins anew with every start, or needs more than a small file.
constexpr std::array<std::string_view, 7> kNotKept{"launch", "block",  "schedule", "schedule_seed",
                                                   "lists",  "custom", "given"};
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
void take(const Json& json, std::string_view, bool& flag) {
  if (json.is_boolean()) flag = json.get<bool>();
}
void take(const Json& json, std::string_view, std::string& text) {
  if (json.is_string()) text = json.get<std::string>();
}
void take(const Json& json, std::string_view, std::vector<std::string>& list) {
  if (!json.is_array()) return;
  for (const Json& text : json)
    if (text.is_string() && list.size() < kMaxInAList) list.push_back(text.get<std::string>());
}
template <class Field>
requires std::is_enum_v<Field>
void take(const Json& json, std::string_view, Field& field) {
  if (json.is_string()) field = enumeratorOf(json.get<std::string>(), field).value_or(field);
}
template <std::floating_point Field>
void take(const Json& json, std::string_view name, Field& field) {
  if (json.is_number() && isWithin(name, json.get<double>())) field = json.get<Field>();
}
// Integers are read in 64 bits and compared before they are narrowed.
template <std::integral Field>
void take(const Json& json, std::string_view name, Field& field) {
  const auto narrow = [&](auto number) {
    if (std::in_range<Field>(number) && isWithin(name, double(number))) field = Field(number);
  };
  if (json.is_number_unsigned())
    narrow(json.get<std::uint64_t>());
  else if (json.is_number_integer())
    narrow(json.get<std::int64_t>());
}
template <HasDescription Struct>
void take(const Json& json, std::string_view, Struct& value) {
  if (!json.is_object()) return;
  forEachField(value, [&](std::string_view name, auto& field) {
    if constexpr (requires { take(json, name, field); })
      if (const auto found = json.find(name); found != json.end() && isKept(name)) take(*found, name, field);
  });
}

template <HasDescription Struct>
Json jsonOf(const Struct& value);

template <class Field>
void put(Json& json, const Field& field) {
  if constexpr (HasDescription<Field>)
    json = jsonOf(field);
  else if constexpr (requires { json = plainOf(field); })
    json = plainOf(field);
}

template <HasDescription Struct>
Json jsonOf(const Struct& value) {
  Json json = Json::object();
  forEachField(value, [&](std::string_view name, const auto& field) {
    if (isKept(name)) put(json[std::string(name)], field);
  });
  return json;
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
  take(Json::parse(text, nullptr, /*allow_exceptions=*/false), "", settings);
  if (settings.recent.size() > kMaxRecent) settings.recent.resize(kMaxRecent);
  return settings;
}

std::string settingsToJson(const Settings& settings) {
  return jsonOf(settings).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Settings loadSettings(const std::string& file) {
  const auto text = readRegularFile(file, "a file of settings", kMaxFileBytes);
  return settingsFromJson(text.value_or(""));
}

Result<bool> saveSettings(const std::string& file, const Settings& settings) {
  std::error_code failed;  // is told by what needs the folder
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  auto pending = PendingFile::create(file, true);
  auto saved = pending ? pending->write(settingsToJson(settings)) : tl::unexpected(pending.error());
  if (saved) saved = pending->publish();
  if (!saved)
    return unavailable("The settings were not kept in " + file + ". " + saved.error().sentence,
                       saved.error().details);
  return true;
}

}  // namespace stridescope::session
