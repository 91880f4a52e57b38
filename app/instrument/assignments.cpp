#include "instrument/assignments.h"

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

constexpr const char* kOpen = "recording::value<T>(%, ";

class AssignmentFinder {
 public:
  AssignmentFinder(const Source& source, const Declarations& declarations, const Expressions& expressions,
                   const Variables& variables, Findings& findings)
      : source_(source),
        declarations_(declarations),
        expressions_(expressions),
        variables_(variables),
        findings_(findings) {}

  void run() {
    findParameters();
    for (int i = 0; i < source_.size(); ++i) {
      const auto variable = variables_.variableAt(i);
      if (!variable || !variables_.all()[std::size_t(*variable)].element) continue;
      if (expressions_.isUnevaluated(i)) continue;
      if (declarations_.roleOf(i) == Role::Name)
        readInitialization(i, *variable);
      else if (declarations_.roleOf(i) == Role::Expression)
        readUse(i, *variable);
    }
  }

 private:
  // What a caller gave: recorded where the function's body begins.
  void findParameters() {
    for (std::size_t v = 0; v < variables_.all().size(); ++v) {
      const Variable& variable = variables_.all()[v];
      if (!variable.element || variable.kind != model::VariableKind::Parameter) continue;
      const int open = variables_.functions()[std::size_t(variable.function)].body.first;
      const int site = findings_.add({.operation = model::Operation::Assign,
                                      .first = variable.token,
                                      .last = variable.token,
                                      .end = source_[variable.token].end(),
                                      .variable = int(v)});
      findings_.edits.wraps.push_back(
          {open, open, "", " " + std::string(kOpen) + std::string(source_[variable.token].text) + ");",
           site});
    }
  }

  // T x = ...;
  void readInitialization(int name, int variable) {
    if (!source_.is(name + 1, "=") || source_.is(name + 2, "{")) return;
    const int end = expressions_.endOfFullExpression(name + 2);
    if (end <= name + 2) return;
    wrap(name, {name + 2, end - 1}, {name + 2, end - 1}, variable);
  }

  // x = ..., x += ..., ++x
  void readUse(int name, int variable) {
    if (source_.is(name - 1, "*") && expressions_.isUnary(name - 1)) return;
    const int after = name + 1;
    const bool compound = source_.has(after) && isCompoundAssignment(source_[after].text);
    if (source_.is(after, "=") || compound) {
      const int end = expressions_.endOfFullExpression(after + 1);
      if (end <= after + 1) return;
      const TokenRange rightSide{after + 1, end - 1};
      wrap(name, compound ? TokenRange{name, end - 1} : rightSide, rightSide, variable);
    } else if ((source_.is(name - 1, "++") || source_.is(name - 1, "--")) &&
               !expressions_.endsOperand(name - 2)) {
      wrap(name, {name - 1, name}, {}, variable);
    }
  }

  void wrap(int name, TokenRange wrapped, TokenRange rightSide, int variable) {
    const int end = wrapped.last + 1;
    const int site =
        findings_.add({.operation = model::Operation::Assign,
                       .first = name,
                       .last = name,
                       .end = source_.has(end) ? source_[end].offset : static_cast<int>(source_.text.size()),
                       .variable = variable,
                       .rightSide = rightSide});
    findings_.edits.wraps.push_back({wrapped.first, wrapped.last, kOpen, ")", site});
  }

  const Source& source_;
  const Declarations& declarations_;
  const Expressions& expressions_;
  const Variables& variables_;
  Findings& findings_;
};

}  // namespace

void findAssignments(const Source& source, const Declarations& declarations, const Expressions& expressions,
                     const Variables& variables, Findings& findings) {
  AssignmentFinder(source, declarations, expressions, variables, findings).run();
}

}  // namespace stridescope::instrument
