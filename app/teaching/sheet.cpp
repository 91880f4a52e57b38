#include "teaching/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "narration/round_kind.h"
#include "teaching/cells.h"
#include "teaching/given.h"

namespace stridescope::teaching {
namespace {

constexpr std::size_t kMaxPlaces = 64;  // the limit for a long merge

// The rounds that are asked about. If there are very many, some are drawn.
std::vector<RoundPlace> placesOf(const AskedRun& run, std::mt19937_64& random) {
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
bool keepsValue(const AskedRun& run, const Question& question) {
  if (question.topic != Topic::CellValues) return false;
  const narration::RoundAt at = run.at(question.at);
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
  SheetMaker(const AskedRun& run, std::uint64_t seed) : run_(run), random_(seed), seed_(seed) {}

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
          return std::tuple(kept_[about][each.isKept], answers_[about][each.answer], each.isPlain,
                            uses_[each.question.at]);
        });
        const Candidate candidate = std::move(*next);
        candidates.erase(next);
        unsigned& alike = answers_[candidate.question.topic][candidate.answer];
        taken = alike < mostAlike(count) && take(candidate, sheet);
        if (!taken) continue;
        ++alike;
        ++kept_[candidate.question.topic][candidate.isKept];
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
    const narration::RoundAt at = run_.at(question.at);
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

  const AskedRun& run_;
  std::mt19937_64 random_;
  std::uint64_t seed_;
  std::array<std::vector<Candidate>, kTopics.size()> byTopic_;
  // How many questions on the sheet are about a round, have an answer, are about a value that stays.
  std::map<RoundPlace, unsigned> uses_;
  std::map<Topic, std::map<std::string, unsigned>> answers_;
  std::map<Topic, std::array<unsigned, 2>> kept_;
  Places asked_, given_;  // cells: whose value is asked, whose value stands on the sheet
};

}  // namespace

Sheet sheetOf(const AskedRun& run, std::uint64_t seed, unsigned questions) {
  return SheetMaker(run, seed).make(questions);
}

}  // namespace stridescope::teaching
