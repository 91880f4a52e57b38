// The score and its file.
#include "teaching/score.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>

#include "support/temporary_folder.h"

namespace stridescope::teaching::test {
namespace {

constexpr Outcome kRight{Topic::ConflictWays, true, 0}, kWrong{Topic::ConflictWays, false, 2};

TEST(Score, CountsByConcept) {
  Score score;
  score.add(kRight);
  score.add(kWrong);
  score.add({Topic::CellValues, true, 1});
  EXPECT_EQ(score.of(Topic::ConflictWays),
            (TopicScore{.asked = 2, .right = 1, .hints = 2, .latest = {true, false}}));
  EXPECT_EQ(score.of(Topic::CellValues), (TopicScore{.asked = 1, .right = 1, .hints = 1, .latest = {true}}));
  EXPECT_EQ(score.of(Topic::ActiveThreads), TopicScore{});
}

TEST(Score, OfAllThatIsRightNoConceptIsWeakest) {
  Score score;
  EXPECT_EQ(weakest(score), std::nullopt);
  score.add(kRight);
  EXPECT_EQ(weakest(score), std::nullopt);
  score.add({Topic::CellValues, false, 0});
  EXPECT_EQ(weakest(score), Topic::CellValues);
  score.add(kWrong);
  score.add(kWrong);
  EXPECT_EQ(weakest(score), Topic::ConflictWays);
  for (std::size_t i = 0; i < kLatest; ++i) score.add(kRight);
  EXPECT_EQ(weakest(score), Topic::CellValues) << "what lies long back does not count";
}

TEST(Score, ThreeInARowAreALevel) {
  Score score;
  const auto level = [&] { return levelOf(score.of(Topic::ConflictWays)); };
  for (const unsigned expected : {0u, 0u, 1u, 1u, 1u, 2u, 2u, 2u, 2u}) {
    score.add(kRight);
    EXPECT_EQ(level(), expected);
  }
  score.add(kWrong);
  EXPECT_EQ(level(), 0u);
}

TEST(ScoreFile, KeepsWhatIsAdded) {
  const support::Folder folder;
  const auto file = folder.path() / "deeper" / "score.json";
  EXPECT_EQ(readScore(file).value(), Score{});
  ASSERT_TRUE(addToScore(file, {kRight, kWrong}));
  const auto sum = addToScore(file, {{Topic::CellValues, true, 3}});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->of(Topic::ConflictWays).asked, 2u);
  EXPECT_EQ(sum->of(Topic::CellValues).hints, 3u);
  EXPECT_EQ(readScore(file).value(), *sum);
  EXPECT_NE(support::contentsOf(file).find("\"version\": 1"), std::string::npos);
  ASSERT_TRUE(deleteScore(file));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(deleteScore(file)) << "nothing is there to be deleted";
}

TEST(ScoreFile, ThatIsDamagedIsToldAndLeft) {
  const support::Folder folder;
  const auto file = folder.path() / "score.json";
  for (
      const char* const text :
      {"", "{", "[]", R"({"version": 1})", R"({"version": "1", "concepts": {}})",
       R"({"version": 1, "concepts": {"conflict ways": {"asked": 1, "right": 2, "hints": 0, "latest": []}}})",
       R"({"version": 1, "concepts": {"conflict ways": {"asked": -1, "right": 0, "hints": 0, "latest": []}}})",
       R"({"version": 1, "concepts": {"conflict ways": {"asked": 1, "right": 0, "hints": 0, "latest": [1]}}})",
       R"({"version": 0, "concepts": {}})"}) {
    support::writeContents(file, text);
    const auto added = addToScore(file, {kRight});
    ASSERT_FALSE(added) << text;
    EXPECT_NE(added.error().sentence.find("is damaged"), std::string::npos) << added.error().sentence;
    EXPECT_EQ(support::contentsOf(file), text);
  }
}

TEST(ScoreFile, OfANewerVersionIsToldAndLeft) {
  const support::Folder folder;
  const auto file = folder.path() / "score.json";
  const std::string text = R"({"version": 2, "ideas": []})";
  support::writeContents(file, text);
  const auto added = addToScore(file, {kRight});
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().sentence.find("a newer version"), std::string::npos);
  EXPECT_EQ(support::contentsOf(file), text);
}

TEST(ScoreFile, ThatIsNoneIsNotOpened) {
  const support::Folder folder;
  const auto pipe = folder.path() / "score.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(readScore(pipe));
  EXPECT_FALSE(addToScore(pipe, {kRight}));
}

// The disk takes no more in the middle of a write: what was there stays whole, and nothing else is left.
TEST(ScoreFile, StaysWholeWhereAWriteEndsInTheMiddle) {
  const support::Folder folder;
  const auto file = folder.path() / "score.json";
  ASSERT_TRUE(addToScore(file, {kRight}));
  const std::string before = support::contentsOf(file);
  rlimit whole{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &whole), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{.rlim_cur = 40, .rlim_max = whole.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto added = addToScore(file, {kWrong});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &whole), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(added);
  EXPECT_TRUE(added.error().sentence.starts_with("The score was not kept in ")) << added.error().sentence;
  EXPECT_EQ(support::contentsOf(file), before);
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(ScoreFile, LiesInTheUsersDataFolder) {
  const char* const xdg = std::getenv("XDG_DATA_HOME");
  const std::string before = xdg == nullptr ? "" : xdg;
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(scoreFile(), "/data/stridescope/score.json");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_NE(scoreFile().find("/.local/share/stridescope/score.json"), std::string::npos);
  before.empty() ? ::unsetenv("XDG_DATA_HOME") : ::setenv("XDG_DATA_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace stridescope::teaching::test
