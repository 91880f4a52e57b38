#include <fmt/format.h>

#include <algorithm>

#include "narration/compared.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/threads.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using analysis::Side;

const RoundAt* anyOf(const ComparedRounds& at) { return at.left != nullptr ? at.left : at.right; }

std::string onThe(Side side) { return fmt::format("on the {}", analysis::nameOf(side)); }

// What the threads of the round do: "add" and "adds", "shuffle by 8".
Verb verbOf(const RoundAt& at) {
  const std::string distance = figure(at.round().stride.value_or(0));
  switch (kindOf(at)) {
    case RoundKind::Load:
      return {"load", "loads"};
    case RoundKind::Stride:
    case RoundKind::WarpStride:
      return combiningVerb(model::operatorOf(at.trace));
    case RoundKind::Shuffle:
      return {"shuffle by " + distance, "shuffles by " + distance};
    case RoundKind::WarpReduce:
      return {"reduce in warps", "reduces in its warp"};
    case RoundKind::Read:
      return {"read", "reads"};
    case RoundKind::Write:
      return {"write", "writes"};
    case RoundKind::Other:
      break;
  }
  return {"work", "works"};
}

std::string warps(const analysis::Round& round) { return count(round.activeWarps, "warp"); }

// "16 threads of 1 warp add", "no thread works".
std::string who(const RoundAt& at) {
  const analysis::Round& round = at.round();
  if (round.activeLanes == 0) return "no thread works";
  const Verb verb = verbOf(at);
  return fmt::format("{} of {} {}", count(round.activeLanes, "thread"), warps(round),
                     round.activeLanes == 1 ? verb.singular : verb.plural);
}

std::string whoClause(const ComparedRounds& at, analysis::LockedBy by) {
  if (at.left == nullptr || at.right == nullptr) {
    const Side missing = at.left == nullptr ? Side::Left : Side::Right;
    const std::string_view why =
        by == analysis::LockedBy::Round ? "has finished" : "has no round like this one";
    return fmt::format("the run {} {}; {}, {}", onThe(missing), why, onThe(analysis::otherOf(missing)),
                       who(*anyOf(at)));
  }
  const analysis::Round &left = at.left->round(), &right = at.right->round();
  const Verb verb = verbOf(*at.left);
  const bool sameVerb = verb.plural == verbOf(*at.right).plural;
  if (left.activeLanes == 0 || right.activeLanes == 0 || !sameVerb || left.activeLanes != right.activeLanes)
    return fmt::format("{} on the left, {} on the right", who(*at.left), who(*at.right));
  const std::string threads = count(left.activeLanes, "thread");
  if (left.activeWarps == right.activeWarps)
    return fmt::format("both {} with {} of {}", verb.plural, threads, warps(left));
  return fmt::format("both {} with {}, of {} on the left and {} on the right", verb.plural, threads,
                     warps(left), figure(right.activeWarps));
}

// ---- What differs.

struct BankCost {
  unsigned requests = 0, wavefronts = 0, ideal = 0;
  std::optional<unsigned> each;  // what every request costs, if they all cost the same
};

BankCost bankCostOf(const RoundAt& at) {
  BankCost cost;
  bool same = true;
  for (const NamedRequest& named : bankRequests(at)) {
    cost.requests += named.request->requests;
    cost.wavefronts += named.request->wavefronts;
    cost.ideal += named.request->ideal;
    for (const std::uint32_t operation : named.request->operations) {
      const unsigned wavefronts = at.round().operations[operation].banks.wavefronts;
      same = same && (!cost.each || *cost.each == wavefronts);
      cost.each = wavefronts;
    }
  }
  if (!same) cost.each.reset();
  return cost;
}

// ", so the right one waits less", where both do the same work.
std::string whoWaits(const ComparedRounds& at, unsigned left, unsigned right) {
  if (at.left->round().activeLanes != at.right->round().activeLanes) return {};
  return fmt::format(", so the {} one waits less", analysis::nameOf(left < right ? Side::Left : Side::Right));
}

std::string wavefrontsClause(const ComparedRounds& at) {
  const BankCost left = bankCostOf(*at.left), right = bankCostOf(*at.right);
  if (left.wavefronts == right.wavefronts) {
    if (!left.each || !right.each || left.each == right.each) return {};
    return fmt::format("{} take {} each on the left, {} take {} each on the right: {} on both sides",
                       count(left.requests, "request"), count(*left.each, "wavefront"),
                       count(right.requests, "request"), figure(*right.each), figure(left.wavefronts));
  }
  if (left.requests == 0 || right.requests == 0) {
    const Side uses = left.requests > 0 ? Side::Left : Side::Right;
    return fmt::format("shared memory takes {} {}, and is not used {}",
                       count(std::max(left.wavefronts, right.wavefronts), "wavefront"), onThe(uses),
                       onThe(analysis::otherOf(uses)));
  }
  const std::string wait = whoWaits(at, left.wavefronts, right.wavefronts);
  if (left.each && right.each && *left.each != *right.each)
    return fmt::format("each request takes {} on the left and {} on the right{}",
                       count(*left.each, "wavefront"), figure(*right.each), wait);
  if (left.each && left.each == right.each)
    return fmt::format("shared memory is asked by {} on the left and {} on the right, {} each{}",
                       count(left.requests, "request"), figure(right.requests),
                       count(*left.each, "wavefront"), wait);
  return fmt::format("shared memory takes {} on the left and {} on the right{}",
                     count(left.wavefronts, "wavefront"), figure(right.wavefronts), wait);
}

struct SectorCost {
  unsigned sectors = 0, ideal = 0;
};

SectorCost sectorCostOf(const RoundAt& at) {
  SectorCost cost;
  for (const analysis::Request& request : at.round().requests) {
    cost.sectors += request.sectors;
    cost.ideal += request.idealSectors;
  }
  return cost;
}

std::string sectorsClause(const ComparedRounds& at) {
  const SectorCost left = sectorCostOf(*at.left), right = sectorCostOf(*at.right);
  if (left.sectors == right.sectors) return {};
  std::string text = fmt::format("{} of device memory on the left and {} on the right",
                                 count(left.sectors, "sector"), figure(right.sectors));
  if (left.ideal == right.ideal) text += fmt::format(", {} needed", figure(left.ideal));
  return text;
}

std::string branchesClause(const ComparedRounds& at) {
  const auto left = at.left->round().divergentBranches, right = at.right->round().divergentBranches;
  if (left == right || !left || !right) return {};
  return fmt::format("the source has {} on the left and {} on the right",
                     *left == 1 ? "1 divergent branch" : figure(*left) + " divergent branches",
                     figure(*right));
}

std::string_view endOf(const RoundAt& at) {
  switch (at.whole().endsWith) {
    case analysis::RoundEnd::BlockBarrier:
      return "a block barrier";
    case analysis::RoundEnd::WarpBarrier:
      return "a warp barrier";
    case analysis::RoundEnd::Shuffle:
      return "a shuffle";
    case analysis::RoundEnd::Wait:
      return "a wait for another GPU";
    case analysis::RoundEnd::End:
      break;
  }
  return {};
}

std::string endsClause(const ComparedRounds& at) {
  const bool bothEnd = at.left->endsTheRound() && at.right->endsTheRound();
  if (!bothEnd || endOf(*at.left) == endOf(*at.right) || endOf(*at.left).empty() || endOf(*at.right).empty())
    return {};
  return fmt::format("{} ends the round on the left, {} on the right", endOf(*at.left), endOf(*at.right));
}

std::string differenceSentence(const ComparedRounds& at) {
  std::vector<std::string> clauses;
  for (const auto clauseOf : {wavefrontsClause, sectorsClause, branchesClause, endsClause})
    if (std::string clause = clauseOf(at); !clause.empty() && clauses.size() < 2)
      clauses.push_back(std::move(clause));
  if (clauses.empty() && who(*at.left) == who(*at.right))
    clauses.push_back("what the model counts is the same on both sides");
  return sentenceOf(clauses);
}

// The results' sentence at the end of both.
std::string resultsSentence(const ComparedRounds& at) {
  constexpr std::size_t kLongest = 24;  // a merge has many values
  const model::Trace &left = at.left->trace, &right = at.right->trace;
  std::string wrong;
  for (const RoundAt* const side : {at.left, at.right})
    if (model::isWrong(side->trace))
      wrong += (wrong.empty() ? "" : " ") +
               fmt::format("{}: {}", side == at.left ? "Left" : "Right", resultSentence(side->trace));
  if (!wrong.empty()) return wrong;
  if (left.result == right.result)
    return left.result.size() > kLongest ? "Both results are the same."
                                         : fmt::format("Both results are {}.", grouped(left.result));
  if (left.result.size() > kLongest || right.result.size() > kLongest) return "The results differ.";
  return fmt::format("The results are {} and {}.", grouped(left.result), grouped(right.result));
}

}  // namespace

std::string titleOf(const ComparedRounds& at, analysis::LockedBy by) {
  const RoundAt& shown = *anyOf(at);
  std::string title = titleOf(shown);
  const bool both = at.left != nullptr && at.right != nullptr;
  const bool sameTitle = both && title == titleOf(*at.right);
  if (by == analysis::LockedBy::Round && !sameTitle) {
    title = "Round " + figure(shown.index);
    const analysis::PassView* const pass = shown.pass != nullptr || !both ? shown.pass : at.right->pass;
    if (pass != nullptr) title += ", pass " + figure(pass->pass + 1);
  }
  const auto isFirst = [&] { return &shown.launch == &shown.trace.launches.front(); };
  if (isFirst()) return title;
  const auto launch = std::uint64_t(&shown.launch - shown.trace.launches.data());
  return fmt::format("Launch {}, {}{}", launch, char(title[0] - 'A' + 'a'), title.substr(1));
}

std::string tickOf(const ComparedRounds& at) {
  const std::string left = at.left == nullptr ? "–" : tickOf(*at.left);
  const std::string right = at.right == nullptr ? "–" : tickOf(*at.right);
  return left == right ? left : left + " | " + right;
}

Caption comparedCaption(const ComparedRounds& at, analysis::LockedBy by) {
  Caption caption;
  caption.sentences.push_back(fmt::format("{}: {}.", titleOf(at, by), whoClause(at, by)));
  if (at.left == nullptr || at.right == nullptr) return caption;
  if (std::string difference = differenceSentence(at); !difference.empty())
    caption.sentences.push_back(std::move(difference));
  if (endsTheRun(*at.left) && endsTheRun(*at.right)) caption.sentences.push_back(resultsSentence(at));
  return caption;
}

std::string comparedCycles(MeasuredFrom from, const analysis::Cycles* left, const analysis::Cycles* right) {
  if (left == nullptr || right == nullptr) return {};
  return fmt::format("{}: {} on the left and {} on the right.",
                     from == MeasuredFrom::Recording ? "Recorded" : "Counted", count(left->median, "cycle"),
                     figure(right->median));
}

}  // namespace stridescope::narration
