#include "narration/register_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/operator_table.h"
#include "narration/round_facts.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// Which way the shuffle of this round goes, as its text says.
std::string_view directionOf(const RoundAt& at) {
  const std::string text = siteText(at, model::EventKind::Shuffle);
  if (text.find("_down_") != std::string::npos) return "above";
  if (text.find("_up_") != std::string::npos) return "below";
  return "away from";
}

// Every lane asks one that gives nothing: what the wrong masks do.
bool asksLanesThatAreNotThere(const RoundAt& at) {
  const auto& exchanges = at.round().exchanges;
  bool asks = false;
  for (std::size_t thread = 0; thread < exchanges.size(); ++thread) {
    if (!exchanges[thread] || exchanges[thread]->kind != model::EventKind::Shuffle) continue;
    const std::size_t source = thread - thread % model::kWarpSize + exchanges[thread]->sourceLane;
    if (source < exchanges.size() && exchanges[source]) return false;
    asks = true;
  }
  return asks;
}

// The one number that the function gives for all working warps, if it is one.
template <class Number>
std::optional<unsigned> commonNumber(const std::vector<WarpFill>& working, Number numberOf) {
  std::optional<unsigned> common;
  for (const WarpFill& fill : working) {
    const unsigned number = numberOf(fill);
    if (common && *common != number) return std::nullopt;
    common = number;
  }
  return common;
}

}  // namespace

std::string shuffleSentence(const RoundAt& at) {
  if (asksLanesThatAreNotThere(at))
    return fmt::format("{}: each lane of {} asks for the register of the lane {} {} it, which is not there.",
                       titleOf(at), warpsInWords(workingWarps(at)), figure(at.round().stride.value_or(0)),
                       directionOf(at));
  return fmt::format("{}: each lane of {} {} the register of the lane {} {} it.", titleOf(at),
                     warpsInWords(workingWarps(at)), model::factsOf(at.trace.experiment.op).withRegister,
                     figure(at.round().stride.value_or(0)), directionOf(at));
}

std::string usefulSentence(const RoundAt& at) {
  const auto& useful = at.work().registerUseful;
  const std::vector<WarpFill> working = workingWarps(at);
  if (useful.empty() || working.empty()) return {};
  const auto usefulIn = [&](const WarpFill& fill) {
    const auto begin = useful.begin() + fill.warp * model::kWarpSize;
    return unsigned(std::count(begin, begin + fill.lanes, true));
  };
  const auto active = commonNumber(working, [](const WarpFill& fill) { return fill.active; });
  const auto needed = commonNumber(working, usefulIn);
  if (!active || !needed || *needed == *active) return {};
  const std::string whose = working.size() == 1 ? "its" : "the";
  const std::string each = working.size() == 1 ? "" : " of each warp";
  return fmt::format("The {} of {} of {} {} lanes{} {} still needed; the results of the others are unused.",
                     *needed == 1 ? "value" : "values", figure(*needed), whose, *active, each,
                     *needed == 1 ? "is" : "are");
}

std::string warpReduceSentence(const RoundAt& at) {
  const std::vector<WarpFill> working = workingWarps(at);
  const bool group = siteText(at, model::EventKind::WarpReduce).find("cg::") != std::string::npos;
  const auto lanes = commonNumber(working, [](const WarpFill& fill) { return fill.active; });
  return fmt::format("{} {} {} of {}{}{}.", group ? "cg::reduce" : "One instruction",
                     combines(at.trace.experiment.op, false),
                     lanes ? fmt::format("the {} registers", *lanes) : std::string("the registers"),
                     working.size() == 1 ? "" : "each of ", warpsInWords(working),
                     group ? ", and what it does inside is not seen" : "");
}

}  // namespace stridescope::narration
