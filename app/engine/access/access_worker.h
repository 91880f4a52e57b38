// The process that runs a person's kernel on the CPU: this program, started once more with a command that
// --help does not list. It gives up what it does not need (engine/sandbox/confinement.h), loads the
// compiled text, and runs its launches with a recorder. What it answers is as trustworthy as the
// text.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "engine/access/kernel_types.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"
#include "model/dim3.h"
#include "model/experiment.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {

// How many bytes an element of an array has in a trace: structs that are too large for one are shown in
// words.
constexpr unsigned shownElementBytes(unsigned bytes) {
  return bytes <= model::kMaxElementBytes ? bytes : bytes % 4 == 0 ? 4 : 1;
}
// Tells the array what its elements are.
void describeElements(const ParameterType& element, model::Array& array);

// A pointer to one of the run's buffers among an argument's bytes.
struct AccessPointer {
  std::uint32_t offset = 0;  // in the argument
  std::uint32_t buffer = 0;  // which of the run's
  std::string name{};        // of the array
};
// A value's bytes. Where pointers stand in it, who runs the kernel writes its buffers' addresses.
struct AccessArgument {
  std::vector<std::uint8_t> value{};
  std::vector<AccessPointer> pointers{};
};
struct AccessLaunch {
  std::uint32_t kernel = 0;                 // which of the text's
  std::string function{};                   // its name
  std::vector<std::string> otherKernels{};  // the text's other ones, whose shared arrays are none of its
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;
  std::string dynamicName{};   // the name of dynamic shared memory
  bool dynamicIsCast = false;  // the text accesses it by pointers of another type
  std::vector<AccessArgument> arguments{};
  std::uint64_t inspected = 0;  // the block that is recorded
  bool recordsAll = false;      // all blocks are
};
struct AccessOrder {
  std::string textFile{};  // the name of the text's file, of which places are told
  std::vector<std::vector<std::uint8_t>> buffers{};
  std::vector<AccessLaunch> launches{};
  model::Schedule schedule{};
  model::BlockOrder blockOrder{};
  std::uint64_t scheduleSeed = 1, blockOrderSeed = 1;
  std::uint64_t milliseconds = 60'000;  // in which all launches must have ended
  std::uint64_t eventsPerThread = 1u << 16, endlessEvents = 1u << 21, traceBytes = 64ull << 20;
  // The text has recording calls (app/instrument): so many places, and these shared arrays by number.
  bool isRecorded = false;
  std::uint32_t recordedSites = 0;
  std::vector<std::string> sharedNames{};
};
// The shared arrays of a launch as the text declares them: those that the compiler places, and dynamic shared
// memory, of 0 bytes where there is none.
struct SharedLayout {
  std::vector<model::Array> arrays{};
  model::Array dynamic{};
};
// A call of one function of the text by another, and where in the text it is.
struct AccessCall {
  model::KernelCall call{};  // without its loop
  int line = 0, column = 0;  // 1-based; 0: it is not in the text's own file
};
struct AccessRecord {
  std::vector<model::LaunchTrace> launches{};  // one more than ended, where one did not
  std::vector<model::Site> sites{};            // without their texts
  std::vector<std::vector<std::uint8_t>> buffers{};
  bool finished = false;
  bool hasMoreSites = false;    // than are told apart
  std::vector<int> branches{};  // by site: the number of its condition in the text; -1: it is none
  // By site: the file that the text includes and in which it is; empty: it is in the text itself.
  std::vector<std::string> files{};
  // The functions in which there are sites, or which lead to one, and the calls among them. Empty: some are
  // not known.
  std::vector<model::KernelFunction> functions{};
  std::vector<AccessCall> calls{};
  std::vector<int> functionOfSite{};  // by site, where there are functions
  std::string printed{};
  bool printsMore = false;     // than is kept
  bool missesDynamic = false;  // a thread accessed dynamic shared memory, of which its launch has none
  // Where a text has recording calls: the site of an access to an array that has no such call; -1: there is
  // none. Then `sites` are those that this and problems name beside the text's own, with the numbers behind
  // these.
  int unseen = -1;
  std::vector<int> handingOver{}, atomic{};  // of the text's own sites (model::Site)
};

template <class Fields, Described<AccessPointer> Value>
constexpr void describe(Fields&& fields, Value& pointer) {
  fields("offset", pointer.offset);
  fields("buffer", pointer.buffer);
  fields("name", pointer.name);
}
template <class Fields, Described<AccessArgument> Value>
constexpr void describe(Fields&& fields, Value& argument) {
  fields("value", argument.value);
  fields("pointers", argument.pointers);
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
  fields("dynamic_cast", launch.dynamicIsCast);
  fields("arguments", launch.arguments);
  fields("inspected", launch.inspected);
  fields("records_all", launch.recordsAll);
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
  fields("schedule", order.schedule);
  fields("block_order", order.blockOrder);
  fields("schedule_seed", order.scheduleSeed);
  fields("block_order_seed", order.blockOrderSeed);
  fields("milliseconds", order.milliseconds);
  fields("events_per_thread", order.eventsPerThread);
  fields("endless_events", order.endlessEvents);
  fields("trace_bytes", order.traceBytes);
  fields("recorded", order.isRecorded);
  fields("recorded_sites", order.recordedSites);
  fields("shared_names", order.sharedNames);
}
template <class Fields, Described<AccessCall> Value>
constexpr void describe(Fields&& fields, Value& call) {
  fields("call", call.call);
  fields("line", call.line);
  fields("column", call.column);
}
template <class Fields, Described<AccessRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("launches", record.launches);
  fields("sites", record.sites);
  fields("buffers", record.buffers);
  fields("finished", record.finished);
  fields("more_sites", record.hasMoreSites);
  fields("branches", record.branches);
  fields("files", record.files);
  fields("functions", record.functions);
  fields("calls", record.calls);
  fields("function_of_site", record.functionOfSite);
  fields("printed", record.printed);
  fields("prints_more", record.printsMore);
  fields("misses_dynamic", record.missesDynamic);
  fields("unseen", record.unseen);
  fields("handing_over", record.handingOver);
  fields("atomic", record.atomic);
}

// It says that it is ready as the types of the text's kernels.
inline constexpr worker::CallType<AccessOrder, AccessRecord> kRecordAccesses{1, worker::kMaxBodyBytes};
inline constexpr worker::CallType<AccessLaunch, SharedLayout> kAskSharedLayout{2, 1u << 20};
inline constexpr worker::Service kAccessService =
    worker::serviceOf<std::vector<KernelTypes>>("access", kRecordAccesses, kAskSharedLayout);

// The argument's bytes with the addresses of its buffers. `addressOf`: by buffer.
template <class AddressOf>
std::vector<std::uint8_t> bytesOf(const AccessArgument& argument, const AddressOf& addressOf) {
  std::vector<std::uint8_t> bytes = argument.value;
  for (const AccessPointer& pointer : argument.pointers) {
    const std::uint64_t address = addressOf(pointer.buffer);
    std::memcpy(bytes.data() + pointer.offset, &address, sizeof(address));
  }
  return bytes;
}

// Why the launch's arguments make no sense, of a run with so many buffers; nothing: they do.
std::optional<std::string> faultOfArguments(const AccessLaunch& launch, std::size_t buffers);

// How `program` is started to run that library's kernels: `stridescope access-worker FILE`.
worker::WorkerCommand accessWorkerCommand(const std::string& program, const std::string& library);

// The library, if that is what the program was started with.
std::optional<std::string> accessWorkerLibrary(int argc, const char* const* argv);

// Gives the process's exit code.
int serveAccesses(const std::string& library);

}  // namespace stridescope::engine::access
