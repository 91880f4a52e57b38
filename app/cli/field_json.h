// Fields of structures as members of a JSON object (base/describe.h).
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/describe.h"
#include "base/plain_field.h"

namespace stridescope::cli {

// The fields of these names, in their order in the structure. Lists and structures are not added.
template <HasDescription Struct>
void addFields(nlohmann::ordered_json& json, const Struct& value, std::span<const std::string_view> names) {
  forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (PlainField<Field>)
      if (std::ranges::find(names, name) != names.end()) json[std::string(name)] = plainOf(field);
  });
}

}  // namespace stridescope::cli
