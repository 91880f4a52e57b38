#include "analysis/describe_event.h"

#include <sstream>

#include "analysis/event_groups.h"
#include "model/value.h"

namespace stridescope {
namespace {

// Elements of the experiment's own size are printed as such, others as plain numbers.
std::string printBits(const Trace& trace, std::uint64_t bits, unsigned bytes) {
  return bytes == bytesOf(trace.experiment.type) ? printElement(trace.experiment.type, bits)
                                                 : std::to_string(bits);
}

const char* actOf(EventKind kind) {
  switch (kind) {
    case EventKind::Load:
      return "reads";
    case EventKind::Store:
      return "writes";
    case EventKind::Atomic:
      return "gives an atomic";
    case EventKind::Branch:
      return "finds a branch";
    case EventKind::BlockBarrier:
      return "waits at the block barrier";
    case EventKind::WarpBarrier:
      return "waits at the warp barrier";
    case EventKind::Shuffle:
      return "receives from a shuffle";
    case EventKind::Vote:
      return "gets from a vote";
    case EventKind::WarpReduce:
      return "gets from a warp reduction";
    case EventKind::Give:
      return "puts in";
    case EventKind::Copied:
      return "copies";
  }
  return "does";
}

const Array& arrayOf(const LaunchTrace& launch, const Event& event) {
  return event.inShared() ? launch.shared[event.sharedArray()] : launch.buffers[event.buffer()];
}

}  // namespace

std::string describe(const Trace& trace, const LaunchTrace& launch, const Event& event) {
  std::ostringstream text;
  text << "line " << trace.sites[event.site()].line << ": " << actOf(event.kind());
  const std::string value = printBits(trace, event.value, valueBytesOf(event));
  if (isAccess(event.kind())) {
    const Array& array = arrayOf(launch, event);
    text << ' ' << array.name << '[' << event.offset() / array.elementBytes << ']';
    if (event.offset() % array.elementBytes != 0)
      text << " from byte " << event.offset() % array.elementBytes;
    text << (event.kind() == EventKind::Atomic ? " and " : " = ") << value;
  } else if (event.kind() == EventKind::Branch) {
    text << (event.value != 0 ? " taken" : " not taken");
  } else if (event.kind() != EventKind::BlockBarrier) {
    if (event.kind() != EventKind::WarpBarrier) text << ' ' << value;
    if (event.kind() == EventKind::Shuffle) text << " of lane " << event.sourceLane();
    text << " (lanes 0x" << std::hex << event.laneMask() << ')';
  }
  return text.str();
}

}  // namespace stridescope
