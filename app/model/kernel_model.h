// What the text pass knows of a kernel's text: its functions and variables, what each site does and what each
// value is made of. Kept with a trace, so that nobody has to search the text again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "recording/site.h"

namespace stridescope::model {

// What a site does, as CUDA names it.
enum class Operation : std::uint8_t {
  Load,
  Store,
  Update,  // reads and writes, as in a[i] += x
  Branch,
  Loop,
  SyncThreads,  // also with a count or a vote, and a block's sync()
  SyncCluster,  // a cluster's sync()
  SyncWarp,
  ShflIdx,
  ShflUp,
  ShflDown,
  ShflXor,
  Ballot,
  Any,
  All,
  ActiveMask,
  Reduce,         // __reduce_add_sync and its like, and the preamble's combineWarp
  GroupReduce,    // cooperative_groups::reduce
  WarpOperation,  // the access recorder does not tell which: its events do
  AtomicAdd,
  AtomicSub,
  AtomicMin,
  AtomicMax,
  AtomicAnd,
  AtomicOr,
  AtomicXor,
  AtomicExch,
  AtomicCas,
  AtomicInc,
  AtomicCombine,  // the preamble's combineAtomically
  Atomic,         // the access recorder does not tell which
  Assign,         // to a local variable of the element type
};
std::string_view nameOf(Operation operation);  // "load", "shfl_down", "atomic add", ...
// The kind of the site that does it.
recording::SiteKind kindOf(Operation operation);

// In what order other threads see an atomic operation and what its thread does before and after it.
enum class MemoryOrder : std::uint8_t {
  None,     // the access is not one of the operations that are given an order
  Unnamed,  // it is given one, and the text does not name it
  Relaxed,
  Consume,
  Acquire,
  Release,
  AcquireRelease,
  SequentiallyConsistent,
};
std::string_view nameOf(MemoryOrder order);  // "none", "unnamed", "relaxed", ..., "acq_rel", "seq_cst"
bool acquires(MemoryOrder order);            // as loads do that see what was released
bool releases(MemoryOrder order);

// Among which threads that order holds.
enum class MemoryScope : std::uint8_t { None, Unnamed, Thread, Block, Cluster, Device, System };
std::string_view nameOf(MemoryScope scope);  // "none", "unnamed", "thread", "block", ...

enum class VariableKind : std::uint8_t { Parameter, Local, Shared };
std::string_view nameOf(VariableKind kind);  // "parameter", "local", "shared"

struct KernelFunction {
  std::string name{};
  bool isKernel = false;  // __global__
  int line = 1;           // the line of its name, 1-based
  friend bool operator==(const KernelFunction&, const KernelFunction&) = default;
};

// A parameter, a local variable or a __shared__ array, in the order of the text.
struct KernelVariable {
  std::string name{};
  VariableKind kind{};
  std::string type{};    // without specifiers, pointers and extents: "T", "unsigned", "Pack"
  std::string extent{};  // as written, "[8][33]"; empty: none
  bool pointer = false;
  bool element = false;  // one value of the element type: each assignment to it is a site
  int function = -1;     // index into KernelModel::functions; -1: it belongs to none
  int line = 1;          // 1-based
  friend bool operator==(const KernelVariable&, const KernelVariable&) = default;
};

struct KernelCall {
  int caller = 0, callee = 0;  // indices into KernelModel::functions
  int sitesBefore = 0;         // the sites below this id are evaluated before the callee runs
  int loop = -1;               // the site of the innermost loop around it; -1: none
  friend bool operator==(const KernelCall&, const KernelCall&) = default;
};

// What is known of a site beside what Site has; KernelModel::sites[id].
struct SiteModel {
  Operation operation{};
  int function = -1;
  int variable = -1;  // Assign: to which
  bool combines =
      false;  // Store, Update, Assign: its right side combines values, or calls a function that may
  // In straight-line code, the step that combines operands and stores their result, numbered from 1. 0: the
  // site belongs to no step, or to a loop.
  int step = 0;
  // What __nv_atomic_load_n and its like are given. Recordings do not have them: who reads one takes them
  // from its text (instrument/instrument.h).
  MemoryOrder order{};
  MemoryScope scope{};
  friend bool operator==(const SiteModel&, const SiteModel&) = default;
};

// One of the things that the right side of a Store, Update or Assign names: a site's value (a load, a
// shuffle) or a variable's. Subscripts do not count.
struct SiteOperand {
  int site = 0;       // whose right side it is
  int source = -1;    // a site; -1: none
  int variable = -1;  // an element variable; -1: none
  int callee = -1;    // the function of the text that it is given to, the outermost of several; -1: none
  friend bool operator==(const SiteOperand&, const SiteOperand&) = default;
};

// Empty where the text is unknown to the text pass.
struct KernelModel {
  std::vector<KernelFunction> functions{};  // in the order of the text
  std::vector<KernelVariable> variables{};
  std::vector<KernelCall> calls{};      // in the order of the text
  std::vector<SiteModel> sites{};       // one per site of the trace
  std::vector<SiteOperand> operands{};  // by site, then in the order of the text
  friend bool operator==(const KernelModel&, const KernelModel&) = default;
};

constexpr auto allOf(Operation) {
  std::array<Operation, std::size_t(Operation::Assign) + 1> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = Operation(i);
  return all;
}
constexpr auto allOf(MemoryOrder) {
  using enum MemoryOrder;
  return std::array{None,    Unnamed, Relaxed,        Consume,
                    Acquire, Release, AcquireRelease, SequentiallyConsistent};
}
constexpr auto allOf(MemoryScope) {
  using enum MemoryScope;
  return std::array{None, Unnamed, Thread, Block, Cluster, Device, System};
}
constexpr auto allOf(VariableKind) {
  return std::array{VariableKind::Parameter, VariableKind::Local, VariableKind::Shared};
}

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<KernelFunction> Value>
constexpr void describe(Fields&& fields, Value& function) {
  fields("name", function.name);
  fields("kernel", function.isKernel);
  fields("line", function.line);
}

template <class Fields, Described<KernelVariable> Value>
constexpr void describe(Fields&& fields, Value& variable) {
  fields("name", variable.name);
  fields("kind", variable.kind);
  fields("type", variable.type);
  fields("extent", variable.extent);
  fields("pointer", variable.pointer);
  fields("element", variable.element);
  fields("function", variable.function);
  fields("line", variable.line);
}

template <class Fields, Described<KernelCall> Value>
constexpr void describe(Fields&& fields, Value& call) {
  fields("caller", call.caller);
  fields("callee", call.callee);
  fields("sites_before", call.sitesBefore);
  fields("loop", call.loop);
}

template <class Fields, Described<SiteModel> Value>
constexpr void describe(Fields&& fields, Value& site) {
  fields("operation", site.operation);
  fields("function", site.function);
  fields("variable", site.variable);
  fields("combines", site.combines);
  fields("step", site.step);
  fields("order", site.order);
  fields("scope", site.scope);
}

template <class Fields, Described<SiteOperand> Value>
constexpr void describe(Fields&& fields, Value& operand) {
  fields("site", operand.site);
  fields("source", operand.source);
  fields("variable", operand.variable);
  fields("callee", operand.callee);
}

template <class Fields, Described<KernelModel> Value>
constexpr void describe(Fields&& fields, Value& model) {
  fields("functions", model.functions);
  fields("variables", model.variables);
  fields("calls", model.calls);
  fields("sites", model.sites);
  fields("operands", model.operands);
}

// Names of what a program's text declares, as they come with a file or a message.

inline constexpr std::size_t kMaxNameBytes = 512;

// The one check of the names of arrays, functions and variables that were read from elsewhere. A name is one
// of C++ as a compiler or a demangler prints it: sum, reduce<float, 256u>, ns::Sum::operator()(float),
// data[3], (anonymous namespace)::f, main::{lambda(int)#1}, size[abi:cxx11]; letters may be any of Unicode.
// It has at most kMaxNameBytes bytes and no control character, nor one that changes the direction of text.
// What is wrong with it, as a clause that follows what the name is of ("is longer than 512 bytes"), or
// nothing.
std::optional<std::string> faultOfName(std::string_view name);

// Expressions of whole numbers in a kernel's text, as in indices and conditions, and what the names in them
// stand for. The text pass reads them (instrument/instrument.h).

enum class ExpressionKind : std::uint8_t {
  Number,
  Name,
  Not,
  Negate,
  Plus,
  Complement,
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessOrEqual,
  GreaterOrEqual,
  ShiftLeft,
  ShiftRight,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Choice,  // a ? b : c
};

struct ExpressionNode {
  ExpressionKind kind{};
  std::uint32_t value = 0;                // a Number's value; a Name's index into Expression::words
  std::array<std::size_t, 3> operands{};  // indices of earlier nodes, as many as the kind has
};

// A token of the text; a member's name and what it belongs to, as in "threadIdx.x", are one word.
struct ExpressionWord {
  std::string text{};
  bool spaced = false;  // white space or a comment stands before it
  bool isName = false;
  int name = -1;  // index into KernelExpressions::names; -1: its value is not told by the text
};

struct Expression {
  std::vector<ExpressionWord> words{};  // as the text has them
  // The last one is the whole. Empty: it is no expression of whole numbers, or calls a function, or reads
  // memory.
  std::vector<ExpressionNode> nodes{};
};

enum class NameKind : std::uint8_t {
  Declared,   // unsigned index = 2 * s * tid;
  Stepped,    // the variable of a for: for (unsigned s = 1; s < n; s *= 2)
  Parameter,  // of a function
};

// A name whose value follows from the text.
struct NamedNumber {
  NameKind kind{};
  std::string name{};
  bool isBool = false;
  bool reassigned = false;  // anywhere but in its declaration and its own for's step
  Expression value{};       // what it is declared as; empty for a Parameter
  Expression next{};  // of a Stepped: what a step makes of it, in which its name stands for the value before
  int loop = -1;      // of a Stepped: the site of the for's condition; -1: it has none
  bool ofKernel = false;                // a Parameter of the kernel, which has no calls in the text
  std::vector<Expression> arguments{};  // of a Parameter: what each call of the function passes for it
};

struct KernelExpressions {
  std::vector<NamedNumber> names{};
  std::vector<Expression> conditions{};  // by site; empty for what is neither a Branch nor a Loop
};

// What a name stands for; nullopt: it is not known.
using ValueOfName = std::function<std::optional<std::uint32_t>(const ExpressionWord&)>;

// The value as an unsigned number of 32 bits, in which the kernels count; true is 1. nullopt: a name that
// matters is not known, something is divided by 0 or shifted by 32 bits or more, or there are no nodes.
std::optional<std::uint32_t> valueOf(const Expression& expression, const ValueOfName& valueOfName);

// As the text has it in one line, with each name replaced for which `replaced` gives a text.
std::string printed(const Expression& expression,
                    const std::function<std::optional<std::string>(const ExpressionWord&)>& replaced);

}  // namespace stridescope::model
