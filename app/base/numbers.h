// Numbers as people read and write them: one format for captions, panels, plots, lessons and tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

// "8", "1105", "65 536": digits, grouped by threes with a narrow no-break space (U+202F) from five digits on.
std::string figure(std::uint64_t number);

// The same grouping for a number that was printed, with or without a minus, of the digits before its point:
// "-12 345.5". What is none stays as it is, and so does one with an exponent.
std::string grouped(std::string_view printed);

// What stands for a number that is none: the quotient of a division by 0, which recordings can cause (times
// of 0, a bandwidth of 0). The functions below give it for infinities and NaN, without a unit.
inline constexpr std::string_view kNoNumber = "-";

// With so many decimals, the digits before the point grouped: "0.25", "12 345.67".
std::string decimalText(double number, int decimals);

// The nearest whole number as a figure; below 0 as 0.
std::string roundedFigure(double number);

// A number of elements: "2^24" for powers of two from 2^10 on, else a figure.
std::string sizeText(std::uint64_t elements);

// Microseconds with three digits; 1000 and more have all their digits: "0.518", "9.15", "85.9", "171.7",
// "5280", "52 800".
std::string microsecondsText(double microseconds);

// The same digits with the unit that suits them: "85.9 µs", "5.28 ms", "2.50 s".
std::string timeText(double microseconds);

// Two times as timeText() has them; where they differ and would read the same, with up to three decimals
// more: "1.457 ms", "1.459 ms".
std::array<std::string, 2> timesText(double first, double second);

// GB/s, without the unit: "85.9", "1234".
std::string gigabytesText(double gigabytes);

// How many times as much: "2.04", "13.1", "104".
std::string factorText(double times);

// A share of 1: "6.3 %", "95 %".
std::string percentText(double share);

// A count as people type or copy it; nullopt: it is none below 2^64, or could mean two things. Taken are
// - digits, all of them or in groups of three behind blanks (also no-break and narrow ones) or commas:
//   "65537", "65 537", "65,537"; "1,5" and "65.537" are refused;
// - powers: "2^20", with the circumflex that a dead key leaves, or with raised digits: "2²⁰";
// - shifts and powers of ten: "1<<20", "1e6", "2.5e6".
// Blanks at the ends and round an operator are passed over.
std::optional<std::uint64_t> typedNumber(std::string_view typed);

// What to do about a text that typedNumber() refuses, beyond typing a whole number: a sentence about commas,
// blanks or points. Empty if there is nothing to add.
std::string adviceOnNumber(std::string_view typed);

}  // namespace stridescope
