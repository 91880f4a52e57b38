// The process that runs a person's kernel on the CPU: this program, started once more with a command that
// --help does not list. It gives up what it does not need (engine/sandbox/confined_library.h), loads the
// compiled text, and runs its launches with the access recorder. What it answers is as trustworthy as the
// text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"
#include "model/dim3.h"
#include "model/trace.h"

namespace stridescope::engine::access {

// The types of a kernel's parameters, as the compiled text tells them (kernels/access/facts.h).
enum class NumberKind : std::uint8_t { Signed, Unsigned, Floating, Half, Bfloat, Bytes };
constexpr auto allOf(NumberKind) {
  return std::array{NumberKind::Signed, NumberKind::Unsigned, NumberKind::Floating,
                    NumberKind::Half,   NumberKind::Bfloat,   NumberKind::Bytes};
}

struct MemberType {
  NumberKind kind{};
  unsigned bytes = 0, offset = 0;
};
struct ParameterType {
  bool isPointer = false, isConst = false;
  bool isWhole = true;  // all of it is among the members
  unsigned bytes = 0;   // of the value, or of one element that is pointed to
  std::vector<MemberType> members{};
};
struct KernelTypes {
  std::vector<ParameterType> parameters;
};

struct AccessArgument {
  bool isBuffer = false;
  std::uint32_t buffer = 0;           // which of the run's buffers
  std::vector<std::uint8_t> value{};  // else: the value's bytes
  std::string name{};
};
struct AccessLaunch {
  std::uint32_t kernel = 0;                 // which of the text's
  std::string function{};                   // its name
  std::vector<std::string> otherKernels{};  // the text's other ones, whose shared arrays are none of its
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;
  std::string dynamicName{};  // the name of dynamic shared memory
  std::vector<AccessArgument> arguments{};
  std::uint64_t inspected = 0;  // the block that is recorded
};
struct AccessOrder {
  std::string textFile{};  // the name of the text's file, of which places are told
  std::vector<std::vector<std::uint8_t>> buffers{};
  std::vector<AccessLaunch> launches{};
  std::uint64_t eventsPerThread = 1u << 16, endlessEvents = 1u << 21, traceBytes = 64ull << 20;
};
// The shared arrays of a launch as the text declares them: those that the compiler places, and dynamic shared
// memory, of 0 bytes where there is none.
struct SharedLayout {
  std::vector<model::Array> arrays{};
  model::Array dynamic{};
};
struct AccessRecord {
  std::vector<model::LaunchTrace> launches{};  // one more than ended, where one did not
  std::vector<model::Site> sites{};            // without their texts
  std::vector<std::vector<std::uint8_t>> buffers{};
  bool finished = false;
  bool hasMoreSites = false;  // than are told apart
  std::string printed{};
};

template <class Fields, Described<MemberType> Value>
constexpr void describe(Fields&& fields, Value& member) {
  fields("kind", member.kind);
  fields("bytes", member.bytes);
  fields("offset", member.offset);
}
template <class Fields, Described<ParameterType> Value>
constexpr void describe(Fields&& fields, Value& parameter) {
  fields("pointer", parameter.isPointer);
  fields("const", parameter.isConst);
  fields("whole", parameter.isWhole);
  fields("bytes", parameter.bytes);
  fields("members", parameter.members);
}
template <class Fields, Described<KernelTypes> Value>
constexpr void describe(Fields&& fields, Value& types) {
  fields("parameters", types.parameters);
}
template <class Fields, Described<AccessArgument> Value>
constexpr void describe(Fields&& fields, Value& argument) {
  fields("is_buffer", argument.isBuffer);
  fields("buffer", argument.buffer);
  fields("value", argument.value);
  fields("name", argument.name);
}
template <class Fields, Described<AccessLaunch> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("kernel", launch.kernel);
  fields("function", launch.function);
  fields("other_kernels", launch.otherKernels);
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("shared_bytes", launch.sharedBytes);
  fields("dynamic_name", launch.dynamicName);
  fields("arguments", launch.arguments);
  fields("inspected", launch.inspected);
}
template <class Fields, Described<SharedLayout> Value>
constexpr void describe(Fields&& fields, Value& layout) {
  fields("arrays", layout.arrays);
  fields("dynamic", layout.dynamic);
}
template <class Fields, Described<AccessOrder> Value>
constexpr void describe(Fields&& fields, Value& order) {
  fields("text_file", order.textFile);
  fields("buffers", order.buffers);
  fields("launches", order.launches);
  fields("events_per_thread", order.eventsPerThread);
  fields("endless_events", order.endlessEvents);
  fields("trace_bytes", order.traceBytes);
}
template <class Fields, Described<AccessRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("launches", record.launches);
  fields("sites", record.sites);
  fields("buffers", record.buffers);
  fields("finished", record.finished);
  fields("more_sites", record.hasMoreSites);
  fields("printed", record.printed);
}

// It says that it is ready as the types of the text's kernels.
inline constexpr worker::CallType<AccessOrder, AccessRecord> kRecordAccesses{1, worker::kMaxBodyBytes};
inline constexpr worker::CallType<AccessLaunch, SharedLayout> kAskSharedLayout{2, 1u << 20};
inline constexpr worker::Service kAccessService =
    worker::serviceOf<std::vector<KernelTypes>>("access", kRecordAccesses, kAskSharedLayout);

// How `program` is started to run that library's kernels: `stridescope access-worker FILE`.
worker::WorkerCommand accessWorkerCommand(const std::string& program, const std::string& library);

// The library, if that is what the program was started with.
std::optional<std::string> accessWorkerLibrary(int argc, const char* const* argv);

// Gives the process's exit code.
int serveAccesses(const std::string& library);

// What the compiled text exports, beside access_attach: its kernels, in the order of the launches that first
// name them, and a variable of the thread's own in the same storage as the shared ones.
inline constexpr const char* kAttachSymbol = "access_attach";
inline constexpr const char* kKernelsSymbol = "access_kernels";
inline constexpr const char* kKernelCountSymbol = "access_kernel_count";
inline constexpr const char* kAnchorSymbol = "access_thread_storage";

}  // namespace stridescope::engine::access
