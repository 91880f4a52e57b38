// A bound on the memory that one opened trace may take: a file of some hundred kilobytes can describe a run
// whose analysis would fill the machine. One budget is shared by everything that is derived from the trace
// (its operations, snapshots, lanes, exchanges, data flow) and by what is printed of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace stridescope {

inline constexpr std::uint64_t kDefaultMemoryBudget = std::uint64_t{512} << 20;  // bytes

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes = kDefaultMemoryBudget) : whole_(bytes), left_(bytes) {}

  // Takes so many bytes of it. False, and nothing is taken, if less is left.
  bool take(std::uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

  // Takes so many bytes of it, or all that is left: of what is there already.
  void spend(std::uint64_t bytes) { left_ -= std::min(bytes, left_); }

  // Whether so many bytes are left, for what is needed only for a while.
  bool has(std::uint64_t bytes) const { return bytes <= left_; }
  // "512 MiB": the whole budget, for sentences.
  std::string text() const { return std::to_string(whole_ >> 20) + " MiB"; }

 private:
  std::uint64_t whole_, left_;
};

}  // namespace stridescope
