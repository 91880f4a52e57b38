// The sentences that Why makes of the shipped recording's times, over all variants and sizes: read back as a
// person reads them, and held to the recording's numbers by arithmetic of this test's own.
#include "narration/why_sentences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "analysis/reduction_cost.h"
#include "kernels/catalog.h"
#include "lesson_prices.h"

namespace stridescope::views::test {
namespace {

using analysis::PricedKind;
using analysis::PricedStep;
using analysis::ReductionCost;

// "8.03 µs", "24.8 ms": microseconds.
double microsecondsIn(const std::string& text) {
  static const std::regex shape(R"(([0-9.]+)\D*? ?(µs|ms|s))");
  std::smatch parts;
  if (!std::regex_search(text, parts, shape)) return NAN;
  const double unit = parts[2] == "µs" ? 1 : parts[2] == "ms" ? 1e3 : 1e6;
  return std::stod(parts[1]) * unit;
}

// Three figures are told of a time.
void expectTold(const std::string& told, double microseconds) {
  EXPECT_NEAR(microsecondsIn(told), microseconds, std::abs(microseconds) * 0.0051 + 0.0051) << told;
}

std::string nameOfStep(PricedKind kind, std::optional<std::uint64_t> stride, unsigned launch) {
  switch (kind) {
    case PricedKind::Stride:
      return "stride " + std::to_string(*stride);
    case PricedKind::Launch:
      return "launch " + std::to_string(launch);
    default:
      return std::string(analysis::nameOf(kind));
  }
}

// The steps that a phrase names: "the load and strides 8 to 2", "launch 2", "strides 4 and 1".
std::set<std::string> stepsNamed(std::string phrase) {
  static const std::map<std::string, std::string> nouns{{"the copy that sets the total back", "copy"},
                                                        {"the grid that does nothing", "empty"},
                                                        {"the load with the combining", "load"},
                                                        {"the load", "load"},
                                                        {"the combining", "combine"},
                                                        {"the write", "write"},
                                                        {"the CPU's part", "cpu"},
                                                        {"the further launches", "launches"}};
  phrase.front() = char(std::tolower(static_cast<unsigned char>(phrase.front())));
  if (phrase.starts_with("the cPU")) phrase = "the CPU" + phrase.substr(7);
  std::set<std::string> named;
  static const std::regex separator(", | and ");
  bool strides = false;
  for (std::sregex_token_iterator part(phrase.begin(), phrase.end(), separator, -1), end; part != end;
       ++part) {
    std::string word = *part;
    if (word.starts_with("stride ") || word.starts_with("strides ")) {
      strides = true;
      word = word.substr(word.find(' ') + 1);
    }
    std::smatch range;
    if (nouns.contains(word)) {
      named.insert(nouns.at(word));
    } else if (word.starts_with("launch ")) {
      named.insert(word);
    } else if (strides && std::regex_match(word, range, std::regex("([0-9]+) to ([0-9]+)"))) {
      const unsigned from = unsigned(std::stoul(range[1])), to = unsigned(std::stoul(range[2]));
      for (unsigned s = std::min(from, to); s <= std::max(from, to); s *= 2)
        named.insert("stride " + std::to_string(s));
    } else if (strides && std::regex_match(word, std::regex("[0-9]+"))) {
      named.insert("stride " + word);
    } else {
      ADD_FAILURE() << "this phrase names no step: " << word << " in " << phrase;
    }
  }
  return named;
}

// Microseconds: what two measurements of one and the same grid differ by in the shipped recording, and more.
// TheSameGridIsPricedAlikeWithinWhatIsTold holds it to that.
constexpr double kBetween = 1.8;

// "X costs most: T of W." names the dearest step and no other that its interval is clear of.
void expectDearestNamed(const std::string& sentence, const std::vector<PricedStep>& steps) {
  const PricedStep* dearest = nullptr;
  for (const PricedStep& step : steps)
    if (step.kind != PricedKind::Empty && (!dearest || step.microseconds > dearest->microseconds))
      dearest = &step;
  ASSERT_NE(dearest, nullptr);
  if (dearest->low <= 0) {
    EXPECT_TRUE(sentence.starts_with("No step costs more than the spread of its price.")) << sentence;
    return;
  }
  static const std::regex shape(R"(^(.*?) costs? most[:,] (.*?)( to (.*?) each)? of (\S+ \S+?)[.:])");
  std::smatch parts;
  ASSERT_TRUE(std::regex_search(sentence, parts, shape)) << sentence;
  std::set<std::string> overlapping;
  double least = dearest->microseconds;
  for (const PricedStep& step : steps)
    if (step.kind != PricedKind::Empty && step.low > 0 &&
        (step.high >= dearest->low || step.microseconds > dearest->microseconds - kBetween) &&
        step.microseconds >= 0.5 * dearest->microseconds) {
      overlapping.insert(nameOfStep(step.kind, step.stride, step.launch));
      least = std::min(least, step.microseconds);
    }
  // Where a stride comes twice, its round is told.
  const std::string named = std::regex_replace(parts[1].str(), std::regex(R"( \(stride [^)]*\))"), "");
  EXPECT_EQ(stepsNamed(named), overlapping) << sentence;
  expectTold(parts[2], least);
  if (parts[3].matched) expectTold(parts[4], dearest->microseconds);
  double whole = 0;
  for (const PricedStep& step : steps) whole += step.microseconds;
  EXPECT_NEAR(microsecondsIn(parts[5]), whole, whole * 0.0051) << sentence;
}

// One variant's sentence.
void expectBorneOut(const ReductionCost& cost) {
  const std::string sentence = narration::whySentence(cost, {});
  const auto& steps = cost.prices->steps;
  expectDearestNamed(sentence, steps);
  std::smatch parts;
  static const std::regex empty("A grid of as many blocks that does nothing takes (.*?s)\\.( |$)");
  ASSERT_TRUE(std::regex_search(sentence, parts, empty)) << sentence;
  for (const PricedStep& step : steps)
    if (step.kind == PricedKind::Empty) expectTold(parts[1], step.microseconds);
  static const std::regex times("takes ([0-9.]+) times as long as reading its input once");
  if (std::regex_search(sentence, parts, times)) {
    const double reading =
        4.0 * double(cost.cost.experiment.elements) / cost.cost.limits.readGigabytesPerSecond / 1e3;
    EXPECT_NEAR(std::stod(parts[1]), cost.cost.microseconds / reading,
                0.006 * cost.cost.microseconds / reading)
        << sentence;
  }
}

// A median's interval by its quartiles (McGill, Tukey, Larsen 1978), in microseconds.
struct MedianInterval {
  double low, high;
  explicit MedianInterval(const model::CostRecord& cost) {
    const double half = 1.57 * (cost.upperQuartile - cost.lowerQuartile) / std::sqrt(double(cost.runs));
    low = cost.microseconds - half;
    high = cost.microseconds + half;
  }
};

struct SummedStep {
  double price = 0, low = 0, high = 0;
  unsigned count = 0;
};
std::map<std::string, SummedStep> summed(const std::vector<PricedStep>& steps) {
  std::map<std::string, SummedStep> sums;
  for (const PricedStep& step : steps) {
    SummedStep& sum =
        sums[step.kind == PricedKind::Launch ? "launches" : nameOfStep(step.kind, step.stride, 0)];
    sum.price += step.microseconds;
    sum.low += step.low;
    sum.high += step.high;
    ++sum.count;
  }
  return sums;
}

// What a sentence says of two variants whose times are not the same.
void expectLargestNamed(const std::string& sentence, const ReductionCost& before,
                        const ReductionCost& after) {
  auto differences = summed(after.prices->steps);
  for (const auto& [name, step] : summed(before.prices->steps)) {
    SummedStep& difference = differences[name];
    difference = {difference.price - step.price, difference.low - step.high, difference.high - step.low,
                  std::max(difference.count, step.count)};
  }
  double all = 0;
  for (const auto& [name, difference] : differences) all += difference.price;
  const bool less = after.cost.microseconds < before.cost.microseconds;
  if ((all < 0) != less) {
    std::smatch come;
    static const std::regex unknown(
        R"(It is not known here in which steps: their prices, measured apart, come to (\S+ \S+) (less|more)\.)");
    ASSERT_TRUE(std::regex_search(sentence, come, unknown)) << sentence;
    expectTold(come[1], std::abs(all));
    EXPECT_EQ(come[2], all < 0 ? "less" : "more") << sentence;
    return;
  }
  // The kernel's own steps differ in both directions.
  const auto isCertain = [](const SummedStep& step, bool isLess) {
    const double noise = kBetween * step.count;
    return isLess ? step.high < 0 && step.price < -noise : step.low > 0 && step.price > noise;
  };
  const auto greatest = [&](bool isLess) {
    double most = 0;
    for (const auto& [name, difference] : differences)
      if (name != "empty" && isCertain(difference, isLess)) most = std::max(most, std::abs(difference.price));
    return most;
  };
  const auto expectGroup = [&](const std::string& phrase, const std::string& told, bool isLess) {
    const std::set<std::string> named = stepsNamed(phrase);
    double sum = 0;
    for (const std::string& name : named) {
      sum += differences[name].price;
      EXPECT_NE(name, "empty") << sentence;
      EXPECT_TRUE(isCertain(differences[name], isLess)) << name << ": " << sentence;
    }
    for (const auto& [name, difference] : differences)
      if (name != "empty" && isCertain(difference, isLess) &&
          std::abs(difference.price) >= greatest(isLess) * 0.5001) {
        EXPECT_TRUE(named.contains(name)) << name << " differs by " << difference.price << ": " << sentence;
      }
    expectTold(told, std::abs(sum));
  };
  std::smatch parts;
  static const std::regex grid(R"(A grid that does nothing takes (\S+ \S+) (less|more)\.)");
  const SummedStep empty = differences["empty"];
  const model::LaunchCost &was = before.cost.launches.front(), &is = after.cost.launches.front();
  const bool gridDiffers =
      (was.grid != is.grid || was.block != is.block) && (isCertain(empty, true) || isCertain(empty, false));
  EXPECT_EQ(std::regex_search(sentence, parts, grid), gridDiffers) << sentence;
  if (gridDiffers) {
    expectTold(parts[1], std::abs(empty.price));
    EXPECT_EQ(parts[2], empty.price < 0 ? "less" : "more") << sentence;
  }
  static const std::regex whole(R"(All steps together take (\S+ \S+) (less|more)\.)");
  ASSERT_TRUE(std::regex_search(sentence, parts, whole)) << sentence;
  expectTold(parts[1], std::abs(all));
  EXPECT_EQ(parts[2], all < 0 ? "less" : "more") << sentence;

  const double along = greatest(less), against = greatest(!less);
  static const std::regex groups(
      R"((The|The other) steps differ most in (.*?): (\S+ \S+) (less|more)( in all)?(; and in (.*?): (\S+ \S+) (less|more)( in all)?)?\.)");
  if (along == 0 && against == 0) {
    EXPECT_NE(sentence.find(" step's price differs by more than its spread, or than two measurements do."),
              std::string::npos)
        << sentence;
    return;
  }
  ASSERT_TRUE(std::regex_search(sentence, parts, groups)) << sentence;
  EXPECT_EQ(parts[1] == "The other", gridDiffers) << sentence;
  const bool firstIsLess = along > 0 ? less : !less;
  EXPECT_EQ(parts[4] == "less", firstIsLess) << sentence;
  expectGroup(parts[2], parts[3], firstIsLess);
  EXPECT_EQ(parts[6].matched, along > 0 && 2 * against >= along) << sentence;
  if (!parts[6].matched) return;
  EXPECT_EQ(parts[9] == "less", !firstIsLess) << sentence;
  expectGroup(parts[7], parts[8], !firstIsLess);
}

void expectChangeBorneOut(const ReductionCost& before, const ReductionCost& after) {
  const std::string sentence = narration::changeSentence(analysis::changeFrom(before, after));
  const MedianInterval first(before.cost), second(after.cost);
  const bool same = second.low <= first.high && first.low <= second.high;
  static const std::regex shape(R"(^(.*?): (\S+ \S+) before, (\S+ \S+) after\.)");
  std::smatch parts;
  ASSERT_TRUE(std::regex_search(sentence, parts, shape)) << sentence;
  EXPECT_EQ(parts[1] == "The same time within its spread", same) << sentence;
  expectTold(parts[2], before.cost.microseconds);
  expectTold(parts[3], after.cost.microseconds);
  if (same) {
    EXPECT_EQ(sentence.find("differ most"), std::string::npos) << sentence;
    return;
  }
  const double ratio = after.cost.microseconds / before.cost.microseconds;
  const std::string lead = parts[1];
  std::smatch number;
  if (std::regex_match(lead, number, std::regex("([0-9.]+) % (less|more) time"))) {
    EXPECT_NEAR(std::stod(number[1]) / 100, std::abs(ratio - 1), 0.0006) << sentence;
    EXPECT_EQ(number[2], ratio < 1 ? "less" : "more") << sentence;
  } else if (std::regex_match(lead, number, std::regex("([0-9.]+) % of the time"))) {
    EXPECT_NEAR(std::stod(number[1]) / 100, ratio, 0.006) << sentence;
  } else {
    ASSERT_TRUE(std::regex_match(lead, number, std::regex("([0-9.]+) times the time"))) << sentence;
    EXPECT_NEAR(std::stod(number[1]), ratio, ratio * 0.006) << sentence;
  }
  expectLargestNamed(sentence, before, after);
}

struct Told {
  const kernels::Variant* variant;
  const char* size;
};
std::vector<Told> allTold() {
  std::vector<Told> all;
  for (const kernels::Variant& variant : kernels::catalog())
    for (const char* size : {"2^16", "2^20", "2^24"}) all.push_back({&variant, size});
  return all;
}

// Two variants that are launched alike have the same grid that does nothing: what its two prices differ by
// comes of the measuring alone.
TEST(WhySentences, TheSameGridIsPricedAlikeWithinWhatIsTold) {
  unsigned same = 0;
  double most = 0;
  for (const Told& each : allTold()) {
    if (each.variant->previous.empty()) continue;
    const auto after = shippedCost(each.variant->id, each.size),
               before = shippedCost(each.variant->previous, each.size);
    if (!after || !before) continue;
    const auto &was = before->cost.launches, &is = after->cost.launches;
    if (!std::ranges::equal(was, is, [](const model::LaunchCost& a, const model::LaunchCost& b) {
          return a.grid == b.grid && a.block == b.block;
        }))
      continue;
    const auto sumOf = [](const ReductionCost& cost, PricedKind kind) {
      double sum = 0;
      for (const PricedStep& step : cost.prices->steps)
        if (step.kind == kind) sum += step.microseconds;
      return sum;
    };
    ++same;
    most = std::max(most, std::abs(sumOf(*after, PricedKind::Empty) - sumOf(*before, PricedKind::Empty)));
    // The same further launches, too, each within as much.
    const double launches = std::abs(sumOf(*after, PricedKind::Launch) - sumOf(*before, PricedKind::Launch));
    EXPECT_LE(launches, kBetween * double(was.size() - 1) + 1e-9) << each.variant->id << " " << each.size;
  }
  EXPECT_GE(same, 40u);
  EXPECT_LE(most, kBetween);
  EXPECT_GE(most, 0.8 * kBetween) << "less would do";
}

TEST(WhySentences, AreBorneOutByTheShippedPrices) {
  unsigned told = 0, changes = 0;
  for (const Told& each : allTold()) {
    SCOPED_TRACE(each.variant->id + " " + each.size);
    const auto cost = shippedCost(each.variant->id, each.size);
    if (!cost) continue;
    ++told;
    expectBorneOut(*cost);
    if (each.variant->previous.empty()) continue;
    const auto before = shippedCost(each.variant->previous, each.size);
    if (!before) continue;
    ++changes;
    expectChangeBorneOut(*before, *cost);
  }
  EXPECT_GE(told, 60u);
  EXPECT_GE(changes, 40u);
}

// An empty launch is timed when the GPU is opened: who takes its time for the least of a reduction is misled.
TEST(WhySentences, TellWhereAnEmptyLaunchIsNoLowerBound) {
  unsigned told = 0;
  for (const model::CostRecord& cost : shippedCosts()) {
    const std::string sentence = narration::emptyLaunchSentence(cost);
    EXPECT_EQ(!sentence.empty(), cost.emptyMicroseconds < cost.limits.launchMicroseconds) << sentence;
    if (sentence.empty()) continue;
    ++told;
    static const std::regex shape(
        R"(it took (\S+ \S+) when the GPU was opened\. Beside this reduction, (\d+) launch.* took (\S+ \S+)\.$)");
    std::smatch parts;
    ASSERT_TRUE(std::regex_search(sentence, parts, shape)) << sentence;
    expectTold(parts[1], cost.limits.launchMicroseconds);
    EXPECT_EQ(std::stoul(parts[2]), cost.launches.size()) << sentence;
    expectTold(parts[3], cost.emptyMicroseconds);
  }
  EXPECT_GE(told, 30u);
}

// What docs/measured.md says of it.
TEST(WhySentences, AnEmptyLaunchIsToldInTheDocsAsItIsRecorded) {
  double least = 1e9, most = 0, longest = 0, besideLongest = 0, opened = 0;
  unsigned shorter = 0, count = 0;
  for (const model::CostRecord& cost : shippedCosts()) {
    if (cost.launches.size() != 1 || cost.launches.front().grid != 1) continue;
    opened = cost.limits.launchMicroseconds;
    if (cost.microseconds > longest) longest = cost.microseconds, besideLongest = cost.emptyMicroseconds;
    if (cost.microseconds >= 100) continue;
    ++count;
    shorter += cost.microseconds < opened ? 1 : 0;
    least = std::min(least, cost.emptyMicroseconds);
    most = std::max(most, cost.emptyMicroseconds);
  }
  const std::string sentences = fmt::format(
      "The last one is no lower bound: beside the {} reductions of one block that take less than 100 µs, an "
      "empty launch of one block took {:.2f} to {:.2f} µs, and {} of them took less than {:.2f} µs as a "
      "whole. "
      "Beside the one that takes {:.0f} ms, it took {:.1f} µs.",
      count, least, most, shorter, opened, longest / 1e3, besideLongest);
  std::ifstream file(STRIDESCOPE_SOURCE "/docs/measured.md");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(page, '\n', ' ');
  EXPECT_NE(page.find(sentences), page.npos) << sentences;
}

}  // namespace
}  // namespace stridescope::views::test
