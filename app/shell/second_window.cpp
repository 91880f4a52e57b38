#include "shell/second_window.h"

#include <glad/gl.h>

#include <string_view>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

// Dear ImGui's backend has it for such as us, without a declaration.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

namespace stridescope::shell {
namespace {

constexpr int kWidth = 960, kHeight = 600;  // at 96 pixels an inch

SecondWindow::Events& eventsOf(GLFWwindow* window) {
  return *static_cast<SecondWindow::Events*>(glfwGetWindowUserPointer(window));
}

// What the layout has on the key: GLFW's names of keys are those of an American one, and its numbers ASCII's.
int keyOfLayout(int key, int scancode) {
  constexpr std::string_view kOthers = "`-=[]\\,;'./";
  const char* const name =
      key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL ? nullptr : glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == 0 || name[1] != 0) return key;
  const char one = name[0];
  if (one >= 'a' && one <= 'z') return one - 'a' + GLFW_KEY_A;
  const bool isNamed =
      (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || kOthers.find(one) != std::string_view::npos;
  return isNamed ? int(one) : key;
}

// A key of another window than that of Dear ImGui's backend, which asks its own one for Shift, Ctrl and Alt.
void takeKey(int key, int scancode, int action, int modifiers) {
  if (action != GLFW_PRESS && action != GLFW_RELEASE) return;
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & GLFW_MOD_CONTROL) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & GLFW_MOD_SHIFT) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & GLFW_MOD_ALT) != 0);
  io.AddKeyEvent(ImGui_ImplGlfw_KeyToImGuiKey(keyOfLayout(key, scancode), scancode), action == GLFW_PRESS);
}

// The middle of `window` lies on it.
bool holds(GLFWmonitor* monitor, GLFWwindow* window) {
  int left = 0, top = 0, x = 0, y = 0, width = 0, height = 0;
  glfwGetMonitorPos(monitor, &left, &top);
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
  if (mode == nullptr) return false;
  x += width / 2;
  y += height / 2;
  return x >= left && x < left + mode->width && y >= top && y < top + mode->height;
}

// In the middle of a monitor that does not hold the first window; where there is none the window manager
// finds a place.
void place(GLFWwindow* window, GLFWwindow* first) {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    if (holds(monitors[i], first)) continue;
    int left = 0, top = 0, width = 0, height = 0, ownWidth = 0, ownHeight = 0;
    glfwGetMonitorWorkarea(monitors[i], &left, &top, &width, &height);
    glfwGetWindowSize(window, &ownWidth, &ownHeight);
    glfwSetWindowPos(window, left + (width - ownWidth) / 2, top + (height - ownHeight) / 2);
    return;
  }
}

}  // namespace

std::unique_ptr<SecondWindow> SecondWindow::open(GLFWwindow* first, const std::string& title, Events events) {
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until it has its place
  glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // the first window keeps the keyboard
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* const window = glfwCreateWindow(kWidth, kHeight, title.c_str(), nullptr, first);
  if (window == nullptr) return nullptr;
  place(window, first);
  glfwShowWindow(window);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(0);  // the first window's frames alone wait for the monitor
  glfwMakeContextCurrent(first);
  return std::unique_ptr<SecondWindow>(new SecondWindow(first, window, std::move(events)));
}

SecondWindow::SecondWindow(GLFWwindow* first, GLFWwindow* window, Events events)
    : first_(first), window_(window), events_(std::move(events)) {
  const auto happened = [this, told = std::move(events_.happened)] {
    lost_ = true;
    if (told) told();
  };
  events_.happened = happened;
  watchEvents();
}

SecondWindow::~SecondWindow() {
  glfwDestroyWindow(window_);
  glfwMakeContextCurrent(first_);
}

void SecondWindow::watchEvents() {
  glfwSetWindowUserPointer(window_, &events_);
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { eventsOf(window).happened(); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { eventsOf(window).happened(); });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) { eventsOf(window).happened(); });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int modifiers) {
    if (key != GLFW_KEY_ESCAPE)
      takeKey(key, scancode, action, modifiers);
    else if (action == GLFW_PRESS)
      glfwSetWindowShouldClose(window, GLFW_TRUE);
    eventsOf(window).happened();
  });
  glfwSetCharModsCallback(window_, [](GLFWwindow* window, unsigned character, int modifiers) {
    if (eventsOf(window).character) eventsOf(window).character(character, modifiers);
  });
}

ImVec2 SecondWindow::size() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return {float(width), float(height)};
}

bool SecondWindow::shouldClose() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }

bool SecondWindow::hasKeyboard() const { return glfwGetWindowAttrib(window_, GLFW_FOCUSED) == GLFW_TRUE; }

void SecondWindow::raise() {
  glfwRestoreWindow(window_);
  glfwFocusWindow(window_);
}

bool SecondWindow::takePictureLost() { return std::exchange(lost_, false); }

void SecondWindow::show(ImDrawData& data, ImU32 ground) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (width <= 0 || height <= 0) return;
  glfwMakeContextCurrent(window_);
  glViewport(0, 0, width, height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  if (data.DisplaySize.x > 0)
    data.FramebufferScale = {float(width) / data.DisplaySize.x, float(height) / data.DisplaySize.y};
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glfwSwapBuffers(window_);
  glfwMakeContextCurrent(first_);
}

}  // namespace stridescope::shell
