#include "scene.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <sstream>
#include <thread>

namespace stridescope::engine::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kKept = "what was there before";
constexpr std::uint64_t kWord = 0x57a71d5c0be5ull;
volatile std::uint64_t word = kWord;
std::atomic<int> signals{0};  // that came to this process
constexpr std::array kSignals{SIGUSR1, SIGUSR2, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGCONT};

std::string abstractName() { return "stridescope-scene-" + std::to_string(::getpid()); }

// Long enough to be found again, and that no other process has it by chance.
std::string randomName() {
  std::random_device device;
  std::ostringstream text;
  for (int i = 0; i < 4; ++i) text << std::hex << device();
  return text.str();
}

Descriptor listening(const sockaddr* address, socklen_t bytes, int type) {
  Descriptor socket(::socket(address->sa_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  EXPECT_EQ(::bind(socket.number(), address, bytes), 0) << strerror(errno);
  if (type == SOCK_STREAM) {
    EXPECT_EQ(::listen(socket.number(), 8), 0);
  }
  return socket;
}

Descriptor listeningUnix(const std::string& name, bool abstract) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + (abstract ? 1 : 0), sizeof address.sun_path - 2);
  const auto bytes = offsetof(sockaddr_un, sun_path) + name.size() + 1;
  return listening(reinterpret_cast<const sockaddr*>(&address), socklen_t(bytes), SOCK_STREAM);
}

Descriptor listeningLocally(int type, int& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Descriptor socket = listening(reinterpret_cast<const sockaddr*>(&address), sizeof address, type);
  socklen_t bytes = sizeof address;
  ::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &bytes);
  port = ntohs(address.sin_port);
  return socket;
}

void replaceAll(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

}  // namespace

Scene::Scene() : secret_("secret" + randomName()), environment_("STRIDESCOPE_SCENE", secret_) {
  const auto& place = folder_->path();
  std::ofstream(place / "keep") << kKept;
  std::ofstream(place / "secret") << secret_ << "\n";
  std::filesystem::create_directory(place / "folder");
  sockets_.emplace_back("a connection to a path", listeningUnix(place / "socket", false));
  sockets_.emplace_back("a connection to an abstract socket", listeningUnix(abstractName(), true));
  sockets_.emplace_back("a TCP connection", listeningLocally(SOCK_STREAM, tcpPort_));
  sockets_.emplace_back("a UDP datagram", listeningLocally(SOCK_DGRAM, udpPort_));
  const int secret = ::open((place / "secret").c_str(), O_RDONLY | O_CLOEXEC);
  ::dup2(secret, 60);  // a number that nothing else has
  ::close(secret);
  word = kWord;
  signals = 0;
  for (int signal : kSignals) ::signal(signal, [](int) { ++signals; });
  ::getrlimit(RLIMIT_NOFILE, &files_);
  before_ = entries();
}

Scene::~Scene() {
  ::close(60);
  for (int signal : kSignals) ::signal(signal, SIG_DFL);
}

std::string Scene::placed(std::string text) const {
  const auto& place = folder_->path();
  replaceAll(text, "$NEW", place / "new");
  replaceAll(text, "$KEEP", place / "keep");
  replaceAll(text, "$SECRET", place / "secret");
  replaceAll(text, "$FOLDER", place / "folder");
  replaceAll(text, "$SOCKET", place / "socket");
  replaceAll(text, "$ABSTRACT", abstractName());
  replaceAll(text, "$TCP", std::to_string(tcpPort_));
  replaceAll(text, "$UDP", std::to_string(udpPort_));
  replaceAll(text, "$PARENT", std::to_string(::getpid()));
  replaceAll(text, "$WORD", std::to_string(reinterpret_cast<std::uintptr_t>(&word)));
  replaceAll(text, "$OPEN", "60");
  return text;
}

Scene::Entries Scene::entries() const {
  Entries all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_->path())) {
    struct stat status {};
    ::lstat(entry.path().c_str(), &status);
    Entry& kept = all[entry.path()];
    kept.mode = status.st_mode;
    if (S_ISLNK(status.st_mode)) kept.target = std::filesystem::read_symlink(entry.path());
    if (S_ISREG(status.st_mode)) {
      std::ostringstream content;
      content << std::ifstream(entry.path()).rdbuf();
      kept.content = content.str();
    }
  }
  return all;
}

std::vector<std::string> Scene::harm() {
  std::this_thread::sleep_for(20ms);
  std::vector<std::string> all;
  if (entries() != before_) all.emplace_back("files changed");
  if (heard_.find(secret_) != std::string::npos) all.emplace_back("the secret was told");
  for (const auto& [what, socket] : sockets_) {
    pollfd waited{.fd = socket.number(), .events = POLLIN, .revents = 0};
    if (::poll(&waited, 1, 0) > 0) all.push_back(what + " came");
  }
  if (signals > 0) all.emplace_back("this process was signalled");
  if (word != kWord) all.emplace_back("this process's memory was written");
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur != files_.rlim_cur || files.rlim_max != files_.rlim_max)
    all.emplace_back("this process's limits changed");
  // The worker and the compiler, and what they forked, have the folder in their commands.
  if (processesWith(temporary_->path()) > 0) all.emplace_back("a process was left");
  if (entriesOf(temporary_->path()) > 0) all.emplace_back("a temporary file was left");
  return all;
}

}  // namespace stridescope::engine::sandbox
