#include "session/tour.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>

#include "base/plain_text.h"
#include "base/regular_file.h"

namespace stridescope::session {

std::string_view embeddedTour(std::string_view fileName);  // generated from assets/tours/

namespace {

constexpr std::string_view kTitle = "# ", kStop = "## ", kNote = ">", kMinutes = " min)";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \r"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \r") + 1);
}

// "Bank conflicts (3 min)"
TourStop stopOf(std::string_view heading) {
  TourStop stop{.title = std::string(heading)};
  const std::size_t open = heading.rfind('(');
  if (open == heading.npos || !heading.ends_with(kMinutes)) return stop;
  const std::string_view number = heading.substr(open + 1, heading.size() - open - 1 - kMinutes.size());
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), stop.minutes);
  if (error != std::errc() || end != number.data() + number.size()) return {.title = std::string(heading)};
  stop.title = trimmed(heading.substr(0, open));
  return stop;
}

void addLine(std::string& text, std::string_view line) { text.append(line).append("\n"); }

// One line of the file, which goes to the stop that has begun last.
void take(Tour& tour, std::string_view line, std::size_t number) {
  if (line.starts_with(kStop)) {
    tour.stops.push_back(stopOf(trimmed(line.substr(kStop.size()))));
    tour.stops.back().line = number;
  } else if (tour.stops.empty() && tour.title.empty() && line.starts_with(kTitle)) {
    tour.title = trimmed(line.substr(kTitle.size()));
  } else if (tour.stops.empty()) {
    addLine(tour.intro, line);
  } else if (line.starts_with(kNote)) {
    addLine(tour.stops.back().notes, trimmed(line.substr(kNote.size())));
  } else {
    addLine(tour.stops.back().text, line);
  }
}

// The stop that a line belongs to; those before the first stop go with it.
TourStop& stopAt(Tour& tour, std::size_t line) {
  const auto after = std::ranges::upper_bound(tour.stops, line, {}, &TourStop::line);
  return after == tour.stops.begin() ? tour.stops.front() : *std::prev(after);
}

std::optional<Link> firstLink(std::string_view text, std::span<const std::string> panels) {
  for (const LinkText& link : linksIn(text))
    if (const auto parsed = parseLink(link.text, panels); parsed) return *parsed;
  return std::nullopt;
}

}  // namespace

unsigned Tour::minutes() const { return minutesBefore(stops.size()); }

unsigned Tour::minutesBefore(std::size_t stop) const {
  return std::accumulate(stops.begin(), stops.begin() + std::ptrdiff_t(stop), 0u,
                         [](unsigned sum, const TourStop& each) { return sum + each.minutes; });
}

std::vector<std::string> Tour::faults() const {
  std::vector<std::string> all;
  for (const TourStop& stop : stops) all.insert(all.end(), stop.faults.begin(), stop.faults.end());
  return all;
}

Result<Tour> parseTour(std::string_view markdown, std::span<const std::string> panels) {
  Tour tour;
  tour.text = markdown;
  std::istringstream lines(tour.text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace(line, '\t', ' ');
    take(tour, printable(trimmed(line)), ++number);
  }
  if (tour.stops.empty())
    return usageError(
        "This is no tour: it has no stop. A stop begins with a line such as \"## Bank conflicts (3 min)\".");
  for (TourStop& stop : tour.stops) stop.arrival = firstLink(stop.text, panels);
  for (const LinkText& link : linksIn(markdown))
    if (auto fault = faultOf(link, panels)) stopAt(tour, link.line).faults.push_back(*std::move(fault));
  return tour;
}

std::optional<std::size_t> lineOf(const Tour& tour, const Link& link, std::span<const std::string> panels) {
  for (const LinkText& each : linksIn(tour.text))
    if (const auto parsed = parseLink(each.text, panels); parsed && *parsed == link) return each.line;
  return std::nullopt;
}

Result<Tour> readTour(const std::string& path, std::span<const std::string> panels) {
  return readRegularFile(path, "a tour", kMaxTourBytes).and_then([&](const std::string& text) {
    return parseTour(text, panels).map([&](Tour tour) {
      tour.path = path;
      return tour;
    });
  });
}

std::string_view shippedTourText(std::string_view id) { return embeddedTour(std::string(id) + ".md"); }

}  // namespace stridescope::session
