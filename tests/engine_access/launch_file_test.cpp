#include "engine/access/launch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stridescope::engine::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LaunchFileReader, ReadsAllMembers) {
  const auto file =
      parseLaunchFile("k.launch.json", R"({"kernel":"k","template":"int, 4","grid":[3,2],"block":[8],
    "shared":64,"args":[{"name":"a","data":[1,-2.5,"inf"]},{"name":"b","pattern":"ramp","count":9},
    {"name":"c","count":3,"fill":0},{"name":"n","value":18446744073709551615},{"name":"f","file":"x.npy"}],
    "expect":{"c":[6,null,"nan"],"d":null},"tolerance":1e-3})");
  ASSERT_TRUE(file) << file.error().sentence;
  ASSERT_EQ(file->launches.size(), 1u);
  const LaunchRequest& launch = file->launches[0];
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.templateArguments, "int, 4");
  EXPECT_EQ(launch.grid, model::Dim3(3, 2));
  EXPECT_EQ(launch.block, model::Dim3(8));
  EXPECT_EQ(launch.sharedBytes, 64u);
  ASSERT_EQ(launch.arguments.size(), 5u);
  EXPECT_THAT(launch.arguments[0].values, ElementsAre("1", "-2.5", "inf"));
  EXPECT_EQ(launch.arguments[1].pattern, "ramp");
  EXPECT_EQ(launch.arguments[1].count, 9u);
  EXPECT_EQ(launch.arguments[2].fill, "0");
  EXPECT_THAT(launch.arguments[3].values, ElementsAre("18446744073709551615"));
  EXPECT_EQ(launch.arguments[4].file, "x.npy");
  EXPECT_THAT(launch.expected.at("c"), ElementsAre("6", "", "nan"));
  EXPECT_EQ(launch.expected.count("d"), 0u);
  EXPECT_EQ(launch.tolerance, 1e-3);
}

TEST(LaunchFileReader, WhatMakesNoSenseIsNamed) {
  for (const auto& [json, named] : std::vector<std::pair<std::string, std::string>>{
           {"[", "no JSON from line 1, column 2 on"},
           {"{\n \"grid\": [1],\n}", "no JSON from line 3, column 1 on"},
           {"[]", "no JSON object"},
           {R"({"launches":[5]})", "a launch is no object"},
           {R"({"grid":[0]})", "'grid'"},
           {R"({"grid":[1,1,1,1]})", "'grid'"},
           {R"({"blocks":[1]})", "'blocks'"},
           {R"({"args":[{"data":[1]}]})", "has no name"},
           {R"({"args":[{"name":"a","pattern":"noise"}]})", "'pattern'"},
           {R"({"args":[{"name":"a","data":[[1]]}]})", "'data'"},
           {R"({"tolerance":-1})", "'tolerance'"},
           {R"({"args":[{"name":"a","data":[1],"pattern":"ramp","count":1}]})", "'data' and 'pattern'"},
           {R"({"args":[{"name":"a","fill":0,"file":"x","count":1}]})", "contradict"},
           {R"({"args":[{"name":"a","value":0,"count":1}]})", "contradict"},
           {R"({"args":[{"name":"a","pattern":"ramp"}]})", "needs a count"},
           {R"({"args":[{"name":"a","fill":0}]})", "needs a count"},
           {R"({"args":[{"name":"a","value":0},{"name":"a","value":1}]})", "'a' twice"},
           {R"({"launches":[{}],"grid":[1]})", "in place of all other members"},
           {R"({"launches":[]})", "'launches'"}}) {
    const auto file = parseLaunchFile("k.launch.json", json);
    ASSERT_FALSE(file) << json;
    EXPECT_EQ(file.error().kind, ErrorKind::Usage);
    EXPECT_THAT(file.error().sentence, HasSubstr(named)) << json;
  }
}

TEST(LaunchFileReader, ReadsWhatIsTyped) {
  EXPECT_EQ(parseExtents("32x8"), model::Dim3(32, 8));
  EXPECT_EQ(parseExtents("4x2x2"), model::Dim3(4, 2, 2));
  for (const char* wrong : {"", "x", "0", "4x", "1x1x1x1", "-1", "4294967296"})
    EXPECT_FALSE(parseExtents(wrong)) << wrong;
  EXPECT_EQ(parseArgument("a=ramp:2^10")->count, 1024u);
  EXPECT_EQ(parseArgument("a=zero:4")->fill, "0");
  EXPECT_EQ(parseArgument("a=file:b=c.txt")->file, "b=c.txt");
  EXPECT_THAT(parseArgument("n=2^20")->values, ElementsAre("1048576"));
  EXPECT_THAT(parseArgument("x=-1.5")->values, ElementsAre("-1.5"));
  for (const char* wrong : {"a", "=1", "a=", "a=noise:4", "a=ramp:x"})
    EXPECT_FALSE(parseArgument(wrong)) << wrong;
}

}  // namespace
}  // namespace stridescope::engine::access
