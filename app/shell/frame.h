// One frame of an App, drawn the same way into a window, a picture and a test.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "draw/text.h"
#include "shell/app.h"
#include "shell/docking.h"
#include "shell/graphics_context.h"
#include "shell/key_input.h"
#include "shell/layout_file.h"

struct ImGuiContext;
struct ImPlotContext;

namespace stridescope::shell {

struct FrameOptions {
  // Where a person's docking is kept (layout_file.h); nothing is read or written without it, or where
  // something else than a file has that name. Its folder must exist.
  std::optional<std::filesystem::path> layoutFile = {};
  // fontFolders() when empty.
  std::vector<std::filesystem::path> fontFolders = {};
};

// The name of the file in the configuration folder that FrameOptions::layoutFile should be.
inline constexpr const char* kLayoutFileName = "layout-2.ini";

// How long the latest frames took.
struct FrameTimeSummary {
  std::size_t frames = 0;                         // how many the figures below are of
  double medianMs = 0, p95Ms = 0, longestMs = 0;  // nearest rank; 0 without frames
};

class FrameTimes {
 public:
  static constexpr std::size_t kFramesKept = 1024;

  void add(double ms);
  void clear() { kept_ = next_ = 0; }

  // Summarizes the latest kFramesKept frames.
  FrameTimeSummary summary() const;

 private:
  std::array<double, kFramesKept> ms_{};
  std::size_t kept_ = 0, next_ = 0;
};

// All that a frame's picture follows from, as bytes: frames of the same bytes look the same.
class FrameContent {
 public:
  // `uploads`: the grid painter's, for an uploaded texture may have the name of one that is gone. False where
  // something that OpenGL does not have yet is to be drawn: the frame must be.
  [[nodiscard]] bool take(const ImDrawData& data, ImU32 ground, std::size_t uploads);
  bool operator==(const FrameContent&) const = default;

 private:
  template <typename Value>
  void add(const Value* values, std::size_t count);

  std::vector<std::byte> bytes_;
};

// Owns a Dear ImGui and an ImPlot context, the fonts, the style and the painters. One at a time is current;
// the graphics context must outlive it.
class FrameRunner {
 public:
  static Result<std::unique_ptr<FrameRunner>> create(GraphicsContext& graphics,
                                                     const FrameOptions& options = {});
  ~FrameRunner();
  FrameRunner(const FrameRunner&) = delete;
  FrameRunner& operator=(const FrameRunner&) = delete;

  // Draws one frame, as the app's appearance asks, and shows it, unless the same is shown already.
  void run(App& app);

  draw::DrawContext& drawContext() { return draw_; }
  DockSpace& docks() { return docks_; }
  draw::GridPainter& grids() { return *grids_; }

  // Logs every text from the next frame on, until the runner ends.
  draw::TextLog& startTextLog() {
    draw_.textLog = &textLog_;
    return textLog_;
  }

  // PointerRest::restsIn() in the last frame.
  double pointerRestsIn() const { return pointer_.restsIn(); }

  const FrameTimes& times() const { return times_; }
  void clearTimes() { times_.clear(); }
  const std::vector<std::string>& missingFonts() const { return missingFonts_; }
  ImGuiContext* imgui() { return imgui_; }

 private:
  explicit FrameRunner(GraphicsContext& graphics);
  Result<void> start(const FrameOptions& options);
  void applyAppearance(const Appearance& appearance);
  bool isShown(const ImDrawData& data, ImU32 ground);
  void beginSecond(ImVec2 size);
  void showSecond(ImVec2 size, ImU32 ground);

  GraphicsContext& graphics_;
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  bool backendsStarted_ = false;
  LayoutFile layoutFile_;  // Dear ImGui keeps a pointer to its path
  std::vector<std::string> missingFonts_;
  std::unique_ptr<draw::GridPainter> grids_;
  draw::DrawContext draw_;
  DockSpace docks_;
  PointerRest pointer_;
  draw::TextLog textLog_;
  FrameTimes times_;
  FrameContent content_, shown_;  // this frame's, and that of the one before
  std::unique_ptr<ImDrawList> second_;
  FrameContent secondContent_, secondShown_;
  double seconds_ = 0;
  int framesDrawn_ = 0;  // up to kFramesOfAStart
  std::optional<draw::Theme> appliedTheme_;
  float appliedScale_ = 0;
};

}  // namespace stridescope::shell
