#include "views/measure/timings_published.h"

#include <array>

namespace stridescope::views {
namespace {

constexpr std::array<PublishedTime, 5> kTeslaC2070{{{"interleaved_modulo", 5280},
                                                    {"interleaved_contiguous", 2520},
                                                    {"sequential", 1880},
                                                    {"first_add_on_load", 990},
                                                    {"unrolled_last_warp", 650}}};
constexpr std::array<PublishedTime, 1> kXeonE5620{{{"cpu_openmp", 2340}}};
constexpr std::array<PublishedTime, 7> kG80{{{"interleaved_modulo", 8054},
                                             {"interleaved_contiguous", 3456},
                                             {"sequential", 1722},
                                             {"first_add_on_load", 965},
                                             {"unrolled_last_warp", 536},
                                             {"fully_unrolled", 381},
                                             {"grid_stride", 268}}};

constexpr std::uint64_t kSixteenMillion = 16'000'000;  // "16 mln elements"
constexpr std::string_view kCourse = "A course's slides on reduction: 16 million ints";

constexpr std::array kPublished{
    PublishedTimes{.device = "Tesla C2070",
                   .year = 2010,
                   .source = kCourse,
                   .elements = kSixteenMillion,
                   .mark = draw::PlotMark::Diamond,
                   .times = kTeslaC2070},
    PublishedTimes{.device = "2 x Xeon E5620",
                   .year = 2010,
                   .source = kCourse,
                   .elements = kSixteenMillion,
                   .onCpu = true,
                   .mark = draw::PlotMark::Square,
                   .times = kXeonE5620},
    PublishedTimes{.device = "G80",
                   .year = 2006,
                   .source = "Harris, Optimizing Parallel Reduction in CUDA (2007): 2^22 ints",
                   .elements = 1u << 22,
                   .mark = draw::PlotMark::TriangleDown,
                   .times = kG80},
};

double timeOf(const PublishedTimes& published, std::string_view subject) {
  for (const PublishedTime& time : published.times)
    if (time.subject == subject) return time.microseconds;
  return 0;
}

}  // namespace

std::span<const PublishedTimes> publishedTimes() { return kPublished; }

std::string labelOf(const PublishedTimes& published) {
  return std::string(published.device) + ", " + std::to_string(published.year);
}

double shareOfFirst(const PublishedTimes& published, std::string_view subject) {
  if (published.onCpu) return 0;
  return timeOf(published, subject) / published.times.front().microseconds;
}

}  // namespace stridescope::views
