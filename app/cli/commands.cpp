#include "cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "handout/rounds.h"

namespace stridescope::cli {
namespace {

constexpr PictureSize kMinPicture{320, 200}, kMaxPicture{7680, 4320};
constexpr float kMinScale = 0.5f, kMaxScale = 3;
constexpr double kMinSpeed = 0.25, kMaxSpeed = 8;
constexpr double kMinDriverLimit = 0.1, kMaxDriverLimit = 600;

// The whole text as a number; nothing if any of it is something else or it does not fit.
template <class T>
std::optional<T> wholeNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<std::uint64_t> parseNumber(std::string_view option, std::string_view given) {
  if (const auto number = typedNumber(given)) return *number;
  const std::string advice = adviceOnNumber(given);
  return usageError(
      fmt::format("{} takes a whole number below 2^64, such as 1000, 65537 or 2^24, not \"{}\".{}{}", option,
                  given, advice.empty() ? "" : " ", advice));
}

Result<std::uint64_t> parseNumberWithin(std::string_view option, std::string_view given, std::uint64_t least,
                                        std::uint64_t most) {
  return parseNumber(option, given).and_then([&](std::uint64_t number) -> Result<std::uint64_t> {
    if (number >= least && number <= most) return number;
    return usageError(fmt::format("{} takes {} to {}, not {}.", option, figure(least), figure(most), given));
  });
}

Result<report::RoundRange> parseRounds(std::string_view given, std::string_view option) {
  return handout::parseRounds(given, option).transform([](const handout::Rounds& rounds) {
    return report::RoundRange{rounds.first, rounds.last};
  });
}

Result<PictureSize> parsePictureSize(std::string_view given) {
  const auto cross = std::min(given.find('x'), given.size());
  const auto width = wholeNumber<unsigned>(given.substr(0, cross));
  const auto height = wholeNumber<unsigned>(given.substr(std::min(cross + 1, given.size())));
  if (!width || !height)
    return usageError(fmt::format("--size takes a width and a height such as 1600x1000, not \"{}\".", given));
  const PictureSize size{*width, *height};
  if (size.width < kMinPicture.width || size.width > kMaxPicture.width || size.height < kMinPicture.height ||
      size.height > kMaxPicture.height)
    return usageError(fmt::format("--size takes {}x{} to {}x{}, not {}.", kMinPicture.width,
                                  kMinPicture.height, kMaxPicture.width, kMaxPicture.height, given));
  return size;
}

Result<std::chrono::milliseconds> parseDriverLimit(std::string_view given) {
  const auto seconds = wholeNumber<double>(given);
  if (seconds && *seconds >= kMinDriverLimit && *seconds <= kMaxDriverLimit)
    return std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
  return usageError(fmt::format("--driver-limit takes {} to {} seconds, not \"{}\".", kMinDriverLimit,
                                kMaxDriverLimit, given));
}

Result<float> parseScale(std::string_view given) {
  const auto scale = wholeNumber<float>(given);
  // Written so that a value that is not a number is refused, too.
  if (scale && *scale >= kMinScale && *scale <= kMaxScale) return *scale;
  return usageError(fmt::format("--scale takes {} to {}, not \"{}\".", kMinScale, kMaxScale, given));
}

Result<double> parseSpeed(std::string_view given) {
  const auto speed = wholeNumber<double>(given);
  if (speed && *speed >= kMinSpeed && *speed <= kMaxSpeed) return *speed;
  return usageError(
      fmt::format("--speed takes {} to {} rounds per second, not \"{}\".", kMinSpeed, kMaxSpeed, given));
}

Error notOneOf(std::string_view option, std::string_view given, const std::vector<std::string>& valid,
               const std::vector<std::string>& also) {
  std::vector<std::string> all = valid;
  all.insert(all.end(), also.begin(), also.end());
  const std::string near = engine::nearestName(given, all);
  return {ErrorKind::Usage,
          fmt::format("{} {} is not one of {}{}", option, given.empty() ? "\"\"" : given,
                      fmt::join(valid, ", "), near.empty() ? "." : "; did you mean " + near + "?"),
          {}};
}

Error noVariant(std::string_view option, std::string_view given) {
  if (model::isKernelFile(given)) return engine::noVariantButAKernel(given);
  const std::string near = engine::nearestVariant(given);
  return {ErrorKind::Usage,
          fmt::format("{} {} is no variant{} `stridescope list` has them.", option,
                      given.empty() ? "\"\"" : given, near.empty() ? "." : "; did you mean " + near + "?"),
          {}};
}

std::vector<std::string> aliasNames(model::Named kind) {
  std::vector<std::string> names;
  for (const model::Alias& each : model::kAliases)
    if (each.kind == kind) names.emplace_back(each.alias);
  return names;
}

std::string variantNamed(std::string_view typed) {
  return std::string(model::resolved(model::Named::Variant, typed));
}

}  // namespace stridescope::cli
