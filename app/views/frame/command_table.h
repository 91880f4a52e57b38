// Every command that a person can give, once: the menus, the shortcuts, the overlay of keys and the command
// palette are all drawn from this table; menus and palette show and hide panels besides.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/session.h"
#include "shell/key_input.h"
#include "views/frame/key_focus.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// All, those of the panels in their menus among them, by menu and group.
std::vector<CommandEntry> commandTable(std::span<const Panel> panels);
// A mode's own commands stand in a menu of its name, which is there in that mode alone.
inline constexpr std::string_view kMenus[] = {"File",    "Edit",    "Experiment", "View", "Run",
                                              "Predict", "Compare", "Present",    "Help"};
std::vector<CommandEntry> runEntries();  // of the menu Run, but for what modes and panels add
bool isShownIn(session::Mode mode, std::string_view menu);

// What a browser takes before the page has it, or what a person needs it for: reload, tabs, windows, the
// address, its tools, full screen, and its end.
bool isBrowsers(ImGuiKeyChord chord);
// The table of a page: no command has such a key.
std::vector<CommandEntry> withoutBrowsersKeys(std::vector<CommandEntry> table);
// The commands of a panel that stands alone in a page: what steps, and what the panel shows. None leads
// elsewhere.
std::vector<CommandEntry> panelAloneTable(const Panel& panel);

// "Undo: round 5", "Step forward".
std::string titleOf(const CommandEntry& entry, const session::Parts& parts);
// "Ctrl+O", "Right / PgDn"; empty if the command has no key.
std::string keysOf(const CommandEntry& entry);
bool isEnabled(const CommandEntry& entry, const session::Parts& parts);
bool isOffered(const CommandEntry& entry, session::Mode mode);

// Commands of the mode alone have all of its keys.
bool isTakenByMode(std::span<const CommandEntry> table, session::Mode mode, const CommandEntry& entry);

// Applies the commands whose keys were pressed in this frame, as often as they were. While a text field has
// the focus only Escape, function keys and chords with Ctrl count, and never what somebody else takes. What
// lies over the panels takes all keys but those that close it and those of the window itself; a text that
// holds nothing typed gives way to another one.
void applyPressed(std::span<const CommandEntry> table, session::Session& session, shell::KeyInput& keys,
                  KeysOf whose = KeysOf::Window);

}  // namespace stridescope::views
