#include "cli/measured_source.h"

#include "base/numbers.h"

namespace stridescope::cli {

std::string recordedSizes(const std::set<std::uint64_t>& sizes) {
  std::string text;
  std::size_t left = sizes.size();
  for (const std::uint64_t size : sizes) {
    text += (text.empty() ? " Recorded " + std::string(sizes.size() == 1 ? "is" : "are") + " n = "
             : left == 1  ? " and "
                          : ", ") +
            sizeText(size);
    --left;
  }
  return text.empty() ? text : text + ".";
}

}  // namespace stridescope::cli
