// NVIDIA's own compiler takes every kernel's text as it is, with the preamble of each pair of type and
// operator that the variant offers, and has nothing to warn of, but that a text may leave the identity unused
// (177).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/catalog.h"

namespace stridescope::kernels {
namespace {

constexpr std::string_view kCompiler = STRIDESCOPE_NVCC_PROGRAM;

// Each pair in a namespace of its own; the headers that a text includes come before all of them.
void writePairs(std::ostream& file, const Variant& variant) {
  const std::string_view text = kernelText(variant.id);
  for (model::ElementType type : variant.types)
    for (model::Operator op : variant.operators) {
      if (!variant.offers(type, op)) continue;
      file << "namespace " << variant.id << '_' << model::nameOf(type) << '_' << model::wordOf(op) << " {\n"
           << preambleOf(text, type, op, variant.threads.back()) << "#line 1 \"" << variant.id << ".cu\"\n"
           << text << "}\n";
    }
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Compiles their texts for a GPU of that capability: "80" for 8.0.
void expectCompiled(const std::string& capability, const std::vector<const Variant*>& variants) {
  ASSERT_FALSE(variants.empty());
  const auto folder = std::filesystem::temp_directory_path() /
                      ("stridescope_nvcc_" + capability + "_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream file(folder / "kernels.cu");
    file << "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n";
    for (const Variant* const variant : variants) writePairs(file, *variant);
  }
  const std::string command = "cd '" + folder.string() + "' && '" + std::string(kCompiler) +
                              "' -std=c++20 -arch=compute_" + capability +
                              " --ptx -Werror all-warnings -diag-suppress 177 -o kernels.ptx "
                              "kernels.cu > log.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << contentOf(folder / "log.txt").substr(0, 4000);
  std::filesystem::remove_all(folder);
}

TEST(Nvcc, TakesEveryPairOfEveryVariant) {
  if (kCompiler.empty()) GTEST_SKIP() << "nvcc is not here";
  std::vector<const Variant*> variants;
  for (const Variant& variant : catalog())
    if (variant.leastCapability <= 80) variants.push_back(&variant);
  expectCompiled("80", variants);
}

TEST(Nvcc, TakesThoseThatNeedCapability90) {
  if (kCompiler.empty()) GTEST_SKIP() << "nvcc is not here";
  std::vector<const Variant*> variants;
  for (const Variant& variant : catalogAndTimedOnly())
    if (variant.leastCapability > 80) variants.push_back(&variant);
  expectCompiled("90", variants);
}

}  // namespace
}  // namespace stridescope::kernels
