#include "cli/context.h"

#include "base/plain_text.h"

namespace stridescope::cli {

ExitCode tell(const Context& context, const Error& error) {
  context.streams.error << "stridescope: " << printable(error.sentence) << "\n";
  if (!error.details.empty()) context.streams.error << error.details << "\n";
  return error.kind == ErrorKind::Usage ? ExitCode::Usage : ExitCode::Missing;
}

}  // namespace stridescope::cli
