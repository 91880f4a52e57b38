// The sites of the ladder's kernels, counted by hand in their files.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using recording::SiteKind;

// `line` is counted from the first line of code, so that the comment above it may be reworded.
struct ExpectedSite {
  SiteKind kind;
  int line, column;
  std::string text;
  friend bool operator==(const ExpectedSite&, const ExpectedSite&) = default;
  friend std::ostream& operator<<(std::ostream& out, const ExpectedSite& site) {
    return out << static_cast<int>(site.kind) << " " << site.line << ":" << site.column << " " << site.text;
  }
};

constexpr SiteKind kLoad = SiteKind::Load;
constexpr SiteKind kStore = SiteKind::Store;
constexpr SiteKind kBranch = SiteKind::Branch;
constexpr SiteKind kLoop = SiteKind::Loop;
constexpr SiteKind kBarrier = SiteKind::BlockBarrier;
constexpr SiteKind kWarp = SiteKind::WarpOperation;
constexpr SiteKind kAssign = SiteKind::Assign;

std::vector<ExpectedSite> sitesOf(const std::string& kernel) {
  std::ifstream file(std::string(STRIDESCOPE_KERNELS) + "/" + kernel + ".cu");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  int comments = 0;
  for (std::size_t at = 0; text.compare(at, 2, "//") == 0; at = text.find('\n', at) + 1) ++comments;
  const auto result = instrument(text);
  EXPECT_TRUE(result) << result.error().reason;
  std::vector<ExpectedSite> sites;
  if (!result) return sites;
  for (const recording::Site& site : result->sites) {
    sites.push_back({site.kind, site.line - comments, site.column, site.text});
    EXPECT_EQ(site.length, static_cast<int>(site.text.size()));
  }
  EXPECT_EQ(result->kernel, kernel);
  EXPECT_EQ(result->parameters, (std::vector<std::string>{"in", "out"}));
  EXPECT_EQ(result->shared.size(), 1u);
  return sites;
}

TEST(KernelSites, InterleavedModulo) {
  EXPECT_EQ(sitesOf("interleaved_modulo"), (std::vector<ExpectedSite>{
                                               {kLoad, 5, 17, "in[blockIdx.x * blockDim.x + tid]"},
                                               {kStore, 5, 5, "data[tid]"},
                                               {kBarrier, 6, 5, "__syncthreads()"},
                                               {kLoop, 8, 26, "s < blockDim.x"},
                                               {kBranch, 9, 13, "tid % (2 * s) == 0"},
                                               {kLoad, 10, 33, "data[tid]"},
                                               {kLoad, 10, 44, "data[tid + s]"},
                                               {kStore, 10, 13, "data[tid]"},
                                               {kBarrier, 11, 9, "__syncthreads()"},
                                               {kBranch, 13, 9, "tid == 0"},
                                               {kLoad, 13, 37, "data[0]"},
                                               {kStore, 13, 19, "out[blockIdx.x]"},
                                           }));
}

TEST(KernelSites, InterleavedContiguous) {
  EXPECT_EQ(sitesOf("interleaved_contiguous"), (std::vector<ExpectedSite>{
                                                   {kLoad, 5, 17, "in[blockIdx.x * blockDim.x + tid]"},
                                                   {kStore, 5, 5, "data[tid]"},
                                                   {kBarrier, 6, 5, "__syncthreads()"},
                                                   {kLoop, 8, 26, "s < blockDim.x"},
                                                   {kBranch, 10, 13, "index < blockDim.x"},
                                                   {kLoad, 11, 35, "data[index]"},
                                                   {kLoad, 11, 48, "data[index + s]"},
                                                   {kStore, 11, 13, "data[index]"},
                                                   {kBarrier, 12, 9, "__syncthreads()"},
                                                   {kBranch, 14, 9, "tid == 0"},
                                                   {kLoad, 14, 37, "data[0]"},
                                                   {kStore, 14, 19, "out[blockIdx.x]"},
                                               }));
}

TEST(KernelSites, Sequential) {
  EXPECT_EQ(sitesOf("sequential"), (std::vector<ExpectedSite>{
                                       {kLoad, 5, 17, "in[blockIdx.x * blockDim.x + tid]"},
                                       {kStore, 5, 5, "data[tid]"},
                                       {kBarrier, 6, 5, "__syncthreads()"},
                                       {kLoop, 8, 39, "s > 0"},
                                       {kBranch, 9, 13, "tid < s"},
                                       {kLoad, 10, 33, "data[tid]"},
                                       {kLoad, 10, 44, "data[tid + s]"},
                                       {kStore, 10, 13, "data[tid]"},
                                       {kBarrier, 11, 9, "__syncthreads()"},
                                       {kBranch, 13, 9, "tid == 0"},
                                       {kLoad, 13, 37, "data[0]"},
                                       {kStore, 13, 19, "out[blockIdx.x]"},
                                   }));
}

TEST(KernelSites, FirstAddOnLoad) {
  EXPECT_EQ(sitesOf("first_add_on_load"), (std::vector<ExpectedSite>{
                                              {kLoad, 6, 25, "in[i]"},
                                              {kLoad, 6, 32, "in[i + blockDim.x]"},
                                              {kStore, 6, 5, "data[tid]"},
                                              {kBarrier, 7, 5, "__syncthreads()"},
                                              {kLoop, 9, 39, "s > 0"},
                                              {kBranch, 10, 13, "tid < s"},
                                              {kLoad, 11, 33, "data[tid]"},
                                              {kLoad, 11, 44, "data[tid + s]"},
                                              {kStore, 11, 13, "data[tid]"},
                                              {kBarrier, 12, 9, "__syncthreads()"},
                                              {kBranch, 14, 9, "tid == 0"},
                                              {kLoad, 14, 37, "data[0]"},
                                              {kStore, 14, 19, "out[blockIdx.x]"},
                                          }));
}

TEST(KernelSites, UnrolledLastWarp) {
  std::vector<ExpectedSite> expected{{kLoad, 3, 15, "data[tid]"}, {kAssign, 3, 7, "value"}};
  int line = 4;
  for (const char* partner : {"32", "16", " 8", " 4", " 2", " 1"}) {
    expected.push_back({kLoad, line, 28, "data[tid + " + std::string(partner) + "]"});
    expected.push_back({kAssign, line, 5, "value"});
    expected.push_back({kWarp, line, 45, "__syncwarp()"});
    expected.push_back({kStore, line + 1, 5, "data[tid]"});
    expected.push_back({kWarp, line + 1, 45, "__syncwarp()"});
    line += 2;
  }
  const std::vector<ExpectedSite> kernel{
      {kLoad, 23, 25, "in[i]"},      {kLoad, 23, 32, "in[i + blockDim.x]"},
      {kStore, 23, 5, "data[tid]"},  {kBarrier, 24, 5, "__syncthreads()"},
      {kLoop, 26, 39, "s > 32"},     {kBranch, 27, 13, "tid < s"},
      {kLoad, 28, 33, "data[tid]"},  {kLoad, 28, 44, "data[tid + s]"},
      {kStore, 28, 13, "data[tid]"}, {kBarrier, 29, 9, "__syncthreads()"},
      {kBranch, 31, 9, "tid < 32"},  {kBranch, 32, 9, "tid == 0"},
      {kLoad, 32, 37, "data[0]"},    {kStore, 32, 19, "out[blockIdx.x]"},
  };
  expected.insert(expected.end(), kernel.begin(), kernel.end());
  EXPECT_EQ(sitesOf("unrolled_last_warp"), expected);
}

}  // namespace
}  // namespace stridescope::instrument
