#include "engine/code_trust.h"

namespace stridescope {

void CodeTrust::allow(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  texts_.emplace(text);
}

void CodeTrust::allowAll() {
  const std::scoped_lock lock(mutex_);
  all_ = true;
}

bool CodeTrust::allows(std::string_view text) const {
  const std::scoped_lock lock(mutex_);
  return all_ || texts_.contains(text);
}

bool CodeTrust::allowsAll() const {
  const std::scoped_lock lock(mutex_);
  return all_;
}

Error untrustedCode(std::string_view text) {
  return {
      ErrorKind::Unavailable,
      "The operator came with a file, and nothing that came with a file is compiled unasked. Read its text, "
      "and allow it with --trust-code if you trust whoever wrote it.",
      std::string(text), ErrorCause::UntrustedCode};
}

}  // namespace stridescope
