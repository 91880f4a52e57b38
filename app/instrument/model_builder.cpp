#include "instrument/model_builder.h"

#include <algorithm>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::Operation;

bool isReduction(Operation operation) {
  return operation == Operation::Reduce || operation == Operation::GroupReduce;
}

class ModelBuilder {
 public:
  ModelBuilder(const Source& source, const Declarations& declarations, const Statements& statements,
               const Expressions& expressions, const Variables& variables, const Findings& findings,
               const std::vector<LateTarget>& lateTargets, const NumberedSites& table)
      : source_(source),
        declarations_(declarations),
        statements_(statements),
        expressions_(expressions),
        variables_(variables),
        findings_(findings),
        lateTargets_(lateTargets),
        table_(table) {}

  model::KernelModel build() {
    addFunctions();
    addVariables();
    addCalls();
    addSites();
    for (std::size_t f = 0; f < model_.functions.size(); ++f) numberSteps(int(f));
    return std::move(model_);
  }

 private:
  void addFunctions() {
    for (const Function& function : variables_.functions())
      model_.functions.push_back({.name = std::string(source_[function.name].text),
                                  .isKernel = function.isKernel,
                                  .line = source_[function.name].line});
  }

  void addVariables() {
    for (const Variable& variable : variables_.all()) {
      const Token& name = source_[variable.token];
      const bool extent = !variable.pointer && source_.is(variable.token + 1, "[");
      int last = variable.token;
      while (extent && source_.is(last + 1, "[")) last = source_.partnerOf(last + 1);
      model_.variables.push_back(
          {.name = std::string(name.text),
           .kind = variable.kind,
           .type = variable.type,
           .extent = extent ? std::string(source_.slice(variable.token + 1, last)) : std::string(),
           .pointer = variable.pointer,
           .element = variable.element,
           .function = variable.function,
           .line = name.line});
    }
  }

  void addCalls() {
    for (int i = 0; i < source_.size(); ++i) {
      const int caller = variables_.functionAt(i);
      const auto called = variables_.functionNamed(i);
      if (caller < 0 || !called || expressions_.isUnevaluated(i)) continue;
      const int close = source_.partnerOf(called->open);
      const int offset = evaluatedOffset(source_, lateTargets_, close, source_[close].offset);
      const auto before = std::ranges::count_if(table_.evaluatedAt, [&](int end) { return end <= offset; });
      model_.calls.push_back(
          {.caller = caller, .callee = called->function, .sitesBefore = int(before), .loop = loopAround(i)});
    }
  }

  int loopAround(int token) const {
    int innermost = -1;  // controls are in the order of their keywords: an inner loop comes later
    int keyword = -1;
    for (std::size_t i = 0; i < findings_.sites.size(); ++i) {
      if (findings_.sites[i].operation != Operation::Loop) continue;
      const Control& loop = statements_.controls[std::size_t(findings_.sites[i].control)];
      if (token < loop.bodyFirst || token > loop.bodyLast || loop.keyword < keyword) continue;
      innermost = table_.idOf[i];
      keyword = loop.keyword;
    }
    return innermost;
  }

  void addSites() {
    model_.sites.resize(table_.sites.size());
    std::vector<std::size_t> foundOf(table_.sites.size());
    for (std::size_t i = 0; i < findings_.sites.size(); ++i) foundOf[std::size_t(table_.idOf[i])] = i;
    for (std::size_t id = 0; id < foundOf.size(); ++id) {
      const FoundSite& found = findings_.sites[foundOf[id]];
      model_.sites[id] = {.operation = found.operation,
                          .function = functionOf(found),
                          .variable = found.variable,
                          .combines = found.operation == Operation::Update || combines(found.rightSide)};
      callsFunction_.push_back(calls(found.rightSide));
      addOperands(found, int(id));
    }
  }

  // What a caller gave is assigned where the body begins.
  int functionOf(const FoundSite& found) const {
    return found.variable >= 0 ? variables_.all()[std::size_t(found.variable)].function
                               : variables_.functionAt(found.first);
  }

  // Whether the tokens combine values by an operator, by a function of the text or the preamble, or by a
  // reduction. Subscripts and the arguments of other warp operations do not count.
  bool combines(TokenRange range) const {
    for (int i = range.first; i <= range.last; ++i) {
      if (source_.is(i, "[")) {
        i = source_.partnerOf(i);
        continue;
      }
      if (source_.isIdentifier(i) && source_.is(i + 1, "(")) {
        if (const auto operation = recordedOperation(source_[i].text)) {
          if (isReduction(*operation)) return true;
          i = source_.partnerOf(i + 1);
        } else if (declarations_.roleOf(i) == Role::Expression && !isOperatorKeyword(source_[i].text)) {
          return true;
        }
        continue;
      }
      for (std::string_view symbol : {"+", "-", "*", "/", "%", "&", "|", "^"})
        if (source_.is(i, symbol) && declarations_.roleOf(i) == Role::Expression &&
            expressions_.endsOperand(i - 1))
          return true;
    }
    return false;
  }

  // Whether a function of the text is called: it may wait at barriers, and steps of its own are its sites'.
  bool calls(TokenRange range) const {
    for (int i = range.first; i <= range.last; ++i)
      if (variables_.functionNamed(i)) return true;
    return false;
  }

  void addOperands(const FoundSite& found, int id) {
    if (found.operation == Operation::Update) model_.operands.push_back({.site = id, .source = id});
    int callee = -1, endOfCall = -1;
    for (int i = found.rightSide.first; i <= found.rightSide.last; ++i) {
      if (const auto called = variables_.functionNamed(i); called && i > endOfCall) {
        callee = called->function;
        endOfCall = source_.partnerOf(called->open);
      }
      const int given = i <= endOfCall ? callee : -1;
      if (const int source = siteBeginningAt(i, found); source >= 0) {
        model_.operands.push_back({.site = id, .source = table_.idOf[std::size_t(source)], .callee = given});
        i = findings_.sites[std::size_t(source)].last;
        continue;
      }
      if (source_.is(i, "[")) {
        i = source_.partnerOf(i);
        continue;
      }
      const auto variable = variables_.variableAt(i);
      if (variable && variables_.all()[std::size_t(*variable)].element &&
          declarations_.roleOf(i) == Role::Expression && !expressions_.isUnevaluated(i))
        model_.operands.push_back({.site = id, .variable = *variable, .callee = given});
    }
  }

  // A load or a warp operation that begins at the token; -1: none.
  int siteBeginningAt(int i, const FoundSite& other) const {
    for (std::size_t s = 0; s < findings_.sites.size(); ++s) {
      const FoundSite& site = findings_.sites[s];
      if (site.first != i || &site == &other) continue;
      const recording::SiteKind kind = model::kindOf(site.operation);
      if (kind == recording::SiteKind::Load || kind == recording::SiteKind::WarpOperation ||
          kind == recording::SiteKind::Atomic)
        return int(s);
    }
    return -1;
  }

  // A step begins with a load that follows a store of what was combined, and ends before the next one. What
  // stores without having loaded is none.
  void numberSteps(int function) {
    int steps = 0;
    std::vector<std::size_t> members;
    bool loaded = false, combined = false, stored = false;
    const auto close = [&] {
      if (loaded && stored) {
        ++steps;
        for (const std::size_t id : members) model_.sites[id].step = steps;
      }
      members.clear();
      loaded = combined = stored = false;
    };
    for (std::size_t id = 0; id < model_.sites.size(); ++id) {
      const model::SiteModel& site = model_.sites[id];
      if (site.function != function) continue;
      if (!table_.sites[id].loops.empty()) {
        close();
        continue;
      }
      if (stored && site.operation == Operation::Load) close();
      members.push_back(id);
      loaded = loaded || site.operation == Operation::Load || site.operation == Operation::Update;
      combined = combined || (site.combines && !callsFunction_[id]);
      const bool stores = site.operation == Operation::Store || site.operation == Operation::Update;
      stored = stored || (stores && combined);
    }
    close();
  }

  const Source& source_;
  const Declarations& declarations_;
  const Statements& statements_;
  const Expressions& expressions_;
  const Variables& variables_;
  const Findings& findings_;
  const std::vector<LateTarget>& lateTargets_;
  const NumberedSites& table_;
  std::vector<bool> callsFunction_;  // per site, on its right side
  model::KernelModel model_;
};

}  // namespace

model::KernelModel buildModel(const Source& source, const Declarations& declarations,
                              const Statements& statements, const Expressions& expressions,
                              const Variables& variables, const Findings& findings,
                              const std::vector<LateTarget>& lateTargets, const NumberedSites& table) {
  return ModelBuilder(source, declarations, statements, expressions, variables, findings, lateTargets, table)
      .build();
}

}  // namespace stridescope::instrument
