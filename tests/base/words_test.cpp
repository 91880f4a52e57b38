// The texts that a person reads, in plain English: what the program prints and shows (the string literals of
// app/ and of the catalogue), the documents, the lessons, and the comment on top of each kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace stridescope::base_test {
namespace {

struct Text {
  std::string file;  // below the repository's root
  std::string words;
};

struct Avoided {
  const char* pattern;  // whole words, in any case
  const char* instead;
};

constexpr std::array kAvoided{
    Avoided{"(elements?|threads?|slots?|words?|instructions?|atomics?|wavefronts?|sectors?|requests?|loads?|"
            "stores?|barriers?|steps?|rounds?|samples?|values?|numbers?|one|rows?|sites?) an? "
            "(thread|warp|block|lane|line|round|second|step|request|launch|bank|reduction)",
            "per thread, per warp, per block"},
    Avoided{"under ?way|on the way", "in flight, running, in progress"},
    Avoided{"merely", "result unused"},
    Avoided{"what goes wrong", "common bugs"},
    Avoided{"mend(s|ed|ing)?", "fix"},
    Avoided{"wish(es|ed)?", "request, command"},
    Avoided{"twins?", "text map, linked highlight"},
    Avoided{"dearest|pays? most", "worst"},
    Avoided{"k(Most|Least)\\w*", "kMax, kMin"},
    Avoided{"usual", "default"},
    Avoided{"(go|goes|went) both ways", "divergent branch"},
    Avoided{"predicated off", "inactive"},
    Avoided{"(is|are) not (read|recorded)", "is not supported yet"},
    Avoided{"own numbers", "input data"},
    Avoided{"the card('s)?", "the GPU; peak read bandwidth (measured)"},
    Avoided{"as few as can be", "fully coalesced, the minimum"},
    Avoided{"(Timing)?stations?", "case"},
    Avoided{"turns|(a|the|same|each) turn", "repetition"},
    Avoided{"peers?", "baseline"},
};

// What must stay, because files and scripts have it.
constexpr std::array kFixed{
    // What an option of `time` was called, and the kinds of timed subjects in recordings and in CSV.
    "--peers", "gpu peer", "cpu peer",
    // A column of recordings, and comments in the text of a recording's schema.
    "(turn)", "with the same turn are a pair", "the peer's name\n", "the variant's usual\n",
    "0: one a thread\n",
    // They speak of a run's events, which a limit cut, and of a block, and of no construct.
    "from there on is not recorded", "a block that is not recorded",
    // CUDA's own term: a GPU loads from a peer's memory.
    "peer loads"};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

using support::contentsOf;

// The string literals of C++ code, neighbours joined; a line break is one in the words.
std::vector<std::string> literalsOf(const std::string& code) {
  std::vector<std::string> literals;
  bool joins = false, includes = false;
  for (std::size_t at = 0; at < code.size();) {
    if (code.compare(at, 2, "//") == 0) {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.compare(at, 2, "/*") == 0) {
      at = std::min(code.find("*/", at + 2), code.size() - 2) + 2;
    } else if (code.compare(at, 3, "R\"(") == 0) {
      const std::size_t end = std::min(code.find(")\"", at), code.size() - 2);
      literals.push_back(code.substr(at + 3, end - at - 3));
      at = end + 2;
      joins = false;
    } else if (code[at] == '"') {
      std::string words;
      for (++at; at < code.size() && code[at] != '"'; ++at) {
        if (code[at] != '\\') {
          words += code[at];
          continue;
        }
        ++at;
        words += code[at] == 'n' ? '\n' : code[at];
      }
      ++at;
      if (includes) continue;
      if (joins)
        literals.back() += words;
      else
        literals.push_back(words);
      joins = true;
    } else if (code[at] == '\'' && (at == 0 || !isWord(code[at - 1]))) {  // no separator of digits
      at += code.compare(at + 1, 1, "\\") == 0 ? 2 : 1;
      at = std::min(code.find('\'', at), code.size() - 1) + 1;
      joins = false;
    } else {
      if (code[at] == '#') includes = code.compare(at, 8, "#include") == 0;
      if (code[at] == '\n') includes = false;
      joins = joins && std::isspace(static_cast<unsigned char>(code[at])) != 0;
      ++at;
    }
  }
  return literals;
}

std::string leadingComment(const std::string& code) {
  std::string words;
  for (std::size_t at = 0; code.compare(at, 2, "//") == 0; at = code.find('\n', at) + 1)
    words += code.substr(at + 2, code.find('\n', at) - at - 2) + "\n";
  return words;
}

std::vector<Text> textsOf(const std::filesystem::path& root) {
  std::vector<Text> texts;
  const auto add = [&](const std::filesystem::path& file, std::string words) {
    texts.push_back({file.lexically_relative(root).string(), std::move(words)});
  };
  const auto addLiterals = [&](const std::filesystem::path& file) {
    for (std::string& literal : literalsOf(contentsOf(file))) add(file, std::move(literal));
  };
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "app"))
    if (entry.path().extension() == ".cpp") addLiterals(entry.path());
  addLiterals(root / "kernels/variants.cpp");
  addLiterals(root / "kernels/catalog.cpp");
  for (const auto& entry : std::filesystem::directory_iterator(root / "kernels"))
    if (entry.path().extension() == ".cu") add(entry.path(), leadingComment(contentsOf(entry.path())));
  for (const char* folder : {"docs", "assets", "assets/lessons"})
    for (const auto& entry : std::filesystem::directory_iterator(root / folder))
      if (entry.path().extension() == ".md") add(entry.path(), contentsOf(entry.path()));
  add(root / "README.md", contentsOf(root / "README.md"));
  return texts;
}

struct Pattern {
  std::regex found;
  const char* instead;
};

const std::vector<Pattern>& avoidedWords() {
  static const std::vector<Pattern> patterns = [] {
    std::vector<Pattern> all;
    for (const auto& [words, instead] : kAvoided)
      all.push_back({std::regex("\\b(" + std::string(words) + ")\\b", std::regex::icase), instead});
    return all;
  }();
  return patterns;
}

// What is to be written otherwise, a line each.
std::string faultsIn(const Text& text) {
  std::string words = text.words;
  for (const std::string fixed : kFixed)
    for (std::size_t at = words.find(fixed); at != std::string::npos; at = words.find(fixed, at))
      words.replace(at, fixed.size(), "|");
  std::ranges::replace(words, '\n', ' ');
  std::string faults;
  for (const auto& [avoided, instead] : avoidedWords())
    for (std::sregex_iterator found(words.begin(), words.end(), avoided), end; found != end; ++found)
      faults += text.file + ": \"" + found->str() + "\" in \"" +
                words.substr(std::size_t(std::max<std::ptrdiff_t>(0, found->position() - 30)), 80) +
                "\"; rather: " + instead + "\n";
  return faults;
}

TEST(Words, AreThoseOfTheField) {
  const std::vector<Text> texts = textsOf(STRIDESCOPE_SOURCE);
  ASSERT_GT(texts.size(), 1000u);
  std::string faults;
  for (const Text& text : texts) faults += faultsIn(text);
  EXPECT_EQ(faults, "");
}

// What the window says names its menus and buttons: nobody types an option there. `shot` draws the window for
// the command line, and says what is wrong with its options. What the desktop's file dialog is started with
// nobody reads.
TEST(Words, OfTheWindowNameNoOption) {
  const std::regex option("(^|[^-a-z])--[a-z]");
  std::size_t found = 0;
  std::string faults;
  for (const char* folder :
       {"app/draw", "app/narration", "app/session", "app/shell", "app/teaching", "app/views"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(STRIDESCOPE_SOURCE) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      if (entry.path().filename() == "file_dialog.cpp") continue;
      for (const std::string& literal : literalsOf(contentsOf(entry.path()))) {
        ++found;
        if (std::regex_search(literal, option)) faults += entry.path().string() + ": " + literal + "\n";
      }
    }
  EXPECT_GT(found, 1000u);
  EXPECT_EQ(faults, "");
}

// What an engine says of an option stands in brackets, which the window leaves out (session::inWindow).
TEST(Words, OfAnEngineHaveOptionsInBrackets) {
  const std::regex brackets("\\(on the command line: [^)]*\\)"),
      option("--(engine|driver-limit|shared|template)");
  std::size_t found = 0;
  std::string faults;
  for (const char* folder : {"app/engine", "app/lab"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(STRIDESCOPE_SOURCE) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      for (const std::string& literal : literalsOf(contentsOf(entry.path()))) {
        found += std::regex_search(literal, brackets) ? 1 : 0;
        const bool isSentence = literal.ends_with('.') || literal.find(". ") != std::string::npos;
        const std::string rest = std::regex_replace(literal, brackets, "");
        if (isSentence && std::regex_search(rest, option))
          faults += entry.path().string() + ": " + literal + "\n";
      }
    }
  EXPECT_GT(found, 10u);
  EXPECT_EQ(faults, "");
}

TEST(Words, AreFoundInLiteralsAndNotInComments) {
  EXPECT_EQ(
      literalsOf("#include \"a.h\"\nf(\"four loads \"  // one\n  \"under way\", 1'000, '\"', \"b\\\"c\");"),
      (std::vector<std::string>{"four loads under way", "b\"c"}));
  EXPECT_NE(faultsIn({"a", "Four loads are under way."}), "");
  EXPECT_NE(faultsIn({"a", "two elements a thread"}), "");
  EXPECT_NE(faultsIn({"a", "two elements a\nthread"}), "");
  EXPECT_NE(faultsIn({"a", "Labels are not read."}), "");
  EXPECT_EQ(faultsIn({"a", "Two elements per thread, in turn; stridescope time --peers amends it."}), "");
}

}  // namespace
}  // namespace stridescope::base_test
