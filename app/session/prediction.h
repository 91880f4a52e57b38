// What a person did in Predict with one run: what is told of it, what was asked, and what was answered. It
// outlives the mode, and undo goes back to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/run.h"
#include "teaching/judgement.h"

namespace stridescope::session {

struct AskedQuestion {
  teaching::Question question{};
  teaching::Guess guess{};
  std::vector<std::string> hints{};                // that were taken
  std::optional<teaching::Judgement> judgement{};  // once it was revealed
  friend bool operator==(const AskedQuestion&, const AskedQuestion&) = default;
};

struct PredictedRound {
  std::vector<AskedQuestion> asked{};
  bool judged = false;
  friend bool operator==(const PredictedRound&, const PredictedRound&) = default;
};

// Which run it is, without the run: two that executed alike are the same one.
struct RunMark {
  model::Experiment experiment{};
  std::uint64_t events = 0;
  friend bool operator==(const RunMark&, const RunMark&) = default;
};
RunMark markOf(const lab::Run& run);

// A round is named by its index in the run, over all launches.
struct Prediction {
  RunMark run{};
  std::size_t told = 0;                            // so many rounds
  bool hidden = false;                             // the round behind those stands there, empty
  std::map<std::size_t, PredictedRound> rounds{};  // those that were asked about
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

// What differs, as a noun: "the answer to question 2", "revealing the round". Empty: no more than which round
// is hidden.
std::string changeText(const Prediction& from, const Prediction& to);

}  // namespace stridescope::session
