#include "instrument/own_arrays.h"

namespace stridescope::instrument {
namespace {

bool isShared(const Source& source, int name) {
  for (int i = name; i >= 0 && !source.is(i, ";") && !source.is(i, "{") && !source.is(i, "}"); --i)
    if (source.is(i, "__shared__")) return true;
  return false;
}

}  // namespace

OwnArrays::OwnArrays(const Source& source, const Declarations& declarations, const Statements& statements)
    : source_(source), declarations_(declarations) {
  const std::vector<int> enclosing = enclosingBrackets(source);
  std::unordered_set<std::string_view> others;
  for (const DeclaredName& name : declarations.declared) {
    const std::string_view text = source[name.token].text;
    const int bracket = enclosing[static_cast<std::size_t>(name.token)];
    // A parameter T a[4] is a pointer. In the head of a for stands a variable.
    const bool parameter = source.is(bracket, "(") && !source.is(bracket - 1, "for");
    const bool inBraces = source.is(bracket, "{") || source.is(bracket - 1, "for");
    const bool inFunction = statements.inFunction[static_cast<std::size_t>(name.token)];
    const bool shared = isShared(source, name.token);
    if (shared || (!inFunction && !inBraces && !parameter)) foreign_.insert(text);
    const bool own = inBraces && !shared && !name.pointer && name.dimensions > 0;
    (own ? arrays_ : others).insert(text);
  }
  for (std::string_view text : others) arrays_.erase(text);
}

bool OwnArrays::contains(int first, int last) const {
  if (!source_.isIdentifier(first) || foreign_.contains(source_[first].text)) return false;
  if (!declarations_.names.contains(source_[first].text)) return false;
  for (int i = first; i <= last;) {
    if (!source_.isIdentifier(i)) return false;
    const std::string_view name = source_[i].text;
    int subscripts = 0;
    for (++i; source_.is(i, "[") && i <= last; i = source_.partnerOf(i) + 1) ++subscripts;
    if (subscripts > 0) {
      const auto dimensions = declarations_.dimensions.find(name);
      if (!arrays_.contains(name) || dimensions == declarations_.dimensions.end()) return false;
      if (subscripts > dimensions->second) return false;
    }
    if (i > last) return true;
    if (!source_.is(i, ".")) return false;
    ++i;
  }
  return false;
}

}  // namespace stridescope::instrument
