// Values as bytes and back, for messages between two processes of the same program on one machine: numbers as
// they lie in memory, a count before every list and text, a flag before what may be missing. A structure is
// sent field by field, as it is described (base/describe.h). What is read is not believed: a count larger
// than the bytes that are left, a flag that is neither 0 nor 1, bytes left over at the end make the reading
// fail.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/describe.h"
#include "model/clock_record.h"
#include "model/quantities.h"
#include "model/trace.h"

namespace stridescope::engine::worker {

// Copied as it lies in memory. A structure of this kind has no padding (and nothing in it can be invalid);
// it says so by a specialization.
template <class Value>
inline constexpr bool kIsPlain =
    (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) || std::is_enum_v<Value>;

template <class Value>
inline constexpr bool kIsOptional = false;
template <class Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;

// What may be missing, and is shared: get() gives a pointer to it, or null; it is made from what it holds.
template <class Value>
concept IsHandle = requires(const Value& handle) {
  { handle.get() == nullptr } -> std::same_as<bool>;
  Value(*handle.get());
};

// The least bytes that a value of the type is sent in: numbers and flags are sent whole, the rest has at
// least its counts.
template <class Value>
constexpr std::size_t leastBytesOf() {
  if constexpr (kIsPlain<Value>) {
    return sizeof(Value);
  } else if constexpr (HasDescription<Value>) {
    std::size_t bytes = 0;
    forEachFieldOf<Value>(
        [&bytes]<class Field>(std::string_view, const Field&) { bytes += leastBytesOf<Field>(); });
    return bytes;
  } else {
    return std::is_same_v<Value, bool> || IsHandle<Value> || kIsOptional<Value> ? 1 : sizeof(std::uint64_t);
  }
}

// A number that changes, most likely, with the fields of the type: their names, their order, their sizes.
template <class Value>
constexpr std::uint32_t formOf(std::uint32_t form = 2166136261u) {
  const auto mix = [&form](std::size_t next) { form = (form ^ std::uint32_t(next)) * 16777619u; };
  if constexpr (kIsPlain<Value> || std::is_same_v<Value, bool>) {
    mix(sizeof(Value));
  } else if constexpr (HasDescription<Value>) {
    forEachFieldOf<Value>([&]<class Field>(std::string_view name, const Field&) {
      for (const char c : name) mix(std::size_t(c));
      form = formOf<Field>(form);
    });
  } else if constexpr (IsHandle<Value>) {
    form = formOf<std::remove_cvref_t<decltype(*Value().get())>>(form);
  } else if constexpr (requires { typename Value::value_type; }) {
    if constexpr (!std::is_same_v<Value, std::string>) form = formOf<typename Value::value_type>(form);
    mix(1);
  }
  return form;
}

class ByteWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

 private:
  void append(const void* from, std::size_t bytes) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
  }
  void writeCount(std::size_t count) { write(std::uint64_t{count}); }

  void write(bool flag) { write(static_cast<std::uint8_t>(flag)); }
  void write(const std::string& text) {
    writeCount(text.size());
    append(text.data(), text.size());
  }
  template <class Value>
  void write(const std::vector<Value>& list) {
    writeCount(list.size());
    if constexpr (kIsPlain<Value>)
      append(list.data(), list.size() * sizeof(Value));
    else
      for (const Value& value : list) write(value);
  }
  template <class Value>
  void write(const std::optional<Value>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <IsHandle Handle>
  void write(const Handle& handle) {
    write(handle.get() != nullptr);
    if (handle.get() != nullptr) write(*handle.get());
  }
  template <class Value>
  void write(const Value& value) {
    if constexpr (kIsPlain<Value>)
      append(&value, sizeof value);
    else
      forEachField(value, [this](std::string_view, const auto& field) { this->write(field); });
  }

  std::vector<std::byte> bytes_;
};

// After the first failure everything reads as nothing.
class ByteReader {
 public:
  // What is read into takes at most `mostMemory` bytes; 0: as many as the bytes ask for, which may be some
  // three times as many as they are.
  explicit ByteReader(std::span<const std::byte> bytes, std::uint64_t mostMemory = 0)
      : left_(bytes), memoryLeft_(mostMemory == 0 ? ~std::uint64_t{0} : mostMemory) {}

  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }

  // Every byte was read, and nothing was wrong.
  bool isComplete() const { return !failed_ && left_.empty(); }

 private:
  void take(void* to, std::size_t bytes) {
    if (failed_ || bytes > left_.size()) {
      failed_ = true;
      return;
    }
    if (bytes > 0) std::memcpy(to, left_.data(), bytes);
    left_ = left_.subspan(bytes);
  }
  // Reads how many things follow. Each takes at least `leastBytes` as it is sent, and `memory` bytes when it
  // is read.
  std::size_t readCount(std::size_t leastBytes, std::size_t memory) {
    std::uint64_t count = 0;
    read(count);
    if (count > left_.size() / leastBytes || count > memoryLeft_ / memory) failed_ = true;
    if (failed_) return 0;
    memoryLeft_ -= count * memory;
    return count;
  }

  void read(bool& flag) {
    std::uint8_t number = 0;
    read(number);
    if (number > 1) failed_ = true;
    flag = number == 1;
  }
  void read(std::string& text) {
    text.resize(readCount(1, 1));
    take(text.data(), text.size());
  }
  template <class Value>
  void read(std::vector<Value>& list) {
    if constexpr (kIsPlain<Value>) {
      list.resize(readCount(sizeof(Value), sizeof(Value)));
      take(static_cast<void*>(list.data()), list.size() * sizeof(Value));
    } else {
      const std::size_t count = readCount(leastBytesOf<Value>(), sizeof(Value));
      list.clear();
      list.reserve(count);
      for (std::size_t i = 0; i < count && !failed_; ++i) read(list.emplace_back());
    }
  }
  template <class Value>
  void read(std::optional<Value>& value) {
    bool any = false;
    read(any);
    value.reset();
    if (any) read(value.emplace());
  }
  template <IsHandle Handle>
  void read(Handle& handle) {
    bool any = false;
    read(any);
    handle = Handle();
    if (!any) return;
    std::remove_cvref_t<decltype(*handle.get())> held;
    read(held);
    handle = Handle(std::move(held));
  }
  template <class Value>
  void read(Value& value) {
    if constexpr (kIsPlain<Value>)
      take(static_cast<void*>(&value), sizeof value);
    else
      forEachField(value, [this](std::string_view, auto& field) { this->read(field); });
  }

  std::span<const std::byte> left_;
  std::uint64_t memoryLeft_;
  bool failed_ = false;
};

// A trace's log, and marks of a GPU's clock, travel between processes as their bytes, copied at once.

template <>
inline constexpr bool kIsPlain<model::Event> = std::has_unique_object_representations_v<model::Event>;
template <>
inline constexpr bool kIsPlain<model::BlockTrace::CopiedWord> =
    std::has_unique_object_representations_v<model::BlockTrace::CopiedWord>;
static_assert(kIsPlain<model::Event> && kIsPlain<model::BlockTrace::CopiedWord>);

template <>
inline constexpr bool kIsPlain<model::Mark> = std::has_unique_object_representations_v<model::Mark>;
template <>
inline constexpr bool kIsPlain<model::BlockRun> = std::has_unique_object_representations_v<model::BlockRun>;
static_assert(kIsPlain<model::Mark> && kIsPlain<model::BlockRun>);

}  // namespace stridescope::engine::worker
