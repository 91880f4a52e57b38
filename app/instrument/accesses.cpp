#include <optional>

#include "instrument/steps.h"
#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::Operation;

std::string_view callFor(Operation operation) {
  switch (operation) {
    case Operation::Store:
      return "recording::store(%, ";
    case Operation::Update:
      return "recording::update(%, ";
    default:
      return "recording::load(%, ";
  }
}

class AccessFinder {
 public:
  AccessFinder(const Source& source, const Declarations& declarations, const Expressions& expressions,
               const OwnArrays& ownArrays, const SharedArrays& shared, Findings& findings)
      : source_(source),
        declarations_(declarations),
        expressions_(expressions),
        ownArrays_(ownArrays),
        shared_(shared),
        findings_(findings) {}

  Accepted<void> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (shared_.replacedTokens[static_cast<std::size_t>(i)] || expressions_.isUnevaluated(i)) continue;
      if (declarations_.roleOf(i) != Role::Expression) continue;
      Accepted<void> read;
      if (source_.is(i, "[")) read = readSubscript(i);
      if (source_.is(i, "*") && expressions_.isUnary(i)) read = readDereference(i);
      if (isSharedVariable(i)) read = readSharedVariable(i);
      if (!read) return read;
    }
    return {};
  }

 private:
  Accepted<void> readSubscript(int open) {
    const int close = source_.partnerOf(open);
    if (source_.is(open - 1, "}"))
      return refuse(source_[open], "What stands before this [ cannot be read. Give it a name first.");
    if (!expressions_.endsOperand(open - 1)) return {};  // a lambda's captures
    if (source_.is(close + 1, "[")) return {};  // only the last subscript of a[i][j] reaches an element
    const int first = operandStartOrMinusOne(open - 1);
    if (first < 0)
      return refuse(source_[open], "What stands before this [ cannot be read. Give it a name first.");
    if (close == open + 1) return refuse(source_[open], "This subscript is empty. Write an index.");
    for (int i = open + 1; i < close; ++i) {
      if (source_.is(i, ","))
        return refuse(source_[i],
                      "A comma in a subscript is not supported yet. Write what precedes it as a statement.");
      if (source_.opens(i)) i = source_.partnerOf(i);
    }
    if (ownArrays_.contains(first, close)) return {};
    const auto use = useOf(first, close);
    if (!use) return tl::unexpected(use.error());
    if (!use->operation) return {};
    if (isRow(first, close))
      return refuse(source_[first],
                    "This is a row of an array, not an element. Write the other subscripts too, or "
                    "& before the row's first element.");
    if (use->isOfMember()) {
      addMember(*use);
      return {};
    }
    const int site = addSite(*use->operation, first, close);
    findings_.edits.wraps.push_back({first, close, std::string(callFor(*use->operation)), ")", site});
    findings_.edits.replacements.push_back({open, open, ", ", -1});
    findings_.edits.replacements.push_back({close, close, "", -1});
    return {};
  }

  int operandStartOrMinusOne(int last) const {
    const bool literal = source_.isKind(last, TokenKind::Number) || source_.isKind(last, TokenKind::Text) ||
                         source_.is(last, "this");
    return literal ? -1 : expressions_.operandStart(last);
  }

  Accepted<void> readDereference(int star) {
    const int last = expressions_.operandEnd(star + 1);
    if (last < 0)
      return refuse(source_[star], "What stands after this * cannot be read. Write p[0] or give it a name.");
    const auto use = useOf(star, last);
    if (!use) return tl::unexpected(use.error());
    if (!use->operation) return {};
    if (isElement(star + 1, last))
      return refuse(source_[star], "An element of an array is no pointer. Take this * away.");
    const bool names = last == star + 1 && source_.isIdentifier(last);
    const auto dimensions =
        names ? declarations_.dimensions.find(source_[last].text) : declarations_.dimensions.end();
    if (dimensions != declarations_.dimensions.end() && dimensions->second >= 2)
      return refuse(source_[star], "This is a row of an array, not an element. Write a[i][j].");
    if (use->isOfMember()) {
      addMember(*use);
      return {};
    }
    const int site = addSite(*use->operation, star, last);
    findings_.edits.wraps.push_back({star, last, std::string(callFor(*use->operation)), ", 0)", site});
    findings_.edits.replacements.push_back({star, star, "", -1});
    return {};
  }

  bool isSharedVariable(int i) const {
    return source_.isIdentifier(i) && !source_.is(i - 1, ".") && !source_.is(i - 1, "->") &&
           shared_.variables.contains(source_[i].text);
  }

  // __shared__ T x; is recorded as an array of one element.
  Accepted<void> readSharedVariable(int name) {
    const std::string word(source_[name].text);
    if (isCapture(name))
      return refuse(source_[name],
                    "A capture of a shared variable is not supported yet. Write [&] or pass its value.");
    const auto use = useOf(name, name);
    if (!use) return tl::unexpected(use.error());
    if (!use->operation || use->isOfMember()) {
      findings_.edits.replacements.push_back({name, name, word + "[0]", -1});
      if (use->operation) addMember(*use);
      return {};
    }
    const int site = addSite(*use->operation, name, name);
    findings_.edits.wraps.push_back({name, name, std::string(callFor(*use->operation)), ", 0)", site});
    return {};
  }

  // x in [x], [&x] and [a, x].
  bool isCapture(int name) const {
    int i = source_.is(name - 1, "&") ? name - 2 : name - 1;
    while (source_.is(i, ",") || source_.is(i, "&") || source_.is(i, "=") || source_.isIdentifier(i)) --i;
    return source_.is(i, "[") && source_.opens(i) && !expressions_.endsOperand(i - 1);
  }

  // A name with fewer subscripts than its declaration has.
  bool isRow(int first, int close) const { return missingSubscripts(first, close).value_or(0) > 0; }
  bool isElement(int first, int close) const { return missingSubscripts(first, close).value_or(1) <= 0; }

  // How many more subscripts reach an element of an array that has two dimensions or more; negative: there
  // are too many. Other operands have none to tell.
  std::optional<int> missingSubscripts(int first, int close) const {
    if (!source_.isIdentifier(first)) return std::nullopt;
    const auto declared = declarations_.dimensions.find(source_[first].text);
    if (declared == declarations_.dimensions.end() || declared->second < 2) return std::nullopt;
    int subscripts = 0;
    for (int i = first + 1; i < close; i = source_.partnerOf(i) + 1) {
      if (!source_.is(i, "[")) return std::nullopt;
      ++subscripts;
    }
    return declared->second - subscripts;
  }

  bool isGroup(int open, int close) const {
    if (!source_.is(open, "(") || source_.partnerOf(open) != close) return false;
    const int before = open - 1;
    if (!source_.has(before)) return true;
    const bool typeOrTemplate = declarations_.roleOf(before) == Role::Type ||
                                (source_.is(before, ">") && source_.closes(before)) ||
                                stridescope::instrument::isUnevaluated(source_[before].text);
    if (typeOrTemplate || expressions_.endsOperand(before)) return false;
    for (std::string_view control : {"if", "while", "for", "constexpr"})
      if (source_.is(before, control)) return false;
    return true;
  }

  // How an access is used.
  struct Use {
    std::optional<Operation> operation{};  // nullopt: only its address is taken
    TokenRange member{};                   // a[i].x as a whole, where one member is accessed
    bool isOfMember() const { return !member.empty(); }
  };

  Accepted<Use> useOf(int first, int last) const {
    Use use;
    while (true) {
      while (isGroup(first - 1, last + 1)) {
        --first;
        ++last;
      }
      if (!source_.is(last + 1, ".")) break;
      const int end = endOfMember(last + 1);
      if (end < 0) return refuseMember(last + 1);
      last = end;
      use.member = {first, last};
    }
    const int before = first - 1;
    const int after = last + 1;
    if (source_.is(after, "[")) return use;  // a row
    if (source_.is(before, "&") && expressions_.isUnary(before)) return use;
    const bool isStepBefore =
        (source_.is(before, "++") || source_.is(before, "--")) && !expressions_.endsOperand(before);
    const bool isUpdate = isStepBefore || source_.is(after, "++") || source_.is(after, "--") ||
                          (source_.has(after) && isCompoundAssignment(source_[after].text));
    use.operation = isUpdate                 ? Operation::Update
                    : source_.is(after, "=") ? Operation::Store
                                             : Operation::Load;
    return use;
  }

  // The last token of .x or .x.y; -1: what is reached is not plainly a member, as its subscript, which may be
  // that of a pointer that is read, or a function's call.
  int endOfMember(int dot) const {
    if (source_.preamble != Preamble::None) return -1;
    int end = dot - 1;
    while (source_.is(end + 1, ".") && source_.isIdentifier(end + 2)) end += 2;
    for (std::string_view other : {".", "[", "(", "->", "::", "<"})
      if (source_.is(end + 1, other) && !(other == "<" && !source_.opens(end + 1))) return -1;
    return end;
  }

  // a[i].x becomes recording::load(%, &a[i].x, 0).
  void addMember(const Use& use) {
    const auto [first, last] = use.member;
    const int site = addSite(*use.operation, first, last);
    findings_.edits.wraps.push_back({first, last, std::string(callFor(*use.operation)) + "&", ", 0)", site});
  }

  tl::unexpected<Refusal> refuseMember(int dot) const {
    return refuse(source_[dot],
                  "An access to one member of an element is not supported yet. Copy the element into a "
                  "variable, or keep an array for each member.");
  }

  int addSite(Operation operation, int first, int last) {
    FoundSite site{.operation = operation, .first = first, .last = last, .end = source_[last].end()};
    if (operation == Operation::Load) return findings_.add(site);
    int group = 1;
    while (isGroup(first - group, last + group)) ++group;
    const int assignment = last + group;
    const auto isStep = [&](int i) { return source_.is(i, "++") || source_.is(i, "--"); };
    if (isStep(assignment) || isStep(first - group)) {
      site.end = source_[isStep(assignment) ? assignment : assignment - 1].end();
      return findings_.add(site);
    }
    const int end = expressions_.endOfFullExpression(assignment);
    site.end = source_.has(end) ? source_[end].offset : static_cast<int>(source_.text.size());
    if (end > assignment) site.rightSide = {assignment + 1, end - 1};
    return findings_.add(site);
  }

  const Source& source_;
  const Declarations& declarations_;
  const Expressions& expressions_;
  const OwnArrays& ownArrays_;
  const SharedArrays& shared_;
  Findings& findings_;
};

}  // namespace

Accepted<void> findAccesses(const Source& source, const Declarations& declarations,
                            const Expressions& expressions, const OwnArrays& ownArrays,
                            const SharedArrays& shared, Findings& findings) {
  return AccessFinder(source, declarations, expressions, ownArrays, shared, findings).run();
}

namespace {

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
          {open, open, "", " " + callFor(variable) + std::string(source_[variable.token].text) + ");", site});
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
    findings_.edits.wraps.push_back(
        {wrapped.first, wrapped.last, callFor(variables_.all()[std::size_t(variable)]), ")", site});
  }
  // In a person's file nobody but the compiler can tell that the type, which may be a template's parameter,
  // is the one that the trace tells values as.
  std::string callFor(const Variable& variable) const {
    return (source_.preamble == Preamble::None ? "recording::elementValue<" : "recording::value<") +
           variable.type + ">(%, ";
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

namespace {

bool isShared(const Source& source, int name) {
  for (int i = name; i >= 0 && !source.is(i, ";") && !source.is(i, "{") && !source.is(i, "}"); --i)
    if (source.is(i, "__shared__")) return true;
  return false;
}

}  // namespace

OwnArrays::OwnArrays(const Source& source, const Declarations& declarations, const Statements& statements)
    : source_(source), declarations_(declarations) {
  const std::vector<int> enclosing = enclosingBrackets(source);
  std::unordered_set<std::string_view> others;
  for (const DeclaredName& name : declarations.declared) {
    const std::string_view text = source[name.token].text;
    const int bracket = enclosing[static_cast<std::size_t>(name.token)];
    // A parameter T a[4] is a pointer. In the head of a for stands a variable.
    const bool parameter = source.is(bracket, "(") && !source.is(bracket - 1, "for");
    const bool inBraces = source.is(bracket, "{") || source.is(bracket - 1, "for");
    const bool inFunction = statements.inFunction[static_cast<std::size_t>(name.token)];
    const bool shared = isShared(source, name.token);
    if (shared || (!inFunction && !inBraces && !parameter)) foreign_.insert(text);
    // A struct's row of pointers is the thread's own, and what they point at is not.
    const bool isRowOfPointers = name.pointer && name.dimensions > 0 && !inFunction;
    const bool own = inBraces && !shared && (!name.pointer || isRowOfPointers) && name.dimensions > 0;
    (own ? arrays_ : others).insert(text);
  }
  for (std::string_view text : others) arrays_.erase(text);
}

bool OwnArrays::contains(int first, int last) const {
  if (!source_.isIdentifier(first) || foreign_.contains(source_[first].text)) return false;
  if (!declarations_.names.contains(source_[first].text)) return false;
  for (int i = first; i <= last;) {
    if (!source_.isIdentifier(i)) return false;
    const std::string_view name = source_[i].text;
    int subscripts = 0;
    for (++i; source_.is(i, "[") && i <= last; i = source_.partnerOf(i) + 1) ++subscripts;
    if (subscripts > 0) {
      const auto dimensions = declarations_.dimensions.find(name);
      if (!arrays_.contains(name) || dimensions == declarations_.dimensions.end()) return false;
      if (subscripts > dimensions->second) return false;
    }
    if (i > last) return true;
    if (!source_.is(i, ".")) return false;
    ++i;
  }
  return false;
}

namespace {

// __syncwarp becomes recording::syncwarp; atomicAdd keeps its name within recording. The preamble's own are
// macros, because they call functions that the recording runtime cannot know; and so are those to which the
// compiler has to be given constants.
std::string recordingName(std::string_view operation) {
  if (operation == "__nv_atomic_load_n") return "RECORDING_ATOMIC_LOAD";
  if (operation == "__nv_atomic_store_n") return "RECORDING_ATOMIC_STORE";
  if (operation == "__nv_atomic_fetch_add") return "RECORDING_ATOMIC_FETCH_ADD";
  if (operation == "combineWarp") return "RECORDING_COMBINE_WARP";
  if (operation == "combineAtomically") return "RECORDING_COMBINE_ATOMICALLY";
  if (operation.starts_with("__")) operation.remove_prefix(2);
  return "recording::" + std::string(operation);
}

// The order and the scope are the last two arguments of a call whose parenthesis ends at `close`.
void addMemoryOrder(const Source& source, const Expressions& expressions, int close, FoundSite& found) {
  found.order = model::MemoryOrder::Unnamed, found.scope = model::MemoryScope::Unnamed;
  std::vector<TokenRange> arguments;
  for (int i = found.first + 2; i < close; i = arguments.back().last + 2)
    arguments.push_back({i, expressions.endOfFullExpression(i) - 1});
  if (arguments.size() < 2) return;
  const auto wordOf = [&](const TokenRange& argument) {
    return argument.first == argument.last ? source[argument.first].text : std::string_view{};
  };
  found.order = memoryOrderOf(wordOf(arguments[arguments.size() - 2]));
  found.scope = memoryScopeOf(wordOf(arguments.back()));
}

}  // namespace

void findOperations(const Source& source, const Expressions& expressions, Findings& findings) {
  for (int i = 0; i < source.size(); ++i) {
    if (!source.isIdentifier(i) || !source.is(i + 1, "(") || expressions.isUnevaluated(i)) continue;
    const auto operation = recordedOperation(source[i].text, source.preamble);
    if (!operation) continue;
    const int close = source.partnerOf(i + 1);
    const bool withoutArguments = close == i + 2;
    FoundSite found{.operation = *operation, .first = i, .last = close, .end = source[close].end()};
    if (*operation == model::Operation::Store)
      if (const int comma = expressions.endOfFullExpression(i + 2); source.is(comma, ","))
        found.rightSide = {comma + 1, expressions.endOfFullExpression(comma + 1) - 1};
    if (takesMemoryOrder(source[i].text)) addMemoryOrder(source, expressions, close, found);
    const int site = findings.add(found);
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
