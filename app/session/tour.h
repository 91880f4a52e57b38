// A tour through variants and rounds: stops with a text, links and speaker notes. It is a Markdown file that
// a lecturer can edit and reorder:
//
//   # Parallel reduction in 45 minutes
//   What stands before the first stop tells of the tour.
//   ## Bank conflicts (3 min)
//   A text with [links](#show/interleaved_contiguous?stride=8&panel=banks&ring=thread:5).
//   > Notes for whoever speaks.
//   ## The next stop
//
// Stops are the headings of level 2, and notes are the block quotes. To arrive at a stop is to follow the
// first link of its text.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/read.h"
#include "session/link.h"

namespace stridescope::session {

struct TourStop {
  std::string title = {};
  unsigned minutes = 0;                                // 0: it does not say
  std::vector<markdown::Block> text = {}, notes = {};  // either may be empty
  std::optional<Link> arrival = {};                    // the first link of the text that leads somewhere
  std::vector<std::string> faults = {};  // what is wrong with its links: sentences with line and column
};

struct Tour {
  std::string title = {};                   // may be empty
  std::vector<markdown::Block> intro = {};  // may be empty
  std::vector<TourStop> stops = {};         // at least one
  std::string text = {};                    // as it was read, to keep a copy of
  std::string path = {};                    // its file's; empty: it comes with the program

  unsigned minutes() const;  // all stops' together
  unsigned minutesBefore(std::size_t stop) const;
  std::vector<std::string> faults() const;  // all stops'
};

// A link that leads nowhere is a fault of its stop, and the tour is usable without it. An error if there is
// no stop, or if the text is beyond a limit of markdown::read. `panels`: the ids of all that there are.
Result<Tour> parseTour(std::string_view markdown, std::span<const std::string> panels);

// Where the tour's file has the link, by its line; nullopt: it has not.
std::optional<std::size_t> lineOf(const Tour& tour, const Link& link, std::span<const std::string> panels);

// Reads a file of at most kMaxTourBytes.
inline constexpr std::uint64_t kMaxTourBytes = 1 << 20;
Result<Tour> readTour(const std::string& path, std::span<const std::string> panels);

// Those that come with the program, from assets/tours/.
struct ShippedTour {
  std::string_view id, title;  // "first", "Ten-minute tour"
};
inline constexpr ShippedTour kFirstTour{"first", "Ten-minute tour"}, kLectureTour{"lecture", "Lecture tour"};
inline constexpr std::array kShippedTours{kFirstTour, kLectureTour};
std::string_view shippedTourText(std::string_view id);

}  // namespace stridescope::session
