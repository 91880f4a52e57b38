#include "picture/image.h"

#include <algorithm>
#include <array>
#include <queue>

namespace stridescope::picture {
namespace {

struct Counted {
  Colour colour = 0;
  std::uint32_t pixels = 0;
};

constexpr std::array kShifts{16, 8, 0};
int channel(Colour colour, int shift) { return int(colour >> shift & 0xff); }

// A part of the histogram that shares one colour. `error`: what that costs, the squared distances of all its
// pixels.
struct Box {
  std::size_t begin = 0, end = 0;
  Colour colour = 0;
  std::uint64_t error = 0;
  bool operator<(const Box& other) const { return error < other.error; }
};

Box boxOf(const std::vector<Counted>& all, std::size_t begin, std::size_t end) {
  Box box{.begin = begin, .end = end};
  const auto first = all.begin() + std::ptrdiff_t(begin), last = all.begin() + std::ptrdiff_t(end);
  box.colour = std::max_element(first, last, [](const Counted& a, const Counted& b) {
                 return a.pixels != b.pixels ? a.pixels < b.pixels : a.colour > b.colour;
               })->colour;
  for (auto each = first; each != last; ++each)
    for (const int shift : kShifts) {
      const int distance = channel(each->colour, shift) - channel(box.colour, shift);
      box.error += std::uint64_t(distance * distance) * each->pixels;
    }
  return box;
}

// At the middle of the channel in which its colours lie farthest apart.
std::size_t splitAt(std::vector<Counted>& all, const Box& box) {
  const auto first = all.begin() + std::ptrdiff_t(box.begin), last = all.begin() + std::ptrdiff_t(box.end);
  int widest = 0, low = 0, high = -1;
  for (const int shift : kShifts) {
    const auto [least, most] = std::minmax_element(first, last, [&](const Counted& a, const Counted& b) {
      return channel(a.colour, shift) < channel(b.colour, shift);
    });
    const int from = channel(least->colour, shift), to = channel(most->colour, shift);
    if (to - from <= high - low) continue;
    widest = shift;
    low = from;
    high = to;
  }
  const auto middle = std::partition(
      first, last, [&](const Counted& each) { return channel(each.colour, widest) * 2 <= low + high; });
  return std::size_t(middle - all.begin());
}

}  // namespace

Palette paletteOf(const Histogram& histogram, unsigned most) {
  Palette palette;
  if (histogram.empty()) return palette;
  std::vector<Counted> all;
  all.reserve(histogram.size());
  for (const auto& [colour, pixels] : histogram) all.push_back({colour, pixels});
  std::ranges::sort(all, {}, &Counted::colour);  // whatever order the histogram has: the same palette
  std::priority_queue<Box> boxes;
  boxes.push(boxOf(all, 0, all.size()));
  while (boxes.size() < most && boxes.top().error > 0) {
    const Box box = boxes.top();
    boxes.pop();
    const std::size_t middle = splitAt(all, box);
    boxes.push(boxOf(all, box.begin, middle));
    boxes.push(boxOf(all, middle, box.end));
  }
  for (; !boxes.empty(); boxes.pop()) {
    for (std::size_t i = boxes.top().begin; i < boxes.top().end; ++i)
      palette.placeOf[all[i].colour] = std::uint8_t(palette.colours.size());
    palette.colours.push_back(boxes.top().colour);
  }
  return palette;
}

IndexedImage indexed(const Image& image, unsigned most) {
  const std::size_t pixels = image.rgba.size() / 4;
  Histogram histogram;
  for (std::size_t i = 0; i < pixels; ++i) ++histogram[colourAt(image, i)];
  Palette palette = paletteOf(histogram, most);
  IndexedImage result{image.size, std::vector<std::uint8_t>(pixels), std::move(palette.colours)};
  for (std::size_t i = 0; i < pixels; ++i) result.pixels[i] = palette.placeOf.at(colourAt(image, i));
  return result;
}

}  // namespace stridescope::picture
