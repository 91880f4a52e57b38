#include "markdown/entity.h"

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <iterator>
#include <utility>

namespace stridescope::markdown {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;
using boost::locale::utf::code_point;

constexpr code_point kReplacement = 0xfffd;

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kNames{{{"amp", "&"},
                                                                                {"apos", "'"},
                                                                                {"copy", "©"},
                                                                                {"deg", "°"},
                                                                                {"ge", "≥"},
                                                                                {"gt", ">"},
                                                                                {"hellip", "…"},
                                                                                {"le", "≤"},
                                                                                {"lt", "<"},
                                                                                {"mdash", "—"},
                                                                                {"micro", "µ"},
                                                                                {"middot", "·"},
                                                                                {"minus", "−"},
                                                                                {"nbsp", "\u00a0"},
                                                                                {"ndash", "–"},
                                                                                {"ne", "≠"},
                                                                                {"quot", "\""},
                                                                                {"rarr", "→"},
                                                                                {"times", "×"}}};

std::string numbered(std::string_view digits) {
  const bool isHex = digits.starts_with('x') || digits.starts_with('X');
  if (isHex) digits.remove_prefix(1);
  code_point code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
  const bool isCharacter = error == std::errc() && end == digits.data() + digits.size() && code != 0 &&
                           boost::locale::utf::is_valid_codepoint(code);
  std::string text;
  Utf8::encode(isCharacter ? code : kReplacement, std::back_inserter(text));
  return text;
}

}  // namespace

std::string entityText(std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) return numbered(name.substr(1));
  const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == kNames.end() ? entity : found->second);
}

}  // namespace stridescope::markdown
