// A kernel as the GPU executes it, line by line, with the lines of the kernel's text that its instructions
// come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"
#include "model/trace_check.h"

namespace stridescope::model {

enum class CodeKind : std::uint8_t {
  Sass,  // the machine's own instructions
  Ptx,   // the virtual machine's, which the driver compiles further
};
inline constexpr std::array kCodeKinds{CodeKind::Sass, CodeKind::Ptx};
std::string_view nameOf(CodeKind kind);  // "SASS", "PTX"

struct CodeLine {
  unsigned line = 0;  // the line of the kernel's text it belongs to, from 1; 0: to none
  std::string text;   // an instruction, or a label with its colon
  friend bool operator==(const CodeLine&, const CodeLine&) = default;
};

struct MachineCode {
  Experiment experiment;   // only its variant, type, operator and block size matter
  std::string kernelHash;  // hashOf the kernel's text
  Executor executor{};  // whose compiler, and for which GPU; kind Gpu, the device empty where there was none
  CodeKind kind = CodeKind::Sass;
  std::string target{};  // "sm_90"
  std::vector<CodeLine> lines{};
  friend bool operator==(const MachineCode&, const MachineCode&) = default;
};

inline constexpr std::size_t kMaxMachineCodes = 1 << 12;  // per recording
inline constexpr std::size_t kMaxCodeLines = 1 << 16;     // per kernel
inline constexpr std::size_t kMaxCodeLineBytes = 512;

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const MachineCode& code);

// Whether it tells of this experiment, whatever n and its data are.
bool tellsOf(const MachineCode& code, const Experiment& experiment);

constexpr auto allOf(CodeKind) { return kCodeKinds; }

template <class Fields, Described<CodeLine> Value>
constexpr void describe(Fields&& fields, Value& line) {
  fields("line", line.line);
  fields("text", line.text);
}

template <class Fields, Described<MachineCode> Value>
constexpr void describe(Fields&& fields, Value& code) {
  fields("experiment", code.experiment);
  fields("kernel_sha256", code.kernelHash);
  fields("executor", code.executor);
  fields("kind", code.kind);
  fields("target", code.target);
  fields("lines", code.lines);
}

// The lines stand in one text (archive/row_shapes.h); what is limited is the bytes of these texts.
template <>
inline constexpr Quantity kQuantity<MachineCode>{
    .table = "machine_codes",
    .one = "machine code",
    .many = "machine codes",
    .where = "machine code",
    .most = kMaxMachineCodes,
    .format = 7,
    .parts = "bytes of machine code",
    .mostParts = std::uint64_t{64} << 20,
    .experiment = kCompiledFields,
    .fields = {{.field = "kind", .comment = "SASS, PTX", .column = "code_kind"}, {"target", "sm_90"}}};

// What the words of a machine instruction are, in SASS and in PTX. Pure.

enum class Flow : std::uint8_t {
  None,
  Branch,   // goes elsewhere, or may: branches, calls, returns, exits, and where their paths meet again
  Barrier,  // waits for other threads
};

// Where the parts of an instruction stand in its text. A label has none: all are empty.
struct CodeWords {
  std::size_t predicateEnd = 0;  // "@!P0" at the beginning, without the blank behind it; 0: there is none
  std::size_t operation = 0, operationEnd = 0;  // "LDG.E"
  Flow flow = Flow::None;
  bool isLabel = false;
};
CodeWords wordsOf(std::string_view text);

// Counts over instructions; labels do not count.
struct CodeCounts {
  unsigned instructions = 0;
  unsigned predicated = 0;  // all but branches: where the predicate is false they do nothing
  unsigned branches = 0;    // with a predicate: those that may diverge
};
CodeCounts countsOf(std::span<const model::CodeLine> lines);

}  // namespace stridescope::model
