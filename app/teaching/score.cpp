#include "teaching/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/formats.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "base/regular_file.h"
#include "teaching/question.h"

namespace stridescope::teaching {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 16;
constexpr unsigned kRightForALevel = 3;

std::string quoted(const std::filesystem::path& file) { return "'" + printable(file.native()) + "'"; }

// nullopt: it is no number, or none is there and there must be one.
std::optional<std::uint64_t> numberIn(const JsonValue& object, std::string_view name) {
  const JsonValue* const member = object.member(name);
  const auto* const number = member == nullptr ? nullptr : member->as<std::uint64_t>();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<TopicScore> topicFrom(const JsonValue& json) {
  const auto asked = numberIn(json, "asked"), right = numberIn(json, "right"),
             hints = numberIn(json, "hints");
  const JsonValue* const member = json.member("latest");
  const auto* const latest = member == nullptr ? nullptr : member->as<JsonList>();
  if (!asked || !right || !hints || latest == nullptr || *right > *asked || latest->size() > kLatest)
    return std::nullopt;
  TopicScore score{.asked = *asked, .right = *right, .hints = *hints, .latest = {}};
  for (const JsonValue& each : *latest) {
    const bool* const isRight = each.as<bool>();
    if (isRight == nullptr) return std::nullopt;
    score.latest.push_back(*isRight);
  }
  return score;
}

// nullopt: it is no score of this version.
std::optional<Score> scoreFrom(const JsonValue& json) {
  const JsonValue* const concepts = json.member("concepts");
  if (numberIn(json, "version") != kScoreVersion || concepts == nullptr || !concepts->as<JsonObject>())
    return std::nullopt;
  Score score;
  for (const Topic topic : kTopics) {
    const JsonValue* const own = concepts->member(nameOf(topic));
    if (own == nullptr) continue;
    const auto read = topicFrom(*own);
    if (!read) return std::nullopt;
    score.topics[std::size_t(topic)] = *read;
  }
  return score;
}

Result<std::monostate> write(const std::filesystem::path& file, const Score& score) {
  std::error_code failed;  // is told by what needs the folder
  std::filesystem::create_directories(file.parent_path(), failed);
  const auto written = writeWhole(file, scoreToJson(score), true);
  if (!written)
    return unavailable("The score was not kept in " + quoted(file) + ". " + written.error().sentence,
                       written.error().details);
  return std::monostate{};
}

}  // namespace

unsigned TopicScore::wrongLatest() const { return unsigned(std::ranges::count(latest, false)); }

void Score::add(const Outcome& outcome) {
  TopicScore& own = topics[std::size_t(outcome.topic)];
  ++own.asked;
  own.right += outcome.right ? 1 : 0;
  own.hints += outcome.hints;
  own.latest.push_back(outcome.right);
  if (own.latest.size() > kLatest) own.latest.erase(own.latest.begin());
}

std::optional<Topic> weakest(const Score& score) {
  std::optional<Topic> found;
  for (const Topic topic : kTopics)
    if (score.of(topic).wrongLatest() > (found ? score.of(*found).wrongLatest() : 0)) found = topic;
  return found;
}

unsigned levelOf(const TopicScore& score) {
  unsigned right = 0;
  for (auto it = score.latest.rbegin(); it != score.latest.rend() && *it; ++it) ++right;
  return std::min(kMaxLevel, right / kRightForALevel);
}

std::string scoreToJson(const Score& score) {
  std::string concepts;
  for (const Topic topic : kTopics) {
    const TopicScore& own = score.of(topic);
    std::string latest;
    for (const bool right : own.latest)
      latest += std::string(latest.empty() ? "" : ", ") + (right ? "true" : "false");
    concepts += fmt::format("{}\n    {}: {{\"asked\": {}, \"right\": {}, \"hints\": {}, \"latest\": [{}]}}",
                            concepts.empty() ? "" : ",", jsonText(nameOf(topic)), own.asked, own.right,
                            own.hints, latest);
  }
  return fmt::format("{{\n  \"version\": {},\n  \"concepts\": {{{}\n  }}\n}}\n", kScoreVersion, concepts);
}

Result<Score> readScore(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, unknown))) return Score{};
  const auto text = readRegularFile(file, "a file of scores", kMaxFileBytes);
  if (!text)
    return unavailable("The score in " + quoted(file) +
                           " cannot be read, so this time's answers are not kept. " + text.error().sentence,
                       text.error().details);
  const JsonValue json = parseJson(*text);
  if (const auto version = numberIn(json, "version"); version && *version > kScoreVersion)
    return unavailable("The score in " + quoted(file) +
                       " was kept by a newer version of Stridescope. It is left as it is, and this time's "
                       "answers are not kept.");
  if (auto score = scoreFrom(json)) return *std::move(score);
  return unavailable(
      "The score in " + quoted(file) +
      " is damaged. It is left as it is, and this time's answers are not kept; Delete the score, "
      "in the Run menu, begins a new one.");
}

Result<Score> addToScore(const std::filesystem::path& file, const std::vector<Outcome>& outcomes) {
  auto score = readScore(file);
  if (!score) return score;
  for (const Outcome& outcome : outcomes) score->add(outcome);
  if (auto written = write(file, *score); !written) return tl::unexpected(written.error());
  return score;
}

Result<std::monostate> deleteScore(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::remove(file, failed);
  if (failed) return unavailable("The score in " + quoted(file) + " was not deleted.", failed.message());
  return std::monostate{};
}

std::string scoreFile() {
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
    return std::string(xdg) + "/stridescope/score.json";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.local/share/stridescope/score.json";
  return {};
}

}  // namespace stridescope::teaching
