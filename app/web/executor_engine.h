// The CPU executor as the page asks for it: it runs in a worker of the browser's, and answers later.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace stridescope::web {

// record() does not wait: until the answer is there, the job awaits it (engine::JobControl). What no job asks
// for any more ends when another run is asked for.
std::unique_ptr<engine::Engine> makeExecutorEngine();

}  // namespace stridescope::web
