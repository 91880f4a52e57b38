#include "canvas_input.h"

#include <emscripten/emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "views/frame/command_table.h"

namespace stridescope::web {
namespace {

CanvasContext* canvas = nullptr;
bool hasNews = false;

struct NamedKey {
  std::string_view code;  // KeyboardEvent.code: where the key lies on a US keyboard
  ImGuiKey key;
};

constexpr NamedKey kNamedKeys[] = {
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"Quote", ImGuiKey_Apostrophe},
    {"Comma", ImGuiKey_Comma},
    {"Minus", ImGuiKey_Minus},
    {"Period", ImGuiKey_Period},
    {"Slash", ImGuiKey_Slash},
    {"Semicolon", ImGuiKey_Semicolon},
    {"Equal", ImGuiKey_Equal},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"Backslash", ImGuiKey_Backslash},
    {"BracketRight", ImGuiKey_RightBracket},
    {"Backquote", ImGuiKey_GraveAccent},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
};

// "F1" to "F12", "Numpad0" to "Numpad9", "Digit0" to "Digit9": the number behind the word.
std::optional<int> numberBehind(std::string_view word, std::string_view code) {
  if (!code.starts_with(word) || code.size() > word.size() + 2) return std::nullopt;
  int number = 0;
  for (const char digit : code.substr(word.size())) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return code.size() == word.size() ? std::nullopt : std::optional(number);
}

// Letters by what they are on the person's layout, the rest by where it lies.
ImGuiKey keyOf(std::string_view key, std::string_view code) {
  if (key.size() == 1 && std::isalpha(static_cast<unsigned char>(key[0])) != 0)
    return ImGuiKey(ImGuiKey_A + (std::tolower(static_cast<unsigned char>(key[0])) - 'a'));
  if (const auto digit = numberBehind("Digit", code); digit && *digit <= 9)
    return ImGuiKey(ImGuiKey_0 + *digit);
  if (const auto digit = numberBehind("Numpad", code); digit && *digit <= 9)
    return ImGuiKey(ImGuiKey_Keypad0 + *digit);
  if (const auto number = numberBehind("F", code); number && *number >= 1 && *number <= 12)
    return ImGuiKey(ImGuiKey_F1 + *number - 1);
  const auto* const named = std::ranges::find(kNamedKeys, code, &NamedKey::code);
  return named == std::end(kNamedKeys) ? ImGuiKey_None : named->key;
}

constexpr int kCtrl = 1, kShift = 2, kAlt = 4, kMeta = 8;

void setModifiers(int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & kCtrl) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & kShift) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & kAlt) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & kMeta) != 0);
}

ImGuiKeyChord chordOf(int modifiers) {
  return ((modifiers & kCtrl) != 0 ? ImGuiMod_Ctrl : 0) | ((modifiers & kShift) != 0 ? ImGuiMod_Shift : 0) |
         ((modifiers & kAlt) != 0 ? ImGuiMod_Alt : 0) | ((modifiers & kMeta) != 0 ? ImGuiMod_Super : 0);
}

}  // namespace

void takeInput(CanvasContext& to) { canvas = &to; }

// Dear ImGui takes some of what waits in each frame: what was typed fast goes through several.
bool takeInputNews() {
  const bool waits = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  return std::exchange(hasNews, false) || waits;
}

}  // namespace stridescope::web

// page.js calls these; before takeInput() nothing comes of it. Places are in units of the page, from the
// canvas's upper left corner.
using namespace stridescope::web;

extern "C" {

// `character`: what the key types; 0: nothing. `modifiers`: Ctrl 1, Shift 2, Alt 4, Meta 8. Whether it is the
// browser's key: of such a one nothing is told but that it is released.
EMSCRIPTEN_KEEPALIVE int page_key(const char* key, const char* code, unsigned character, int isDown,
                                  int repeats, int modifiers) {
  if (canvas == nullptr) return 0;
  ImGuiIO& io = ImGui::GetIO();
  setModifiers(modifiers);
  const ImGuiKey pressed = keyOf(key, code);
  const bool isBrowsers = stridescope::views::isBrowsers(pressed | chordOf(modifiers));
  hasNews = true;
  if (isBrowsers && isDown != 0) return 1;
  if (pressed != ImGuiKey_None && repeats == 0) io.AddKeyEvent(pressed, isDown != 0);
  if (isDown != 0 && character != 0) {
    const bool isChord = (modifiers & (kCtrl | kMeta)) != 0;
    if (!isChord) io.AddInputCharacter(character);
    canvas->keys().type({char32_t(character), (modifiers & kCtrl) != 0});
  }
  return isBrowsers ? 1 : 0;
}

// What an on-screen keyboard or an input method has typed.
EMSCRIPTEN_KEEPALIVE void page_text(const char* text) {
  if (canvas == nullptr) return;
  ImGui::GetIO().AddInputCharactersUTF8(text);
  hasNews = true;
}

// `button`: 0 left, 1 right, 2 middle; -1: it only moved.
EMSCRIPTEN_KEEPALIVE void page_pointer(double x, double y, int button, int isDown, int isTouch) {
  if (canvas == nullptr) return;
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(isTouch != 0 ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  const double density = CanvasContext::density();
  io.AddMousePosEvent(float(x * density), float(y * density));
  if (button >= 0) io.AddMouseButtonEvent(button, isDown != 0);
  canvas->notePointerMoved();
  hasNews = true;
}

// The pointer has left the canvas, or the finger the screen.
EMSCRIPTEN_KEEPALIVE void page_pointer_gone() {
  if (canvas == nullptr) return;
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  hasNews = true;
}

// In notches of a wheel.
EMSCRIPTEN_KEEPALIVE void page_wheel(double x, double y) {
  if (canvas == nullptr) return;
  ImGui::GetIO().AddMouseWheelEvent(float(x), float(y));
  hasNews = true;
}

EMSCRIPTEN_KEEPALIVE void page_focus(int hasFocus) {
  if (canvas == nullptr) return;
  ImGui::GetIO().AddFocusEvent(hasFocus != 0);
  hasNews = true;
}
}
