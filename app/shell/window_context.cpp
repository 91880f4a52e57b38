#include "shell/window_context.h"

#include <glad/gl.h>

#include <cmath>

#include "draw/draw_context.h"
#include "shell/graphics_context.h"
#include "shell/kept_picture.h"
#include "shell/second_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/memory_limits.h"
#include "imgui_internal.h"

namespace stridescope::shell {
namespace {

// The window's icon: two operands, the thread that adds them, their result.

struct Point {
  float x, y;
};

// A figure of the icon in a square of 16 x 16.
bool inRectangle(Point p, float left, float top, float right, float bottom) {
  return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
}

bool inDisc(Point p, Point middle, float radius) {
  return std::hypot(p.x - middle.x, p.y - middle.y) <= radius;
}

bool onLine(Point p, Point from, Point to, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float along = ((p.x - from.x) * (to.x - from.x) + (p.y - from.y) * (to.y - from.y)) / length;
  const float across = ((p.x - from.x) * (to.y - from.y) - (p.y - from.y) * (to.x - from.x)) / length;
  return along >= 0 && along <= length && std::abs(across) <= width / 2;
}

ImU32 colourAt(Point p) {
  const draw::Palette& colours = draw::palette(draw::Theme::Dark);
  const bool operandA = inRectangle(p, 2, 2, 7, 6);
  const bool operandB = inRectangle(p, 9, 2, 14, 6) && !inRectangle(p, 10, 3, 13, 5);
  const bool lines = onLine(p, {4.5f, 6}, {8, 9}, 1) || onLine(p, {11.5f, 6}, {8, 9}, 1);
  if (inDisc(p, {8, 9}, 2) || inRectangle(p, 2, 11.5f, 14, 14.5f)) return colours.result;
  if (operandA || operandB || lines) return colours.operand;
  return inRectangle(p, 0.5f, 0.5f, 15.5f, 15.5f) ? colours.window : 0;
}

// A square of `size` pixels, 16 or more; transparent outside the rounded ground.
Image windowIcon(int size) {
  Image icon{{size, size}, {}};
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const float unit = 16.0f / static_cast<float>(size);
      const ImU32 colour =
          colourAt({(static_cast<float>(x) + 0.5f) * unit, (static_cast<float>(y) + 0.5f) * unit});
      for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT}) {
        icon.rgba.push_back(static_cast<std::uint8_t>((colour >> shift) & 0xFF));
      }
    }
  }
  return icon;
}

constexpr int kSmallestWidth = 640, kSmallestHeight = 400;

std::string glfwReason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? std::string() : std::string(text);
}

WindowContext* contextOf(GLFWwindow* window) {
  return static_cast<WindowContext*>(glfwGetWindowUserPointer(window));
}

void setIcon(GLFWwindow* window) {
  std::array<Image, 3> pictures = {windowIcon(16), windowIcon(32), windowIcon(48)};
  std::array<GLFWimage, 3> icons{};
  for (std::size_t i = 0; i < icons.size(); ++i) {
    icons[i] = {pictures[i].size.width, pictures[i].size.height, pictures[i].rgba.data()};
  }
  glfwSetWindowIcon(window, static_cast<int>(icons.size()), icons.data());
}

// The monitor that holds most of it; without a position the first one. Null where there is none.
GLFWmonitor* monitorOf(const WindowPlacement& window) {
  const int x = std::max(window.x, 0), y = std::max(window.y, 0), width = window.width,
            height = window.height;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int bestArea = 0;
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (mode == nullptr) continue;
    const int across = std::min(x + width, left + mode->width) - std::max(x, left);
    const int down = std::min(y + height, top + mode->height) - std::max(y, top);
    const int area = std::max(0, across) * std::max(0, down);
    if (area > bestArea) {
      bestArea = area;
      best = monitors[i];
    }
  }
  return best;
}

float desktopScaleOf(GLFWmonitor* monitor) {
  float scale = 1, unused = 1;
  glfwGetMonitorContentScale(monitor, &scale, &unused);
  return std::clamp(scale, 1.0f, 4.0f);
}

float textScaleOf(GLFWmonitor* monitor) {
  int millimetres = 0, height = 0;
  glfwGetMonitorPhysicalSize(monitor, &millimetres, &height);
  const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
  return shell::textScaleOf(desktopScaleOf(monitor), mode == nullptr ? 0 : mode->width, millimetres);
}

// What fits into the work area of its monitor (what panels leave of it), together with the window's frame.
WindowPlacement fitted(WindowPlacement placement, GLFWwindow* window) {
  GLFWmonitor* const monitor = monitorOf(placement);
  if (monitor == nullptr) return placement;
  if (placement.ofOrdinaryDensity) {
    const float scale = textScaleOf(monitor);
    placement.width = int(float(placement.width) * scale);
    placement.height = int(float(placement.height) * scale);
    placement.ofOrdinaryDensity = false;
  }
  int left = 0, top = 0, width = 0, height = 0;
  glfwGetMonitorWorkarea(monitor, &left, &top, &width, &height);
  if (width <= 0 || height <= 0) return placement;
  int frameLeft = 0, frameTop = 0, frameRight = 0, frameBottom = 0;
  glfwGetWindowFrameSize(window, &frameLeft, &frameTop, &frameRight, &frameBottom);
  placement.width = std::min(placement.width, width - frameLeft - frameRight);
  placement.height = std::min(placement.height, height - frameTop - frameBottom);
  if (placement.x >= 0 && placement.y >= 0) {
    placement.x = std::clamp(placement.x, left + frameLeft, left + width - frameRight - placement.width);
    placement.y = std::clamp(placement.y, top + frameTop, top + height - frameBottom - placement.height);
  }
  return placement;
}

}  // namespace

float textScaleOf(float desktop, int pixels, int millimetres) {
  constexpr int kSmallest = 200, kUsual = 597;  // millimetres; less than the first is an aspect ratio
  if (desktop != 1 || pixels <= 0) return desktop;
  const float ordinary = float(pixels) * 25.4f / 96;   // millimetres at 96 pixels an inch
  const bool isMadeUp = millimetres == int(ordinary);  // by GLFW, where the monitor tells none
  const int across = millimetres < kSmallest || isMadeUp ? kUsual : millimetres;
  return std::clamp(std::floor(ordinary / float(across) * 4) / 4, 1.0f, 3.0f);
}

Result<std::unique_ptr<WindowContext>> WindowContext::open(const WindowPlacement& placement,
                                                           const std::string& title) {
  if (const auto room = checkAddressSpace("OpenGL's driver"); !room) return tl::unexpected(room.error());
  glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE);
  if (glfwInit() != GLFW_TRUE) {
    return unavailable(
        "No window can be opened: there is no display. Start the program on a desktop, or use its commands, "
        "which need "
        "none: `stridescope shot` draws the window into a file.",
        glfwReason());
  }
  std::unique_ptr<WindowContext> context(new WindowContext());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_MAXIMIZED, placement.maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "stridescope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "stridescope");
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until it has its size
  // A lecture goes on on the projector while the lecturer works on another monitor.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  context->window_ = glfwCreateWindow(kSmallestWidth, kSmallestHeight, title.c_str(), nullptr, nullptr);
  if (context->window_ == nullptr) {
    return unavailable(
        "No window can be opened: this display has no OpenGL 3.3. Update the graphics driver, or install "
        "libgl1-mesa-dri, which draws without a GPU.",
        glfwReason());
  }
  context->title_ = title;
  const WindowPlacement place = fitted(placement, context->window_);
  context->beforeFullscreen_ = place;
  if (GLFWmonitor* const monitor = monitorOf(place); monitor != nullptr)
    context->density_ = textScaleOf(monitor) / desktopScaleOf(monitor);
  glfwSetWindowSizeLimits(context->window_, std::min(kSmallestWidth, place.width),
                          std::min(kSmallestHeight, place.height), GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowSize(context->window_, place.width, place.height);
  if (place.x >= 0 && place.y >= 0) glfwSetWindowPos(context->window_, place.x, place.y);
  setIcon(context->window_);
  glfwShowWindow(context->window_);
  glfwMakeContextCurrent(context->window_);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    return unavailable("The OpenGL library could not be loaded. Install libgl1.");
  }
  glfwSwapInterval(1);
  if (openGlDescription().find("llvmpipe") != std::string::npos)
    context->kept_ = std::make_unique<KeptPicture>();
  context->pointerAtFirst_ = context->pointerOnDesktop();
  context->watchEvents();
  return context;
}

WindowContext::WindowContext() = default;

WindowContext::~WindowContext() {
  second_.reset();
  kept_.reset();
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

// Before Dear ImGui's backend, which calls these on and adds its own for input.
void WindowContext::watchEvents() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { contextOf(window)->losePicture(); });
  glfwSetFramebufferSizeCallback(window_,
                                 [](GLFWwindow* window, int, int) { contextOf(window)->losePicture(); });
  glfwSetWindowContentScaleCallback(
      window_, [](GLFWwindow* window, float, float) { contextOf(window)->losePicture(); });
  glfwSetWindowIconifyCallback(window_, [](GLFWwindow* window, int) { contextOf(window)->losePicture(); });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) { contextOf(window)->happened_ = true; });
  // With Ctrl, too, unlike the callback for text, which Dear ImGui's backend takes.
  glfwSetCharModsCallback(window_, [](GLFWwindow* window, unsigned character, int modifiers) {
    contextOf(window)->keys().type({character, (modifiers & GLFW_MOD_CONTROL) != 0});
    contextOf(window)->happened_ = true;
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    WindowContext& context = *contextOf(window);
    for (int i = 0; i < count; ++i) context.dropped_.emplace_back(paths[i]);
    context.happened_ = true;
  });
}

bool WindowContext::shouldClose() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
void WindowContext::requestClose() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
bool WindowContext::isMinimized() const { return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE; }

bool WindowContext::waitForEvents(double seconds) {
  if (seconds <= 0)
    glfwPollEvents();
  else if (std::isinf(seconds))
    glfwWaitEvents();
  else
    glfwWaitEventsTimeout(seconds);
  return std::exchange(happened_, false) || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

void WindowContext::wake() {
  woken_ = true;
  glfwPostEmptyEvent();
}

void WindowContext::setTitle(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(window_, title.c_str());
}

std::optional<ImVec2> WindowContext::secondWindow(const std::string* title) {
  const bool isClosed = second_ != nullptr && second_->shouldClose();
  if (title == nullptr || isClosed) {
    second_.reset();
    return std::nullopt;
  }
  if (second_ == nullptr)
    second_ = SecondWindow::open(window_, *title,
                                 {.character =
                                      [this](unsigned character, int modifiers) {
                                        keys().type({character, (modifiers & GLFW_MOD_CONTROL) != 0});
                                        happened_ = true;
                                      },
                                  .happened = [this] { happened_ = true; }});
  if (second_ == nullptr) return std::nullopt;
  return second_->size();
}

void WindowContext::endSecond(ImDrawData& data, ImU32 ground) { second_->show(data, ground); }
bool WindowContext::hasSecondKeyboard() const { return second_ != nullptr && second_->hasKeyboard(); }
void WindowContext::raiseSecond() {
  if (second_ != nullptr) second_->raise();
}
bool WindowContext::takeSecondLost() { return second_->takePictureLost(); }

void WindowContext::setFullscreen(bool fullscreen) {
  if (fullscreen == fullscreen_) return;
  if (fullscreen) {
    GLFWmonitor* monitor = monitorOf(placement());
    const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
    if (mode == nullptr) return;
    beforeFullscreen_ = placement();
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else {
    glfwSetWindowMonitor(window_, nullptr, std::max(0, beforeFullscreen_.x), std::max(0, beforeFullscreen_.y),
                         beforeFullscreen_.width, beforeFullscreen_.height, GLFW_DONT_CARE);
  }
  fullscreen_ = fullscreen;
  losePicture();
}

std::vector<std::filesystem::path> WindowContext::takeDroppedFiles() { return std::exchange(dropped_, {}); }

WindowPlacement WindowContext::placement() const {
  if (fullscreen_) return beforeFullscreen_;
  WindowPlacement now = beforeFullscreen_;
  now.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  if (now.maximized || isMinimized()) return now;
  glfwGetWindowPos(window_, &now.x, &now.y);
  glfwGetWindowSize(window_, &now.width, &now.height);
  return now;
}

Result<void> WindowContext::startBackends() {
  if (ImGui_ImplGlfw_InitForOpenGL(window_, true) && ImGui_ImplOpenGL3_Init("#version 330 core")) return {};
  return unavailable("The OpenGL library could not be loaded for " + description() + ". Install libgl1.");
}

void WindowContext::stopBackends() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
}

void WindowContext::beginFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // Not where a part is no whole number of pixels, nor while every frame is measured.
  const ImGuiIO& io = ImGui::GetIO();
  const bool isInPixels = io.DisplayFramebufferScale.x == 1 && io.DisplayFramebufferScale.y == 1;
  const bool wasMirrored = isMirrored_;
  isMirrored_ = kept_ != nullptr && keepsPicture_ && isInPixels &&
                kept_->hasSize({int(io.DisplaySize.x), int(io.DisplaySize.y)});
  if (isMirrored_ != wasMirrored) pictureLost_ = true;
}

void WindowContext::endFrame(ImDrawData& data, ImU32 ground) {
  const ImVec2 at = data.DisplayPos, size = data.DisplaySize;
  if (isMirrored_) return endFrameIn({{at.x, at.y, at.x + size.x, at.y + size.y}}, data, ground);
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glfwSwapBuffers(window_);
}

// A change of the size loses the picture: all of it comes first.
void WindowContext::endFrameIn(const FrameParts& parts, ImDrawData& data, ImU32 ground) {
  if (!isMirrored_) return endFrame(data, ground);
  kept_->draw(data, ground, parts);
  glfwSwapBuffers(window_);
}

// The window may be moved under a pointer that rests, by whoever manages windows.
ImVec2 WindowContext::pointerOnDesktop() const {
  int left = 0, top = 0;
  double x = 0, y = 0;
  glfwGetWindowPos(window_, &left, &top);
  glfwGetCursorPos(window_, &x, &y);
  return {float(left + x), float(top + y)};
}

bool WindowContext::hasPointerMoved() {
  if (pointerMoved_) return true;
  const ImVec2 now = pointerOnDesktop();
  return pointerMoved_ = now.x != pointerAtFirst_.x || now.y != pointerAtFirst_.y;
}

// Where the desktop scales the framebuffer itself (Wayland), Dear ImGui's coordinates are scaled already.
float WindowContext::monitorScale() const {
  float contentScale = 1, unused = 1;
  glfwGetWindowContentScale(window_, &contentScale, &unused);
  int width = 0, framebufferWidth = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &framebufferWidth, &height);
  const float alreadyScaled =
      width > 0 ? static_cast<float>(framebufferWidth) / static_cast<float>(width) : 1.0f;
  return alreadyScaled > 0 ? std::clamp(density_ * contentScale / alreadyScaled, 0.5f, 8.0f) : 1.0f;
}

}  // namespace stridescope::shell
