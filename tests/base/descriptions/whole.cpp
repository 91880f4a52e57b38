#include <string>

#include "base/describe.h"

struct Thing {
  int size = 0;
  std::string label;
};

template <class Fields, stridescope::Described<Thing> Value>
constexpr void describe(Fields&& fields, Value& thing) {
  fields("size", thing.size);
  fields("label", thing.label);
}

void visit(Thing& thing) {
  stridescope::forEachField(thing, [](std::string_view, auto&) {});
}
