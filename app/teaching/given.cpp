#include "teaching/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/numbers.h"
#include "teaching/cells.h"

namespace stridescope::teaching {
namespace {

constexpr std::size_t kCellsGiven = 8;

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
  for (const analysis::Operand& operand : operandsOf(at, question.cell))
    give({.where = operand.shared ? Cell::Where::Shared : Cell::Where::Device,
          .array = operand.array,
          .element = operand.element});
  // Its neighbours, so that the operands are not told by being there.
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
