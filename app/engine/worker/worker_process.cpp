#include "engine/worker/worker_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/result.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// Beyond it the worker's writing fails: no memory is filled by a library that complains without end.
constexpr std::uint64_t kMaxErrorBytes = 1 << 20;
constexpr std::uint64_t kShownErrorBytes = 4096;
tl::unexpected<Error> notStarted(const WorkerCommand& command, int systemError) {
  return unavailable(command.subject + " could not be started from " + command.program +
                         ". Close other programs. " + command.advice,
                     std::strerror(systemError));
}

// The two sides of a stream.
struct OpenedLine {
  StreamEnds ours, theirs;
  int theirIn, theirOut;  // the numbers that they have in the child

  std::vector<Launch::Given> given() const {
    std::vector<Launch::Given> all{{theirIn, theirs.in.number()}};
    if (theirOut != theirIn) all.push_back({theirOut, theirs.out.number()});
    return all;
  }
};

// Nothing, and errno, where there is none to be had; as in the next.
std::optional<OpenedLine> openSocket() {
  std::array<int, 2> pair{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) return std::nullopt;
  return OpenedLine{{Descriptor(pair[0])}, {Descriptor(pair[1])}, kWorkerSocket, kWorkerSocket};
}

std::optional<OpenedLine> openPipes() {
  std::array<int, 2> to{-1, -1}, from{-1, -1};
  if (::pipe2(to.data(), O_CLOEXEC) != 0) return std::nullopt;
  Descriptor theirIn(to[0]), ourOut(to[1]);
  if (::pipe2(from.data(), O_CLOEXEC) != 0) return std::nullopt;
  return OpenedLine{{Descriptor(from[0]), std::move(ourOut)},
                    {std::move(theirIn), Descriptor(from[1])},
                    STDIN_FILENO,
                    STDOUT_FILENO};
}

}  // namespace

std::optional<unsigned> indexAfter(std::string_view command, int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != command) return std::nullopt;
  const std::string_view text = argv[2];
  unsigned index = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

std::string inSeconds(milliseconds time) {
  const auto tenths = std::chrono::round<std::chrono::duration<std::int64_t, std::deci>>(time).count();
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10)) + " s";
}

Error hangOf(const WorkerCommand& command, const OpenCall& call) {
  Error error{.kind = ErrorKind::Unavailable,
              .sentence = command.subject + " was stopped: " + call.name + " did not return within " +
                          inSeconds(call.limit) + ". " +
                          (command.adviceOnHang.empty() ? command.advice : command.adviceOnHang)};
  if (command.onHang) command.onHang(error);
  return error;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerCommand& command) {
  if (command.mayStart) STRIDESCOPE_TRY(command.mayStart());
  auto line = command.overStandardStreams ? openPipes() : openSocket();
  OutputFile errors(kMaxErrorBytes);
  if (!line || errors.descriptor() < 0) return notStarted(command, errno);
  const bool isWatched = command.callLimit.count() > 0 && !command.overStandardStreams;
  std::unique_ptr<CallWatch> watch = isWatched ? CallWatch::make() : nullptr;
  Launch launch{.program = command.program,
                .arguments = command.arguments,
                .name = command.name,
                .environment = command.environment,
                .given = line->given(),
                .ownGroup = true};
  launch.given.push_back({STDERR_FILENO, errors.descriptor()});
  if (watch) launch.given.push_back({kWorkerCalls, watch->descriptor().number()});
  auto process = ChildProcess::start(launch);
  if (!process) return notStarted(command, process.error());
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(
      *std::move(process), std::move(line->ours), std::move(errors), std::move(watch), command.callLimit));
}

void WorkerProcess::letEnd(milliseconds wait) {
  ends_.close();
  process_.hasEnded(wait);
}

std::string WorkerProcess::ending(milliseconds wait) {
  std::string ending = process_.ending(wait);
  const std::string call = process_.wasKilled() ? std::string() : currentCall();
  return call.empty() ? ending : ending + " in " + call;
}

std::string WorkerProcess::standardError() const { return errors_.text(kShownErrorBytes); }

}  // namespace stridescope::engine::worker
