#include "shell/frame.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <chrono>

#include "shell/font_loader.h"
#include "shell/frame_capture.h"
#include "shell/image.h"
#include "shell/theme.h"

namespace stridescope::shell {
namespace {

// Dear ImGui applies a layout in the first frame, and draws all of it in the second.
constexpr int kFramesOfAStart = 2;

Result<void> writeCapture(const PictureRequest& request, const FrameCapture& capture) {
  if (capture.picture().rgba.empty())
    return unavailable("Nothing could be saved as " + request.path.string() +
                       ": the panel is not on screen. Bring it to the front and save again.");
  return writePng(request.path, capture.picture(), request.overwrite);
}

// The smallest value that at least `percent` of the sorted values do not exceed.
double nearestRank(const double* sorted, std::size_t count, std::size_t percent) {
  const std::size_t rank = (count * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

FrameRunner::FrameRunner(GraphicsContext& graphics) : graphics_(graphics) {}

Result<std::unique_ptr<FrameRunner>> FrameRunner::create(GraphicsContext& graphics,
                                                         const FrameOptions& options) {
  std::unique_ptr<FrameRunner> runner(new FrameRunner(graphics));
  if (auto started = runner->start(options); !started) return tl::unexpected(started.error());
  return runner;
}

Result<void> FrameRunner::start(const FrameOptions& options) {
  imgui_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(imgui_);
  implot_ = ImPlot::CreateContext();
  ImPlot::SetCurrentContext(implot_);

  ImGuiIO& io = ImGui::GetIO();
  if (options.layoutFile) layoutFile_ = LayoutFile(*options.layoutFile, dockSpaceId());
  io.IniFilename = layoutFile_.path().empty() ? nullptr : layoutFile_.path().c_str();
  if (!layoutFile_.text().empty())
    ImGui::LoadIniSettingsFromMemory(layoutFile_.text().data(), layoutFile_.text().size());
  imgui_->SettingsLoaded =
      true;  // what was read is what was checked: Dear ImGui does not read the file itself
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_DockingEnable;
  // Its list of windows names some of them (Untitled), and goes through bars and overlays: the window has its
  // own, of panels.
  imgui_->ConfigNavWindowingKeyNext = imgui_->ConfigNavWindowingKeyPrev = 0;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep an idle window drawing

  LoadedFonts loaded =
      loadFonts(*io.Fonts, options.fontFolders.empty() ? fontFolders() : options.fontFolders);
  draw_.fonts = loaded.fonts;
  missingFonts_ = std::move(loaded.missing);

  if (auto backends = graphics_.startBackends(); !backends) return tl::unexpected(backends.error());
  backendsStarted_ = true;
  if (graphics_.hasOpenGl()) {
    auto painter = draw::GridPainter::withOpenGl();
    if (!painter) {
      return unavailable("This machine's OpenGL did not accept the window's shaders (" +
                             graphics_.description() + "). Update the graphics driver.",
                         painter.error());
    }
    grids_ = *std::move(painter);
  } else {
    grids_ = draw::GridPainter::recordingOnly();
  }
  draw_.grids = grids_.get();
  return {};
}

FrameRunner::~FrameRunner() {
  if (imgui_ == nullptr) return;
  ImGui::SetCurrentContext(imgui_);
  ImPlot::SetCurrentContext(implot_);
  grids_.reset();
  if (backendsStarted_) graphics_.stopBackends();
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
}

void FrameRunner::applyAppearance(const Appearance& appearance) {
  const float textSize = std::clamp(appearance.textSize, kSmallestTextSize, kGreatestTextSize);
  const float scale = appearance.scale > 0 ? appearance.scale : graphics_.monitorScale() * textSize;
  if (appliedTheme_ == appearance.theme && appliedScale_ == scale) return;
  appliedTheme_ = appearance.theme;
  appliedScale_ = scale;
  draw_.theme = appearance.theme;
  draw_.scale = scale;
  applyTheme(ImGui::GetStyle(), appearance.theme, scale);
  applyPlotTheme(appearance.theme, scale);
}

void FrameRunner::run(App& app) {
  const auto begun = std::chrono::steady_clock::now();
  if (framesDrawn_ == 0 && !layoutFile_.note().empty()) app.onNotice(layoutFile_.note());
  ImGui::SetCurrentContext(imgui_);
  ImPlot::SetCurrentContext(implot_);
  applyAppearance(app.appearance());
  graphics_.beginFrame();
  grids_->beginFrame();
  if (draw_.textLog != nullptr) draw_.textLog->beginFrame();

  const ImGuiIO& io = ImGui::GetIO();
  const bool elsewhere =
      io.WantTextInput || imgui_->OpenPopupStack.Size > 0;  // text and menus take every press
  graphics_.keys().beginFrame(imgui_->InputEventsQueue, io.KeyMods, !elsewhere);
  ImGui::NewFrame();
  graphics_.keys().restore(imgui_->InputEventsQueue);
  seconds_ += static_cast<double>(io.DeltaTime);
  Frame frame{draw_, docks_, graphics_.keys(), io.DisplaySize, seconds_};
  app.drawFrame(frame);
  const std::optional<PictureRequest> request = app.takePictureRequest();
  std::optional<FrameCapture> capture;
  if (request) capture.emplace(request->min, request->max);
  ImGui::Render();

  graphics_.endFrame(*ImGui::GetDrawData(), draw_.colours().window);
  if (request) app.onPictureWritten(*request, writeCapture(*request, *capture));
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun;
  times_.add(taken.count());
  if (framesDrawn_ < kFramesOfAStart && ++framesDrawn_ == kFramesOfAStart) layoutFile_.setStarted();
}

void FrameTimes::add(double ms) {
  ms_[next_] = ms;
  next_ = (next_ + 1) % kFramesKept;
  kept_ = std::min(kept_ + 1, kFramesKept);
}

FrameTimeSummary FrameTimes::summary() const {
  if (kept_ == 0) return {};
  std::array<double, kFramesKept> sorted = ms_;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept_));
  return {kept_, nearestRank(sorted.data(), kept_, 50), nearestRank(sorted.data(), kept_, 95),
          sorted[kept_ - 1]};
}

}  // namespace stridescope::shell
