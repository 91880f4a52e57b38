#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/formats.h"
#include "base/plain_text.h"
#include "model/trace.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::report {
namespace {

std::string csvCell(const Column& column, const std::string& cell) {
  return column.isText ? csvText(cell) : csvNumber(cell);
}

// `textOf(column, cell)` for the cells of a line, with `between` them.
template <class TextOf>
std::string lineOf(const Table& table, std::string_view between, const TextOf& textOf) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    line += (i == 0 ? std::string() : std::string(between)) + textOf(i);
  return line;
}

bool isForPeople(const Table& table, std::size_t column) {
  const auto isAll = [&](const std::string& text) {
    return std::ranges::all_of(table.rows, [&](const auto& row) { return row[column] == text; });
  };
  switch (table.columns[column].readBy) {
    case ReadBy::Programs:
      return false;
    case ReadBy::AllIfItVaries:
      return !table.rows.empty() && !isAll(table.rows.front()[column]);
    case ReadBy::All:
      break;
  }
  return !isAll({});
}

}  // namespace

std::string headLine(const std::vector<Column>& columns) {
  std::vector<std::string> headings;
  for (const Column& column : columns) headings.push_back(column.heading);
  return textLine(columns, headings);
}

std::string textLine(const std::vector<Column>& columns, const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    line.append(column.gap, ' ');
    line += column.isText ? fmt::format("{:<{}}", cells[i], column.width)
                          : fmt::format("{:>{}}", cells[i], column.width);
  }
  return line;
}

std::string csvOf(const Table& table) {
  std::string text = lineOf(table, ",", [&](std::size_t i) { return csvText(table.columns[i].name); }) + "\n";
  for (const auto& row : table.rows)
    text += lineOf(table, ",", [&](std::size_t i) { return csvCell(table.columns[i], row[i]); }) + "\n";
  return text;
}

Table forPeople(const Table& table) {
  Table shown;
  shown.rows.resize(table.rows.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!isForPeople(table, i)) continue;
    shown.columns.push_back(table.columns[i]);
    for (std::size_t row = 0; row < table.rows.size(); ++row) shown.rows[row].push_back(table.rows[row][i]);
  }
  return shown;
}

std::string inMarkdown(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#~&").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string markdownOf(const Table& table) {
  const auto line = [&](const auto& textOf) { return "| " + lineOf(table, " | ", textOf) + " |\n"; };
  std::string text = line([&](std::size_t i) { return inMarkdown(table.columns[i].heading); });
  text += line([&](std::size_t i) { return std::string(table.columns[i].isText ? "---" : "---:"); });
  for (const auto& row : table.rows) text += line([&](std::size_t i) { return inMarkdown(row[i]); });
  return text;
}

std::string htmlOf(const Table& table) {
  std::string text = "<table>\n<thead><tr>";
  for (const Column& column : table.columns)
    text += fmt::format("<th scope=\"col\">{}</th>", escaped(column.heading));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += table.columns[i].isText ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i]))
                                      : fmt::format("<td>{}</td>", escaped(row[i]));
    text += "</tr>\n";
  }
  return text + "</tbody></table>";
}

std::string paragraph(std::string_view text, std::size_t indent) {
  const std::string blanks(indent, ' ');
  std::string lines = blanks;
  for (const char c : narration::wrapped(text, narration::kTextColumns - indent)) {
    lines += c;
    if (c == '\n') lines += blanks;
  }
  return lines + "\n";
}

std::string escaped(std::string_view text, Lines lines) {
  std::string safe;
  for (const char c : printable(text, lines)) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string securityPolicy(const PageParts& parts) {
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'";
  if (parts.pictures) policy += "; img-src data:";
  if (!parts.script.empty()) {
    const std::string hex = model::hashOf(parts.script);
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
    policy += "; script-src 'sha256-" + base64(bytes) + "'";
  }
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace stridescope::report
