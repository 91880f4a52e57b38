#include "analysis/code_words.h"

#include <algorithm>
#include <array>

namespace stridescope::analysis {
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

}  // namespace stridescope::analysis
