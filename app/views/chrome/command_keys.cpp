// The commands' keys: what they are called, and which were pressed.
#include <algorithm>
#include <variant>

#include "views/chrome/command_table.h"

namespace stridescope::views {
namespace {

// Dear ImGui's names are for programmers.
std::string chordName(ImGuiKeyChord chord) {
  if (chord == 0) return {};
  std::string name;
  if (chord & ImGuiMod_Ctrl) name += "Ctrl+";
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  if (chord & ImGuiMod_Shift) name += "Shift+";
  switch (key) {
    case ImGuiKey_RightArrow:
      return name + "Right";
    case ImGuiKey_LeftArrow:
      return name + "Left";
    case ImGuiKey_PageDown:
      return name + "PgDn";
    case ImGuiKey_PageUp:
      return name + "PgUp";
    case ImGuiKey_Escape:
      return name + "Esc";
    default:
      return name + ImGui::GetKeyName(key);
  }
}

bool counts(ImGuiKeyChord chord, bool typing, KeysOf whose) {
  if (chord == 0 || isTaken(chord, whose)) return false;
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  const bool isFunction = key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
  return !typing || (chord & ImGuiMod_Ctrl) || isFunction || chord == ImGuiKey_Escape;
}

int timesTyped(const CommandEntry& entry, const shell::KeyInput& keys, bool typing, KeysOf whose) {
  const bool elsewhere = typing || takesCharacters(whose);
  if (entry.characters == nullptr || (elsewhere && !entry.ctrlCharacters)) return 0;
  return keys.timesTyped(entry.characters, entry.ctrlCharacters);
}

// While something lies over the panels. Requires that the command is enabled.
bool isOpenTo(const CommandEntry& entry, const session::Parts& parts) {
  if (entry.everywhere) return true;
  const session::Command command = entry.make(parts);
  const auto* const shows = std::get_if<session::ShowOverlay>(&command.any());
  if (shows == nullptr) return false;
  const session::Overlay over = parts.app.overlay();
  if (isForm(over)) return shows->overlay == over && entry.keys == ImGuiKey_Escape;
  return shows->overlay == over || over != session::Overlay::Palette;
}

// Another command has the key or the character in the mode that is shown.
bool isOfTheMode(std::span<const CommandEntry> table, session::Mode mode, const CommandEntry& entry,
                 ImGuiKeyChord chord) {
  return !entry.mode && std::ranges::any_of(table, [&](const CommandEntry& other) {
    if (other.mode != mode) return false;
    if (chord != 0) return other.keys == chord || other.otherKeys == chord;
    return other.characters != nullptr && entry.characters != nullptr &&
           other.characters[0] == entry.characters[0];
  });
}

// Where a layout has the character on the entry's key, one press is both. Elsewhere it is typed with Shift
// (the French digits), or on another key.
bool isTypedByItsKey(const CommandEntry& entry, const shell::KeyInput& keys) {
  if (entry.keys == 0 || entry.characters == nullptr || ImGui::GetIO().KeyShift) return false;
  return std::ranges::count(keys.presses(), entry.keys) != 0 ||
         ImGui::IsKeyDown(ImGuiKey(entry.keys & ~ImGuiMod_Mask_));
}

// The first of the entry's characters, all of which are ASCII where they are shown.
std::string characterName(const CommandEntry& entry) {
  if (entry.characters == nullptr) return {};
  return (entry.ctrlCharacters ? "Ctrl+" : "") + std::string(1, char(entry.characters[0]));
}

}  // namespace

std::string keysOf(const CommandEntry& entry) {
  std::string names;
  for (const std::string& name : {chordName(entry.keys), chordName(entry.otherKeys), characterName(entry)})
    if (!name.empty() && name != names) names += (names.empty() ? "" : " / ") + name;
  return names;
}

bool isTakenByMode(std::span<const CommandEntry> table, session::Mode mode, const CommandEntry& entry) {
  bool hasAny = false;
  for (const ImGuiKeyChord chord : {entry.keys, entry.otherKeys})
    hasAny = hasAny || (chord != 0 && !isOfTheMode(table, mode, entry, chord));
  if (entry.keys == 0 && entry.characters != nullptr) hasAny = !isOfTheMode(table, mode, entry, 0);
  return !hasAny;
}

void applyPressed(std::span<const CommandEntry> table, session::Session& session, shell::KeyInput& keys,
                  KeysOf whose) {
  const bool typing = ImGui::GetIO().WantTextInput;
  const session::Mode mode = session.app().mode();  // a command may lead to another one
  const auto apply = [&](const CommandEntry& entry) {
    if (!isOffered(entry, mode)) return;
    const bool covered = isCovered(session.app());  // by an earlier key of this frame, too
    const bool enabled = isEnabled(entry, session.parts());
    if (covered && !(enabled && isOpenTo(entry, session.parts()))) return;
    if (enabled) return session.apply(entry.make(session.parts()));
    const std::string why = entry.why ? entry.why(session.parts()) : std::string();
    if (!why.empty()) session.apply(session::Remark{why});
  };
  for (const ImGuiKeyChord chord : keys.presses())
    for (const CommandEntry& entry : table)
      if (counts(chord, typing, whose) && (chord == entry.keys || chord == entry.otherKeys) &&
          !isOfTheMode(table, mode, entry, chord))
        apply(entry);
  for (const CommandEntry& entry : table) {
    for (const ImGuiKeyChord chord : {entry.keys, entry.otherKeys})
      if (counts(chord, typing, whose) && !isOfTheMode(table, mode, entry, chord) &&
          keys.isPressed(chord, entry.repeats))
        apply(entry);
    if (isTypedByItsKey(entry, keys) || isOfTheMode(table, mode, entry, 0)) continue;
    for (int times = timesTyped(entry, keys, typing, whose); times > 0; --times) apply(entry);
  }
}

}  // namespace stridescope::views
