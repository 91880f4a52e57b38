// The words of the field: assets/glossary.md, an entry a paragraph. Captions and lessons find its words in
// their texts, and the glossary's overlay lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "views/reading/paragraphs.h"

namespace stridescope::views {

struct GlossaryEntry {
  std::string term;                     // "bank conflict"
  std::vector<std::string> forms = {};  // in lower case: the term and other words for it; begins with -:
                                        // "-way" stands for "2-way", "n-way", ...
  std::string sentence;                 // what it means, without marks
  std::vector<TextMark> marks = {};     // the other terms' words in the sentence
};

class Glossary {
 public:
  // The lead of a paragraph has the term and, after semicolons, its other forms: **bank conflict; conflict**.
  // Each form also stands for itself with an s.
  explicit Glossary(std::string_view markdown);

  const std::vector<GlossaryEntry>& entries() const { return entries_; }  // in the order of the file
  const GlossaryEntry* find(std::string_view term) const;                 // nullptr: there is none

  // The entries that have a word, in some form, which begins with the filter, in any case. The entry whose
  // term it is comes first.
  std::vector<const GlossaryEntry*> matching(std::string_view filter) const;

  // Whole words, in any case, from left to right; the longest where several begin at one place.
  std::vector<TextMark> wordsIn(std::string_view text) const;

 private:
  std::vector<GlossaryEntry> entries_;
};

// The program's glossary, which is read once.
const Glossary& glossary();

// Draws the entries that match `filter`, `width` pixels wide; the person edits it, or clicks on a word of a
// sentence. It begins with the overlay's subject.
void drawGlossary(ViewContext& view, std::string& filter, float width, bool appearing);

}  // namespace stridescope::views
