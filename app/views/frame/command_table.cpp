#include "views/frame/command_table.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "narration/measured_sentences.h"
#include "session/link_follower.h"
#include "session/own_kernel.h"
#include "views/frame/mode_layout.h"
#include "views/frame/presenter.h"
#include "views/reading/speaker_notes.h"
#include "views/reading/tour_view.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/shown_round.h"
#include "views/transport/compare_bar.h"

namespace stridescope::views {
namespace {

constexpr int kTextSizeStep = 10;  // percent

template <unsigned Rung>
CommandEntry rungEntry(const char* name, ImGuiKey key, const char32_t* digit) {
  return {.menu = "Experiment",
          .name = name,
          .keys = key,
          .characters = digit,  // where a layout has digits with Shift
          .make = [](const session::Parts&) -> session::Command {
            return session::Choose(&model::Experiment::variant, std::string(kernels::findRung(Rung)->id));
          },
          .enabled =
              [](const session::Parts& parts) {
                const kernels::Variant* const rung = kernels::findRung(Rung);
                return rung != nullptr && !asksForNumber(parts.predict) &&
                       parts.workspace.whyNotRecorded(rung->id).empty();
              },
          .checked =
              [](const session::Parts& parts) {
                return kernels::findRung(Rung) != nullptr &&
                       parts.workspace.experiment().variant == kernels::findRung(Rung)->id;
              },
          .what =
              [](const session::Parts&) {
                const kernels::Variant* const rung = kernels::findRung(Rung);
                return rung == nullptr ? std::string() : std::string(rung->title);
              },
          .notWhere = &session::ModeFacts::presents};  // digits are panels there
}

bool hasTimings(const session::Parts& parts) {
  return parts.measurements.timings() && !parts.measurements.timings()->series.empty();
}
bool isUncovered(const session::Parts& parts) { return !isCovered(parts.app); }
bool hasBar(const session::Parts& parts) { return isUncovered(parts) && !parts.app.isPresenting(); }
bool isNotPresenting(const session::Parts& parts) { return !parts.app.isPresenting(); }

// The size of all text, in percent of what it is by itself.
CommandEntry textEntry(const char* name, const char* also, const char32_t* characters, int (*change)(int)) {
  return {.menu = "View",
          .group = 1,
          .name = name,
          .also = also,
          .characters = characters,
          .ctrlCharacters = true,
          .make = [change](const session::Parts& parts) -> session::Command {
            session::Settings settings = parts.app.settings();
            settings.textSize = change(settings.textSize);
            return session::ChangeSettings{settings};
          },
          .enabled = isNotPresenting,
          .why = says("In Present the text goes by the height of the window."),
          .everywhere = true};
}

// Goes through the parts of the window, by which the keyboard reaches what the mouse does.
CommandEntry focusEntry(const char* name, const std::vector<Panel>& panels, int direction, ImGuiKeyChord keys,
                        ImGuiKeyChord otherKeys) {
  return {.menu = "View",
          .group = 3,
          .name = name,
          .also = "focus keyboard switch window",
          .keys = keys,
          .otherKeys = otherKeys,
          .make = [panels, direction](const session::Parts& parts) -> session::Command {
            const auto stops = focusStops(parts, panels);
            return session::FocusPart{nextStop(stops, parts.app.focused(), direction).id};
          },
          .enabled = isUncovered,
          .repeats = true};
}

// Through where the window was.
CommandEntry historyEntry(unsigned group, const char* name, const char* also, ImGuiKeyChord keys,
                          ImGuiKeyChord otherKeys, session::Command command,
                          std::string (session::History::*what)() const, const char* why) {
  return {.menu = "Edit",
          .group = group,
          .name = name,
          .also = also,
          .keys = keys,
          .otherKeys = otherKeys,
          .make = gives(std::move(command)),
          .enabled = [what](const session::Parts& parts) { return !(parts.history.*what)().empty(); },
          .why = says(why),
          .what = [what](const session::Parts& parts) { return (parts.history.*what)(); },
          .repeats = true};
}

session::Command copiesLink(const session::Parts& parts) {
  const auto link = session::linkTo(parts);
  if (!link) return session::Remark{link.error().sentence};
  const std::string& page = parts.app.pageAddress();
  return session::CopyText{page + "#" + *link,
                           page.empty()
                               ? "a link to this: it goes behind the address of the browser edition, or "
                                 "into a lesson or a tour"
                               : "a link to this"};
}

std::vector<CommandEntry> fixedTable() {
  return {
      {.menu = "File",
       .name = std::string(narration::kOpenEntry) + " (.cu)...",
       .also = "own of my custom cuda file stride",
       .keys = ImGuiMod_Ctrl | ImGuiKey_O,
       .make = opens(session::Overlay::OpenFile)},
      {.menu = "File",
       .name = "Open input data...",
       .also = "numbers file lists",
       .make = opens(session::Overlay::OwnData)},
      {.menu = "File",
       .group = 1,
       .name = "Save",
       .also = "write text .cu file source editor recording",
       .keys = ImGuiMod_Ctrl | ImGuiKey_S,
       .make = [](const session::Parts& parts) -> session::Command {
         if (parts.kernel.isOpen()) return session::SaveKernel{};
         return session::ShowOverlay{session::Overlay::SaveFile};
       },
       .enabled =
           [](const session::Parts& parts) {
             return parts.kernel.isOpen() ? !parts.kernel.isSaved() : hasRun(parts);
           },
       .why =
           [](const session::Parts& parts) {
             return parts.kernel.isOpen() ? "The kernel's text is saved. Ctrl+Shift+S saves a recording."
                                          : "Nothing is recorded yet.";
           },
       .what = [](const session::Parts& parts) { return parts.kernel.isOpen() ? "the kernel's text" : ""; }},
      {.menu = "File",
       .group = 1,
       .name = "Save as a recording...",
       .keys = ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S,
       .make = opens(session::Overlay::SaveFile),
       .enabled = hasRun},
      {.menu = "File",
       .group = 1,
       .name = "Export...",
       .also = "picture png gif html page csv markdown table save handout",
       .keys = ImGuiMod_Ctrl | ImGuiKey_E,
       .make = [](const session::Parts& parts) -> session::Command {
         return session::ShowOverlay{session::Overlay::Export, parts.app.focused()};
       },
       .enabled = hasRun},
      {.menu = "File",
       .group = 2,
       .name = "Copy timings as CSV",
       .also = "export clipboard",
       .make = gives(session::CopyTimings{}),
       .enabled = hasTimings,
       .why = says("Nothing was timed yet.")},
      {.menu = "File",
       .group = 2,
       .name = "Copy a link to this",
       .also = "url address share fragment page browser lesson tour clipboard",
       .make = copiesLink,
       .enabled = hasRun},
      {.menu = "File",
       .group = 2,
       .name = "Copy the path of what was saved",
       .also = "export clipboard file folder where last",
       .make = [](const session::Parts& parts) -> session::Command {
         return session::CopyText{parts.app.savedPath(), "the path"};
       },
       .enabled = [](const session::Parts& parts) { return !parts.app.savedPath().empty(); },
       .why =
           [](const session::Parts& parts) {
             return parts.app.pageAddress().empty() ? "Nothing was saved since the window opened."
                                                    : "The browser knows where its downloads are.";
           }},
      {.menu = "File",
       .group = 4,
       .name = "Quit",
       .keys = ImGuiMod_Ctrl | ImGuiKey_Q,
       .make = gives(session::Quit{}),
       .everywhere = true},

      historyEntry(0, "Undo", "take back revert", ImGuiMod_Ctrl | ImGuiKey_Z, 0, session::Undo{},
                   &session::History::undone, "There is nothing to undo."),
      historyEntry(0, "Redo", "again", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z,
                   ImGuiMod_Ctrl | ImGuiKey_Y, session::Redo{}, &session::History::redone,
                   "Nothing was undone."),
      historyEntry(1, "Back", "history previous last", ImGuiMod_Alt | ImGuiKey_LeftArrow, 0,
                   session::GoBack{}, &session::History::backTo, "This is the first run that was shown."),
      historyEntry(1, "Forward", "history next", ImGuiMod_Alt | ImGuiKey_RightArrow, 0, session::GoForward{},
                   &session::History::forwardTo, "This is the last run that was shown."),

      {.menu = "Experiment",
       .group = 1,
       .name = "Custom operator...",
       .make = opens(session::Overlay::CustomOperator)},
      {.menu = "Experiment",
       .group = 1,
       .name = "Reset experiment",
       .make = gives(session::ResetExperiment{})},
      rungEntry<1>("Variant 1", ImGuiKey_1, U"1"),
      rungEntry<2>("Variant 2", ImGuiKey_2, U"2"),
      rungEntry<3>("Variant 3", ImGuiKey_3, U"3"),
      rungEntry<4>("Variant 4", ImGuiKey_4, U"4"),
      rungEntry<5>("Variant 5", ImGuiKey_5, U"5"),
      rungEntry<6>("Variant 6", ImGuiKey_6, U"6"),
      rungEntry<7>("Variant 7", ImGuiKey_7, U"7"),
      rungEntry<8>("Variant 8", ImGuiKey_8, U"8"),
      rungEntry<9>("Variant 9", ImGuiKey_9, U"9"),

      {.menu = "View",
       .group = 1,
       .name = "Switch theme",
       .also = "dark light mode colours",
       .keys = ImGuiKey_T,
       .make = [](const session::Parts& parts) -> session::Command {
         using enum session::ThemeName;
         return session::ChangeSettings{parts.app.withTheme(parts.app.theme() == Dark ? Light : Dark)};
       }},
      // = as the key of + on a US keyboard, without Shift
      textEntry("Larger text", "font size zoom in bigger", U"+=",
                [](int percent) { return percent + kTextSizeStep; }),
      textEntry("Smaller text", "font size zoom out", U"-",
                [](int percent) { return percent - kTextSizeStep; }),
      // \u00e0 as the key of 0 on a French keyboard, without Shift
      textEntry("Text at 100 %", "font size", U"0\u00e0", [](int) { return 100; }),
      {.menu = "View",
       .group = 1,
       .name = "Reduced motion",
       .make = [](const session::Parts& parts) -> session::Command {
         session::Settings settings = parts.app.settings();
         settings.reducedMotion = !settings.reducedMotion;
         return session::ChangeSettings{settings};
       },
       .checked = [](const session::Parts& parts) { return parts.app.settings().reducedMotion; }},
      {.menu = "View",
       .group = 2,
       .name = "Text of this round...",
       .keys = ImGuiMod_Ctrl | ImGuiKey_T,
       .make = opens(session::Overlay::RoundText),
       .enabled = hasRun},
      {.menu = "View",
       .group = 1,
       .name = "Full screen",
       .also = "fullscreen maximize",
       .keys = ImGuiKey_F11,
       .make = gives(session::ToggleFullscreen{}),
       .checked = [](const session::Parts& parts) { return parts.app.fullscreen(); },
       .everywhere = true},
      {.menu = "View",
       .group = 3,
       .name = "Go to the experiment bar",
       .also = "focus keyboard fields",
       .keys = ImGuiKey_Tab,
       .make = gives(session::FocusPart{std::string(session::kBarPart)}),
       .enabled = hasBar},
      {.menu = "View", .group = 4, .name = "Reset layout", .make = gives(session::ResetLayout{})},

      {.menu = "Help",
       .name = "Lesson of this variant",
       .keys = ImGuiKey_F2,
       .make = opens(session::Overlay::Lesson)},
      {.menu = "Help", .name = "Glossary", .keys = ImGuiKey_F3, .make = opens(session::Overlay::Glossary)},
      {.menu = "Help",
       .group = 2,
       .name = "All keys",
       .also = "shortcuts help keyboard",
       .keys = ImGuiKey_F1,
       .characters = U"?",
       .make = opens(session::Overlay::Keys)},
      {.menu = "Help",
       .group = 2,
       .name = "Command palette",
       .keys = ImGuiMod_Ctrl | ImGuiKey_P,
       .make = opens(session::Overlay::Palette)},
      {.menu = "Help",
       .group = 3,
       .name = "Welcome",
       .also = "first start doors introduction",
       .make = opens(session::Overlay::Welcome),
       .enabled = isNotPresenting,
       .why = says("Present has no place for it.")},
      {.menu = "Help", .group = 3, .name = "About Stridescope", .make = opens(session::Overlay::About)},
  };
}

}  // namespace

std::vector<CommandEntry> commandTable(std::span<const Panel> panels) {
  std::vector<CommandEntry> table = fixedTable();
  const auto add = [&](const std::vector<CommandEntry>& entries) {
    table.insert(table.end(), entries.begin(), entries.end());
  };
  for (const Panel& panel : panels) add(panel.commands);
  add(runEntries());
  add(modeEntries());
  add(compareEntries());
  add(tourEntries());
  add(speakerNotesEntries());
  add(presenterEntries(panels));
  const std::vector<Panel> all(panels.begin(), panels.end());
  add({focusEntry("Next panel", all, +1, ImGuiKey_F6, ImGuiMod_Ctrl | ImGuiKey_Tab),
       focusEntry("Previous panel", all, -1, ImGuiMod_Shift | ImGuiKey_F6,
                  ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Tab)});
  const auto menuOf = [](const CommandEntry& entry) {
    return std::ranges::find(kMenus, std::string_view(entry.menu)) - std::begin(kMenus);
  };
  std::ranges::stable_sort(table, {},
                           [&](const CommandEntry& entry) { return std::pair(menuOf(entry), entry.group); });
  return table;
}

std::vector<CommandEntry> panelAloneTable(const Panel& panel) {
  std::vector<CommandEntry> table = runEntries();
  std::ranges::copy_if(panel.commands, std::back_inserter(table),
                       [](const CommandEntry& entry) { return entry.menu == "View"; });
  return table;
}

bool isShownIn(session::Mode mode, std::string_view menu) {
  const auto ofMode = std::ranges::find(session::kModes, menu, &session::ModeFacts::name);
  return ofMode == session::kModes.end() || ofMode->mode == mode;
}

std::string titleOf(const CommandEntry& entry, const session::Parts& parts) {
  const std::string what = entry.what ? entry.what(parts) : "";
  return entry.name + (what.empty() ? "" : ": " + what);
}

bool isOffered(const CommandEntry& entry, session::Mode mode) {
  const bool isRefused = entry.notWhere != nullptr && session::factsOf(mode).*entry.notWhere;
  return (!entry.mode || *entry.mode == mode) && !isRefused;
}

bool isEnabled(const CommandEntry& entry, const session::Parts& parts) {
  return isOffered(entry, parts.app.mode()) && (!entry.enabled || entry.enabled(parts));
}

}  // namespace stridescope::views
