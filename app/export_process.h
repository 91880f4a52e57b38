// File > Export of the window: the program itself, as `export`, in a process of its own. It draws without a
// display, and the window goes on meanwhile.
#pragma once

#include <functional>

#include "cli/services.h"
#include "engine/code_trust.h"
#include "session/exports.h"

namespace stridescope::program {

// Makes the order's file. `job` follows it, and ends it.
Result<void> exportInItsOwnProcess(const session::ExportOrder& order,
                                   const std::shared_ptr<engine::CodeTrust>& trust, engine::JobControl& job);

// Whether this process was started for that; then serveExport() is all that it does.
bool isExportProcess(int argc, const char* const* argv);
int serveExport(int argc, const char* const* argv, cli::Services services);

}  // namespace stridescope::program
