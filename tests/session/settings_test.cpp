// The settings' file: what is written is read, and what others wrote harms nobody.
#include "session/settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/described.h"

namespace stridescope::session {
namespace {

Settings unusual() {
  Settings settings;
  settings.theme = ThemeName::Light;
  settings.textSize = 140;
  settings.speed = 0.5;
  settings.reducedMotion = true;
  settings.windowX = 12;
  settings.windowY = 0;
  settings.windowWidth = 1280;
  settings.windowHeight = 720;
  settings.hiddenPanels = {"banks"};
  settings.timingsTab = "by size";
  settings.timingsChecks = {"thrust", "live cpu_loop"};
  settings.recent = {"/home/someone/a.stride", "/tmp/with \"quotes\" and \xC3\xBC.stride"};
  settings.lastExperiment = {.variant = "unrolled_last_warp",
                             .type = model::ElementType::Double,
                             .op = model::Operator::Max,
                             .threads = 512,
                             .elements = 18446744073709551615u,
                             .data = model::DataPattern::Alternating,
                             .seed = 9223372036854775809u};
  return settings;
}

TEST(Settings, WhatIsWrittenIsRead) {
  EXPECT_EQ(settingsFromJson(settingsToJson(unusual())), unusual());
  EXPECT_EQ(settingsFromJson(settingsToJson(Settings())), Settings());
}

// What older and newer programs read, too.
TEST(Settings, AreWrittenUnderTheirNames) {
  Settings settings = unusual();
  settings.recent = {"a.stride"};
  const std::string text = settingsToJson(settings);
  std::size_t place = 0;
  for (const char* member :
       {"{\n  \"theme\": \"light\"", "\n  \"text_size\": 140", "\n  \"speed\": 0.5",
        "\n  \"reduced_motion\": true", "\n  \"window_x\": 12", "\n  \"window_y\": 0",
        "\n  \"window_width\": 1280", "\n  \"window_height\": 720",
        "\n  \"recent\": [\n    \"a.stride\"\n  ]", "\n  \"hidden_panels\": [\n    \"banks\"\n  ]",
        "\n  \"experiment\": {\n    \"variant\": \"unrolled_last_warp\"", "\n    \"type\": \"double\"",
        "\n    \"op\": \"max\"", "\n    \"threads\": 512", "\n    \"elements\": 18446744073709551615",
        "\n    \"data\": \"alternating\"", "\n    \"seed\": 9223372036854775809"}) {
    place = text.find(member, place);
    ASSERT_NE(place, std::string::npos) << member << " is missing in\n" << text;
  }
}

TEST(Settings, KeepOfTheExperimentWhatDoesNotBeginAnew) {
  Settings settings;
  settings.lastExperiment = support::filled<model::Experiment>();
  const Settings back = settingsFromJson(settingsToJson(settings));
  std::string lost;
  forEachField(back.lastExperiment, settings.lastExperiment,
               [&](std::string_view name, const auto& field, const auto& sent) {
                 if (!support::sameFields(field, sent)) lost += std::string(name) + " ";
               });
  EXPECT_EQ(lost,
            "launch block schedule schedule_seed lists custom given block_order block_order_seed kernel ");
}

TEST(Settings, TakeTheOperatorsWordsButNoOperatorWithoutItsText) {
  const auto operatorOf = [](const std::string& name) {
    return settingsFromJson(R"({"experiment": {"op": ")" + name + "\"}}").lastExperiment.op;
  };
  EXPECT_EQ(operatorOf("mul"), model::Operator::Multiply);
  EXPECT_EQ(operatorOf("custom"), model::Operator::Add);
  EXPECT_EQ(settingsFromJson(R"({"experiment": {"data": "given"}})").lastExperiment.data,
            model::DataPattern::Ramp);
}

void expectDefaults(const std::string& text) {
  const Settings settings = settingsFromJson(text);
  EXPECT_TRUE(settings == Settings()) << text.substr(0, 200) << "\ngives\n" << settingsToJson(settings);
}

TEST(Settings, WhatIsNoSettingsGivesTheDefaults) {
  for (const char* text : {"", " ", "{", "[]", "null", "3", "\"dark\"", "{\"theme\"}", "\xFF\xFE", "{}",
                           "{\"other\": 1}", "{\"theme\": \"light\"", "{\"speed\": 1e999}"})
    expectDefaults(text);
}

TEST(Settings, ManyBracketsAreNoTrouble) {
  expectDefaults(std::string(1 << 20, '['));
  std::string closed = std::string(1 << 16, '[') + std::string(1 << 16, ']');
  expectDefaults("{\"recent\": " + closed + "}");
}

TEST(Settings, ValuesOfAnotherKindFallBack) {
  expectDefaults(R"({"theme": 1, "text_size": "large", "speed": null, "reduced_motion": "yes",
      "window_x": {}, "window_y": [], "window_width": true, "window_height": "tall", "recent": "a.stride",
      "experiment": 5})");
  expectDefaults(R"({"experiment": {"variant": 3, "type": 4, "op": [], "threads": "many",
      "elements": {}, "data": false, "seed": null}})");
}

TEST(Settings, UnknownNamesFallBack) {
  expectDefaults(R"({"theme": "purple", "experiment": {"type": "half", "op": "~", "data": "spiral"}})");
}

TEST(Settings, ValuesOutOfRangeFallBack) {
  for (const char* text :
       {R"({"text_size": 49})", R"({"text_size": 301})", R"({"text_size": -2147483649})",
        R"({"text_size": 1e300})", R"({"text_size": 4294967396})", R"({"speed": 0})", R"({"speed": 1e300})",
        R"({"speed": -1})", R"({"window_width": 0})", R"({"window_width": 99999999999})",
        R"({"window_height": -5})", R"({"window_x": 99999999999})", R"({"window_y": -1e30})",
        R"({"experiment": {"threads": -1}})", R"({"experiment": {"threads": 4294967552}})",
        R"({"experiment": {"seed": -1}})", R"({"experiment": {"elements": -3}})"})
    expectDefaults(text);
}

TEST(Settings, BoundsAreWithinRange) {
  EXPECT_EQ(settingsFromJson(R"({"text_size": 50})").textSize, 50);
  EXPECT_EQ(settingsFromJson(R"({"text_size": 300})").textSize, 300);
  EXPECT_EQ(settingsFromJson(R"({"speed": 0.25})").speed, 0.25);
  EXPECT_EQ(settingsFromJson(R"({"speed": 8})").speed, 8);
}

TEST(Settings, OneBadValueLeavesTheOthers) {
  const Settings settings =
      settingsFromJson(R"({"text_size": "x", "theme": "light", "recent": [1, "a", null, "b"]})");
  EXPECT_EQ(settings.theme, ThemeName::Light);
  EXPECT_EQ(settings.recent, (std::vector<std::string>{"a", "b"}));
}

TEST(Settings, TooManyRecentOnesAreCut) {
  std::string text = R"({"recent": ["0")";
  for (int i = 1; i < 1000; ++i) text += ",\"" + std::to_string(i) + "\"";
  const auto recent = settingsFromJson(text + "]}").recent;
  ASSERT_EQ(recent.size(), kMaxRecent);
  EXPECT_EQ(recent[0], "0");
}

TEST(Settings, APathThatIsNoUtf8IsStillWritten) {
  Settings settings;
  settings.recent = {"/tmp/\xFF.stride"};
  settings.textSize = 120;
  EXPECT_EQ(settingsFromJson(settingsToJson(settings)).textSize, 120);
}

class SettingsFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("stridescope-settings-" + std::to_string(getpid()));
};

TEST_F(SettingsFile, IsWrittenWithItsFolderAndReadAgain) {
  const std::string file = (folder_ / "new" / "settings.json").string();
  const auto saved = saveSettings(file, unusual());
  ASSERT_TRUE(saved) << saved.error().sentence;
  EXPECT_EQ(loadSettings(file), unusual());
}

// The new file takes the old one's place by renaming: whoever has the old one open goes on reading the old
// one.
TEST_F(SettingsFile, IsReplacedWhole) {
  const std::string file = (folder_ / "settings.json").string();
  ASSERT_TRUE(saveSettings(file, unusual()));
  std::ifstream old(file);
  ASSERT_TRUE(saveSettings(file, Settings()));
  std::stringstream text;
  text << old.rdbuf();
  EXPECT_EQ(settingsFromJson(text.str()), unusual());
  EXPECT_EQ(loadSettings(file), Settings());
  const auto files =
      std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  EXPECT_EQ(files, 1) << "nothing is left beside it";
}

TEST_F(SettingsFile, ThatCannotBeWrittenIsASentence) {
  std::ofstream(folder_ / "file") << "x";
  const auto saved = saveSettings((folder_ / "file" / "settings.json").string(), Settings());
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().sentence.find("settings.json"), std::string::npos);
}

TEST_F(SettingsFile, ThatIsNotThereOrIsAFolderGivesTheDefaults) {
  EXPECT_EQ(loadSettings((folder_ / "none.json").string()), Settings());
  EXPECT_EQ(loadSettings(folder_.string()), Settings());
}

TEST_F(SettingsFile, ThatIsAPipeADeviceOrVeryLargeGivesTheDefaultsAndStays) {
  const std::string file = (folder_ / "settings.json").string();
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // nobody writes to it: reading would never end
  EXPECT_EQ(loadSettings(file), Settings());
  const auto saved = saveSettings(file, unusual());
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(saved.error().sentence.find("The settings were not kept in " + file), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_fifo(file));
  EXPECT_EQ(loadSettings("/dev/zero"), Settings());
  std::filesystem::remove(file);
  std::ofstream(file) << settingsToJson(unusual());
  EXPECT_EQ(loadSettings(file), unusual());
  std::filesystem::resize_file(file, 1ull << 40);
  EXPECT_EQ(loadSettings(file), Settings());
}

TEST_F(SettingsFile, ThatIsALinkStaysOne) {
  const std::string file = (folder_ / "settings.json").string();
  std::ofstream(folder_ / "elsewhere.json") << "{}";
  std::filesystem::create_symlink("elsewhere.json", file);
  ASSERT_TRUE(saveSettings(file, unusual()));
  EXPECT_TRUE(std::filesystem::is_symlink(file));
  EXPECT_EQ(loadSettings((folder_ / "elsewhere.json").string()), unusual());
}

class ConfigFolder : public testing::Test {
 protected:
  void TearDown() override {
    give("XDG_CONFIG_HOME", xdg_);
    give("HOME", home_);
  }
  static std::optional<std::string> ask(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }
  static void give(const char* name, const std::optional<std::string>& value) {
    value ? setenv(name, value->c_str(), 1) : unsetenv(name);
  }
  std::optional<std::string> xdg_ = ask("XDG_CONFIG_HOME"), home_ = ask("HOME");
};

TEST_F(ConfigFolder, FollowsXdgThenHome) {
  give("HOME", "/home/someone");
  give("XDG_CONFIG_HOME", "/etc/xdg");
  EXPECT_EQ(configFolder(), "/etc/xdg/stridescope");
  give("XDG_CONFIG_HOME", "relative");  // XDG: such a path is to be ignored
  EXPECT_EQ(configFolder(), "/home/someone/.config/stridescope");
  give("XDG_CONFIG_HOME", std::nullopt);
  EXPECT_EQ(configFolder(), "/home/someone/.config/stridescope");
  give("HOME", std::nullopt);
  EXPECT_EQ(configFolder(), "");
}

}  // namespace
}  // namespace stridescope::session
