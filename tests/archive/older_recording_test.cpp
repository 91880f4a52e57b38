// Recordings of before format 4 do not say what their arrays hold and are for: it is found out when they are
// opened. The shipped ones were made then.
#include <gtest/gtest.h>

#include <set>

#include "archive/recording_file.h"
#include "kernels/catalog.h"

namespace stridescope::archive {
namespace {

std::filesystem::path shipped(const char* name) {
  return std::filesystem::path(STRIDESCOPE_SOURCE) / "assets/recordings" / name;
}

// The catalogue's buffers, in the order of the kernel's parameters.
void expectRolesOfTheCatalogue(const model::Trace& trace) {
  const kernels::Variant* const variant = kernels::findVariant(trace.experiment.variant);
  ASSERT_NE(variant, nullptr);
  for (const model::LaunchTrace& launch : trace.launches) {
    std::size_t at = 0;
    for (const kernels::Parameter& parameter : variant->parameters) {
      if (!model::isBuffer(parameter.role)) continue;
      ASSERT_LT(at, launch.buffers.size());
      EXPECT_EQ(launch.buffers[at].role, parameter.role) << parameter.name;
      EXPECT_EQ(launch.buffers[at].type, parameter.elementType(trace.experiment.type)) << parameter.name;
      ++at;
    }
    EXPECT_EQ(at, launch.buffers.size());
    for (const model::Array& array : launch.shared) EXPECT_EQ(array.role, std::nullopt);
  }
}

TEST(OlderRecordings, GetTheRolesThatTheCatalogueHas) {
  std::set<std::string> variants;
  for (const char* name : {"h100-merges.stride", "h100-variants.stride"}) {
    const auto index = readIndex(shipped(name));
    ASSERT_TRUE(index) << index.error().sentence;
    for (const RecordingEntry& entry : index->traces) {
      if (!variants.insert(entry.experiment.variant).second) continue;
      SCOPED_TRACE(entry.experiment.variant);
      const auto trace = readTrace(shipped(name), entry.id);
      ASSERT_TRUE(trace) << trace.error().sentence;
      expectRolesOfTheCatalogue(*trace);
    }
  }
  EXPECT_GE(variants.size(), 15u);
  EXPECT_TRUE(variants.contains("k_way_merge"));
  EXPECT_TRUE(variants.contains("single_pass"));
}

// heads of the experiment's type; the numbers of the lists beside them are no elements.
TEST(OlderRecordings, GetTheTypesOfSharedArraysFromTheirText) {
  const auto index = readIndex(shipped("h100-merges.stride"));
  ASSERT_TRUE(index) << index.error().sentence;
  for (const RecordingEntry& entry : index->traces) {
    if (entry.experiment.variant != "k_way_merge") continue;
    const auto trace = readTrace(shipped("h100-merges.stride"), entry.id);
    ASSERT_TRUE(trace) << trace.error().sentence;
    const auto& shared = trace->launches.at(0).shared;
    ASSERT_EQ(shared.size(), 2u);
    EXPECT_EQ(shared[0].type, entry.experiment.type);
    EXPECT_EQ(shared[1].type, std::nullopt);
    return;
  }
  FAIL() << "no merge";
}

}  // namespace
}  // namespace stridescope::archive
