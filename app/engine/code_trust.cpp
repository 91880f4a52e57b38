#include "engine/code_trust.h"

namespace stridescope::engine {

void CodeTrust::allow(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  texts_.emplace(text);
}

void CodeTrust::allowUnconfined() {
  const std::scoped_lock lock(mutex_);
  unconfined_ = true;
}

void CodeTrust::allowAll() {
  const std::scoped_lock lock(mutex_);
  all_ = unconfined_ = true;
}

bool CodeTrust::allows(std::string_view text) const {
  const std::scoped_lock lock(mutex_);
  return all_ || texts_.contains(text);
}

bool CodeTrust::allowsUnconfined() const {
  const std::scoped_lock lock(mutex_);
  return unconfined_;
}

Error untrustedCode(std::string_view text) {
  return {
      ErrorKind::Unavailable,
      "The operator came with a file, and nothing that came with a file is compiled unasked. Read its text, "
      "and allow it with --trust-code if you trust whoever wrote it.",
      std::string(text), ErrorCause::UntrustedCode};
}

Error unconfinedCode(std::string_view text, std::string_view reason) {
  return {ErrorKind::Unavailable,
          "combine is not run on the CPU. " + std::string(reason) +
              " Run it nevertheless (`stridescope --trust-code`) only if you trust whoever wrote it.",
          std::string(text), ErrorCause::UnconfinedCode};
}

bool asksForTrust(const Error& error) {
  return error.cause == ErrorCause::UntrustedCode || error.cause == ErrorCause::UnconfinedCode;
}

}  // namespace stridescope::engine
