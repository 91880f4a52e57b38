// What the text pass tells of a text, against what a person reads in it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using model::KernelModel;
using model::Operation;

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

}  // namespace
}  // namespace stridescope::instrument
