// Arrays of a person's own kernel in the text and the JSON of `step`: each in its own shape and its own type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab/run.h"
#include "report/own_kernel.h"
#include "support/trace_builder.h"

namespace stridescope::report {
namespace {

using model::NumberKind;
using testing::HasSubstr;

// Each of 6 threads stores to `t`, rows of 3, and to both members of `p`, which are a half and a char. The
// threads 0 and 1 store to t[1][2] once more, which is a race.
KernelStep stepped() {
  support::TraceBuilder builder(32);
  const auto t = builder.sharedArray("t", 6), p = builder.sharedArray("p", 6 * 2, 2);
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "t[y][x]"});
  const auto member = builder.site({.kind = model::SiteKind::Store, .text = "p[i].weight"});
  const auto again = builder.site({.kind = model::SiteKind::Store, .text = "t[1][2]"});
  for (unsigned i = 0; i < 6; ++i) {
    builder.store(i, store, t, i, 10 * i);
    builder.store(i, member, p, 2 * i, 0x3c00 + 0x400 * i);  // 1, 2, 4, ... as halves
    builder.store(i, member, p, 2 * i + 1, 0xf0 + i);        // -16, -15, ... as chars
  }
  for (unsigned i = 0; i < 2; ++i) builder.store(i, again, t, 5, 7);
  model::Trace trace = builder.build();
  model::Kernel kernel{.id = "k.cu", .title = "k.cu", .text = trace.kernelText, .function = "k"};
  kernel.launch.fixed = model::FixedLaunch{{1}, {32}, 0};
  trace.experiment.variant = "k.cu";
  trace.experiment.kernel = Shared<model::Kernel>(std::move(kernel));
  model::BlockTrace& block = trace.launches[0].recorded();
  block.shared[0].extents = {2, 3};
  block.shared[1].elementBytes = 4;
  block.shared[1].type.reset();
  block.shared[1].members = {{NumberKind::Half, 2, 0, "weight"}, {NumberKind::Signed, 1, 2, "tag"}};
  KernelStep step{.file = "k.cu", .kernel = {}, .run = lab::runOf(trace)};
  step.kernel.trace = step.run.trace;
  step.kernel.hasEnded = true;
  return step;
}

TEST(ArrayShapes, AreInTheMapsOfTheText) {
  const std::string text = kernelStepText(stepped(), std::nullopt);
  EXPECT_THAT(text, HasSubstr("      t  after the round, 2 x 3 elements (replayed)\n"
                              "    [0]   0 10 20\n"
                              "    [1]  30 40  7\n"));
  EXPECT_THAT(text, HasSubstr("p.weight  after the round, 6 elements (replayed)\n"
                              "    [0]   1  2  4  8 16 32\n"));
  EXPECT_THAT(text, HasSubstr("  p.tag  after the round, 6 elements (replayed)\n"
                              "    [0]  -16 -15 -14 -13 -12 -11\n"));
  EXPECT_THAT(text, HasSubstr("wrote 7 to t[1][2]")) << "the race";
}

// Bytes that are no UTF-8 are told as such.
TEST(KernelSteps, TellWhatTheKernelPrinted) {
  KernelStep step = stepped();
  const auto jsonOf = [](const KernelStep& told) {
    std::ostringstream out;
    MemoryBudget budget;
    EXPECT_TRUE(writeKernelStepJson(out, told, std::nullopt, budget));
    return nlohmann::json::parse(out.str());
  };
  EXPECT_FALSE(jsonOf(step).contains("printed"));
  step.kernel.printed = "thread 0 has 5\n\"\xff\"\n";
  const std::string printed = jsonOf(step)["printed"];
  EXPECT_THAT(printed, testing::StartsWith("thread 0 has 5\n\""));
  EXPECT_THAT(kernelStepText(step, std::nullopt), HasSubstr("printed by the kernel:\nthread 0 has 5\n"));
}

TEST(ArrayShapes, AreInTheJson) {
  std::ostringstream out;
  MemoryBudget budget;
  ASSERT_TRUE(writeKernelStepJson(out, stepped(), std::nullopt, budget));
  const auto json = nlohmann::json::parse(out.str());
  const auto& launch = json["launches"][0];
  EXPECT_EQ(launch["arrays"][0], nlohmann::json::parse(R"({"name":"t","space":"shared","extents":[2,3],)"
                                                       R"("element_bytes":4,"type":"int"})"));
  EXPECT_EQ(
      launch["arrays"][1],
      nlohmann::json::parse(R"({"name":"p","space":"shared","extents":[6],"element_bytes":4,"type":null,)"
                            R"("members":[{"name":"weight","type":"__half","offset":0},)"
                            R"({"name":"tag","type":"char","offset":2}]})"));
  const auto& round = launch["rounds"][0];
  EXPECT_EQ(round["snapshot"]["t"], (std::vector<std::string>{"0", "10", "20", "30", "40", "7"}));
  EXPECT_EQ(round["cells"]["p"]["weight"], (std::vector<std::string>{"1", "2", "4", "8", "16", "32"}));
  EXPECT_EQ(round["cells"]["p"]["tag"], (std::vector<std::string>{"-16", "-15", "-14", "-13", "-12", "-11"}));
  EXPECT_FALSE(round["cells"].contains("t")) << "the snapshot has it in its type";
  ASSERT_FALSE(json["races"].empty());
  EXPECT_EQ(json["races"][0]["array"], "t");
  EXPECT_EQ(json["races"][0]["element"], 5);
  EXPECT_EQ(json["races"][0]["place"], "t[1][2]");
}

// Two threads store floats, and words of which the text does not tell the type, in memory that is bytes to
// it. Nobody touches the rest of its 24 bytes.
TEST(ArrayShapes, PartsOfCarvedMemoryAreInTheJson) {
  support::TraceBuilder builder(32);
  builder.useKernelText(
      "extern __shared__ unsigned char raw[];\nfloat* a = (float*)raw;\na[t] = v;\nmacro(t) = w;\n");
  const auto raw = builder.sharedArray("raw", 6, 4);
  const auto known = builder.site({.kind = model::SiteKind::Store, .text = "a[t]"});
  const auto unknown = builder.site({.kind = model::SiteKind::Store, .text = "macro(t)"});
  for (unsigned i = 0; i < 2; ++i) {
    builder.store(i, known, raw, i, std::bit_cast<std::uint32_t>(1.5f + float(i)));
    builder.store(i, unknown, raw, 2 + i, 0xabc0 + i);
  }
  model::Trace trace = builder.build();
  model::Kernel kernel{.id = "k.cu", .title = "k.cu", .text = trace.kernelText, .function = "k"};
  kernel.launch.fixed = model::FixedLaunch{{1}, {32}, 24};
  trace.experiment.variant = "k.cu";
  trace.experiment.kernel = Shared<model::Kernel>(std::move(kernel));
  model::Array& array = trace.launches[0].recorded().shared[0];
  array.elementBytes = 1;
  array.type.reset();
  array.members = {{NumberKind::Unsigned, 1, 0, ""}};
  KernelStep step{.file = "k.cu", .kernel = {}, .run = lab::runOf(trace)};
  step.kernel.trace = step.run.trace;
  step.kernel.hasEnded = true;
  std::ostringstream out;
  MemoryBudget budget;
  ASSERT_TRUE(writeKernelStepJson(out, step, std::nullopt, budget));
  const auto round = nlohmann::json::parse(out.str())["launches"][0]["rounds"][0];
  EXPECT_EQ(round["cells"]["raw"],
            nlohmann::json::parse(
                R"([{"offset":0,"element_bytes":4,"type":"float","values":["1.5","2.5"]},)"
                R"({"offset":8,"element_bytes":4,"type":null,"values":["0x0000abc0","0x0000abc1"]}])"));
  EXPECT_EQ(round["snapshot"]["raw"].size(), 24u) << "bytes, as ever";
}

}  // namespace
}  // namespace stridescope::report
