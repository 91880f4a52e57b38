// The block that a kernel's tile in shared memory asks for: as many threads along each axis as the tile has
// elements along the extent that threadIdx indexes along this axis.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel_tokens.h"
#include "model/dim3.h"

namespace stridescope::engine::access {

struct TileBlock {
  model::Dim3 block{1};
  model::Dim3 covered{
      1};  // elements that a block works on; more than threads where these step through a tile
};

// `others`: the bodies of other kernels, by their brackets. `numbers`: names that stand for numbers beside
// the text's own constants. Nothing: no tile with rows is indexed by threadIdx, and no array in one row has
// an element stored by each thread; or CUDA has no such block.
std::optional<TileBlock> blockOfTile(const KernelTokens& tokens,
                                     const std::vector<std::pair<std::size_t, std::size_t>>& others,
                                     std::map<std::string, std::string> numbers);

// Whether a shared array's extent is that name alone: __shared__ float s[N].
bool isSharedExtent(const KernelTokens& tokens, std::string_view name);

}  // namespace stridescope::engine::access
