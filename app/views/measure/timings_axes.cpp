// The axes of the Timings panel's plots: where their ticks stand, and figures as text.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/numbers.h"
#include "views/measure/timings_plot.h"

namespace stridescope::views {
namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// Without a point that nothing follows: "0.5", "5", "50".
std::string plain(double value) { return grouped(formatted("%.6g", value)); }

// The least of 1, 2 and 5 times a power of ten that is not below `value`, which is above 0; and the greatest
// that is not above it.
double roundedUp(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

double roundedDown(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= value * (1 + 1e-9)) return digit * power;
  return power;
}

std::vector<AxisTick> linearTicks(double least, double most, int count) {
  // A step longer than the axis would leave a single tick.
  const double step = std::min(roundedUp((most - least) / std::max(1, count - 1)), roundedDown(most - least));
  std::vector<AxisTick> ticks;
  for (double number = std::ceil(least / step); number * step <= most + step * 1e-9; ++number)
    ticks.push_back({number * step, plain(std::abs(number) < 1e-9 ? 0 : number * step)});
  return ticks;
}

// The ticks stand at whole seconds before `newest`.
std::vector<AxisTick> agoTicks(double least, double most, int count, double newest) {
  std::vector<AxisTick> ticks = linearTicks(least - newest, most - newest, count);
  for (AxisTick& tick : ticks) {
    if (tick.value == 0) tick.label = "now";
    tick.value += newest;
  }
  return ticks;
}

// A round figure in the unit of timeText(), without the zeros that a measured one has: "10 µs", "1 ms".
std::string decadeText(AxisKind kind, double value) {
  if (kind != AxisKind::LogMicroseconds) return plain(value);
  const std::string measured = timeText(value);
  const std::string unit = measured.substr(measured.find(' '));
  return plain(value / (unit == " s" ? 1e6 : unit == " ms" ? 1e3 : 1)) + unit;
}

std::vector<AxisTick> decadeTicks(AxisKind kind, double least, double most, int count) {
  const double decades = std::log10(most / least);
  std::vector<double> digits{1};
  if (decades * 3 <= count) digits = {1, 2, 5};
  const double every = std::max(1.0, std::ceil(decades / count));
  std::vector<AxisTick> ticks;
  for (double power = std::floor(std::log10(least)); power <= std::log10(most); power += every)
    for (const double digit : digits)
      if (const double value = digit * std::pow(10.0, power);
          value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9))
        ticks.push_back({value, decadeText(kind, value)});
  return ticks;
}

std::vector<AxisTick> powerTicks(AxisKind kind, double least, double most, int count) {
  const double first = std::ceil(std::log2(least) - 1e-9), last = std::floor(std::log2(most) + 1e-9);
  const auto tickCount = [&](double every) {
    return std::floor(last / every) - std::ceil(first / every) + 1;
  };
  double every = 40;
  for (const double step : {20.0, 10.0, 5.0, 4.0, 2.0, 1.0})
    if (tickCount(step) <= count) every = step;
  std::vector<AxisTick> ticks;
  for (double power = std::ceil(first / every) * every; power <= last; power += every) {
    const double value = std::exp2(power);
    ticks.push_back({value, kind == AxisKind::BlockThreads ? plain(value) : elementsAtText(value)});
  }
  return ticks;
}

}  // namespace

std::vector<AxisTick> axisTicks(AxisKind kind, double least, double most, int count, double newest) {
  switch (kind) {
    case AxisKind::Ago:
      return agoTicks(least, most, count, newest);
    case AxisKind::Microseconds:
    case AxisKind::Cycles:
      return linearTicks(least, most, count);
    case AxisKind::LogMicroseconds:
    case AxisKind::GigabytesPerSecond:
      return decadeTicks(kind, least, most, count);
    case AxisKind::Elements:
    case AxisKind::BlockThreads:
      break;
  }
  return powerTicks(kind, least, most, count);
}

std::string placeText(AxisKind kind, double value, double newest) {
  if (kind == AxisKind::Elements) return elementsAtText(value);
  if (kind == AxisKind::Ago) return formatted("%.1f s", std::min(0.0, value - newest));
  return plain(value);
}

std::string elementsAtText(double elements) {
  const double power = std::log2(elements), whole = std::round(power);
  return "2^" + (std::abs(power - whole) < 1e-6 ? plain(whole) : formatted("%.1f", power));
}

}  // namespace stridescope::views
