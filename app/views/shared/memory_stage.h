// The array that a launch's rounds work in, which the Shared memory panel shows: the first shared array; in a
// launch without shared memory the buffer that the block works in in place. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "narration/round_at.h"

namespace stridescope::views {

class MemoryStage {
 public:
  MemoryStage(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis);

  bool exists() const { return array_ != nullptr; }
  bool inDevice() const { return window_.has_value(); }
  // Requires that it exists.
  const model::Array& array() const { return *array_; }

  // Elements of the stage count from 0; in the array they begin here, where the block's own part does.
  std::uint64_t first() const { return first_; }
  std::uint64_t elements() const { return elements_; }
  std::string nameOf(std::uint64_t element) const {  // "data[80]", as the kernel indexes it
    return array().name + "[" + std::to_string(first_ + element) + "]";
  }

  bool holds(const analysis::Operand& operand) const {
    return operand.placed && holds(operand.shared, operand.array);
  }
  bool holds(const model::Event& event) const;
  bool holds(const std::optional<analysis::Operand>& operand) const { return operand && holds(*operand); }
  // Requires an operand that it holds.
  std::uint64_t placeOf(const analysis::Operand& operand) const { return operand.element - first_; }

  // Which elements are still needed after the round.
  const std::vector<bool>& liveAfter(const analysis::RoundFlow& flow) const;
  // The bits of every element; nullopt: unknown. `at` is of the stage's launch. Device memory is known after
  // whole rounds alone.
  using Words = std::vector<std::optional<std::uint64_t>>;
  Words wordsAfter(std::size_t round) const;
  Words wordsAfter(const narration::RoundAt& at) const;                  // its pass, if it tells of one
  std::optional<Words> wordsBefore(const narration::RoundAt& at) const;  // nullopt: nothing came before

 private:
  Words wordsOf(const analysis::Snapshot& snapshot) const;
  bool holds(bool shared, std::uint32_t array) const {
    return exists() && shared != inDevice() && array == arrayNumber_;
  }

  const analysis::LaunchAnalysis& analysis_;
  const model::Array* array_ = nullptr;
  std::uint32_t arrayNumber_ = 0;      // index into LaunchTrace::shared or ::buffers
  std::optional<std::size_t> window_;  // a window of the launch's device memory
  std::uint64_t first_ = 0, elements_ = 0;
};

}  // namespace stridescope::views
