#include "views/chrome/workbench.h"

#include "base/plain_text.h"
#include "draw/metrics.h"
#include "imgui_internal.h"
#include "shell/default_layout.h"
#include "shell/docking.h"
#include "views/chrome/caption_view.h"
#include "views/chrome/command_table.h"
#include "views/chrome/experiment_bar.h"
#include "views/chrome/menu_bar.h"
#include "views/chrome/message_strip.h"
#include "views/chrome/transport_view.h"
#include "views/maps/banks_view.h"
#include "views/maps/divergence_view.h"
#include "views/maps/lanes_view.h"

namespace stridescope::views {
namespace {

constexpr float kMenuHeight = 28, kCaptionHeight = 75, kTransportTop = 82;

// A fixed strip of the window, outside the dock space.
bool beginStrip(const char* name, ImVec2 min, ImVec2 max, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::Begin(name, nullptr,
                                  ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus | flags);
  ImGui::PopStyleVar();
  return shown;
}

// Of the panel where the last frame drew it; an empty one where it is behind another tab.
shell::PictureWish pictureOf(const session::SavePicture& wish) {
  const ImGuiWindow* window = ImGui::FindWindowByName(wish.panel.c_str());
  if (window == nullptr || window->Hidden) return {wish.path, {}, {}};
  return {wish.path, window->Pos, {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}};
}

}  // namespace

Workbench::Workbench(session::Session& session, std::function<void(const session::Settings&)> saveSettings)
    : session_(session), saveSettings_(std::move(saveSettings)) {
  const auto stale = [this] { lit_.stale = true; };
  litChanges_ = session_.replay().observe(
      {.loaded = stale, .closed = stale, .moved = stale, .selectionChanged = stale});
}

shell::Appearance Workbench::appearance() const {
  return {.theme = session_.app().settings().theme == session::ThemeName::Light ? draw::Theme::Light
                                                                                : draw::Theme::Dark,
          .textSize = float(session_.app().settings().textSize) / 100.0f,
          .fullscreen = session_.app().fullscreen()};
}

std::string Workbench::title() const {
  const kernels::Variant* variant = kernels::findVariant(session_.workspace().experiment().variant);
  return variant == nullptr ? "Stridescope" : "Stridescope · " + std::string(variant->title);
}

void Workbench::onNotice(const std::string& sentence) { notice_ = sentence; }

// When nothing else is being told: what starts with the window begins by taking messages away.
void Workbench::tellNotice() {
  if (notice_.empty() || session_.app().message() || session_.workspace().job()) return;
  session_.app().tell({.kind = session::MessageKind::ToDo, .sentence = std::exchange(notice_, {})});
}

void Workbench::onDrop(const std::filesystem::path& path) {
  const std::string kind = path.extension().string();
  if (kind == ".txt" || kind == ".csv" || kind == ".json")
    session_.apply(session::OpenData{path.string()});
  else
    session_.apply(session::OpenRecording{path.string()});
}

void Workbench::drawFrame(shell::Frame& frame) {
  session_.update(frame.seconds - lastSeconds_);
  lastSeconds_ = frame.seconds;
  tellNotice();
  applyPressed(session_, frame.keys);
  if (session_.app().takeLayoutReset()) frame.docks.reset();
  if (const auto wish = session_.app().takePictureWish()) picture_ = pictureOf(*wish);
  if (const auto text = session_.app().takeCopiedText())
    ImGui::SetClipboardText(printable(*text, Lines::Many).c_str());

  if (std::exchange(lit_.stale, false)) {
    lit_.twins = Twins(session_.replay());
    lit_.trouble = troubleMarks(session_.replay());
  }
  session::Commands commands;
  ViewContext view{session_.parts(), frame.draw, commands, lit_.twins, lit_.trouble};
  const float gap = view.px(draw::kPanelGap), inset = view.px(draw::kPanelInset);
  const ImVec2 size = frame.size;
  float top = view.px(shell::kTopBarHeight);

  if (beginStrip("##bar", {0, 0}, {size.x, top}, ImGuiWindowFlags_MenuBar)) {
    drawMenuBar(view);
    drawExperimentBar(view, {gap + view.px(8), view.px(kMenuHeight + 4)}, {size.x - gap - view.px(4), top});
  }
  ImGui::End();
  if (session_.app().message()) {
    const float bottom = top + view.px(kMessageHeight);
    if (beginStrip("##message", {gap, top}, {size.x - gap, bottom}))
      drawMessageStrip(view, {gap, top}, {size.x - gap, bottom});
    ImGui::End();
    top = bottom;
  }

  const float units = 1 / frame.draw.scale;
  const shell::NamedLayout layout = shell::defaultLayout(size.x * units, size.y * units);
  const float bottomHeight = view.px(shell::kTransportHeight);
  frame.docks.draw(layout.name, layout.layout, top, bottomHeight, gap, frame.draw.scale);
  refreshTimings(session_.workspace(), session_.measurements(), timings_);
  drawLadder(view, ladder_, timings_.rungs);
  drawSharedMemory(view, sharedMemory_);
  drawLanes(view);
  drawDivergence(view);
  drawBanks(view);
  drawSource(view, source_);
  drawTimings(view, timings_);

  const ImVec2 stripMin{gap, size.y - bottomHeight}, stripMax{size.x - gap, size.y - gap};
  if (beginStrip("##transport", stripMin, stripMax)) {
    ImGui::GetWindowDrawList()->AddRectFilled(stripMin, stripMax, view.colours().panel,
                                              view.px(draw::kPanelRadius));
    const ImVec2 min{stripMin.x + inset + view.px(4), stripMin.y + view.px(8)};
    const float right = stripMax.x - inset;
    drawCaption(view, min, {right, stripMin.y + view.px(kCaptionHeight)});
    drawTransport(view, {min.x, stripMin.y + view.px(kTransportTop)}, {right, stripMax.y});
  }
  ImGui::End();
  drawOverlay(view, overlay_, timings_.rungs, size);
  session_.apply(commands);
}

}  // namespace stridescope::views
