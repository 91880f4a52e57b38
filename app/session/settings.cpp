#include "session/settings.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/pending_file.h"
#include "base/regular_file.h"

namespace stridescope::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostWindowExtent = 16384;
constexpr std::uint64_t kMostFileBytes = 1 << 20;

Json experimentToJson(const model::Experiment& experiment) {
  return {{"variant", experiment.variant},
          {"type", model::nameOf(experiment.type)},
          {"op", model::nameOf(experiment.op)},
          {"threads", experiment.threads},
          {"elements", experiment.elements},
          {"data", model::nameOf(experiment.data)},
          {"seed", experiment.seed}};
}

std::string textOr(const Json& json, const char* key, const std::string& otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

bool flagOr(const Json& json, const char* key, bool otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// Integers are read in 64 bits and compared before they are narrowed.
template <class T>
T numberOr(const Json& json, const char* key, T otherwise, T least = std::numeric_limits<T>::min(),
           T most = std::numeric_limits<T>::max()) {
  const auto found = json.find(key);
  if (found == json.end()) return otherwise;
  const auto within = [&](auto number) {
    return std::cmp_greater_equal(number, least) && std::cmp_less_equal(number, most) ? T(number) : otherwise;
  };
  if (found->is_number_unsigned()) return within(found->get<std::uint64_t>());
  if (found->is_number_integer()) return within(found->get<std::int64_t>());
  return otherwise;
}

double speedOr(const Json& json, double otherwise) {
  const auto found = json.find("speed");
  if (found == json.end() || !found->is_number()) return otherwise;
  const double speed = found->get<double>();
  return speed >= kSlowest && speed <= kFastest ? speed : otherwise;
}

model::Experiment experimentFromJson(const Json& json) {
  model::Experiment experiment;
  experiment.variant = textOr(json, "variant", "");
  experiment.type = model::parseElementType(textOr(json, "type", "int")).value_or(experiment.type);
  experiment.op = model::parseOperator(textOr(json, "op", "+")).value_or(experiment.op);
  experiment.threads = numberOr(json, "threads", experiment.threads);
  experiment.elements = numberOr(json, "elements", experiment.elements);
  experiment.data = model::parseDataPattern(textOr(json, "data", "ramp")).value_or(experiment.data);
  experiment.seed = numberOr(json, "seed", experiment.seed);
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
  settings.theme = textOr(json, "theme", "dark") == "light" ? ThemeName::Light : ThemeName::Dark;
  settings.textSize = numberOr(json, "text_size", settings.textSize, kLeastTextSize, kMostTextSize);
  settings.speed = speedOr(json, settings.speed);
  settings.reducedMotion = flagOr(json, "reduced_motion", settings.reducedMotion);
  settings.windowX = numberOr(json, "window_x", settings.windowX);
  settings.windowY = numberOr(json, "window_y", settings.windowY);
  settings.windowWidth = numberOr(json, "window_width", settings.windowWidth, 320, kMostWindowExtent);
  settings.windowHeight = numberOr(json, "window_height", settings.windowHeight, 200, kMostWindowExtent);
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
  const auto text = readRegularFile(file, "a file of settings", kMostFileBytes);
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
