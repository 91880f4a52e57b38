// The bank rule against a table read off the hardware's counters, and against a checker that works the other
// way round: bank by bank over all lanes, with sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "analysis/requests.h"

namespace stridescope::analysis {
namespace {

using ElementOfLane = std::function<unsigned(unsigned lane)>;

LaneAddresses addressesOf(const ElementOfLane& elementOf, unsigned width, std::uint32_t mask = ~0u) {
  LaneAddresses addresses;
  addresses.mask = mask;
  addresses.width = width;
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
    addresses.offset[lane] = std::uint64_t(elementOf(lane)) * width;
  return addresses;
}

struct Counters {
  unsigned wavefronts, conflicts;
  bool operator==(const Counters&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Counters& c) {
  return out << c.wavefronts << " / " << c.conflicts;
}

Counters countersOf(const BankUse& use) { return {use.wavefronts, use.wavefronts - use.ideal}; }

// One load by 32 lanes, as counted on an H200 for 4, 8 and 16 bytes.
struct CountedLoad {
  const char* name;
  ElementOfLane elementOf;
  Counters counted[3];
};

TEST(BankConflicts, LoadsAreAsCounted) {
  const CountedLoad loads[] = {
      {"all the same", [](unsigned) { return 0u; }, {{1, 0}, {1, 0}, {2, 0}}},
      {"lane", [](unsigned lane) { return lane; }, {{1, 0}, {2, 0}, {4, 0}}},
      {"2 x lane", [](unsigned lane) { return 2 * lane; }, {{2, 1}, {4, 2}, {8, 4}}},
      {"lane / 2", [](unsigned lane) { return lane / 2; }, {{1, 0}, {1, 0}, {2, 0}}},
      {"(lane mod 2) x 16 + lane / 2",
       [](unsigned lane) { return lane % 2 * 16 + lane / 2; },
       {{1, 0}, {4, 2}, {8, 4}}},
      {"33 x lane", [](unsigned lane) { return 33 * lane; }, {{1, 0}, {2, 0}, {4, 0}}},
  };
  for (const CountedLoad& load : loads)
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned width = 4u << i;
      EXPECT_EQ(countersOf(findBankConflicts(addressesOf(load.elementOf, width), false)), load.counted[i])
          << load.name << ", " << width << " bytes";
    }
}

TEST(BankConflicts, StoresNeverMerge) {
  const auto same = [](unsigned) { return 0u; };
  EXPECT_EQ(countersOf(findBankConflicts(addressesOf(same, 4), true)), (Counters{1, 0}));
  EXPECT_EQ(countersOf(findBankConflicts(addressesOf(same, 8), true)), (Counters{2, 0}));
  EXPECT_EQ(countersOf(findBankConflicts(addressesOf(same, 16), true)), (Counters{4, 0}));
}

TEST(BankConflicts, PairsTwoLanesApartMergeToo) {
  // Lanes i and i ^ 2 read the same address, lanes i and i ^ 1 do not.
  const auto elementOf = [](unsigned lane) { return lane / 4 * 2 + lane % 2; };
  EXPECT_EQ(findBankConflicts(addressesOf(elementOf, 8), false).ideal, 1u);
  EXPECT_EQ(findBankConflicts(addressesOf(elementOf, 16), false).ideal, 2u);
}

TEST(BankConflicts, AnInactivePartnerDoesNotHinderMerging) {
  const std::uint32_t evenLanes = 0x55555555;
  const auto own = [](unsigned lane) { return lane; };
  EXPECT_EQ(findBankConflicts(addressesOf(own, 8, evenLanes), false).ideal, 1u);
  EXPECT_EQ(findBankConflicts(addressesOf(own, 8, evenLanes), true).ideal, 2u);
  // Lanes 0 and 1 are both active and read different addresses; so are 0 and 2.
  EXPECT_EQ(findBankConflicts(addressesOf(own, 8, evenLanes | 0b10), false).ideal, 2u);
}

TEST(BankConflicts, GroupsWithoutAnActiveLaneCostNothing) {
  const auto own = [](unsigned lane) { return lane; };
  const BankUse lowHalf = findBankConflicts(addressesOf(own, 8, 0x0000ffff), true);
  EXPECT_EQ(lowHalf.wavefronts, 1u);
  EXPECT_EQ(lowHalf.ideal, 1u);
  const BankUse nobody = findBankConflicts(addressesOf(own, 4, 0), false);
  EXPECT_EQ(nobody.wavefronts, 0u);
  EXPECT_EQ(nobody.way, 0u);
}

TEST(BankConflicts, WayIsTheWorstGroups) {
  // Lanes 0 to 15 read neighbours, lanes 16 to 31 read every second: 1-way and 2-way.
  const auto elementOf = [](unsigned lane) { return lane < 16 ? lane : 64 + 2 * lane; };
  const BankUse use = findBankConflicts(addressesOf(elementOf, 8), false);
  EXPECT_EQ(use.way, 2u);
  EXPECT_EQ(use.wavefronts, 3u);
}

TEST(BankConflicts, BroadcastIsAWordReadByTwoLanes) {
  const auto pairs = [](unsigned lane) { return lane / 2; };
  const auto own = [](unsigned lane) { return lane; };
  const auto farApart = [](unsigned lane) {
    return lane == 31 ? 0u : lane;
  };  // in different groups of 8 bytes
  EXPECT_TRUE(findBankConflicts(addressesOf(pairs, 4), false).broadcast);
  EXPECT_FALSE(findBankConflicts(addressesOf(own, 4), false).broadcast);
  EXPECT_FALSE(findBankConflicts(addressesOf(pairs, 4), true).broadcast) << "a store broadcasts nothing";
  EXPECT_TRUE(findBankConflicts(addressesOf(farApart, 8), false).broadcast);
  EXPECT_FALSE(findBankConflicts(addressesOf(own, 8), false).broadcast);
  EXPECT_TRUE(findBankConflicts(addressesOf(own, 1), false).broadcast) << "four bytes of one word";
}

// ---- The independent checker.

// Groups as sets of lanes.
std::vector<std::vector<unsigned>> groupsOf(const LaneAddresses& a, bool isStore) {
  unsigned size = a.width == 8 ? 16 : a.width == 16 ? 8 : 32;
  if (a.width >= 8 && !isStore)
    for (const unsigned x : {1u, 2u}) {
      bool merges = true;
      for (unsigned i = 0; i < 32; ++i) {
        const bool active = (a.mask & (1u << i)) != 0, partner = (a.mask & (1u << (i ^ x))) != 0;
        if (active && partner && a.offset[i] != a.offset[i ^ x]) merges = false;
      }
      if (merges) {
        size *= 2;
        break;
      }
    }
  std::vector<std::vector<unsigned>> groups(32 / size);
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((a.mask & (1u << lane)) != 0) groups[lane / size].push_back(lane);
  return groups;
}

BankUse checkBanks(const LaneAddresses& a, bool isStore) {
  BankUse use;
  std::map<std::uint64_t, std::set<unsigned>> readersOfWord;
  for (const auto& group : groupsOf(a, isStore)) {
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; ++bank) {
      std::set<std::uint64_t> words;
      for (const unsigned lane : group)
        for (std::uint64_t byte = a.offset[lane]; byte < a.offset[lane] + a.width; ++byte) {
          readersOfWord[byte / 4].insert(lane);
          if (byte / 4 % 32 == bank) words.insert(byte / 4);
        }
      most = std::max(most, unsigned(words.size()));
      use.words[bank] = std::max(use.words[bank], std::uint8_t(words.size()));
    }
    use.wavefronts += most;
    use.way = std::max(use.way, most);
    use.ideal += group.empty() ? 0 : 1;
  }
  for (const auto& [word, readers] : readersOfWord) use.broadcast |= !isStore && readers.size() > 1;
  return use;
}

class RandomAccesses : public testing::TestWithParam<unsigned> {};  // the width

LaneAddresses randomAddresses(std::mt19937& random, unsigned width) {
  const auto below = [&](unsigned limit) { return unsigned(random() % limit); };
  const unsigned range = 1u << below(10), step = 1 + below(40);
  const bool strided = below(2) == 0, pairs = below(3) == 0;
  const std::uint32_t mask =
      below(3) == 0 ? ~0u : std::uint32_t(random()) & (below(2) ? ~0u : std::uint32_t(random()));
  return addressesOf(
      [&](unsigned lane) {
        const unsigned element = strided ? lane * step : below(range);
        return pairs && strided ? lane / 2 * step : element;
      },
      width, mask);
}

TEST_P(RandomAccesses, AgreeWithTheChecker) {
  std::mt19937 random(GetParam());
  for (int i = 0; i < 1500; ++i) {
    const LaneAddresses addresses = randomAddresses(random, GetParam());
    for (const bool isStore : {false, true}) {
      const BankUse use = findBankConflicts(addresses, isStore), expected = checkBanks(addresses, isStore);
      ASSERT_EQ(use.wavefronts, expected.wavefronts) << i;
      ASSERT_EQ(use.ideal, expected.ideal) << i;
      ASSERT_EQ(use.way, expected.way) << i;
      ASSERT_EQ(use.words, expected.words) << i;
      ASSERT_EQ(*std::ranges::max_element(use.words), use.way) << i;
      ASSERT_EQ(use.broadcast, expected.broadcast) << i;
    }
  }
}

// The map must be a schedule that a memory of 32 banks can carry out: in one wavefront a bank serves one
// word.
TEST_P(RandomAccesses, MapIsASchedule) {
  std::mt19937 random(GetParam() + 100);
  for (int i = 0; i < 500; ++i) {
    const LaneAddresses addresses = randomAddresses(random, GetParam());
    const bool isStore = i % 2 == 0;
    const BankMap map = mapBanks(addresses, isStore);
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> served;  // (wavefront, bank): word
    std::set<unsigned> wavefronts;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((addresses.mask & (1u << lane)) == 0) continue;
      for (unsigned j = 0; j < map.wordsPerLane; ++j) {
        const LaneWord& word = map.lanes[lane][j];
        ASSERT_EQ(word.word, addresses.offset[lane] / 4 + j);
        ASSERT_EQ(word.bank, word.word % 32);
        const auto [at, isNew] = served.insert({{word.wavefront, word.bank}, word.word});
        ASSERT_EQ(at->second, word.word) << "a bank serves two words in one wavefront";
        wavefronts.insert(word.wavefront);
      }
    }
    ASSERT_EQ(wavefronts.size(), map.use.wavefronts) << "no wavefront is empty";
    ASSERT_EQ(wavefronts.empty() ? 0 : *wavefronts.rbegin() + 1, map.use.wavefronts);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, RandomAccesses, testing::Values(1u, 2u, 4u, 8u, 16u));

}  // namespace
}  // namespace stridescope::analysis
