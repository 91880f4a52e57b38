// What else is read from files and fields: settings, numbers, lists, a custom operator's two texts,
// arguments.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/parse.h"
#include "engine/custom_operator.h"
#include "engine/engine_name.h"
#include "engine/own_data.h"
#include "fuzz_one.h"
#include "input_bytes.h"
#include "kernels/catalog.h"
#include "session/settings.h"

namespace stridescope::fuzz {
namespace {

void expectSentence(const Error& error) {
  if (error.sentence.empty() || error.sentence.back() != '.') std::abort();
}

void readFile(const std::string& text, ElementType type, bool lists) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("fuzz-" + std::to_string(::getpid()) + (lists ? ".json" : ".txt"));
  std::ofstream(path, std::ios::binary) << text;
  const auto data = lists ? readLists(path, type) : readNumbers(path, type);
  std::filesystem::remove(path);
  if (!data) expectSentence(data.error());
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  const auto what = input.byte() % 6;
  const ElementType type = kElementTypes[input.below(kElementTypes.size())];
  const std::string text(reinterpret_cast<const char*>(input.rest().data()), input.rest().size());
  switch (what) {
    case 0: {
      const Settings settings = settingsFromJson(text);
      if (settings.speed < kSlowest || settings.speed > kFastest) std::abort();
      if (settingsFromJson(settingsToJson(settings)) != settings) std::abort();
      return;
    }
    case 1:
      return readFile(text, type, false);
    case 2:
      return readFile(text, type, true);
    case 3: {
      const auto half = text.find('\n');
      const auto custom = readCustomOperator(text.substr(0, half),
                                             half == std::string::npos ? "0" : text.substr(half + 1), type);
      if (!custom) return expectSentence(custom.error());
      const Experiment experiment{.variant = "v", .type = type, .op = Operator::Custom, .custom = *custom};
      preambleOf("", experiment);
      return;
    }
    case 4:
      if (const auto rounds = parseRounds(text); !rounds) expectSentence(rounds.error());
      if (const auto size = parsePictureSize(text); !size) expectSentence(size.error());
      if (const auto scale = parseScale(text); !scale) expectSentence(scale.error());
      return;
    default:
      parseEngineName(text);
      parseElementType(text), parseOperator(text), parseDataPattern(text), parseSchedule(text);
  }
}

}  // namespace stridescope::fuzz
