#include "teaching/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "base/numbers.h"
#include "model/array_names.h"
#include "narration/requests.h"
#include "narration/threads.h"
#include "narration/wording.h"

namespace stridescope::teaching {
std::optional<unsigned> firstWith(const std::vector<Mark>& marks, Mark mark) {
  const auto found = std::ranges::find(marks, mark);
  return found == marks.end() ? std::nullopt : std::optional(unsigned(found - marks.begin()));
}

namespace {

// Nothing in the round or behind it tells of the thread.
bool hasReturned(const narration::RoundAt& at, unsigned thread) {
  return std::ranges::none_of(at.round().operations, [&](const analysis::WarpOperation& operation) {
    return operation.warp == thread / model::kWarpSize &&
           analysis::contains(operation.mask, thread % model::kWarpSize);
  });
}

// "Line 13 asks tid < s: for thread 128 that is 128 < 128, which is false." Empty: no condition is known.
std::string conditionOf(const narration::RoundAt& at, unsigned thread) {
  if (const auto condition = RoundConditions(at).of(thread)) return sentenceOf(thread, *condition);
  return skippedAt(at, thread);
}

std::string whyItWaits(const narration::RoundAt& at, unsigned thread) {
  const std::string condition = conditionOf(at, thread);
  return (condition.empty() ? std::string() : condition + " ") +
         fmt::format("Thread {} waits there.", figure(thread));
}

std::string whyItDoesNotWait(const narration::RoundAt& at, unsigned thread) {
  if (hasReturned(at, thread))
    return fmt::format("Thread {} does not wait there: it has returned.", figure(thread));
  const std::string condition = conditionOf(at, thread);
  return (condition.empty() ? std::string() : condition + " ") +
         fmt::format("Thread {} goes past the barrier.", figure(thread));
}

// "128 of 256 threads wait there, and CUDA's rule is ..."
std::string rule(const narration::RoundAt& at, const std::vector<bool>& waiting) {
  return fmt::format(
      "{} of {} {} there, but all threads of a block must come to the same __syncthreads(): it belongs "
      "behind the branch.",
      figure(std::uint64_t(std::ranges::count(waiting, true))), narration::count(at.launch.block, "thread"),
      std::ranges::count(waiting, true) == 1 ? "waits" : "wait");
}

}  // namespace

std::vector<bool> waitingThreads(const narration::RoundAt& at, std::uint32_t barrier) {
  std::vector<bool> waiting(at.launch.block, false);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::BlockBarrier || operation.site != barrier) continue;
    analysis::forEachLane(operation.mask,
                          [&](unsigned lane) { waiting[operation.warp * model::kWarpSize + lane] = true; });
  }
  return waiting;
}

std::optional<std::uint32_t> missedBarrier(const narration::RoundAt& at) {
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::BlockBarrier) continue;
    const bool reported = std::ranges::any_of(at.analysis.problems, [&](const model::Problem& problem) {
      return problem.kind == model::ProblemKind::DivergentBarrier && problem.site >= 0 &&
             std::uint32_t(problem.site) == operation.site;
    });
    if (reported && std::ranges::count(waitingThreads(at, operation.site), false) > 0) return operation.site;
  }
  return std::nullopt;
}

std::string whyBarrier(const narration::RoundAt& at, std::uint32_t barrier, const Guess& guess,
                       const std::vector<Mark>& marks) {
  const std::vector<bool> waiting = waitingThreads(at, barrier);
  const auto wrong = firstWith(marks, Mark::Wrong), missed = firstWith(marks, Mark::Missed);
  if (guess.answered && (wrong || missed))
    return (wrong ? whyItDoesNotWait(at, *wrong) : whyItWaits(at, *missed)) + " " + rule(at, waiting);
  // The first thread that does not wait tells most: it met the condition in this round, if any did.
  const auto out = std::size_t(std::ranges::find(waiting, false) - waiting.begin());
  return whyItDoesNotWait(at, unsigned(out)) + " " + rule(at, waiting);
}

std::vector<std::string> hintsOnBarrier(const narration::RoundAt& at, std::uint32_t barrier) {
  const RoundConditions conditions(at);
  const std::vector<bool> waiting = waitingThreads(at, barrier);
  const auto last = unsigned(waiting.rend() - std::find(waiting.rbegin(), waiting.rend(), true)) - 1;
  const auto line = conditions.line();
  return {fmt::format("The barrier of line {} stands in a branch{}.", at.trace.sites[barrier].line,
                      line ? fmt::format(", and line {} decides which threads take it", *line) : ""),
          (at.round().stride ? fmt::format("The stride is {}. ", figure(*at.round().stride)) : "") +
              "A thread that goes past the barrier does not come back to it.",
          whyItWaits(at, last)};
}

namespace {

// "8 of its 32 lanes are active"
std::string fill(const WarpLanes& warp) {
  return fmt::format("{} of its {} {} active", warp.active == 0 ? "none" : figure(warp.active),
                     narration::count(warp.lanes, "lane"), warp.active == 1 ? "is" : "are");
}

std::string aboutWarp(const narration::RoundAt& at, unsigned number) {
  const WarpLanes warp = lanesOf(at, number);
  const std::string_view meaning = warp.active == 0            ? "an idle warp is not a partial one"
                                   : warp.active == warp.lanes ? "a full warp is not a partial one"
                                                               : "that makes it partial";
  return fmt::format("Warp {}: {}, and {}.", figure(number), fill(warp), meaning);
}

}  // namespace

std::string whyWarps(const narration::RoundAt& at, const std::vector<Mark>& marks) {
  for (const Mark mark : {Mark::Wrong, Mark::Missed})
    if (const auto found = std::ranges::find(marks, mark); found != marks.end())
      return aboutWarp(at, unsigned(found - marks.begin()));
  // All are right: the partial ones, or why there is none.
  const narration::ActiveThreads threads = narration::activeThreads(at);
  if (const auto right = std::ranges::find(marks, Mark::Right); right != marks.end())
    return aboutWarp(at, unsigned(right - marks.begin()));
  if (threads.working.empty()) return "No lane of any warp is active.";
  return fmt::format(
      "{} {} full{}.", threads.working.size() == 1 ? "1 warp" : figure(threads.working.size()) + " warps",
      threads.working.size() == 1 ? "is" : "are",
      threads.working.size() == threads.warps ? "" : ", and " + narration::otherWarps(threads));
}

std::vector<std::string> hintsOnWarps(const narration::RoundAt& at) {
  const narration::ActiveThreads threads = narration::activeThreads(at);
  const unsigned warp = threads.working.empty() ? 0 : threads.working.back().warp;
  std::vector<std::string> hints = hintsOnThreads(at);
  return {hints[0] +
              " Count the active lanes of each warp: a warp is partial if some are active and some are not.",
          threads.active == 0
              ? std::string("No thread is active.")
              : fmt::format("{} of {} are active, and a warp has {} lanes.", figure(threads.active),
                            narration::count(threads.block, "thread"), model::kWarpSize),
          fmt::format("Warp {}: {}.", figure(warp), fill(lanesOf(at, warp)))};
}

namespace {

// The question's request, and its operation with the most wavefronts, which decides the answer.
struct AskedRequest {
  const narration::RoundAt& at;
  const analysis::WarpOperation& operation;
  narration::BankPattern pattern;
  unsigned way = 0;

  AskedRequest(const narration::RoundAt& round, const Question& question)
      : at(round),
        operation(
            round.round().operations[analysis::worstOperation(round.round(), requestOf(round, question))]),
        pattern(narration::bankPattern(operation, round.launch)),
        way(requestOf(round, question).way) {}

  std::string warp() const { return "warp " + figure(operation.warp); }
  std::string lanes() const { return narration::count(pattern.lanes, "lane"); }
  // "warp 0", "half of warp 0"
  std::string group() const {
    return (pattern.groupLanes == 16 ? "half of " : pattern.groupLanes == 8 ? "a quarter of " : "") + warp();
  }
};

std::string banksInWords(const std::vector<unsigned>& banks) {
  if (banks.size() == 1) return fmt::format("bank {}", banks[0]);
  if (banks.size() == 2) return fmt::format("banks {} and {}", banks[0], banks[1]);
  return fmt::format("{} banks", banks.size());
}

// "In warp 0, 8 lanes ask for words 32 apart, and all of them lie in bank 0: 8 words in one bank."
std::string facts(const AskedRequest& asked) {
  const narration::BankPattern& pattern = asked.pattern;
  const std::string apart = pattern.apart && *pattern.apart > 0 && pattern.lanes > 1
                                ? fmt::format("words {} apart", figure(*pattern.apart))
                            : pattern.lanes == 1 ? std::string("a word")
                                                 : std::string("words");
  return fmt::format("In {}, {} {} for {}, which lie in {}: at most {} in one bank.", asked.group(),
                     asked.lanes(), pattern.lanes == 1 ? "asks" : "ask", apart, banksInWords(pattern.banks),
                     narration::count(asked.way, "word"));
}

// How many words would meet in one bank if all lanes of the group asked at that distance.
unsigned waysOfAFullGroup(const narration::BankPattern& pattern) {
  if (!pattern.apart || *pattern.apart == 0) return 0;
  const unsigned banks = analysis::kBankCount / unsigned(std::gcd<std::uint64_t, std::uint64_t>(
                                                    *pattern.apart, analysis::kBankCount));
  return (pattern.groupLanes + banks - 1) / banks;
}

std::string elementAt(const AskedRequest& asked, unsigned lane) {
  const model::Event& event = asked.at.launch.recorded().events[asked.operation.event[lane]];
  const model::Array& array = asked.at.launch.recorded().shared[event.sharedArray()];
  return model::placeName(array, event.offset(), event.width());
}

// Two lanes that have to wait for each other.
std::string collision(const AskedRequest& asked) {
  const analysis::BankMap map = analysis::mapBanks(analysis::addressesOf(asked.operation, asked.at.launch),
                                                   asked.operation.kind == model::EventKind::Store);
  std::vector<unsigned> lanes;
  analysis::forEachLane(asked.operation.mask, [&](unsigned lane) { lanes.push_back(lane); });
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t j = i + 1; j < lanes.size(); ++j) {
      const analysis::LaneWord &a = map.lanes[lanes[i]][0], &b = map.lanes[lanes[j]][0];
      if (lanes[i] / map.lanesPerGroup != lanes[j] / map.lanesPerGroup || a.bank != b.bank ||
          a.word == b.word)
        continue;
      return fmt::format("Lanes {} and {} of {} ask for {} and {}, two different words of bank {}. ",
                         lanes[i], lanes[j], asked.warp(), elementAt(asked, lanes[i]),
                         elementAt(asked, lanes[j]), a.bank);
    }
  return {};
}

std::string noConflict(const AskedRequest& asked) {
  const narration::BankPattern& pattern = asked.pattern;
  if (std::popcount(asked.operation.mask) == 1) return "A single lane cannot conflict with another.";
  if (pattern.apart == 0u)
    return "All active lanes ask for the same word, and one wavefront serves them all.";
  if (pattern.banks.size() < pattern.lanes)
    return fmt::format("Lanes of {} that hit the same bank ask for the same word.", asked.warp());
  if (pattern.apart && *pattern.apart > 1)
    return fmt::format("In {}, {} ask for words {} apart, each in a bank of its own.", asked.group(),
                       asked.lanes(), figure(*pattern.apart));
  if (pattern.apart == 1u)
    return fmt::format("In {}, {} ask for neighbouring words, each in a bank of its own.", asked.group(),
                       asked.lanes());
  return fmt::format("In {}, {} ask for words that lie in {} banks, each in one of its own.", asked.group(),
                     asked.lanes(), pattern.banks.size());
}

// "2s = 32 ways hold while a warp is full: now only 8 lanes of warp 0 ask, so 8 words meet in one bank."
std::string ofAFullWarp(const AskedRequest& asked, unsigned guessed) {
  const auto stride = asked.at.round().stride;
  const std::string rule = stride && 2 * *stride == guessed ? fmt::format("2s = {}", guessed)
                           : stride && *stride == guessed   ? fmt::format("s = {}", guessed)
                                                            : std::to_string(guessed);
  return fmt::format("{} ways hold while {} is full: here only {} of {} {}, so {} meet in one bank.", rule,
                     asked.pattern.groupLanes == model::kWarpSize ? "a warp" : "half a warp", asked.lanes(),
                     asked.warp(), asked.pattern.lanes == 1 ? "asks" : "ask",
                     narration::count(asked.way, "word"));
}

}  // namespace

std::string whyWays(const narration::RoundAt& at, const Question& question, const Guess& guess) {
  const AskedRequest asked(at, question);
  const narration::BankPattern& pattern = asked.pattern;
  const unsigned guessed = guess.answered ? guess.way : asked.way;
  const auto stride = at.round().stride;
  if (guessed == asked.way) return asked.way == 1 ? noConflict(asked) : facts(asked);
  if (guessed == kOtherWay) return facts(asked);
  const bool isFewer = pattern.lanes < pattern.groupLanes;
  const bool isTheRule = guessed == waysOfAFullGroup(pattern) || (stride && guessed == 2 * *stride);
  if (isFewer && isTheRule && guessed > asked.way && asked.way == pattern.lanes)
    return ofAFullWarp(asked, guessed);
  if (asked.way == 1) return noConflict(asked);
  if (guessed == 1) return collision(asked) + facts(asked);
  if (guessed == pattern.lanes)
    return fmt::format("{} of {} {}, but spread over {}: {} in each.", asked.lanes(), asked.warp(),
                       pattern.lanes == 1 ? "asks" : "ask", banksInWords(pattern.banks),
                       narration::count(asked.way, "word"));
  if (guessed == pattern.banks.size())
    return fmt::format(
        "{} banks are hit, and in one of them {} are asked for: each word needs a wavefront "
        "of its own.",
        guessed, narration::count(asked.way, "word"));
  if (stride && guessed == *stride && pattern.apart == 2 * *stride)
    return fmt::format("The operands are s = {} apart, but the lanes are 2s = {} words apart. {}", guessed,
                       2 * guessed, facts(asked));
  return facts(asked);
}

std::vector<std::string> hintsOnWays(const narration::RoundAt& at, const Question& question) {
  const AskedRequest asked(at, question);
  const narration::BankPattern& pattern = asked.pattern;
  const analysis::Request& request = requestOf(at, question);
  const analysis::BankMap map = analysis::mapBanks(analysis::addressesOf(asked.operation, at.launch),
                                                   asked.operation.kind == model::EventKind::Store);
  const std::string rule =
      "Word i lies in bank i mod 32, and each further word of a bank takes one more wavefront.";
  std::string second = at.round().stride ? fmt::format("The stride is {}. ", figure(*at.round().stride)) : "";
  if (pattern.apart && pattern.lanes > 1)
    second += fmt::format("The {} of {} ask for words {} apart. ", asked.lanes(), asked.group(),
                          figure(*pattern.apart));
  else
    second +=
        fmt::format("In {}, {} {}. ", asked.group(), asked.lanes(), pattern.lanes == 1 ? "asks" : "ask");
  std::string third;
  unsigned told = 0;
  analysis::forEachLane(asked.operation.mask, [&](unsigned lane) {
    if (told++ < 2)
      third += fmt::format("{}lane {} of {} asks for {}, in bank {}", third.empty() ? "" : "; ", lane,
                           asked.warp(), elementAt(asked, lane), map.lanes[lane][0].bank);
  });
  third[0] = char(third[0] - 'a' + 'A');
  return {fmt::format("Look at line {}. {}", at.trace.sites[request.site].line, rule), second + rule,
          third + "."};
}

}  // namespace stridescope::teaching
