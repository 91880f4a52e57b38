// Any bytes as a tour's file: what is read can be shown, and each fault has a line and a column of the file.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/plain_text.h"
#include "fuzz_one.h"
#include "session/tour.h"

namespace stridescope::fuzz {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void expectShowable(const std::vector<markdown::Block>& blocks) {
  for (const markdown::Block& block : blocks) {
    expect(!block.pieces.empty() || !block.links.empty());
    for (const markdown::Piece& piece : block.pieces) {
      expect(!piece.text.empty() && printable(piece.text, Lines::Many) == piece.text);
      expect(!piece.link || *piece.link < block.links.size());
    }
  }
}

// "Line 12, column 8: ...", within a file of so many lines and bytes.
void expectFault(std::string_view fault, std::size_t lines, std::size_t bytes) {
  const auto number = [&](std::string_view before) {
    expect(fault.starts_with(before));
    fault.remove_prefix(before.size());
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(fault.data(), fault.data() + fault.size(), value);
    expect(error == std::errc() && value > 0);
    fault.remove_prefix(std::size_t(end - fault.data()));
    return value;
  };
  expect(number("Line ") <= lines);
  expect(number(", column ") <= bytes + 1);
  expect(fault.ends_with('.') || fault.ends_with('?'));
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> input) {
  static const std::vector<std::string> panels{"lanes", "banks", "source", "shared_memory"};
  const std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto tour = session::parseTour(text, panels);
  if (!tour) return expect(tour.error().sentence.ends_with('.'));
  const auto lines =
      std::size_t(std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; })) + 1;
  expect(!tour->stops.empty() && tour->text == text);
  expectShowable(tour->intro);
  for (const session::TourStop& stop : tour->stops) {
    expect(printable(stop.title) == stop.title);
    expectShowable(stop.text);
    expectShowable(stop.notes);
    for (const std::string& fault : stop.faults) expectFault(fault, lines, text.size());
    if (stop.arrival) expect(session::lineOf(*tour, *stop.arrival, panels).value_or(0) <= lines);
  }
}

}  // namespace stridescope::fuzz
