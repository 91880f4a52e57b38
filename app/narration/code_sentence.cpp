#include "narration/code_sentence.h"

#include <algorithm>

#include "analysis/code_words.h"
#include "narration/wording.h"

namespace stridescope::narration {

std::string codeSentence(const model::MachineCode& code, const std::vector<unsigned>& lines) {
  std::vector<model::CodeLine> ofRound;
  for (const model::CodeLine& line : code.lines)
    if (line.line > 0 && std::ranges::find(lines, line.line) != lines.end()) ofRound.push_back(line);
  const analysis::CodeCounts counts = analysis::countsOf(ofRound);
  if (counts.instructions == 0) return "No instruction is tied to the lines of this round.";
  std::string text = "The lines of this round: " + count(counts.instructions, "instruction");
  if (counts.predicated > 0) text += ", " + figure(counts.predicated) + " of them predicated";
  if (counts.branches == 0) return text + ", and no branch with a predicate: none can diverge.";
  return text + ", and " + figure(counts.branches) + (counts.branches == 1 ? " branch" : " branches") +
         " with a predicate, the kind that can diverge.";
}

std::string compiledCode(const model::MachineCode& code, bool live) {
  std::string text =
      std::string(nameOf(code.kind)) + " for " + code.target + ", compiled by " + code.executor.compiler;
  if (live)
    return text + (code.executor.device.empty() ? " on this machine." : " for " + code.executor.device + ".");
  return text + "; recorded on " + code.executor.device + ".";
}

std::string noMachineCode() {
  return "No machine code is recorded of this kernel at this type, operator, and block size, and it could "
         "not be "
         "compiled here.";
}

}  // namespace stridescope::narration
