#include "named_kernels.h"

#include <algorithm>

namespace stridescope::engine::access {

Result<NamedKernels> namedKernels(const KernelFile& file, const KernelText& text) {
  NamedKernels named;
  for (const LaunchRequest& launch : file.launches.launches) {
    const auto found = kernelOf(launch, file, text);
    if (!found) return tl::unexpected(found.error());
    const KernelDeclaration& kernel = **found;
    if (kernel.isTemplate && launch.templateArguments.empty() && !kernel.hasDefaults())
      return usageError(kernel.name + " is a template, " + kernel.templateHead +
                        ". Give its arguments, such as \"int, 256\", as \"template\" in " +
                        launchFileOf(file) + " beside it (on the command line: --template).");
    if (!kernel.isTemplate && !launch.templateArguments.empty())
      return usageError(kernel.name + " is no template, and is given template arguments: " +
                        launch.templateArguments + ". Leave them out.");
    std::string expression = "&" + kernel.qualified;
    if (kernel.isTemplate) expression += "<" + launch.templateArguments + ">";
    const auto isSame = [&](const KernelDeclaration& other) { return other.qualified == kernel.qualified; };
    if (std::ranges::count_if(text.kernels, isSame) > 1 && !kernel.isTemplate)
      expression =
          "static_cast<void (*)" + kernel.signature().substr(kernel.name.size()) + ">(" + expression + ")";
    const auto known = std::ranges::find(named.all, expression, &NamedKernel::expression);
    named.ofLaunch.push_back(std::uint32_t(known - named.all.begin()));
    if (known == named.all.end()) named.all.push_back({expression, kernel, launch.templateArguments, {}});
    NamedKernel& chosen = named.all[named.ofLaunch.back()];
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p)
      if (!kernel.parameters[p].otherwise.empty() &&
          std::ranges::none_of(launch.arguments, [&](const ArgumentRequest& given) {
            return isPartOf(given.name, kernel.parameters[p].name);
          }))
        chosen.fromDefault.insert(p);
  }
  return named;
}

}  // namespace stridescope::engine::access
