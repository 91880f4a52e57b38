#include "engine/worker/worker_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/plain_text.h"
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

namespace {

bool isOpen(std::uint64_t turn) { return turn % 2 == 1; }

// As NVIDIA's manual has it: "cuMemAlloc" for cuMemAlloc_v2.
std::string nameIn(const CallSlot& slot) {
  const auto end = std::find(slot.name.begin(), slot.name.end() - 1, '\0');
  std::string name = printable(std::string(slot.name.begin(), end));
  if (const std::size_t version = name.rfind("_v");
      version != std::string::npos && version + 2 < name.size() &&
      std::all_of(name.begin() + std::ptrdiff_t(version) + 2, name.end(),
                  [](unsigned char c) { return std::isdigit(c) != 0; }))
    name.resize(version);
  return name;
}

}  // namespace

std::unique_ptr<CallWatch> CallWatch::make() {
  Descriptor descriptor(::memfd_create("worker-calls", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor.number() < 0 || ::ftruncate(descriptor.number(), sizeof(CallBoard)) != 0) return nullptr;
  ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
  void* const page =
      ::mmap(nullptr, sizeof(CallBoard), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number(), 0);
  if (page == MAP_FAILED) return nullptr;
  return std::unique_ptr<CallWatch>(new CallWatch(std::move(descriptor), static_cast<CallBoard*>(page)));
}

CallWatch::~CallWatch() { ::munmap(board_, sizeof(CallBoard)); }

// The worker writes it: it is not believed.
std::size_t CallWatch::used() const { return std::min<std::size_t>(board_->used.load(), CallBoard::kSlots); }

std::optional<OpenCall> CallWatch::overdue(std::chrono::milliseconds limit) {
  constexpr std::uint32_t kMaxPatience = 1000;  // no overflow, whatever the worker writes
  const auto now = std::chrono::steady_clock::now();
  seen_.resize(std::max(seen_.size(), used()));
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const CallSlot& slot = board_->slots[i];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn != seen_[i].turn) seen_[i] = {turn, now};
    if (!isOpen(turn)) continue;
    const auto allowed = limit * std::min(slot.patience.load(), kMaxPatience);
    if (now - seen_[i].since <= allowed) continue;
    return OpenCall{nameIn(slot), allowed};
  }
  return std::nullopt;
}

std::string CallWatch::current() const {
  for (std::size_t i = 0; i < used(); ++i)
    if (isOpen(board_->slots[i].turn.load(std::memory_order_acquire))) return nameIn(board_->slots[i]);
  return {};
}

}  // namespace stridescope::engine::worker
