// What else is read from files and fields: settings, numbers, lists, a custom operator's two texts,
// arguments.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/commands.h"
#include "engine/engine.h"
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

void readFile(const std::string& text, model::ElementType type, bool lists) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("fuzz-" + std::to_string(::getpid()) + (lists ? ".json" : ".txt"));
  std::ofstream(path, std::ios::binary) << text;
  const auto data = lists ? engine::readLists(path, type) : engine::readNumbers(path, type);
  std::filesystem::remove(path);
  if (!data) expectSentence(data.error());
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  const auto what = input.byte() % 6;
  const model::ElementType type = model::kElementTypes[input.below(model::kElementTypes.size())];
  const std::string text(reinterpret_cast<const char*>(input.rest().data()), input.rest().size());
  switch (what) {
    case 0: {
      const session::Settings settings = session::settingsFromJson(text);
      if (settings.speed < session::kSlowest || settings.speed > session::kFastest) std::abort();
      if (session::settingsFromJson(session::settingsToJson(settings)) != settings) std::abort();
      return;
    }
    case 1:
      return readFile(text, type, false);
    case 2:
      return readFile(text, type, true);
    case 3: {
      const auto half = text.find('\n');
      const auto custom = engine::readCustomOperator(
          text.substr(0, half), half == std::string::npos ? "0" : text.substr(half + 1), type);
      if (!custom) return expectSentence(custom.error());
      const model::Experiment experiment{
          .variant = "v", .type = type, .op = model::Operator::Custom, .custom = *custom};
      kernels::preambleOf("", experiment);
      return;
    }
    case 4:
      if (const auto rounds = cli::parseRounds(text); !rounds) expectSentence(rounds.error());
      if (const auto size = cli::parsePictureSize(text); !size) expectSentence(size.error());
      if (const auto scale = cli::parseScale(text); !scale) expectSentence(scale.error());
      return;
    default:
      engine::parseEngineName(text);
      model::parseElementType(text), model::parseOperator(text), model::parseDataPattern(text),
          model::parseSchedule(text);
  }
}

}  // namespace stridescope::fuzz
