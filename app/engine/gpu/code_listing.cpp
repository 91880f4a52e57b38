#include "engine/gpu/code_listing.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace stridescope::engine::gpu {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

template <class Take>
void eachLine(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<unsigned> numberIn(std::string_view text) {
  text = trimmed(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

// "sequential.cu", "/tmp/sequential.cu"
bool isFile(std::string_view path, std::string_view fileName) {
  return path == fileName || (path.ends_with(fileName) && path[path.size() - fileName.size() - 1] == '/');
}

// Blanks in a row become one.
std::string squeezed(std::string_view text) {
  std::string line;
  for (const char c : text)
    if ((c != ' ' && c != '\t') || (!line.empty() && line.back() != ' ')) line += c == '\t' ? ' ' : c;
  return std::string(trimmed(line));
}

void add(std::vector<model::CodeLine>& lines, unsigned line, std::string text) {
  if (text.size() > model::kMaxCodeLineBytes) text.resize(model::kMaxCodeLineBytes);
  if (lines.size() < model::kMaxCodeLines) lines.push_back({line, std::move(text)});
}

// `File "a.cu", line 9 inlined at "b.cu", line 13`: the innermost place in the kernel's file.
std::optional<unsigned> placeOf(std::string_view annotation, std::string_view fileName) {
  for (std::size_t quote = annotation.find('"'); quote != std::string_view::npos;
       quote = annotation.find('"', quote)) {
    const std::size_t end = annotation.find('"', quote + 1);
    if (end == std::string_view::npos) break;
    constexpr std::string_view kLine = ", line ";
    const bool isOurs = isFile(annotation.substr(quote + 1, end - quote - 1), fileName);
    if (isOurs && annotation.substr(end + 1).starts_with(kLine))
      if (const auto number = numberIn(annotation.substr(end + 1 + kLine.size()))) return number;
    quote = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::vector<model::CodeLine> sassLines(std::string_view text, std::string_view fileName) {
  std::vector<model::CodeLine> lines;
  unsigned current = 0;
  bool annotated = false;  // the line before was an annotation, too, for a place inside this one
  eachLine(text, [&](std::string_view line) {
    if (line.starts_with("//##")) {
      if (!annotated) current = 0;
      if (current == 0) current = placeOf(line, fileName).value_or(0);
      annotated = true;
      return;
    }
    annotated = false;
    if (line.starts_with(".L") && line.ends_with(":")) return add(lines, current, std::string(line));
    // "/*0010*/  @!P0 BRA `(.L_x_1) ;" and perhaps its encoding in a comment behind it
    if (!line.starts_with("/*")) return;
    const std::size_t address = line.find("*/");
    const std::size_t end = line.find(';');
    if (address == std::string_view::npos || end == std::string_view::npos || end < address) return;
    add(lines, current, squeezed(line.substr(address + 2, end - address - 2)));
  });
  // Behind the end: a branch to itself, and empty instructions to the next boundary.
  while (!lines.empty() && (lines.back().text == "NOP" || lines.back().text.starts_with(".L")))
    lines.pop_back();
  if (lines.size() > 1 && lines.back().text.starts_with("BRA") && lines[lines.size() - 2].text.ends_with(":"))
    lines.resize(lines.size() - 2);
  return lines;
}

std::vector<model::CodeLine> ptxLines(std::string_view text, std::string_view fileName) {
  std::vector<model::CodeLine> lines;
  // `.file 1 "sequential.cu"` may stand behind what refers to it.
  std::map<unsigned, bool> ours;
  eachLine(text, [&](std::string_view line) {
    if (!line.starts_with(".file")) return;
    const std::size_t quote = line.find('"'), end = line.rfind('"');
    if (const auto number = numberIn(line.substr(5));
        number && end > quote && quote != std::string_view::npos)
      ours[*number] = isFile(line.substr(quote + 1, end - quote - 1), fileName);
  });
  unsigned current = 0;
  int depth = 0;
  eachLine(text, [&](std::string_view line) {
    if (line.starts_with(".loc")) {
      // ".loc 2 3 5, function_name $L__info_string0, inlined_at 1 13 7": the innermost place in the kernel's
      // file
      std::optional<unsigned> place;
      for (std::string_view rest = line.substr(4); !rest.empty();) {
        const std::string_view entry = trimmed(rest.substr(0, rest.find(',')));
        constexpr std::string_view kInlined = "inlined_at";
        const std::string_view numbers =
            trimmed(entry.starts_with(kInlined) ? entry.substr(kInlined.size()) : entry);
        if (const auto file = numberIn(numbers); !place && file && ours[*file])
          if (const auto number = numberIn(numbers.substr(numbers.find(' ') + 1))) place = number;
        const std::size_t comma = rest.find(',');
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
      current = place.value_or(0);
      return;
    }
    line = trimmed(line.substr(0, line.find("//")));
    if (line == "{") ++depth;
    if (line == "}") --depth;
    if (depth == 0 || line.empty()) return;
    if (line.ends_with(":")) return add(lines, current, std::string(line));
    if (line.starts_with(".") || line == "{" || line == "}") return;  // declarations
    if (line.ends_with(";")) line.remove_suffix(1);
    add(lines, current, squeezed(line));
  });
  return lines;
}

}  // namespace stridescope::engine::gpu
