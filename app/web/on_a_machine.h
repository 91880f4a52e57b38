// What a page has not and the program on a machine has: an error whose details say where the program is.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "base/result.h"

namespace stridescope::web {

tl::unexpected<Error> onAMachine(std::string sentence);

// Whether a message's details say where the program is: then the page has a link to it (page.js).
bool leadToProgram(const std::string& details);

}  // namespace stridescope::web
