#include "engine/access/gpu/host_headers.h"

#include <array>
#include <string_view>

namespace stridescope::engine::access::gpu {
namespace {

// Nothing of these is of use in device code, or NVRTC knows it without.
constexpr std::array<std::string_view, 33> kEmpty{"assert.h",
                                                  "cassert",
                                                  "chrono",
                                                  "cstdio",
                                                  "cstdlib",
                                                  "cstring",
                                                  "cuda.h",
                                                  "cuda_runtime.h",
                                                  "fstream",
                                                  "iomanip",
                                                  "iostream",
                                                  "map",
                                                  "memory",
                                                  "numeric",
                                                  "random",
                                                  "set",
                                                  "sstream",
                                                  "stdio.h",
                                                  "stdlib.h",
                                                  "string",
                                                  "string.h",
                                                  "thread",
                                                  "time.h",
                                                  "unordered_map",
                                                  "vector",
                                                  "ctime",
                                                  "cuda_runtime_api.h",
                                                  "device_launch_parameters.h",
                                                  "unistd.h",
                                                  "sys/time.h",
                                                  "device_functions.h",
                                                  "vector_types.h",
                                                  "vector_functions.h"};

// CUDA's own library has them, as cuda/std/NAME, in the namespace cuda::std.
constexpr std::array<std::string_view, 8> kStandard{"algorithm", "array",       "cstddef", "cstdint",
                                                    "limits",    "type_traits", "tuple",   "utility"};

// The names that C gives the headers of C++.
struct OfC {
  std::string_view name, standard;
};
constexpr std::array<OfC, 5> kOfC{{{"float.h", "cfloat"},
                                   {"limits.h", "climits"},
                                   {"math.h", "cmath"},
                                   {"stddef.h", "cstddef"},
                                   {"stdint.h", "cstdint"}}};

// CUDA's mathematical functions are there without a header; cuda/std/cmath takes a second to compile.
constexpr std::string_view kMath =
    "#pragma once\n"
    "#define M_PI 3.14159265358979323846\n"
    "#define M_E 2.7182818284590452354\n"
    "#define M_SQRT2 1.41421356237309504880\n"
    "#define M_LN2 0.69314718055994530942\n"
    "#define INFINITY __int_as_float(0x7f800000)\n"
    "#define NAN __int_as_float(0x7fffffff)\n"
    "namespace std {\n"
    "using ::abs, ::ceil, ::cos, ::exp, ::fabs, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::isfinite, ::isinf, "
    "::isnan, ::log, ::log2, ::pow, ::round, ::sin, ::sqrt, ::tan, ::tanh;\n"
    "}\n";

std::string including(std::string_view name) {
  return "#pragma once\n#include <" + std::string(name) + ">\n";
}

}  // namespace

std::vector<SourceText> hostHeaders() {
  std::vector<SourceText> all;
  for (const std::string_view name : kEmpty) all.push_back({std::string(name), "#pragma once\n"});
  for (const std::string_view name : kStandard)
    all.push_back({std::string(name), including("cuda/std/" + std::string(name)) +
                                          "namespace std {\nusing namespace cuda::std;\n}\n"});
  for (const std::string_view name : {"climits", "cfloat"})
    all.push_back({std::string(name), including("cuda/std/" + std::string(name))});
  all.push_back({"cmath", std::string(kMath)});
  for (const OfC& header : kOfC) all.push_back({std::string(header.name), including(header.standard)});
  return all;
}

}  // namespace stridescope::engine::access::gpu
