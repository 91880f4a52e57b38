#include "launch_tile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "preprocessor_condition.h"

namespace stridescope::engine::access {
namespace {

// Tokens from the first up to the one before the last.
struct Range {
  std::size_t begin = 0, end = 0;
};

// What an index is made of: the axis of threadIdx, and how far it goes on in a loop.
struct Index {
  std::size_t axis = 0;  // 0: x
  std::uint64_t step = 0;
};

constexpr std::uint64_t kMostThreads = 1024, kMostPlanes = 64;

// A tile's extent without its padding or halo: 32 of 33, 16 of 18.
std::uint64_t threadsOf(std::uint64_t extent) {
  const std::uint64_t power = std::bit_floor(extent);
  return extent - power <= std::max(std::uint64_t{2}, power / 4) ? power : extent;
}

class TileReader {
 public:
  TileReader(const KernelTokens& tokens, const std::vector<std::pair<std::size_t, std::size_t>>& others,
             std::map<std::string, std::string> numbers)
      : tokens_(tokens), others_(others), numbers_(std::move(numbers)) {
    for (const Directive& directive : directivesOf(tokens))
      if (directive.name == "define") numbers_.insert(macroOf(directive.rest));
    readConstants();
    readAxes();
  }

  std::optional<TileBlock> find() const {
    if (const auto tile = findTile(2)) return tile;
    return findTile(1);
  }

 private:
  // The tile of the first array that has so many extents, or more.
  std::optional<TileBlock> findTile(std::size_t extentsAtLeast) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, "__shared__") || isOthers(i)) continue;
      for (; i < tokens_.size() && !tokens_.is(i, ";"); ++i) {
        const std::vector<Range> extents = subscriptsAt(i);
        if (extents.size() < extentsAtLeast) continue;
        if (const auto tile = extents.size() == 1 ? rowOf(tokens_.word(i), extents.front())
                                                  : tileOf(tokens_.word(i), extents))
          return tile;
      }
    }
    return std::nullopt;
  }

  bool isOthers(std::size_t token) const {
    return std::ranges::any_of(others_,
                               [&](const auto& body) { return body.first < token && token < body.second; });
  }

  // What stands in the brackets that follow a name, one range for each pair.
  std::vector<Range> subscriptsAt(std::size_t name) const {
    std::vector<Range> all;
    if (!tokens_[name].isWord) return all;
    for (std::size_t open = name + 1; tokens_.is(open, "["); open = tokens_.partner(open) + 1)
      all.push_back({open + 1, tokens_.partner(open)});
    return all;
  }

  std::optional<std::uint64_t> numberIn(Range range) const {
    if (range.begin >= range.end) return std::nullopt;
    std::set<std::string> undefined;
    const auto text = tokens_.text().substr(tokens_[range.begin].begin,
                                            tokens_[range.end - 1].end - tokens_[range.begin].begin);
    const auto value = valueOfCondition(std::string(text), numbers_, undefined);
    return value && *value > 0 && undefined.empty() ? std::optional(std::uint64_t(*value)) : std::nullopt;
  }

  // const int TILE = 32; enum { ROWS = 8 };
  void readConstants() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (!tokens_.is(i, "=") || !tokens_[i - 1].isWord) continue;
      std::size_t end = i + 1;
      while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, ",") && !tokens_.is(end, "}"))
        end = tokens_.is(end, "(") ? tokens_.partner(end) + 1 : end + 1;
      std::size_t first = i;
      while (first > 0 && !tokens_.is(first, ";") && !tokens_.is(first, "{") && !tokens_.is(first, "}"))
        --first;
      const bool isConstant = tokens_.has(first, i, "const") || tokens_.has(first, i, "constexpr") ||
                              (first > 0 && tokens_.has(first < 3 ? 0 : first - 3, first, "enum"));
      if (isConstant && end < tokens_.size())
        numbers_.try_emplace(std::string(tokens_.word(i - 1)),
                             std::string(tokens_.text().substr(tokens_[i + 1].begin,
                                                               tokens_[end - 1].end - tokens_[i + 1].begin)));
    }
  }

  // int tx = threadIdx.x; with what is added to it, but not a place in the grid.
  void readAxes() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (!tokens_.is(i, "=") || !tokens_[i - 1].isWord || isOthers(i)) continue;
      std::size_t end = i + 1;
      while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, ",")) ++end;
      if (const auto index = indexIn({i + 1, end}))
        axes_.try_emplace(std::string(tokens_.word(i - 1)), index->axis);
    }
  }

  static std::optional<std::size_t> axisNamed(std::string_view name) {
    return name == "x" || name == "y" || name == "z" ? std::optional(std::size_t(name[0] - 'x'))
                                                     : std::nullopt;
  }

  // Nothing: it is of no axis, or of more than one, or scaled.
  std::optional<Index> indexIn(Range range) const {
    std::optional<Index> found;
    std::uint64_t step = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (tokens_.is(i, "*") || tokens_.is(i, "/") || tokens_.is(i, "%") || tokens_.is(i, "[") ||
          tokens_.is(i, "blockIdx") || tokens_.is(i, "?") || tokens_.is(i, "&") || tokens_.is(i, "^") ||
          tokens_.is(i, ">") || tokens_.is(i, "<"))
        return std::nullopt;
      std::optional<std::size_t> axis;
      if (tokens_.is(i, "threadIdx") && tokens_.is(i + 1, ".")) axis = axisNamed(tokens_.word(i + 2));
      const auto known = axes_.find(std::string(tokens_.word(i)));
      if (known != axes_.end()) axis = known->second;
      if (axis && found) return std::nullopt;
      if (axis)
        found = Index{*axis, 0};
      else if (tokens_[i].isWord && !tokens_.is(i - 1, "."))
        step = std::max(step, stepOf(tokens_.word(i)));
    }
    if (found) found->step = step;
    return found;
  }

  // for (...; ...; j += ROWS); 0: the name is none of such a loop.
  std::uint64_t stepOf(std::string_view name) const {
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
      if (!tokens_.is(i, name) || !tokens_.is(i + 1, "+") || !tokens_.is(i + 2, "=") || isOthers(i)) continue;
      std::size_t end = i + 3;
      while (end < tokens_.size() && !tokens_.is(end, ")") && !tokens_.is(end, ";")) ++end;
      if (tokens_.is(end, ")")) return numberIn({i + 3, end}).value_or(0);
    }
    return 0;
  }

  // The block that an array of two or three extents asks for: the kernel indexes it with threadIdx, and
  // threadIdx.x stands at its last extent.
  std::optional<TileBlock> tileOf(std::string_view name, const std::vector<Range>& extents) const {
    if (extents.size() < 2 || extents.size() > 3) return std::nullopt;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, name) || isOthers(i)) continue;
      const std::vector<Range> subscripts = subscriptsAt(i);
      if (subscripts.size() != extents.size() || subscripts.front().begin == extents.front().begin) continue;
      std::array<std::uint64_t, 3> threads{1, 1, 1}, covered{1, 1, 1};
      bool isTile = true;
      for (std::size_t k = 0; k < extents.size() && isTile; ++k) {
        const std::size_t wanted = extents.size() - 1 - k;
        const auto index = indexIn(subscripts[k]);
        const auto extent = numberIn(extents[k]);
        isTile = index && index->axis == wanted && extent;
        if (!isTile) break;
        covered[wanted] = threadsOf(*extent);
        threads[wanted] = index->step > 0 ? std::min(index->step, covered[wanted]) : covered[wanted];
      }
      if (!isTile) continue;
      if (threads[0] * threads[1] * threads[2] > kMostThreads || threads[2] > kMostPlanes) continue;
      const auto dim = [](const std::array<std::uint64_t, 3>& of) {
        return model::Dim3(of[0], unsigned(of[1]), unsigned(of[2]));
      };
      return TileBlock{dim(threads), dim(covered)};
    }
    return std::nullopt;
  }

  // s[...] = ...; which every thread of the block comes to: it stands in no branch and in no loop.
  bool isStoreOfAll(std::size_t name, const Range& subscript) const {
    const std::size_t equals = subscript.end + 1;
    const bool begins = tokens_.is(name - 1, ";") || tokens_.is(name - 1, "{") || tokens_.is(name - 1, "}");
    if (!begins || !tokens_.is(equals, "=") || tokens_.is(equals + 1, "=")) return false;
    for (std::size_t i = name - 1; i > 1; --i) {
      if (tokens_.is(i, "}") || tokens_.is(i, ")") || tokens_.is(i, "]"))
        i = tokens_.partner(i);
      else if (tokens_.is(i, "("))
        return false;
      else if (tokens_.is(i, "{")) {
        if (!tokens_.is(i - 1, ")")) return false;
        const std::string_view before = tokens_.word(tokens_.partner(i - 1) - 1);
        return before != "if" && before != "for" && before != "while" && before != "switch";
      }
    }
    return false;
  }

  // An array in one row in which each thread stores one element: as many threads as it has elements without
  // its halo. Nothing: threads store several, or an element that is not theirs.
  std::optional<TileBlock> rowOf(std::string_view name, const Range& extent) const {
    const auto elements = numberIn(extent);
    if (!elements || threadsOf(*elements) > kMostThreads) return std::nullopt;
    bool isRow = false;
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (!tokens_.is(i, name) || isOthers(i)) continue;
      const std::vector<Range> subscripts = subscriptsAt(i);
      if (subscripts.size() != 1 || !isStoreOfAll(i, subscripts.front())) continue;
      const auto index = indexIn(subscripts.front());
      const bool isOfBlock = tokens_.has(subscripts.front().begin, subscripts.front().end, "blockDim");
      if (!index || index->axis != 0 || isOfBlock || isRow) return std::nullopt;
      isRow = true;
    }
    const model::Dim3 threads(threadsOf(*elements));
    return isRow ? std::optional(TileBlock{threads, threads}) : std::nullopt;
  }

  const KernelTokens& tokens_;
  const std::vector<std::pair<std::size_t, std::size_t>>& others_;
  std::map<std::string, std::string> numbers_;            // names to expressions
  std::map<std::string, std::size_t, std::less<>> axes_;  // of local variables
};

}  // namespace

std::optional<TileBlock> blockOfTile(const KernelTokens& tokens,
                                     const std::vector<std::pair<std::size_t, std::size_t>>& others,
                                     std::map<std::string, std::string> numbers) {
  return TileReader(tokens, others, std::move(numbers)).find();
}

bool isSharedExtent(const KernelTokens& tokens, std::string_view name) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__shared__")) continue;
    for (; i + 2 < tokens.size() && !tokens.is(i, ";"); ++i)
      if (tokens.is(i, "[") && tokens.is(i + 1, name) && tokens.is(i + 2, "]")) return true;
  }
  return false;
}

}  // namespace stridescope::engine::access
