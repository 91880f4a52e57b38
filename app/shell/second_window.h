// A second window of the desktop beside the first: it shows a picture and has no controls. Keys that are
// pressed in it are the first window's, but for Escape, which closes it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "imgui.h"

struct GLFWwindow;

namespace stridescope::shell {

class SecondWindow {
 public:
  struct Events {
    std::function<void(unsigned character, int modifiers)> character = {};  // GLFW's
    std::function<void()> happened = {};                                    // a frame is due
  };

  // On another monitor than `first` where there is one. It draws with the textures of `first`, whose OpenGL
  // context stays current. Null where the display opens no second window.
  static std::unique_ptr<SecondWindow> open(GLFWwindow* first, const std::string& title, Events events);
  ~SecondWindow();
  SecondWindow(const SecondWindow&) = delete;
  SecondWindow& operator=(const SecondWindow&) = delete;

  ImVec2 size() const;  // in Dear ImGui's coordinates
  bool shouldClose() const;
  bool hasKeyboard() const;
  void raise();  // before other windows, with the keyboard

  // The picture was lost since the last call, or has another size.
  bool takePictureLost();

  // Between ends of frames of the first window, which have uploaded what `data` is drawn with.
  void show(ImDrawData& data, ImU32 ground);

 private:
  SecondWindow(GLFWwindow* first, GLFWwindow* window, Events events);
  void watchEvents();

  GLFWwindow *first_, *window_;
  Events events_;
  bool lost_ = true;
};

}  // namespace stridescope::shell
