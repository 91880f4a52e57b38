// Ids follow evaluation, so that the traces of different compilers agree; statements and loops as analysis
// needs them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

using recording::Site;
using recording::SiteKind;
using Texts = std::vector<std::string>;

std::vector<Site> orderedSitesOf(const std::string& statements) {
  const auto result =
      instrument("__global__ void k(T* a, T* b, int n) { int i = 0; int x = 0;\n" + statements + "\n}\n");
  EXPECT_TRUE(result) << result.error().reason;
  return result ? result->sites : std::vector<Site>{};
}

Texts textsOf(const std::string& statements) {
  Texts texts;
  for (const Site& site : orderedSitesOf(statements)) texts.push_back(site.text);
  return texts;
}

TEST(SiteOrder, StoreAtTheEndOfItsStatement) {
  EXPECT_EQ(textsOf("a[i] = b[0] + b[1];"), (Texts{"b[0]", "b[1]", "a[i]"}));
  EXPECT_EQ(textsOf("a[b[0]] += b[1];"), (Texts{"b[1]", "b[0]", "a[b[0]]"}));
  EXPECT_EQ(textsOf("a[0] = a[1] = b[2];"), (Texts{"b[2]", "a[1]", "a[0]"}));
  EXPECT_EQ(textsOf("a[0] = b[0], a[1] = b[1];"), (Texts{"b[0]", "a[0]", "b[1]", "a[1]"}));
  EXPECT_EQ(textsOf("x = (a[0] = b[0]) + b[1];"), (Texts{"b[0]", "a[0]", "b[1]"}));
  EXPECT_EQ(textsOf("i ? a[0] = b[0] : a[1] = b[1];"), (Texts{"b[0]", "a[0]", "b[1]", "a[1]"}));
}

// As C++ has it: the value comes before the target, and so does what the value's own assignments do.
TEST(SiteOrder, ValueBeforeItsTarget) {
  EXPECT_EQ(textsOf("a[b[0]] = a[b[1]] = b[2]   ;"), (Texts{"b[2]", "b[1]", "a[b[1]]", "b[0]", "a[b[0]]"}));
  EXPECT_EQ(textsOf("T own[2]; own[a[0]] = b[0], x = a[1];"), (Texts{"b[0]", "a[0]", "a[1]"}));
  EXPECT_EQ(textsOf("i ? a[b[0]] = b[1] : a[b[2]] = b[3];"),
            (Texts{"b[1]", "b[0]", "a[b[0]]", "b[3]", "b[2]", "a[b[2]]"}));
  EXPECT_EQ(textsOf("for (; i < n; a[b[0]] = b[1]) x = b[2];"),
            (Texts{"i < n", "b[2]", "b[1]", "b[0]", "a[b[0]]"}));
  EXPECT_EQ(textsOf("a[(b[a[0]] = a[1])] = a[2];"),
            (Texts{"a[2]", "a[1]", "a[0]", "b[a[0]]", "a[(b[a[0]] = a[1])]"}));
}

TEST(SiteOrder, StepsWhereTheyStand) {
  EXPECT_EQ(textsOf("x = a[0]++ + --a[1] + b[0];"), (Texts{"a[0]", "a[1]", "b[0]"}));
  EXPECT_EQ(textsOf("x = (a[0])-- * b[a[1]++];"), (Texts{"a[0]", "a[1]", "b[a[1]++]"}));
}

TEST(SiteOrder, AssignmentAtTheEndOfItsExpression) {
  EXPECT_EQ(textsOf("T v = a[0] + b[0];"), (Texts{"a[0]", "b[0]", "v"}));
  EXPECT_EQ(textsOf("T v = a[0], w = b[0];"), (Texts{"a[0]", "v", "b[0]", "w"}));
  EXPECT_EQ(textsOf("T v; a[1] = v = a[0];"), (Texts{"a[0]", "v", "a[1]"}));
}

TEST(SiteOrder, BranchAfterItsLoads) {
  EXPECT_EQ(textsOf("if (a[0] > b[0]) a[1] = 1;"), (Texts{"a[0]", "b[0]", "a[0] > b[0]", "a[1]"}));
  EXPECT_EQ(textsOf("while (a[0]) x = b[0];"), (Texts{"a[0]", "a[0]", "b[0]"}));
  EXPECT_EQ(textsOf("do x = b[0]; while (a[0] > 1);"), (Texts{"b[0]", "a[0]", "a[0] > 1"}));
}

TEST(SiteOrder, AtomicAndWarpOperationAfterTheirOperands) {
  EXPECT_EQ(textsOf("a[0] = atomicAdd(&a[1], b[0]);"), (Texts{"b[0]", "atomicAdd(&a[1], b[0])", "a[0]"}));
  EXPECT_EQ(textsOf("x = __shfl_down_sync(~0u, b[0], 1) + b[1];"),
            (Texts{"b[0]", "__shfl_down_sync(~0u, b[0], 1)", "b[1]"}));
}

TEST(SiteOrder, IncrementAfterTheBody) {
  EXPECT_EQ(textsOf("for (x = a[0]; x < a[1]; x += a[2]) { b[0] = a[3]; }"),
            (Texts{"a[0]", "a[1]", "x < a[1]", "a[3]", "b[0]", "a[2]"}));
  EXPECT_EQ(textsOf("for (;; a[0]++) x = b[0];"), (Texts{"for (;; a[0]++)", "b[0]", "a[0]"}));
}

TEST(SiteOrder, IncrementsOfNestedLoopsThatEndTogether) {
  EXPECT_EQ(textsOf("for (; i < n; a[0]++) for (; i > n; a[1]++) x = b[0];"),
            (Texts{"i < n", "i > n", "b[0]", "a[1]", "a[0]"}));
}

TEST(SiteOrder, StoresOfAnIncrementKeepTheirOrder) {
  EXPECT_EQ(textsOf("for (; i < n; a[0] = b[0], a[1] = b[1]) i++;"),
            (Texts{"i < n", "b[0]", "a[0]", "b[1]", "a[1]"}));
}

TEST(SiteLoops, OutermostFirstAndTheLoopItselfLast) {
  const auto sites =
      orderedSitesOf("for (x = a[0]; i < n; i++) { while (a[1] > 0) { if (i) b[0] = 1; } }\na[2] = 1;");
  ASSERT_EQ(sites.size(), 7u);
  EXPECT_EQ(sites[0].loops, std::vector<int>{});        // a[0]: once, before the loop
  EXPECT_EQ(sites[1].loops, (std::vector<int>{1}));     // i < n
  EXPECT_EQ(sites[2].loops, (std::vector<int>{1, 3}));  // a[1]: in the inner condition
  EXPECT_EQ(sites[3].loops, (std::vector<int>{1, 3}));  // a[1] > 0
  EXPECT_EQ(sites[4].loops, (std::vector<int>{1, 3}));  // if (i)
  EXPECT_EQ(sites[5].loops, (std::vector<int>{1, 3}));  // b[0]
  EXPECT_EQ(sites[6].loops, std::vector<int>{});        // a[2]
  EXPECT_EQ(sites[3].kind, SiteKind::Loop);
  EXPECT_EQ(sites[4].kind, SiteKind::Branch);
}

TEST(SiteLoops, DoWhileAndEndless) {
  const auto sites = orderedSitesOf("do { a[0] = 1; } while (i < n);\nfor (;; a[1]++) b[0] = 1;");
  ASSERT_EQ(sites.size(), 5u);
  EXPECT_EQ(sites[0].loops, (std::vector<int>{1}));  // a[0]
  EXPECT_EQ(sites[1].loops, (std::vector<int>{1}));  // i < n
  EXPECT_EQ(sites[2].loops, (std::vector<int>{2}));  // for (;; a[1]++)
  EXPECT_EQ(sites[3].loops, (std::vector<int>{2}));  // b[0]
  EXPECT_EQ(sites[4].loops, (std::vector<int>{2}));  // a[1]
}

TEST(SiteStatements, PartsOfAStatementShareItsNumber) {
  const auto sites = orderedSitesOf("x = a[0] + a[1]; x = a[2]; if (a[3]) x = a[4]; else x = a[5];");
  ASSERT_EQ(sites.size(), 7u);
  EXPECT_EQ(sites[0].statement, sites[1].statement);
  EXPECT_NE(sites[1].statement, sites[2].statement);
  EXPECT_EQ(sites[3].statement, sites[4].statement);  // a[3] and the branch on it
  EXPECT_NE(sites[4].statement, sites[5].statement);
  EXPECT_NE(sites[5].statement, sites[6].statement);
}

TEST(SiteStatements, PartsOfAForsHeadAreStatements) {
  const auto sites = orderedSitesOf("for (x = a[0]; x < a[1]; x += a[2]) x = a[3];");
  ASSERT_EQ(sites.size(), 5u);
  EXPECT_NE(sites[0].statement, sites[1].statement);
  EXPECT_NE(sites[1].statement, sites[4].statement);
  EXPECT_NE(sites[3].statement, sites[4].statement);
}

TEST(SiteStatements, BracesOfAnInitializerDoNotEndOne) {
  const auto sites = orderedSitesOf("T y[2] = {a[0], a[1]}; int z = a[2];");
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(sites[0].statement, sites[1].statement);
  EXPECT_NE(sites[1].statement, sites[2].statement);
}

}  // namespace
}  // namespace stridescope::instrument
