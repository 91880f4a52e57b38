// Engines of the tests may compile whatever the tests write.
#pragma once

#include <memory>

#include "engine/code_trust.h"

namespace stridescope::test {

inline std::shared_ptr<CodeTrust> trustInAll() {
  auto trust = std::make_shared<CodeTrust>();
  trust->allowAll();
  return trust;
}

}  // namespace stridescope::test
