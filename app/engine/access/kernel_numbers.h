// The numbers of a kernel's arrays: read, made by a pattern, printed and compared, member by member.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "access_worker.h"
#include "base/result.h"
#include "engine/access/launch_file.h"

namespace stridescope::engine::access {

// The numbers as members, one after the other. Usage: what is no number of the member's type, or out of its
// range.
Result<std::vector<std::uint8_t>> elementBytes(const std::string& name, const ParameterType& type,
                                               const std::vector<std::string>& numbers);

// By the request's pattern or fill: each element's members have the same value, that of the element's index.
// Requires a count. `seed`: of random and digits.
Result<std::vector<std::uint8_t>> filled(const ArgumentRequest& request, const ParameterType& type,
                                         std::uint64_t seed);

struct FileNumbers {
  std::vector<std::string> numbers{};  // of a text
  std::vector<std::uint8_t> bytes{};   // of a .npy file whose type is the member's; else empty
};
// A text of numbers, or .npy (versions 1 and 2, little-endian, C order). `folder`: where a relative path
// begins.
Result<FileNumbers> numbersOfFile(const std::string& folder, const std::string& path,
                                  const ParameterType& type);

std::vector<std::string> printedMembers(const ParameterType& type, const std::vector<std::uint8_t>& bytes);

bool isNumberOf(const MemberType& member, const std::string& text);

// nullopt for the tolerance: 0 for integers, 1e-5 for floating numbers. nan equals nan, and -0 equals 0.
bool agrees(const MemberType& member, const std::string& got, const std::string& wanted,
            std::optional<double> tolerance);

}  // namespace stridescope::engine::access
