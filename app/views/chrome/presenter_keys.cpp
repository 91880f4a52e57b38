#include "views/chrome/presenter_keys.h"

#include "views/chrome/key_focus.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using session::Command;
using session::Parts;
using session::PresenterTool;

const session::TourStop* neighbourStop(const session::AppState& app, int direction) {
  if (!app.tour()) return nullptr;
  const auto& stops = app.tour()->stops;
  const std::size_t stop = app.tourStop();
  if (direction > 0) return stop + 1 < stops.size() ? &stops[stop + 1] : nullptr;
  return stop > 0 ? &stops[stop - 1] : nullptr;
}

bool isAtEnd(const Parts& parts, int direction) {
  return direction > 0 ? parts.replay.atLast() : parts.replay.atFirst();
}

// A black screen gives way first, so that nothing is stepped over unseen. Beyond the last round the tour goes
// on.
Command stepOf(const Parts& parts, int direction) {
  if (parts.app.isOn(PresenterTool::Black)) return session::UseTool{PresenterTool::Black};
  if (isAtEnd(parts, direction)) return session::StepStop{direction};
  if (direction > 0) return session::StepForward{};
  return session::StepBack{};
}

CommandEntry stepEntry(const char* name, int direction, ImGuiKeyChord keys, ImGuiKeyChord otherKeys) {
  return {.menu = "Run",
          .name = name,
          .also = "remote",
          .keys = keys,
          .otherKeys = otherKeys,
          .make = [direction](const Parts& parts) { return stepOf(parts, direction); },
          .enabled =
              [direction](const Parts& parts) {
                return parts.app.isOn(PresenterTool::Black) || !isAtEnd(parts, direction) ||
                       neighbourStop(parts.app, direction) != nullptr;
              },
          .repeats = true,
          .mode = session::Mode::Present};
}

CommandEntry toolEntry(const char* name, PresenterTool tool, ImGuiKeyChord keys,
                       const char32_t* characters = nullptr) {
  return {.menu = "View",
          .name = name,
          .also = "present",
          .keys = keys,
          .characters = characters,
          .make = [tool](const Parts&) -> Command { return session::UseTool{tool}; },
          .checked = [tool](const Parts& parts) { return parts.app.isOn(tool); },
          .mode = session::Mode::Present};
}

// What lies over the panels first, then a black screen, drawing, and a panel's keyboard; then Present ends.
Command escapeOf(const Parts& parts) {
  const session::AppState& app = parts.app;
  if (isCovered(app)) return session::ShowOverlay{app.overlay()};
  for (const PresenterTool tool : {PresenterTool::Black, PresenterTool::Draw})
    if (app.isOn(tool)) return session::UseTool{tool};
  if (!app.focused().empty()) return session::FocusPart{};
  return session::EnterMode{session::Mode::Present};
}

// `beside`: the id of the panel that it stands beside. Requires that its turn is 1 to 9.
CommandEntry mapEntry(const Panel& panel, std::size_t turn, const std::string& beside) {
  static constexpr std::array kDigits{U"1", U"2", U"3", U"4", U"5", U"6", U"7", U"8", U"9"};
  return {.menu = "View",
          .name = panel.title + " beside the caption",
          .also = "map swap present",
          .keys = ImGuiKeyChord(ImGuiKey_0 + int(turn)),
          .characters = kDigits[turn - 1],  // where a layout has digits with Shift
          // Again: back to the main panel, where there is room for one panel alone.
          .make = [id = panel.id, beside](const Parts& parts) -> Command {
            const bool isThere = parts.app.presentedMap() == id && parts.app.isMapInFront();
            return session::ShowPanel{isThere ? beside : id};
          },
          .checked = [id = panel.id](const Parts& parts) { return parts.app.presentedMap() == id; },
          .mode = session::Mode::Present};
}

}  // namespace

std::vector<CommandEntry> presenterEntries(std::span<const Panel> panels) {
  std::vector<CommandEntry> entries{
      stepEntry("Next round, or the next stop of the tour", +1, ImGuiKey_PageDown, ImGuiKey_RightArrow),
      stepEntry("Previous round, or the previous stop", -1, ImGuiKey_PageUp, ImGuiKey_LeftArrow),
      toolEntry("Black screen", PresenterTool::Black, ImGuiKey_B, U"."),  // which many remotes send
      toolEntry("Spotlight", PresenterTool::Spotlight, ImGuiKey_L),
      toolEntry("Draw with the pointer", PresenterTool::Draw, ImGuiKey_D),
      {.menu = "View",
       .name = "End Present",
       .keys = ImGuiKey_Escape,
       .make = escapeOf,
       .mode = session::Mode::Present}};
  const Panel* const main = mainPanel(panels, session::Mode::Present);
  for (const Panel* const panel : turnsIn(panels, session::Mode::Present))
    entries.push_back(mapEntry(*panel, panel->placeIn(session::Mode::Present)->turn,
                               main == nullptr ? std::string() : main->id));
  return entries;
}

std::string toolsOfPresenter(const session::Parts& parts) {
  if (parts.app.isOn(PresenterTool::Draw)) return "Drawing: D or Esc ends it";
  return "B black  L light  D draw  1-5  Esc";
}

std::string nextOfPresenter(const session::Parts& parts, const std::function<bool(std::string_view)>& fits) {
  const session::Replay& replay = parts.replay;
  if (parts.app.isOn(PresenterTool::Black)) return "Page Down: the picture";
  if (!replay.run()) return {};
  if (!replay.atLast()) {
    const session::Playhead at = replay.playhead();
    const auto& launches = replay.run()->analysis.launches;
    session::Playhead next{at.launch, at.round + 1};
    while (next.launch < launches.size() && next.round >= launches[next.launch].rounds.size())
      next = {next.launch + 1, 0};
    if (next.launch >= launches.size()) return "Page Down: the last pass";
    const narration::RoundAt round = roundAt(replay, next.launch, next.round);
    const bool isStride = launches[next.launch].rounds[next.round].stride.has_value() &&
                          narration::tickOf(round).find_first_not_of("0123456789") == std::string::npos;
    return std::string("Page Down: ") + (isStride ? "stride " : "") + narration::tickOf(round) +
           (next.launch != at.launch ? " of launch " + std::to_string(next.launch) : "");
  }
  const session::TourStop* const stop = neighbourStop(parts.app, +1);
  if (stop == nullptr) return "The last round";
  std::string text = "Page Down: " + stop->title;
  return fits(text) ? text : "Page Down: the next stop";
}

}  // namespace stridescope::views
