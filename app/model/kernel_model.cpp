#include "model/kernel_model.h"

#include <cstddef>

namespace stridescope::model {
namespace {

constexpr std::array<std::string_view, std::size_t(Operation::Assign) + 1> kOperationNames{
    "load",        "store",      "update",     "branch",         "loop",         "syncthreads",
    "syncwarp",    "shfl",       "shfl_up",    "shfl_down",      "shfl_xor",     "ballot",
    "any",         "all",        "activemask", "reduce",         "group reduce", "atomic add",
    "atomic sub",  "atomic min", "atomic max", "atomic and",     "atomic or",    "atomic xor",
    "atomic exch", "atomic cas", "atomic inc", "atomic combine", "assign"};

}  // namespace

std::string_view nameOf(Operation operation) { return kOperationNames[std::size_t(operation)]; }

recording::SiteKind kindOf(Operation operation) {
  using recording::SiteKind;
  switch (operation) {
    case Operation::Load:
      return SiteKind::Load;
    case Operation::Store:
      return SiteKind::Store;
    case Operation::Update:
      return SiteKind::Update;
    case Operation::Branch:
      return SiteKind::Branch;
    case Operation::Loop:
      return SiteKind::Loop;
    case Operation::SyncThreads:
      return SiteKind::BlockBarrier;
    case Operation::Assign:
      return SiteKind::Assign;
    default:
      return operation >= Operation::AtomicAdd ? SiteKind::Atomic : SiteKind::WarpOperation;
  }
}

std::string_view nameOf(VariableKind kind) {
  constexpr std::array<std::string_view, 3> names{"parameter", "local", "shared"};
  return names[std::size_t(kind)];
}

}  // namespace stridescope::model
