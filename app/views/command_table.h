// Every command that a person can give, once: the menus, the shortcuts, the overlay of keys and the command
// palette are all drawn from this table.
#pragma once

#include <span>
#include <string>

#include "imgui.h"
#include "session/session.h"

namespace stridescope {

struct CommandEntry {
  const char* menu;  // "File", "Experiment", "View", "Run", "Help"
  const char* name;  // "Step forward"
  ImGuiKeyChord keys = 0, otherKeys = 0;
  Command (*make)(const Session& session) = nullptr;
  bool (*enabled)(const Session& session) = nullptr;  // nullptr: always
  bool (*checked)(const Session& session) = nullptr;  // nullptr: no tick
  bool repeats = false;                               // while its key is held
};

std::span<const CommandEntry> commandTable();
inline constexpr const char* kMenus[] = {"File", "Experiment", "View", "Run", "Help"};

// "Ctrl+O", "Right / PgDn"; empty if the command has no key.
std::string keysOf(const CommandEntry& entry);
bool isEnabled(const CommandEntry& entry, const Session& session);

// The commands whose keys were pressed in this frame. While a text field has the focus only Escape and chords
// with Ctrl count.
Commands pressedCommands(const Session& session);

}  // namespace stridescope
