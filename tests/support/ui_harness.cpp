#include "support/ui_harness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fiber_coroutine.h"

namespace stridescope::support {
namespace {

using Steps = std::function<void(ImGuiTestContext*)>;

void runSteps(ImGuiTestContext* context) { (*static_cast<Steps*>(context->Test->UserData))(context); }

}  // namespace

UiHarness::UiHarness(shell::App& app, shell::PixelSize size, float scale)
    : app_(app), graphics_(size, scale) {
  auto runner = shell::FrameRunner::create(graphics_);
  if (!runner) {
    ADD_FAILURE() << runner.error().sentence;
    return;
  }
  runner_ = *std::move(runner);
  texts_ = &runner_->startTextLog();
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigSavedSettings = false;
  io.ConfigCaptureEnabled = false;
  io.ConfigNoThrottle = true;
  io.ConfigMouseDrawCursor = false;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
#if !defined(__SANITIZE_ADDRESS__)  // GCC alone compiles tests with it
  io.CoroutineFuncs = fiberCoroutines();
#endif
  ImGuiTestEngine_Start(engine_, runner_->imgui());
}

UiHarness::~UiHarness() {
  if (engine_ == nullptr) return;
  ImGuiTestEngine_Stop(engine_);
  runner_.reset();  // the engine's context must outlive Dear ImGui's
  ImGuiTestEngine_DestroyContext(engine_);
}

void UiHarness::drawFrames(int count) {
  for (int i = 0; i < count; ++i) {
    runner_->run(app_);
    ImGuiTestEngine_PostSwap(engine_);
  }
}

void UiHarness::run(const std::string& name, Steps steps) {
  if (engine_ == nullptr) return;
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, "stridescope", name.c_str());
  test->UserData = &steps;
  test->TestFunc = &runSteps;
  ImGuiTestEngine_QueueTest(engine_, test);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) drawFrames(1);
  if (test->Output.Status != ImGuiTestStatus_Success) {
    ImGuiTextBuffer log;
    test->Output.Log.ExtractLinesForVerboseLevels(ImGuiTestVerboseLevel_Silent, ImGuiTestVerboseLevel_Info,
                                                  &log);
    ADD_FAILURE() << "'" << name << "' failed:\n" << log.c_str();
  }
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

const draw::PaintedGrid* UiHarness::findGrid(const std::string& name) const {
  const auto& painted = runner_->grids().painted();
  const auto found = std::find_if(painted.begin(), painted.end(),
                                  [&](const draw::PaintedGrid& grid) { return grid.name == name; });
  return found == painted.end() ? nullptr : &*found;
}

}  // namespace stridescope::support
