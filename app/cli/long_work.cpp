#include "cli/long_work.h"

#include <fmt/format.h>
#include <semaphore.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>

#include "base/plain_text.h"
#include "base/process.h"
#include "base/result.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

// What a signal's handler can reach: there is no other way to tell it anything.
struct Noted {
  std::atomic<std::atomic<bool>*> flagOfJob{nullptr};
  std::atomic<int> handlers{0};                        // that run: they may have the flag in their hands
  std::atomic<bool> watched{false}, signalled{false};  // by EndOnSignal; a signal came since it lives
  sem_t wake{};                                        // its thread, while it is watched
  std::atomic<bool> wakes{false};                      // WakeOnSignal lives
  sem_t sleeper{};                                     // its thread, while it does
};
Noted noted;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::atomic<bool>*>::is_always_lock_free);
std::atomic<int> quietCode{-1};  // EndOnSignal::endQuietlyWith()

void noteSignal(int) {
  const int before = errno;
  ++noted.handlers;
  noted.signalled = true;
  if (std::atomic<bool>* const flag = noted.flagOfJob.load()) flag->store(true);
  if (noted.watched) ::sem_post(&noted.wake);
  if (noted.wakes) ::sem_post(&noted.sleeper);
  --noted.handlers;
  errno = before;
}

// Until no handler, on another thread, has what was taken from it.
void waitForHandlers() {
  while (noted.handlers != 0) std::this_thread::yield();
}

constexpr double kSecondsBetweenLooks = 0.1;

}  // namespace

NotedSignals::NotedSignals() {
  struct sigaction action {};
  action.sa_handler = noteSignal;
  action.sa_flags = SA_RESTART | int(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

NotedSignals::~NotedSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

CancelOnSignal::CancelOnSignal(engine::JobControl& job) : outer_(noted.flagOfJob.exchange(&job.cancel)) {
  if (!noted.watched)
    signals_.emplace();
  else if (noted.signalled)
    job.cancel = true;
}

CancelOnSignal::~CancelOnSignal() {
  signals_.reset();
  noted.flagOfJob = outer_;
  waitForHandlers();
}

WakeOnSignal::WakeOnSignal(std::function<void()> wake) {
  ::sem_init(&noted.sleeper, 0, 0);
  (void)withoutExceptions("starting a thread", [&] {
    thread_ = std::thread([this, wake = std::move(wake)] {
      while (!over_)
        if (::sem_wait(&noted.sleeper) == 0 && !over_) wake();
    });
  });
  noted.wakes = isAwake();
}

WakeOnSignal::~WakeOnSignal() {
  noted.wakes = false;
  waitForHandlers();
  over_ = true;
  ::sem_post(&noted.sleeper);
  if (thread_.joinable()) thread_.join();
  ::sem_destroy(&noted.sleeper);
}

EndOnSignal::EndOnSignal(std::chrono::milliseconds grace) {
  quietCode = -1;
  ::sem_init(&noted.wake, 0, 0);
  // Where there is no thread for it, the commands still end in order where they look at their jobs.
  if (!withoutExceptions("starting a thread",
                         [&] { watching_ = std::thread([this, grace] { watch(grace); }); }))
    return;
  noted.signalled = false;
  noted.watched = true;
  signals_.emplace();
}

EndOnSignal::~EndOnSignal() {
  signals_.reset();
  noted.watched = false;
  waitForHandlers();
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  ::sem_post(&noted.wake);
  if (watching_.joinable()) watching_.join();
  ::sem_destroy(&noted.wake);
}

void EndOnSignal::endQuietlyWith(ExitCode code) { quietCode = int(code); }

void EndOnSignal::watch(std::chrono::milliseconds grace) {
  while (::sem_wait(&noted.wake) != 0) {
  }
  {
    std::unique_lock lock(mutex_);
    if (ended_.wait_for(lock, grace, [this] { return over_; })) return;
  }
  const int quiet = quietCode;
  if (quiet >= 0) endProcess(quiet, {});
  endProcess(int(ExitCode::Missing), cancelled().value().sentence);
}

void ProgressLine::show(std::string_view text) {
  if (terminal_ == nullptr) return;
  std::string line = printable(text);
  if (line == line_) return;
  const std::size_t length = narration::charactersIn(line), before = narration::charactersIn(line_);
  *terminal_ << '\r' << line << std::string(before > length ? before - length : 0, ' ') << std::flush;
  line_ = std::move(line);
}

std::function<void(float, const std::string&)> ProgressLine::follower() {
  static constexpr std::chrono::milliseconds kAtOnce{500};
  const auto begin = std::chrono::steady_clock::now();
  return [this, begin](float, const std::string& doing) {
    if (std::chrono::steady_clock::now() - begin > kAtOnce) show(doing);
  };
}

void ProgressLine::clear() {
  if (terminal_ != nullptr && !line_.empty())
    *terminal_ << '\r' << std::string(narration::charactersIn(line_), ' ') << '\r' << std::flush;
  line_.clear();
}

bool runTimingPlan(measure::TimingBoard& board, const measure::TimingPlan& plan, std::ostream* terminal,
                   const engine::JobControl& job) {
  ProgressLine line(terminal);
  board.start(plan);
  while (!board.waitUntilDone(kSecondsBetweenLooks) && !job.cancel) {
    if (terminal == nullptr) continue;
    const auto seen = board.snapshot();
    line.show(seen->fraction < 0 ? seen->doing
                                 : fmt::format("{:3.0f} %  {}", 100 * double(seen->fraction), seen->doing));
  }
  board.stop();
  return !job.cancel;
}

}  // namespace stridescope::cli
