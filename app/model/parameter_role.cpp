#include "model/parameter_role.h"

#include <cstddef>

namespace stridescope::model {
namespace {

constexpr std::array<std::string_view, kParameterRoles.size()> kNames{
    "input",       "in place",    "output", "accumulator", "partials", "ticket",
    "list values", "list starts", "merged", "origin",      "count",    "scalar"};

}  // namespace

std::string_view nameOf(ParameterRole role) { return kNames[std::size_t(role)]; }
bool isBuffer(ParameterRole role) { return role != ParameterRole::Count && role != ParameterRole::Scalar; }

}  // namespace stridescope::model
