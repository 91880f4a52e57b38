#include "shell/headless_context.h"

#include <glad/egl.h>
#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/memory_limits.h"

namespace stridescope::shell {
namespace {

constexpr const char* kInstallHint =
    "Install libegl1 and libegl-mesa0 (or the GPU's driver with its EGL library).";

// A display of every platform that needs no screen, in the order that is asked for.
std::vector<EGLDisplay> displaysInOrder(HeadlessDevice wanted) {
  std::vector<EGLDisplay> gpus, others;
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (eglQueryDevicesEXT != nullptr && eglGetPlatformDisplayEXT != nullptr &&
      eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE) {
    for (EGLint i = 0; i < count; ++i) {
      const auto device = devices[static_cast<std::size_t>(i)];
      const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
      const char* extensions =
          eglQueryDeviceStringEXT != nullptr ? eglQueryDeviceStringEXT(device, EGL_EXTENSIONS) : nullptr;
      const bool isGpu = extensions != nullptr && std::strstr(extensions, "EGL_NV_device_cuda") != nullptr;
      if (display != EGL_NO_DISPLAY) (isGpu ? gpus : others).push_back(display);
    }
  }
  std::vector<EGLDisplay> ordered;
  const EGLDisplay surfaceless =
      eglGetPlatformDisplayEXT == nullptr
          ? EGL_NO_DISPLAY
          : eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                     reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
  if (surfaceless != EGL_NO_DISPLAY) ordered.push_back(surfaceless);
  ordered.insert(wanted == HeadlessDevice::Gpu ? ordered.begin() : ordered.end(), gpus.begin(), gpus.end());
  ordered.insert(ordered.end(), others.begin(), others.end());
  return ordered;
}

std::string eglError() {
  char code[32];
  std::snprintf(code, sizeof code, "EGL error 0x%X", static_cast<unsigned>(eglGetError()));
  return code;
}

}  // namespace

struct HeadlessContext::Device {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  ~Device() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    // The display is the process's, not ours: another context may be using it, so it is not terminated.
  }

  // True when this display gave a current OpenGL 3.3 core context; `why` says what it lacked otherwise.
  bool open(EGLDisplay candidate, std::string& why) {
    EGLint major = 0, minor = 0;
    if (eglInitialize(candidate, &major, &minor) != EGL_TRUE) {
      why = eglError();
      return false;
    }
    // Without a display only EGL 1.0 and what platforms and devices need was loaded.
    if (gladLoaderLoadEGL(candidate) == 0 || eglBindAPI == nullptr ||
        eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) {
      why = "EGL " + std::to_string(major) + "." + std::to_string(minor) + " without OpenGL";
      return false;
    }
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(candidate, wanted, &config, 1, &count);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    const EGLContext made =
        eglCreateContext(candidate, count > 0 ? config : nullptr, EGL_NO_CONTEXT, version);
    if (made == EGL_NO_CONTEXT) {
      why = eglError();
      return false;
    }
    if (eglMakeCurrent(candidate, EGL_NO_SURFACE, EGL_NO_SURFACE, made) != EGL_TRUE) {
      why = eglError();
      eglDestroyContext(candidate, made);
      return false;
    }
    display = candidate;
    context = made;
    return true;
  }
};

HeadlessContext::HeadlessContext(PixelSize size, float scale)
    : size_(size), scale_(scale), device_(std::make_unique<Device>()) {}

HeadlessContext::~HeadlessContext() = default;

Result<std::unique_ptr<HeadlessContext>> HeadlessContext::create(PixelSize size, float scale,
                                                                 HeadlessDevice device) {
  if (size.width < 1 || size.height < 1)
    return usageError("A picture needs a width and a height of at least 1 pixel.");
  if (const auto room = checkAddressSpace("OpenGL's driver"); !room) return tl::unexpected(room.error());
  if (gladLoaderLoadEGL(nullptr) == 0) {
    return unavailable(std::string("Pictures without a display need EGL, which is not on this machine. ") +
                       kInstallHint);
  }
  std::unique_ptr<HeadlessContext> context(new HeadlessContext(size, scale));
  std::string why = "no EGL device";
  for (const EGLDisplay display : displaysInOrder(device)) {
    if (context->device_->open(display, why)) break;
  }
  if (context->device_->context == EGL_NO_CONTEXT) {
    return unavailable(
        std::string("Pictures without a display need OpenGL 3.3 through EGL, and no device here gives it. ") +
            kInstallHint,
        why);
  }
  if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0) {
    return unavailable(
        "The OpenGL library could not be loaded, although EGL gave a context. Install libgl1.");
  }
  if (auto target = context->target_.create(size); !target) return tl::unexpected(target.error());
  return context;
}

Image HeadlessContext::readPixels() const { return target_.read(); }

Result<void> HeadlessContext::startBackends() {
  if (ImGui_ImplOpenGL3_Init("#version 330 core")) return {};
  return unavailable("The OpenGL library could not be loaded for " + description() + ". Install libgl1.");
}

void HeadlessContext::stopBackends() { ImGui_ImplOpenGL3_Shutdown(); }

void HeadlessContext::beginFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
  io.DeltaTime = 1.0f / 60;
}

void HeadlessContext::endFrame(ImDrawData& data, ImU32 ground) {
  target_.draw(data, ground);
  glFinish();
}

std::string HeadlessContext::description() const { return openGlDescription(); }

}  // namespace stridescope::shell
