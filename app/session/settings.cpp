#include "session/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace stridescope {
namespace {

using Json = nlohmann::ordered_json;

Json experimentToJson(const Experiment& experiment) {
  return {{"variant", experiment.variant},   {"type", nameOf(experiment.type)},
          {"op", nameOf(experiment.op)},     {"threads", experiment.threads},
          {"elements", experiment.elements}, {"data", nameOf(experiment.data)},
          {"seed", experiment.seed}};
}

template <class T>
T valueOr(const Json& json, const char* key, T otherwise) {
  const auto found = json.find(key);
  if (found == json.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->get<std::string>() : otherwise;
  } else if constexpr (std::is_same_v<T, bool>) {
    return found->is_boolean() ? found->get<bool>() : otherwise;
  } else {
    return found->is_number() ? found->get<T>() : otherwise;
  }
}

Experiment experimentFromJson(const Json& json) {
  Experiment experiment;
  experiment.variant = valueOr<std::string>(json, "variant", "");
  experiment.type = parseElementType(valueOr<std::string>(json, "type", "int")).value_or(experiment.type);
  experiment.op = parseOperator(valueOr<std::string>(json, "op", "+")).value_or(experiment.op);
  experiment.threads = valueOr<unsigned>(json, "threads", experiment.threads);
  experiment.elements = valueOr<std::uint64_t>(json, "elements", 0);
  experiment.data = parseDataPattern(valueOr<std::string>(json, "data", "ramp")).value_or(experiment.data);
  experiment.seed = valueOr<std::uint64_t>(json, "seed", 1);
  return experiment;
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
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  Settings settings;
  if (!json.is_object()) return settings;
  settings.theme =
      valueOr<std::string>(json, "theme", "dark") == "light" ? ThemeName::Light : ThemeName::Dark;
  settings.textSize =
      std::clamp(valueOr(json, "text_size", settings.textSize), kLeastTextSize, kMostTextSize);
  settings.speed = std::clamp(valueOr(json, "speed", settings.speed), kSlowest, kFastest);
  settings.reducedMotion = valueOr(json, "reduced_motion", false);
  settings.windowX = valueOr(json, "window_x", -1);
  settings.windowY = valueOr(json, "window_y", -1);
  settings.windowWidth = std::clamp(valueOr(json, "window_width", settings.windowWidth), 320, 16384);
  settings.windowHeight = std::clamp(valueOr(json, "window_height", settings.windowHeight), 200, 16384);
  if (const auto recent = json.find("recent"); recent != json.end() && recent->is_array())
    for (const Json& path : *recent)
      if (path.is_string() && settings.recent.size() < kMostRecent)
        settings.recent.push_back(path.get<std::string>());
  if (const auto last = json.find("experiment"); last != json.end() && last->is_object())
    settings.lastExperiment = experimentFromJson(*last);
  return settings;
}

std::string settingsToJson(const Settings& settings) {
  const Json json = {{"theme", settings.theme == ThemeName::Light ? "light" : "dark"},
                     {"text_size", settings.textSize},
                     {"speed", settings.speed},
                     {"reduced_motion", settings.reducedMotion},
                     {"window_x", settings.windowX},
                     {"window_y", settings.windowY},
                     {"window_width", settings.windowWidth},
                     {"window_height", settings.windowHeight},
                     {"recent", settings.recent},
                     {"experiment", experimentToJson(settings.lastExperiment)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Settings loadSettings(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return settingsFromJson(text.str());
}

Result<bool> saveSettings(const std::string& file, const Settings& settings) {
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failure);
  const std::string temporary = file + ".new";
  {
    std::ofstream out(temporary, std::ios::trunc);
    out << settingsToJson(settings);
    if (!out.flush()) return unavailable("The settings could not be written to " + file + ".");
  }
  std::filesystem::rename(temporary, file, failure);
  if (failure) return unavailable("The settings could not be written to " + file + ".", failure.message());
  return true;
}

}  // namespace stridescope
