#include "analysis/describe_event.h"

#include <sstream>

#include "analysis/event_groups.h"
#include "model/value.h"

namespace stridescope::analysis {
namespace {

// Elements of the experiment's own size are printed as such, others as plain numbers.
std::string printBits(const model::Trace& trace, std::uint64_t bits, unsigned bytes) {
  return bytes == model::bytesOf(trace.experiment.type) ? model::printElement(trace.experiment.type, bits)
                                                        : std::to_string(bits);
}

const char* actOf(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::Load:
      return "reads";
    case model::EventKind::Store:
      return "writes";
    case model::EventKind::Atomic:
      return "performs an atomic on";
    case model::EventKind::Branch:
      return "finds a branch";
    case model::EventKind::BlockBarrier:
      return "waits at the block barrier";
    case model::EventKind::WarpBarrier:
      return "waits at the warp barrier";
    case model::EventKind::Shuffle:
      return "receives from a shuffle";
    case model::EventKind::Vote:
      return "gets from a vote";
    case model::EventKind::WarpReduce:
      return "gets from a warp reduction";
    case model::EventKind::Give:
      return "puts in";
    case model::EventKind::Copied:
      return "copies";
    case model::EventKind::Value:
      return "assigns";
  }
  return "does";
}

const model::Array& arrayOf(const model::LaunchTrace& launch, const model::Event& event) {
  return launch.arrayOf(event);
}

}  // namespace

std::string describe(const model::Trace& trace, const model::LaunchTrace& launch, const model::Event& event) {
  std::ostringstream text;
  text << "line " << trace.sites[event.site()].line << ": " << actOf(event.kind());
  const std::string value = printBits(trace, event.value, valueBytesOf(event));
  if (isAccess(event.kind())) {
    const model::Array& array = arrayOf(launch, event);
    text << ' ' << array.name << '[' << event.offset() / array.elementBytes << ']';
    if (event.offset() % array.elementBytes != 0)
      text << " from byte " << event.offset() % array.elementBytes;
    text << (event.kind() == model::EventKind::Atomic ? " and " : " = ") << value;
  } else if (event.kind() == model::EventKind::Branch) {
    text << (event.value != 0 ? " taken" : " not taken");
  } else if (event.kind() == model::EventKind::Value) {
    text << ' ' << value;
  } else if (event.kind() != model::EventKind::BlockBarrier) {
    if (event.kind() != model::EventKind::WarpBarrier) text << ' ' << value;
    if (event.kind() == model::EventKind::Shuffle) text << " of lane " << event.sourceLane();
    text << " (lanes 0x" << std::hex << event.laneMask() << ')';
  }
  return text.str();
}

}  // namespace stridescope::analysis
