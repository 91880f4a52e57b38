// File > Export of the page: the page's own program in a worker of the browser's, which draws on no canvas of
// the page. What it makes goes to the browser's downloads.
#pragma once

#include <functional>

#include "session/exports.h"
#include "session/services.h"

namespace stridescope::web {

// As session::SessionServices::exportRun; it does not wait: until the files are there, the job awaits them
// (engine::JobControl). `makeEngine` records what is compared with.
Result<void> exportInWorker(const session::ExportOrder& order,
                            const decltype(session::SessionServices::makeEngine)& makeEngine,
                            engine::JobControl& job);

}  // namespace stridescope::web
