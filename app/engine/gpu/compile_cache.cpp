#include "engine/gpu/compile_cache.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/pending_file.h"
#include "base/regular_file.h"
#include "model/trace.h"

namespace stridescope::engine::gpu {
namespace {

namespace fs = std::filesystem;

// The first line of an entry; the key, the payload's hash and the payload follow. The payload: the lowered
// name, a zero, the image.
constexpr std::string_view kMagic = "stridescope kernel 1\n";
constexpr std::string_view kEnding = ".kernel";

std::string payloadOf(const CompiledKernel& kernel) {
  return kernel.loweredName + std::string(1, '\0') + kernel.image;
}

std::string headerOf(const std::string& key, const std::string& payload) {
  return std::string(kMagic) + key + "\n" + model::hashOf(payload) + "\n";
}

// Length before content: no two lists of fields run together to the same text.
void addField(std::string& all, std::string_view field) {
  all += std::to_string(field.size()) + ":";
  all += field;
}

bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool isUsable(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  return !failed && fs::is_directory(folder, failed) && ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

std::vector<Entry> entriesOf(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code failed;
  for (fs::directory_iterator item(folder, failed), end; !failed && item != end; item.increment(failed)) {
    std::error_code gone;  // another program may remove it meanwhile
    Entry entry{item->path(), item->file_size(gone), {}};
    if (!gone) entry.used = item->last_write_time(gone);
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
}

bool isEntry(const fs::path& path) { return path.extension() == kEnding; }

}  // namespace

CompileCache::CompileCache(std::string folder, std::uint64_t limit) : limit_(limit) {
  if (!folder.empty() && isUsable(folder)) folder_ = std::move(folder);
}

std::string CompileCache::defaultFolder(const std::string& given) {
  if (!given.empty()) return given;
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (std::string named = variable("STRIDESCOPE_KERNEL_CACHE"); !named.empty()) return named;
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {  // the XDG specification: a relative one is to be ignored
    const fs::path home = variable("HOME");
    if (!home.is_absolute()) return {};
    base = home / ".cache";
  }
  return (base / "stridescope" / "kernels").string();
}

std::string CompileCache::keyOf(const Program& program, const std::string& compilerVersion) {
  std::string all;
  addField(all, compilerVersion);
  addField(all, program.name);
  addField(all, program.text);
  addField(all, program.kernel);
  for (const std::string& option : program.options) addField(all, option);
  for (const NamedText& header : program.headers) {
    addField(all, header.name);
    addField(all, header.text);
  }
  return model::hashOf(all);
}

std::optional<CompiledKernel> CompileCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path path = fs::path(folder_) / (key + std::string(kEnding));
  const auto file = readRegularFile(path, "a compiled kernel", limit_);
  if (!file) return std::nullopt;
  const std::string& content = *file;
  const std::size_t headerBytes = headerOf(key, {}).size();
  if (content.size() < headerBytes) return std::nullopt;
  const std::string payload = content.substr(headerBytes);
  const std::size_t nameEnd = payload.find('\0');
  if (content.substr(0, headerBytes) != headerOf(key, payload) || nameEnd == std::string::npos)
    return std::nullopt;

  std::error_code ignored;  // only the order of removal suffers
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return CompiledKernel{payload.substr(nameEnd + 1), payload.substr(0, nameEnd)};
}

void CompileCache::store(const std::string& key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return;
  const std::string payload = payloadOf(kernel);
  const TemporaryEntry temporary = makeTemporaryFile(folder_);
  if (temporary.systemError != 0) return;
  const int file = temporary.lock.number();
  std::error_code failed;
  if (writeAll(file, headerOf(key, payload)) && writeAll(file, payload))
    // Whoever opens the entry sees all of it or none.
    fs::rename(temporary.path, fs::path(folder_) / (key + std::string(kEnding)), failed);
  else
    failed = std::make_error_code(std::errc::io_error);
  if (failed) fs::remove(temporary.path, failed);
  makeRoom();
}

std::uint64_t CompileCache::bytes() const {
  std::uint64_t total = 0;
  if (folder_.empty()) return total;
  for (const Entry& entry : entriesOf(folder_))
    if (isEntry(entry.path)) total += entry.bytes;
  return total;
}

void CompileCache::makeRoom() const {
  std::vector<Entry> entries = entriesOf(folder_);
  std::error_code ignored;
  std::erase_if(entries, [](const Entry& entry) { return !isEntry(entry.path); });
  std::ranges::sort(entries, {}, &Entry::used);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  for (const Entry& entry : entries) {
    if (total <= limit_) return;
    fs::remove(entry.path, ignored);
    total -= entry.bytes;
  }
}

}  // namespace stridescope::engine::gpu
