#include "engine/worker/worker_engine.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "archive/printable_labels.h"
#include "base/plain_text.h"
#include "engine/worker/worker_message.h"
#include "model/trace_check.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kLookAtCancel = 5ms;   // how often, while nothing arrives
constexpr auto kReadingTime = 250ms;  // for the largest answer
constexpr auto kDyingTime = 500ms;    // between a process's last word and its status
constexpr std::size_t kMaxDoingBytes = 1024;

struct Worker {
  Worker(std::unique_ptr<WorkerProcess> started, std::uint64_t mostBodyBytes)
      : process(std::move(started)), reader(process->socket(), mostBodyBytes) {}
  std::unique_ptr<WorkerProcess> process;
  MessageReader reader;
};

bool isSensible(const ProgressReport& report) {
  return report.fraction >= 0 && report.fraction <= 1 && report.doing.size() <= kMaxDoingBytes;
}

std::string inWholeSeconds(milliseconds time) {
  return inSeconds(std::chrono::duration_cast<std::chrono::seconds>(time));
}

// Tells of the progress, and where the worker is to be heard of all the time, how long it has been at work.
class Reporting {
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

class WorkerEngine final : public Engine {
 public:
  WorkerEngine(WorkerCommand command, const WorkerLimits& limits)
      : command_(std::move(command)), limits_(limits) {}
  ~WorkerEngine() override {
    const bool isFree = worker_ && !cancelled_ && worker_->process->currentCall().empty();
    if (isFree) worker_->process->letEnd(limits_.leaving);
  }

  // Sets executor(). Call it before anything else.
  Result<void> open(JobControl& job) {
    auto executor = start(job);
    if (!executor) return tl::unexpected(executor.error());
    executor_ = std::move(*executor);
    return {};
  }

  model::Executor executor() const override { return executor_; }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    const std::vector<model::Experiment> all(experiments.begin(), experiments.end());
    auto answer = ask(MessageKind::Prepare, all, MessageKind::Prepared, {.silence = limits_.silence}, job);
    if (!answer) return tl::unexpected(answer.error());
    return {};
  }

  Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) override {
    auto trial =
        askOf<model::OperatorTrial>(MessageKind::Try, experiment, MessageKind::Tried, limits_.trial, job);
    if (trial) archive::makeLabelsPrintable(*trial);
    return trial;
  }
  Result<std::string> foldInput(const model::Experiment& experiment, JobControl& job) override {
    return askOf<std::string>(MessageKind::Fold, experiment, MessageKind::Folded, limits_.run, job)
        .map([](const std::string& value) { return printable(value); });
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    auto answer = ask(MessageKind::Record, experiment, MessageKind::Recorded,
                      {.silence = silenceFor(experiment), .whole = limits_.run}, job);
    if (!answer) return tl::unexpected(answer.error());
    auto trace = answer->body<model::Trace>(limits_.decodedBytes);
    if (!trace) return nonsense("The trace cannot be read.");
    if (const auto fault = model::faultOf(*trace)) return nonsense("Of the trace: " + *fault + ".");
    archive::makeLabelsPrintable(*trace);
    return std::move(*trace);
  }

 private:
  struct Asked {
    std::uint32_t number = 0;
    Clock::time_point since;
  };
  struct Patience {
    milliseconds silence{0};  // without a word
    milliseconds whole{0};    // 0: no limit
  };

  milliseconds silenceFor(const model::Experiment& experiment) const {
    constexpr std::uint64_t kMaxCounted = 1ull << 40;  // an hour is long enough, and no overflow
    const auto more = limits_.silencePerElement * std::min(experiment.elements, kMaxCounted);
    return limits_.silence + std::chrono::duration_cast<milliseconds>(more);
  }
  template <class Answer>
  Result<Answer> askOf(MessageKind kind, const model::Experiment& experiment, MessageKind wanted,
                       milliseconds whole, JobControl& job) {
    const std::scoped_lock lock(mutex_);
    auto answer = ask(kind, experiment, wanted, {.silence = silenceFor(experiment), .whole = whole}, job);
    if (!answer) return tl::unexpected(answer.error());
    auto body = answer->body<Answer>();
    if (!body) return nonsense("Its answer cannot be read.");
    return std::move(*body);
  }
  Result<model::Executor> start(JobControl& job);
  template <class Body>
  Result<Message> ask(MessageKind kind, const Body& body, MessageKind wanted, Patience patience,
                      JobControl& job);
  template <class Body>
  Result<std::uint32_t> send(MessageKind kind, const Body& body, JobControl& job);
  Result<void> settleCancelled(JobControl& job);
  void takeIn(const Arrived& arrived);
  bool isIdle();
  tl::unexpected<Error> ended();
  tl::unexpected<Error> hangs(const OpenCall& call);
  tl::unexpected<Error> silent(milliseconds limit, ErrorKind kind);
  tl::unexpected<Error> tooLong(milliseconds limit);
  tl::unexpected<Error> nonsense(const std::string& details);

  WorkerCommand command_;
  WorkerLimits limits_;
  model::Executor executor_;
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<Worker> worker_;
  std::uint32_t calls_ = 0;
  std::optional<Asked> cancelled_;  // the worker is still busy with it
};

Result<model::Executor> WorkerEngine::start(JobControl& job) {
  worker_.reset();
  auto process = WorkerProcess::start(command_);
  if (!process) return tl::unexpected(process.error());
  worker_ = std::make_unique<Worker>(std::move(*process),
                                     limits_.traceBytes == 0 ? kMaxBodyBytes : limits_.traceBytes);
  auto arrived = worker_->reader.next(0ms);
  Reporting reporting(job, limits_.report, limits_.start, "starting");
  for (const auto begin = Clock::now(); std::holds_alternative<std::monostate>(arrived);) {
    if (const auto call = worker_->process->overdueCall()) return hangs(*call);
    if (Clock::now() - begin > limits_.start) return silent(limits_.start, ErrorKind::Unavailable);
    if (job.cancel) {
      worker_.reset();
      return cancelled();
    }
    reporting.look();
    arrived = worker_->reader.next(kLookAtCancel);
  }
  if (const auto* end = std::get_if<ReadEnd>(&arrived))
    return *end == ReadEnd::Closed ? ended() : nonsense("It speaks another format.");
  const Message& message = std::get<Message>(arrived);
  if (message.kind == MessageKind::Failed)
    if (auto failure = message.body<Failure>()) {
      worker_.reset();
      return tl::unexpected(std::move(failure->error));
    }
  auto executor = message.kind == MessageKind::Ready ? message.body<model::Executor>() : std::nullopt;
  if (!executor) return nonsense("Its first word tells of no engine.");
  archive::makeLabelsPrintable(*executor);
  return std::move(*executor);
}

// The answer of the kind that is wanted; any other end of the call is the error.
template <class Body>
Result<Message> WorkerEngine::ask(MessageKind kind, const Body& body, MessageKind wanted, Patience patience,
                                  JobControl& job) try {
  if (job.cancel) return cancelled();
  const auto number = send(kind, body, job);
  if (!number) return tl::unexpected(number.error());
  const auto begin = Clock::now();
  auto lastWord = begin;
  Reporting reporting(job, limits_.report, patience.whole, "working");
  std::uint64_t bytesBefore = worker_->reader.bytesArrived();
  for (;;) {
    auto arrived = worker_->reader.next(kLookAtCancel);
    if (job.cancel) {
      sendBytes(worker_->process->socket(), MessageKind::Cancel, *number, {});
      cancelled_ = {*number, Clock::now()};
      takeIn(arrived);
      return cancelled();
    }
    if (const auto* end = std::get_if<ReadEnd>(&arrived))
      return *end == ReadEnd::Closed ? ended() : nonsense("What it sent is no message.");
    if (worker_->reader.bytesArrived() != bytesBefore) lastWord = Clock::now();
    bytesBefore = worker_->reader.bytesArrived();
    if (const auto call = worker_->process->overdueCall()) return hangs(*call);
    if (Clock::now() - lastWord > patience.silence) return silent(patience.silence, ErrorKind::Limit);
    if (patience.whole.count() > 0 && Clock::now() - begin > patience.whole) return tooLong(patience.whole);
    reporting.look();
    auto* const message = std::get_if<Message>(&arrived);
    if (message == nullptr) continue;
    if (message->call != *number) return nonsense("It answered what was not asked.");
    if (message->kind == wanted) return std::move(*message);
    if (message->kind == MessageKind::Progress) {
      const auto report = message->body<ProgressReport>();
      if (!report || !isSensible(*report)) return nonsense("A report of progress cannot be read.");
      reporting.take({.fraction = report->fraction, .doing = printable(report->doing)});
      continue;
    }
    auto failure = message->kind == MessageKind::Failed ? message->body<Failure>() : std::nullopt;
    if (!failure) return nonsense("Its answer is of another kind.");
    if (!failure->engineUsable) worker_.reset();
    return tl::unexpected(std::move(failure->error));
  }
} catch (...) {
  worker_.reset();  // what it still answers would be taken for the next answer
  throw;
}

// What arrives of a cancelled call.
void WorkerEngine::takeIn(const Arrived& arrived) {
  if (std::holds_alternative<ReadEnd>(arrived)) worker_.reset();
  const auto* message = std::get_if<Message>(&arrived);
  if (message == nullptr || message->kind == MessageKind::Progress) return;
  const auto failure = message->kind == MessageKind::Failed ? message->body<Failure>() : std::nullopt;
  if (message->call != cancelled_->number || (failure && !failure->engineUsable)) worker_.reset();
  cancelled_.reset();
}

// To a worker that is alive and idle: a fresh one, if the last is gone. The number of the call.
template <class Body>
Result<std::uint32_t> WorkerEngine::send(MessageKind kind, const Body& body, JobControl& job) {
  if (cancelled_)
    if (auto settled = settleCancelled(job); !settled) return tl::unexpected(settled.error());
  if (!isIdle())
    if (auto executor = start(job); !executor) return tl::unexpected(executor.error());
  if (!sendMessage(worker_->process->socket(), kind, ++calls_, body)) return ended();
  return calls_;
}

// Waits until the worker has ended what was cancelled, or ends the worker.
Result<void> WorkerEngine::settleCancelled(JobControl& job) {
  // It may have ended long ago, and its answer waits here.
  const auto latest = std::max(Clock::now() + kReadingTime, cancelled_->since + limits_.cancelling);
  while (cancelled_ && worker_) {
    if (job.cancel) return cancelled();
    takeIn(worker_->reader.next(kLookAtCancel));
    if (cancelled_ && Clock::now() > latest) worker_.reset();
  }
  cancelled_.reset();
  return {};
}

// The worker is there and says nothing, as it should when nothing was asked.
bool WorkerEngine::isIdle() {
  return worker_ && std::holds_alternative<std::monostate>(worker_->reader.next(0ms));
}

tl::unexpected<Error> WorkerEngine::ended() {
  const std::string ending = worker_->process->ending(kDyingTime);
  std::string details = worker_->process->standardError();
  worker_.reset();
  return unavailable(command_.subject + " " + ending + ". " + command_.advice, std::move(details));
}

tl::unexpected<Error> WorkerEngine::hangs(const OpenCall& call) {
  Error error = hangOf(command_, call);
  error.details = worker_->process->standardError();
  worker_.reset();
  return tl::unexpected(std::move(error));
}

// One that does not start is missing; one that is silent in a call has met a limit.
tl::unexpected<Error> WorkerEngine::silent(milliseconds limit, ErrorKind kind) {
  if (const std::string call = worker_->process->currentCall(); !call.empty()) return hangs({call, limit});
  std::string details = worker_->process->standardError();
  worker_.reset();
  return tl::unexpected(Error{kind,
                              command_.subject + " did not answer for " + inSeconds(limit) +
                                  " and was stopped: " + command_.causeOfSilence + ". " + command_.advice,
                              std::move(details)});
}

tl::unexpected<Error> WorkerEngine::tooLong(milliseconds limit) {
  std::string details = worker_->process->standardError();
  worker_.reset();
  return limitMet(command_.subject + " was not done after " + inSeconds(limit) +
                      " and was stopped: " + command_.causeOfSilence + ". " + command_.advice,
                  std::move(details));
}

tl::unexpected<Error> WorkerEngine::nonsense(const std::string& details) {
  std::string errors = worker_ ? worker_->process->standardError() : std::string();
  worker_.reset();
  return unavailable(
      command_.subject +
          " gave an answer that makes no sense, and was stopped. Record again, which starts a new one; if it "
          "happens again, install the program anew.",
      errors.empty() ? details : details + "\n" + errors);
}

}  // namespace

Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command, const WorkerLimits& limits) {
  JobControl nobodyCancels;
  return makeWorkerEngine(command, limits, nobodyCancels);
}

Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command, const WorkerLimits& limits,
                                                 JobControl& job) {
  auto engine = std::make_unique<WorkerEngine>(command, limits);
  if (auto opened = engine->open(job); !opened) return tl::unexpected(opened.error());
  return engine;
}

}  // namespace stridescope::engine::worker
