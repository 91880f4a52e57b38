#include "instrument/operations.h"

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

// __syncwarp becomes recording::syncwarp; atomicAdd keeps its name within recording. The preamble's own are
// macros, because they call functions that the recording runtime cannot know.
std::string recordingName(std::string_view operation) {
  if (operation == "combineWarp") return "RECORDING_COMBINE_WARP";
  if (operation == "combineAtomically") return "RECORDING_COMBINE_ATOMICALLY";
  if (operation.starts_with("__")) operation.remove_prefix(2);
  return "recording::" + std::string(operation);
}

}  // namespace

void findOperations(const Source& source, const Expressions& expressions, Findings& findings) {
  for (int i = 0; i < source.size(); ++i) {
    if (!source.isIdentifier(i) || !source.is(i + 1, "(") || expressions.isUnevaluated(i)) continue;
    const auto operation = recordedOperation(source[i].text);
    if (!operation) continue;
    const int close = source.partnerOf(i + 1);
    const bool withoutArguments = close == i + 2;
    const int site =
        findings.add({.operation = *operation, .first = i, .last = close, .end = source[close].end()});
    findings.edits.replacements.push_back({i, i, recordingName(source[i].text), -1});
    findings.edits.replacements.push_back({i + 1, i + 1, withoutArguments ? "(%" : "(%, ", site});
  }
}

void findBranches(const Source& source, const Statements& statements, Findings& findings) {
  for (std::size_t c = 0; c < statements.controls.size(); ++c) {
    const Control& control = statements.controls[c];
    if (control.kind == ControlKind::IfConstexpr) continue;
    FoundSite site{.operation = control.isLoop() ? model::Operation::Loop : model::Operation::Branch,
                   .first = control.conditionFirst,
                   .last = control.conditionLast,
                   .control = static_cast<int>(c)};
    if (control.hasCondition()) {
      site.end = source[control.conditionLast].end();
      const int found = findings.add(site);
      findings.edits.wraps.push_back({site.first, site.last, "recording::branch(%, ", ")", found});
      continue;
    }
    // for (;;): the whole head is the site's text; the call goes before the second semicolon.
    const int semicolon = control.incrementFirst - 1;
    site.first = control.keyword;
    site.last = control.close;
    site.end = source[semicolon].offset;
    const int found = findings.add(site);
    findings.edits.replacements.push_back({semicolon, semicolon, "recording::branch(%, true);", found});
  }
}

}  // namespace stridescope::instrument
