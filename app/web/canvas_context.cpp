#include "canvas_context.h"

#include <GLES3/gl3.h>
#include <emscripten/emscripten.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

// The functions of page.js that this calls.
EM_JS(void, pageSetCursor, (const char* name), { Module.page.setCursor(UTF8ToString(name)); });
EM_JS(void, pageCopy, (const char* text), { Module.page.copy(UTF8ToString(text)); });
EM_JS(void, pageWantText, (int wanted, double x, double y, double height),
      { Module.page.wantText(Boolean(wanted), x, y, height); });

namespace stridescope::web {
namespace {

constexpr float kDragFrom = 6;  // units of the page

const char* cursorName(ImGuiMouseCursor cursor) {
  constexpr std::array<std::pair<ImGuiMouseCursor, const char*>, 8> kNames{{
      {ImGuiMouseCursor_None, "none"},
      {ImGuiMouseCursor_TextInput, "text"},
      {ImGuiMouseCursor_ResizeAll, "move"},
      {ImGuiMouseCursor_ResizeNS, "ns-resize"},
      {ImGuiMouseCursor_ResizeEW, "ew-resize"},
      {ImGuiMouseCursor_ResizeNESW, "nesw-resize"},
      {ImGuiMouseCursor_ResizeNWSE, "nwse-resize"},
      {ImGuiMouseCursor_Hand, "pointer"},
  }};
  const auto found = std::ranges::find(kNames, cursor, [](const auto& each) { return each.first; });
  return found == kNames.end() ? "default" : found->second;
}

// What was copied or pasted last: a page may read the clipboard only while the person pastes.
std::string& clipboard() {
  static std::string text;
  return text;
}

void setClipboard(ImGuiContext*, const char* text) {
  clipboard() = text;
  pageCopy(text);
}

const char* clipboardText(ImGuiContext*) { return clipboard().c_str(); }

}  // namespace

Result<std::unique_ptr<CanvasContext>> CanvasContext::open(const std::string& canvas) {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  const auto context = emscripten_webgl_create_context(canvas.c_str(), &attributes);
  if (context <= 0)
    return unavailable(
        "This browser shows no WebGL 2. Allow it in the browser's settings, or take a newer browser.");
  emscripten_webgl_make_context_current(context);
  return std::unique_ptr<CanvasContext>(new CanvasContext(canvas, context));
}

CanvasContext::~CanvasContext() { emscripten_webgl_destroy_context(context_); }

Result<void> CanvasContext::startBackends() {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "stridescope_canvas";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = setClipboard;
  platform.Platform_GetClipboardTextFn = clipboardText;
  if (!ImGui_ImplOpenGL3_Init("#version 300 es"))
    return unavailable("WebGL 2 could not be set up. Take a newer browser.");
  return {};
}

void CanvasContext::stopBackends() { ImGui_ImplOpenGL3_Shutdown(); }

double CanvasContext::density() {
  const double pixels = emscripten_get_device_pixel_ratio();
  return pixels > 0 ? pixels : 1;
}

void CanvasContext::beginFrame() {
  double width = 0, height = 0;
  emscripten_get_element_css_size(canvas_.c_str(), &width, &height);
  const double density = this->density();
  const int pixelsX = int(std::lround(width * density)), pixelsY = int(std::lround(height * density));
  int shownX = 0, shownY = 0;
  emscripten_get_canvas_element_size(canvas_.c_str(), &shownX, &shownY);
  if (shownX != pixelsX || shownY != pixelsY) {
    emscripten_set_canvas_element_size(canvas_.c_str(), pixelsX, pixelsY);
    pictureLost_ = true;
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(pixelsX), float(pixelsY)};
  io.DisplayFramebufferScale = {1, 1};
  io.MouseDragThreshold = kDragFrom * float(density);  // a finger trembles by as many units everywhere
  const double now = emscripten_get_now() / 1000;
  io.DeltaTime = lastFrame_ < 0 ? 1.0f / 60 : std::clamp(float(now - lastFrame_), 1e-4f, 1.0f);
  lastFrame_ = now;
  ImGui_ImplOpenGL3_NewFrame();
}

void CanvasContext::tellRequests() {
  if (const int cursor = ImGui::GetMouseCursor(); cursor != cursor_) {
    cursor_ = cursor;
    pageSetCursor(cursorName(cursor));
  }
  const ImGuiPlatformImeData& field = ImGui::GetCurrentContext()->PlatformImeData;
  const double density = this->density();
  pageWantText(field.WantTextInput ? 1 : 0, double(field.InputPos.x) / density,
               double(field.InputPos.y) / density, double(field.InputLineHeight) / density);
}

void CanvasContext::endFrame(ImDrawData& data, ImU32 ground) {
  glViewport(0, 0, int(data.DisplaySize.x * data.FramebufferScale.x),
             int(data.DisplaySize.y * data.FramebufferScale.y));
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace stridescope::web

extern "C" EMSCRIPTEN_KEEPALIVE void page_pasted(const char* text) { stridescope::web::clipboard() = text; }
