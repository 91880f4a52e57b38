// Values of options: from what was typed to what is meant. Errors are of kind Usage and name the option.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::cli {

// "1000", "65537", "2^24".
Result<std::uint64_t> parseNumber(std::string_view option, std::string_view given);

// The same, refused outside [least, most].
Result<std::uint64_t> parseNumberWithin(std::string_view option, std::string_view given, std::uint64_t least,
                                        std::uint64_t most);

// "4", "2-5" or "2..5", counted from 0, both ends included.
struct RoundRange {
  std::size_t first = 0, last = 0;
  bool contains(std::size_t round) const { return first <= round && round <= last; }
  friend bool operator==(const RoundRange&, const RoundRange&) = default;
};
Result<RoundRange> parseRounds(std::string_view given, std::string_view option = "--round");

// "1600x1000", from 320x200 to 7680x4320.
struct PictureSize {
  unsigned width = 0, height = 0;
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};
Result<PictureSize> parsePictureSize(std::string_view given);

// ".5" to "3".
Result<float> parseScale(std::string_view given);

// ".25" to "8": rounds per second.
Result<double> parseSpeed(std::string_view given);

// ".1" to "600": seconds that a call of NVIDIA's driver may take.
Result<std::chrono::milliseconds> parseDriverLimit(std::string_view given);

// "--type flot is not one of int, unsigned, ...; did you mean float?"
Error notOneOf(std::string_view option, std::string_view given, const std::vector<std::string>& valid);

}  // namespace stridescope::cli
