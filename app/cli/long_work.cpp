#include "cli/long_work.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <string>

#include "base/plain_text.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

// What a signal's handler can reach: there is no other way to tell it anything.
std::atomic<std::atomic<bool>*> flagOfJob{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && decltype(flagOfJob)::is_always_lock_free);

void noteSignal(int) {
  if (std::atomic<bool>* const flag = flagOfJob.load()) flag->store(true);
}

constexpr double kSecondsBetweenLooks = 0.1;

}  // namespace

CancelOnSignal::CancelOnSignal(engine::JobControl& job) {
  flagOfJob = &job.cancel;
  struct sigaction action {};
  action.sa_handler = noteSignal;
  action.sa_flags = SA_RESTART | int(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

CancelOnSignal::~CancelOnSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  flagOfJob = nullptr;
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
