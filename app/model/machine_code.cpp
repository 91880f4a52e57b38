#include "model/machine_code.h"

#include <algorithm>
#include <array>

#include "model/quantity.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

// Without what follows the first point: CUDA Binary Utilities, Instruction Set Reference; PTX ISA, Control
// Flow Instructions and Parallel Synchronization.
constexpr std::array<std::string_view, 20> kBranches{
    "BRA",   "BRX",   "BRXU", "JMP",    "JMX", "JMXU", "CALL", "RET", "EXIT", "BSSY",
    "BSYNC", "BREAK", "KILL", "RPCMOV", "bra", "brx",  "call", "ret", "exit", "trap"};
constexpr std::array<std::string_view, 7> kBarriers{"BAR", "B2R",     "WARPSYNC",  "NANOSLEEP",
                                                    "bar", "barrier", "activemask"};

bool isOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

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

CodeWords wordsOf(std::string_view text) {
  CodeWords words;
  if (text.ends_with(':')) {
    words.isLabel = true;
    return words;
  }
  if (text.starts_with('@')) {
    words.predicateEnd = std::min(text.find(' '), text.size());
    words.operation = std::min(text.find_first_not_of(' ', words.predicateEnd), text.size());
  }
  words.operationEnd = std::min(text.find(' ', words.operation), text.size());
  std::string_view name = text.substr(words.operation, words.operationEnd - words.operation);
  name = name.substr(0, name.find('.'));
  if (isOneOf(name, kBranches)) words.flow = Flow::Branch;
  if (isOneOf(name, kBarriers)) words.flow = Flow::Barrier;
  return words;
}

CodeCounts countsOf(std::span<const model::CodeLine> lines) {
  CodeCounts counts;
  for (const model::CodeLine& line : lines) {
    const CodeWords words = wordsOf(line.text);
    if (words.isLabel) continue;
    ++counts.instructions;
    if (words.predicateEnd == 0) continue;
    ++(words.flow == Flow::Branch ? counts.branches : counts.predicated);
  }
  return counts;
}

}  // namespace stridescope::model
