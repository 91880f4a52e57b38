// Source: the kernel's text as it is compiled, the executing lines marked, with the values of one thread.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel sourcePanel();

}  // namespace stridescope::views
