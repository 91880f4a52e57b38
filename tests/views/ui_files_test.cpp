// The forms that open and save files: typed paths, the desktop's dialog, and what is said when a file is
// none. Dialog programs are shell scripts here.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "imgui_internal.h"
#include "support/temporary_folder.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Overlay;
using test::WorkbenchUi;

std::string clipboard() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? std::string() : text;
}

class UiFiles : public testing::Test {
 protected:
  void SetUp() override { path_ = std::getenv("PATH"); }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  std::string file(const char* name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  // The only program for dialogs: a shell script, which is given the arguments of zenity.
  void useDialog(const std::string& body) {
    std::filesystem::create_directories(folder_.path() / "bin");
    const auto program = folder_.path() / "bin" / "zenity";
    std::ofstream(program) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", ((folder_.path() / "bin").native() + ":" + path_).c_str(), 1);
  }
  bool comesTo(WorkbenchUi& w, const std::function<bool()>& wanted) {
    for (int tries = 0; tries < 1000; ++tries) {
      w.ui().drawFrames(1);
      if (wanted()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  void click(WorkbenchUi& w, const std::string& item) {
    w.run(item, [&](ImGuiTestContext* test) { test->ItemClick(("//" + item).c_str()); });
  }
  void type(WorkbenchUi& w, const std::string& form, const std::string& path) {
    w.run("type", [&](ImGuiTestContext* test) {
      test->ItemClick(("//" + form + "/##path").c_str());
      test->KeyCharsReplace(path.c_str());
      test->Yield(2);
    });
    w.settle();
  }
  std::string typed(WorkbenchUi& w, const std::string& form) {
    std::string text;
    w.run("read", [&](ImGuiTestContext* test) {
      test->ItemClick(("//" + form + "/##path").c_str());
      test->Yield();
      text = test->UiContext->InputTextState.TextA.Data;
    });
    return text;
  }

  support::Folder folder_;
  std::string path_;
};

constexpr const char* kOpen = "Open a recording";
constexpr const char* kData = "Input data";
constexpr const char* kSave = "Save as a recording";

TEST_F(UiFiles, APathThatIsNoRecordingStaysInTheFormWithTheSentence) {
  const std::string damaged = file("damaged.stride", "This is no recording.");
  WorkbenchUi w;
  w.run("open", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    test->Yield(3);
    test->KeyChars(damaged.c_str());
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
  });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
  ASSERT_TRUE(w.session().app().message());
  const std::string sentence = w.session().app().message()->sentence;
  EXPECT_TRUE(w.shows(sentence.substr(0, 20), kOpen)) << w.textsIn(kOpen);
  EXPECT_FALSE(w.shows(sentence.substr(0, 20), "##message")) << "it is told once";
  EXPECT_EQ(typed(w, kOpen), damaged);
  w.run("copy details", [&](ImGuiTestContext* test) {
    test->ItemClick((std::string("//") + kOpen + "/Copy details").c_str());
    test->Yield(2);
    IM_CHECK(clipboard().starts_with(sentence));
  });
  w.run("change", [&](ImGuiTestContext* test) {
    test->ItemClick((std::string("//") + kOpen + "/##path").c_str());
    test->KeyCharsAppend("x");
    test->Yield(2);
  });
  EXPECT_FALSE(w.session().app().message()) << "it was about another path";
  EXPECT_EQ(typed(w, kOpen), damaged + "x");
}

// Its form is not open: the strip has the sentence, and opens the form with the path.
TEST_F(UiFiles, WhatWasDroppedIsToldInTheStripAndCanBeCorrected) {
  const std::string damaged = file("damaged.stride", "This is no recording.");
  WorkbenchUi w;
  w.workbench().onDrop(damaged);
  w.settle();
  EXPECT_TRUE(w.shows("damaged.stride", "##message"));
  click(w, "##message/Open another");
  w.ui().drawFrames(2);
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
  EXPECT_EQ(typed(w, kOpen), damaged);
  EXPECT_TRUE(w.shows("damaged.stride", kOpen)) << "the form goes on telling it";
  EXPECT_FALSE(w.shows("damaged.stride", "##message"));
}

TEST_F(UiFiles, AMessageThatWasReadInItsFormClosesWithIt) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  type(w, kOpen, "/nowhere/none.stride");
  click(w, std::string(kOpen) + "/Open");
  w.settle();
  ASSERT_TRUE(w.session().app().isToldInForm());
  w.run("escape", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().app().overlay(), Overlay::None);
  EXPECT_FALSE(w.session().app().message());
}

TEST_F(UiFiles, TheDesktopsDialogGivesThePath) {
  const std::string numbers = file("numbers.txt", "3\n-1\n40\n"), seen = folder_.path() / "arguments";
  useDialog("printf '%s\\n' \"$@\" > " + seen + "; echo " + numbers);
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OwnData});
  click(w, std::string(kData) + "/Browse...");
  ASSERT_TRUE(comesTo(w, [&] { return w.session().app().overlay() == Overlay::None; }));
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
  std::ifstream stream(seen);
  const std::string arguments{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(arguments.find("Numbers and lists|*.txt *.csv *.json"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("All files|*"), std::string::npos) << arguments;
}

TEST_F(UiFiles, AnOpenDialogHoldsNoFrameAndClosesWithTheForm) {
  const std::string started = folder_.path() / "started", ended = folder_.path() / "ended";
  useDialog("echo > " + started + "; sleep 20; echo > " + ended);
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  click(w, std::string(kOpen) + "/Browse...");
  ASSERT_TRUE(comesTo(w, [&] { return std::filesystem::exists(started); }));
  w.ui().drawFrames(2);
  EXPECT_TRUE(w.shows("The file dialog is open.", kOpen));
  const unsigned before = w.session().replay().playhead().round;
  w.apply(session::StepForward{});
  EXPECT_EQ(w.session().replay().playhead().round, before + 1);
  type(w, kOpen, "/nowhere/none.stride");  // a path can be typed meanwhile
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  w.ui().drawFrames(1);
  EXPECT_FALSE(std::filesystem::exists(ended)) << "the dialog went with the form";
}

TEST_F(UiFiles, ADialogWithoutAChoiceLeavesTheFormAsItWas) {
  useDialog("exit 1");
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  type(w, kOpen, "half a path");
  click(w, std::string(kOpen) + "/Browse...");
  ASSERT_TRUE(comesTo(w, [&] { return !w.shows("The file dialog is open.", kOpen); }));
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
  EXPECT_EQ(typed(w, kOpen), "half a path");
}

TEST_F(UiFiles, WithoutADialogProgramThePathIsTyped) {
  setenv("PATH", folder_.path().c_str(), 1);
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  click(w, std::string(kOpen) + "/Browse...");
  ASSERT_TRUE(comesTo(w, [&] { return w.shows("No program for file dialogs was found.", kOpen); }));
  type(w, kOpen, "/nowhere/none.stride");
  click(w, std::string(kOpen) + "/Open");
  w.settle();
  EXPECT_TRUE(w.shows("none.stride", kOpen)) << w.textsIn(kOpen);
}

TEST_F(UiFiles, AFileThatIsThereIsOverwrittenOnlyWhenSaidSo) {
  const std::string taken = file("taken.stride", "precious");
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  type(w, kSave, taken);
  click(w, std::string(kSave) + "/Save");
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), Overlay::SaveFile);
  EXPECT_TRUE(w.shows("exists already", kSave)) << w.textsIn(kSave);
  EXPECT_EQ(std::filesystem::file_size(taken), 8u);
  click(w, std::string(kSave) + "/Overwrite it");
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), Overlay::None);
  EXPECT_GT(std::filesystem::file_size(taken), 1000u);
}

TEST_F(UiFiles, TheDialogForSavingHasAskedAlready) {
  const std::string taken = file("taken.stride", "old");
  useDialog("echo " + taken);
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  click(w, std::string(kSave) + "/Browse...");
  ASSERT_TRUE(comesTo(w, [&] { return w.session().app().overlay() == Overlay::None; }));
  w.settle();
  EXPECT_GT(std::filesystem::file_size(taken), 1000u);
}

}  // namespace
}  // namespace stridescope::views
