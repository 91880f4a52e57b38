// What the keyboard says beyond what Dear ImGui keeps of it: the characters that chords make on the person's
// own layout, presses that came faster than frames, and chords that were let go between two frames.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"

namespace stridescope::shell {

// What a key gave on the person's layout, wherever it lies: + is Shift and = on a US keyboard, a key of its
// own on a German one. With Ctrl held, too; a key that is held down gives it again and again.
struct TypedCharacter {
  char32_t character = 0;
  bool ctrl = false;
};

class KeyInput {
 public:
  // Between two frames; counts in the next one.
  void type(TypedCharacter typed) { coming_.push_back(typed); }

  // Right before NewFrame, with what came in since the last one and the modifiers (ImGuiIO::KeyMods) before
  // it.
  //
  // Dear ImGui takes a press and its release in two frames. Where frames are slower than the person, presses
  // would wait in line for seconds. With `fold` all but the last press of a key leave the queue, and where
  // any does, all presses since the last frame stand in presses(), in their order.
  //
  // It also takes all that came in since the last frame together, up to the second change of one key. So when
  // Ctrl is let go before P is, and both went down since the last frame, the frame would see P without Ctrl.
  // Everything from the first modifier that goes up after another key went down is kept for the next frame.
  void beginFrame(ImVector<ImGuiInputEvent>& queue, ImGuiKeyChord modifiers, bool fold);

  // Right after NewFrame, before new events come in: puts back what was kept.
  void restore(ImVector<ImGuiInputEvent>& queue);

  // What was typed in this frame, in its order.
  const std::vector<TypedCharacter>& typed() const { return typed_; }
  // Empty in most frames.
  const std::vector<ImGuiKeyChord>& presses() const { return presses_; }
  // Dear ImGui says that the chord was pressed: true if presses() had it before, so that it counts no more.
  bool hadBefore(ImGuiKeyChord chord);
  // In this frame, whoever else takes it, and beside what presses() has; `repeats`: again while it is held.
  bool isPressed(ImGuiKeyChord chord, bool repeats);

 private:
  void foldPresses(ImVector<ImGuiInputEvent>& queue, ImGuiKeyChord modifiers);
  void holdEarlyReleases(ImVector<ImGuiInputEvent>& queue);

  std::vector<TypedCharacter> coming_, typed_;
  std::vector<ImGuiKeyChord> presses_;
  std::map<ImGuiKeyChord, int> ahead_;  // in presses(), and still to be seen by Dear ImGui
  std::vector<ImGuiInputEvent> kept_;
};

// Characters that are typed before the field that they are for can take them: Dear ImGui opens a list or a
// form, and gives its field the keyboard, some frames after the key that asked for it.

class EarlyCharacters {
 public:
  // The characters of this frame are the first that count.
  void begin();
  // In each frame, before the field is drawn: keeps those of this one, too, until the field has the keyboard;
  // then the field is given all that were kept, before those of this frame.
  void keep();
  // After the field: it may have the keyboard now, and takes characters from the next frame on.
  void giveTo(ImGuiID field);

 private:
  void take();

  std::vector<ImWchar> waiting_;
  int lastFrame_ = -1;  // whose characters are kept
  int framesLeft_ = 0;  // until nothing is waited for any more
};

// A pointer that nobody moves is not pointing: what happens to lie under it is not hovered.

class PointerRest {
 public:
  // Right after NewFrame of the current Dear ImGui context, `now` in seconds of a clock that only goes
  // forward. `hasMoved`: at any time since the window was opened. A pointer that rests is nowhere
  // (ImGuiIO::MousePos is not valid) until it moves to another place, a button is pressed, or the wheel
  // turns.
  void beginFrame(double now, bool hasMoved);

  // From the next frame on it rests, wherever it is.
  void rest() { asked_ = true; }
  // It rests whenever it has not moved for so many seconds; nullopt: however long it stays.
  void restAfter(std::optional<double> seconds) { after_ = seconds; }

  bool rests() const { return rests_; }
  // It began to rest in this frame.
  bool hasComeToRest() const { return rests_ && !restedBefore_; }
  // Seconds from the last beginFrame() until it rests by itself; infinite: it will not.
  double restsIn() const;

 private:
  std::optional<ImVec2> seen_;  // where it was last, resting or not
  std::optional<double> after_;
  double now_ = 0, usedAt_ = 0;
  bool rests_ = false, restedBefore_ = false, asked_ = false;
  bool begun_ = false;  // it has moved since the window was opened, or was used without that
};

}  // namespace stridescope::shell
