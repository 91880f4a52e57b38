#include "session/text_faults.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/plain_text.h"
#include "session/message.h"

namespace stridescope::session {
namespace {

// The number at the beginning of `text`, which loses it; nullopt: there is none.
std::optional<int> takeNumber(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(std::size_t(end - text.data()));
  return number;
}

bool takeText(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// "k.cu:4:14: error: 'x' was not declared"
std::optional<TextFault> faultIn(std::string_view line, const std::string& fileName) {
  if (!takeText(line, fileName + ":")) return std::nullopt;
  const auto row = takeNumber(line);
  if (!row || !takeText(line, ":")) return std::nullopt;
  const auto column = takeNumber(line);
  if (!column || !takeText(line, ": ")) return std::nullopt;
  takeText(line, "fatal ");
  if (!takeText(line, "error: ")) return std::nullopt;
  return TextFault{*row, *column, printable(line)};
}

// "... (line 4, column 14)." or "... (line 4)."
std::optional<TextFault> faultNamedIn(const std::string& sentence) {
  constexpr std::string_view kBegin = "(line ";
  const auto begin = sentence.find(kBegin);
  if (begin == sentence.npos) return std::nullopt;
  std::string_view rest = std::string_view(sentence).substr(begin + kBegin.size());
  const auto row = takeNumber(rest);
  if (!row) return std::nullopt;
  const auto column = takeText(rest, ", column ") ? takeNumber(rest) : std::nullopt;
  return TextFault{*row, column.value_or(0), printable(inWindow(sentence))};
}

}  // namespace

std::vector<TextFault> faultsOf(const Error& error, const std::string& fileName) {
  std::vector<TextFault> faults;
  if (error.kind != ErrorKind::Usage) return faults;
  std::string_view rest = error.cause == ErrorCause::KernelText ? error.details : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (auto fault = faultIn(line, fileName)) faults.push_back(*std::move(fault));
  }
  if (!faults.empty()) return faults;
  if (auto fault = faultNamedIn(error.sentence)) faults.push_back(*std::move(fault));
  return faults;
}

}  // namespace stridescope::session
