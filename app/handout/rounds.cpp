#include "handout/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>

#include "analysis/pass_view.h"
#include "base/plain_text.h"
#include "model/array_names.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"

namespace stridescope::handout {
namespace {

// The whole text as a number; nothing if any of it is something else or it does not fit.
std::optional<std::size_t> wholeNumber(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<Rounds> parseRounds(std::string_view given, std::string_view option) {
  const auto dash = given.find('-'), dots = given.find("..");
  const auto first = wholeNumber(given.substr(0, std::min(dash, dots)));
  const auto last = dots != std::string_view::npos   ? wholeNumber(given.substr(dots + 2))
                    : dash != std::string_view::npos ? wholeNumber(given.substr(dash + 1))
                                                     : first;
  if (!first || !last)
    return usageError(fmt::format("{} takes a round or a range of rounds such as 4, 2-5 or 2..5, not \"{}\".",
                                  option, given));
  if (*last < *first)
    return usageError(
        fmt::format("{} {} ends before it begins; give the smaller round first.", option, given));
  return Rounds{*first, *last};
}

std::vector<Place> placesIn(const lab::Run& run, const Rounds& rounds) {
  std::vector<Place> places;
  for (unsigned launch = 0; launch < run.analysis.launches.size(); ++launch) {
    const auto& all = run.analysis.launches[launch].rounds;
    for (unsigned round = 0; round < all.size(); ++round)
      for (unsigned pass = 0; rounds.contains(round) && pass < all[round].passes; ++pass)
        places.push_back({launch, round, pass});
  }
  return places;
}

std::size_t roundsIn(const lab::Run& run, const Rounds& rounds) {
  std::size_t count = 0;
  for (const analysis::LaunchAnalysis& launch : run.analysis.launches)
    for (std::size_t round = 0; round < launch.rounds.size(); ++round)
      count += rounds.contains(round) ? 1 : 0;
  return count;
}

void tellOf(const lab::Run& run, const Place& place,
            const std::function<void(const narration::RoundAt&)>& tell) {
  narration::RoundAt at = run.at(place.launch, place.round);
  analysis::PassViewer viewer(run.trace, at.launch, at.analysis, at.flow);
  const auto pass = viewer.view(place.round, place.pass);
  at.pass = pass ? &*pass : nullptr;
  tell(at);
}

namespace {

using report::Column;
using report::ReadBy;
using report::Table;

// The round with what tells of it.
struct Row {
  const lab::KnownRun& known;
  const narration::RoundAt& at;
  unsigned launch = 0;

  const analysis::Round& round() const { return at.round(); }
  const analysis::Cycles* cycles() const { return known.cycles(launch).alone.at(at.index); }
  const analysis::Cycles* cyclesInGrid() const { return known.cycles(launch).inGrid.at(at.index); }
};

struct RoundColumn {
  Column column;
  std::string (*cell)(const Row& row);
};

template <class Number>
std::string text(Number number) {
  return std::to_string(number);
}

// The sum over the requests of the kind to shared memory whose wavefronts are modelled; empty: there is none.
std::string sharedSum(const Row& row, model::EventKind kind, unsigned (*of)(const analysis::Request&)) {
  unsigned sum = 0;
  bool any = false;
  for (const analysis::Request& request : row.round().requests) {
    if (!request.hasWavefronts() || request.kind != kind) continue;
    any = true;
    sum += of(request);
  }
  return any ? text(sum) : std::string();
}

std::string deviceSum(const Row& row, unsigned analysis::Request::*of) {
  unsigned sum = 0;
  for (const analysis::Request& request : row.round().requests)
    if (!request.shared) sum += request.*of;
  return sum == 0 ? std::string() : text(sum);
}

std::string highestWay(const Row& row) {
  unsigned way = 0;
  for (const analysis::Request& request : row.round().requests) way = std::max(way, request.way);
  return way == 0 ? std::string() : text(way);
}

std::string median(const analysis::Cycles* cycles) {
  return cycles == nullptr ? std::string() : text(cycles->median);
}

unsigned wavefronts(const analysis::Request& request) { return request.wavefronts; }
unsigned ideal(const analysis::Request& request) { return request.ideal; }
unsigned conflicts(const analysis::Request& request) { return request.conflicts(); }

constexpr auto kLoad = model::EventKind::Load, kStore = model::EventKind::Store;

const std::vector<RoundColumn>& columns() {
  static const std::vector<RoundColumn> all{
      {{"variant", "variant", ReadBy::Programs, true},
       [](const Row& row) { return printable(row.at.trace.experiment.variant); }},
      {{"launch", "launch", ReadBy::AllIfItVaries}, [](const Row& row) { return text(row.launch); }},
      {{"round", "round"}, [](const Row& row) { return text(row.at.index); }},
      {{"name", "name", ReadBy::All, true}, [](const Row& row) { return narration::titleOf(row.at); }},
      {{"kind", "kind", ReadBy::Programs, true},
       [](const Row& row) { return std::string(analysis::nameOf(row.round().kind)); }},
      {{"stride", "stride", ReadBy::Programs},
       [](const Row& row) { return row.round().stride ? text(*row.round().stride) : std::string(); }},
      {{"passes", "passes", ReadBy::AllIfItVaries}, [](const Row& row) { return text(row.round().passes); }},
      {{"threads", "threads", ReadBy::Programs}, [](const Row& row) { return text(row.at.launch.block); }},
      {{"active_lanes", "active lanes"}, [](const Row& row) { return text(row.round().activeLanes); }},
      {{"active_warps", "active warps"}, [](const Row& row) { return text(row.round().activeWarps); }},
      {{"partial_warps", "partial warps"}, [](const Row& row) { return text(row.round().partialWarps); }},
      {{"divergent_branches", "divergent branches"},
       [](const Row& row) {
         const auto branches = row.round().divergentBranches;
         return branches ? text(*branches) : std::string();
       }},
      {{"load_wavefronts", "load wavefronts"},
       [](const Row& row) { return sharedSum(row, kLoad, wavefronts); }},
      {{"load_ideal", "ideal of loads", ReadBy::Programs},
       [](const Row& row) { return sharedSum(row, kLoad, ideal); }},
      {{"load_conflicts", "load conflicts"}, [](const Row& row) { return sharedSum(row, kLoad, conflicts); }},
      {{"store_wavefronts", "store wavefronts"},
       [](const Row& row) { return sharedSum(row, kStore, wavefronts); }},
      {{"store_ideal", "ideal of stores", ReadBy::Programs},
       [](const Row& row) { return sharedSum(row, kStore, ideal); }},
      {{"store_conflicts", "store conflicts"},
       [](const Row& row) { return sharedSum(row, kStore, conflicts); }},
      {{"way", "highest way"}, highestWay},
      {{"sectors", "sectors"}, [](const Row& row) { return deviceSum(row, &analysis::Request::sectors); }},
      {{"ideal_sectors", "ideal sectors"},
       [](const Row& row) { return deviceSum(row, &analysis::Request::idealSectors); }},
      {{"ends_with", "ends with", ReadBy::Programs, true},
       [](const Row& row) { return std::string(analysis::nameOf(row.round().endsWith)); }},
      {{"cycles", "cycles"}, [](const Row& row) { return median(row.cycles()); }},
      {{"cycles_in_grid", "cycles in a full grid"},
       [](const Row& row) { return median(row.cyclesInGrid()); }},
      {{"cycles_of", "cycles of", ReadBy::Programs, true},
       [](const Row& row) {
         return row.cycles() == nullptr && row.cyclesInGrid() == nullptr
                    ? std::string()
                    : printable(row.known.cyclesOrigin());
       }},
      {{"stride_words", "stride in words", ReadBy::Programs},
       [](const Row& row) {
         const auto words = narration::paddedWordsApart(row.at);
         return words ? text(*words) : std::string();
       }},
  };
  return all;
}

void forEachRound(const lab::KnownRun& known, const Rounds& rounds,
                  const std::function<void(unsigned launch, const narration::RoundAt&)>& visit) {
  for (unsigned launch = 0; launch < known.run.analysis.launches.size(); ++launch)
    for (std::size_t round = 0; round < known.run.analysis.launches[launch].rounds.size(); ++round)
      if (rounds.contains(round)) visit(launch, known.run.at(launch, round));
}

}  // namespace

report::Table roundTable() {
  Table table;
  for (const RoundColumn& each : columns()) table.columns.push_back(each.column);
  return table;
}

void addRounds(report::Table& table, const lab::KnownRun& known, const Rounds& rounds) {
  forEachRound(known, rounds, [&](unsigned launch, const narration::RoundAt& at) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const RoundColumn& each : columns()) row.push_back(each.cell({known, at, launch}));
  });
}

void addValues(report::Table& table, const std::vector<const lab::KnownRun*>& runs, const Rounds& rounds) {
  const std::size_t before = table.columns.size();
  std::map<std::string, std::size_t> placeOf;
  std::size_t row = 0;
  const auto put = [&](std::string name, std::string value) {
    const auto [found, isNew] = placeOf.try_emplace(name, before + placeOf.size());
    if (isNew) table.columns.push_back({name, name, ReadBy::Programs});
    std::vector<std::string>& cells = table.rows[row];
    if (cells.size() <= found->second) cells.resize(found->second + 1);
    cells[found->second] = std::move(value);
  };
  for (const lab::KnownRun* run : runs)
    forEachRound(*run, rounds, [&](unsigned, const narration::RoundAt& at) {
      for (std::size_t array = 0; array < at.launch.recorded().shared.size(); ++array) {
        const model::Array& shared = at.launch.recorded().shared[array];
        for (const model::MemberType& cell : model::cellsOf(shared)) {
          const auto words = narration::snapshotWords(at, array, cell);
          for (std::size_t i = 0; i < words.size(); ++i)
            put(printable(model::elementName(shared, i, model::Digits::Plain)) + model::memberSuffix(cell),
                words[i] ? model::printNumber(cell, *words[i]) : std::string());
        }
      }
      ++row;
    });
  for (auto& cells : table.rows) cells.resize(table.columns.size());
}

}  // namespace stridescope::handout
