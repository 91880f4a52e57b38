// Fields of structures as members of a JSON object (base/describe.h).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/describe.h"
#include "cli/json_writer.h"

namespace stridescope::cli {

// The fields of these names, in their order in the structure. Lists and structures are not written.
template <HasDescription Struct>
void writeFields(JsonWriter& json, const Struct& value, std::span<const std::string_view> names) {
  forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (PlainField<Field>)
      if (std::ranges::find(names, name) != names.end()) json.member(name, plainOf(field));
  });
}

}  // namespace stridescope::cli
