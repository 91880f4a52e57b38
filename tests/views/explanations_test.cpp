// The table of explanations and the glossary that it takes from.
#include "views/shared/explanations.h"

#include <gtest/gtest.h>

#include <set>

#include "views/reading/glossary.h"

namespace stridescope::views {
namespace {

Explanations shown() {
  return Explanations([](std::string_view term) { return glossary().find(term)->sentence; });
}

TEST(Explanations, EachHasItsWordsOnce) {
  std::set<std::string_view> labels, sentences;
  for (const Explanation& entry : explanationTable()) {
    EXPECT_TRUE(labels.insert(entry.label).second) << entry.label;
    EXPECT_FALSE(entry.sentence.empty() && entry.term.empty()) << entry.label;
    if (!entry.sentence.empty()) {
      EXPECT_TRUE(sentences.insert(entry.sentence).second) << entry.label;
      EXPECT_TRUE(entry.sentence.ends_with(".")) << entry.label;
    }
    for (const GlossaryEntry& known : glossary().entries())
      EXPECT_NE(entry.sentence, known.sentence) << "it is the glossary's: name the term";
    if (!entry.term.empty()) {
      EXPECT_NE(glossary().find(entry.term), nullptr) << entry.term;
    }
  }
}

TEST(Explanations, TakeTheGlossarysSentence) {
  const std::string text = shown().of("8-way");
  EXPECT_NE(text.find("The worst of the line's requests"), std::string::npos) << text;
  EXPECT_NE(text.find("bank conflict: " + glossary().find("bank conflict")->sentence), std::string::npos)
      << text;
  EXPECT_EQ(shown().of("no such label"), "");
}

}  // namespace
}  // namespace stridescope::views
