// Machine code of the catalogue's kernels by the real NVRTC, on a machine without a GPU. A script stands in
// for nvdisasm.
#include "engine/gpu/machine_code.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "support/temporary_folder.h"

namespace stridescope::engine::gpu {
namespace {

using testing::StartsWith;

model::Experiment experimentOf(const std::string& variant) { return {.variant = variant, .threads = 256}; }

std::vector<std::string> textLines(const std::string& variant) {
  std::istringstream text{std::string(kernels::kernelText(variant))};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

class MachineCodes : public testing::Test {
 protected:
  // A tool of that name is the first that is found; what it prints for any file.
  void installDisassembler(const std::string& script) {
    const auto file = folder_ / "nvdisasm";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    path_ = path;
    setenv("PATH", (file.parent_path().string() + ":" + path).c_str(), 1);
  }
  ~MachineCodes() override {
    if (path_) setenv("PATH", path_->c_str(), 1);
  }

 private:
  support::Folder folder_;
  std::optional<std::string> path_;
};

TEST_F(MachineCodes, AreWhatTheDisassemblerPrints) {
  NEEDS_NVRTC();
  installDisassembler(
      "[ \"$1 $2\" = '--print-code --print-line-info-inline' ] && [ -s \"$3\" ] || exit 1\n"
      "echo '//## File \"sequential.cu\", line 9'; echo '/*0000*/ BAR.SYNC 0x0 ;'\n");
  const auto code = machineCodeOf(experimentOf("sequential"), std::nullopt);
  ASSERT_TRUE(code) << code.error().sentence;
  EXPECT_EQ(code->kind, model::CodeKind::Sass);
  EXPECT_THAT(code->target, StartsWith("sm_"));
  EXPECT_THAT(code->executor.compiler, StartsWith("NVRTC "));
  EXPECT_EQ(code->lines, (std::vector<model::CodeLine>{{9, "BAR.SYNC 0x0"}}));
}

// Where the disassembler fails, PTX stands in its place: each barrier of it comes from a line
// that says so.
TEST_F(MachineCodes, ArePtxOtherwise) {
  NEEDS_NVRTC();
  installDisassembler("exit 1\n");
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.needsCudaHeaders) continue;
    model::Experiment experiment = experimentOf(std::string(variant.id));
    experiment.threads = variant.threads.front();
    const auto code = machineCodeOf(experiment, std::nullopt);
    ASSERT_TRUE(code) << variant.id << ": " << code.error().sentence;
    EXPECT_EQ(code->kind, model::CodeKind::Ptx);
    const std::vector<std::string> text = textLines(std::string(variant.id));
    int barriers = 0;
    for (const model::CodeLine& line : code->lines) {
      ASSERT_LE(line.line, text.size());
      if (!line.text.starts_with("bar.sync")) continue;
      ++barriers;
      ASSERT_GT(line.line, 0u) << variant.id << ": " << line.text;
      EXPECT_THAT(text[line.line - 1], testing::HasSubstr("sync")) << variant.id << " line " << line.line;
    }
    bool expected = false;
    for (const std::string& line : text) expected |= line.find("__syncthreads") != std::string::npos;
    EXPECT_EQ(barriers > 0, expected) << variant.id;
  }
}

}  // namespace
}  // namespace stridescope::engine::gpu
