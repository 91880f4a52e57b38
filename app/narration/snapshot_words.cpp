#include "narration/snapshot_words.h"

#include <algorithm>

namespace stridescope::narration {

std::vector<std::optional<std::uint64_t>> snapshotWords(const RoundAt& at, std::size_t array) {
  const analysis::Snapshot& snapshot = at.round().snapshot;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < array; ++i) begin += std::size_t(at.launch.shared[i].bytes);
  const std::size_t elementBytes = std::max(1u, at.launch.shared[array].elementBytes);
  const std::size_t elements = std::size_t(at.launch.shared[array].bytes) / elementBytes;

  std::vector<std::optional<std::uint64_t>> words(elements);
  for (std::size_t element = 0; element < elements; ++element) {
    const std::size_t first = begin + element * elementBytes;
    if (first + elementBytes > snapshot.bytes.size() || first + elementBytes > snapshot.known.size()) break;
    std::uint64_t bits = 0;
    bool known = true;
    for (std::size_t byte = 0; byte < elementBytes; ++byte) {
      known = known && snapshot.known[first + byte];
      if (byte < sizeof bits) bits |= std::uint64_t(snapshot.bytes[first + byte]) << (8 * byte);
    }
    if (known) words[element] = bits;
  }
  return words;
}

}  // namespace stridescope::narration
