#include <string>
#include <utility>

#include "shell/frame.h"
#include "shell/headless_context.h"

namespace stridescope::shell {

Result<std::unique_ptr<HeadlessRenderer>> HeadlessRenderer::create(PixelSize size, float scale,
                                                                   HeadlessDevice device) {
  auto graphics = HeadlessContext::create(size, scale, device);
  if (!graphics) return tl::unexpected(graphics.error());
  auto frames = FrameRunner::create(**graphics);
  if (!frames) return tl::unexpected(frames.error());
  return std::unique_ptr<HeadlessRenderer>(new HeadlessRenderer(*std::move(graphics), *std::move(frames)));
}

Image HeadlessRenderer::draw(App& app, int frames, const std::function<std::pair<ImVec2, ImVec2>()>& part) {
  for (int frame = 0; frame < frames; ++frame) frames_->run(app);
  Image picture = graphics_->readPixels();
  if (!part) return picture;
  const auto [min, max] = part();
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return cropped(picture, {min.x * scale.x, min.y * scale.y}, {max.x * scale.x, max.y * scale.y});
}

Result<HeadlessPicture> renderHeadless(App& app, const HeadlessRequest& request) {
  auto renderer = HeadlessRenderer::create(request.size, request.scale, request.device);
  if (!renderer) return tl::unexpected(renderer.error());
  HeadlessRenderer& headless = **renderer;
  headless.frames().run(app);
  if (request.frames > 1) headless.frames().clearTimes();
  Image picture = headless.draw(app, request.frames - 1, request.part);
  return HeadlessPicture{std::move(picture), headless.frames().times().summary(),
                         headless.graphics().description()};
}

}  // namespace stridescope::shell
