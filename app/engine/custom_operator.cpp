#include "engine/custom_operator.h"

#include <algorithm>
#include <cmath>

#include "engine/parse_element.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

char closingOf(char opening) { return opening == '(' ? ')' : opening == '[' ? ']' : '}'; }

std::optional<std::string> faultOfBrackets(std::string_view text) {
  std::string open;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{') open += c;
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty() || closingOf(open.back()) != c)
      return std::string("The '") + c + "' of combine closes nothing. Take it out, or open it before.";
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return std::string("The '") + open.back() + "' of combine is not closed. Add the '" +
         closingOf(open.back()) + "' that is missing.";
}

std::optional<std::string> faultOfCharacters(std::string_view text) {
  const auto isUnprintable = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\n' && c != '\t') || code >= 0x7f;
  };
  if (std::ranges::any_of(text, isUnprintable))
    return "combine takes plain ASCII characters: another one is in it.";
  if (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos)
    return "combine takes no comments. Leave them out.";
  if (const auto at = text.find_first_of("\"'#\\"); at != std::string_view::npos)
    return std::string("combine takes no ") + text[at] + ". Write an expression of a and b.";
  if (text.find("%:") != std::string_view::npos)  // # as it is written without that key
    return "combine takes no %:. Write an expression of a and b.";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> faultOfCombine(std::string_view combine) {
  const std::string_view text = trimmed(combine);
  if (text.empty()) return "combine is empty. Write an expression of a and b, such as a > b ? a : b.";
  if (text.size() > kMaxCombineBytes)
    return "combine has " + std::to_string(text.size()) + " bytes; at most " +
           std::to_string(kMaxCombineBytes) + " are taken.";
  if (auto fault = faultOfCharacters(text)) return fault;
  if (auto fault = faultOfBrackets(text)) return fault;
  if (!kernels::hasOwnReturn(text) && text.find(';') != std::string_view::npos)
    return "combine has a ';' but no return. Write one expression without it, or statements that return the "
           "result.";
  return std::nullopt;
}

Result<model::CustomOperator> readCustomOperator(std::string_view combine, std::string_view identity,
                                                 model::ElementType type) {
  if (auto fault = faultOfCombine(combine)) return usageError(std::move(*fault));
  model::CustomOperator custom{.combine = std::string(trimmed(combine)),
                               .identity = std::string(trimmed(identity)),
                               .identityBits = 0};
  constexpr const char* what =
      ". The identity fills the input up to whole blocks: a number e with combine(e, a) = a.";
  if (custom.identity.empty()) return usageError("The custom operator has no identity" + std::string(what));
  if (const auto fault = parseElement(type, custom.identity, custom.identityBits);
      fault != ElementFault::None)
    return usageError("Of the identity: " + describeFault(fault, custom.identity, type) + what);
  return custom;
}

}  // namespace stridescope::engine
