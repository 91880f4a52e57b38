#include "engine/worker/serve_calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "engine/library_call.h"

namespace stridescope::engine::worker {
namespace {

constexpr int kNotAWorker = 2;  // exit codes
constexpr int kNotReady = 3;
constexpr std::chrono::milliseconds kForEver{-1};

bool isSocket(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

// A library's call that hangs would outlive the program: nobody else could stop it.
void endWithProgram(int socket) {
  (void)withoutExceptions("watching the program", [socket] {
    std::thread([socket] {
      pollfd watched{.fd = socket, .events = POLLRDHUP, .revents = 0};
      while (::poll(&watched, 1, -1) < 0 && errno == EINTR) {
      }
      std::_Exit(EXIT_SUCCESS);
    }).detach();
  });
}

}  // namespace

bool beginWorker(int socket) {
  if (!isSocket(socket)) {
    std::cerr << "The program starts this command by itself, to work on the GPU.\n";
    return false;
  }
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);                 // a tool that the worker starts is no worker
  ::prctl(PR_SET_NAME, program_invocation_short_name);  // not "exe", after the path it was started by
  std::signal(SIGINT, SIG_IGN);                         // Ctrl-C is the program's, which closes the socket
  showLibraryCalls(kWorkerCalls);
  return true;
}

int serveCalls(const std::function<bool(const Replies&)>& ready,
               const std::function<void(const Message&, const Replies&)>& answer, int socket) {
  if (!beginWorker(socket)) return kNotAWorker;
  endWithProgram(socket);
  if (!ready(Replies(socket, 0))) return kNotReady;
  MessageReader reader(socket);
  for (;;) {
    const auto arrived = reader.next(kForEver);
    const auto* message = std::get_if<Message>(&arrived);
    if (message == nullptr) return EXIT_SUCCESS;
    const Replies replies(socket, message->call);
    const auto answered = withoutExceptions("answering", [&] { answer(*message, replies); });
    if (!answered) replies.fail(answered.error());
  }
}

}  // namespace stridescope::engine::worker
