// Stands in for libnccl.so.2: it reduces ints that are added, at once, in the host's memory. The
// environment's STRIDESCOPE_STAND_IN_NCCL says what it does otherwise: "fails to start", "fails", "ends
// wrongly".
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Communicator {
  int rank = 0, count = 0;
};
struct Asked {
  const std::uint32_t* from;
  std::uint32_t* to;
  std::size_t count;
  bool toAll;
};
std::vector<Asked> group;
bool isOpen = false;
int living = 0, aborted = 0;

bool does(const char* what) {
  const char* const asked = std::getenv("STRIDESCOPE_STAND_IN_NCCL");
  return asked != nullptr && std::string(asked) == what;
}

int take(const void* from, void* to, std::size_t count, int type, int op, bool toAll) {
  if (does("fails") || !isOpen || type != 2 || op != 0) return 5;
  group.push_back({static_cast<const std::uint32_t*>(from), static_cast<std::uint32_t*>(to), count, toAll});
  return 0;
}

}  // namespace

extern "C" {
int standInLiving() { return living; }
int standInAborted() { return aborted; }

#ifndef STRIDESCOPE_OLDER_NCCL
int ncclCommAbort(void* communicator) {
  delete static_cast<Communicator*>(communicator);
  --living, ++aborted;
  return 0;
}
#endif
int ncclGetVersion(int* version) {
  *version = 22803;
  return 0;
}
const char* ncclGetErrorString(int code) { return code == 5 ? "invalid usage" : "unhandled system error"; }
int ncclCommInitAll(void** communicators, int count, const int* gpus) {
  if (does("fails to start")) return 2;
  for (int i = 0; i < count; ++i) communicators[i] = new Communicator{gpus[i], count}, ++living;
  return 0;
}
int ncclCommDestroy(void* communicator) {
  delete static_cast<Communicator*>(communicator);
  --living;
  return 0;
}
int ncclGroupStart() {
  isOpen = true;
  group.clear();
  return 0;
}
int ncclGroupEnd() {
  isOpen = false;
  if (does("ends wrongly")) return 2;
  for (std::size_t rank = 0; rank < group.size(); ++rank) {
    const Asked& asked = group[rank];
    if (!asked.toAll && rank > 0) continue;
    for (std::size_t i = 0; i < asked.count; ++i) {
      std::uint32_t sum = 0;
      for (const Asked& each : group) sum += each.from[i];
      asked.to[i] = sum;
    }
  }
  return 0;
}
int ncclReduce(const void* from, void* to, std::size_t count, int type, int op, int root, void*, void*) {
  return root == 0 ? take(from, to, count, type, op, false) : 4;
}
int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int op, void*, void*) {
  return take(from, to, count, type, op, true);
}
}
