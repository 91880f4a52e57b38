// What the process that runs a person's kernel tells of its blocks has no experiment, and arrives all the
// same.
#include <gtest/gtest.h>

#include "engine/access/gpu_access.h"
#include "engine/worker/byte_archive.h"

namespace stridescope::engine::access {
namespace {

TEST(TimelineMessage, ARecordWithoutExperimentIsReadAsItWasWritten) {
  model::TimelineRecord sent{.experiment = {},
                             .kernelHash = {},
                             .executor = {.kind = model::EngineKind::Gpu,
                                          .device = "NVIDIA H100 80GB HBM3",
                                          .computeCapability = "9.0",
                                          .driver = "580.159.04",
                                          .compiler = "NVRTC 13.0",
                                          .recordedOn = "2026-11-28"},
                             .multiprocessors = 132,
                             .runs = 21,
                             .cleanMicroseconds = 8.16,
                             .markedMicroseconds = 10.11,
                             .nanoseconds = 1820,
                             .launches = {{.block = 256, .residentBlocks = 8, .blocks = {}}}};
  sent.launches.front().blocks.push_back({.start = 3, .nanoseconds = 1700, .multiprocessor = 131});
  worker::ByteWriter writer;
  writer(sent);
  worker::ByteReader reader(writer.bytes());
  model::TimelineRecord arrived;
  reader(arrived);
  EXPECT_TRUE(reader.isComplete());
  EXPECT_EQ(arrived, sent);
}

}  // namespace
}  // namespace stridescope::engine::access
