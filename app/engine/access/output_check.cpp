#include "output_check.h"

#include <algorithm>

#include "base/numbers.h"
#include "kernel_numbers.h"

namespace stridescope::engine::access {

std::optional<std::string> faultOfExpected(const LaunchRequest& launch, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto known = std::ranges::find(arrays.names, name);
    const auto index = std::size_t(known - arrays.names.begin());
    if (known == arrays.names.end() || !arrays.isWritten[index])
      return "\"expect\" names '" + name +
             "', which is no array that the kernel is given to write. Fix the launch "
             "file.";
    const auto& members = arrays.types[index].members;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!wanted[i].empty() && !isNumberOf(members[i % members.size()], wanted[i]))
        return "'" + wanted[i] + "', number " + figure(i) + " of what is expected of '" + name +
               "', is no number of its type. Fix the launch file.";
  }
  return std::nullopt;
}

void checkOutputs(const LaunchRequest& launch, KernelRun& run, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto found = std::ranges::find(run.outputs, name, &KernelOutput::name);
    if (found == run.outputs.end()) continue;
    const auto& type =
        arrays.types[std::size_t(std::ranges::find(arrays.names, name) - arrays.names.begin())];
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      if (run.check == KernelCheck::NotChecked) run.check = KernelCheck::Right;
      const bool isThere = i < found->members.size();
      const MemberType& member = type.members[i % type.members.size()];
      if (isThere && agrees(member, found->members[i], wanted[i], launch.tolerance)) continue;
      run.check = KernelCheck::Wrong;
      if (!run.mismatch) run.mismatch = {name, i, isThere ? found->members[i] : "nothing", wanted[i]};
      break;
    }
  }
}

}  // namespace stridescope::engine::access
