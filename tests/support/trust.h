// Engines of the tests may compile whatever the tests write.
#pragma once

#include <memory>

#include "engine/code_trust.h"

namespace stridescope::support {

inline std::shared_ptr<engine::CodeTrust> trustInAll() {
  auto trust = std::make_shared<engine::CodeTrust>();
  trust->allowAll();
  return trust;
}

}  // namespace stridescope::support
