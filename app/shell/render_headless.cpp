#include "shell/render_headless.h"

#include <algorithm>

#include "shell/frame.h"

namespace stridescope::shell {

Result<HeadlessPicture> renderHeadless(App& app, const HeadlessRequest& request) {
  auto context = HeadlessContext::create(request.size, request.scale, request.device);
  if (!context) return tl::unexpected(context.error());
  auto runner = FrameRunner::create(**context);
  if (!runner) return tl::unexpected(runner.error());
  (*runner)->run(app);
  if (request.frames > 1) (*runner)->clearTimes();
  for (int frame = 1; frame < request.frames; ++frame) (*runner)->run(app);
  return HeadlessPicture{(*context)->readPixels(), (*runner)->times().summary(), (*context)->description()};
}

}  // namespace stridescope::shell
