// What lies over the panels takes all keys, and so does a field that has a frame round it: no key that is
// typed there is a command of the window as well.
#include <gtest/gtest.h>

#include <set>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Overlay;
using test::WorkbenchUi;

// All that a key could change, but for the text's size, the full screen and quitting, which are of the window
// itself.
struct Seen {
  session::Settings settings;
  model::Experiment experiment;
  session::Playhead at;
  bool playing = false, pinned = false, timing = false, tools = false;
  session::Mode mode{};
  Overlay overlay{};
  std::string focused, message;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen seenIn(WorkbenchUi& w) {
  const session::AppState& app = w.session().app();
  Seen seen{.settings = app.settings(),
            .experiment = w.session().workspace().experiment(),
            .at = w.session().replay().playhead(),
            .playing = w.session().replay().playing(),
            .pinned = w.session().replay().pinned(),
            .timing = w.session().measurements().isTiming(),
            .tools = app.isOn(session::PresenterTool::Black) || app.isOn(session::PresenterTool::Draw) ||
                     app.isOn(session::PresenterTool::Spotlight),
            .mode = app.mode(),
            .overlay = app.overlay(),
            .focused = app.focused(),
            .message = app.message() ? app.message()->sentence : ""};
  seen.settings.textSize = 100;
  return seen;
}

// A key as a window system sends it: down, its character, up.
void press(WorkbenchUi& w, ImGuiKeyChord chord, unsigned character = 0) {
  ImGuiIO& io = ImGui::GetIO();
  const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
  for (const ImGuiKey modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if (chord & modifier) io.AddKeyEvent(modifier, true);
  io.AddKeyEvent(key, true);
  if (character != 0) {
    io.AddInputCharacter(character);
    w.ui().keys().type({char32_t(character), false});
  }
  w.ui().drawFrames(1);
  io.AddKeyEvent(key, false);
  for (const ImGuiKey modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if (chord & modifier) io.AddKeyEvent(modifier, false);
  w.ui().drawFrames(1);
}

ImGuiKey keyOf(char character) {
  if (character >= '0' && character <= '9') return ImGuiKey(ImGuiKey_0 + (character - '0'));
  if (character >= 'a' && character <= 'z') return ImGuiKey(ImGuiKey_A + (character - 'a'));
  return character == ',' ? ImGuiKey_Comma : character == '.' ? ImGuiKey_Period : ImGuiKey_Slash;
}

struct Key {
  ImGuiKeyChord chord = 0;
  unsigned character = 0;
};

// Each key of the window, and the character that it types; without those that close the overlay and those of
// the window itself.
std::vector<Key> allKeys(Overlay open) {
  std::set<ImGuiKeyChord> seen;
  std::vector<Key> keys;
  const auto add = [&](ImGuiKeyChord chord, unsigned character) {
    if (chord != 0 && seen.insert(chord).second) keys.push_back({chord, character});
  };
  for (const CommandEntry& entry : commandTable(allPanels())) {
    if (entry.everywhere) continue;
    for (const ImGuiKeyChord chord : {entry.keys, entry.otherKeys}) {
      const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
      const bool closes =
          key == ImGuiKey_Escape || (open == Overlay::Palette && entry.name == "Command palette");
      // What the control does that has the keyboard in a form: Enter presses a button, with Ctrl, too; Tab
      // goes on.
      const bool isOfControls = key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter ||
                                chord == ImGuiKey_Space || chord == ImGuiKey_Tab;
      if (!closes && !isOfControls) add(chord, 0);
    }
  }
  for (char character = '0'; character <= '9'; ++character) add(keyOf(character), unsigned(character));
  for (char character = 'a'; character <= 'z'; ++character) add(keyOf(character), unsigned(character));
  for (const char character : {',', '.'}) add(keyOf(character), unsigned(character));
  for (Key& key : keys)  // a letter or digit with its character
    for (char character = 'a'; character <= 'z'; ++character)
      if (key.chord == keyOf(character)) key.character = unsigned(character);
  return keys;
}

struct Opened {
  std::string title;
  Overlay overlay{};
  bool startsTour = false;
};

class KeysUnder : public testing::TestWithParam<Opened> {
 protected:
  void expectThatNoKeyCounts(WorkbenchUi& w, const char* when) {
    const Seen before = seenIn(w);
    ASSERT_EQ(before.overlay, GetParam().overlay);
    for (const Key& key : allKeys(GetParam().overlay)) {
      press(w, key.chord, key.character);
      if (seenIn(w) == before) continue;
      FAIL() << ImGui::GetKeyName(ImGuiKey(key.chord & ~ImGuiMod_Mask_)) << " with the modifiers "
             << (key.chord & ImGuiMod_Mask_) << " " << when;
    }
  }
  void open(WorkbenchUi& w) {
    if (GetParam().startsTour) w.apply(session::StartTour{"first"});
    w.apply(session::Pin{session::hoverThread(5)});
    w.session().apply(session::ShowOverlay{GetParam().overlay});
    w.ui().drawFrames(5);
  }
};

TEST_P(KeysUnder, NoKeyIsACommandWhileItsFieldIsTypedInto) {
  WorkbenchUi w;
  open(w);
  expectThatNoKeyCounts(w, "with the field");
}

TEST_P(KeysUnder, NoKeyIsACommandWhenNothingInItHasTheKeyboard) {
  WorkbenchUi w;
  open(w);
  ImGui::ClearActiveID();
  ImGui::SetWindowFocus(nullptr);
  w.ui().drawFrames(2);
  ASSERT_FALSE(ImGui::GetIO().WantTextInput);
  expectThatNoKeyCounts(w, "without the field");
}

TEST_P(KeysUnder, EscapeClosesItAndKeysAreTheWindowsAgain) {
  WorkbenchUi w;
  open(w);
  press(w, ImGuiKey_Escape);
  EXPECT_NE(w.session().app().overlay(), GetParam().overlay);
  const unsigned round = w.session().replay().playhead().round;
  press(w, ImGuiKey_RightArrow);
  EXPECT_EQ(w.session().replay().playhead().round, round + 1);
}

INSTANTIATE_TEST_SUITE_P(
    Overlays, KeysUnder,
    testing::Values(Opened{"Palette", Overlay::Palette}, Opened{"OpenFile", Overlay::OpenFile},
                    Opened{"OwnData", Overlay::OwnData}, Opened{"CustomOperator", Overlay::CustomOperator},
                    Opened{"SaveFile", Overlay::SaveFile}, Opened{"Export", Overlay::Export},
                    Opened{"OpenTour", Overlay::OpenTour}, Opened{"SaveTour", Overlay::SaveTour, true},
                    Opened{"DeleteScore", Overlay::DeleteScore}),
    [](const auto& one) { return one.param.title; });

// In a slow frame both come at once.
TEST(FreeKeys, CharactersOfOneFrameCountInTheirOrder) {
  WorkbenchUi w;
  const auto sizeAfter = [&](std::initializer_list<char32_t> characters) {
    session::Settings settings = w.session().app().settings();
    settings.textSize = 150;
    w.session().apply(session::ChangeSettings{settings});
    for (const char32_t character : characters) w.ui().keys().type({character, true});
    w.ui().drawFrames(2);
    return w.session().app().settings().textSize;
  };
  EXPECT_EQ(sizeAfter({U'0', U'+'}), 110);
  EXPECT_EQ(sizeAfter({U'+', U'0'}), 100);
}

// A text that holds nothing typed gives way to another one; panels stay as they are.
TEST(FreeKeys, ATextOverThePanelsGivesWayToAnotherAlone) {
  for (const Overlay text : {Overlay::Keys, Overlay::About, Overlay::RoundText}) {
    WorkbenchUi w;
    w.apply(session::ShowOverlay{text});
    const Seen before = seenIn(w);
    for (const ImGuiKeyChord chord :
         {ImGuiKeyChord(ImGuiKey_T), ImGuiKeyChord(ImGuiKey_3), ImGuiKeyChord(ImGuiKey_RightArrow),
          ImGuiKeyChord(ImGuiKey_P), ImGuiKeyChord(ImGuiKey_R), ImGuiKeyChord(ImGuiKey_PageDown)}) {
      press(w, chord);
      EXPECT_TRUE(seenIn(w) == before) << int(text) << " " << ImGui::GetKeyName(ImGuiKey(chord));
    }
    press(w, ImGuiMod_Ctrl | ImGuiKey_P);
    EXPECT_EQ(w.session().app().overlay(), Overlay::Palette);
  }
}

// Dear ImGui gives the keyboard to what is clicked: behind a form it would press a panel's buttons.
TEST(FreeKeys, AClickBesideAFormLeavesTheKeyboardToTheForm) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  w.run("click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("lanes", 3, 7));
    test->MouseClick();
    test->Yield(3);
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_RightArrow}) {
      test->KeyPress(key);
      test->Yield(2);
      IM_CHECK_STR_EQ(ImGui::GetCurrentContext()->NavWindow->RootWindow->Name, "Save as a recording");
    }
  });
  EXPECT_EQ(w.session().app().overlay(), Overlay::SaveFile);
}

TEST(FreeKeys, TheWindowItselfListensUnderAForm) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  press(w, ImGuiKey_F11);
  EXPECT_TRUE(w.session().app().fullscreen());
  EXPECT_EQ(w.session().app().overlay(), Overlay::SaveFile);
  press(w, ImGuiMod_Ctrl | ImGuiKey_Q);
  EXPECT_TRUE(w.session().app().quitting());
}

// Keys of one frame: what the first opens has those behind it.
TEST(FreeKeys, WhatIsTypedInTheFrameOfAFormBelongsToTheForm) {
  WorkbenchUi w;
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_O, true);
  io.AddKeyEvent(ImGuiKey_O, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  for (const ImGuiKey key : {ImGuiKey_T, ImGuiKey_3, ImGuiKey_T}) {
    io.AddKeyEvent(key, true);
    io.AddKeyEvent(key, false);
  }
  w.ui().drawFrames(12);
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
  EXPECT_EQ(w.session().app().settings().theme, session::ThemeName::Dark);
  EXPECT_EQ(w.session().workspace().experiment().variant, "interleaved_contiguous");
}

// The fields of the bar, by the keyboard alone, in one run of steps: between two runs the Test Engine takes
// the keyboard away.
class BarField : public testing::Test {
 protected:
  WorkbenchUi w_;

  static bool isListOpen() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }
  static bool hasFrame() { return ImGui::GetCurrentContext()->NavCursorVisible; }
  static std::string typed() {
    const char* const text = ImGui::GetCurrentContext()->InputTextState.TextA.Data;
    return text == nullptr ? "" : text;
  }
  std::uint64_t n() { return w_.session().workspace().experiment().elements; }
  // By Tab, from wherever the keyboard is.
  static void goTo(ImGuiTestContext* test, const char* field) {
    const ImGuiID id = test->GetID(field);
    for (int i = 0; i < 14 && ImGui::GetCurrentContext()->NavId != id; ++i) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(3);
    }
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, id);
  }
  // Each key with its character, as a window system sends them.
  void typeIn(ImGuiTestContext* test, const std::string& text) {
    for (const char character : text) {
      test->KeyDown(keyOf(character));
      w_.ui().keys().type({char32_t(character), false});
      test->KeyChars(std::string(1, character).c_str());
      test->KeyUp(keyOf(character));
    }
    test->Yield(4);
  }
  void enter(ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(4);
    w_.session().waitForJobs();
    test->Yield(4);
  }
  bool isOnlyN(const Seen& before) {
    Seen now = seenIn(w_);
    now.experiment.elements = before.experiment.elements;
    now.settings.lastExperiment = before.settings.lastExperiment;
    return now == before;
  }
};

// By the mouse: after Enter nothing has the keyboard, and nothing looks as if it had.
TEST_F(BarField, OfNLeavesNoFrameBehindWhereTheMouseOpenedIt) {
  w_.run("type", [&](ImGuiTestContext* test) {
    test->ItemClick("//##bar/##n");
    test->Yield(3);
    test->KeyCharsReplaceEnter("1000");
    test->Yield(6);
    IM_CHECK(!isListOpen());
    IM_CHECK(!hasFrame());
    test->KeyPress(ImGuiKey_RightArrow);
    test->Yield(2);
  });
  w_.settle();
  EXPECT_EQ(n(), 1000u);
  EXPECT_EQ(w_.session().replay().playhead().round, 5u) << "arrows step again";
}

// Escape closes the list at once, and the field opens it again by the next press, of a finger, too, which is
// nowhere between two touches.
TEST_F(BarField, OfNOpensAgainWhereItWasClosed) {
  ImVec2 middle;
  w_.run("find", [&](ImGuiTestContext* test) {
    const ImGuiTestItemInfo field = test->ItemInfo("//##bar/##n");
    middle = field.RectFull.GetCenter();
  });
  ImGuiIO& io = ImGui::GetIO();
  for (const ImGuiMouseSource source : {ImGuiMouseSource_Mouse, ImGuiMouseSource_TouchScreen})
    for (int time = 0; time < 3; ++time) {
      io.AddMouseSourceEvent(source);
      io.AddMousePosEvent(middle.x, middle.y);
      io.AddMouseButtonEvent(0, true);
      w_.ui().drawFrames(3);
      io.AddMouseButtonEvent(0, false);
      w_.ui().drawFrames(6);
      EXPECT_TRUE(isListOpen()) << "source " << source << ", time " << time;
      EXPECT_TRUE(io.WantTextInput) << "source " << source << ", time " << time;
      if (source == ImGuiMouseSource_TouchScreen) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
      press(w_, ImGuiKey_Escape);
      w_.ui().drawFrames(10);
      EXPECT_FALSE(isListOpen()) << "source " << source << ", time " << time;
    }
}

TEST_F(BarField, OfNTakesWhatIsTypedOnItsFrame) {
  w_.run("type", [&](ImGuiTestContext* test) {
    goTo(test, "//##bar/##n");
    const Seen before = seenIn(w_);
    typeIn(test, "1000");
    IM_CHECK(isListOpen());
    IM_CHECK_STR_EQ(typed().c_str(),
                    "1000");  // none is lost, all are in order, and none is left of what stood there
    IM_CHECK(isOnlyN(before));
    enter(test);
    IM_CHECK_EQ(n(), 1000u);
    IM_CHECK(isOnlyN(before));
    IM_CHECK(!isListOpen());
    IM_CHECK(hasFrame());
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, test->GetID("//##bar/##n"));  // and still round n
    typeIn(test, "33");
    enter(test);
    IM_CHECK_EQ(n(), 33u);
    IM_CHECK(isOnlyN(before));
  });
}

// What is no number is refused where it was typed. Once its digits chose variants, and its commas the speed.
TEST_F(BarField, OfNKeepsWhatItRefusesAndNothingElseChanges) {
  w_.run("type", [&](ImGuiTestContext* test) {
    for (const char* text : {"1e99", "1,000,000", "99999999999999999999", "1.5"}) {
      goTo(test, "//##bar/##n");
      const Seen before = seenIn(w_);
      typeIn(test, text);
      IM_CHECK_STR_EQ(typed().c_str(), text);
      enter(test);
      IM_CHECK(isOnlyN(before));
      typeIn(test, "77");  // into the field that refused, or into the list that it opens again
      IM_CHECK(isListOpen());
      IM_CHECK(isOnlyN(before));
      for (int i = 0; i < 4 && isListOpen(); ++i) test->KeyPress(ImGuiKey_Escape);
      test->Yield(3);
      IM_CHECK(isOnlyN(before));
    }
  });
}

TEST_F(BarField, WithAFrameHasAllLettersUntilEscape) {
  w_.run("type", [&](ImGuiTestContext* test) {
    goTo(test, "//##bar/##type");
    const Seen before = seenIn(w_);
    typeIn(test, "tcpgr.,123");
    IM_CHECK(seenIn(w_) == before);
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    typeIn(test, "t");
    IM_CHECK(w_.session().app().settings().theme == session::ThemeName::Light);
  });
}

TEST_F(BarField, OfBlocksTakesWhatIsTypedOnItsFrame) {
  w_.apply(session::Choose::elements(4096));
  const std::string variant = w_.session().workspace().experiment().variant;
  w_.run("type", [&](ImGuiTestContext* test) {
    goTo(test, "//##bar/##block shown");
    for (const auto& [text, block] : {std::pair{"11", 11u}, std::pair{"3", 3u}}) {
      typeIn(test, text);
      enter(test);
      IM_CHECK_EQ(w_.session().workspace().experiment().block, std::uint64_t(block));
      IM_CHECK_STR_EQ(w_.session().workspace().experiment().variant.c_str(), variant.c_str());
    }
  });
}

// Who types faster than frames are drawn begins before the field of what opens has the keyboard.
TEST(FormsField, HasTheLettersThatCameBeforeIt) {
  for (const ImGuiKeyChord chord : {ImGuiMod_Ctrl | ImGuiKey_P, ImGuiMod_Ctrl | ImGuiKey_O})
    for (int pause = 0; pause < 6; ++pause) {
      WorkbenchUi w;
      ImGuiIO& io = ImGui::GetIO();
      const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
      const auto type = [&](const char* letters) {
        for (const char* letter = letters; *letter != 0; ++letter) io.AddInputCharacter(unsigned(*letter));
      };
      for (const ImGuiKey each : {ImGuiKey(ImGuiMod_Ctrl), key}) io.AddKeyEvent(each, true);
      w.ui().drawFrames(1);
      for (const ImGuiKey each : {key, ImGuiKey(ImGuiMod_Ctrl)}) io.AddKeyEvent(each, false);
      w.ui().drawFrames(pause);
      type("su");
      w.ui().drawFrames(1);
      type("m32");
      w.ui().drawFrames(10);
      const ImGuiInputTextState& field = ImGui::GetCurrentContext()->InputTextState;
      ASSERT_EQ(field.ID, ImGui::GetActiveID());
      EXPECT_EQ(std::string(field.TextA.Data, std::size_t(field.TextLen)), "sum32")
          << w.workbench().title() << ", after " << pause << " frames";
    }
}

}  // namespace
}  // namespace stridescope::views
