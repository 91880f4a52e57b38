// Every command that a person can give, once: the menus, the shortcuts, the overlay of keys and the command
// palette are all drawn from this table.
#pragma once

#include <span>
#include <string>

#include "imgui.h"
#include "session/session.h"
#include "shell/key_input.h"

namespace stridescope::views {

struct CommandEntry {
  const char* menu;  // "File", "Experiment", "View", "Run", "Help"
  const char* name;  // "Step forward"
  ImGuiKeyChord keys = 0, otherKeys = 0;
  const char32_t* characters = nullptr;  // any of these does it, too; the first is shown
  bool ctrlCharacters = false;           // with Ctrl
  session::Command (*make)(const session::Parts& parts) = nullptr;
  bool (*enabled)(const session::Parts& parts) = nullptr;  // nullptr: always
  bool (*checked)(const session::Parts& parts) = nullptr;  // nullptr: no tick
  bool repeats = false;                                    // while its key is held
};

std::span<const CommandEntry> commandTable();
inline constexpr const char* kMenus[] = {"File", "Experiment", "View", "Run", "Help"};

// "Ctrl+O", "Right / PgDn"; empty if the command has no key.
std::string keysOf(const CommandEntry& entry);
bool isEnabled(const CommandEntry& entry, const session::Parts& parts);

// Applies the commands whose keys were pressed in this frame, as often as they were. While a text field has
// the focus only Escape and chords with Ctrl count.
void applyPressed(session::Session& session, shell::KeyInput& keys);

}  // namespace stridescope::views
