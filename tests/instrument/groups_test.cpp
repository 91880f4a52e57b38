// Cooperative groups: what of them becomes a site, and that the rest is refused.
#include <gtest/gtest.h>

#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using recording::SiteKind;

const std::string kGroupsHead =
    "#include <cooperative_groups.h>\n"
    "#include <cooperative_groups/reduce.h>\n"
    "namespace cg = cooperative_groups;\n"
    "__global__ void k(const T* in, T* data, int n) { cg::thread_block block = cg::this_thread_block(); "
    "auto tile = cg::tiled_partition<32>(block); int x = 0; int i = 0;\n";

std::string become(const std::string& statement) {
  const auto result = instrument(kGroupsHead + statement + "\n}");
  if (!result) return "refused: " + result.error().reason;
  if (!result->text.starts_with(kGroupsHead)) return "changed the head: " + result->text;
  return result->text.substr(kGroupsHead.size(), result->text.size() - kGroupsHead.size() - 2);
}

TEST(Groups, BecomeSites) {
  EXPECT_EQ(become("block.sync();"), "recording::syncthreads(0);");
  EXPECT_EQ(become("cg::sync(block);"), "recording::syncthreads(0);");
  EXPECT_EQ(become("cooperative_groups::sync ( block );"), "recording::syncthreads(0);");
  EXPECT_EQ(become("x = cg::reduce(tile, x, combine);"), "x = RECORDING_REDUCE_GROUP(0, tile, x, combine);");
  EXPECT_EQ(
      become("data[i] = cg::reduce(tile, in[i], combine);"),
      "recording::store(2, data, i) = RECORDING_REDUCE_GROUP(1, tile, recording::load(0, in, i), combine);");
  EXPECT_EQ(become("if (tile.thread_rank() == 0) data[tile.meta_group_rank()] = x;"),
            "if (recording::branch(0, tile.thread_rank() == 0)) "
            "recording::store(1, data, tile.meta_group_rank()) = x;");
  EXPECT_EQ(become("i = tile.meta_group_size() + tile.size() + block.thread_rank() + block.size();"),
            "i = tile.meta_group_size() + tile.size() + block.thread_rank() + block.size();");
  EXPECT_EQ(
      become(
          "auto half = cg::tiled_partition<16>(cg::this_thread_block()); x = cg::reduce(half, x, combine);"),
      "auto half = cg::tiled_partition<16>(cg::this_thread_block()); x = RECORDING_REDUCE_GROUP(0, half, x, "
      "combine);");
}

TEST(Groups, AClusterMeetsAndMapsSharedMemory) {
  EXPECT_EQ(become("auto cluster = cg::this_cluster(); cluster.sync();"),
            "auto cluster = cg::this_cluster(); recording::synccluster(0);");
  EXPECT_EQ(become("__shared__ T mine[2]; auto all = cg::this_cluster(); i = all.num_blocks(); "
                   "T* first = all.map_shared_rank(mine, 0); first[all.block_rank()] = x;"),
            "RECORDING_SHARED_STATIC(0, mine, T, [2]); auto all = cg::this_cluster(); i = all.num_blocks(); "
            "T* first = all.map_shared_rank(mine, 0); recording::store(0, first, all.block_rank()) = x;");
}

TEST(Groups, SitesNameTheTextAndItsKind) {
  const auto result =
      instrument(kGroupsHead + "x = cg::reduce(tile,\n  in[0], combine);\n  block.sync();\n}");
  ASSERT_TRUE(result) << result.error().reason;
  ASSERT_EQ(result->sites.size(), 3u);
  EXPECT_EQ(result->sites[1].kind, SiteKind::WarpOperation);
  EXPECT_EQ(result->sites[1].text, "cg::reduce(tile,\n  in[0], combine)");
  EXPECT_EQ(result->sites[1].line, 5);
  EXPECT_EQ(result->sites[1].column, 5);
  EXPECT_EQ(result->sites[2].kind, SiteKind::BlockBarrier);
  EXPECT_EQ(result->sites[2].text, "block.sync()");
  EXPECT_EQ(result->sites[2].line, 7);
  EXPECT_EQ(result->includes,
            (std::vector<std::string>{"cooperative_groups.h", "cooperative_groups/reduce.h"}));
  EXPECT_TRUE(instrument("__global__ void k() {}")->includes.empty());
}

TEST(Groups, PassAsParameters) {
  const auto result = instrument(
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__device__ T f(cg::thread_block_tile<32> tile, T v) { return cg::reduce(tile, v, combine); }\n"
      "__global__ void k(T* out) { auto warp = cg::tiled_partition<32>(cg::this_thread_block()); out[0] = "
      "f(warp, 1); }");
  ASSERT_TRUE(result) << result.error().column << result.error().reason;
  EXPECT_NE(result->text.find("return RECORDING_REDUCE_GROUP(1, tile, v, combine);"), std::string::npos);
}

TEST(Groups, RefuseTheRest) {
  for (const char* statement : {"tile.sync();",
                                "x = tile.shfl_down(x, 1);",
                                "x = cg::reduce(tile, x, cg::plus<T>());",
                                "x = cg::reduce(block, x, combine);",
                                "x = cg::inclusive_scan(tile, x);",
                                "auto g = cg::this_grid();",
                                "auto g = cg::coalesced_threads();",
                                "cg::sync(tile);",
                                "auto b = block;",
                                "cg::this_thread_block().sync();",
                                "x = cg::reduce(tile, x);",
                                "auto f = &block;",
                                "auto c = cg::this_cluster(); c.barrier_arrive();",
                                "auto c = cg::this_cluster(); i = c.thread_rank();",
                                "cg::this_cluster().sync();",
                                "tile.meta_group_rank;",
                                "block.meta_group_rank();",
                                "cg::thread_block;",
                                "using namespace cg;",
                                "block\n.sync();",
                                "x = cg;",
                                "block.group_index();",
                                "x = other::reduce(tile, x, combine);",
                                "namespace d = cooperative_groups;"}) {
    const std::string text = become(statement);
    const bool refused = text.starts_with("refused: ") && (text.ends_with(".") || text.ends_with(";"));
    const bool harmless = std::string(statement).starts_with("namespace d");  // a second alias
    EXPECT_TRUE(refused || harmless) << statement << " became " << text;
  }
}

TEST(Groups, NeedTheirHeader) {
  const auto result = instrument("__global__ void k() { cg::thread_block block = cg::this_thread_block(); }");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().column, 23);
  EXPECT_NE(result.error().reason.find("#include <cooperative_groups.h>"), std::string::npos);
  // Without the header their words are free.
  EXPECT_TRUE(instrument("__global__ void k() { int thread_block = 1, tile = thread_block; }"));
}

}  // namespace
}  // namespace stridescope::instrument
