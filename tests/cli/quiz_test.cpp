// stridescope quiz
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>

#include "command_run.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

CommandRun quiz(std::vector<std::string> more) {
  std::vector<std::string> arguments{"quiz", "interleaved_contiguous", "--engine", "host"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCommand(arguments);
}

TEST(Quiz, PrintsASheetAndApartItsAnswers) {
  const CommandRun run = quiz({"--seed", "7"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.error, "");
  const std::size_t answers = run.out.find("Answers to sheet 7");
  ASSERT_NE(answers, std::string::npos);
  const std::string sheet = run.out.substr(0, answers), behind = run.out.substr(answers);
  EXPECT_NE(sheet.find("  14          if (index < blockDim.x)"), std::string::npos);
  EXPECT_NE(sheet.find("Which threads add?"), std::string::npos);
  EXPECT_EQ(sheet.find("is false"), std::string::npos) << "no reason stands beside the questions";
  EXPECT_NE(behind.find("Line 14 asks index < blockDim.x"), std::string::npos);
  const auto count = [](const std::string& text) {
    const std::regex item("\n +\\d+\\. ");
    return std::distance(std::sregex_iterator(text.begin(), text.end(), item), std::sregex_iterator());
  };
  EXPECT_EQ(count(sheet), 12);
  EXPECT_EQ(count(behind), 12);
}

TEST(Quiz, KeepsWithinTheColumnsOfATerminal) {
  for (const char* const variant : {"interleaved_contiguous", "warp_shuffle", "k_way_merge"}) {
    std::istringstream lines(runCommand({"quiz", variant, "--engine", "host"}).out);
    for (std::string line; std::getline(lines, line);) {
      std::size_t columns = 0;
      for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
      EXPECT_LE(columns, 100u) << line;
      EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
    }
  }
}

TEST(Quiz, TheSameSeedGivesTheSameSheet) {
  EXPECT_EQ(quiz({"--seed", "7"}).out, quiz({"--seed", "7"}).out);
  EXPECT_NE(quiz({"--seed", "7"}).out, quiz({"--seed", "8"}).out);
}

TEST(Quiz, AsksAsManyAsAreWanted) {
  const std::string out = quiz({"--questions", "3"}).out;
  EXPECT_NE(out.find("\n  3. "), std::string::npos);
  EXPECT_EQ(out.find("\n  4. "), std::string::npos);
}

TEST(Quiz, ExportsMarkdownAndHtml) {
  const support::Folder folder;
  for (const std::string name : {"sheet.md", "sheet.html"}) {
    const std::filesystem::path file = folder.path() / name;
    const CommandRun run = quiz({"--seed", "7", "--export", file.string()});
    EXPECT_EQ(run.code, 0) << run.error;
    EXPECT_NE(run.out.find("12 questions"), std::string::npos) << run.out;
    EXPECT_NE(support::contentsOf(file).find("Answers to sheet 7"), std::string::npos);
  }
  const std::string markdown = support::contentsOf(folder.path() / "sheet.md");
  EXPECT_TRUE(markdown.starts_with("# Questions: interleaved, contiguous\n"));
  EXPECT_NE(markdown.find("\n---\n"), std::string::npos);
  EXPECT_NE(markdown.find("data\\[index\\]"), std::string::npos);
}

// Its elements close in their order, and it refers to nothing outside it.
TEST(Quiz, ExportsHtmlThatIsWellFormedAndStandsAlone) {
  const support::Folder folder;
  const std::filesystem::path file = folder.path() / "sheet.html";
  ASSERT_EQ(quiz({"--export", file.string()}).code, 0);
  const std::string html = support::contentsOf(file);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n"));
  for (const char* const outside :
       {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("if (index &lt; blockDim.x)"), std::string::npos);
  EXPECT_NE(html.find("break-before: page"), std::string::npos);
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z0-9]+)[^>]*>");
  for (std::sregex_iterator each(html.begin(), html.end(), tag), end; each != end; ++each) {
    const std::string name = (*each)[2];
    if (name == "meta") continue;
    if ((*each)[1].length() == 0) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    EXPECT_EQ(open.back(), name);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

// Whatever stands in a recording: no script, no picture, and nothing from elsewhere.
TEST(Quiz, HtmlHasASecurityPolicyBeforeItsContent) {
  const support::Folder folder;
  const std::filesystem::path file = folder.path() / "sheet.html";
  ASSERT_EQ(quiz({"--export", file.string()}).code, 0);
  const std::string html = support::contentsOf(file);
  EXPECT_NE(html.find("<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
                      "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src "
                      "'unsafe-inline'\">\n"),
            std::string::npos)
      << html.substr(0, 400);
}

TEST(Quiz, LeavesAFileAloneUnlessForced) {
  const support::Folder folder;
  const std::filesystem::path file = folder.path() / "sheet.md";
  support::writeContents(file, "mine");
  const CommandRun refused = quiz({"--export", file.string()});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.error.find("exists already. Choose another name, or replace it with --force."),
            std::string::npos)
      << refused.error;
  EXPECT_EQ(support::contentsOf(file), "mine");
  EXPECT_EQ(quiz({"--export", file.string(), "--force"}).code, 0);
  EXPECT_NE(support::contentsOf(file), "mine");
}

TEST(Quiz, TellsWhatCannotBe) {
  EXPECT_EQ(quiz({"--export", "sheet.txt"}).code, 2);
  EXPECT_NE(quiz({"--export", "sheet.txt"}).error.find(".md or .html"), std::string::npos);
  EXPECT_EQ(quiz({"--questions", "0"}).code, 2);
  EXPECT_EQ(runCommand({"quiz", "sequental"}).code, 2);
  EXPECT_EQ(runCommand({"quiz"}).code, 2);
  const CommandRun nowhere = quiz({"--export", "/nowhere/at/all/sheet.md"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_NE(nowhere.error.find("/nowhere/at/all"), std::string::npos);
}

// The first block of this one loads beyond the input, so that no round of it determines anything.
TEST(Quiz, SaysWhatActiveMeansInEveryRound) {
  const std::string usual = quiz({}).out;
  EXPECT_NE(usual.find("in a round in which no thread does so, if it accesses any memory."),
            std::string::npos)
      << usual;
  const CommandRun global = runCommand({"quiz", "global_memory", "--engine", "host"});
  EXPECT_NE(global.out.find("Nothing in this"), std::string::npos) << global.out;
}

TEST(Quiz, AsksAboutTheBarrierThatNotAllThreadsReach) {
  for (const char* const seed : {"1", "2", "3"}) {
    const CommandRun run = runCommand({"quiz", "divergent_barrier", "--engine", "host", "--seed", seed});
    EXPECT_NE(run.out.find("Which threads wait at the barrier? (line 14: __syncthreads())"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("belongs"), std::string::npos) << run.out;
  }
}

TEST(Quiz, SaysThatThereIsNothingToAsk) {
  const CommandRun run = runCommand({"quiz", "missing_bound_check", "--engine", "host"});
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.error.find("Nothing can be asked about this run"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace stridescope::cli
