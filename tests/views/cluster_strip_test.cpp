// Which arrows the strip of a cluster's blocks has.
#include "views/memory/cluster_strip.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

TEST(RemoteArrows, GoTheWayOfTheElementsEachOnce) {
  model::LaunchTrace launch;
  launch.recorded().block = 13;  // the sixth of the second cluster of eight
  launch.recorded().others = {{.kind = "remote store", .clusterRank = 0},
                              {.kind = "remote load", .clusterRank = 7},
                              {.kind = "remote store", .clusterRank = 0},
                              {.kind = "bulk copy to shared"},
                              {.kind = "remote store", .clusterRank = 8}};
  EXPECT_EQ(remoteArrows(launch, {0, 1, 2, 3, 4}, 8),
            (std::vector<RemoteArrow>{{.from = 5, .to = 0}, {.from = 7, .to = 5, .isLoad = true}}));
  EXPECT_EQ(remoteArrows(launch, {1}, 8), (std::vector<RemoteArrow>{{.from = 7, .to = 5, .isLoad = true}}));
  EXPECT_TRUE(remoteArrows(launch, {}, 8).empty());
}

}  // namespace
}  // namespace stridescope::views
