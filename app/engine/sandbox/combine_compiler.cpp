#include "engine/sandbox/combine_compiler.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "kernels/catalog.h"

namespace stridescope::engine::sandbox {

std::string_view embeddedCudaFunctions(std::string_view fileName);  // generated from kernels/recording/host/

namespace {

// The person's text has a file of its own, so that what the compiler quotes of it is what they wrote.
constexpr std::string_view kTextFile = "combine";
constexpr std::string_view kFunctionsFile = "cuda_functions.h";
constexpr std::string_view kSourceFile = "operator.cpp";

std::string sourceOf(const model::CustomOperator& custom, model::ElementType type) {
  std::ostringstream source;
  const std::string personsText = "\n#line 1 \"" + std::string(kTextFile) + "\"\n" + custom.combine + "\n";
  source << "#include \"" << kFunctionsFile << "\"\nusing T = " << model::cppNameOf(type)
         << ";\nstatic T combine(T a, T b) {\n";
  if (kernels::hasOwnReturn(custom.combine))
    source << personsText;
  else
    source << "return" << personsText << ";\n";
  source << "}\n#line 1 \"" << kSourceFile << "\"\nextern \"C\" __attribute__((visibility(\"default\"))) T "
         << kCombineSymbol << "(T a, T b) { return combine(a, b); }\n";
  return source.str();
}

}  // namespace

Result<ObjectFile> compileCombine(const model::CustomOperator& custom, model::ElementType type,
                                  const JobControl& job, const ProcessLimits& limits) {
  return compileObject(
      {.what = "combine",
       .textFile = std::string(kTextFile),
       .textLines = unsigned(1 + std::ranges::count(custom.combine, '\n')),
       .files = {{std::string(kTextFile), custom.combine + "\n"},
                 {std::string(kFunctionsFile), std::string(embeddedCudaFunctions(kFunctionsFile))},
                 {std::string(kSourceFile), sourceOf(custom, type)}},
       .source = std::string(kSourceFile),
       .options = {"-O1", "-fno-finite-loops", "-fvisibility=hidden"},
       .cause = ErrorCause::CombineText,
       .limits = limits},
      job);
}

}  // namespace stridescope::engine::sandbox
