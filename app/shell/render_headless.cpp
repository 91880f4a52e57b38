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
  Image picture = (*context)->readPixels();
  if (request.part) {
    const auto [min, max] = request.part();
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    picture = cropped(picture, {min.x * scale.x, min.y * scale.y}, {max.x * scale.x, max.y * scale.y});
  }
  return HeadlessPicture{std::move(picture), (*runner)->times().summary(), (*context)->description()};
}

}  // namespace stridescope::shell
