// JSON, written as it comes: nothing of it is kept but a piece on its way out. The texts of strings and of
// floating numbers are nlohmann's (base/formats.h). The serializers that Debian has apart from it either take
// a whole tree (Boost.JSON, JsonCpp) or refuse what is not UTF-8 and infinities instead of replacing them
// (RapidJSON's Writer).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::report {

// One value, on one line but for breakLine(). The caller keeps to JSON's grammar: every begin has its end,
// and a key stands before each value of an object. What cannot be written sets the stream's state, as always.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() { flush(); }

  void beginObject() { begin('{'); }
  void endObject() { end('}'); }
  void beginArray() { begin('['); }
  void endArray() { end(']'); }
  void key(std::string_view name);

  // An object of the members that `fill` writes, a list of what `each` writes for every element.
  template <class Fill>
  void object(const Fill& fill) {
    beginObject();
    fill();
    endObject();
  }
  template <class Fill>
  void object(std::string_view name, const Fill& fill) {
    key(name);
    object(fill);
  }
  template <class List, class Each>
  void list(std::string_view name, const List& elements, const Each& each) {
    key(name);
    beginArray();
    for (const auto& element : elements) each(element);
    endArray();
  }
  // A list of objects, of which `fill` writes the members for every element.
  template <class List, class Fill>
  void objects(std::string_view name, const List& elements, const Fill& fill) {
    list(name, elements, [&](const auto& element) { object([&] { fill(element); }); });
  }
  // The same, each on a line of its own.
  template <class List, class Fill>
  void objectLines(std::string_view name, const List& elements, const Fill& fill) {
    key(name);
    beginArray();
    breakLine();
    for (const auto& element : elements) {
      object([&] { fill(element); });
      breakLine();
    }
    endArray();
  }

  // A flag, a number, a text, null for nullptr and for an optional without a value, a list of these as an
  // array. Integers are exact; what is not finite is null. Text that is not UTF-8 is replaced by U+FFFD.
  template <class Value>
  void value(const Value& value);
  template <class Value>
  void member(std::string_view name, const Value& it) {
    key(name);
    value(it);
  }

  // The next value, or the end of the list, begins a line.
  void breakLine() { breaksLine_ = true; }

  // Call it after the value. It gives the stream all that was written.
  void endLine();
  // Bytes so far.
  std::uint64_t written() const { return flushed_ + text_.size(); }
  // The stream has all that was written.
  void flush();

 private:
  void begin(char bracket);
  void end(char bracket);
  void separate();
  void literal(std::string_view text);
  void integer(std::int64_t number);
  void integer(std::uint64_t number);
  void floating(double number);
  void string(std::string_view text);
  void append(std::string_view text);

  std::ostream& out_;
  std::string text_;  // not flushed yet
  std::uint64_t flushed_ = 0;
  bool isFirst_ = true;  // nothing stands before it in its list or object, or a key does
  bool breaksLine_ = false;
};

template <class Value>
void JsonWriter::value(const Value& it) {
  if constexpr (std::same_as<Value, std::nullptr_t>) {
    literal("null");
  } else if constexpr (std::same_as<Value, bool>) {
    literal(it ? "true" : "false");
  } else if constexpr (std::signed_integral<Value>) {
    integer(std::int64_t{it});
  } else if constexpr (std::unsigned_integral<Value>) {
    integer(std::uint64_t{it});
  } else if constexpr (std::floating_point<Value>) {
    floating(it);
  } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
    string(it);
  } else if constexpr (requires { it.has_value(); }) {
    if (it)
      value(*it);
    else
      value(nullptr);
  } else {
    beginArray();
    for (const auto& element : it) value(element);
    endArray();
  }
}

// Fields of structures as members of a JSON object (base/describe.h).

// The fields of these names (without names: all), in their order in the structure. Lists and structures are
// not written.
template <HasDescription Struct>
void writeFields(JsonWriter& json, const Struct& value, std::span<const std::string_view> names = {}) {
  forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (PlainField<Field>)
      if (names.empty() || std::ranges::find(names, name) != names.end()) json.member(name, plainOf(field));
  });
}

// An experiment and who ran it, as members of JSON's format 1.

// The member "engine" of an object.
void writeEngine(JsonWriter& json, const model::Executor& executor);
// "variant", "engine" and "experiment" of an object. What an experiment does not have has its default.
void writeRun(JsonWriter& json, const model::Experiment& experiment, const model::Executor& executor);

}  // namespace stridescope::report
