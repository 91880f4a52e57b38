#include "views/frame/key_focus.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "draw/marks.h"
#include "imgui_internal.h"
#include "views/compare/compare_view.h"
#include "views/frame/command_table.h"
#include "views/frame/overlays.h"
#include "views/shared/editor_keys.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kRing = 2, kRingGap = 1, kListWidth = 240;  // units
constexpr std::array kArrows{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow};
constexpr std::array kOfControls{ImGuiKey_LeftArrow,   ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                 ImGuiKey_DownArrow,   ImGuiKey_Space,      ImGuiKey_Enter,
                                 ImGuiKey_KeypadEnter, ImGuiKey_Tab};
// Those that type a character on some layout. Dear ImGui has a name for each of them in this order.
constexpr ImGuiKey kFirstTyping = ImGuiKey_0, kLastTyping = ImGuiKey_Z;
constexpr ImGuiKey kFirstSign = ImGuiKey_Apostrophe, kLastSign = ImGuiKey_GraveAccent;
constexpr ImGuiKey kFirstKeypad = ImGuiKey_Keypad0, kLastKeypad = ImGuiKey_KeypadEqual;
constexpr std::array kOfScrolling{ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_Home, ImGuiKey_End};

bool types(ImGuiKey key) {
  return (key >= kFirstTyping && key <= kLastTyping) || (key >= kFirstSign && key <= kLastSign) ||
         (key >= kFirstKeypad && key <= kLastKeypad) || key == ImGuiKey_Oem102;
}

// With Ctrl these mean the window's commands, also while a text is edited.
constexpr std::array kOverTheEditor{ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Tab,
                                    ImGuiKey_P,     ImGuiKey_O,           ImGuiKey_E,
                                    ImGuiKey_Q,     ImGuiKey_S,           ImGuiKey_T};

// A part with controls that is no panel.
bool isStrip(std::string_view part) { return !part.empty() && !session::isPanelPart(part); }

}  // namespace

std::vector<FocusStop> focusStops(const session::Parts& parts, std::span<const Panel> panels) {
  std::vector<FocusStop> stops;
  if (parts.app.isPresenting()) {
    const Panel* const main = mainPanel(panels, parts.app.mode());
    for (const Panel& panel : panels)
      if (&panel == main || panel.id == parts.app.presentedMap()) stops.push_back({panel.id, panel.title});
    if (parts.app.seenText() != session::Overlay::None)
      stops.push_back({std::string(session::kReadingPart), "Text"});
    if (parts.app.isMessageShown()) stops.push_back({std::string(session::kMessagePart), "Message"});
    return stops;
  }
  if (parts.comparison != nullptr)
    for (const ComparePart part : kCompareParts) stops.push_back({idOf(part), nameOf(part)});
  if (session::isReadBeside(parts.app.overlay()))
    stops.push_back({std::string(session::kReadingPart), "Text"});
  for (const Panel& panel : panels)
    if (parts.comparison == nullptr && parts.app.isShown(panel.id)) stops.push_back({panel.id, panel.title});
  stops.push_back({std::string(session::kBarPart), "Experiment bar"});
  if (parts.app.isMessageShown()) stops.push_back({std::string(session::kMessagePart), "Message"});
  return stops;
}

const FocusStop& nextStop(std::span<const FocusStop> stops, const std::string& focused, int direction) {
  const auto found = std::ranges::find(stops, focused, &FocusStop::id);
  if (found == stops.end()) return direction > 0 ? stops.front() : stops.back();
  const std::size_t place = std::size_t(found - stops.begin()), count = stops.size();
  return stops[(place + (direction > 0 ? 1 : count - 1)) % count];
}

bool isTaken(ImGuiKeyChord chord, KeysOf whose) {
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  switch (whose) {
    case KeysOf::Window:
      return false;
    case KeysOf::Map:
      return std::ranges::count(kArrows, chord) > 0 || chord == ImGuiKey_Enter;
    case KeysOf::Controls:
    case KeysOf::Framed:
      return (chord & ImGuiMod_Ctrl) == 0 &&
             (std::ranges::count(kOfControls, key) > 0 || (whose == KeysOf::Framed && types(key)));
    case KeysOf::Text: {
      const bool isFunction = key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
      return !isFunction && ((chord & ImGuiMod_Ctrl) == 0 || std::ranges::count(kOverTheEditor, key) == 0);
    }
    case KeysOf::Overlay:
      return false;  // it is the command that counts
    case KeysOf::Popup:
      return (chord & ImGuiMod_Ctrl) == 0;
  }
  return false;
}

bool takesCharacters(KeysOf whose) {
  return whose == KeysOf::Framed || whose == KeysOf::Text || whose == KeysOf::Popup;
}

KeysOf KeyFocus::keysOf(const session::AppState& app, bool hasCells) const {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (popup_ || imgui.OpenPopupStack.Size > 0) return KeysOf::Popup;
  if (isCovered(app)) return KeysOf::Overlay;
  if (editorHasKeys()) return KeysOf::Text;
  if (isFramed(app)) return KeysOf::Framed;
  if (app.focused().empty()) return KeysOf::Window;
  if (hasCells && !isStrip(app.focused())) return KeysOf::Map;
  return imgui.NavCursorVisible && imgui.NavId != 0 ? KeysOf::Framed : KeysOf::Controls;
}

bool KeyFocus::follow(session::AppState& app) {
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const bool gone = (app.focused() == session::kMessagePart && !app.isMessageShown()) ||
                    (app.focused() == session::kReadingPart && app.seenText() == session::Overlay::None);
  if (clicked || gone) app.focus({});
  const bool overlay = isCovered(app);
  const bool isNew = app.focused() != focused_, isBack = overlay_ && !overlay;
  overlay_ = overlay;
  const bool ctrl = ImGui::GetIO().KeyCtrl;
  // In a panel Tab begins at its first control, in a strip enterHere() does. What had the keyboard in an
  // overlay or in a list leaves no frame behind: where there is a frame, there the keys go.
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const bool isNobodys = app.focused().empty() && !overlay && imgui.OpenPopupStack.Size == 0 &&
                         imgui.NavLayer == ImGuiNavLayer_Main;
  if (isNew || isBack || isNobodys || isStrip(app.focused()))
    ImGui::SetNavCursorVisible(isStrip(app.focused()));
  listed_ = ctrl && (listed_ || (isNew && !app.focused().empty()));
  focused_ = app.focused();
  entering_ = isStrip(focused_) && (isNew || isBack || std::exchange(lost_, false));
  return isNew;
}

void KeyFocus::enterHere(const session::AppState& app, std::string_view part) {
  if (!entering_ || app.focused() != part) return;
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

void KeyFocus::drawRing(const ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) const {
  const float out = view.px(kRing + kRingGap);
  list.PushClipRectFullScreen();
  draw::outlineInside(view.draw, list, {min.x - out, min.y - out}, {max.x + out, max.y + out},
                      view.colours().text, kRing, draw::kPanelRadius + kRing);
  list.PopClipRect();
}

void KeyFocus::drawList(const ViewContext& view, ImVec2 windowSize) const {
  if (!listed_) return;
  ImGui::SetNextWindowPos({windowSize.x / 2, windowSize.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({view.px(kListWidth), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, view.px(1));
  ImGui::Begin("Parts of the window", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  for (const FocusStop& stop : focusStops(view, view.panels)) {
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + ImGui::GetContentRegionAvail().x, min.y + view.px(draw::kControlHeight)};
    const bool focused = stop.id == focused_;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (focused) {
      list.AddRectFilled(min, max, view.colours().field, view.px(draw::kFieldRadius));
      draw::outlineInside(view.draw, list, min, max, view.colours().text, kRing, draw::kFieldRadius);
    }
    view.text(list, {min.x + view.px(10), min.y}, max, stop.name,
              view.words(view.colours().text, draw::kBodySize));
    ImGui::Dummy({max.x - min.x, max.y - min.y});
  }
  ImGui::End();
}

void KeyFocus::keepKeys(const session::AppState& app, KeysOf whose) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  // A window that is gone would leave the focus to whichever had it before. That one may stand behind a tab,
  // and the focus would bring it to the front.
  if (imgui.NavWindow != nullptr && !imgui.NavWindow->RootWindow->Active) ImGui::FocusWindow(nullptr);
  const bool hadPopup = std::exchange(popup_, imgui.OpenPopupStack.Size > 0);
  // The item that had it is gone: from nowhere Tab would go nowhere. One that has it back from its list comes
  // alive in the next frame.
  lost_ =
      isStrip(focused_) && !popup_ && !hadPopup && !isCovered(app) && imgui.NavId != 0 && !imgui.NavIdIsAlive;
  const bool ours = whose == KeysOf::Map || whose == KeysOf::Window;
  if (!ours || popup_ || isCovered(app) || ImGui::GetIO().WantTextInput) return;
  const ImGuiID owner = ImHashStr("stridescope keys");
  // A text that is read beside the panels scrolls by these two.
  const bool scrolls = whose == KeysOf::Window && app.seenText() != session::Overlay::None;
  for (const ImGuiKey key : kOfControls)
    if (!scrolls || (key != ImGuiKey_UpArrow && key != ImGuiKey_DownArrow)) ImGui::SetKeyOwner(key, owner);
  for (const ImGuiKey key : kOfScrolling) ImGui::SetKeyOwner(key, owner);
}

// The commands' keys: what they are called, and which were pressed.

namespace {

// Dear ImGui's names are for programmers.
std::string chordName(ImGuiKeyChord chord) {
  if (chord == 0) return {};
  std::string name;
  if (chord & ImGuiMod_Ctrl) name += "Ctrl+";
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  if (chord & ImGuiMod_Alt) name += "Alt+";
  if (chord & ImGuiMod_Shift) name += "Shift+";
  switch (key) {
    case ImGuiKey_RightArrow:
      return name + "Right";
    case ImGuiKey_LeftArrow:
      return name + "Left";
    case ImGuiKey_UpArrow:
      return name + "Up";
    case ImGuiKey_DownArrow:
      return name + "Down";
    case ImGuiKey_KeypadEnter:
      return name + "Enter";
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

// What is typed has its own undo.
bool isOfTextField(ImGuiKeyChord chord) {
  constexpr ImGuiKeyChord kUndo = ImGuiMod_Ctrl | ImGuiKey_Z;
  return chord == kUndo || chord == (kUndo | ImGuiMod_Shift) || chord == (ImGuiMod_Ctrl | ImGuiKey_Y);
}

bool counts(ImGuiKeyChord chord, bool typing, KeysOf whose) {
  if (chord == 0 || isTaken(chord, whose) || (typing && isOfTextField(chord))) return false;
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  const bool isFunction = key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
  return !typing || (chord & ImGuiMod_Ctrl) || isFunction || chord == ImGuiKey_Escape;
}

bool isGivenBy(const CommandEntry& entry, shell::TypedCharacter typed, bool typing, KeysOf whose) {
  // A control with a frame takes letters, digits and what is in numbers; the help it leaves to the window.
  const bool asksForHelp = whose == KeysOf::Framed && typed.character == U'?';
  const bool elsewhere = typing || (takesCharacters(whose) && !asksForHelp);
  if (entry.characters == nullptr || (elsewhere && !entry.ctrlCharacters)) return false;
  const std::u32string_view anyOf = entry.characters;
  return typed.ctrl == entry.ctrlCharacters && anyOf.find(typed.character) != anyOf.npos;
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

bool isBrowsers(ImGuiKeyChord chord) {
  constexpr std::array kAlways{ImGuiKey_F5, ImGuiKey_F11, ImGuiKey_F12};
  constexpr std::array kWithCtrl{ImGuiKey_R, ImGuiKey_T,   ImGuiKey_W,      ImGuiKey_N,       ImGuiKey_L,
                                 ImGuiKey_Q, ImGuiKey_Tab, ImGuiKey_PageUp, ImGuiKey_PageDown};
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  // With Alt, too, it is AltGr, which types a character.
  const bool isCtrl = (chord & (ImGuiMod_Ctrl | ImGuiMod_Super)) != 0 && (chord & ImGuiMod_Alt) == 0;
  return std::ranges::count(kAlways, key) > 0 || (isCtrl && std::ranges::count(kWithCtrl, key) > 0);
}

std::vector<CommandEntry> withoutBrowsersKeys(std::vector<CommandEntry> table) {
  for (CommandEntry& entry : table) {
    if (isBrowsers(entry.otherKeys)) entry.otherKeys = 0;
    if (isBrowsers(entry.keys)) entry.keys = std::exchange(entry.otherKeys, 0);
  }
  return table;
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
    // Alt was held for the command: when it is released, Dear ImGui does not go to the menus.
    if (ImGui::GetIO().KeyAlt) ImGui::GetCurrentContext()->NavWindowingToggleLayer = false;
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
  for (const CommandEntry& entry : table)
    for (const ImGuiKeyChord chord : {entry.keys, entry.otherKeys})
      if (counts(chord, typing, whose) && !isOfTheMode(table, mode, entry, chord) &&
          keys.isPressed(chord, entry.repeats))
        apply(entry);
  // In a slow frame several may have come: Ctrl+0 and then Ctrl++ make the text larger.
  for (const shell::TypedCharacter typed : keys.typed())
    for (const CommandEntry& entry : table)
      if (isGivenBy(entry, typed, typing, whose) && !isTypedByItsKey(entry, keys) &&
          !isOfTheMode(table, mode, entry, 0))
        apply(entry);
}

}  // namespace stridescope::views
