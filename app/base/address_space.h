#pragma once

#include <string>

#include "base/result.h"

namespace stridescope {

// Drivers and compilers that are opened as libraries crash where a limit on the address space (ulimit -v)
// leaves them too little. The error says so before that; `library`: "OpenGL's driver".
Result<void> checkAddressSpace(const std::string& library);

}  // namespace stridescope
