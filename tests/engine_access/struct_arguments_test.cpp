// Structs with pointers as arguments: each member is given by its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kStructs =
    "struct Base { int first; };\n"
    "struct Params : Base {\n"
    "  const int *in; double scale; struct { short x, y; } size; int *rows[2]; char tag[3];\n"
    "};\n"
    "__global__ void k(int n, Params p) {\n"
    "  int i = threadIdx.x;\n"
    "  if (i < n) p.rows[i % 2][i / 2] = p.first + p.in[i] * int(p.scale) + p.size.y - p.size.x + p.tag[2];\n"
    "}\n";

class StructArguments : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
  static Result<KernelRun> run(const std::string& arguments, const char* text = kStructs) {
    auto launches = parseLaunchFile("k.launch.json", R"({"block":[32],"args":[)" + arguments + "]}");
    if (!launches) return tl::unexpected(launches.error());
    JobControl job;
    return runKernelFile({.name = "k.cu", .folder = {}, .text = text, .launches = *std::move(launches)}, job,
                         {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(20)});
  }
  static std::string faultOf(const std::string& arguments, const char* text = kStructs) {
    const auto result = run(arguments, text);
    if (result) return "it ran";
    EXPECT_EQ(result.error().kind, ErrorKind::Usage) << result.error().sentence;
    return result.error().sentence;
  }
};

// 1 + in[i] * 10 + 5 - 2 + 7, of the numbers from 0 on.
TEST_F(StructArguments, AreGivenByTheirMembersAndArraysHaveTheirNames) {
  const auto result = run(
      R"({"name":"n","value":5},{"name":"p.first","value":1},{"name":"p.in","pattern":"ramp","count":5},)"
      R"({"name":"p.scale","value":10},{"name":"p.size","value":[2,5]},)"
      R"({"name":"p.rows[0]","fill":-1,"count":4},{"name":"p.rows[1]","array":"odd","fill":-1,"count":4},)"
      R"({"name":"p.tag[0]","value":0},{"name":"p.tag[1]","value":0},{"name":"p.tag[2]","value":7})");
  ASSERT_TRUE(result) << result.error().sentence << result.error().details;
  EXPECT_TRUE(result->hasEnded);
  ASSERT_EQ(result->outputs.size(), 2u);  // what is const is not written
  EXPECT_EQ(result->outputs[0].name, "p.rows[0]");
  EXPECT_THAT(result->outputs[0].members, ElementsAre("11", "31", "51", "-1"));
  EXPECT_EQ(result->outputs[1].name, "odd");
  EXPECT_THAT(result->outputs[1].members, ElementsAre("21", "41", "-1", "-1"));
  EXPECT_EQ(model::faultOf(result->trace), std::nullopt);
  const auto& buffers = result->trace.launches.front().buffers;
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].name, "p.in");
  EXPECT_EQ(buffers[0].type, model::ElementType::Int);
  EXPECT_EQ(buffers[0].bytes, 20u);
}

TEST_F(StructArguments, WhatIsMissingOrTooMuchIsNamed) {
  const std::string most =
      R"({"name":"n","value":1},{"name":"p.first","value":1},{"name":"p.in","data":[1]},{"name":"p.size",)"
      R"("value":[2,5]},{"name":"p.rows[0]","data":[1]},{"name":"p.rows[1]","data":[1]},)";
  const std::string tag = R"({"name":"p.tag","value":[1,2,3]})", scale = R"({"name":"p.scale","value":1})";
  EXPECT_THAT(faultOf(most + tag),
              AllOf(HasSubstr("The member 'p.scale' is given nothing"),
                    HasSubstr("p.first, p.in, p.scale, p.size.x, p.size.y, p.rows[0], p.rows[1], p.tag")));
  EXPECT_THAT(faultOf(most + tag + "," + scale + R"(,{"name":"p.size.y","value":1})"),
              HasSubstr("'p.size.y' is given twice"));
  EXPECT_THAT(faultOf(most + scale + R"(,{"name":"p.tag","value":[1,2]})"),
              HasSubstr("'p.tag' takes 3 numbers; 2 are given"));
  EXPECT_THAT(faultOf(most + tag + "," + scale + R"(,{"name":"p.other","value":1})"),
              HasSubstr("There is no member 'p.other'. There are p.first, p.in"));
}

TEST_F(StructArguments, AStructWithPointersIsNotGivenAsAWhole) {
  const std::string n = R"({"name":"n","value":1})";
  EXPECT_THAT(faultOf(n), AllOf(HasSubstr("'p' is a struct with pointers in it"), HasSubstr("p.in")));
  EXPECT_THAT(faultOf(n + R"(,{"name":"p","value":[1,2,3]})"), HasSubstr("a struct with pointers in it"));
  EXPECT_THAT(faultOf(n + R"(,{"name":"p","value":1},{"name":"p.first","value":1})"),
              HasSubstr("given as a whole and by its members"));
  EXPECT_THAT(faultOf(n + R"(,{"name":"p.rows","data":[1]})"),
              HasSubstr("has the pointer 'p.rows[0]' in it"));
  EXPECT_THAT(faultOf(n + R"(,{"name":"n.x","value":1})"), HasSubstr("'n.x' is no member"));
}

TEST_F(StructArguments, ElementsOfUnknownTypesAreRefused) {
  const char* const text = "struct P { void* any; };\n__global__ void k(P p) {}\n";
  EXPECT_THAT(faultOf(R"({"name":"p.any","fill":0,"count":4})", text), HasSubstr("members are not known"));
}

}  // namespace
}  // namespace stridescope::engine::access
