// The rounds of runs as a table with a row per round.
#pragma once

#include "handout/places.h"
#include "lab/measured.h"
#include "report/table.h"

namespace stridescope::handout {

// Its columns; below them what addRounds() fills in.
report::Table roundTable();

// The run's rounds, the chosen ones, as rows.
void addRounds(report::Table& table, const lab::KnownRun& known, const Rounds& rounds);

// Columns behind the others: the elements of every shared array after each round, "data[0]" and so on; empty
// where nothing was ever written, or where another run of the table has no such element. Requires the rows of
// `runs`, in this order.
void addValues(report::Table& table, const std::vector<const lab::KnownRun*>& runs, const Rounds& rounds);

}  // namespace stridescope::handout
