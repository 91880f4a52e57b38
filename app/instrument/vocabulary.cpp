#include "instrument/vocabulary.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace stridescope::instrument {
namespace {

using Words = std::unordered_set<std::string_view>;

const Words kTypes{
    "void",       "bool",       "char",      "short",     "int",       "long",       "signed",
    "unsigned",   "float",      "double",    "auto",      "char8_t",   "char16_t",   "char32_t",
    "wchar_t",    "__int128",   "size_t",    "ptrdiff_t", "int8_t",    "int16_t",    "int32_t",
    "int64_t",    "uint8_t",    "uint16_t",  "uint32_t",  "uint64_t",  "intptr_t",   "uintptr_t",
    "uchar",      "ushort",     "uint",      "ulong",     "char1",     "char2",      "char3",
    "char4",      "uchar1",     "uchar2",    "uchar3",    "uchar4",    "short1",     "short2",
    "short3",     "short4",     "ushort1",   "ushort2",   "ushort3",   "ushort4",    "int1",
    "int2",       "int3",       "int4",      "uint1",     "uint2",     "uint3",      "uint4",
    "long1",      "long2",      "long3",     "long4",     "ulong1",    "ulong2",     "ulong3",
    "ulong4",     "longlong1",  "longlong2", "longlong3", "longlong4", "ulonglong1", "ulonglong2",
    "ulonglong3", "ulonglong4", "float1",    "float2",    "float3",    "float4",     "double1",
    "double2",    "double3",    "double4",   "dim3",      "T"};

const Words kSpecifiers{"const",
                        "volatile",
                        "constexpr",
                        "consteval",
                        "static",
                        "extern",
                        "inline",
                        "register",
                        "mutable",
                        "virtual",
                        "explicit",
                        "struct",
                        "class",
                        "union",
                        "enum",
                        "typename",
                        "__device__",
                        "__global__",
                        "__host__",
                        "__forceinline__",
                        "__noinline__",
                        "__inline__",
                        "__restrict__",
                        "__restrict",
                        "__grid_constant__",
                        "__shared__",
                        "__align__",
                        "alignas",
                        "__launch_bounds__"};

const Words kSpecifiersWithArgument{"__align__", "alignas", "__launch_bounds__", "explicit"};

const Words kUnevaluated{"sizeof",        "alignof",   "__alignof__",       "noexcept",
                         "static_assert", "__align__", "__launch_bounds__", "alignas"};

const Words kNamedCasts{"static_cast", "const_cast", "reinterpret_cast"};

const Words kOperandKeywords{"this", "true", "false", "nullptr"};

const Words kOtherKeywords{
    "return",   "if",     "else",     "for",       "while",    "do",       "break",    "continue",  "using",
    "template", "public", "private",  "protected", "operator", "override", "final",    "switch",    "case",
    "default",  "goto",   "try",      "catch",     "throw",    "new",      "delete",   "namespace", "typedef",
    "asm",      "friend", "requires", "concept",   "co_await", "co_yield", "co_return"};

const Words kPredefined{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
const Words kOfPreamble{"identity", "combine", "blockSize"};

// Constants of kPlainHeaders.
const Words kOfHeaders{"CHAR_BIT",    "INT_MAX",      "INT_MIN",   "UINT_MAX",    "LONG_MAX",  "LONG_MIN",
                       "ULONG_MAX",   "LLONG_MAX",    "LLONG_MIN", "ULLONG_MAX",  "INT32_MAX", "INT32_MIN",
                       "UINT32_MAX",  "INT64_MAX",    "INT64_MIN", "UINT64_MAX",  "FLT_MAX",   "FLT_MIN",
                       "FLT_EPSILON", "DBL_MAX",      "DBL_MIN",   "DBL_EPSILON", "INFINITY",  "NAN",
                       "M_PI",        "CUDART_INF_F", "CUDART_INF"};

const Words kPlainHeaders{"cuda.h",
                          "cuda_runtime.h",
                          "cuda_runtime_api.h",
                          "device_launch_parameters.h",
                          "stdio.h",
                          "cstdio",
                          "stdlib.h",
                          "cstdlib",
                          "stdint.h",
                          "cstdint",
                          "stddef.h",
                          "cstddef",
                          "limits.h",
                          "climits",
                          "float.h",
                          "cfloat",
                          "math.h",
                          "cmath",
                          "math_constants.h",
                          "device_functions.h",
                          "assert.h",
                          "cassert"};

const Words kHarmlessFunctions{"__threadfence",
                               "__threadfence_block",
                               "__threadfence_system",
                               "__popc",
                               "__popcll",
                               "__clz",
                               "__clzll",
                               "__ffs",
                               "__ffsll",
                               "__fns",
                               "__brev",
                               "__brevll",
                               "__byte_perm",
                               "__funnelshift_l",
                               "__funnelshift_r",
                               "__mul24",
                               "__umul24",
                               "__mulhi",
                               "__umulhi",
                               "__sad",
                               "__usad",
                               "__hadd",
                               "__rhadd",
                               "__dp4a",
                               "__dp2a_lo",
                               "__dp2a_hi",
                               "__float_as_int",
                               "__int_as_float",
                               "__float_as_uint",
                               "__uint_as_float",
                               "__double_as_longlong",
                               "__longlong_as_double",
                               "__int2float_rn",
                               "__float2int_rn",
                               "__float2int_rz",
                               "__fmaf_rn",
                               "__fadd_rn",
                               "__fmul_rn",
                               "__fdividef",
                               "__saturatef",
                               "min",
                               "max",
                               "abs",
                               "llabs",
                               "fabs",
                               "fabsf",
                               "fmin",
                               "fminf",
                               "fmax",
                               "fmaxf",
                               "sqrt",
                               "sqrtf",
                               "rsqrt",
                               "rsqrtf",
                               "exp",
                               "expf",
                               "exp2f",
                               "log",
                               "logf",
                               "log2f",
                               "pow",
                               "powf",
                               "sin",
                               "sinf",
                               "cos",
                               "cosf",
                               "floor",
                               "floorf",
                               "ceil",
                               "ceilf",
                               "round",
                               "roundf",
                               "trunc",
                               "truncf",
                               "fma",
                               "fmaf",
                               "fmod",
                               "fmodf",
                               "isnan",
                               "isinf",
                               "signbit",
                               "umin",
                               "umax",
                               "llmin",
                               "llmax",
                               "ullmin",
                               "ullmax",
                               "make_int2",
                               "make_int3",
                               "make_int4",
                               "make_uint2",
                               "make_uint3",
                               "make_uint4",
                               "make_float2",
                               "make_float3",
                               "make_float4",
                               "make_double2",
                               "make_longlong2",
                               "make_ulonglong2",
                               "__builtin_bit_cast",
                               "__builtin_expect",

                               "__builtin_unreachable"};

// More of those, which a person's file may call.
const Words kOwnFunctions{"printf",
                          "puts",
                          "__expf",
                          "__exp10f",
                          "__logf",
                          "__log2f",
                          "__log10f",
                          "__powf",
                          "__sinf",
                          "__cosf",
                          "__tanf",
                          "__fsub_rn",
                          "__fdiv_rn",
                          "__frcp_rn",
                          "__fsqrt_rn",
                          "__frsqrt_rn",
                          "fdividef",
                          "tan",
                          "tanf",
                          "asin",
                          "asinf",
                          "acos",
                          "acosf",
                          "atan",
                          "atanf",
                          "atan2",
                          "atan2f",
                          "sinh",
                          "sinhf",
                          "cosh",
                          "coshf",
                          "tanh",
                          "tanhf",
                          "cbrt",
                          "cbrtf",
                          "rcbrtf",
                          "hypot",
                          "hypotf",
                          "rhypotf",
                          "exp2",
                          "exp10f",
                          "expm1",
                          "expm1f",
                          "log1p",
                          "log1pf",
                          "log2",
                          "log10",
                          "log10f",
                          "erf",
                          "erff",
                          "erfc",
                          "erfcf",
                          "erfinvf",
                          "normcdff",
                          "copysign",
                          "copysignf",
                          "rint",
                          "rintf",
                          "nearbyint",
                          "nearbyintf",
                          "lrintf",
                          "lroundf",
                          "ldexp",
                          "ldexpf",
                          "remainder",
                          "remainderf",
                          "fdim",
                          "fdimf",
                          "sinpif",
                          "cospif",
                          "isfinite",
                          "__uint2float_rn",
                          "__float2uint_rn",
                          "__float2uint_rz",
                          "__double2int_rn",
                          "__double2int_rz",
                          "__int2double_rn",
                          "__float2int_ru",
                          "__float2int_rd",
                          "__mul64hi",
                          "__umul64hi"};

const std::unordered_map<std::string_view, model::Operation> kOperations{
    {"__syncthreads", model::Operation::SyncThreads},
    {"__syncthreads_count", model::Operation::SyncThreads},
    {"__syncthreads_and", model::Operation::SyncThreads},
    {"__syncthreads_or", model::Operation::SyncThreads},
    {"__syncwarp", model::Operation::SyncWarp},
    {"__shfl_sync", model::Operation::ShflIdx},
    {"__shfl_up_sync", model::Operation::ShflUp},
    {"__shfl_down_sync", model::Operation::ShflDown},
    {"__shfl_xor_sync", model::Operation::ShflXor},
    {"__ballot_sync", model::Operation::Ballot},
    {"__any_sync", model::Operation::Any},
    {"__all_sync", model::Operation::All},
    {"__activemask", model::Operation::ActiveMask},
    {"__reduce_add_sync", model::Operation::Reduce},
    {"__reduce_min_sync", model::Operation::Reduce},
    {"__reduce_max_sync", model::Operation::Reduce},
    {"__reduce_and_sync", model::Operation::Reduce},
    {"__reduce_or_sync", model::Operation::Reduce},
    {"__reduce_xor_sync", model::Operation::Reduce},
    {"atomicAdd", model::Operation::AtomicAdd},
    {"atomicSub", model::Operation::AtomicSub},
    {"atomicMin", model::Operation::AtomicMin},
    {"atomicMax", model::Operation::AtomicMax},
    {"atomicAnd", model::Operation::AtomicAnd},
    {"atomicOr", model::Operation::AtomicOr},
    {"atomicXor", model::Operation::AtomicXor},
    {"atomicExch", model::Operation::AtomicExch},
    {"atomicCAS", model::Operation::AtomicCas},
    {"atomicInc", model::Operation::AtomicInc},
    {"__nv_atomic_load_n", model::Operation::Load},
    {"__nv_atomic_store_n", model::Operation::Store},
    {"__nv_atomic_fetch_add", model::Operation::AtomicAdd},
    {"combineWarp", model::Operation::Reduce},
    {"combineAtomically", model::Operation::AtomicCombine},
};

const std::unordered_map<std::string_view, model::MemoryOrder> kMemoryOrders{
    {"__NV_ATOMIC_RELAXED", model::MemoryOrder::Relaxed},
    {"__NV_ATOMIC_CONSUME", model::MemoryOrder::Consume},
    {"__NV_ATOMIC_ACQUIRE", model::MemoryOrder::Acquire},
    {"__NV_ATOMIC_RELEASE", model::MemoryOrder::Release},
    {"__NV_ATOMIC_ACQ_REL", model::MemoryOrder::AcquireRelease},
    {"__NV_ATOMIC_SEQ_CST", model::MemoryOrder::SequentiallyConsistent},
};

const std::unordered_map<std::string_view, model::MemoryScope> kMemoryScopes{
    {"__NV_THREAD_SCOPE_THREAD", model::MemoryScope::Thread},
    {"__NV_THREAD_SCOPE_BLOCK", model::MemoryScope::Block},
    {"__NV_THREAD_SCOPE_CLUSTER", model::MemoryScope::Cluster},
    {"__NV_THREAD_SCOPE_DEVICE", model::MemoryScope::Device},
    {"__NV_THREAD_SCOPE_SYSTEM", model::MemoryScope::System},
};

struct AgainstWord {
  std::string_view word;
  std::string_view reason;
};

constexpr std::array kAgainstWords{
    AgainstWord{"goto", "goto is not supported yet. Write a loop or an if."},
    AgainstWord{"switch", "A switch is not supported yet. Write if and else if."},
    AgainstWord{"case", "A switch is not supported yet. Write if and else if."},
    AgainstWord{"default", "A switch is not supported yet. Write if and else."},
    AgainstWord{"asm", "Inline assembly accesses memory unrecorded. Write it in CUDA C++."},
    AgainstWord{"__asm", "Inline assembly accesses memory unrecorded. Write it in CUDA C++."},
    AgainstWord{"__asm__", "Inline assembly accesses memory unrecorded. Write it in CUDA C++."},
    AgainstWord{"try", "Device code has no exceptions. Write an if."},
    AgainstWord{"catch", "Device code has no exceptions. Write an if."},
    AgainstWord{"throw", "Device code has no exceptions. Write an if."},
    AgainstWord{"new", "new is not supported yet. Use a __shared__ array or a parameter."},
    AgainstWord{"delete", "delete is not supported yet. Use a __shared__ array or a parameter."},
    AgainstWord{"malloc", "malloc is not supported yet. Use a __shared__ array or a parameter."},
    AgainstWord{"free", "free is not supported yet. Use a __shared__ array or a parameter."},
    AgainstWord{"memcpy", "memcpy accesses memory unrecorded. Write a loop over the elements."},
    AgainstWord{"memmove", "memmove accesses memory unrecorded. Write a loop over the elements."},
    AgainstWord{"memset", "memset accesses memory unrecorded. Write a loop over the elements."},
    AgainstWord{"memcmp", "memcmp accesses memory unrecorded. Write a loop over the elements."},
    AgainstWord{"typedef", "typedef is not supported yet. Write using Name = type;"},
    AgainstWord{"namespace", "Namespaces are not supported yet. Declare at file scope."},
    AgainstWord{"friend", "friend is not supported yet. Write a free function."},
    AgainstWord{"requires", "Constraints are not supported yet. Leave them out."},
    AgainstWord{"concept", "Concepts are not supported yet. Leave them out."},
    AgainstWord{"decltype",
                "decltype can name a reference, and accesses through one are not supported yet. Write the "
                "type, or auto."},
    AgainstWord{"thread_local", "thread_local does not exist in device code. Use a local variable."},
    AgainstWord{"co_await", "Device code has no coroutines. Write a loop."},
    AgainstWord{"co_yield", "Device code has no coroutines. Write a loop."},
    AgainstWord{"co_return", "Device code has no coroutines. Write a loop."},
    AgainstWord{"__constant__",
                "Reads of __constant__ memory are not supported yet. Pass the data as a parameter."},
    AgainstWord{"__managed__",
                "Accesses to a __managed__ variable are not supported yet. Pass a pointer as a parameter."},
    AgainstWord{"std", "Functions of std access memory unrecorded. Write the loop out."},
    AgainstWord{"cooperative_groups",
                "Cooperative groups are not there. Write #include <cooperative_groups.h>."},
    AgainstWord{"cg",
                "Cooperative groups are not there. Write #include <cooperative_groups.h> and "
                "namespace cg = cooperative_groups;"},
    AgainstWord{"recording", "The name recording belongs to the recorder. Choose another."},
    AgainstWord{"and", "The alternative token 'and' is not supported yet. Write &&."},
    AgainstWord{"or", "The alternative token 'or' is not supported yet. Write ||."},
    AgainstWord{"not", "The alternative token 'not' is not supported yet. Write !."},
    AgainstWord{"xor", "The alternative token 'xor' is not supported yet. Write ^."},
    AgainstWord{"bitand", "The alternative token 'bitand' is not supported yet. Write &."},
    AgainstWord{"bitor", "The alternative token 'bitor' is not supported yet. Write |."},
    AgainstWord{"compl", "The alternative token 'compl' is not supported yet. Write ~."},
    AgainstWord{"and_eq", "The alternative token 'and_eq' is not supported yet. Write &=."},
    AgainstWord{"or_eq", "The alternative token 'or_eq' is not supported yet. Write |=."},
    AgainstWord{"xor_eq", "The alternative token 'xor_eq' is not supported yet. Write ^=."},
    AgainstWord{"not_eq", "The alternative token 'not_eq' is not supported yet. Write !=."},
};

struct AgainstPrefix {
  std::string_view prefix;
  std::string_view reason;
};

constexpr std::array kAgainstPrefixes{
    AgainstPrefix{"RECORDING_", "Names that begin with RECORDING_ belong to the recorder. Choose another."},
    AgainstPrefix{"recording_", "Names that begin with recording_ belong to the recorder. Choose another."},
    AgainstPrefix{"__ldg", "__ldg loads unrecorded. Write a[i]."},
    AgainstPrefix{"__ldc", "Loads with a cache hint are not supported yet. Write a[i]."},
    AgainstPrefix{"__ldlu", "Loads with a cache hint are not supported yet. Write a[i]."},
    AgainstPrefix{"__st", "Stores with a cache hint are not supported yet. Write a[i] = x."},
    AgainstPrefix{"__pipeline", "Asynchronous copies are not supported yet. Copy with a[i] = b[j]."},
    AgainstPrefix{"__cp_async", "Asynchronous copies are not supported yet. Copy with a[i] = b[j]."},
    AgainstPrefix{"__mbarrier", "Asynchronous barriers are not supported yet. Use __syncthreads()."},
    AgainstPrefix{"__nvvm", "Intrinsics of the compiler are not supported yet. Write CUDA C++."},
    AgainstPrefix{"__builtin_mem", "Block copies access memory unrecorded. Write a loop over the elements."},
    AgainstPrefix{"tex1D", "Texture reads are not supported yet. Pass a pointer and write a[i]."},
    AgainstPrefix{"tex2D", "Texture reads are not supported yet. Pass a pointer and write a[i]."},
    AgainstPrefix{"tex3D", "Texture reads are not supported yet. Pass a pointer and write a[i]."},
    AgainstPrefix{"surf1D", "Surface accesses are not supported yet. Pass a pointer and write a[i]."},
    AgainstPrefix{"surf2D", "Surface accesses are not supported yet. Pass a pointer and write a[i]."},
    AgainstPrefix{"surf3D", "Surface accesses are not supported yet. Pass a pointer and write a[i]."},
};

}  // namespace

bool isBuiltInType(std::string_view word, Preamble preamble) {
  return kTypes.contains(word) && (preamble == Preamble::Variant || word != "T");
}
bool isSpecifier(std::string_view word) { return kSpecifiers.contains(word); }
bool takesArgument(std::string_view specifier) { return kSpecifiersWithArgument.contains(specifier); }
bool isUnevaluated(std::string_view word) { return kUnevaluated.contains(word); }
bool isNamedCast(std::string_view word) { return kNamedCasts.contains(word); }
bool isCompoundAssignment(std::string_view punctuation) {
  constexpr std::array<std::string_view, 10> operators{
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::ranges::find(operators, punctuation) != operators.end();
}
bool isPredefined(std::string_view word, Preamble preamble) {
  return kPredefined.contains(word) || kMemoryOrders.contains(word) || kMemoryScopes.contains(word) ||
         (preamble == Preamble::Variant ? kOfPreamble : kOfHeaders).contains(word);
}
bool isPlainHeader(std::string_view name) { return kPlainHeaders.contains(name); }
bool isHarmlessFunction(std::string_view word, Preamble preamble) {
  return kHarmlessFunctions.contains(word) || (preamble == Preamble::None && kOwnFunctions.contains(word));
}

bool isOperatorKeyword(std::string_view word) {
  return kOtherKeywords.contains(word) || kSpecifiers.contains(word) || kUnevaluated.contains(word) ||
         kNamedCasts.contains(word);
}

bool isKeyword(std::string_view word) { return isOperatorKeyword(word) || kOperandKeywords.contains(word); }

std::optional<model::Operation> recordedOperation(std::string_view word, Preamble preamble) {
  const auto found = kOperations.find(word);
  if (found == kOperations.end()) return std::nullopt;
  const bool isOfPreamble = word == "combineWarp" || word == "combineAtomically";
  if (isOfPreamble && preamble == Preamble::None) return std::nullopt;
  return found->second;
}

bool takesMemoryOrder(std::string_view operation) { return operation.starts_with("__nv_atomic_"); }
model::MemoryOrder memoryOrderOf(std::string_view word) {
  const auto found = kMemoryOrders.find(word);
  return found == kMemoryOrders.end() ? model::MemoryOrder::Unnamed : found->second;
}
model::MemoryScope memoryScopeOf(std::string_view word) {
  const auto found = kMemoryScopes.find(word);
  return found == kMemoryScopes.end() ? model::MemoryScope::Unnamed : found->second;
}

std::optional<std::string> reasonAgainst(std::string_view word) {
  for (const AgainstWord& against : kAgainstWords)
    if (against.word == word) return std::string(against.reason);
  for (const AgainstPrefix& against : kAgainstPrefixes)
    if (word.starts_with(against.prefix)) return std::string(against.reason);
  return std::nullopt;
}

}  // namespace stridescope::instrument
