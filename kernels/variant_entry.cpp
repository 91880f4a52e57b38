#include "kernels/variant_entry.h"

#include <string>
#include <utility>

namespace stridescope::kernels {

std::string_view embeddedKernel(std::string_view fileName);  // generated from the files in this folder

namespace {

Variant made(Entry entry, Family family) {
  if (entry.types.empty()) entry.types.assign(model::kElementTypes.begin(), model::kElementTypes.end());
  if (entry.operators.empty()) entry.operators.assign(model::kOperators.begin(), model::kOperators.end());
  if (entry.threads.empty()) entry.threads = powersOfTwo(2, 1024);
  const std::string_view text = embeddedKernel(std::string(entry.id) + ".cu");
  return {{.id = std::string(entry.id),
           .title = std::string(entry.title),
           .previous = std::string(entry.previous),
           .changed = std::string(entry.changed),
           .text = std::string(text),
           .function = std::string(entry.kernel.empty() ? entry.id : entry.kernel),
           .parameters = std::move(entry.parameters),
           .launch = {.grid = entry.grid,
                      .elementsPerThread = entry.elementsPerThread,
                      .sharedElementsPerThread = entry.sharedElementsPerThread,
                      .paddingPerWarp = entry.paddingPerWarp,
                      .cluster = entry.cluster},
           .types = std::move(entry.types),
           .operators = std::move(entry.operators),
           .hardwareForm = entry.hardwareForm,
           .onlyThese = std::string(entry.onlyThese),
           .threads = std::move(entry.threads),
           .onlyTheseSizes = std::string(entry.onlyTheseSizes),
           .defaultThreads = entry.defaultThreads,
           .firstSize = entry.firstSize,
           .finishedOnCpu = entry.finishedOnCpu,
           .keepsOrder = entry.keepsOrder,
           .onlyOnCpu = std::string(entry.onlyOnCpu),
           .leastCapability = entry.leastCapability,
           .needsCudaHeaders = entry.needsCudaHeaders,
           .report = std::move(entry.report),
           .devices = entry.devices,
           .steps = entry.steps,
           .onlyTimed = std::string(entry.onlyTimed)},
          family,
          entry.sideBranch,
          std::string(entry.source)};
}

}  // namespace

std::vector<unsigned> powersOfTwo(unsigned from, unsigned to) {
  std::vector<unsigned> sizes;
  for (unsigned size = from; size <= to; size *= 2) sizes.push_back(size);
  return sizes;
}

void append(std::vector<Variant>& all, Family family, std::vector<Entry> entries) {
  for (Entry& entry : entries) all.push_back(made(std::move(entry), family));
}

}  // namespace stridescope::kernels
