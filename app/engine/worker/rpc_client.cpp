#include "engine/worker/rpc_client.h"

#include <algorithm>
#include <utility>

#include "base/plain_text.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kLookAtCancel = 5ms;   // how often, while nothing arrives
constexpr auto kReadingTime = 250ms;  // for the largest answer
constexpr auto kDyingTime = 500ms;    // between a process's last word and its status
constexpr std::size_t kMaxDoingBytes = 1024, kMaxVersionBytes = 64;

bool isSensible(const ProgressReport& report) {
  return report.fraction >= 0 && report.fraction <= 1 && report.doing.size() <= kMaxDoingBytes;
}

std::string inWholeSeconds(milliseconds time) {
  return inSeconds(std::chrono::duration_cast<std::chrono::seconds>(time));
}

}  // namespace

// Tells of the progress, and where the server is to be heard of all the time, how long it has been at work.
class RpcClient::Reporting {
 public:
  Reporting(const JobControl& job, milliseconds between, milliseconds atMost, std::string doing)
      : job_(job), between_(between), atMost_(atMost), last_{.fraction = 0, .doing = std::move(doing)} {}

  void take(ProgressReport report) {
    last_ = std::move(report);
    tell(last_.doing);
  }
  void look() {
    if (between_.count() == 0 || Clock::now() - told_ < between_) return;
    std::string doing =
        last_.doing + ", " + inWholeSeconds(std::chrono::duration_cast<milliseconds>(Clock::now() - began_));
    if (atMost_.count() > 0) doing += " of at most " + inWholeSeconds(atMost_);
    tell(doing);
  }

 private:
  void tell(const std::string& doing) {
    told_ = Clock::now();
    if (job_.progress) job_.progress(last_.fraction, doing);
  }

  const JobControl& job_;
  milliseconds between_, atMost_;
  Clock::time_point began_ = Clock::now(), told_ = began_;
  ProgressReport last_;
};

struct RpcClient::Line {
  explicit Line(std::unique_ptr<WorkerProcess> started)
      : process(std::move(started)), stream(process->stream()), reader(stream) {}
  explicit Line(StreamEnds connected) : ends(std::move(connected)), stream(ends.stream()), reader(stream) {}

  // A library's call that lasts too long.
  std::optional<OpenCall> overdueCall() { return process ? process->overdueCall() : std::nullopt; }
  std::string currentCall() const { return process ? process->currentCall() : std::string(); }

  std::unique_ptr<WorkerProcess> process;  // null: whoever is at the other end was not started here
  StreamEnds ends;                         // the process has its own
  ByteStream stream;
  MessageReader reader;
  bool isGreeted = false;
};

// What is waited for.
struct RpcClient::Waiting {
  Subject wanted;
  CallLimits limits;
  Reporting& reporting;
};

RpcClient::RpcClient(WorkerCommand command, const Service& service, const ClientLimits& limits)
    : command_(std::move(command)), expected_(greetingOf(service)), limits_(limits) {}

RpcClient::~RpcClient() = default;

Result<void> RpcClient::start() {
  stop();
  auto process = WorkerProcess::start(command_);
  if (!process) return tl::unexpected(process.error());
  line_ = std::make_unique<Line>(std::move(*process));
  return {};
}

void RpcClient::connect(StreamEnds ends) {
  stop();
  line_ = std::make_unique<Line>(std::move(ends));
}

const ByteStream& RpcClient::stream() const { return line_->stream; }

void RpcClient::stop() {
  line_.reset();
  cancelled_.reset();
}

void RpcClient::letEnd(milliseconds wait) {
  if (line_ && line_->process) line_->process->letEnd(wait);
  stop();
}

bool RpcClient::isFree() const { return line_ && !cancelled_ && line_->currentCall().empty(); }

Result<Message> RpcClient::awaitReady(milliseconds limit, JobControl& job) {
  if (job.cancel) {
    stop();
    return cancelled();
  }
  if (!line_) return unavailable(command_.subject + " has ended. " + command_.advice);
  Reporting reporting(job, limits_.report, limit, "starting");
  return answerTo({.wanted = {.kind = MessageKind::Ready},
                   .limits = {.silence = limit, .onSilence = ErrorKind::Unavailable},
                   .reporting = reporting},
                  job);
}

Result<Message> RpcClient::await(const std::function<bool(const Subject&)>& send, std::uint16_t type,
                                 std::uint64_t mostReplyBytes, const CallLimits& limits, JobControl& job) {
  if (job.cancel) return cancelled();
  STRIDESCOPE_TRY(settle(job));
  if (!line_) return unavailable(command_.subject + " has ended. " + command_.advice);
  line_->reader.limitBodies(mostReplyBytes);
  if (!send({.kind = MessageKind::Call, .type = type, .call = ++calls_})) return ended();
  Reporting reporting(job, limits_.report, limits.whole, "working");
  return answerTo({.wanted = {.kind = MessageKind::Reply, .type = type, .call = calls_},
                   .limits = limits,
                   .reporting = reporting},
                  job);
}

// The message that is wanted; any other end of the call is the error.
Result<Message> RpcClient::answerTo(const Waiting& waiting, JobControl& job) try {
  const CallLimits& limits = waiting.limits;
  const auto begin = Clock::now();
  auto lastWord = begin;
  std::uint64_t bytesBefore = line_->reader.bytesArrived();
  for (;;) {
    auto arrived = line_->reader.next(kLookAtCancel);
    if (job.cancel) {
      if (waiting.wanted.call == 0 || limits_.cancelling.count() == 0) {
        stop();  // what it was doing is of no use to anybody
        return cancelled();
      }
      sendBytes(line_->stream, {.kind = MessageKind::Cancel, .call = waiting.wanted.call}, {}, kSendTime);
      cancelled_ = {waiting.wanted.call, Clock::now()};
      takeIn(arrived);
      return cancelled();
    }
    if (const auto* end = std::get_if<ReadEnd>(&arrived))
      return *end == ReadEnd::Closed ? ended() : nonsense("What it sent is no message.");
    if (line_->reader.bytesArrived() != bytesBefore) lastWord = Clock::now();
    bytesBefore = line_->reader.bytesArrived();
    if (const auto call = line_->overdueCall()) return hangs(*call);
    // Opening has one limit for all of it: it ends only with the word that the server is ready.
    const auto since = waiting.wanted.call == 0 ? begin : lastWord;
    if (limits.silence.count() > 0 && Clock::now() - since > limits.silence)
      return silent(limits.silence, limits.onSilence);
    if (limits.whole.count() > 0 && Clock::now() - begin > limits.whole) return tooLong(limits.whole);
    waiting.reporting.look();
    if (auto* const message = std::get_if<Message>(&arrived))
      if (auto judged = judge(std::move(*message), waiting)) return std::move(*judged);
  }
} catch (...) {
  stop();  // what it still answers would be taken for the next answer
  throw;
}

// Nothing: it does not end the call.
std::optional<Result<Message>> RpcClient::judge(Message message, const Waiting& waiting) {
  const Subject& subject = message.subject;
  if (!std::exchange(line_->isGreeted, true)) {
    const auto greeting = subject.kind == MessageKind::Greeting ? message.body<Greeting>() : std::nullopt;
    if (!greeting) return nonsense("It does not begin with a greeting.");
    if (greeting->version == expected_.version && greeting->service == expected_.service &&
        greeting->form == expected_.form)
      return std::nullopt;
    return otherBuild(*greeting);
  }
  if (subject.call != waiting.wanted.call) return nonsense("It answered what was not asked.");
  if (subject.kind == waiting.wanted.kind && subject.type == waiting.wanted.type) return message;
  if (subject.kind == MessageKind::Progress) {
    const auto report = message.body<ProgressReport>();
    if (!report || !isSensible(*report)) return nonsense("A report of progress cannot be read.");
    waiting.reporting.take({.fraction = report->fraction, .doing = printable(report->doing)});
    return std::nullopt;
  }
  auto failure = subject.kind == MessageKind::Failed ? message.body<Failure>() : std::nullopt;
  if (!failure) return nonsense("Its answer is of another kind.");
  if (!failure->usable || subject.call == 0) stop();
  return tl::unexpected(std::move(failure->error));
}

tl::unexpected<Error> RpcClient::otherBuild(const Greeting& greeting) {
  stop();
  std::string version = printable(greeting.version);
  if (version.size() > kMaxVersionBytes) version.resize(kMaxVersionBytes);
  if (version == expected_.version) version += " of another build";
  return unavailable(command_.subject + " is of Stridescope " + version +
                     " and cannot speak with this one, " + expected_.version +
                     ". Install the same version for both.");
}

// What arrives of a cancelled call.
void RpcClient::takeIn(const Arrived& arrived) {
  if (std::holds_alternative<ReadEnd>(arrived)) return stop();
  const auto* message = std::get_if<Message>(&arrived);
  if (message == nullptr || message->subject.kind == MessageKind::Progress) return;
  if (message->subject.kind == MessageKind::Greeting && !std::exchange(line_->isGreeted, true)) return;
  const auto failure = message->subject.kind == MessageKind::Failed ? message->body<Failure>() : std::nullopt;
  if (message->subject.call != cancelled_->call || (failure && !failure->usable)) return stop();
  cancelled_.reset();
}

Result<void> RpcClient::settle(JobControl& job) {
  if (!cancelled_) return {};
  // It may have ended long ago, and its answer waits here.
  const auto latest = std::max(Clock::now() + kReadingTime, cancelled_->since + limits_.cancelling);
  while (cancelled_) {
    if (job.cancel) return cancelled();
    takeIn(line_->reader.next(kLookAtCancel));
    if (cancelled_ && Clock::now() > latest) stop();
  }
  return {};
}

bool RpcClient::isIdle() {
  return line_ && !cancelled_ && std::holds_alternative<std::monostate>(line_->reader.next(0ms));
}

tl::unexpected<Error> RpcClient::ended() {
  std::string ending = "has closed the connection";
  if (line_->process) ending = line_->process->ending(kDyingTime);
  std::string details = complaints();
  stop();
  return unavailable(command_.subject + " " + ending + ". " + command_.advice, std::move(details));
}

tl::unexpected<Error> RpcClient::hangs(const OpenCall& call) {
  Error error = hangOf(command_, call);
  error.details = complaints();
  stop();
  return tl::unexpected(std::move(error));
}

tl::unexpected<Error> RpcClient::silent(milliseconds limit, ErrorKind kind) {
  if (const std::string call = line_->currentCall(); !call.empty()) return hangs({call, limit});
  std::string details = complaints();
  stop();
  return tl::unexpected(Error{kind,
                              command_.subject + " did not answer for " + inSeconds(limit) +
                                  " and was stopped: " + command_.causeOfSilence + ". " + command_.advice,
                              std::move(details)});
}

tl::unexpected<Error> RpcClient::tooLong(milliseconds limit) {
  std::string details = complaints();
  stop();
  return limitMet(command_.subject + " was not done after " + inSeconds(limit) +
                      " and was stopped: " + command_.causeOfSilence + ". " + command_.advice,
                  std::move(details));
}

tl::unexpected<Error> RpcClient::nonsense(const std::string& why) {
  const std::string said = complaints();
  stop();
  return unavailable(command_.subject + " gave an answer that makes no sense, and was stopped. " +
                         command_.advice + " If it happens again, install the program anew.",
                     said.empty() ? why : why + "\n" + said);
}

// What it wrote to its standard error.
std::string RpcClient::complaints() const {
  return line_ && line_->process ? line_->process->standardError() : std::string();
}

}  // namespace stridescope::engine::worker
