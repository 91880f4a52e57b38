// Cells of CSV (RFC 4180, with a line feed): the only writer of them, so that no file of the program holds a
// cell that a spreadsheet would run.
//
// A spreadsheet takes a cell that begins with = + - @, a tab or a carriage return for a formula. Such a text
// gets an apostrophe before it, as OWASP advises ("CSV Injection"); spreadsheets do not show it. Numbers stay
// numbers.
#pragma once

#include <string>
#include <string_view>

namespace stridescope {

enum class CsvQuotes {
  WhereNeeded,  // around a comma, a quote or a line break
  Always,
};

// A cell of text: a name, a sentence, the operator +.
std::string csvText(std::string_view text, CsvQuotes quotes = CsvQuotes::WhereNeeded);

// A cell of a column of numbers, as it is: -5, 1e+300, inf, nan, or nothing. What is none of these is a text.
std::string csvNumber(std::string_view number);

}  // namespace stridescope
