#include "kernels/family.h"

#include <array>
#include <cstddef>

namespace stridescope::kernels {
namespace {

struct FamilyTexts {
  std::string_view name, title;
};
constexpr std::array<FamilyTexts, std::size_t(Family::CommonBugs) + 1> kFamilies{
    {{"ladder", "Ladder"},
     {"one warp", "One warp"},
     {"whole program", "Whole program"},
     {"global memory", "Global memory"},
     {"merge", "Merge"},
     {"common bugs", "Common bugs"}}};

}  // namespace

std::string_view nameOf(Family family) { return kFamilies[std::size_t(family)].name; }
std::string_view titleOf(Family family) { return kFamilies[std::size_t(family)].title; }

}  // namespace stridescope::kernels
