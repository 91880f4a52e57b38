// How a person's kernel is launched, with what, and what should come out: a launch file (JSON beside the
// text), or what the command line says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dim3.h"

namespace stridescope::engine::access {

// Whether it is that name, or a member of what has it: "p.in" and "p.w[2]" are parts of "p".
constexpr bool isPartOf(std::string_view name, std::string_view whole) {
  return name.starts_with(whole) &&
         (name.size() == whole.size() || name[whole.size()] == '.' || name[whole.size()] == '[');
}

// One argument. Of a pointer: elements, whose members stand one after the other; of a value: its members.
struct ArgumentRequest {
  std::string name;                    // the parameter's; of a member of a struct "p.in", "p.size.x"
  std::vector<std::string> values;     // numbers as written; "inf", "-inf", "nan"
  std::string pattern;                 // digits, random, ramp, ones, alternating; empty: none
  std::optional<std::string> fill;     // each member
  std::optional<std::uint64_t> count;  // elements
  std::string file;                    // whose numbers are the values
  // The name of an array that an earlier launch has, or that this argument is to have; empty: the
  // parameter's.
  std::string array{};

  // Beside a count: an array keeps what it has.
  bool saysNothing() const { return values.empty() && pattern.empty() && !fill && file.empty(); }
  const std::string& arrayName() const { return array.empty() ? name : array; }
  friend bool operator==(const ArgumentRequest&, const ArgumentRequest&) = default;
};

// How an expected value may be reduced from an array.
inline constexpr std::array<std::string_view, 7> kReductions{"+", "*", "min", "max", "&", "|", "^"};

// What an array held before the first launch, reduced.
struct ExpectedReduction {
  std::string of, op;  // the array's name; + * min max & | ^
};

struct LaunchRequest {
  std::string kernel;             // its name; empty: the only one of the text
  std::string templateArguments;  // "int, 128"; empty: none
  model::Dim3 grid, block{256};
  std::uint64_t sharedBytes = 0;                                 // dynamic
  bool saysGrid = false, saysBlock = false, saysShared = false;  // rather than leaving them as they are above
  std::vector<ArgumentRequest> arguments;
  // By the name of an array, its members; an empty one is not compared.
  std::map<std::string, std::vector<std::string>> expected;
  std::map<std::string, std::string> expectedFiles;             // the files that have them
  std::map<std::string, ExpectedReduction> expectedReductions;  // of which the first member is this
  std::string sameAs;               // a file with another kernel, which leaves what is expected; empty: none
  std::optional<double> tolerance;  // |got - want| <= tolerance max(1, |want|)
};

struct LaunchFile {
  std::vector<LaunchRequest> launches;  // at least one, one after the other on the same arrays
};

// Usage: a sentence that names the file and the member.
Result<LaunchFile> parseLaunchFile(const std::string& name, std::string_view json);

// As JSON that parseLaunchFile() reads.
std::string printLaunchFile(const LaunchFile& file);

// One to three numbers below 2^32 with `separator` between them; those that are left out are `otherwise`.
std::optional<model::Dim3> parseThree(std::string_view text, char separator, unsigned otherwise);

// "8", "32x8", "4x4x2".
std::optional<model::Dim3> parseExtents(std::string_view text);
// The other way round; further numbers are left out where they are 1.
std::string extentsText(const model::Dim3& extents);

// "NAME=ramp:1024", "NAME=zero:16", "NAME=file:PATH", "NAME=5".
Result<ArgumentRequest> parseArgument(std::string_view text);
// What such an argument is, without its name: "ramp:1024"; several numbers with commas between them.
std::string whatOf(const ArgumentRequest& argument);

}  // namespace stridescope::engine::access
