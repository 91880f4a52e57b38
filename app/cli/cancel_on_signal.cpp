#include "cli/cancel_on_signal.h"

#include <atomic>

namespace stridescope::cli {
namespace {

// What a signal's handler can reach: there is no other way to tell it anything.
std::atomic<std::atomic<bool>*> flagOfJob{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && decltype(flagOfJob)::is_always_lock_free);

void noteSignal(int) {
  if (std::atomic<bool>* const flag = flagOfJob.load()) flag->store(true);
}

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

}  // namespace stridescope::cli
