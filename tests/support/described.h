// Any structure that is described (base/describe.h), filled and compared field by field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/describe.h"
#include "model/trace.h"

namespace stridescope::support {

// No two values are the same, none is a default: what is lost or goes to the wrong field is noticed.
class Filler {
 public:
  void fill(bool& flag) { flag = true; }
  void fill(std::string& text) { text = "text " + std::to_string(++last_); }
  template <class Value>
  void fill(Shared<Value>& shared) {
    Value value;
    fill(value);
    shared = Shared(std::move(value));
  }
  void fill(model::Event& event) { event = {++last_, ++last_}; }
  void fill(model::BlockTrace::CopiedWord& word) {
    fill(word.thread);
    fill(word.barrier);
    fill(word.event);
  }
  template <class Value>
  void fill(std::optional<Value>& value) {
    fill(value.emplace());
  }
  template <class Value>
  void fill(std::vector<Value>& list) {
    list.resize(2);
    for (Value& value : list) fill(value);
  }
  template <class Value>
  void fill(Value& value) {
    if constexpr (std::is_enum_v<Value>)
      value = Value(1);
    else if constexpr (std::is_arithmetic_v<Value>)
      value = Value(++last_);
    else
      forEachField(value, [this](std::string_view, auto& field) { this->fill(field); });
  }

 private:
  unsigned char last_ = 10;
};

template <class Struct>
Struct filled() {
  Struct value{};
  Filler().fill(value);
  return value;
}

template <class Value>
bool sameFields(const Value& a, const Value& b);

template <class Value>
bool sameFields(const std::vector<Value>& a, const std::vector<Value>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = sameFields(a[i], b[i]);
  return same;
}
template <class Value>
bool sameFields(const std::optional<Value>& a, const std::optional<Value>& b) {
  return a && b ? sameFields(*a, *b) : !a && !b;
}
template <class Value>
bool sameFields(const Value& a, const Value& b) {
  if constexpr (HasDescription<Value>) {
    bool same = true;
    forEachField(a, b, [&same](std::string_view, const auto& field, const auto& other) {
      same = same && sameFields(field, other);
    });
    return same;
  } else {
    return a == b;
  }
}

}  // namespace stridescope::support
