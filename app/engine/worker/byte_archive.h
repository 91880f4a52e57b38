// Values as bytes and back, for messages between two processes of the same program on one machine: numbers as
// they lie in memory, a count before every list and text. A structure is written and read by one function of
// its own, found by its arguments:
//   template <class Archive, Is<Thing> Value> void exchangeFields(Archive& archive, Value& thing)
// so that both directions name the same fields. What is read is not believed: a count larger than the bytes
// that are left, a flag that is neither 0 nor 1, bytes left over at the end make the reading fail.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace stridescope::engine::worker {

template <class Value, class Wanted>
concept Is = std::same_as<std::remove_const_t<Value>, Wanted>;

// Copied as it lies in memory. A structure of this kind has no padding (and nothing in it can be invalid);
// it says so by a specialization.
template <class Value>
inline constexpr bool kIsPlain =
    (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) || std::is_enum_v<Value>;

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
  void write(const std::optional<Value>& value) {
    write(value.has_value());
    if (value) write(*value);
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
  void write(const Value& value) {
    if constexpr (kIsPlain<Value>)
      append(&value, sizeof value);
    else
      exchangeFields(*this, value);
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
  // Of things that take at least `leastBytes` each as they are sent, and `memory` bytes then.
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
  void read(std::optional<Value>& value) {
    bool any = false;
    read(any);
    value.reset();
    if (any) read(value.emplace());
  }
  template <class Value>
  void read(std::vector<Value>& list) {
    if constexpr (kIsPlain<Value>) {
      list.resize(readCount(sizeof(Value), sizeof(Value)));
      take(static_cast<void*>(list.data()), list.size() * sizeof(Value));
    } else {
      // Each begins or ends with a count.
      const std::size_t count = readCount(sizeof(std::uint64_t), sizeof(Value));
      list.clear();
      list.reserve(count);
      for (std::size_t i = 0; i < count && !failed_; ++i) read(list.emplace_back());
    }
  }
  template <class Value>
  void read(Value& value) {
    if constexpr (kIsPlain<Value>)
      take(static_cast<void*>(&value), sizeof value);
    else
      exchangeFields(*this, value);
  }

  std::span<const std::byte> left_;
  std::uint64_t memoryLeft_;
  bool failed_ = false;
};

}  // namespace stridescope::engine::worker
