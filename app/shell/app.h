// What the shell runs: the same in a window, in a headless picture and in a test.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "draw/draw_context.h"
#include "draw/palette.h"
#include "imgui.h"
#include "shell/image.h"

namespace stridescope::shell {

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

  // True while something moves or a job's news is waiting. Asked after each frame and, while the window
  // sleeps, at least every FramePacer::kLongestSleep: cheap, please.
  virtual bool wantsFrameSoon() const { return false; }

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

}  // namespace stridescope::shell
