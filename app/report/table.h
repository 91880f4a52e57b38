// A table, and what is written of it: text in columns, CSV (RFC 4180, with a line feed), Markdown and HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/plain_text.h"

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

// Cells as base/formats.h writes them: no text is a formula to a spreadsheet.
std::string csvOf(const Table& table);

// The columns that people read: not those for programs, nor any that is empty in every row.
Table forPeople(const Table& table);

// All columns of the table, which is as a rule forPeople()'s.
std::string markdownOf(const Table& table);

// The <table> element of all columns. Those of text head their rows.
std::string htmlOf(const Table& table);

// A text within a paragraph or a cell of Markdown, with nothing in it that means something there.
std::string inMarkdown(std::string_view text);

// Text as lines of at most kTextColumns (narration/text_maps.h), `indent` blanks among them before each; the
// last one ends, too.
std::string paragraph(std::string_view text, std::size_t indent = 0);

// Text and bytes within HTML.

// Printable, and nothing in it is markup: for text and for attributes in double quotes.
std::string escaped(std::string_view text, Lines lines = Lines::One);

// What a page of ours has beside text and its own style.
struct PageParts {
  std::string_view script = {};  // its only one, as it stands between the tags; empty: none
  bool pictures = false;         // as data: URLs
};

// The <meta> element that says so to a browser, for the beginning of the <head>: whatever stands in a
// recording, nothing else runs, and nothing is fetched, sent or framed.
std::string securityPolicy(const PageParts& parts);

std::string base64(std::string_view bytes);

}  // namespace stridescope::report
