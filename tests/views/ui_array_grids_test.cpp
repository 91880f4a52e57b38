// A person's own kernel with arrays of several dimensions and of structs: Shared memory shows them as grids.
// The kernel is compiled and run.
#include <gtest/gtest.h>

#include <set>

#include "engine/sandbox/confinement.h"
#include "support/own_kernel_services.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Hover;
using session::HoverKind;
using test::WorkbenchUi;

constexpr const char* kShapes = R"(struct Pair { float value; int place; };
__global__ void shapes(const float *in, float *out)
{
    __shared__ float tile[8][9];
    __shared__ Pair best[4];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 8 + x];
    if (y == 0 && x < 4) {
        best[x].value = x + 0.5f;
        best[x].place = 700 + x;
    }
    __syncthreads();
    out[y * 8 + x] = tile[x][y] + best[y % 4].value + best[y % 4].place;
}
)";
constexpr const char* kShapesLaunch = R"({"grid": [1], "block": [8, 8], "args": [
  {"name": "in", "pattern": "ramp", "count": 64},
  {"name": "out", "fill": 0, "count": 64}]})";

class UiArrayGrids : public testing::Test {
 protected:
  void SetUp() override {
    if (!engine::sandbox::sandboxSupport().isComplete())
      GTEST_SKIP() << engine::sandbox::sandboxSupport().sentence();
    file_ = folder_.write("k.cu", kShapes);
    folder_.write("k.launch.json", kShapesLaunch);
  }
  WorkbenchUi opened(shell::PixelSize size = {1600, 1000}) {
    return WorkbenchUi({.size = size, .before = {session::OpenRecording{file_}}},
                       folder_.services(test::hostServices()));
  }

  support::KernelFolder folder_;
  std::string file_;
};

TEST_F(UiArrayGrids, EachArrayStandsUnderItsDeclaration) {
  WorkbenchUi w = opened();
  w.apply(session::GoToFirst{});
  EXPECT_TRUE(w.shows("float tile[8][9]", "Shared memory"));
  EXPECT_TRUE(w.shows("best[4]: value, place", "Shared memory"));
  EXPECT_TRUE(w.shows("3.5", "Shared memory")) << "best[3].value, in its type";
  EXPECT_TRUE(w.shows("703", "Shared memory")) << "best[3].place";
  EXPECT_TRUE(w.shows("never accessed", "Shared memory")) << "the column of padding";
  EXPECT_TRUE(w.shows("0 read, 72 stored", "Shared memory"));
  w.apply(session::GoToLast{});
  EXPECT_TRUE(w.shows("72 read, 0 stored", "Shared memory"));
}

// The pointer goes over all of the map.
TEST_F(UiArrayGrids, PointingAtACellFindsItsElement) {
  WorkbenchUi w = opened();
  w.apply(session::GoToFirst{});
  std::set<std::uint64_t> tile, best;
  w.run("point", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/arrays").RectFull;
    ASSERT_GT(map.GetWidth(), 100);
    for (float y = map.Min.y + 2; y < map.Max.y; y += 20)
      for (float x = map.Min.x + 2; x < map.Max.x; x += 30) {
        test->MouseTeleportToPos({x, y});
        test->Yield(2);
        const auto hover = w.session().replay().hover();
        if (!hover || hover->kind != HoverKind::Element) continue;
        const bool isNew = (hover->array == 0 ? tile : best).insert(hover->index).second;
        if (!isNew) continue;
        const std::string index = std::to_string(hover->index);
        const std::string name = hover->array == 0 ? "tile[" + std::to_string(hover->index / 9) + "][" +
                                                         std::to_string(hover->index % 9) + "]"
                                                   : "best[" + index + "]";
        EXPECT_TRUE(w.shows(name)) << name;
        if (hover->array == 0 && hover->index % 9 < 8) {
          EXPECT_TRUE(w.shows("stored by thread " + std::to_string(hover->index / 9 * 8 + hover->index % 9)));
        }
        if (hover->array == 1) {
          EXPECT_TRUE(w.shows("value " + index + ".5, place 70" + index));
        }
      }
  });
  EXPECT_EQ(tile.size(), 72u);
  EXPECT_EQ(best.size(), 4u);
}

// 32 floats, 32 ints below 0, and 32 doubles, which are stored a round later.
constexpr const char* kCarved = R"(__global__ void carved(const float *in, double *out)
{
    extern __shared__ unsigned char raw[];
    float *a = (float *)raw;
    int *b = (int *)(raw + 128);
    double *c = (double *)(raw + 256);
    const int t = threadIdx.x;
    a[t] = in[t] + 0.5f;
    b[t] = -100 - t;
    __syncthreads();
    c[t] = a[31 - t] + b[t];
    __syncthreads();
    out[t] = c[31 - t];
}
)";
constexpr const char* kCarvedLaunch = R"({"block": [32], "shared": 512, "args": [
  {"name": "in", "pattern": "ramp", "count": 32},
  {"name": "out", "fill": 0, "count": 32}]})";

// Memory that is declared as bytes is a grid for each type that it is carved into. ramp is 0, 1, 2, ...
TEST_F(UiArrayGrids, CarvedMemoryHasCellsOfItsAccesses) {
  file_ = folder_.write("k.cu", kCarved);
  folder_.write("k.launch.json", kCarvedLaunch);
  WorkbenchUi w = opened();
  w.apply(session::GoToFirst{});
  EXPECT_TRUE(w.shows("raw[0]: 32 of float", "Shared memory"));
  EXPECT_TRUE(w.shows("raw[128]: 32 of int", "Shared memory"));
  EXPECT_TRUE(w.shows("raw[256]: 256 bytes", "Shared memory")) << "not yet accessed";
  EXPECT_TRUE(w.shows("0 read, 64 stored", "Shared memory")) << "cells, not bytes";
  w.apply(session::GoToRound{0, 1});
  EXPECT_TRUE(w.shows("raw[256]: 32 of double", "Shared memory"));
  EXPECT_TRUE(w.shows("64 read, 32 stored", "Shared memory"));
  EXPECT_TRUE(w.shows("31.5", "Shared memory")) << "a[31]";
  EXPECT_TRUE(w.shows("-131", "Shared memory")) << "b[31]";
  EXPECT_TRUE(w.shows("-68.5", "Shared memory")) << "c[0] = a[31] + b[0]";
  EXPECT_FALSE(w.shows("66", "Shared memory")) << "a byte of 31.5f";
  w.apply(session::PointAt{Hover{HoverKind::Element, 140, 0, 0}});
  w.run("look", [](ImGuiTestContext* test) { test->Yield(2); });
  EXPECT_TRUE(w.shows("raw[140]"));
  EXPECT_TRUE(w.shows("-103")) << "b[3]";
}

constexpr const char* kLarge = R"(__global__ void large(const float *in, float *out)
{
    __shared__ float tile[64][65];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 64; y += 4) tile[y][x] = 10000 + 100 * y + x;
    __syncthreads();
    for (int y = threadIdx.y; y < 64; y += 4) out[y * 64 + x] = tile[x][y];
}
)";
constexpr const char* kLargeLaunch = R"({"grid": [1], "block": [64, 4], "args": [
  {"name": "in", "pattern": "ramp", "count": 1},
  {"name": "out", "fill": 0, "count": 4096}]})";

// The wheel makes the cells larger about the pointer, until values fit; the numbers of rows and columns stay
// in view, and so does what a person zoomed to when the round changes. F shows all of it again.
TEST_F(UiArrayGrids, AreZoomedAndPanned) {
  file_ = folder_.write("k.cu", kLarge);
  folder_.write("k.launch.json", kLargeLaunch);
  WorkbenchUi w = opened();
  w.apply(session::GoToLast{});
  EXPECT_TRUE(w.shows("float tile[64][65]", "Shared memory"));
  EXPECT_FALSE(w.shows("13230", "Shared memory")) << "4160 values do not fit";
  const auto pointedAt = [&] {
    const auto hover = w.session().replay().hover();
    return hover && hover->kind == HoverKind::Element ? hover->index : 1u << 20;
  };
  ImVec2 middle;
  w.run("point", [&](ImGuiTestContext* test) {
    middle = test->ItemInfo("//Shared memory/arrays").RectFull.GetCenter();
    test->MouseMoveToPos(middle);
    test->Yield(2);
  });
  const auto element = pointedAt();
  ASSERT_LT(element, 64u * 65);
  const auto textOf = [](auto index) { return std::to_string(10000 + 100 * (index / 65) + index % 65); };
  w.run("zoom", [&](ImGuiTestContext* test) {
    for (int i = 0; i < 3; ++i) test->MouseWheelY(1);
  });
  w.ui().drawFrames(2);
  EXPECT_EQ(pointedAt(), element) << "what is pointed at stays there";
  EXPECT_TRUE(w.shows(textOf(element), "Shared memory")) << w.textsIn("Shared memory");
  EXPECT_FALSE(w.shows("10000", "Shared memory")) << "the first element is out of view";
  EXPECT_TRUE(w.shows("float tile[64][65]", "Shared memory"));
  EXPECT_TRUE(w.shows(std::to_string(element / 65), "Shared memory")) << "its row";
  w.run("drag", [&](ImGuiTestContext* test) { test->MouseDragWithDelta({200, 100}); });
  w.ui().drawFrames(2);
  EXPECT_EQ(pointedAt(), element) << "a drag takes it along";
  w.apply(session::StepBack{});
  w.ui().drawFrames(2);
  EXPECT_TRUE(w.shows(", a part in view", "Shared memory")) << "in another round, too";
  w.apply(session::GoToLast{});
  w.run("fit", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_F); });
  w.ui().drawFrames(2);
  EXPECT_FALSE(w.shows(textOf(element), "Shared memory"));
  EXPECT_FALSE(w.shows(", a part in view", "Shared memory"));
}

// In a low panel the cells are small, and beside them is room where nothing is to be zoomed into.
TEST_F(UiArrayGrids, ZoomingBesideThemKeepsThemInView) {
  file_ = folder_.write("k.cu", kLarge);
  folder_.write("k.launch.json", kLargeLaunch);
  WorkbenchUi w = opened({1280, 600});
  w.apply(session::GoToLast{});
  w.run("zoom", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/arrays").RectFull;
    test->MouseMoveToPos({map.Max.x - 4, map.Max.y - 4});
    for (int i = 0; i < 3; ++i) test->MouseWheelY(1);
  });
  w.ui().drawFrames(2);
  EXPECT_TRUE(w.shows(", a part in view", "Shared memory"));
  w.run("point", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(test->ItemInfo("//Shared memory/arrays").RectFull.GetCenter());
    test->Yield(2);
  });
  const auto hover = w.session().replay().hover();
  EXPECT_TRUE(hover && hover->kind == HoverKind::Element) << "nothing is in view";
}

TEST_F(UiArrayGrids, TheTabShowsOperandsInstead) {
  WorkbenchUi w = opened();
  w.apply(session::GoToLast{});
  w.run("tabs", [&](ImGuiTestContext* test) {
    test->ItemClick("//Shared memory/Operands");
    test->Yield(2);
    EXPECT_TRUE(test->ItemExists("//Shared memory/shared memory map"));
    EXPECT_FALSE(w.shows("float tile[8][9]", "Shared memory"));
    test->ItemClick("//Shared memory/Arrays");
    test->Yield(2);
    EXPECT_TRUE(test->ItemExists("//Shared memory/arrays"));
  });
}

// A kernel with one row of numbers is shown as a variant is.
TEST_F(UiArrayGrids, OneRowOfNumbersHasNoGrid) {
  file_ = folder_.write("k.cu", support::kDoubling);
  folder_.write("k.launch.json", support::kDoublingLaunch);
  WorkbenchUi w = opened();
  w.run("look", [&](ImGuiTestContext* test) {
    EXPECT_FALSE(test->ItemExists("//Shared memory/arrays"));
    EXPECT_FALSE(test->ItemExists("//Shared memory/Operands"));
    EXPECT_TRUE(test->ItemExists("//Shared memory/shared memory map"));
  });
}

}  // namespace
}  // namespace stridescope::views
