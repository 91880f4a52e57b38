// What the text pass tells of a text, against what a person reads in it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using model::KernelModel;
using model::Operation;
using recording::SiteKind;

KernelModel modelOf(std::string_view text) {
  const auto result = instrument(text);
  EXPECT_TRUE(result) << result.error().line << ": " << result.error().reason;
  return result ? result->model : KernelModel{};
}

std::vector<std::string> namesOf(const KernelModel& kernel) {
  std::vector<std::string> names;
  for (const model::KernelFunction& function : kernel.functions) names.push_back(function.name);
  return names;
}

TEST(KernelModel, FindsFunctionsAndTheirCalls) {
  const KernelModel kernel = modelOf(R"(// int commented(int) { return 0; }
constexpr T limit = 1'000'000;
__device__ T twice(T a) { return 2 * a; }
__device__ void add(T* data, unsigned i) { if (i < 4) { data[i] = twice(data[i]); } }
__device__ T declared(T);
/* T hidden(T) { */
__global__ void __launch_bounds__(256) kernel(const T* in, T* out)
{
    auto f = [](T x) { return x; };
    for (int r = 0; r < 3; ++r)
        add(out, f(1));
    out[0] = in[0];
}
)");
  EXPECT_EQ(namesOf(kernel), (std::vector<std::string>{"twice", "add", "kernel"}));
  EXPECT_FALSE(kernel.functions[0].isKernel);
  EXPECT_TRUE(kernel.functions[2].isKernel);
  EXPECT_EQ(kernel.functions[2].line, 7);
  ASSERT_EQ(kernel.calls.size(), 2u);
  EXPECT_EQ(kernel.calls[0].caller, 1);
  EXPECT_EQ(kernel.calls[0].callee, 0);
  EXPECT_EQ(kernel.calls[0].loop, -1);
  EXPECT_EQ(kernel.calls[1].caller, 2);
  EXPECT_EQ(kernel.calls[1].callee, 1);
  ASSERT_GE(kernel.calls[1].loop, 0);
  EXPECT_EQ(kernel.sites[std::size_t(kernel.calls[1].loop)].operation, Operation::Loop);
}

TEST(KernelModel, TellsVariablesTheirTypesAndPlaces) {
  const KernelModel kernel = modelOf(R"(struct Pack { T values[4]; };
__global__ void kernel(const T* __restrict__ in, T* out, unsigned n)
{
    __shared__ volatile T tile[8][33];
    extern __shared__ T data[];
    const T value = identity, own[4] = {};
    Pack pack = reinterpret_cast<const Pack*>(in)[0];
    unsigned long long large = n;
    out[0] = value;
}
)");
  struct Wanted {
    const char* name;
    model::VariableKind kind;
    const char *type, *extent;
    bool pointer, element;
  };
  using enum model::VariableKind;
  const std::vector<Wanted> wanted{{"in", Parameter, "T", "", true, false},
                                   {"out", Parameter, "T", "", true, false},
                                   {"n", Parameter, "unsigned", "", false, false},
                                   {"tile", Shared, "T", "[8][33]", false, false},
                                   {"data", Shared, "T", "[]", false, false},
                                   {"value", Local, "T", "", false, true},
                                   {"own", Local, "T", "[4]", false, false},
                                   {"pack", Local, "Pack", "", false, false},
                                   {"large", Local, "unsigned long long", "", false, false}};
  ASSERT_EQ(kernel.variables.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const model::KernelVariable& found = kernel.variables[i];
    EXPECT_EQ(found.name, wanted[i].name);
    EXPECT_EQ(found.kind, wanted[i].kind) << found.name;
    EXPECT_EQ(found.type, wanted[i].type) << found.name;
    EXPECT_EQ(found.extent, wanted[i].extent) << found.name;
    EXPECT_EQ(found.pointer, wanted[i].pointer) << found.name;
    EXPECT_EQ(found.element, wanted[i].element) << found.name;
  }
}

// "v" for a variable, the site's text for a site; what is given to a function stands behind its name.
std::string operandsOf(std::string_view text, std::string_view siteText) {
  const auto result = instrument(text);
  if (!result) return result.error().reason;
  std::string operands;
  for (const model::SiteOperand& operand : result->model.operands) {
    if (result->sites[std::size_t(operand.site)].text != siteText) continue;
    if (operand.callee >= 0) operands += result->model.functions[std::size_t(operand.callee)].name + "<";
    operands += operand.source >= 0 ? result->sites[std::size_t(operand.source)].text
                                    : result->model.variables[std::size_t(operand.variable)].name;
    operands += ' ';
  }
  return operands;
}

TEST(KernelModel, NamesTheOperandsOfStoresAndAssignments) {
  const auto inKernel = [](const std::string& statements) {
    return "__device__ T f(T a) { return a; }\n__global__ void k(const T* in, T* data, unsigned i) { T v = "
           "identity; " +
           statements + " }";
  };
  EXPECT_EQ(operandsOf(inKernel("data[i] = combine(data[i], in[i + 1]);"), "data[i]"), "data[i] in[i + 1] ");
  EXPECT_EQ(operandsOf(inKernel("v = combine(v, in[data[i] > v]);"), "v"), "v in[data[i] > v] ");
  EXPECT_EQ(operandsOf(inKernel("data[0] += v;"), "data[0]"), "data[0] v ");
  EXPECT_EQ(operandsOf(inKernel("data[0] = f(v) + f(f(in[1]));"), "data[0]"), "f<v f<in[1] ");
  EXPECT_EQ(operandsOf(inKernel("data[0] = __shfl_down_sync(~0u, v, 1);"), "data[0]"),
            "__shfl_down_sync(~0u, v, 1) ");
}

std::vector<int> stepsOf(const std::string& statements) {
  const KernelModel kernel = modelOf("__global__ void k(T* data, unsigned i) { " + statements + " }");
  std::vector<int> steps;
  for (const model::SiteModel& site : kernel.sites) steps.push_back(site.step);
  return steps;
}

TEST(KernelModel, NumbersTheStepsOfStraightLineCode) {
  using Steps = std::vector<int>;
  EXPECT_EQ(stepsOf("data[i] = combine(data[i], data[i + 2]); data[i] = combine(data[i], data[i + 1]);"),
            (Steps{1, 1, 1, 2, 2, 2}));
  // load, assign; load, assign, store; load, assign, store
  EXPECT_EQ(stepsOf("T v = data[i]; v = combine(v, data[i + 2]); data[i] = v; v = combine(v, data[i + 1]); "
                    "data[i] = v;"),
            (Steps{1, 1, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(stepsOf("data[i] = data[i + 1]; data[i + 2] = data[i + 3];"), (Steps{0, 0, 0, 0}))
      << "copies combine nothing";
  EXPECT_EQ(stepsOf("for (int k = 0; k < 3; ++k) data[i] = combine(data[i], data[i + 1]);"),
            (Steps{0, 0, 0, 0}))
      << "a loop's trips are passes already";
}

TEST(KernelModel, TellsInWhatOrderOthersSeeAnAtomicOperation) {
  const std::string text = R"(constexpr int chosen = 2;
__global__ void kernel(unsigned* words, unsigned i)
{
    unsigned seen = __nv_atomic_load_n(&words[i], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_store_n(&words[max(i, 1u)], max(seen, 2u), __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&words[0], 1u, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_add(&words[0], 1u, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
    __nv_atomic_store_n(&words[1], 1u, /* __NV_ATOMIC_RELEASE */ __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_THREAD);
    seen = __nv_atomic_load_n(&words[2], __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_SYSTEM);
    seen = __nv_atomic_load_n(&words[2], chosen, __NV_THREAD_SCOPE_SYSTEM);
    words[3] = atomicAdd(&words[4], seen);
}
)";
  std::vector<std::string> said;
  for (const model::SiteModel& site : modelOf(text).sites)
    said.push_back(std::string(nameOf(site.operation)) + ": " + std::string(nameOf(site.order)) + ", " +
                   std::string(nameOf(site.scope)));
  EXPECT_EQ(said, (std::vector<std::string>{
                      "load: acquire, system", "store: release, device", "atomic add: acq_rel, block",
                      "atomic add: seq_cst, cluster", "store: relaxed, thread", "load: consume, system",
                      "load: unnamed, system", "atomic add: none, none", "store: none, none"}));
}

TEST(KernelModel, OfATextOfWhichSomeSitesAreRecordedHasThoseAlone) {
  const std::string text =
      "__global__ void k(T* data) { for (int i = 0; i < 3; ++i) { T v = data[i]; data[0] = combine(v, "
      "data[1]); } }";
  auto all = instrument(text);
  ASSERT_TRUE(all);
  std::vector<recording::Site> older;  // without the assignment
  for (const recording::Site& site : all->sites)
    if (site.kind != recording::SiteKind::Assign) older.push_back(site);
  ASSERT_EQ(older.size() + 1, all->sites.size());
  const KernelModel kernel = modelFor(text, older);
  ASSERT_EQ(kernel.sites.size(), older.size());
  for (std::size_t i = 0; i < older.size(); ++i)
    EXPECT_EQ(model::kindOf(kernel.sites[i].operation), older[i].kind);
  older[0].column += 1;
  EXPECT_TRUE(modelFor(text, older).sites.empty()) << "sites that the text has not";
  EXPECT_TRUE(modelFor("no kernel", {}).functions.empty());
}

// The sites of the ladder's kernels, counted by hand in their files.

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
