#include "model/machine_code.h"

#include "model/quantity.h"
#include "model/trace_check.h"

namespace stridescope::model {

std::string_view nameOf(CodeKind kind) { return kind == CodeKind::Sass ? "SASS" : "PTX"; }

std::optional<std::string> faultOf(const MachineCode& code) {
  if (auto fault = faultOfOrigin(code.experiment, code.kernelHash, code.executor)) return fault;
  if (code.target.size() > kMaxCodeLineBytes || !isPlainUtf8(code.target)) return "its target is no text";
  if (code.lines.empty() || code.lines.size() > kMaxCodeLines) return "it has no line, or too many of them";
  for (const CodeLine& line : code.lines)
    if (line.text.size() > kMaxCodeLineBytes || !isPlainUtf8(line.text) ||
        line.text.find('\n') != std::string::npos)
      return "a line is too long, is not UTF-8, or is several";
  return std::nullopt;
}

bool tellsOf(const MachineCode& code, const Experiment& experiment) {
  const auto compiled = [](const Experiment& of) {
    Experiment one = timedExperiment(of);
    one.elements = 0;
    one.lists = 0;
    one.kernel = {};  // a person's own is told by its text
    return one;
  };
  return compiled(code.experiment) == compiled(experiment);
}

}  // namespace stridescope::model
