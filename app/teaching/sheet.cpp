#include "teaching/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/numbers.h"
#include "narration/round_kind.h"
#include "teaching/cells.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

constexpr std::size_t kMaxPlaces = 64;  // the limit for a long merge

// The rounds that are asked about. If there are very many, some are drawn.
std::vector<RoundPlace> placesOf(const lab::Run& run, std::mt19937_64& random) {
  std::vector<RoundPlace> places;
  for (unsigned launch = 0; launch < run.analysis.launches.size(); ++launch)
    for (unsigned round = 0; round < run.analysis.launches[launch].rounds.size(); ++round)
      places.push_back({launch, round});
  // By hand, for std::shuffle's choice is each library's own.
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random() % i]);
  if (places.size() > kMaxPlaces) places.resize(kMaxPlaces);
  return places;
}

struct Candidate {
  Question question;
  std::string answer;
  bool isPlain = false;  // the answer is "all" or "none", or no conflict
  bool isKept = false;   // a value that stays as it was
};

// So often the same answer may stand on a sheet: chance alone would guess it.
unsigned mostAlike(unsigned questions) { return std::max(2u, questions / 4); }

// The value that is asked is the one that stands there already.
bool keepsValue(const lab::Run& run, const Question& question) {
  if (question.topic != Topic::CellValues) return false;
  const narration::RoundAt at = roundAt(run, question.at);
  return heldBefore(at, question.cell) == heldAfter(at, question.cell);
}

// What belongs to the same memory, and lies side by side in it.
std::tuple<unsigned, Cell::Where, std::uint32_t, std::uint64_t> placeOf(const Question& question,
                                                                        const Cell& cell) {
  const bool isRegister = cell.where == Cell::Where::Register;
  return {question.at.launch, cell.where, isRegister ? cell.thread / model::kWarpSize : cell.array,
          isRegister ? 0 : cell.element};
}
using Places = std::set<std::tuple<unsigned, Cell::Where, std::uint32_t, std::uint64_t>>;

class SheetMaker {
 public:
  SheetMaker(const lab::Run& run, std::uint64_t seed) : run_(run), random_(seed), seed_(seed) {}

  Sheet make(unsigned count) {
    collect();
    Sheet sheet{.seed = seed_, .questions = {}};
    std::size_t topic = std::size_t(random_() % kTopics.size()), missed = 0;
    while (sheet.questions.size() < count && missed < kTopics.size()) {
      auto& candidates = byTopic_[topic];
      topic = (topic + 1) % kTopics.size();
      bool taken = false;
      while (!candidates.empty() && !taken) {
        const auto next = std::ranges::min_element(candidates, {}, [&](const Candidate& each) {
          const Topic about = each.question.topic;
          return std::tuple(kept_[about][each.isKept], barriers_[about][each.question.barrier.has_value()],
                            answers_[about][each.answer], each.isPlain, uses_[each.question.at]);
        });
        const Candidate candidate = std::move(*next);
        candidates.erase(next);
        unsigned& alike = answers_[candidate.question.topic][candidate.answer];
        taken = alike < mostAlike(count) && take(candidate, sheet);
        if (!taken) continue;
        ++alike;
        ++kept_[candidate.question.topic][candidate.isKept];
        ++barriers_[candidate.question.topic][candidate.question.barrier.has_value()];
        ++uses_[candidate.question.at];
      }
      missed = taken ? 0 : missed + 1;
    }
    std::ranges::stable_sort(sheet.questions, {}, [](const SheetQuestion& each) {
      return std::pair(each.question.at, each.question.topic);
    });
    return sheet;
  }

 private:
  void collect() {
    for (const RoundPlace place : placesOf(run_, random_))
      for (const Question& question : questionsOf(run_, place, seed_, kHighestLevels))
        byTopic_[std::size_t(question.topic)].push_back({.question = question,
                                                         .answer = answerTo(run_, question),
                                                         .isPlain = isPlain(run_, question),
                                                         .isKept = keepsValue(run_, question)});
  }

  // False: it would tell another question's answer, or that one its.
  bool take(const Candidate& candidate, Sheet& sheet) {
    const Question& question = candidate.question;
    const narration::RoundAt at = roundAt(run_, question.at);
    SheetQuestion taken{
        .question = question,
        .round = fmt::format(
            "{} (round {}{})", narration::titleOf(at), question.at.round,
            run_.trace.launches.size() > 1 ? fmt::format(" of launch {}", question.at.launch) : "")};
    if (question.topic == Topic::ConflictWays) taken.choices = waysToChoose();
    if (question.topic == Topic::CellValues) {
      const std::vector<Cell> cells = cellsGiven(at, question);
      const auto place = placeOf(question, question.cell);
      if (given_.contains(place) || asked_.contains(place)) return false;
      for (const Cell& cell : cells)
        if (asked_.contains(placeOf(question, cell))) return false;
      asked_.insert(place);
      for (const Cell& cell : cells) given_.insert(placeOf(question, cell));
      taken.given = givenFor(at, cells);
    }
    const Judgement judgement = judge(run_, question, {});
    taken.answer = judgement.answer;
    taken.why = judgement.why;
    sheet.questions.push_back(std::move(taken));
    return true;
  }

  const lab::Run& run_;
  std::mt19937_64 random_;
  std::uint64_t seed_;
  std::array<std::vector<Candidate>, kTopics.size()> byTopic_;
  // How many questions on the sheet are about a round, have an answer, are about a value that stays, are
  // about who waits at a barrier.
  std::map<RoundPlace, unsigned> uses_;
  std::map<Topic, std::map<std::string, unsigned>> answers_;
  std::map<Topic, std::array<unsigned, 2>> kept_, barriers_;
  Places asked_, given_;  // cells: whose value is asked, whose value stands on the sheet
};

}  // namespace

Sheet sheetOf(const lab::Run& run, std::uint64_t seed, unsigned questions) {
  return SheetMaker(run, seed).make(questions);
}

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

namespace {

constexpr std::size_t kMaxChoices = 4;

using Marks = std::vector<bool>;
using MarksOf = Marks (*)(const narration::RoundAt&);

// As many marks as are true in `marks`, set in the other ways to spread threads over a block.
std::vector<Marks> spreadOtherwise(const Marks& marks) {
  const auto count = std::size_t(std::ranges::count(marks, true)), size = marks.size();
  std::vector<Marks> others;
  if (count == 0) return others;
  Marks first(size, false), apart(size, false), last(size, false);
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = true;
    apart[i * (size / count)] = true;
    last[size - 1 - i] = true;
  }
  return {first, apart, last};
}

// The marks of the rounds beside this one, and the same number of marks elsewhere.
std::vector<std::string> otherMarks(const lab::Run& run, RoundPlace place, MarksOf marksOf,
                                    std::string_view before) {
  const auto& rounds = run.analysis.launches[place.launch].rounds;
  std::vector<Marks> others;
  if (place.round > 0) others.push_back(marksOf(roundAt(run, {place.launch, place.round - 1})));
  if (place.round + 1 < rounds.size())
    others.push_back(marksOf(roundAt(run, {place.launch, place.round + 1})));
  const Marks own = marksOf(roundAt(run, place));
  for (Marks& other : spreadOtherwise(own)) others.push_back(std::move(other));
  others.emplace_back(own.size(), true);
  others.emplace_back(own.size(), false);
  std::vector<std::string> answers;
  for (const Marks& other : others) answers.push_back(inWords(other, before));
  return answers;
}

// What stands there already, what is added to it, what stands beside it.
std::vector<std::string> otherValues(const narration::RoundAt& at, const Cell& cell) {
  std::vector<std::string> answers;
  const auto add = [&](std::optional<std::uint64_t> bits) {
    if (bits) answers.push_back(grouped(printed(at, cell, *bits)));
  };
  add(heldBefore(at, cell));
  for (const analysis::Operand& operand : operandsOf(at, cell)) add(operand.bits);
  for (const Cell& other : cellsBefore(at))
    if (typeOf(at, other) == typeOf(at, cell) && answers.size() < 2 * kMaxChoices) {
      add(heldAfter(at, other));
      add(heldBefore(at, other));
    }
  return answers;
}

std::vector<std::string> othersOf(const lab::Run& run, const Question& question) {
  switch (question.topic) {
    case Topic::ActiveThreads:
      return otherMarks(run, question.at, activeThreads, "");
    case Topic::PartialWarps:
      return otherMarks(run, question.at, partialWarps, "W");
    case Topic::CellValues:
      return otherValues(roundAt(run, question.at), question.cell);
    case Topic::ConflictWays:
      break;
  }
  return {};
}

// The right one among others, at a place that the seed decides.
std::optional<ChoiceQuestion> chosenFrom(const lab::Run& run, const Question& question, std::uint64_t seed) {
  const Judgement judgement = judge(run, question, {});
  const narration::RoundAt at = roundAt(run, question.at);
  ChoiceQuestion asked{
      .question = question, .given = givenFor(at, cellsGiven(at, question)), .why = judgement.why};
  if (question.topic == Topic::ConflictWays) {
    asked.choices = waysToChoose();
    asked.right = std::size_t(std::ranges::find(kWays, judgement.way) - kWays.begin());  // or the last
    return asked;
  }
  for (const std::string& other : othersOf(run, question))
    if (other != judgement.answer && asked.choices.size() + 1 < kMaxChoices &&
        std::ranges::find(asked.choices, other) == asked.choices.end())
      asked.choices.push_back(other);
  if (asked.choices.empty()) return std::nullopt;
  asked.right = std::size_t((seed + question.at.round * 7u) % (asked.choices.size() + 1));
  asked.choices.insert(asked.choices.begin() + std::ptrdiff_t(asked.right), judgement.answer);
  return asked;
}

}  // namespace

std::optional<ChoiceQuestion> choiceQuestionOf(const lab::Run& run, RoundPlace place, std::uint64_t seed) {
  std::vector<ChoiceQuestion> candidates, plain;
  for (const Question& question : questionsOf(run, place, seed, kHighestLevels))
    if (auto asked = chosenFrom(run, question, seed))
      (isPlain(run, question) ? plain : candidates).push_back(*std::move(asked));
  if (candidates.empty()) candidates = std::move(plain);
  if (candidates.empty()) return std::nullopt;
  return std::move(candidates[std::size_t(place.round + seed) % candidates.size()]);
}

}  // namespace stridescope::teaching
