#include "shell/frame.h"

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "shell/graphics_context.h"
#include "shell/theme.h"

namespace stridescope::shell {
namespace {

// Dear ImGui applies a layout in the first frame, and draws all of it in the second.
constexpr int kFramesOfAStart = 2;

// The frame, of which the request wants a part.
Result<Image> pictureOf(const GraphicsContext& graphics, const PictureRequest& request, ImU32 ground) {
  if (!graphics.hasOpenGl()) return unavailable("Without OpenGL there is no picture.");
  ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 scale = data.FramebufferScale;
  FrameTarget target;
  STRIDESCOPE_TRY(target.create({int(data.DisplaySize.x * scale.x), int(data.DisplaySize.y * scale.y)}));
  target.draw(data, ground);
  return cropped(target.read(), {std::floor(request.min.x * scale.x), std::floor(request.min.y * scale.y)},
                 {std::ceil(request.max.x * scale.x), std::ceil(request.max.y * scale.y)});
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
  second_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
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
  // Dear ImGui's list of windows names some of them (Untitled), and goes through bars and overlays; the
  // window has its own list of panels.
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
  second_.reset();  // it stands in Dear ImGui's list of all lists
  if (backendsStarted_) graphics_.stopBackends();
  docks_.endBeside();
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

// Where it was drawn before and has changed in parts, those alone are drawn.
void FrameRunner::show(ImDrawData& data, ImU32 ground) {
  if (!graphics_.keepsPicture()) return graphics_.endFrame(data, ground);
  std::swap(content_, shown_);
  const bool isComplete = content_.take(data, ground);
  const bool isLost = graphics_.takePictureLost();
  const auto changed = isComplete && !isLost ? content_.changedSince(shown_) : std::nullopt;
  grids_->setMirrored(graphics_.isMirrored());
  if (!changed)
    graphics_.endFrame(data, ground);
  else if (!changed->empty())
    graphics_.endFrameIn(*changed, data, ground);
  grids_->setMirrored(false);
}

void FrameRunner::run(App& app) {
  const auto begun = std::chrono::steady_clock::now();
  if (framesDrawn_ == 0 && !layoutFile_.note().empty()) app.onNotice(layoutFile_.note());
  ImGui::SetCurrentContext(imgui_);
  ImPlot::SetCurrentContext(implot_);
  applyAppearance(app.appearance());
  const std::optional<PictureRequest> request = app.takePictureRequest();
  graphics_.beginFrame();
  grids_->beginFrame();
  if (draw_.textLog != nullptr) draw_.textLog->beginFrame();

  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 screenScale = io.DisplayFramebufferScale;
  if (request) {  // the same layout, with finer letters and lines
    io.DisplayFramebufferScale.x *= float(request->density);
    io.DisplayFramebufferScale.y *= float(request->density);
  }
  const bool elsewhere =
      io.WantTextInput || imgui_->OpenPopupStack.Size > 0;  // text and menus take every press
  graphics_.keys().beginFrame(imgui_->InputEventsQueue, io.KeyMods, !elsewhere);
  ImGui::NewFrame();
  // Dear ImGui tells it only to fonts that are pushed; the painters take the others as they are.
  for (ImFont* const font : io.Fonts->Fonts) font->CurrentRasterizerDensity = io.DisplayFramebufferScale.x;
  graphics_.keys().restore(imgui_->InputEventsQueue);
  seconds_ += static_cast<double>(io.DeltaTime);
  pointer_.beginFrame(seconds_, graphics_.hasPointerMoved());
  const std::optional<std::string> title = app.secondTitle();
  const std::optional<ImVec2> secondSize = graphics_.secondWindow(title ? &*title : nullptr);
  if (title && !secondSize) app.onSecondClosed();
  if (secondSize) beginSecond(*secondSize);
  if (app.takeSecondRaise() && secondSize) graphics_.raiseSecond();
  SecondPicture second{*second_, secondSize.value_or(ImVec2()), secondSize && graphics_.hasSecondKeyboard()};
  Frame frame{
      draw_, docks_, graphics_.keys(), pointer_, io.DisplaySize, seconds_, secondSize ? &second : nullptr};
  app.drawFrame(frame);
  ImGui::Render();

  const ImU32 ground = draw_.colours().window;
  if (request) {
    app.onPicture(pictureOf(graphics_, *request, ground));
    io.DisplayFramebufferScale = screenScale;
  } else {
    ImDrawData& data = *ImGui::GetDrawData();
    show(data, ground);
    if (secondSize) showSecond(*secondSize, ground);
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun;
  times_.add(taken.count());
  if (framesDrawn_ < kFramesOfAStart && ++framesDrawn_ == kFramesOfAStart) layoutFile_.setStarted();
}

// Dear ImGui begins the lists of its own windows alike.
void FrameRunner::beginSecond(ImVec2 size) {
  second_->_ResetForNewFrame();
  second_->PushTexture(ImGui::GetIO().Fonts->TexRef);
  second_->PushClipRect({0, 0}, size);
}

// The fonts' texture is the first window's, whose frame has uploaded it.
void FrameRunner::showSecond(ImVec2 size, ImU32 ground) {
  ImDrawData data;
  data.Valid = true;
  data.DisplaySize = size;
  data.FramebufferScale = {1, 1};
  data.AddDrawList(second_.get());
  std::swap(secondContent_, secondShown_);
  const bool isComplete = secondContent_.take(data, ground);
  const bool isLost = graphics_.takeSecondLost();
  const auto changed = isComplete && !isLost ? secondContent_.changedSince(secondShown_) : std::nullopt;
  if (!changed || !changed->empty()) graphics_.endSecond(data, ground);
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

void FramePacer::wake(double now) {
  framesLeft_ = kFramesAfterWake;
  wokenAt_ = now;
}

void FramePacer::news(double now) {
  framesLeft_ = std::max(framesLeft_, 1);
  newsAt_ = now;
}

void FramePacer::frameBegun(double now, bool wantsMore, double changesIn) {
  framesLeft_ = std::max(0, framesLeft_ - 1);
  wantsMore_ = wantsMore;
  lastFrame_ = now;
  changesAt_ = now + changesIn;
}

void FramePacer::setVisible(bool visible, double now) {
  if (visible && !visible_) wake(now);
  visible_ = visible;
}

double FramePacer::secondsToWait(double now) const {
  if (!visible_) return kUntilAnEvent;
  const double untilNext = lastFrame_ < 0 ? 0 : std::max(0.0, lastFrame_ + kShortestFrame - now);
  if (framesLeft_ > 0 || wantsMore_) return untilNext;
  double wait = kUntilAnEvent;
  const auto frameAt = [&](double due) {
    if (lastFrame_ < due) wait = std::min(wait, std::max(untilNext, due - now));
  };
  if (wokenAt_ >= 0)
    for (const double late : kLateFrames) frameAt(wokenAt_ + late);
  if (newsAt_ >= 0) frameAt(newsAt_ + kSettled);
  frameAt(changesAt_);
  return wait;
}

FrameTarget::~FrameTarget() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_ != 0) glDeleteTextures(1, &texture_);
}

Result<void> FrameTarget::create(PixelSize size) {
  size_ = size;
  GLint greatest = 0, before = 0, texture = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &greatest);
  if (size_.width > greatest || size_.height > greatest) {
    return usageError("A picture of " + std::to_string(size_.width) + " x " + std::to_string(size_.height) +
                      " pixels is larger than this machine's OpenGL draws: " + std::to_string(greatest) +
                      " either way.");
  }
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size_.width, size_.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
  glBindTexture(GL_TEXTURE_2D, GLuint(texture));
  if (complete) return {};
  return unavailable("OpenGL has no memory for a picture of " + std::to_string(size_.width) + " x " +
                     std::to_string(size_.height) + " pixels. Ask for a smaller one.");
}

void FrameTarget::draw(ImDrawData& data, ImU32 ground) const {
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_.width, size_.height);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
}

Image FrameTarget::read() const {
  Image image{size_, {}};
  const std::size_t rowBytes = std::size_t(size_.width) * 4;
  image.rgba.resize(rowBytes * std::size_t(size_.height));
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
  const auto row = [&](int y) { return image.rgba.begin() + std::ptrdiff_t(rowBytes) * y; };
  for (int y = 0; y < size_.height / 2; ++y)  // OpenGL's rows go up
    std::swap_ranges(row(y), row(y + 1), row(size_.height - 1 - y));
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace stridescope::shell
