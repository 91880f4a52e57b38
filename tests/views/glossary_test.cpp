#include "views/reading/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace stridescope::views {
namespace {

constexpr const char* kSmall =
    "# Glossary\n\n**bank** Serves one word.\n\n**bank conflict; conflict; -way** Lanes ask one bank.\n\n"
    "**SM; multiprocessor** Executes blocks.\n\nNo entry.\n";

std::vector<std::string> found(const Glossary& glossary, const std::string& text) {
  std::vector<std::string> words;
  for (const TextMark& word : glossary.wordsIn(text))
    words.push_back(text.substr(word.begin, word.end - word.begin) + " -> " + word.target);
  return words;
}

TEST(Glossary, HasAnEntryAParagraphThatBeginsWithAWord) {
  const Glossary small(kSmall);
  ASSERT_EQ(small.entries().size(), 3u);
  EXPECT_EQ(small.entries()[2].term, "SM");
  EXPECT_EQ(small.entries()[2].sentence, "Executes blocks.");
  EXPECT_EQ(small.find("bank conflict")->forms,
            (std::vector<std::string>{"bank conflict", "conflict", "-way"}));
  EXPECT_EQ(small.find("conflict"), nullptr);
}

TEST(Glossary, FindsWholeWordsTheLongestFirst) {
  const Glossary small(kSmall);
  using Words = std::vector<std::string>;
  EXPECT_EQ(found(small, "Banks, a bank conflict and banking."),
            (Words{"Banks -> bank", "bank conflict -> bank conflict"}));
  EXPECT_EQ(found(small, "conflicts of an SM's banks"),
            (Words{"conflicts -> bank conflict", "SM -> SM", "banks -> bank"}));
  EXPECT_EQ(found(small, "an 8-way one, n-way, by the way"),
            (Words{"8-way -> bank conflict", "n-way -> bank conflict"}));
  EXPECT_EQ(found(small, "SMs"), (Words{"SMs -> SM"}));
  EXPECT_EQ(found(small, "embankment bank2 µbank_"), Words{});
  EXPECT_EQ(found(small, ""), Words{});
}

TEST(Glossary, AnEntryRefersToTheOthersAndNotToItself) {
  const Glossary small(kSmall);
  const GlossaryEntry& conflict = *small.find("bank conflict");
  ASSERT_EQ(conflict.marks.size(), 1u);
  EXPECT_EQ(conflict.marks[0].target, "bank");
}

TEST(Glossary, IsSearchedByAnyOfAWordsForms) {
  const Glossary small(kSmall);
  EXPECT_EQ(small.matching("").size(), 3u);
  EXPECT_EQ(small.matching("BANK").size(), 2u);
  EXPECT_EQ(small.matching("conf").at(0)->term, "bank conflict");
  EXPECT_EQ(small.matching("multi").at(0)->term, "SM");
  EXPECT_TRUE(small.matching("warp").empty());
  EXPECT_TRUE(small.matching("onflict").empty()) << "within a word";
}

TEST(Glossary, ListsTheWordThatWasAskedForFirst) {
  for (const GlossaryEntry& entry : glossary().entries()) {
    const auto matching = glossary().matching(entry.term);
    ASSERT_FALSE(matching.empty()) << entry.term;
    EXPECT_EQ(matching.front()->term, entry.term);
  }
}

TEST(Glossary, OfTheProgramHasEachFormOnceInOrder) {
  const auto& entries = glossary().entries();
  ASSERT_GT(entries.size(), 30u);
  std::map<std::string, std::string> forms;
  for (const GlossaryEntry& entry : entries) {
    EXPECT_TRUE(entry.sentence.ends_with('.')) << entry.term;
    for (const std::string& form : entry.forms)
      EXPECT_TRUE(forms.emplace(form, entry.term).second)
          << form << " is of " << entry.term << " and of " << forms[form];
  }
  EXPECT_TRUE(
      std::ranges::is_sorted(entries, {}, [](const GlossaryEntry& entry) { return entry.forms.front(); }));
}

// Two underscores on both sides of a word would be Markdown for bold.
TEST(Glossary, NamesCudasKeywordsAsTheyAreWritten) {
  EXPECT_TRUE(glossary().find("kernel")->sentence.ends_with("marked __global__."));
  EXPECT_EQ(glossary().find("barrier")->forms.at(1), "__syncthreads()");
}

// The words that a student cannot guess.
TEST(Glossary, DefinesTheTermsOfTheField) {
  for (const char* term :
       {"bank",          "bank conflict", "barrier",   "block",     "broadcast", "coalesced", "divergence",
        "grid",          "identity",      "in flight", "kernel",    "L1",        "L2",        "lane",
        "latency",       "Little's law",  "occupancy", "predicate", "race",      "SASS",      "scheduler",
        "stall",         "tail",          "volatile",  "wave",      "request",   "round",     "sector",
        "shared memory", "shuffle",       "SM",        "snapshot",  "stride",    "warp",      "wavefront"})
    EXPECT_NE(glossary().find(term), nullptr) << term;
}

}  // namespace
}  // namespace stridescope::views
