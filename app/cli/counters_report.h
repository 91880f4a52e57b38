// What `counters` prints: counters beside what the model says of them.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "lab/known/measured_runs.h"
#include "model/counters.h"

namespace stridescope::cli {

// A counter of one launch.
struct CounterRow {
  model::Counter counter{};
  std::optional<double> modelled{}, measured{};
  bool isCompared() const { return modelled && measured; }
  bool isEqual() const { return isCompared() && *modelled == *measured; }
};

// One experiment's, a list of rows for each launch: every counter that is shown, in order.
struct CountedCase {
  model::CounterRecord record;
  std::vector<std::vector<CounterRow>> launches;
};

// Counts the counters that have both values.
struct CounterTotals {
  std::size_t compared = 0, equal = 0;
};
CounterTotals totalsOf(std::span<const CountedCase> cases);

std::string countersText(const CountedCase& counted);
void writeCountersJson(std::ostream& out, std::span<const CountedCase> cases);

// A counter record beside the model, for `counters` and `verify --counters`.

// Takes out the records in which no launch has a counter, and notes each: there is nothing to show of them.
void leaveOutUncounted(lab::MeasuredRuns<model::CounterRecord>& runs);

// `cpu`, the CPU executor, steps the experiment for what the model says; where it cannot, no counter has a
// modelled value, and the sentence in `why` says so.
CountedCase besideTheModel(model::CounterRecord record, engine::Engine& cpu, engine::JobControl& job,
                           std::string& why);

}  // namespace stridescope::cli
