// Which layout files Dear ImGui gets to read: those that it writes, and no damaged one. What passes is drawn,
// without a display: several of the damaged ones bring Dear ImGui 1.92.9 down.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "imgui_internal.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "shell/layout_file.h"
#include "support/demo_app.h"

namespace stridescope::shell {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// As the program wrote it, at 1600x1000, with a panel that stands alone.
const std::string kSound =
    R"([Window][Ladder]
Pos=8,132
Size=200,722
Collapsed=0
DockId=0x00000001,0
LastUsed=20261122

[Window][Shared memory]
Pos=216,132
Size=840,350
Collapsed=0
DockId=0x00000005
LastUsed=20261122

[Window][Lanes]
Pos=-12,490
Size=272,364
Collapsed=1

[Window][Shared memory/map_0F]
IsChild=1
Size=272,364

[Window][Timings]
ViewportPos=-1600,0
ViewportId=0x12345678
Pos=1064,528
Size=528,326
Collapsed=0
DockId=0x00000006,1
ClassId=0x00000007
LastUsed=20261122

[Docking][Data]
DockNode      ID=0x00000006 Pos=700,100 Size=300,200 Selected=0x8339C758
DockSpace     ID=0xBDAB7BFC Window=0x47979DB6 Pos=8,132 Size=1584,722 Split=X
  DockNode    ID=0x00000001 Parent=0xBDAB7BFC SizeRef=200,722 NoTabBar=1 Selected=0x75B8F962
  DockNode    ID=0x00000002 Parent=0xBDAB7BFC SizeRef=1376,722 Split=Y
    DockNode  ID=0x00000005 Parent=0x00000002 SizeRef=840,350 CentralNode=1 NoTabBar=1 Selected=0xC56726A8
    DockNode  ID=0x00000003 Parent=0x00000002 SizeRef=840,364 HiddenTabBar=1

)";

// Its dock space's id is the program's.
constexpr std::uint32_t kDockSpace = 0xBDAB7BFC;

std::string faultIn(const std::string& text) { return faultOfLayout(text, kDockSpace).value_or(""); }

struct Damage {
  const char* from;
  const char* to;  // in the place of `from`
  const char* fault;
};
constexpr Damage kDamages[] = {
    // Dear ImGui hangs at the first, and crashes at others.
    {"ID=0x00000002 Parent=0xBDAB7BFC", "ID=0x00000002 Parent=0x00000002",
     "line 38: the node has no parent before it"},
    {"ID=0x00000001 Parent=0xBDAB7BFC", "ID=0x00000001 Parent=0x00000002", "no parent before it"},
    {"ID=0x00000002 Parent=0xBDAB7BFC", "ID=0x00000002 Parent=0x00000005", "no parent before it"},
    {"ID=0x00000003 Parent", "ID=0x00000005 Parent", "the node stands there twice"},
    {"ID=0x00000003 Parent", "ID=0xBDAB7BFC Parent", "the node stands there twice"},
    {"ID=0x00000003 Parent=0x00000002", "ID=0x00000003 Parent=0x00000099", "no parent before it"},
    {"ID=0x00000003 Parent=0x00000002", "ID=0x00000003 Parent=0x00000001", "not split in two"},
    {"ID=0x00000003 Parent=0x00000002", "ID=0x00000003 Parent=0xBDAB7BFC", "not split in two"},
    {"    DockNode  ID=0x00000003 Parent=0x00000002 SizeRef=840,364 HiddenTabBar=1\n", "", "lacks a child"},
    {"SizeRef=1376,722 Split=Y", "SizeRef=1376,722", "not split in two"},
    {"SizeRef=840,364 HiddenTabBar", "SizeRef=840,364 Split=X HiddenTabBar", "lacks a child"},
    {"SizeRef=840,364 HiddenTabBar", "SizeRef=840,364 CentralNode=1 HiddenTabBar", "two central nodes"},
    {"SizeRef=1376,722 Split=Y", "SizeRef=1376,722 Split=Y CentralNode=1", "a split node is the central one"},
    {"DockSpace     ID=0xBDAB7BFC Window=0x47979DB6", "DockNode      ID=0xBDAB7BFC", "a node among others"},
    {"  DockNode    ID=0x00000002", "  DockSpace   ID=0x00000002", "a dock space has a parent"},
    {"DockId=0x00000005", "DockId=0x00000002", "docked into a split node"},
    {"DockId=0x00000005", "DockId=0x00000077", "a node that there is not"},
    {"DockId=0x00000005", "DockId=0x00000000", "its value cannot be"},
    {"DockId=0x00000005", "DockId=5", "its value cannot be"},
    {"DockId=0x00000006,1", "DockId=0x00000006,99999", "its value cannot be"},
    // Numbers.
    {"SizeRef=1376,722", "SizeRef=99999999,722", "SizeRef cannot be"},
    {"SizeRef=1376,722", "SizeRef=1376,-1", "SizeRef cannot be"},
    {"SizeRef=1376,722", "SizeRef=1376", "SizeRef cannot be"},
    {"SizeRef=1376,722", "SizeRef=0x10,722", "SizeRef cannot be"},
    {"SizeRef=1376,722", "SizeRef=1e3,722", "SizeRef cannot be"},
    {"SizeRef=1376,722", "SizeRef=nan,722", "SizeRef cannot be"},
    {"Pos=8,132 Size=1584,722", "Pos=8,132 Size=2000000000,722", "Size cannot be"},
    {"Pos=8,132 Size=1584,722", "Pos=-2147483649,132 Size=1584,722", "Pos cannot be"},
    {"Pos=8,132\nSize", "Pos=32768,132\nSize", "line 2: its value cannot be"},
    {"[Window][Lanes]", "[Window][a###Lanes]", "there is no window of this name"},
    {"[Window][Lanes]", "[Window][Lanes]]", "there is no window of this name"},
    {"Pos=8,132\nSize", "Pos=08,132\nSize", "line 2: its value cannot be"},
    {"Size=200,722\n", "Size=-200,722\n", "line 3: its value cannot be"},
    {"ID=0x00000001 Parent", "ID=0x00000000 Parent", "ID cannot be"},
    {"ID=0x00000001 Parent", "ID=0x1 Parent", "ID cannot be"},
    {"ID=0x00000001 Parent", "ID=0x000000001 Parent", "ID cannot be"},
    {"NoTabBar=1 Selected=0x75B8F962", "NoTabBar=7 Selected=0x75B8F962", "NoTabBar cannot be"},
    {"Split=X", "Split=Z", "Split cannot be"},
    {"LastUsed=20261122", "LastUsed=-2026112", "its value cannot be"},
    {"Collapsed=0", "Collapsed=2", "its value cannot be"},
    // Lines.
    {"Parent=0xBDAB7BFC SizeRef=200,722", "Parent=0xBDAB7BFC", "a place of its own"},
    {" Pos=8,132 Size=1584,722", "", "the node has no place"},
    {"Size=300,200", "Size=300,0", "the node has no room"},
    {"Size=300,200", "Size=0,200", "the node has no room"},
    {"ID=0x00000001 Parent=0xBDAB7BFC SizeRef=200,722", "Parent=0xBDAB7BFC SizeRef=200,722",
     "the node has no id"},
    {"NoTabBar=1 Selected=0x75B8F962", "Selected=0x75B8F962 NoTabBar=1",
     "not what the program writes of a node"},
    {"NoTabBar=1 Selected=0x75B8F962", "NoTabBar=1 NoTabBar=1", "not what the program writes of a node"},
    {"  DockNode    ID=0x00000001", "  DockTree    ID=0x00000001", "not what the program writes of a node"},
    {"Collapsed=0\n", "Collapsed=0\nCollapsed=0\n", "not what the program writes of a window"},
    {"Collapsed=0\n", "Colour=0\n", "not what the program writes of a window"},
    {"[Window][Ladder]\n", "", "line 1: it stands in no section"},
    {"[Window][Ladder]", "[Table][0x00000001,512]", "there is no such section"},
    {"[Window][Ladder]", "[Window][]", "there is no such section"},
    {"[Window][Ladder]", "[Window][Lanes]", "the window stands there twice"},
    {"[Window][Lanes]", "[Docking][Data]\n[Window][Lanes]", "something follows the nodes"},
    {"[Docking][Data]\n", "[Docking][Data]\n[Docking][Data]\n", "the nodes stand there twice"},
    {"[Window][Ladder]", "[Window][Lad\x1b[31mder]", "it is not plain text"},
    {"[Window][Ladder]", "[Window][Lad\xff]", "it is not plain text"},
    {"Pos=8,132\n", "Pos=8,132\r\n", "it is not plain text"},
};

std::string damaged(const Damage& damage) {
  std::string text = kSound;
  const std::size_t at = text.find(damage.from);
  EXPECT_NE(at, std::string::npos) << damage.from;
  return text.replace(at, std::string(damage.from).size(), damage.to);
}

TEST(LayoutCheck, LetsThroughWhatTheProgramWrites) {
  EXPECT_EQ(faultIn(kSound), "");
  EXPECT_EQ(faultIn(""), "");
  EXPECT_EQ(faultIn("[Docking][Data]\n\n"), "");
}

TEST(LayoutCheck, NamesTheDamage) {
  for (const Damage& damage : kDamages)
    EXPECT_THAT(faultIn(damaged(damage)), HasSubstr(damage.fault)) << damage.from << " -> " << damage.to;
}

TEST(LayoutCheck, HasBounds) {
  EXPECT_THAT(faultIn(std::string(10 << 20, '\n')), HasSubstr("more than 65536 bytes"));
  std::string deep = "[Docking][Data]\nDockSpace ID=0xBDAB7BFC Pos=8,132 Size=1584,722 Split=X\n";
  std::string wide = deep;
  const auto node = [](unsigned id, unsigned parent, const char* split) {
    std::array<char, 100> line{};
    std::snprintf(line.data(), line.size(), "DockNode ID=0x%08X Parent=0x%08X SizeRef=10,10%s\n", id, parent,
                  split);
    return std::string(line.data());
  };
  unsigned parent = kDockSpace;
  for (unsigned id = 1; id < 100; id += 2) {
    deep += node(id, parent, "") + node(id + 1, parent, " Split=X");
    parent = id + 1;
  }
  EXPECT_THAT(faultIn(deep), HasSubstr("too many splits within each other"));
  std::string windows;
  for (int i = 0; i < 300; ++i) windows += "[Window][w" + std::to_string(i) + "]\nCollapsed=0\n\n";
  EXPECT_THAT(faultIn(windows), HasSubstr("too many windows"));
  std::string floating = "[Docking][Data]\n";
  for (unsigned id = 1; id < 300; ++id) {
    std::array<char, 100> line{};
    std::snprintf(line.data(), line.size(), "DockNode ID=0x%08X Pos=1,1 Size=10,10\n", id);
    floating += line.data();
  }
  EXPECT_THAT(faultIn(floating), HasSubstr("too many nodes"));
}

class Layouts : public testing::Test {
 protected:
  ~Layouts() override {
    for (const char* more : {"", ".kept", ".starting"}) std::filesystem::remove(file_.string() + more);
  }

  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

  // Starts with the file, draws a few frames; what the window says of the file. Never crashes, never hangs.
  std::string drawWith(const std::string& text) {
    write(text);
    struct ListeningApp : App {
      support::DemoApp demo;
      std::string notice;
      void drawFrame(Frame& frame) override { demo.drawFrame(frame); }
      void onNotice(const std::string& sentence) override { notice = sentence; }
    } app;
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    EXPECT_TRUE(runner);
    for (int i = 0; i < 5; ++i) (*runner)->run(app);
    ladderWidth_ = ImGui::FindWindowByName("Ladder")->Size.x;
    return app.notice;
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("stridescope-check-" + std::to_string(::getpid()) + ".ini");
  float ladderWidth_ = 0;
};

TEST_F(Layouts, ThatAreDamagedStartWithTheDefault) {
  for (const Damage& damage : kDamages) {
    SCOPED_TRACE(damage.to);
    EXPECT_THAT(drawWith(damaged(damage)), HasSubstr("is damaged"));
    EXPECT_NEAR(ladderWidth_, 200, 1);
    std::filesystem::remove(file_.string() + ".kept");
  }
  EXPECT_THAT(drawWith(std::string(10 << 20, 'x')), HasSubstr("more than 65536 bytes"));
  std::string garbage;
  std::mt19937 generator(3);
  for (int i = 0; i < 5000; ++i) garbage += char(generator());
  EXPECT_THAT(drawWith(garbage), HasSubstr("not plain text"));
}

TEST_F(Layouts, ThatTheProgramWritesAreTaken) {
  std::filesystem::remove(file_);
  for (const auto change :
       {+[] {},
        +[] {
          ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Lanes"));
        },
        +[] {  // into a floating node with another one, side by side
          ImGuiWindow* banks = ImGui::FindWindowByName("Banks");
          ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), banks);
          ImGui::DockContextQueueDock(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Lanes"), nullptr,
                                      banks, ImGuiDir_Right, 0.5f, false);
        },
        +[] {  // a tab among others
          ImGui::DockContextQueueDock(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Source"), nullptr,
                                      ImGui::FindWindowByName("Timings"), ImGuiDir_None, 0.5f, false);
        },
        +[] { ImGui::FindWindowByName("Lanes")->Collapsed = true; }}) {
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    ASSERT_TRUE(runner);
    support::DemoApp app;
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    change();
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    ImGui::SaveIniSettingsToDisk(file_.c_str());
    std::ifstream stream(file_, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    EXPECT_THAT(text, HasSubstr("[Docking][Data]"));
    EXPECT_EQ(faultIn(text), "") << text;
  }
}

TEST_F(Layouts, ThatAreCutShortDoNoHarm) {
  for (std::size_t length = 0; length < kSound.size(); ++length)
    if (faultIn(kSound.substr(0, length)).empty()) {
      EXPECT_EQ(drawWith(kSound.substr(0, length)), "") << length;
    }
}

// Nodes and windows are random and have few ids, so that cycles, doubles and missing ones are the rule. About
// one in fifty is sound; without the check a third of them would bring Dear ImGui down.
TEST_F(Layouts, OfAnyKindDoNoHarm) {
  std::mt19937 generator(1);
  const auto below = [&](unsigned bound) { return unsigned(generator() % bound); };
  const auto id = [&] {
    std::array<char, 16> text{};
    const unsigned number = below(7);
    std::snprintf(text.data(), text.size(), "0x%08X", number == 0 ? kDockSpace : number);
    return std::string(text.data());
  };
  int sound = 0, drawn = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    std::string text;
    for (const char* name : {"Ladder", "Shared memory", "Lanes", "Source"})
      if (below(2) == 0)
        text += std::string("[Window][") + name + "]\nPos=8,132\nSize=200,722\nCollapsed=0\nDockId=" + id() +
                ",0\n\n";
    text += "[Docking][Data]\n";
    for (unsigned count = 1 + below(6); count > 0; --count) {
      const bool isRoot = below(3) == 0;
      text += below(3) == 0 ? "DockSpace" : "DockNode ";
      text += " ID=" + id();
      text += isRoot ? " Pos=8,132 Size=" + std::to_string(below(3) * 700) + ",722"
                     : " Parent=" + id() + " SizeRef=0,700";
      if (below(2) == 0) text += below(2) == 0 ? " Split=X" : " Split=Y";
      if (below(4) == 0) text += " CentralNode=1";
      text += "\n";
    }
    const bool isSound = faultIn(text).empty();
    sound += isSound;
    if (!isSound && repeat % 500 != 0) continue;
    if (++drawn > 150) break;
    EXPECT_EQ(drawWith(text).empty(), isSound) << text;
    std::filesystem::remove(file_.string() + ".kept");
  }
  EXPECT_GT(sound, 50);
}

}  // namespace
}  // namespace stridescope::shell
