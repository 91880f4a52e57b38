// Which request stands for a round, and which operation for a request, checked on requests written down by
// hand.
#include <gtest/gtest.h>

#include "analysis/requests.h"

namespace stridescope::analysis {
namespace {

using model::EventKind;

Request request(std::uint32_t site, EventKind kind, bool shared) {
  Request made;
  made.site = site;
  made.kind = kind;
  made.shared = shared;
  return made;
}
Request inShared(std::uint32_t site, EventKind kind, unsigned wavefronts = 1, unsigned ideal = 1) {
  Request made = request(site, kind, true);
  made.wavefronts = wavefronts;
  made.ideal = ideal;
  return made;
}
Request inGlobal(std::uint32_t site, EventKind kind, unsigned sectors = 4, unsigned ideal = 4) {
  Request made = request(site, kind, false);
  made.sectors = sectors;
  made.idealSectors = ideal;
  return made;
}
Round roundOf(std::vector<Request> requests) {
  Round round;
  round.requests = std::move(requests);
  return round;
}
std::uint32_t worstSite(std::vector<Request> requests) {
  const Round round = roundOf(std::move(requests));
  return worstRequest(round)->site;
}

TEST(RequestList, LoadsThenStoresThenAtomicsEachBySite) {
  const Round round =
      roundOf({inShared(1, EventKind::Load), inShared(1, EventKind::Store), inGlobal(2, EventKind::Atomic),
               inShared(3, EventKind::Load), inGlobal(3, EventKind::Load), inGlobal(4, EventKind::Store)});
  const std::vector<const Request*> list = listRequests(round);
  const RequestId expected[] = {{1, EventKind::Load, true},   {3, EventKind::Load, true},
                                {3, EventKind::Load, false},  {1, EventKind::Store, true},
                                {4, EventKind::Store, false}, {2, EventKind::Atomic, false}};
  ASSERT_EQ(list.size(), std::size(expected));
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_TRUE(*list[i] == expected[i]) << i;
  EXPECT_TRUE(listRequests({}).empty());
}

TEST(RequestList, ARequestIsFoundBySiteKindAndSpace) {
  const Round round = roundOf({inShared(1, EventKind::Load), inShared(1, EventKind::Store)});
  EXPECT_EQ(findRequest(round, {1, EventKind::Store, true}), &round.requests[1]);
  EXPECT_EQ(findRequest(round, {1, EventKind::Store, false}), nullptr);
  EXPECT_EQ(findRequest(round, {2, EventKind::Store, true}), nullptr);
  EXPECT_EQ(findRequest(round, {1, EventKind::Atomic, true}), nullptr);
}

TEST(RequestList, TheWorstHasTheMostWavefrontsForEachIdealOne) {
  EXPECT_EQ(worstRequest({}), nullptr);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load, 16, 8), inShared(2, EventKind::Load, 6, 2)}), 2u);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load, 16, 8), inShared(2, EventKind::Store, 2, 1)}), 1u);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Store), inShared(2, EventKind::Load)}), 2u)
      << "a load is first";
  EXPECT_EQ(worstSite({inShared(1, EventKind::Atomic, 0, 0), inShared(2, EventKind::Atomic, 0, 0)}), 1u);
}

TEST(RequestList, OfAlikeOnesABroadcastStandsBack) {
  Request flag = inShared(1, EventKind::Load);
  flag.broadcast = true;
  EXPECT_EQ(worstSite({flag, inGlobal(2, EventKind::Load)}), 2u);
  EXPECT_EQ(worstSite({flag}), 1u);
  flag.wavefronts = 2;
  EXPECT_EQ(worstSite({flag, inGlobal(2, EventKind::Load)}), 1u);
}

TEST(RequestList, OfAlikeWavefrontsSectorsDecide) {
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load), inGlobal(2, EventKind::Load, 32, 4)}), 2u);
  EXPECT_EQ(worstSite({inGlobal(1, EventKind::Load, 32, 4), inShared(2, EventKind::Load, 2, 1)}), 2u);
  EXPECT_EQ(worstSite({inGlobal(1, EventKind::Load), inGlobal(2, EventKind::Atomic, 1, 1)}), 1u);
}

WarpOperation operation(unsigned warp, std::uint32_t mask, unsigned wavefronts, unsigned sectors = 0) {
  WarpOperation made;
  made.warp = warp;
  made.mask = mask;
  made.banks.wavefronts = wavefronts;
  made.sectors = sectors;
  return made;
}

TEST(RequestList, TheWorstOperationIsThatOfTheThreadOfTheWarpOrOfAll) {
  Round round = roundOf({inShared(1, EventKind::Load)});
  round.operations = {operation(0, ~0u, 2), operation(0, 1, 3), operation(0, 1, 3), operation(1, ~0u, 9),
                      operation(2, 6, 1)};
  Request& load = round.requests[0];
  load.operations = {0, 1, 2, 4};  // 3 belongs to another request
  EXPECT_EQ(worstOperation(round, load), 1u) << "the first of those that are alike";
  EXPECT_EQ(worstOperationOfWarp(round, load, 0), 1u);
  EXPECT_EQ(worstOperationOfWarp(round, load, 1), std::nullopt);
  EXPECT_EQ(worstOperationOfWarp(round, load, 2), 4u);
  EXPECT_EQ(worstOperationOfThread(round, load, 0), 1u);
  EXPECT_EQ(worstOperationOfThread(round, load, 5), 0u) << "lane 5 takes part in the first alone";
  EXPECT_EQ(worstOperationOfThread(round, load, 66), 4u);
  EXPECT_EQ(worstOperationOfThread(round, load, 64), std::nullopt);
}

TEST(RequestList, InDeviceMemoryTheWorstOperationHasTheMostSectors) {
  Round round = roundOf({inGlobal(1, EventKind::Load)});
  round.operations = {operation(0, ~0u, 0, 4), operation(1, ~0u, 0, 8), operation(2, ~0u, 0, 8)};
  round.requests[0].operations = {0, 1, 2};
  EXPECT_EQ(worstOperation(round, round.requests[0]), 1u);
}

}  // namespace
}  // namespace stridescope::analysis
