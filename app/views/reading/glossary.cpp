#include "views/reading/glossary.h"

#include <algorithm>
#include <cctype>

#include "imgui_stdlib.h"
#include "views/reading/paragraphs.h"
#include "views/shared/fuzzy_match.h"

namespace stridescope::views {

std::string_view embeddedGlossary(std::string_view fileName);  // generated from assets/glossary.md

namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> partsOf(std::string_view lead) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(lead.find("; "), lead.size());
    parts.emplace_back(lead.substr(0, end));
    if (end == lead.size()) return parts;
    lead.remove_prefix(end + 2);
  }
}

// How many bytes of `low` from `at` on are the form or its plural, as a whole word; 0: none.
std::size_t lengthAt(std::string_view low, std::size_t at, std::string_view form) {
  if (!low.substr(at).starts_with(form)) return 0;
  for (const std::string_view plural : {"s", ""}) {
    const std::size_t length = form.size() + plural.size();
    const bool ends = at + length >= low.size() || !isWordCharacter(low[at + length]);
    if (ends && low.substr(at + form.size()).starts_with(plural)) return length;
  }
  return 0;
}

}  // namespace

Glossary::Glossary(std::string_view markdown) {
  for (Paragraph& paragraph : parseParagraphs(markdown)) {
    if (paragraph.heading || paragraph.lead.empty()) continue;
    GlossaryEntry entry;
    entry.forms = partsOf(paragraph.lead);
    entry.term = entry.forms.front();
    for (std::string& form : entry.forms) form = lowerCase(form);
    entry.sentence = std::move(paragraph.text);
    entries_.push_back(std::move(entry));
  }
  for (GlossaryEntry& entry : entries_) {
    for (TextMark& word : wordsIn(entry.sentence))
      if (word.target != entry.term) entry.marks.push_back(std::move(word));
  }
}

const GlossaryEntry* Glossary::find(std::string_view term) const {
  const auto found = std::ranges::find(entries_, term, &GlossaryEntry::term);
  return found == entries_.end() ? nullptr : &*found;
}

std::vector<const GlossaryEntry*> Glossary::matching(std::string_view filter) const {
  const std::string low = lowerCase(filter);
  std::vector<const GlossaryEntry*> found;
  for (const GlossaryEntry& entry : entries_)
    if (std::ranges::any_of(entry.forms, [&](const std::string& form) {
          return form.starts_with(low) || form.find(" " + low) != form.npos;
        }))
      found.push_back(&entry);
  std::stable_partition(found.begin(), found.end(),
                        [&](const GlossaryEntry* entry) { return entry->forms.front() == low; });
  return found;
}

std::vector<TextMark> Glossary::wordsIn(std::string_view text) const {
  const std::string low = lowerCase(text);
  std::vector<TextMark> words;
  for (std::size_t at = 0; at < low.size();) {
    std::size_t longest = 0;
    const GlossaryEntry* entry = nullptr;
    for (const GlossaryEntry& one : entries_)
      for (const std::string& form : one.forms) {
        const bool begins = form.starts_with('-') ? at > 0 && isWordCharacter(low[at - 1])
                                                  : at == 0 || !isWordCharacter(low[at - 1]);
        const std::size_t length = begins ? lengthAt(low, at, form) : 0;
        if (length > longest) longest = length, entry = &one;
      }
    if (entry == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    if (low[at] == '-')
      while (begin > 0 && isWordCharacter(low[begin - 1])) --begin;  // the 8 of 8-way
    words.push_back({.begin = begin, .end = at + longest, .target = entry->term});
    at += longest;
  }
  return words;
}

const Glossary& glossary() {
  static const Glossary kGlossary(embeddedGlossary("glossary.md"));
  return kGlossary;
}

void drawGlossary(ViewContext& view, std::string& filter, float width, bool appearing) {
  if (appearing) {
    filter = view.app.overlaySubject();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(width);
  ImGui::InputTextWithHint("##word", "type a word", &filter);
  const draw::TextStyle bold = view.semiBold(view.colours().text, draw::kBodySize);
  const draw::TextStyle words = view.words(view.colours().text, draw::kBodySize);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float line = view.px(20);
  float y = origin.y + view.px(6);
  std::string clicked;
  const std::vector<const GlossaryEntry*> found = glossary().matching(filter);
  for (const GlossaryEntry* const entry : found) {
    y = view.wrapped(list, {origin.x, y}, width, line, entry->term, bold).max.y;
    const ImVec2 at{origin.x, y};
    y = view.wrapped(list, at, width, line, entry->sentence, words).max.y;
    for (const MarkedPlace& place : placesOf(entry->marks, entry->sentence, words, at, width, line))
      if (drawMark(view, list, place)) clicked = place.mark->target;
    y += view.px(8);
  }
  if (found.empty())
    y = view.wrapped(list, origin, width, line, "The glossary has no such word.", words).max.y;
  ImGui::Dummy({width, y - origin.y});
  if (!clicked.empty()) filter = clicked;
}

}  // namespace stridescope::views
