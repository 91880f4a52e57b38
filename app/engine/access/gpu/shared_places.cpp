#include "engine/access/gpu/shared_places.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace stridescope::engine::access::gpu {
namespace {

constexpr std::size_t kMaxOrdered = 6;  // 720 orders
constexpr std::uint64_t kMaxAlignment = 16;

// What one instruction accessed, of all threads together.
struct Accessed {
  std::uint64_t begin = 0, end = 0;
};

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool names(std::string_view line, std::string_view word) {
  for (std::size_t at = 0; (at = line.find(word, at)) != std::string_view::npos; at += word.size()) {
    const bool begins = at == 0 || !isOfWord(line[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == line.size() || !isOfWord(line[end]))) return true;
  }
  return false;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// By array: what the instructions accessed whose line names it and no other one.
std::vector<std::vector<Accessed>> accessesByArray(const std::vector<PlacedArray>& arrays,
                                                   const std::vector<patched::Entry>& entries,
                                                   std::string_view text,
                                                   const std::function<int(std::uint64_t pc)>& lineOf) {
  std::map<std::uint64_t, Accessed> byInstruction;
  for (const patched::Entry& entry : entries) {
    if (entry.kind != patched::EntryKind::Shared) continue;
    const Accessed one{entry.address, entry.address + entry.bytes};
    const auto [found, isNew] = byInstruction.emplace(entry.pc, one);
    if (isNew) continue;
    found->second.begin = std::min(found->second.begin, one.begin);
    found->second.end = std::max(found->second.end, one.end);
  }
  const std::vector<std::string_view> lines = linesOf(text);
  std::vector<std::vector<Accessed>> all(arrays.size());
  for (const auto& [pc, accessed] : byInstruction) {
    const int line = lineOf(pc);
    if (line < 1 || std::size_t(line) > lines.size()) continue;
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (names(lines[std::size_t(line) - 1], arrays[i].array.name)) named.push_back(i);
    if (named.size() == 1) all[named.front()].push_back(accessed);
  }
  return all;
}

std::size_t outside(const std::vector<PlacedArray>& arrays,
                    const std::vector<std::vector<Accessed>>& accesses) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::uint64_t begin = arrays[i].begin, end = begin + arrays[i].array.bytes;
    count += std::size_t(std::ranges::count_if(
        accesses[i], [&](const Accessed& each) { return each.begin < begin || each.end > end; }));
  }
  return count;
}

}  // namespace

std::vector<PlacedArray> placedByAccesses(std::vector<PlacedArray> arrays, std::uint64_t windowEnd,
                                          const std::vector<patched::Entry>& entries, std::string_view text,
                                          const std::function<int(std::uint64_t pc)>& lineOf) {
  if (arrays.size() < 2 || arrays.size() > kMaxOrdered) return arrays;
  const auto accesses = accessesByArray(arrays, entries, text, lineOf);
  std::size_t fewest = outside(arrays, accesses);
  if (fewest == 0) return arrays;

  // The alignment of an array is no larger than what its place has in the other build.
  const std::uint64_t windowBegin = std::ranges::min_element(arrays, {}, &PlacedArray::begin)->begin;
  std::vector<std::uint64_t> alignments;
  for (const PlacedArray& placed : arrays) {
    const std::uint64_t place = (placed.begin - windowBegin) | placed.array.bytes | kMaxAlignment;
    alignments.push_back(std::uint64_t(1) << std::countr_zero(place));
  }
  std::vector<PlacedArray> best = arrays;
  std::vector<std::size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<PlacedArray> tried = arrays;
    std::uint64_t at = windowBegin;
    for (const std::size_t i : order) {
      at = (at + alignments[i] - 1) / alignments[i] * alignments[i];
      tried[i].begin = at;
      at += tried[i].array.bytes;
    }
    if (at > windowEnd) continue;
    if (const std::size_t count = outside(tried, accesses); count < fewest) {
      fewest = count;
      best = std::move(tried);
    }
  } while (fewest > 0 && std::ranges::next_permutation(order).found);
  return best;
}

}  // namespace stridescope::engine::access::gpu
