#include "instrument/edits.h"

#include <algorithm>

namespace stridescope::instrument {
namespace {

std::string withId(const std::string& pattern, int site, const std::vector<int>& siteIds) {
  const std::size_t mark = pattern.find('%');
  if (site < 0 || mark == std::string::npos) return pattern;
  std::string text = pattern;
  return text.replace(mark, 1, std::to_string(siteIds[static_cast<std::size_t>(site)]));
}

}  // namespace

std::string applyEdits(const Source& source, Edits edits, const std::vector<int>& siteIds) {
  const auto count = static_cast<std::size_t>(source.size());
  std::vector<std::string> before(count), after(count);
  std::vector<const Replacement*> replaced(count, nullptr);

  // From the innermost outwards, so that each wrap goes round what is there already.
  std::ranges::stable_sort(edits.wraps, {}, [](const Wrap& wrap) { return wrap.last - wrap.first; });
  for (const Wrap& wrap : edits.wraps) {
    auto& opening = before[static_cast<std::size_t>(wrap.first)];
    opening = withId(wrap.before, wrap.site, siteIds) + opening;
    after[static_cast<std::size_t>(wrap.last)] += withId(wrap.after, wrap.site, siteIds);
  }
  for (const Replacement& replacement : edits.replacements)
    replaced[static_cast<std::size_t>(replacement.first)] = &replacement;

  std::string result;
  std::size_t copied = 0;  // bytes of the source that are written already
  for (std::size_t i = 0; i < count; ++i) {
    const auto offset = static_cast<std::size_t>(source.tokens[i].offset);
    result += source.text.substr(copied, offset - copied);
    result += before[i];
    if (const Replacement* replacement = replaced[i]) {
      result += withId(replacement->text, replacement->site, siteIds);
      i = static_cast<std::size_t>(replacement->last);
    } else {
      result += source.tokens[i].text;
    }
    result += after[i];
    copied = static_cast<std::size_t>(source.tokens[i].end());
  }
  result += source.text.substr(copied);
  return result;
}

}  // namespace stridescope::instrument
