// The steps of a run that a handout tells, and the rounds of runs as a table.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "narration/round_at.h"
#include "report/table.h"

namespace stridescope::handout {

// A step of a run: a round, or one pass of a round that has several.
struct Place {
  unsigned launch = 0, round = 0, pass = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

// The rounds that are told of each launch, by number, both ends included.
struct Rounds {
  std::size_t first = 0, last = ~std::size_t{0};
  bool contains(std::size_t round) const { return first <= round && round <= last; }
};

// "4", "2-5", "2..5", as `option` takes it.
Result<Rounds> parseRounds(std::string_view given, std::string_view option);

// The steps in their order, through all launches.
std::vector<Place> placesIn(const lab::Run& run, const Rounds& rounds);
std::size_t roundsIn(const lab::Run& run, const Rounds& rounds);

// The step, while `tell` runs.
void tellOf(const lab::Run& run, const Place& place,
            const std::function<void(const narration::RoundAt&)>& tell);

// The rounds of runs as a table with a row per round.

// Its columns; below them what addRounds() fills in.
report::Table roundTable();

// The run's rounds, the chosen ones, as rows.
void addRounds(report::Table& table, const lab::KnownRun& known, const Rounds& rounds);

// Columns behind the others: the elements of every shared array after each round, "data[0]" and so on; empty
// where nothing was ever written, or where another run of the table has no such element. Requires the rows of
// `runs`, in this order.
void addValues(report::Table& table, const std::vector<const lab::KnownRun*>& runs, const Rounds& rounds);

}  // namespace stridescope::handout
