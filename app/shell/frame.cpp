#include "shell/frame.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "shell/frame_target.h"
#include "shell/image.h"
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

bool FrameRunner::isShown(const ImDrawData& data, ImU32 ground) {
  if (!graphics_.keepsPicture()) return false;
  std::swap(content_, shown_);
  const bool isComplete = content_.take(data, ground, grids_->uploads());
  const bool isLost = graphics_.takePictureLost();
  return isComplete && !isLost && content_ == shown_;
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
    if (!isShown(data, ground)) graphics_.endFrame(data, ground);
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
  const bool isComplete = secondContent_.take(data, ground, grids_->uploads());
  const bool isLost = graphics_.takeSecondLost();
  if (!isComplete || isLost || !(secondContent_ == secondShown_)) graphics_.endSecond(data, ground);
}

template <typename Value>
void FrameContent::add(const Value* values, std::size_t count) {
  if (count == 0) return;
  const std::size_t before = bytes_.size();
  bytes_.resize(before + count * sizeof(Value));
  std::memcpy(bytes_.data() + before, values, count * sizeof(Value));
}

bool FrameContent::take(const ImDrawData& data, ImU32 ground, std::size_t uploads) {
  bytes_.clear();
  if (data.Textures != nullptr)
    for (const ImTextureData* const texture : *data.Textures)
      if (texture->Status != ImTextureStatus_OK) return false;
  add(&ground, 1);
  add(&uploads, 1);
  for (const ImVec2& part : {data.DisplayPos, data.DisplaySize, data.FramebufferScale}) add(&part, 1);
  for (const ImDrawList* const list : data.CmdLists) {
    add(list->VtxBuffer.Data, std::size_t(list->VtxBuffer.Size));
    add(list->IdxBuffer.Data, std::size_t(list->IdxBuffer.Size));
    for (const ImDrawCmd& command : list->CmdBuffer) {
      add(&command.ClipRect, 1);
      add(&command.TexRef, 1);
      for (const unsigned number : {command.VtxOffset, command.IdxOffset, command.ElemCount}) add(&number, 1);
      add(&command.UserCallback, 1);
      if (command.UserCallbackDataSize > 0)
        add(static_cast<const std::byte*>(command.UserCallbackData),
            std::size_t(command.UserCallbackDataSize));
    }
  }
  return true;
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
