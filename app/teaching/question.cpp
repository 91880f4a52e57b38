#include "teaching/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "model/array_names.h"
#include "narration/outcome.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/wording.h"
#include "teaching/cells.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

// What a round determines: what is the same in every run of the experiment, on whatever machine and in
// whatever order its threads run. Nothing else may be asked.

struct Determined {
  bool lanes = true;     // which threads do what, and at which addresses
  bool values = true;    // what they leave
  bool arrivals = true;  // which threads come to the barrier that ends it
};

bool isOfElements(const model::LaunchTrace& launch, bool shared, std::uint32_t array) {
  return (shared ? launch.recorded().shared : launch.buffers)[array].type.has_value();
}

void afterRaces(const narration::RoundAt& at, Determined& determined) {
  const bool merges = model::indexOfRole(at.launch.buffers, model::ParameterRole::Merged).has_value();
  for (const analysis::Race& race : at.analysis.races) {
    if (std::min(race.first.round, race.second.round) > at.index) continue;
    determined.values = false;
    if (merges || !isOfElements(at.launch, race.shared, race.array))
      determined.lanes = determined.arrivals = false;
  }
}

void afterProblems(const narration::RoundAt& at, Determined& determined) {
  for (const model::Problem& problem : at.analysis.problems) {
    if (narration::roundOf(at, problem) > at.index) continue;
    determined.values = false;
    if (problem.kind == model::ProblemKind::UndefinedShuffle) continue;
    determined.lanes = false;
    // Who comes to a barrier in a branch follows from the text, whatever becomes of those who wait there.
    if (problem.kind != model::ProblemKind::DivergentBarrier) determined.arrivals = false;
  }
}

void afterAtomics(const narration::RoundAt& at, Determined& determined) {
  for (std::size_t index = 0; index <= at.index; ++index)
    for (const analysis::Request& request : at.analysis.rounds[index].requests) {
      if (request.kind != model::EventKind::Atomic) continue;
      const analysis::WarpOperation& operation =
          at.analysis.rounds[index].operations[request.operations.front()];
      const model::Event& event = analysis::firstEventOf(operation, at.launch);
      const std::uint32_t array = event.inShared() ? event.sharedArray() : event.buffer();
      if (!isOfElements(at.launch, event.inShared(), array)) determined = {false, false, false};
    }
}

// CUDA does not say who meets whom behind two barriers that threads waited at together.
void afterBarriers(const narration::RoundAt& at, Determined& determined) {
  for (std::size_t index = 0; index < at.index; ++index) {
    std::optional<std::uint32_t> site;
    for (const analysis::WarpOperation& operation : at.analysis.rounds[index].operations) {
      if (operation.kind != model::EventKind::BlockBarrier) continue;
      if (operation.site != site.value_or(operation.site)) determined.arrivals = false;
      site = operation.site;
    }
  }
}

void leave(const narration::RoundAt& at, Determined& determined) {
  afterRaces(at, determined);
  afterProblems(at, determined);
  afterAtomics(at, determined);
  afterBarriers(at, determined);
  if (at.launch.recorded().cut && at.index + 1 == at.analysis.rounds.size())
    determined = {false, false, false};
}

// From the first access of a race on, what memory holds is undetermined, and so it is from an undefined
// shuffle on. Where what races is a counter, a flag or a list's number, or lists are merged, it decides what
// threads do as well; so does what an atomic gives back of a counter. Nothing is determined from where a
// launch deadlocks or an access is out of bounds, and in the round in which a trace was cut. From a barrier
// on that not all threads come to, it is still determined who comes to it, until threads wait at two
// different ones. What went wrong in a launch goes on in those after it.
Determined determinedIn(const lab::Run& run, RoundPlace place) {
  Determined determined;
  for (unsigned launch = 0; launch < place.launch; ++launch)
    if (const std::size_t rounds = run.analysis.launches[launch].rounds.size(); rounds > 0)
      leave(roundAt(run, {launch, unsigned(rounds) - 1}), determined);
  leave(roundAt(run, place), determined);
  return determined;
}

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
  const std::string does = allCombine(at) ? narration::combines(model::operatorOf(at.trace), true) : "";
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

std::vector<Question> questionsOf(const lab::Run& run, RoundPlace place, std::uint64_t seed,
                                  const Levels& levels) {
  const narration::RoundAt at = roundAt(run, place);
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
  return model::elementName(arrays[cell.array], cell.element);
}

}  // namespace stridescope::teaching
