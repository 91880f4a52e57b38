#include "kernel_numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/numbers.h"
#include "base/regular_file.h"
#include "engine/host/executor/grid_runner.h"

namespace stridescope::engine::access {
namespace {

constexpr std::uint64_t kMaxFileBytes = 256 << 20;

// ---- Numbers of 16 bits: IEEE 754's binary16, and bfloat16, which is the upper half of a float.

std::uint16_t halfOf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  if (std::isnan(value)) return std::uint16_t(sign | 0x7e00u);
  const float magnitude = std::fabs(value);
  if (magnitude == 0) return std::uint16_t(sign);
  if (magnitude >= 65520.0f) return std::uint16_t(sign | 0x7c00u);  // it rounds to infinity
  int exponent = 0;
  std::frexp(magnitude, &exponent);               // magnitude = m * 2^exponent, m from 0.5
  const int scale = std::min(24, 11 - exponent);  // so that the last place is 1; subnormal numbers have 2^-24
  const auto whole = std::uint32_t(std::nearbyint(std::ldexp(double(magnitude), scale)));
  if (scale == 24 && whole < 0x400u) return std::uint16_t(sign | whole);
  // With its leading bit, which adds one to the exponent's field.
  return std::uint16_t(sign | ((std::uint32_t(24 - scale) << 10) + whole));
}

std::uint16_t bfloatOf(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return std::uint16_t(bits >> 16 | 0x40u);
  bits += 0x7fffu + (bits >> 16 & 1);  // to the nearest, halves to even
  return std::uint16_t(bits >> 16);
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The member's bits, little-endian; nullopt: it is no number of that type.
std::optional<std::uint64_t> bitsOf(const MemberType& member, std::string_view text) {
  const unsigned bits = member.bytes * 8;
  switch (member.kind) {
    case NumberKind::Floating: {
      const auto value = parsed<double>(text);
      if (!value) return std::nullopt;
      if (member.bytes == 8) return std::bit_cast<std::uint64_t>(*value);
      // What is too small for it becomes 0, and what is too large is out of its range.
      const float single = parsed<float>(text).value_or(float(*value));
      if (std::isinf(single) && !std::isinf(*value)) return std::nullopt;
      return std::bit_cast<std::uint32_t>(single);
    }
    case NumberKind::Half:
    case NumberKind::Bfloat: {
      const auto value = parsed<double>(text);
      if (!value) return std::nullopt;
      return member.kind == NumberKind::Half ? halfOf(float(*value)) : bfloatOf(float(*value));
    }
    case NumberKind::Signed: {
      auto value = parsed<std::int64_t>(text);
      if (!value)  // 5.0 and 1e3 are whole numbers, too
        if (const auto real = parsed<double>(text);
            real && std::trunc(*real) == *real && std::fabs(*real) < 9.2e18)
          value = std::int64_t(*real);
      if (!value) return std::nullopt;
      if (bits < 64 && (*value < -(1ll << (bits - 1)) || *value >= 1ll << (bits - 1))) return std::nullopt;
      return std::uint64_t(*value);
    }
    case NumberKind::Unsigned:
    case NumberKind::Bool:
    case NumberKind::Bytes: {
      auto value = parsed<std::uint64_t>(text);
      if (!value)
        if (const auto real = parsed<double>(text);
            real && std::trunc(*real) == *real && *real >= 0 && *real < 1.8e19)
          value = std::uint64_t(*real);
      if (!value || (bits < 64 && *value >> bits != 0)) return std::nullopt;
      return value;
    }
  }
  return std::nullopt;
}

void put(std::vector<std::uint8_t>& bytes, std::size_t at, const MemberType& member, std::uint64_t bits) {
  std::memcpy(bytes.data() + at + member.offset, &bits, std::min(member.bytes, 8u));
}

std::uint64_t take(const std::vector<std::uint8_t>& bytes, std::size_t at, const MemberType& member) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + at + member.offset, std::min(member.bytes, 8u));
  return bits;
}

std::uint64_t mixed(std::uint64_t state) { return recording::nextRandom(state); }

std::string patternValue(const std::string& pattern, std::uint64_t i, std::uint64_t seed, bool isSigned) {
  if (pattern == "ramp") return std::to_string(i);
  if (pattern == "ones") return "1";
  if (pattern == "random") return std::to_string(mixed(seed + i) % 101);
  if (pattern == "digits") return std::to_string(mixed(seed + i) % 10);
  return i % 2 == 0 ? "1" : isSigned ? "-1" : "0";  // alternating
}

// ---- .npy (NumPy's format 1.0 and 2.0: a dictionary in Python's syntax, then the elements).

std::optional<std::string_view> entryOf(std::string_view dictionary, std::string_view key) {
  const auto found = dictionary.find("'" + std::string(key) + "'");
  if (found == std::string_view::npos) return std::nullopt;
  const auto colon = dictionary.find(':', found);
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view rest = dictionary.substr(colon + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

// How many elements an array of the shape "(2, 3)" has; at most 2^40.
std::optional<std::uint64_t> numbersOfShape(std::string_view shape) {
  if (!shape.starts_with('(')) return std::nullopt;
  shape = shape.substr(1, shape.find(')') - 1);
  std::uint64_t numbers = 1;
  while (!shape.empty()) {
    const auto end = std::min(shape.find(','), shape.size());
    std::string_view extent = shape.substr(0, end);
    extent.remove_prefix(std::min(extent.find_first_not_of(' '), extent.size()));
    if (!extent.empty()) {
      const auto number = parsed<std::uint64_t>(extent);
      constexpr std::uint64_t kMost = 1ull << 40;
      if (!number || (*number > 0 && numbers > kMost / *number)) return std::nullopt;
      numbers *= *number;
    }
    shape.remove_prefix(std::min(end + 1, shape.size()));
  }
  return numbers;
}

std::string npyType(const MemberType& member) {
  const char kind = member.kind == NumberKind::Floating || member.kind == NumberKind::Half ? 'f'
                    : member.kind == NumberKind::Signed                                    ? 'i'
                                                                                           : 'u';
  return std::string(member.bytes == 1 ? "|" : "<") + kind + std::to_string(member.bytes);
}

Result<FileNumbers> numbersOfNpy(const std::string& path, const std::string& content,
                                 const ParameterType& type) {
  const auto wrong = [&](const std::string& what) {
    return usageError(path + " " + what + ". Save it with numpy.save, or as a text of numbers.");
  };
  const auto version = static_cast<unsigned char>(content[6]);
  const std::size_t lengthBytes = version == 1 ? 2 : 4, begin = 8 + lengthBytes;
  if ((version != 1 && version != 2) || content.size() < begin)
    return wrong("is of a version of .npy that is not supported");
  std::size_t length = 0;
  for (std::size_t i = 0; i < lengthBytes; ++i)
    length |= std::size_t(static_cast<unsigned char>(content[8 + i])) << 8 * i;
  if (content.size() - begin < length) return wrong("ends within its head");
  const std::string_view head = std::string_view(content).substr(begin, length);
  const auto order = entryOf(head, "fortran_order"), kind = entryOf(head, "descr"),
             shape = entryOf(head, "shape");
  if (!order || !kind || !shape) return wrong("has a head that cannot be read");
  if (order->starts_with("True")) return wrong("has its elements in Fortran's order");
  const MemberType& member = type.members.front();
  const bool isUniform = type.bytes == member.bytes * type.members.size() &&
                         std::ranges::all_of(type.members, [&](const MemberType& other) {
                           return other.kind == member.kind && other.bytes == member.bytes;
                         });
  if (!isUniform) return wrong("has numbers of one type, and the parameter's elements have several");
  const std::string wanted = npyType(member);
  const bool isFlag = wanted == "|u1" && kind->starts_with("'|b1'");
  if (kind->starts_with("'>")) return wrong("is big-endian");
  if (!kind->starts_with("'" + wanted + "'") && !isFlag)
    return wrong("has other elements than the parameter: " + std::string(kind->substr(0, kind->find(','))) +
                 ", and '" + wanted + "' is what it takes");
  const std::string_view data = std::string_view(content).substr(begin + length);
  const auto numbers = numbersOfShape(*shape);
  if (!numbers) return wrong("has a shape that cannot be read");
  if (*numbers * member.bytes != data.size())
    return wrong("has a shape of " + figure(*numbers) + " numbers, and " + figure(data.size()) +
                 " bytes of them");
  if (data.size() % type.bytes != 0)
    return wrong("has " + figure(*numbers) + " numbers, and an element of the parameter has " +
                 figure(type.members.size()));
  return FileNumbers{.bytes = {data.begin(), data.end()}};
}

}  // namespace

Result<std::vector<std::uint8_t>> elementBytes(const std::string& name, const ParameterType& type,
                                               const std::vector<std::string>& numbers) {
  const std::size_t members = std::max<std::size_t>(type.members.size(), 1);
  if (type.members.empty() || numbers.size() % members != 0)
    return usageError("'" + name + "' has elements of " + figure(members) + " numbers each, and is given " +
                      figure(numbers.size()) + ".");
  std::vector<std::uint8_t> bytes(numbers.size() / members * type.bytes);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const MemberType& member = type.members[i % members];
    const auto bits = bitsOf(member, numbers[i]);
    if (!bits)
      return usageError("'" + numbers[i] + "', " +
                        (numbers.size() == 1 ? "which is given for '" : "number " + figure(i) + " of '") +
                        name + "', is no number of its type, or out of its range.");
    put(bytes, i / members * type.bytes, member, *bits);
  }
  return bytes;
}

Result<std::vector<std::uint8_t>> filled(const ArgumentRequest& request, const ParameterType& type,
                                         std::uint64_t seed) {
  std::vector<std::uint8_t> bytes(*request.count * type.bytes);
  for (std::uint64_t i = 0; i < *request.count; ++i)
    for (const MemberType& member : type.members) {
      const bool isSigned = member.kind != NumberKind::Unsigned && member.kind != NumberKind::Bytes &&
                            member.kind != NumberKind::Bool;
      const std::string value =
          request.fill ? *request.fill : patternValue(request.pattern, i, seed, isSigned);
      auto bits = bitsOf(member, value);
      if (!bits && !request.fill)  // a ramp that is longer than its type: it wraps
        bits = parsed<std::uint64_t>(value);
      if (!bits)
        return usageError("'" + value + "', with which '" + request.name +
                          "' is filled, is no number of its type, or out of its range.");
      put(bytes, i * type.bytes, member, *bits);
    }
  return bytes;
}

Result<FileNumbers> numbersOfFile(const std::string& folder, const std::string& path,
                                  const ParameterType& type) {
  const auto place = std::filesystem::path(folder.empty() ? "." : folder) / path;
  auto content = readRegularFile(place, "numbers or a .npy file", kMaxFileBytes);
  if (!content) return tl::unexpected(content.error());
  if (content->starts_with("\x93NUMPY") && content->size() > 12) return numbersOfNpy(path, *content, type);
  FileNumbers file;
  std::size_t at = 0;
  constexpr const char* kBetween = " \t\r\n,;";
  while ((at = content->find_first_not_of(kBetween, at)) != std::string::npos) {
    const auto end = std::min(content->find_first_of(kBetween, at), content->size());
    file.numbers.push_back(content->substr(at, end - at));
    at = end;
  }
  return file;
}

std::vector<std::string> printedMembers(const ParameterType& type, const std::vector<std::uint8_t>& bytes) {
  std::vector<std::string> all;
  for (std::size_t at = 0; type.bytes > 0 && at + type.bytes <= bytes.size(); at += type.bytes)
    for (const MemberType& member : type.members)
      all.push_back(model::printNumber(member, take(bytes, at, member)));
  return all;
}

bool isNumberOf(const MemberType& member, const std::string& text) {
  const bool isReal = member.kind == NumberKind::Floating || member.kind == NumberKind::Half ||
                      member.kind == NumberKind::Bfloat;
  return isReal ? parsed<double>(text).has_value() : bitsOf(member, text).has_value();
}

bool agrees(const MemberType& member, const std::string& got, const std::string& wanted,
            std::optional<double> tolerance) {
  const bool isWhole = member.kind != NumberKind::Floating && member.kind != NumberKind::Half &&
                       member.kind != NumberKind::Bfloat;
  const auto gotBits = bitsOf(member, got), wantedBits = bitsOf(member, wanted);
  if (gotBits && wantedBits && *gotBits == *wantedBits) return true;
  const double most = tolerance.value_or(isWhole ? 0 : 1e-5);
  const auto a = parsed<double>(got), b = parsed<double>(wanted);
  if (!a || !b) return false;
  if (std::isnan(*a) || std::isnan(*b)) return std::isnan(*a) && std::isnan(*b);
  if (std::isinf(*a) || std::isinf(*b)) return *a == *b;
  if (isWhole && most == 0) return false;  // their bits differ
  return std::fabs(*a - *b) <= most * std::max(1.0, std::fabs(*b));
}

}  // namespace stridescope::engine::access
