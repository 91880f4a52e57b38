// What is run: a variant, an element type, an operator, a size and the data. Plain values and their names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

enum class ElementType : std::uint8_t { Int, Unsigned, Int64, Float, Double };
inline constexpr std::array kElementTypes{ElementType::Int, ElementType::Unsigned, ElementType::Int64,
                                          ElementType::Float, ElementType::Double};

enum class Operator : std::uint8_t { Add, Multiply, Min, Max, And, Or, Xor };
inline constexpr std::array kOperators{Operator::Add, Operator::Multiply, Operator::Min, Operator::Max,
                                       Operator::And, Operator::Or,       Operator::Xor};

enum class DataPattern : std::uint8_t {
  Ramp,         // 0, 1, 2, ...
  Ones,         // 1, 1, 1, ...
  Alternating,  // 1, -1, 1, ... (unsigned: 1, 0, 1, ...)
  Random,       // splitmix64(seed + i) mod 101
};
inline constexpr std::array kDataPatterns{DataPattern::Ramp, DataPattern::Ones, DataPattern::Alternating,
                                          DataPattern::Random};

struct Experiment {
  std::string variant;  // a catalogue id
  ElementType type = ElementType::Int;
  Operator op = Operator::Add;
  unsigned threads = 256;      // of a block
  std::uint64_t elements = 0;  // n; the input is filled up to whole blocks with the identity
  DataPattern data = DataPattern::Ramp;
  std::uint64_t seed = 1;
  unsigned launch = 0;  // in which launch ...
  std::uint64_t block =
      0;  // ... this block is inspected; the other launches inspect the blocks its data pass through
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

// Names as the command line and the JSON have them: "int64", "+", "ramp". The parsers also take the
// operators' words: add mul min max and or xor.
std::string_view nameOf(ElementType type);
std::string_view nameOf(Operator op);
std::string_view wordOf(Operator op);  // "add", "mul", "min", ...
std::string_view nameOf(DataPattern data);
std::optional<ElementType> parseElementType(std::string_view name);
std::optional<Operator> parseOperator(std::string_view name);
std::optional<DataPattern> parseDataPattern(std::string_view name);

unsigned bytesOf(ElementType type);            // 4 or 8
std::string_view cppNameOf(ElementType type);  // "int", "unsigned", "long long", "float", "double"
bool isFloating(ElementType type);
bool isOffered(ElementType type, Operator op);  // & | ^ make no sense on floating types

}  // namespace stridescope
