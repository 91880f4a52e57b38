// WebGL 2 in a worker of a page, where no canvas is: the browser has one that is on no page.
#include <GLES3/gl3.h>
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <imgui_impl_opengl3.h>

#include <utility>

#include "shell/headless_context.h"

// What emscripten_webgl_create_context() finds by that name; false: this browser has none.
EM_JS_DEPS(unshownCanvas, "$specialHTMLTargets");
EM_JS(int, makeUnshownCanvas, (const char* name, int width, int height), {
  if (typeof OffscreenCanvas == 'undefined') return 0;
  specialHTMLTargets[UTF8ToString(name)] = new OffscreenCanvas(width, height);
  return 1;
});

namespace stridescope::shell {
namespace {

constexpr const char* kCanvas = "unshown";

}  // namespace

struct HeadlessContext::Device {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;

  ~Device() {
    if (context > 0) emscripten_webgl_destroy_context(context);
  }
};

HeadlessContext::HeadlessContext(PixelSize size, float scale)
    : size_(size), scale_(scale), device_(std::make_unique<Device>()) {}

HeadlessContext::~HeadlessContext() = default;

Result<std::unique_ptr<HeadlessContext>> HeadlessContext::create(PixelSize size, float scale,
                                                                 HeadlessDevice) {
  if (size.width < 1 || size.height < 1)
    return usageError("A picture needs a width and a height of at least 1 pixel.");
  std::unique_ptr<HeadlessContext> context(new HeadlessContext(size, scale));
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  // What is drawn goes into the target alone.
  if (makeUnshownCanvas(kCanvas, 1, 1) != 0)
    context->device_->context = emscripten_webgl_create_context(kCanvas, &attributes);
  if (context->device_->context <= 0)
    return unavailable(
        "This browser draws no pictures in a worker: it has no WebGL 2 there. Take a newer browser, or the "
        "program on a machine.");
  emscripten_webgl_make_context_current(context->device_->context);
  if (auto target = context->target_.create(size); !target) return tl::unexpected(target.error());
  return context;
}

Image HeadlessContext::readPixels() const { return target_.read(); }

Result<void> HeadlessContext::startBackends() {
  if (ImGui_ImplOpenGL3_Init("#version 300 es")) return {};
  return unavailable("WebGL 2 could not be set up in a worker. Take a newer browser.");
}

void HeadlessContext::stopBackends() { ImGui_ImplOpenGL3_Shutdown(); }

void HeadlessContext::beginFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(size_.width), float(size_.height)};
  io.DeltaTime = 1.0f / 60;
}

void HeadlessContext::endFrame(ImDrawData& data, ImU32 ground) { target_.draw(data, ground); }

std::string HeadlessContext::description() const { return openGlDescription(); }

}  // namespace stridescope::shell
