// A table, and what is written of it: text in columns, CSV (RFC 4180, with a line feed), Markdown and HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::report {

enum class ReadBy : std::uint8_t {
  All,
  AllIfItVaries,  // by people only where it is not the same in every row
  Programs,
};

struct Column {
  std::string name{};     // in CSV: "active_lanes"
  std::string heading{};  // where people read it: "active lanes"
  ReadBy readBy = ReadBy::All;
  bool isText = false;  // else numbers: set right
  // In text: characters up to which a cell is filled, and blanks before it.
  unsigned width = 0, gap = 1;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns; empty: not known
};

// A line of text in columns, without a line feed: their headings, or the cells of a row.
std::string headLine(const std::vector<Column>& columns);
std::string textLine(const std::vector<Column>& columns, const std::vector<std::string>& cells);

// Cells as base/csv.h writes them: no text is a formula to a spreadsheet.
std::string csvOf(const Table& table);

// The columns that people read: not those for programs, nor any that is empty in every row.
Table forPeople(const Table& table);

// All columns of the table, which is as a rule forPeople()'s.
std::string markdownOf(const Table& table);

// The <table> element of all columns. Those of text head their rows.
std::string htmlOf(const Table& table);

// A text within a paragraph or a cell of Markdown, with nothing in it that means something there.
std::string inMarkdown(std::string_view text);

}  // namespace stridescope::report
