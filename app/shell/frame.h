// One frame of an App, drawn the same way into a window, a picture and a test; and when a window draws one.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "draw/text.h"
#include "imgui.h"
#include "shell/docking.h"
#include "shell/frame_content.h"
#include "shell/graphics_context.h"
#include "shell/key_input.h"
#include "shell/layout_file.h"

struct ImGuiContext;
struct ImPlotContext;

namespace stridescope::shell {

// What the shell runs: the same in a window, in a headless picture and in a test.

class DockSpace;
class KeyInput;
class PointerRest;

// How the person wants the window to look; asked for before every frame.
struct Appearance {
  draw::Theme theme = draw::Theme::Dark;
  float textSize = 1.0f;    // kSmallestTextSize ... kGreatestTextSize; everything grows with it
  float scale = 0;          // pixels a unit, in place of the monitor's scale and the text size; 0: those
  bool fullscreen = false;  // ignored where there is no window
};

inline constexpr float kSmallestTextSize = 0.5f;
inline constexpr float kGreatestTextSize = 3.0f;

// What a second window shows, in one list of its own.
struct SecondPicture {
  ImDrawList& list;
  ImVec2 size;  // in Dear ImGui's coordinates
  bool hasKeyboard = false;
};

// One frame's ground.
struct Frame {
  draw::DrawContext& draw;
  DockSpace& docks;
  KeyInput& keys;
  PointerRest& pointer;
  ImVec2 size;                      // the window's, in Dear ImGui's coordinates
  double seconds = 0;               // since the first frame; without a window 1/60 per frame
  SecondPicture* second = nullptr;  // to be drawn, too, while there is a second window
};

// A part of the next frame, which is drawn into memory in place of the window.
struct PictureRequest {
  ImVec2 min, max;       // in Dear ImGui's coordinates; what lies outside the window is left out
  unsigned density = 1;  // pixels of the picture for one of the screen, either way
};

// All calls come on the window's thread.
class App {
 public:
  virtual ~App() = default;

  // Draws the whole window with Dear ImGui; between NewFrame and Render.
  virtual void drawFrame(Frame& frame) = 0;

  virtual Appearance appearance() const { return {}; }

  // True while something moves or a job's news is waiting. Asked after each frame and whenever the window
  // has slept: cheap, please.
  virtual bool wantsFrameSoon() const { return false; }
  // In so many seconds wantsFrameSoon() may have become true though nobody has rung the window's bell;
  // infinite: it does not.
  virtual double looksAgainIn() const { return std::numeric_limits<double>::infinity(); }

  virtual std::string title() const { return "Stridescope"; }

  // The title of a second window, for what the first does not show; nullopt: none is wanted.
  virtual std::optional<std::string> secondTitle() const { return std::nullopt; }
  // The person closed it, or the display has none: it is wanted no more.
  virtual void onSecondClosed() {}
  // It shall come before other windows.
  virtual bool takeSecondRaise() { return false; }

  // Tells something about the window itself that the person should know, as a sentence. It is called before
  // the first frame.
  virtual void onNotice(const std::string& sentence) { (void)sentence; }

  // A file was dropped on the window.
  virtual void onDrop(const std::filesystem::path& path) { (void)path; }

  // True when the app itself wants the window closed (File, Quit).
  virtual bool wantsToClose() const { return false; }

  // Asked for before each frame; the picture comes after it. It has no pixels where nothing was drawn.
  virtual std::optional<PictureRequest> takePictureRequest() { return std::nullopt; }
  virtual void onPicture(Result<Image> picture) { (void)picture; }

  // Once, when the window closes, whoever closed it.
  virtual void saveState() {}
};

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

// Owns a Dear ImGui and an ImPlot context, the fonts, the style and the painters. One at a time is current;
// the graphics context must outlive it.
class FrameRunner {
 public:
  static Result<std::unique_ptr<FrameRunner>> create(GraphicsContext& graphics,
                                                     const FrameOptions& options = {});
  ~FrameRunner();
  FrameRunner(const FrameRunner&) = delete;
  FrameRunner& operator=(const FrameRunner&) = delete;

  // Draws one frame, as the app's appearance asks, and shows what of it is not shown already.
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
  void show(ImDrawData& data, ImU32 ground);
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

// When the window draws: not at all while nothing happens, and never faster than a monitor shows.

// All times are seconds of one clock that only goes forward.
class FramePacer {
 public:
  // Input, a resize: something that the frames should answer to.
  void wake(double now);

  // Data changed that a frame shows, such as a job's or timing's. A frame is due, and when no more news come,
  // one for the layout that follows from it.
  void news(double now);

  // A frame was begun. `wantsMore`: what it shows goes on moving (App::wantsFrameSoon). `changesIn`: another
  // frame is due after so many seconds, because what it shows changes by itself then; infinite: it does not.
  void frameBegun(double now, bool wantsMore, double changesIn = std::numeric_limits<double>::infinity());

  // Whether anybody can see the window. One that is minimised draws nothing, whatever wakes it; what happened
  // meanwhile is drawn as soon as it is seen again.
  void setVisible(bool visible, double now);

  bool frameDue(double now) const { return secondsToWait(now) <= 0; }

  // How long the loop may sleep for events before it asks again; kUntilAnEvent when nothing is planned.
  double secondsToWait(double now) const;

  static constexpr double kShortestFrame = 1.0 / 60;
  static constexpr double kUntilAnEvent = std::numeric_limits<double>::infinity();

  // Dear ImGui needs a frame to see an event, one to act on it and one to lay out what came of it.
  static constexpr int kFramesAfterWake = 3;

  static constexpr double kSettled = 0.1;  // after news

  // And later ones: tooltips wait for the pointer to rest, first 0.15 s and then up to 0.4 s more.
  static constexpr double kLateFrames[] = {0.2, 0.45, 0.7};

 private:
  double lastFrame_ = -1;
  double wokenAt_ = -1, newsAt_ = -1;
  double changesAt_ = std::numeric_limits<double>::infinity();
  int framesLeft_ = kFramesAfterWake;
  bool wantsMore_ = false, visible_ = true;
};

// Memory that OpenGL draws into in place of a window.

// Belongs to the current context.
class FrameTarget {
 public:
  FrameTarget() = default;
  FrameTarget(const FrameTarget&) = delete;
  FrameTarget& operator=(const FrameTarget&) = delete;
  ~FrameTarget();

  // Errors: larger than this machine's OpenGL draws, no memory for it.
  Result<void> create(PixelSize size);

  // Clears it to `ground` and draws the frame. Another target is bound afterwards as it was before.
  void draw(ImDrawData& data, ImU32 ground) const;
  Image read() const;

 private:
  PixelSize size_;
  unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace stridescope::shell
