#include "engine/worker/conversation.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLookAtCancel = 5ms;  // how often, while nothing arrives
constexpr auto kDyingTime = 500ms;   // between a process's last word and its status

}  // namespace

Result<Message> Conversation::next(MessageKind wanted, JobControl& job) {
  auto lastWord = Clock::now();
  for (;;) {
    auto arrived = reader_->next(kLookAtCancel);
    if (job.cancel) {
      process_.reset();  // what it was doing is of no use to anybody
      return cancelled();
    }
    if (const auto* end = std::get_if<ReadEnd>(&arrived))
      return *end == ReadEnd::Closed ? ended() : lost("What it sent is no message.");
    if (const auto call = process_->overdueCall()) return hangs(*call);
    auto* const message = std::get_if<Message>(&arrived);
    if (message == nullptr) {
      if (Clock::now() - lastWord <= silence_) continue;
      const std::string call = process_->currentCall();
      return call.empty() ? lost("It was silent for " + inSeconds(silence_) + ".") : hangs({call, silence_});
    }
    lastWord = Clock::now();
    if (message->call != calls_) return lost("It answered what was not asked.");
    if (message->kind == MessageKind::Progress) {
      if (const auto report = message->body<ProgressReport>(); report && job.progress)
        job.progress(report->fraction, report->doing);
      continue;
    }
    if (message->kind == MessageKind::Failed)
      if (auto failure = message->body<Failure>()) {
        if (!failure->engineUsable) process_.reset();
        return tl::unexpected(std::move(failure->error));
      }
    if (message->kind != wanted) return lost("Its answer cannot be read.");
    return std::move(*message);
  }
}

tl::unexpected<Error> Conversation::ended() {
  const std::string ending = process_->ending(kDyingTime);
  std::string details = process_->standardError();
  process_.reset();
  return unavailable(command_.subject + " " + ending + ". " + command_.advice, std::move(details));
}

tl::unexpected<Error> Conversation::hangs(const OpenCall& call) {
  Error error = hangOf(command_, call);
  error.details = process_->standardError();
  process_.reset();
  return tl::unexpected(std::move(error));
}

tl::unexpected<Error> Conversation::lost(const std::string& why) {
  std::string details = process_ ? process_->standardError() : std::string();
  process_.reset();
  return unavailable(command_.subject + " was stopped. " + why + " " + command_.advice, std::move(details));
}

}  // namespace stridescope::engine::worker
