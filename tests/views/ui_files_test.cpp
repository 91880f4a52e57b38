// The forms that open and save files: typed paths, the desktop's dialog, and what is said when a file is
// none. Dialog programs are shell scripts here.
#include <gtest/gtest.h>

#include <algorithm>
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
using test::clipboard;
using test::WorkbenchUi;

constexpr const char* kOpen = "Open a recording or a kernel";
constexpr const char* kData = "Input data";
constexpr const char* kSave = "Save as a recording";

class UiFiles : public testing::Test {
 protected:
  void SetUp() override { path_ = std::getenv("PATH"); }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  std::string file(const char* name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  // The first program for dialogs: a shell script, which is given the arguments of that program.
  void useDialog(const std::string& body, const char* name = "zenity") {
    std::filesystem::create_directories(folder_.path() / "bin");
    const auto program = folder_.path() / "bin" / name;
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

  // What the dialog is given when numbers for the input are chosen with it; the run then has them.
  std::string argumentsOfAChoice(const char* dialog) {
    const std::string numbers = file("numbers.txt", "3\n-1\n40\n"), seen = folder_.path() / "arguments";
    useDialog("printf '%s\\n' \"$@\" > " + seen + "; echo " + numbers, dialog);
    WorkbenchUi w;
    w.apply(session::ShowOverlay{Overlay::OwnData});
    click(w, std::string(kData) + "/Browse...");
    EXPECT_TRUE(comesTo(w, [&] { return w.session().app().overlay() == Overlay::None; }));
    w.settle();
    EXPECT_EQ(w.session().replay().run()->trace.result, "42");
    std::ifstream stream(seen);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  support::Folder folder_;
  std::string path_;
};

TEST_F(UiFiles, WhereARecordingWasSavedMovesNothingAndCanBeCopied) {
  WorkbenchUi w;
  const std::string path = folder_.path() / "a.stride";
  const auto memory = [] { return ImGui::FindWindowByName("Shared memory")->Pos.y; };
  const float before = memory();
  w.apply(session::SaveRecording{path});
  EXPECT_TRUE(w.shows("Saved as " + path + ".", "##remark")) << w.textsIn("##remark");
  EXPECT_EQ(w.textsIn("##message"), "");
  EXPECT_EQ(memory(), before);
  w.apply(session::StepForward{});
  EXPECT_TRUE(w.shows("Saved as " + path, "##remark")) << "it is not taken away before it is read";
  w.run("copy", [&](ImGuiTestContext* test) {
    test->ItemClick("//##remark/Copy path");
    test->Yield(2);
    IM_CHECK_STR_EQ(clipboard().c_str(), path.c_str());
  });
  EXPECT_TRUE(w.shows("Copied the path.", "##remark")) << w.textsIn("##remark");
}

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
  const std::string arguments = argumentsOfAChoice("zenity");
  EXPECT_TRUE(arguments.starts_with("--file-selection\n")) << arguments;
  EXPECT_NE(arguments.find("Numbers and lists|*.txt *.csv *.json"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("All files|*"), std::string::npos) << arguments;
}

// Both programs are there, and each desktop has its own.
TEST_F(UiFiles, OnKdeItsOwnDialogIsAsked) {
  useDialog("exit 1", "zenity");
  setenv("XDG_CURRENT_DESKTOP", "KDE", 1);
  const std::string arguments = argumentsOfAChoice("kdialog");
  unsetenv("XDG_CURRENT_DESKTOP");
  EXPECT_NE(arguments.find("--getopenfilename\n"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("Numbers and lists (*.txt *.csv *.json)\nAll files (*)"), std::string::npos)
      << arguments;
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

// The list of files under the field.
class UiFileList : public UiFiles {
 protected:
  void SetUp() override {
    UiFiles::SetUp();
    home_ = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
    setenv("HOME", folder_.path().c_str(), 1);
    std::filesystem::create_directories(folder_.path() / "records" / "old");
    std::filesystem::create_directories(folder_.path() / ".hidden");
    for (const char* name :
         {"records/a1.stride", "records/a2.stride", "records/notes.md", "records/b.stride"})
      file(name, "This is no recording.");
  }
  void TearDown() override {
    setenv("HOME", home_.c_str(), 1);
    UiFiles::TearDown();
  }

  static std::vector<std::string> listed(const WorkbenchUi& w, const std::string& form = kOpen) {
    std::vector<std::string> rows;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window.starts_with(form + "/files_")) rows.push_back(entry.text);
    return rows;
  }
  static bool lists(const WorkbenchUi& w, const std::string& row, const std::string& form = kOpen) {
    return std::ranges::count(listed(w, form), row) > 0;
  }
  static void clickRow(WorkbenchUi& w, const std::string& row, const std::string& form = kOpen) {
    ImVec2 middle{};
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window.starts_with(form + "/files_") && entry.text == row)
        middle = {(entry.min.x + entry.max.x) / 2, (entry.min.y + entry.max.y) / 2};
    ASSERT_GT(middle.x, 0) << row;
    w.run("click " + row, [&](ImGuiTestContext* test) {
      test->MouseMoveToPos(middle);
      test->MouseClick();
    });
    w.ui().drawFrames(3);
  }
  // Types into the field, which has the keyboard.
  void keys(WorkbenchUi& w, const std::string& text, const std::vector<ImGuiKey>& then = {}) {
    w.run("keys", [&](ImGuiTestContext* test) {
      if (!text.empty()) test->KeyChars(text.c_str());
      test->Yield(2);
      for (const ImGuiKey key : then) {
        test->KeyPress(key);
        test->Yield(2);
      }
    });
  }
  // The text of the field that is being typed into.
  std::string field() const {
    const ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
    return std::string(state.TextA.Data, std::size_t(state.TextLen));
  }

  std::string home_;
};

TEST_F(UiFileList, HasTheBundledRecordingsFirstAndThenTheFolder) {
  session::SessionServices services = test::hostServices();
  services.shippedRecordings = {"/usr/share/stridescope/h100-variants.stride"};
  session::Settings settings;
  settings.recent = {"/tmp/before.stride"};
  WorkbenchUi w({.settings = settings}, std::move(services));
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "../"); }));
  const std::vector<std::string> rows = listed(w);
  ASSERT_GE(rows.size(), 5u);
  EXPECT_EQ(rows[0], "h100-variants.stride");
  EXPECT_EQ(rows[1], "comes with Stridescope");
  EXPECT_EQ(rows[2], "/tmp/before.stride");
  EXPECT_EQ(rows[4], "../");
  keys(w, "", {ImGuiKey_DownArrow, ImGuiKey_Enter});
  w.settle();
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("h100-variants.stride"), std::string::npos)
      << "that file is not there: " << w.session().app().message()->sentence;
}

TEST_F(UiFileList, TabCompletesAndThenGoesThroughTheNames) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  w.ui().drawFrames(2);
  keys(w, "~/re", {ImGuiKey_Tab});
  ASSERT_TRUE(comesTo(w, [&] { return field() == "~/records/"; })) << field();
  keys(w, "a");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "a1.stride"); }));
  EXPECT_FALSE(lists(w, "b.stride"));
  keys(w, "", {ImGuiKey_Tab});
  EXPECT_EQ(field(), "~/records/a1.stride") << "they have no more in common";
  EXPECT_TRUE(lists(w, "a2.stride")) << "the list stays";
  keys(w, "", {ImGuiKey_Tab});
  EXPECT_EQ(field(), "~/records/a2.stride");
  keys(w, "", {ImGuiKey_Enter});
  w.settle();
  ASSERT_TRUE(w.session().app().message());
  const std::string path = (folder_.path() / "records/a2.stride").string();
  EXPECT_NE(w.session().app().message()->sentence.find(path), std::string::npos)
      << w.session().app().message()->sentence;
}

TEST_F(UiFileList, TabGoesToTheButtonsWhereNothingBeginsSo) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/zzz");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "Nothing here begins so."); }));
  keys(w, "", {ImGuiKey_Tab});
  w.ui().drawFrames(2);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  w.run("where", [&](ImGuiTestContext* test) {
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId,
                test->GetID((std::string("//") + kOpen + "/Open").c_str()));
  });
}

TEST_F(UiFileList, TabGoesOnWhenItHasGoneThroughAllNames) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/records/a");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "a1.stride"); }));
  keys(w, "", {ImGuiKey_Tab, ImGuiKey_Tab, ImGuiKey_Tab});
  w.ui().drawFrames(2);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(UiFileList, ShowsOnlyFilesOfTheKindAndHiddenOnesWhenTyped) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "records/"); }));
  EXPECT_FALSE(lists(w, ".hidden/"));
  keys(w, ".");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, ".hidden/"); }));
  EXPECT_FALSE(lists(w, "records/"));
  keys(w, "", {ImGuiKey_Backspace});
  keys(w, "records/");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "b.stride"); }));
  EXPECT_TRUE(lists(w, "old/"));
  EXPECT_FALSE(lists(w, "notes.md"));
}

TEST_F(UiFileList, ArrowsAndEnterGoIntoFoldersAndGiveFiles) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/rec");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "records/"); }));
  keys(w, "", {ImGuiKey_DownArrow, ImGuiKey_Enter});
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "a1.stride"); }));
  w.ui().drawFrames(3);
  EXPECT_EQ(field(), "~/records/") << "the field goes on there";
  keys(w, "b");  // at its end, nothing is selected
  EXPECT_EQ(field(), "~/records/b");
  keys(w, "", {ImGuiKey_DownArrow, ImGuiKey_Enter});
  w.settle();
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("records/b.stride"), std::string::npos);
}

TEST_F(UiFileList, AClickTakesALine) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "records/"); }));
  clickRow(w, "records/");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "a2.stride"); }));
  clickRow(w, "a2.stride");
  w.settle();
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("records/a2.stride"), std::string::npos);
  EXPECT_EQ(w.session().app().overlay(), Overlay::OpenFile);
}

TEST_F(UiFileList, EnterOnATypedFolderGoesIntoIt) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/records");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "records/"); }));
  keys(w, "", {ImGuiKey_Enter});
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "b.stride"); }));
  EXPECT_FALSE(w.session().app().message()) << "a folder is no recording, and was not tried as one";
}

TEST_F(UiFileList, AFileOfTheListIsTheNameToSaveUnderAndIsNotYetOverwritten) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  type(w, kSave, "~/records/");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "a1.stride", kSave); }));
  clickRow(w, "a1.stride", kSave);
  w.settle();
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "records/a1.stride"), 21u);
  EXPECT_EQ(field(), "~/records/a1.stride");
  keys(w, "", {ImGuiKey_End});
  type(w, kSave, "~/new.stride");
  click(w, std::string(kSave) + "/Save");
  w.settle();
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "new.stride")) << "~ is the home folder";
}

TEST_F(UiFileList, TheNameToSaveUnderGoesAlongIntoAFolder) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::SaveFile});
  type(w, kSave, "~/new.stride");
  ASSERT_TRUE(comesTo(w, [&] { return lists(w, "records/", kSave); })) << "no name begins so: all are listed";
  clickRow(w, "records/", kSave);
  w.ui().drawFrames(3);
  EXPECT_EQ(field(), "~/records/new.stride");
}

TEST_F(UiFileList, AFolderThatCannotBeReadIsASentence) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenFile});
  keys(w, "~/none/");
  EXPECT_TRUE(comesTo(w, [&] {
    return std::ranges::any_of(
        listed(w), [](const std::string& row) { return row.find("cannot be listed") != std::string::npos; });
  }));
}

TEST_F(UiFileList, ToursThatComeWithTheProgramStandFirst) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{Overlay::OpenTour});
  w.ui().drawFrames(2);
  clickRow(w, "Lecture tour", "Open a tour");
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), Overlay::Tour);
}

}  // namespace
}  // namespace stridescope::views
