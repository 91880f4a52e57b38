#include "instrument/edits.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace stridescope::instrument {
namespace {

std::string withId(const std::string& pattern, int site, const std::vector<int>& siteIds) {
  const std::size_t mark = pattern.find('%');
  if (site < 0 || mark == std::string::npos) return pattern;
  std::string text = pattern;
  return text.replace(mark, 1, std::to_string(siteIds[static_cast<std::size_t>(site)]));
}

// The text as it is edited so far.
class EditedText {
 public:
  EditedText(const Source& source, const std::vector<Replacement>& replacements,
             const std::vector<int>& siteIds)
      : source_(source), siteIds_(siteIds) {
    const auto count = static_cast<std::size_t>(source.size());
    before_.resize(count);
    after_.resize(count);
    replaced_.resize(count);
    for (const Replacement& replacement : replacements)
      at(replaced_, replacement.first) =
          Replaced{replacement.last, withId(replacement.text, replacement.site, siteIds)};
  }

  void make(const Wrap& wrap) {
    std::string& opening = at(before_, wrap.first);
    opening = withId(wrap.before, wrap.site, siteIds_) + opening;
    at(after_, wrap.last) += withId(wrap.after, wrap.site, siteIds_);
  }

  // combine(a, b) becomes recording::InOrder{[&](auto recording_1, auto recording_2) { return
  // combine(recording_1, recording_2); }, a, b}().
  void make(const OrderedExpression& ordered) {
    std::string parameters, rest, operands;
    int next = ordered.first;
    for (std::size_t k = 0; k < ordered.operands.size(); ++k) {
      const TokenRange& operand = ordered.operands[k];
      const std::string name = "recording_" + std::to_string(k + 1);
      parameters += (k == 0 ? "auto " : ", auto ") + name;
      operands += ", " + render({operand.first, operand.last});
      rest += render({next, operand.first - 1});
      rest += spaceBefore(operand.first, ordered.first) + name;
      next = operand.last + 1;
      if (next <= ordered.last) rest += spaceBefore(next, ordered.first);
    }
    rest += render({next, ordered.last});
    at(replaced_, ordered.first) =
        Replaced{ordered.last,
                 "recording::InOrder{[&](" + parameters + ") { return " + rest + "; }" + operands + "}()"};
    at(before_, ordered.first).clear();
    at(after_, ordered.last).clear();
  }

  // Without what stands around the tokens.
  std::string render(TokenRange range) const {
    std::string result;
    for (int i = range.first; i <= range.last; ++i) {
      if (i > range.first) result += spaceBefore(i, range.first);
      result += at(before_, i);
      const std::optional<Replaced>& replaced = at(replaced_, i);
      if (replaced) {
        result += replaced->text;
        i = replaced->last;
      } else {
        result += source_[i].text;
      }
      result += at(after_, i);
    }
    return result;
  }

 private:
  struct Replaced {
    int last = 0;
    std::string text;
  };

  template <class Element>
  static Element& at(std::vector<Element>& elements, int i) {
    return elements[static_cast<std::size_t>(i)];
  }
  template <class Element>
  static const Element& at(const std::vector<Element>& elements, int i) {
    return elements[static_cast<std::size_t>(i)];
  }

  // White space and comments; none before the first token.
  std::string spaceBefore(int i, int first) const {
    if (i == first) return {};
    const int end = source_[i - 1].end();
    return std::string(source_.text.substr(static_cast<std::size_t>(end),
                                           static_cast<std::size_t>(source_[i].offset - end)));
  }

  const Source& source_;
  const std::vector<int>& siteIds_;
  std::vector<std::string> before_, after_;
  std::vector<std::optional<Replaced>> replaced_;
};

}  // namespace

std::string applyEdits(const Source& source, Edits edits, const std::vector<int>& siteIds) {
  EditedText text(source, edits.replacements, siteIds);
  // From the innermost outwards, so that each edit goes round what is there already.
  const auto length = [](const auto& edit) { return edit.last - edit.first; };
  std::ranges::stable_sort(edits.wraps, {}, length);
  std::ranges::stable_sort(edits.ordered, {}, length);
  auto ordered = edits.ordered.begin();
  for (const Wrap& wrap : edits.wraps) {
    for (; ordered != edits.ordered.end() && length(*ordered) <= length(wrap); ++ordered) text.make(*ordered);
    text.make(wrap);
  }
  for (; ordered != edits.ordered.end(); ++ordered) text.make(*ordered);

  if (source.tokens.empty()) return std::string(source.text);
  const auto begin = static_cast<std::size_t>(source.tokens.front().offset);
  const auto end = static_cast<std::size_t>(source.tokens.back().end());
  return std::string(source.text.substr(0, begin)) + text.render({0, source.size() - 1}) +
         std::string(source.text.substr(end));
}

}  // namespace stridescope::instrument
