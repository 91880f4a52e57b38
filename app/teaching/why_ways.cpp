#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "analysis/bank_conflicts.h"
#include "analysis/event_groups.h"
#include "analysis/request_list.h"
#include "base/numbers.h"
#include "narration/access_pattern.h"
#include "narration/wording.h"
#include "teaching/why.h"

namespace stridescope::teaching {
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
  return fmt::format("{}[{}]", array.name, figure(event.offset() / std::max(1u, array.elementBytes)));
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
