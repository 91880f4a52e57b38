#include "session/tour.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/plain_text.h"
#include "base/regular_file.h"

namespace stridescope::session {

std::string_view embeddedTour(std::string_view fileName);  // generated from assets/tours/

namespace {

constexpr std::string_view kMinutes = " min)";

// "Bank conflicts (3 min)"
TourStop stopOf(std::string_view heading) {
  TourStop stop{.title = std::string(heading)};
  const std::size_t open = heading.rfind('(');
  if (open == heading.npos || !heading.ends_with(kMinutes)) return stop;
  const std::string_view number = heading.substr(open + 1, heading.size() - open - 1 - kMinutes.size());
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), stop.minutes);
  if (error != std::errc() || end != number.data() + number.size()) return {.title = std::string(heading)};
  const std::string_view title = heading.substr(0, open);
  stop.title = title.substr(0, title.find_last_not_of(' ') + 1);
  return stop;
}

bool isHeading(const markdown::Block& block, unsigned level) {
  return block.kind == markdown::BlockKind::Heading && block.level == level && block.quotes == 0 &&
         block.lists == 0 && !block.pieces.empty();
}

// One block of the file, which goes to the stop that has begun last.
void take(Tour& tour, markdown::Block block) {
  if (isHeading(block, 2)) {
    tour.stops.push_back(stopOf(inOneLine(wordsOf(block))));
  } else if (tour.stops.empty() && tour.title.empty() && isHeading(block, 1)) {
    tour.title = inOneLine(wordsOf(block));
  } else if (tour.stops.empty()) {
    tour.intro.push_back(std::move(block));
  } else if (block.quotes > 0) {
    --block.quotes;
    tour.stops.back().notes.push_back(std::move(block));
  } else {
    tour.stops.back().text.push_back(std::move(block));
  }
}

std::vector<std::string> faultsOf(const markdown::Block& block, std::span<const std::string> panels) {
  std::vector<std::string> faults;
  for (const LinkText& link : linksIn({&block, 1}))
    if (auto fault = faultOf(link, panels)) faults.push_back(*std::move(fault));
  return faults;
}

std::optional<Link> firstLink(std::span<const markdown::Block> blocks, std::span<const std::string> panels) {
  for (const LinkText& link : linksIn(blocks))
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
  auto blocks = markdown::read(markdown);
  if (!blocks) return tl::unexpected(std::move(blocks).error());
  Tour tour;
  tour.text = markdown;
  std::vector<std::string> before;  // the first stop: what is told of it goes with that
  for (markdown::Block& block : *blocks) {
    std::vector<std::string> faults = faultsOf(block, panels);
    take(tour, std::move(block));
    std::ranges::move(faults, std::back_inserter(tour.stops.empty() ? before : tour.stops.back().faults));
  }
  if (tour.stops.empty())
    return usageError(
        "This is no tour: it has no stop. A stop begins with a line such as \"## Bank conflicts (3 min)\".");
  std::vector<std::string>& first = tour.stops.front().faults;
  first.insert(first.begin(), before.begin(), before.end());
  for (TourStop& stop : tour.stops) stop.arrival = firstLink(stop.text, panels);
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
