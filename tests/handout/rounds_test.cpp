// The table of rounds, held against what the ladder's definition says of lanes, banks and values.
#include "handout/rounds.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "support/ladder_trace.h"

namespace stridescope::handout {
namespace {

constexpr unsigned kThreads = 256, kRounds = 10, kWarp = 32, kBanks = 32;

std::size_t columnOf(const report::Table& table, const std::string& name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name) return i;
  ADD_FAILURE() << "no column " << name;
  return 0;
}

// For requests of 4 bytes: a warp takes as many wavefronts as the bank with the most different words has
// words.
unsigned wavefrontsOf(unsigned active, const std::function<unsigned(unsigned thread)>& word) {
  unsigned sum = 0;
  for (unsigned warp = 0; warp * kWarp < active; ++warp) {
    std::array<std::set<unsigned>, kBanks> words;
    for (unsigned thread = warp * kWarp; thread < std::min(active, (warp + 1) * kWarp); ++thread)
      words[word(thread) % kBanks].insert(word(thread));
    std::size_t most = 0;
    for (const auto& each : words) most = std::max(most, each.size());
    sum += unsigned(most);
  }
  return sum;
}

class RoundTable : public testing::Test {
 protected:
  RoundTable()
      : run_{.run = lab::runOf(
                 support::ladderTrace("interleaved_contiguous", kThreads, model::ElementType::Int))} {
    table_ = roundTable();
    addRounds(table_, run_, {});
  }
  std::string cell(unsigned round, const std::string& column) const {
    return table_.rows.at(round).at(columnOf(table_, column));
  }

  lab::KnownRun run_;
  report::Table table_;
};

TEST_F(RoundTable, HasTheLanesAndWavefrontsOfTheLadder) {
  ASSERT_EQ(table_.rows.size(), kRounds);
  for (unsigned round = 1; round + 1 < kRounds; ++round) {
    const unsigned stride = 1u << (round - 1), active = kThreads / 2 / stride;
    const auto first = [&](unsigned thread) { return 2 * stride * thread; };
    const auto second = [&](unsigned thread) { return 2 * stride * thread + stride; };
    const unsigned loads = wavefrontsOf(active, first) + wavefrontsOf(active, second);
    const unsigned ideal = (active + kWarp - 1) / kWarp;
    EXPECT_EQ(cell(round, "round"), std::to_string(round));
    EXPECT_EQ(cell(round, "stride"), std::to_string(stride));
    EXPECT_EQ(cell(round, "active_lanes"), std::to_string(active));
    EXPECT_EQ(cell(round, "active_warps"), std::to_string(ideal));
    EXPECT_EQ(cell(round, "load_wavefronts"), std::to_string(loads)) << round;
    EXPECT_EQ(cell(round, "load_conflicts"), std::to_string(loads - 2 * ideal)) << round;
    EXPECT_EQ(cell(round, "store_wavefronts"), std::to_string(wavefrontsOf(active, first))) << round;
    EXPECT_EQ(cell(round, "name"), "Stride " + std::to_string(stride));
    EXPECT_EQ(cell(round, "kind"), "combine");
  }
  EXPECT_EQ(cell(0, "kind"), "load");
  EXPECT_EQ(cell(kRounds - 1, "kind"), "write");
  EXPECT_EQ(cell(0, "load_wavefronts"), "") << "nothing is loaded from shared memory";
  EXPECT_EQ(cell(4, "cycles"), "") << "none are known";
}

TEST_F(RoundTable, HasTheValuesIfTheyAreAskedFor) {
  addValues(table_, {&run_}, {});
  std::vector<std::uint64_t> data(kThreads);
  for (unsigned i = 0; i < kThreads; ++i) data[i] = i;  // the ramp
  for (unsigned round = 0; round + 1 < kRounds; ++round) {
    const unsigned stride = round == 0 ? 0 : 1u << (round - 1);
    for (unsigned i = 0; stride > 0 && i < kThreads; i += 2 * stride) data[i] += data[i + stride];
    for (const unsigned i : {0u, 1u, 64u, 255u})
      EXPECT_EQ(cell(round, "data[" + std::to_string(i) + "]"), std::to_string(data[i])) << round;
  }
  for (const auto& row : table_.rows) EXPECT_EQ(row.size(), table_.columns.size());
}

TEST_F(RoundTable, OfChosenRoundsAndSeveralRuns) {
  const lab::KnownRun small{.run =
                                lab::runOf(support::ladderTrace("sequential", 32, model::ElementType::Int))};
  report::Table table = roundTable();
  addRounds(table, run_, {.first = 2, .last = 3});
  addRounds(table, small, {.first = 2, .last = 3});
  addValues(table, {&run_, &small}, {.first = 2, .last = 3});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[2][columnOf(table, "variant")], "sequential");
  EXPECT_EQ(table.rows[2][columnOf(table, "round")], "2");
  EXPECT_EQ(table.rows[2][columnOf(table, "data[40]")], "") << "it has 32 elements";
  EXPECT_NE(table.rows[0][columnOf(table, "data[40]")], "");
}

TEST_F(RoundTable, HasCyclesAndSaysWhose) {
  analysis::LaunchCycles cycles;
  cycles.alone.rounds.resize(kRounds);
  cycles.alone.rounds[4] = analysis::Cycles{202, 200, 204};
  run_.measured.cycles.launches = {cycles};
  run_.measured.cycles.clocks.resize(1);
  run_.measured.cycles.clocks[0].executor.device = "a GPU";
  report::Table table = roundTable();
  addRounds(table, run_, {});
  EXPECT_EQ(table.rows[4][columnOf(table, "cycles")], "202");
  EXPECT_EQ(table.rows[4][columnOf(table, "cycles_of")], "recorded on a GPU");
  EXPECT_EQ(table.rows[5][columnOf(table, "cycles_of")], "");
}

}  // namespace
}  // namespace stridescope::handout
