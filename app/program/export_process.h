// File > Export of the window: the program itself, as `export`, in a process of its own. It draws without a
// display, and the window goes on meanwhile.
#pragma once

#include "cli/services.h"
#include "lab/sources/sources.h"
#include "session/exports.h"

namespace stridescope::program {

// Makes the order's file. `job` follows it, and ends it.
Result<void> exportInItsOwnProcess(const session::ExportOrder& order, const lab::sources::Sources& sources,
                                   engine::JobControl& job);

// Whether this process was started for that; then serveExport() is all that it does.
bool isExportProcess(int argc, const char* const* argv);
int serveExport(cli::Services services);

}  // namespace stridescope::program
