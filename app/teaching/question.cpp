#include "teaching/question.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "teaching/cells.h"
#include "teaching/determined.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

// A number that seed, round and concept decide (splitmix64).
std::uint64_t drawn(std::uint64_t seed, RoundPlace place, Topic topic) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15u * (1 + place.round + (std::uint64_t(place.launch) << 32) +
                                                  (std::uint64_t(topic) << 48));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Every active thread combines elements and has a result.
bool allCombine(const narration::RoundAt& at) {
  if (at.round().kind != analysis::RoundKind::Combine || at.round().outputElement) return false;
  std::vector<bool> combines(at.launch.block, false);
  for (const analysis::ThreadWork& work : at.work().work)
    combines[work.thread] = work.ofElements && work.a && work.b && work.result;
  for (std::size_t thread = 0; thread < combines.size(); ++thread)
    if (combines[thread] != (at.round().lanes[thread] == analysis::LaneState::Active)) return false;
  return true;
}

// Empty where the usual meaning holds.
std::string meaningOfActive(const narration::RoundAt& at) {
  if (!countsAnyAccess(at)) return {};
  return "Nothing in this round accesses shared memory or passes a value on: a thread is active if it "
         "accesses device memory.";
}

Question aboutThreads(const narration::RoundAt& at) {
  const std::string does = allCombine(at) ? narration::combines(at.trace.experiment.op, true) : "";
  return {.topic = Topic::ActiveThreads,
          .at = {},
          .text = fmt::format("Which threads {}?", does.empty() ? "are active" : does),
          .does = does,
          .meaning = does.empty() ? meaningOfActive(at) : ""};
}

Question aboutWarps(const narration::RoundAt& at) {
  return {.topic = Topic::PartialWarps,
          .at = {},
          .text = "Which warps are partial?",
          .note = "some lanes active, not all",
          .meaning = meaningOfActive(at)};
}

// A barrier that not all threads come to is asked about in place of who is active.
std::optional<Question> aboutBarrier(const narration::RoundAt& at) {
  const auto site = missedBarrier(at);
  if (!site) return std::nullopt;
  const model::Site& barrier = at.trace.sites[*site];
  return Question{.topic = Topic::ActiveThreads,
                  .at = {},
                  .text = "Which threads wait at the barrier?",
                  .does = "wait at the barrier",
                  .note = fmt::format("line {}: {}", barrier.line, inOneLine(barrier.text)),
                  .barrier = site};
}

std::optional<Question> aboutWays(const narration::RoundAt& at, std::uint64_t number, unsigned level) {
  const std::vector<narration::NamedRequest> requests = narration::bankRequests(at);
  if (requests.empty()) return std::nullopt;
  const narration::NamedRequest& named = requests[level == 0 ? 0 : number % requests.size()];
  const std::string name = named.name.find(' ') == std::string::npos ? "the " + named.name : named.name;
  return Question{.topic = Topic::ConflictWays,
                  .at = {},
                  .text = fmt::format("How many ways does {} conflict?", name),
                  .note = named.line > 0 ? fmt::format("line {}: {}", named.line, named.text) : "",
                  .request = *named.request,
                  .cell = {}};
}

std::string numberOfType(model::ElementType type) {
  return model::isFloating(type) ? "a number" : "a whole number";
}

// The cell is chosen from what stands there before the round alone.
std::optional<Question> aboutCell(const narration::RoundAt& at, std::uint64_t number, unsigned level) {
  const std::vector<Cell> cells = cellsBefore(at);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[(level == 0 ? i : number + i) % cells.size()];
    if (!isPredictable(at, cell)) continue;
    return Question{.topic = Topic::CellValues,
                    .at = {},
                    .text = fmt::format("What will {} hold?", nameOf(at, cell)),
                    .note = numberOfType(typeOf(at, cell)),
                    .request = {},
                    .cell = cell};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Question> questionsOf(const AskedRun& run, RoundPlace place, std::uint64_t seed,
                                  const Levels& levels) {
  const narration::RoundAt at = run.at(place);
  const Determined determined = determinedIn(run, place);
  std::vector<Question> questions;
  const auto ask = [&](std::optional<Question> question) {
    if (!question) return;
    question->at = place;
    questions.push_back(*std::move(question));
  };
  const auto numberFor = [&](Topic topic) { return drawn(seed, place, topic); };
  const auto levelOf = [&](Topic topic) { return levels[std::size_t(topic)]; };
  if (determined.arrivals) ask(aboutBarrier(at));
  if (determined.lanes) {
    ask(aboutThreads(at));
    // In a round of several passes a warp may be full in one and partial in the next.
    if (at.whole().passes == 1) ask(aboutWarps(at));
    ask(aboutWays(at, numberFor(Topic::ConflictWays), levelOf(Topic::ConflictWays)));
  }
  if (determined.values) ask(aboutCell(at, numberFor(Topic::CellValues), levelOf(Topic::CellValues)));
  return questions;
}

std::vector<std::string> waysToChoose() {
  std::vector<std::string> ways;
  for (const unsigned way : kWays) ways.push_back(std::to_string(way));
  ways.emplace_back(kAnotherNumber);
  return ways;
}

std::string nameOf(const narration::RoundAt& at, const Cell& cell) {
  if (cell.where == Cell::Where::Register)
    return fmt::format("lane {} of warp {}", cell.thread % model::kWarpSize,
                       figure(cell.thread / model::kWarpSize));
  const auto& arrays = cell.where == Cell::Where::Shared ? at.launch.recorded().shared : at.launch.buffers;
  return fmt::format("{}[{}]", arrays[cell.array].name, figure(cell.element));
}

}  // namespace stridescope::teaching
