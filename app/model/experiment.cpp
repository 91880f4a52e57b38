#include "model/experiment.h"

#include <array>
#include <utility>

#include "model/arithmetic.h"
#include "model/operator_table.h"

namespace stridescope::model {
namespace {

constexpr std::array<std::string_view, std::size_t(DataPattern::Given) + 1> kPatternNames{
    "ramp", "ones", "alternating", "random", "digits", "given"};
constexpr std::array<std::string_view, kSchedules.size()> kScheduleNames{"lane by lane", "warp by warp",
                                                                         "lockstep", "random"};
constexpr std::array<std::string_view, kBlockOrders.size()> kBlockOrderNames{"in order", "reversed", "random",
                                                                             "interleaved"};

template <class Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return Enum(i);
  return std::nullopt;
}

}  // namespace

std::string_view nameOf(ElementType type) { return factsOf(type).name; }
std::string_view nameOf(Operator op) { return factsOf(op).symbol; }
std::string_view wordOf(Operator op) { return factsOf(op).word; }
std::string_view nameOf(DataPattern data) { return kPatternNames[std::size_t(data)]; }
std::string_view nameOf(Schedule schedule) { return kScheduleNames[std::size_t(schedule)]; }
std::string_view nameOf(BlockOrder order) { return kBlockOrderNames[std::size_t(order)]; }

std::optional<ElementType> parseElementType(std::string_view name) {
  const std::string_view known = resolved(Named::Type, name);
  for (const ElementType type : kElementTypes)
    if (nameOf(type) == known) return type;
  return std::nullopt;
}
std::optional<DataPattern> parseDataPattern(std::string_view name) {
  const auto data = parse<DataPattern>(kPatternNames, name);
  return data == DataPattern::Given ? std::nullopt : data;
}
std::optional<Schedule> parseSchedule(std::string_view name) {
  if (name == "lanes") return Schedule::LaneByLane;
  if (name == "warps") return Schedule::WarpByWarp;
  return parse<Schedule>(kScheduleNames, name);
}
std::optional<BlockOrder> parseBlockOrder(std::string_view name) {
  return parse<BlockOrder>(kBlockOrderNames, name == "in-order" ? "in order" : name);
}
std::optional<Operator> parseOperator(std::string_view typed) {
  const std::string_view name = resolved(Named::Operator, typed);
  for (std::size_t i = 0; i < std::size_t(Operator::Custom); ++i)
    if (kOperatorTable[i].symbol == name || kOperatorTable[i].word == name) return Operator(i);
  return std::nullopt;
}

unsigned bytesOf(ElementType type) { return factsOf(type).bytes; }
std::string_view cppNameOf(ElementType type) { return factsOf(type).cppName; }
bool isFloating(ElementType type) { return factsOf(type).isFloating; }
bool isSeeded(DataPattern data) { return data == DataPattern::Random || data == DataPattern::Digits; }
bool isOffered(ElementType type, Operator op) { return !(factsOf(op).isBitwise && isFloating(type)); }

}  // namespace stridescope::model
