// Some of the fields of a described structure (base/describe.h).
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/describe.h"

namespace stridescope {

template <HasDescription Struct>
class FieldSet {
 public:
  template <class Field>
  void add(Field Struct::*field) {
    fields_.set(numberOf(field));
  }
  template <class Field>
  void remove(Field Struct::*field) {
    fields_.reset(numberOf(field));
  }
  template <class Field>
  bool has(Field Struct::*field) const {
    return fields_.test(numberOf(field));
  }
  std::size_t count() const { return fields_.count(); }

  // Those in which the two are not equal.
  static FieldSet differing(const Struct& one, const Struct& other) {
    FieldSet set;
    std::size_t number = 0;
    forEachField(one, other, [&](std::string_view, const auto& field, const auto& otherField) {
      set.fields_.set(number++, !(field == otherField));
    });
    return set;
  }

  friend bool operator==(const FieldSet&, const FieldSet&) = default;

  // Gives `to` the fields of the set as `from` has them.
  void copy(const Struct& from, Struct& to) const {
    std::size_t number = 0;
    forEachField(to, from, [&](std::string_view, auto& field, const auto& other) {
      if (fields_.test(number++)) field = other;
    });
  }

  // Whether two structures are equal in all fields of the set.
  bool agree(const Struct& one, const Struct& other) const {
    std::size_t number = 0;
    bool equal = true;
    forEachField(one, other, [&](std::string_view, const auto& field, const auto& otherField) {
      equal = (!fields_.test(number++) || field == otherField) && equal;
    });
    return equal;
  }

 private:
  template <class Field>
  static std::size_t numberOf(Field Struct::*field) {
    const Struct& nowhere = describing::nowhere<Struct>.value;
    const auto fields = describing::describedOf<kFieldCount<Struct>>(nowhere);
    const void* const address = std::addressof(nowhere.*field);
    return std::size_t(std::ranges::find(fields, address) - fields.begin());
  }

  std::bitset<kFieldCount<Struct>> fields_;
};

}  // namespace stridescope
