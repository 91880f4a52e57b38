// What doctor is told of several GPUs and of NCCL, by libraries that stand in for the driver and for NCCL.
#include "measure/gpu/group_status.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "../engine_gpu/stand_in.h"

namespace stridescope::measure::gpu {
namespace {

using engine::GroupStatus, engine::GpuPair;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class GroupOfStandIns : public engine::gpu::StandInTest {
 protected:
  GroupOfStandIns() { ::setenv("STRIDESCOPE_LIBNCCL", STRIDESCOPE_STAND_IN_NCCL_FILE, 1); }
  ~GroupOfStandIns() override { ::unsetenv("STRIDESCOPE_LIBNCCL"); }
};

TEST_F(GroupOfStandIns, TellsWhichGpusDoNotReachEachOther) {
  state->devices = 3;
  GroupStatus status = queryGroup(places);
  EXPECT_EQ(status.gpus, 3u);
  EXPECT_THAT(status.unreached, IsEmpty());
  EXPECT_EQ(status.whyNotAsked, "");
  state->unreachable = 1;
  status = queryGroup(places);
  EXPECT_THAT(status.unreached, ElementsAre(GpuPair{0, 1}, GpuPair{2, 1}));
  EXPECT_EQ(state->contexts, 0) << "a GPU that only is looked at has no context";
}

TEST_F(GroupOfStandIns, TellsTheVersionAndTheFileOfNccl) {
  const GroupStatus status = queryGroup(places);
  EXPECT_EQ(status.gpus, 1u);
  EXPECT_EQ(status.ncclVersion, "2.28.3");
  EXPECT_THAT(status.ncclLibrary, HasSubstr("stand_in_nccl"));
  EXPECT_EQ(status.whyNoNccl, "");
}

TEST_F(GroupOfStandIns, TellsWhatIsMissingInASentence) {
  ::setenv("STRIDESCOPE_LIBNCCL", "/nowhere/libnccl.so.2", 1);
  places.driver = "/nowhere/libcuda.so.1";
  const GroupStatus status = queryGroup(places);
  EXPECT_EQ(status.gpus, 0u);
  EXPECT_THAT(status.whyNotAsked, HasSubstr("driver"));
  EXPECT_EQ(status.ncclLibrary, "");
  EXPECT_THAT(status.whyNoNccl, HasSubstr("No NCCL was found"));
}

TEST_F(GroupOfStandIns, TellsThatTheDriverDoesNotAnswer) {
  state->devices = 2;
  fail("cuDeviceCanAccessPeer", 999, 1);
  EXPECT_THAT(queryGroup(places).whyNotAsked, HasSubstr("whether GPU 0 can use the memory of GPU 1"));
}

}  // namespace
}  // namespace stridescope::measure::gpu
