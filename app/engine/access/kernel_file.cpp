#include "engine/access/kernel_file.h"

#include <algorithm>
#include <vector>

#include "base/regular_file.h"
#include "engine/access/kernel_declaration.h"
#include "kernel_text.h"

namespace stridescope::engine::access {
namespace {

std::string withoutBlanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

std::string listed(const std::vector<const KernelDeclaration*>& kernels, bool withTypes) {
  std::string all;
  for (const KernelDeclaration* each : kernels) {
    const std::string name = withTypes ? each->signature() : each->qualified;
    const std::string place = withTypes ? " (line " + std::to_string(each->line) + ")" : "";
    all += (all.empty() ? "" : ", ") + name + place;
  }
  return all;
}

}  // namespace

Result<KernelFile> readKernelTextFile(const std::filesystem::path& path) {
  auto text = readRegularFile(path, "CUDA C++", kMaxKernelTextBytes);
  if (!text) return tl::unexpected(text.error());
  return KernelFile{
      .name = path.filename(), .folder = path.parent_path(), .text = *std::move(text), .launches = {}};
}

std::string launchFileOf(const KernelFile& file) {
  return file.launchFile.empty() ? std::filesystem::path(file.name).stem().string() + ".launch.json"
                                 : file.launchFile;
}

Result<KernelFile> readKernelFile(const std::string& path, const std::optional<std::string>& launchFile) {
  auto read = readKernelTextFile(path);
  if (!read) return read;
  KernelFile file = *std::move(read);
  std::filesystem::path launches = path;
  if (launchFile)
    launches = *launchFile;
  else
    launches.replace_extension(".launch.json");
  std::error_code absent;
  if (!launchFile && !std::filesystem::exists(launches, absent)) {
    file.launches.launches.emplace_back();
    return file;
  }
  const auto content = readRegularFile(launches, "a launch file", kMaxLaunchFileBytes);
  if (!content) return tl::unexpected(content.error());
  file.launchFile = launches.filename();
  auto parsed = parseLaunchFile(file.launchFile, *content);
  if (!parsed) return tl::unexpected(parsed.error());
  file.launches = *std::move(parsed);
  return file;
}

Result<const KernelDeclaration*> kernelOf(const LaunchRequest& launch, const KernelFile& file,
                                          const KernelText& text) {
  if (text.kernels.empty())
    return usageError(file.name + " has no kernel: no function with __global__ and a body.");
  std::vector<const KernelDeclaration*> all, named, typed;
  for (const KernelDeclaration& each : text.kernels) {
    all.push_back(&each);
    if (launch.kernel.empty() || each.name == launch.kernel || each.qualified == launch.kernel)
      named.push_back(&each);
    if (withoutBlanks(each.signature()) == withoutBlanks(launch.kernel)) typed.push_back(&each);
  }
  if (typed.size() == 1) return typed.front();
  if (named.empty())
    return usageError(file.name + " has no kernel '" + launch.kernel + "'. It has " + listed(all, false) +
                      ".");
  if (named.size() == 1) return named.front();
  const bool isOverloaded = std::ranges::all_of(
      named, [&](const KernelDeclaration* each) { return each->qualified == named.front()->qualified; });
  if (!isOverloaded)
    return usageError(file.name + " has several kernels: " + listed(named, false) +
                      ". Name one, as \"kernel\" in " + launchFileOf(file) +
                      " beside it (on the command line: --kernel).");
  if (std::ranges::any_of(named, &KernelDeclaration::isTemplate))
    return usageError(file.name + " has several kernels with the name " + named.front()->name + ": " +
                      listed(named, true) + ". Give them names of their own.");
  return usageError(file.name + " has several kernels with the name " + named.front()->name + ": " +
                    listed(named, true) + ". Choose one by its types, as \"kernel\": \"" +
                    named.front()->signature() + "\" in " + launchFileOf(file) +
                    " beside it (on the command line: --kernel '" + named.front()->signature() + "').");
}

}  // namespace stridescope::engine::access
