#include "teaching/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "base/numbers.h"
#include "teaching/cells.h"

namespace stridescope::teaching {
namespace {

constexpr std::size_t kCellsGiven = 8, kMaxDistances = 3;

Cell cellOf(const analysis::Operand& operand) {
  return {.where = operand.shared ? Cell::Where::Shared : Cell::Where::Device,
          .array = operand.array,
          .element = operand.element};
}

std::uint64_t elementsOf(const narration::RoundAt& at, const Cell& cell) {
  const model::Array& array =
      (cell.where == Cell::Where::Shared ? at.launch.recorded().shared : at.launch.buffers)[cell.array];
  return array.bytes / array.elementBytes;
}

// How far the operands of the round lie from what is made of them, in the array of the cell; the most common
// distances, without 0.
std::vector<std::uint64_t> distancesIn(const narration::RoundAt& at, const Cell& cell) {
  std::map<std::uint64_t, unsigned> counts;
  for (const analysis::ThreadWork& work : at.work().work) {
    if (!work.ofElements || !work.result) continue;
    const Cell made = cellOf(*work.result);
    if (made.where != cell.where || made.array != cell.array) continue;
    for (const analysis::Operand& operand : operandsOf(at, made)) {
      const Cell other = cellOf(operand);
      if (other.where == cell.where && other.array == cell.array && other.element != made.element)
        ++counts[std::max(other.element, made.element) - std::min(other.element, made.element)];
    }
  }
  std::vector<std::uint64_t> distances;
  for (const auto& [distance, count] : counts) distances.push_back(distance);
  std::ranges::stable_sort(distances, std::greater(), [&](std::uint64_t each) { return counts[each]; });
  if (distances.size() > kMaxDistances) distances.resize(kMaxDistances);
  return distances;
}

}  // namespace

std::vector<Cell> cellsGiven(const narration::RoundAt& at, const Question& question) {
  if (question.topic != Topic::CellValues) return {};
  const std::vector<Cell> all = cellsBefore(at);
  std::vector<Cell> given;
  const auto give = [&](const Cell& cell) {
    if (heldBefore(at, cell) && std::ranges::find(given, cell) == given.end()) given.push_back(cell);
  };
  if (question.cell.where == Cell::Where::Register) {
    for (const Cell& cell : all)
      if (cell.thread / model::kWarpSize == question.cell.thread / model::kWarpSize) give(cell);
    return given;
  }
  give(question.cell);
  for (const analysis::Operand& operand : operandsOf(at, question.cell)) give(cellOf(operand));
  // Operands lie apart from their result, and would tell by being there that a thread makes one here. So
  // what lies as far away stands beside every cell, whether a thread writes it or not.
  for (const std::uint64_t distance : distancesIn(at, question.cell)) {
    Cell before = question.cell, behind = question.cell;
    before.element -= distance, behind.element += distance;
    if (distance <= question.cell.element) give(before);
    if (behind.element < elementsOf(at, behind)) give(behind);
  }
  // Then its neighbours.
  const auto own = std::ranges::find(all, question.cell);
  for (std::size_t i = own == all.end() ? 0 : std::size_t(own - all.begin());
       given.size() < kCellsGiven && i < all.size(); ++i)
    give(all[i]);
  for (std::size_t i = 0; given.size() < kCellsGiven && i < all.size(); ++i) give(all[i]);
  std::ranges::sort(given, {}, [](const Cell& cell) { return std::tuple(cell.array, cell.element); });
  return given;
}

std::vector<std::string> givenFor(const narration::RoundAt& at, const std::vector<Cell>& cells) {
  std::vector<std::string> given;
  for (const Cell& cell : cells)
    given.push_back(fmt::format("{} = {}",
                                cell.where == Cell::Where::Register
                                    ? fmt::format("lane {}", cell.thread % model::kWarpSize)
                                    : nameOf(at, cell),
                                grouped(printed(at, cell, *heldBefore(at, cell)))));
  return given;
}

std::string givenInWords(const Question& question, const std::vector<std::string>& given) {
  if (given.empty()) return {};
  const bool registers = question.cell.where == Cell::Where::Register;
  return fmt::format(
      "{}{}.", registers ? "Before it, the lanes of the warp hold: " : "Before it: ", fmt::join(given, ", "));
}

}  // namespace stridescope::teaching
