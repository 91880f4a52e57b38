#include "session/drafts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/formats.h"
#include "base/pending_file.h"
#include "base/regular_file.h"

namespace stridescope::session {
namespace {

constexpr std::uint64_t kMaxBytes = 16 << 20;
constexpr std::string_view kEnd = ".draft.json";

std::optional<Draft> read(const std::filesystem::path& file) {
  const auto content = readRegularFile(file, "a draft", kMaxBytes);
  if (!content) return std::nullopt;
  const JsonValue json = parseJson(*content);
  const JsonValue* const path = json.member("path");
  const JsonValue* const text = json.member("text");
  if (path == nullptr || text == nullptr) return std::nullopt;
  const auto* const named = path->as<std::string>();
  const auto* const typed = text->as<std::string>();
  if (named == nullptr || typed == nullptr) return std::nullopt;
  return Draft{*named, *typed};
}

}  // namespace

// FNV-1a of the path: a name for a file that has any.
std::string Drafts::fileOf(const std::string& path) const {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char each : path) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
  return folder_ + "/" + std::to_string(hash) + std::string(kEnd);
}

Result<std::monostate> Drafts::keep(const Draft& draft) const {
  if (folder_.empty()) return std::monostate{};
  std::error_code ignored;  // is told by what needs the folder
  std::filesystem::create_directories(folder_, ignored);
  const JsonObject members{{"path", {draft.path}}, {"text", {draft.text}}};
  return writeWhole(fileOf(draft.path), printJson({members}) + "\n", true);
}

void Drafts::remove(const std::string& path) const {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove(fileOf(path), ignored);
}

void Drafts::setAside(const std::string& path) const {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::rename(fileOf(path), fileOf(path) + ".kept", ignored);
}

std::optional<Draft> Drafts::find(const std::string& path) const {
  return folder_.empty() ? std::nullopt : read(fileOf(path));
}

std::vector<Draft> Drafts::all() const {
  std::vector<std::pair<std::filesystem::file_time_type, Draft>> found;
  std::error_code ignored;
  if (folder_.empty()) return {};
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    if (!entry.path().native().ends_with(kEnd)) continue;
    if (auto draft = read(entry.path()))
      found.emplace_back(entry.last_write_time(ignored), *std::move(draft));
  }
  std::ranges::stable_sort(found, std::greater(), &decltype(found)::value_type::first);
  std::vector<Draft> drafts;
  for (auto& each : found) drafts.push_back(std::move(each.second));
  return drafts;
}

}  // namespace stridescope::session
