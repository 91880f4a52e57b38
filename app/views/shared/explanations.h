// What the labels and figures of the window mean: one table for all tooltips. Where the glossary has the
// word, its sentence is taken from there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "views/shared/view_context.h"

namespace stridescope::views {

struct Explanation {
  std::string_view label;     // as it is drawn; for figures, one of them: "8-way"
  std::string_view sentence;  // may be empty if there is a term
  std::string_view term;      // the glossary's, whose sentence follows; empty: none
};
std::span<const Explanation> explanationTable();

class Explanations {
 public:
  // `glossary` gives a term's sentence.
  explicit Explanations(std::function<std::string(std::string_view term)> glossary)
      : glossary_(std::move(glossary)) {}

  std::string of(std::string_view label) const;  // empty: the table does not have it

 private:
  std::function<std::string(std::string_view term)> glossary_;
};

// The explanation as a tooltip while the pointer rests in [min, max] of the current window; before it
// `words`, where what is drawn is shorter than they are.
void explain(const ViewContext& view, std::string_view label, ImVec2 min, ImVec2 max,
             std::string_view words = {});

}  // namespace stridescope::views
