// Records described once: every field is visited, by its name, for writing and for reading.
#include "base/describe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stridescope::base_test {
namespace thing {

struct Thing {
  int size = 1;
  std::string label = "a";
  std::vector<int> list{};
};

template <class Fields, Described<Thing> Value>
constexpr void describe(Fields&& fields, Value& thing) {
  fields("size", thing.size);
  fields("label", thing.label);
  fields("list", thing.list);
}

}  // namespace thing

namespace {

static_assert(HasDescription<thing::Thing>);
static_assert(!HasDescription<std::string> && !HasDescription<int>);
static_assert(kFieldCount<thing::Thing> == 3);

TEST(Describe, VisitsEveryFieldByItsName) {
  const thing::Thing thing;
  std::string names;
  forEachField(thing, [&](std::string_view name, const auto&) { names += std::string(name) + " "; });
  EXPECT_EQ(names, "size label list ");
}

TEST(Describe, GivesFieldsToWriteTo) {
  thing::Thing thing;
  forEachField(thing, [&](std::string_view name, auto& field) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, int>)
      if (name == "size") field = 7;
  });
  EXPECT_EQ(thing.size, 7);
}

TEST(Describe, VisitsTheFieldsOfTwoTogether) {
  const thing::Thing one{.size = 1, .label = "a", .list = {1}}, other{.size = 1, .label = "b", .list = {1}};
  std::string different;
  forEachField(one, other, [&](std::string_view name, const auto& field, const auto& otherField) {
    if (field != otherField) different += name;
  });
  EXPECT_EQ(different, "label");
}

}  // namespace
}  // namespace stridescope::base_test
