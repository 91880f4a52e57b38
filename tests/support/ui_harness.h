// Drives an App without a display: Dear ImGui Test Engine clicks, types and looks, as fast as it can.
//
//   UiHarness ui(app);
//   ui.run("steps with the keyboard", [&](ImGuiTestContext* test) {
//     test->KeyPress(ImGuiKey_RightArrow);
//     IM_CHECK_EQ(app.round(), 1);
//   });
// A check that fails inside the function, or an item that is not found, becomes a GoogleTest failure with the
// log.
#pragma once

#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <memory>
#include <string>

#include "shell/frame.h"
#include "shell/graphics_context.h"

namespace stridescope::support {

class UiHarness {
 public:
  // Nothing is drawn: grids are recorded (grids()) and texts logged (texts()).
  explicit UiHarness(shell::App& app, shell::PixelSize size = {1600, 1000}, float scale = 1.0f);
  ~UiHarness();
  UiHarness(const UiHarness&) = delete;
  UiHarness& operator=(const UiHarness&) = delete;

  // Runs `steps` as the engine's coroutine, a frame at a time in turn with the app, until they are done.
  void run(const std::string& name, std::function<void(ImGuiTestContext*)> steps);

  // Frames without any input.
  void drawFrames(int count);

  // What the latest frame painted and wrote.
  const draw::PaintedGrid* findGrid(const std::string& name) const;  // null when it was not painted
  const draw::TextLog& texts() const { return *texts_; }
  shell::FrameRunner& runner() { return *runner_; }
  // For what a keyboard types; Dear ImGui's own keys and characters go through ImGuiIO.
  shell::KeyInput& keys() { return graphics_.keys(); }

 private:
  shell::App& app_;
  shell::NullContext graphics_;
  std::unique_ptr<shell::FrameRunner> runner_;
  ImGuiTestEngine* engine_ = nullptr;
  const draw::TextLog* texts_ = nullptr;
};

}  // namespace stridescope::support
