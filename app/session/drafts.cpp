#include "session/drafts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/formats.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "base/regular_file.h"
#include "session/command.h"

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

// The number at the beginning of `text`, which loses it; nullopt: there is none.
std::optional<int> takeNumber(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(std::size_t(end - text.data()));
  return number;
}

bool takeText(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// "k.cu:4:14: error: 'x' was not declared"
std::optional<TextFault> faultIn(std::string_view line, const std::string& fileName) {
  if (!takeText(line, fileName + ":")) return std::nullopt;
  const auto row = takeNumber(line);
  if (!row || !takeText(line, ":")) return std::nullopt;
  const auto column = takeNumber(line);
  if (!column || !takeText(line, ": ")) return std::nullopt;
  takeText(line, "fatal ");
  if (!takeText(line, "error: ")) return std::nullopt;
  return TextFault{*row, *column, printable(line)};
}

// "... (line 4, column 14)." or "... (line 4)."
std::optional<TextFault> faultNamedIn(const std::string& sentence) {
  constexpr std::string_view kBegin = "(line ";
  const auto begin = sentence.find(kBegin);
  if (begin == sentence.npos) return std::nullopt;
  std::string_view rest = std::string_view(sentence).substr(begin + kBegin.size());
  const auto row = takeNumber(rest);
  if (!row) return std::nullopt;
  const auto column = takeText(rest, ", column ") ? takeNumber(rest) : std::nullopt;
  return TextFault{*row, column.value_or(0), printable(inWindow(sentence))};
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

std::vector<TextFault> faultsOf(const Error& error, const std::string& fileName) {
  std::vector<TextFault> faults;
  if (error.kind != ErrorKind::Usage) return faults;
  std::string_view rest = error.cause == ErrorCause::KernelText ? error.details : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (auto fault = faultIn(line, fileName)) faults.push_back(*std::move(fault));
  }
  if (!faults.empty()) return faults;
  if (auto fault = faultNamedIn(error.sentence)) faults.push_back(*std::move(fault));
  return faults;
}

}  // namespace stridescope::session
