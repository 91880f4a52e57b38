// A command that a person can give: a line of a menu, a key, an item of the command palette.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "imgui.h"
#include "session/command.h"
#include "session/parts.h"

namespace stridescope::views {

struct CommandEntry {
  std::string menu;       // "File", "Experiment", "View", "Run", "Help"
  std::string name;       // "Step forward"
  std::string also = {};  // other words that the command palette finds it by
  ImGuiKeyChord keys = 0, otherKeys = 0;
  const char32_t* characters = nullptr;  // any of these does it, too; the first is shown
  bool ctrlCharacters = false;           // with Ctrl
  std::function<session::Command(const session::Parts& parts)> make = {};
  std::function<bool(const session::Parts& parts)> enabled = {};     // not set: always
  std::function<std::string(const session::Parts& parts)> why = {};  // it is not enabled, as a sentence
  std::function<bool(const session::Parts& parts)> checked = {};     // not set: no tick
  bool repeats = false;                                              // while its key is held
  bool everywhere = false;  // its key counts over forms and texts, too: it is about the window itself
  // It is there in this mode alone, and takes its keys from those that are there in all.
  std::optional<session::Mode> mode = {};
  // In modes of this property it stands in no menu and has no key; not set: in none.
  bool session::ModeFacts::*notWhere = nullptr;
};

}  // namespace stridescope::views
