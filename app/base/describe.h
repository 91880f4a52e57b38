// Records described once. A structure that is stored or sent has one description of its fields, a function in
// the structure's own namespace, found by its arguments:
//   template <class Fields, Described<Thing> Value>
//   constexpr void describe(Fields&& fields, Value& thing) {
//     fields("name", thing.name);
//     fields("size_limit", thing.sizeLimit);
//   }
// It names every member, in the order of the members; Value is Thing or const Thing, so that writing and
// reading share it. A name is for ever: files and JSON have it. Whoever reads or writes structures calls
// forEachField, which does not compile for a description that forgets a member, repeats one or has another
// order. A structure whose last members live in the process alone says how many in a constant kUndescribed.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stridescope {

template <class Value, class Wanted>
concept Described = std::same_as<std::remove_const_t<Value>, Wanted>;

// Whether there is a description.
template <class Struct>
concept HasDescription = std::is_class_v<Struct> && requires(Struct& value) {
  describe([](std::string_view, auto&) {}, value);
};

namespace describing {

// A place of the right type to which nothing is ever written and from which nothing is read: addresses of its
// members are known while compiling.
template <class Struct>
union Nowhere {
  char nothing;
  Struct value;
  constexpr Nowhere() : nothing() {}
  constexpr ~Nowhere() {}
};
template <class Struct>
inline Nowhere<Struct> nowhere{};

template <class... Members>
constexpr std::array<const void*, sizeof...(Members)> addressesOf(const Members&... members) {
  return {static_cast<const void*>(std::addressof(members))...};
}

// Does not compile unless the structure has exactly `count` members.
template <std::size_t count, class Struct>
constexpr std::array<const void*, count> membersOf(Struct& value) {
  static_assert(count > 0 && count <= 25, "a structure of so many members needs one more line below");
  if constexpr (count == 1) {
    auto& [a] = value;
    return addressesOf(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return addressesOf(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return addressesOf(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return addressesOf(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return addressesOf(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return addressesOf(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return addressesOf(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return addressesOf(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (count == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (count == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (count == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (count == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (count == 24) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  } else if constexpr (count == 25) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = value;
    return addressesOf(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
  }
}

template <class Struct>
constexpr std::size_t countDescribed() {
  std::size_t count = 0;
  describe([&count](std::string_view, const auto&) { ++count; }, nowhere<Struct>.value);
  return count;
}

template <std::size_t count, class Struct>
constexpr std::array<const void*, count> describedOf(Struct& value) {
  std::array<const void*, count> addresses{};
  std::size_t next = 0;
  describe([&](std::string_view, const auto& field) { addresses[next++] = std::addressof(field); }, value);
  return addresses;
}

// How many of a structure's last members live in the process alone; it says so itself.
template <class Struct>
constexpr std::size_t countUndescribed() {
  if constexpr (requires { Struct::kUndescribed; })
    return Struct::kUndescribed;
  else
    return 0;
}

template <class Struct>
constexpr bool namesEveryMember() {
  constexpr std::size_t count = countDescribed<Struct>();
  const auto described = describedOf<count>(nowhere<Struct>.value);
  const auto members = membersOf<count + countUndescribed<Struct>()>(nowhere<Struct>.value);
  return std::equal(described.begin(), described.end(), members.begin());
}

}  // namespace describing

template <HasDescription Struct>
inline constexpr std::size_t kFieldCount = describing::countDescribed<Struct>();

// Calls visit(name, field) for every field in turn.
template <class Value, class Visit>
requires HasDescription<std::remove_const_t<Value>>
constexpr void forEachField(Value& value, Visit&& visit) {
  static_assert(
      describing::namesEveryMember<std::remove_const_t<Value>>(),
      "the description names every member once, in the order of the members, but the kUndescribed last ones");
  describe(visit, value);
}

// Calls visit(name, field, fieldOfOther) for every field in turn.
template <class Value, class Visit>
requires HasDescription<std::remove_const_t<Value>>
void forEachField(Value& value, const std::remove_const_t<Value>& other, Visit&& visit) {
  const auto others = describing::describedOf<kFieldCount<std::remove_const_t<Value>>>(other);
  std::size_t next = 0;
  forEachField(value, [&](std::string_view name, auto& field) {
    visit(name, field,
          *static_cast<const std::remove_const_t<std::remove_reference_t<decltype(field)>>*>(others[next++]));
  });
}

// The same for a structure of which only the type is known, while compiling: the fields' values must not be
// read.
template <HasDescription Struct, class Visit>
constexpr void forEachFieldOf(Visit&& visit) {
  forEachField(describing::nowhere<Struct>.value, visit);
}

// A field as files of text have it: an enumerator by the name that nameOf() gives, anything else as it is.
template <class Field>
constexpr auto plainOf(const Field& field) {
  if constexpr (std::is_enum_v<Field>)
    return nameOf(field);
  else
    return field;
}

template <class Field>
inline constexpr bool kIsOptionalEnum = false;
template <class Enum>
inline constexpr bool kIsOptionalEnum<std::optional<Enum>> = std::is_enum_v<Enum>;

// A number, a flag, an enumerator (perhaps none) or a text; no list, and nothing that has fields of its own.
template <class Field>
concept PlainField = std::is_arithmetic_v<Field> || std::is_enum_v<Field> || kIsOptionalEnum<Field> ||
    std::same_as<Field, std::string>;

// What is large and never changes, or nothing: copies share it, and equal contents are equal.
template <class Value>
class Shared {
 public:
  Shared() = default;
  explicit Shared(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}
  const Value* get() const { return value_.get(); }  // nullptr: none
  friend bool operator==(const Shared& a, const Shared& b) {
    return a.value_ == b.value_ || (a.value_ && b.value_ && *a.value_ == *b.value_);
  }

 private:
  std::shared_ptr<const Value> value_;
};

// Some of the fields of a described structure.

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
