#include "base/run_tool.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/child_process.h"

namespace stridescope {
namespace {

using Clock = std::chrono::steady_clock;

Result<std::string> readAll(int from, const std::string& program, std::size_t mostBytes,
                            Clock::time_point end) {
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
    const int polled = left <= 0 ? 0 : ::poll(&ready, 1, int(std::min<long long>(left, 1 << 20)));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return limitMet(program + " took too long and was ended.");
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unavailable("What " + program + " printed could not be read.");
    if (got == 0) return text;
    text.append(piece.data(), std::size_t(got));
    if (text.size() > mostBytes) return limitMet(program + " printed too much and was ended.");
  }
}

}  // namespace

Result<std::string> runTool(const std::vector<std::string>& command, std::size_t mostBytes,
                            std::chrono::milliseconds time) {
  const std::string program = std::filesystem::path(command.front()).filename().string();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return unavailable(program + " could not be started: no pipe.");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  auto child = ChildProcess::start({.program = command.front(),
                                    .arguments = {command.begin() + 1, command.end()},
                                    .given = {{STDOUT_FILENO, writing.number()}}});
  if (!child) return unavailable(program + " could not be started.", command.front());
  writing.close();
  const auto end = Clock::now() + time;
  auto text = readAll(reading.number(), program, mostBytes, end);
  if (!text) return text;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  if (!child->hasEnded(left)) return limitMet(program + " took too long and was ended.");
  if (child->status() != 0)
    return unavailable(program + " failed.", "It " + sentenceOfStatus(child->status()) + ".");
  return text;
}

std::string findTool(const std::string& name, const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  if (const char* const path = std::getenv("PATH")) {
    std::istringstream entries(path);
    for (std::string folder; std::getline(entries, folder, ':');) all.push_back(folder);
  }
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string& folder : all) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace stridescope
