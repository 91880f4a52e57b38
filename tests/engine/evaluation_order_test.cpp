// What an expression records comes in one order, whichever compiler has compiled it: what C++ leaves open
// from left to right, all else as C++ has it. The expected order is written out by hand from C++'s rules.
#include <gtest/gtest.h>

#include <algorithm>

#include "text_kernel.h"

namespace {

namespace open_order {
ADDING_PREAMBLE(int)
#include "instrumented/evaluation_order.inc"
}  // namespace open_order

}  // namespace

namespace stridescope::engine {
namespace {

struct Line {
  const char* begin;     // of the statement's line in the text
  const char* recorded;  // the texts of its sites, each behind a bar; an update is two
};

// in[k] is k.
const std::vector<Line> kLines{
    {"x = in[0] - in[1] * in[2];", "|in[0]|in[1]|in[2]"},
    {"x = combine(in[0], in[1]);", "|in[0]|in[1]"},
    {"x = combine(in[0] + in[1], -in[2]) - own", "|in[0]|in[1]|in[2]|in[3]"},
    {"x = in[0] < in[1] &&", "|in[0]|in[1]|in[2]|in[3]"},
    {"x = (in[0] > in[1] ?", "|in[0]|in[1]|in[3]|in[4]|in[5]"},
    {"x = in[0] << in[1]", "|in[0]|in[1]|in[2]"},
    {"x = (in[0], in[1]) +", "|in[0]|in[1]|in[2]|in[3]"},
    {"x = max(in[0], in[1])", "|in[0]|in[1]|in[2]|in[3]"},
    {"data[in[1]] = in[2]", "|in[2]|in[3]|in[1]|data[in[1]]"},
    {"data[in[1]] += in[2]", "|in[2]|in[3]|in[1]|data[in[1]]|data[in[1]]"},
    {"data[in[1]] = data[in[2]]", "|in[3]|in[2]|data[in[2]]|in[1]|data[in[1]]"},
    {"own[in[1]] = own[in[2]]", "|in[2]|in[3]|in[1]"},
    {"x = (data[0] = in[0])", "|in[0]|data[0]|in[1]|data[1]"},
    {"x = data[0]++", "|data[0]|data[0]|data[1]|data[1]|data[2]|data[2]"},
    {"x = tile[in[1]]", "|in[1]|in[2]|tile[in[1]][in[2]]"},
    {"tile[in[1]][in[2]] = tile", "|in[3]|in[4]|tile[in[3]][in[4]]|in[1]|in[2]|tile[in[1]][in[2]]"},
    {"tile[in[1]][in[2]] += in", "|in[3]|in[1]|in[2]|tile[in[1]][in[2]]|tile[in[1]][in[2]]"},
    {"x = from(data, in[1])[in[2]]", "|in[1]|in[2]|from(data, in[1])[in[2]]|in[3]"},
    {"x = *p * *(p + in[1])", "|*p|in[1]|*(p + in[1])|in[2]|*from(data, in[2])"},
    {"x = difference(in) *", "|p[0]|p[1]|p[0]|p[1]|in[4]"},
    {"x = given(in[0], in[1])", "|in[0]|in[1]|a|b|in[2]|a|b"},
    {"x = orNone(0", "|in[0]|in[1]"},
    {"put(data", "|in[1]|in[2]|to[at]"},
    {"x = atomicAdd(", "|in[0]|in[1]|atomicAdd(&data[in[0]], in[1])|in[2]"},
    {"x = Two{in[0]", "|in[0]|in[1]|in[2]"},
    {"x = f(0) * f(2);", "|in[k]|in[k + 1]|in[k]|in[k + 1]"},
    {"x = eager[0]", "|eager[0]|eager[1]"},
    {"if (in[0] + in[1] <", "|in[0]|in[1]|in[2]|in[0] + in[1] < in[2]|in[3]"},
    {"for (x = in[0] +",
     "|in[0]|in[1]|in[2]|in[3]|x < in[2] + in[3]|in[4]|in[5]|in[2]|in[3]|x < in[2] + in[3]"},
    {"T y = in[0]", "|in[0]|in[1]|y|in[2]|in[3]|z"},
    {"x = (y = in[0]) +", "|in[0]|y|in[1]|z"},
    {"out[in[0]] = out", "|in[1]|out[in[1]]|in[0]|out[in[0]]"},
};

std::vector<std::string> linesOf(const std::string& name) {
  std::ifstream file(std::string(STRIDESCOPE_KERNEL_TEXTS) + "/" + name + ".cu");
  std::vector<std::string> lines(1);  // they count from 1
  for (std::string line; std::getline(file, line);)
    lines.push_back(line.substr(std::min(line.size(), line.find_first_not_of(' '))));
  return lines;
}

class EvaluationOrder : public testing::Test {
 protected:
  static HandRun run() {
    std::vector<int> in(16), out(16, 0);
    for (int k = 0; k < 16; ++k) in[std::size_t(k)] = k;
    Arguments arguments(in, out);
    return runText<open_order::evaluation_order>(arguments, launchOf(1, 1));
  }
};

TEST_F(EvaluationOrder, IsThatOfTheText) {
  const HandRun ran = run();
  ASSERT_EQ(ran.outcome, recording::BlockOutcome::Finished);
  const auto sites = sitesOfText("evaluation_order");
  const auto lines = linesOf("evaluation_order");
  std::string all, expected;
  for (const model::Event& event : ran.eventsOf(0)) all += "|" + sites.at(event.site()).text;
  for (const Line& line : kLines) expected += line.recorded;
  // What stands before the first of these lines ends with the barrier.
  const std::string barrier = "|__syncthreads()";
  ASSERT_NE(all.find(barrier), std::string::npos);
  EXPECT_EQ(all.substr(all.find(barrier) + barrier.size()), expected);
  for (const Line& line : kLines)
    EXPECT_TRUE(std::ranges::any_of(lines, [&](const std::string& each) {
      return each.starts_with(line.begin);
    })) << line.begin;
}

// Ids follow evaluation: within a statement of the kernel no event's site has a lesser id than the one
// before.
TEST_F(EvaluationOrder, IsThatOfTheSites) {
  const auto sites = sitesOfText("evaluation_order");
  const auto events = run().eventsOf(0);
  int compared = 0;
  for (std::size_t i = 1; i < events.size(); ++i) {
    const recording::Site &before = sites.at(events[i - 1].site()), &after = sites.at(events[i].site());
    if (before.statement != after.statement || !before.loops.empty()) continue;
    if (before.text.starts_with("in[k") || before.text.starts_with("p[")) continue;  // called twice in it
    ++compared;
    EXPECT_LE(before.id, after.id) << before.text << " before " << after.text << " in line " << after.line;
  }
  EXPECT_GE(compared, 50);
}

}  // namespace
}  // namespace stridescope::engine
