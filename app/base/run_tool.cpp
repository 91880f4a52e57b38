#include "base/run_tool.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

extern char** environ;

namespace stridescope {
namespace {

using Clock = std::chrono::steady_clock;

// A child that is waited for, and ended if it is not through.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  // As waitpid has it.
  int wait() {
    int status = -1;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return status;
  }

 private:
  pid_t id_;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

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
  Descriptor reading(ends[0]), writing(ends[1]);
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0)
    return unavailable(program + " could not be started: out of memory.");
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, writing.number(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  std::vector<std::string> texts = command;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t id = 0;
  const int code = ::posix_spawn(&id, texts.front().c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return unavailable(program + " could not be started.", command.front());
  Child child(id);
  writing.close();
  auto text = readAll(reading.number(), program, mostBytes, Clock::now() + time);
  if (!text) return text;
  if (const int status = child.wait(); status != 0)
    return unavailable(program + " failed.", "its status is " + std::to_string(status));
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
