// The commands of the Run menu.
#include "views/frame/command_table.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/shown_round.h"
#include "views/shared/timings_data.h"
#include "views/transport/compare_bar.h"

namespace stridescope::views {
namespace {

session::Command speed(const session::AppState& app, double factor) {
  return session::SetSpeed{app.settings().speed * factor};
}

bool notFirst(const session::Parts& parts) { return !atFirst(parts); }
bool notLast(const session::Parts& parts) { return !atLast(parts); }
bool stepsOn(const session::Parts& parts) { return !atLast(parts) || sumsUpNext(parts); }
bool hasJob(const session::Parts& parts) {
  if (parts.comparison != nullptr)
    for (const analysis::Side side : analysis::kSides)
      if (const session::Workspace& each = parts.comparison->workspace(side); each.job() || each.measuring())
        return true;
  return parts.workspace.job() || parts.workspace.measuring() || parts.exports.job();
}
bool mayTime(const session::Parts& parts) {
  return parts.measurements.whyNotTimed(session::TimingSweep::OneSize).empty();
}
bool isTiming(const session::Parts& parts) { return parts.measurements.isTiming(); }
std::string notTiming(const session::Parts&) { return "No timing is running."; }

CommandEntry raceEntry(const char* name, int direction, ImGuiKeyChord keys) {
  return {.menu = "Run",
          .group = 2,
          .name = name,
          .keys = keys,
          .make = [direction](const session::Parts& parts) -> session::Command {
            const auto place = nextRace(parts.replay, direction);
            return session::GoToRound{place->launch, place->round, place->pass};
          },
          .enabled = [](const session::Parts& parts) { return nextRace(parts.replay, +1).has_value(); },
          .why = says("This run has no race."),
          .notWhere = &session::ModeFacts::hidesRounds};
}

}  // namespace

std::vector<CommandEntry> runEntries() {
  return {
      {.menu = "Run",
       .name = "Step forward",
       .keys = ImGuiKey_RightArrow,
       .otherKeys = ImGuiKey_PageDown,
       .make = gives(session::StepForward{}),
       .enabled = stepsOn,
       .repeats = true},
      {.menu = "Run",
       .name = "Step back",
       .keys = ImGuiKey_LeftArrow,
       .otherKeys = ImGuiKey_PageUp,
       .make = gives(session::StepBack{}),
       .enabled = notFirst,
       .repeats = true},
      {.menu = "Run",
       .name = "Next pass",
       .keys = ImGuiMod_Shift | ImGuiKey_RightArrow,
       .make = gives(session::StepPass{+1}),
       .enabled = notLast,
       .repeats = true},
      {.menu = "Run",
       .name = "Previous pass",
       .keys = ImGuiMod_Shift | ImGuiKey_LeftArrow,
       .make = gives(session::StepPass{-1}),
       .enabled = notFirst,
       .repeats = true},
      {.menu = "Run",
       .name = "Play or pause",
       .keys = ImGuiKey_Space,
       .make = gives(session::TogglePlay{}),
       .enabled = hasRun,
       .checked = isPlaying},
      {.menu = "Run",
       .name = "First round",
       .keys = ImGuiKey_Home,
       .make = gives(session::GoToFirst{}),
       .enabled = notFirst},
      {.menu = "Run",
       .name = "Last round",
       .keys = ImGuiKey_End,
       .make = gives(session::GoToLast{}),
       .enabled = notLast},
      {.menu = "Run",
       .group = 1,
       .name = "Slower",
       .characters = U",",
       .make = [](const session::Parts& parts) { return speed(parts.app, 0.5); }},
      {.menu = "Run",
       .group = 1,
       .name = "Faster",
       .characters = U".",
       .make = [](const session::Parts& parts) { return speed(parts.app, 2); }},
      raceEntry("Next race", +1, ImGuiKey_R),
      raceEntry("Previous race", -1, ImGuiMod_Shift | ImGuiKey_R),
      {.menu = "Run",
       .group = 2,
       .name = "Free the pinned thread",
       .keys = ImGuiKey_Escape,
       .make = [](const session::Parts& parts) -> session::Command {
         const bool open = parts.app.overlay() != session::Overlay::None;
         // In Predict the keyboard is given back first: Enter then reveals.
         const bool hides = parts.predict.isHidden() && !parts.app.focused().empty();
         // What a tour rings goes with it, and so does the keyboard that its list of tours has.
         const bool tour = parts.app.overlay() == session::Overlay::Tour;
         const bool pinned = parts.replay.pinned() && !hides && !(tour && parts.replay.isRinged());
         if (isCovered(parts.app)) return session::ShowOverlay{parts.app.overlay()};
         if (tour && parts.app.tour() == nullptr) return session::ShowOverlay{session::Overlay::Tour};
         if (parts.app.focused() == session::kReadingPart) return session::FocusPart{};
         if (!pinned && !parts.app.focused().empty()) return session::FocusPart{};
         if (open && !pinned) return session::ShowOverlay{parts.app.overlay()};
         return session::Unpin{};
       },
       .enabled = [](const session::Parts& parts) { return !parts.app.escapeRests(); }},
      {.menu = "Run",
       .group = 3,
       .name = "Start timing",
       .also = "measure benchmark run",
       .make = gives(session::StartTiming{session::TimingSweep::OneSize, kTimingsId}),
       .enabled = mayTime,
       .why =
           [](const session::Parts& parts) {
             return parts.measurements.whyNotTimed(session::TimingSweep::OneSize);
           }},
      {.menu = "Run",
       .group = 3,
       .name = "Pause timing",
       .make = gives(session::PauseTiming{}),
       .enabled = isTiming,
       .why = notTiming,
       .checked =
           [](const session::Parts& parts) {
             return isTiming(parts) && parts.measurements.timings()->state == measure::TimingState::Paused;
           }},
      {.menu = "Run",
       .group = 3,
       .name = "Stop timing",
       .make = gives(session::StopTiming{}),
       .enabled = isTiming,
       .why = notTiming},
      {.menu = "Run",
       .group = 4,
       .name = "Cancel what is running",
       .make = gives(session::CancelJob{}),
       .enabled = hasJob},
  };
}

}  // namespace stridescope::views
