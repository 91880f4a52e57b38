#include "instrument/instrument.h"

#include <algorithm>
#include <unordered_map>

#include "instrument/constructs.h"
#include "instrument/findings.h"
#include "instrument/statements.h"
#include "instrument/steps.h"
#include "instrument/variables.h"
#include "instrument/vocabulary.h"
#include "recording/event.h"

namespace stridescope::instrument {
namespace {

// From what the text pass has found to what it tells of the text.

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
        table_(table) {
    for (std::size_t s = 0; s < findings.sites.size(); ++s)
      beginningAt_[findings.sites[s].first].push_back(s);
  }

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
                          .combines = found.operation == Operation::Update || combines(found.rightSide),
                          .order = found.order,
                          .scope = found.scope};
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
        if (const auto operation = recordedOperation(source_[i].text, source_.preamble)) {
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
    const auto found = beginningAt_.find(i);
    if (found == beginningAt_.end()) return -1;
    for (const std::size_t s : found->second) {
      const FoundSite& site = findings_.sites[s];
      if (&site == &other) continue;
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
  std::unordered_map<int, std::vector<std::size_t>> beginningAt_;  // by token, the sites that begin there
  const NumberedSites& table_;
  std::vector<bool> callsFunction_;  // per site, on its right side
  model::KernelModel model_;
};

model::KernelModel buildModel(const Source& source, const Declarations& declarations,
                              const Statements& statements, const Expressions& expressions,
                              const Variables& variables, const Findings& findings,
                              const std::vector<LateTarget>& lateTargets, const NumberedSites& table) {
  return ModelBuilder(source, declarations, statements, expressions, variables, findings, lateTargets, table)
      .build();
}

// The clocked text: the kernel as it is, with a mark of the SM's clock at its beginning and its end, on
// arriving at each block barrier and after it, after each warp barrier and before each shuffle
// (clocking/clock.h).

// The kernel as a function for the device, and nothing else.
Edits asDeviceFunction(const Source& source);

using model::Operation;

constexpr const char* kClock = "clocking_clock";  // the text's name for it

bool marks(Operation operation) {
  switch (operation) {
    case Operation::SyncThreads:
    case Operation::SyncCluster:
    case Operation::SyncWarp:
    case Operation::ShflIdx:
    case Operation::ShflUp:
    case Operation::ShflDown:
    case Operation::ShflXor:
      return true;
    default:
      return false;
  }
}

class ClockMarks {
 public:
  ClockMarks(const Source& source, const Statements& statements, const Variables& variables,
             const std::vector<FoundSite>& sites)
      : source_(source), statements_(statements), variables_(variables), sites_(sites) {}

  Edits find() && {
    edits_ = asDeviceFunction(source_);
    for (std::size_t i = 0; i < sites_.size(); ++i)
      if (marks(sites_[i].operation)) addMark(sites_[i], int(i));
    for (const Function& function : variables_.functions())
      if (function.isKernel)
        insertAfter(function.body.first, std::string(" clocking::Clock ") + kClock + ";");
    findFunctionsThatMark();
    for (int i = 0; i < source_.size(); ++i)
      if (const auto named = functionNamed(i); named && gets_[std::size_t(named->function)])
        giveClock(i, named->open);
    return std::move(edits_);
  }

 private:
  // __shfl_down_sync(m, v, d) becomes clocking::shfl_down_sync(clocking_clock, S, m, v, d); a group's barrier
  // has neither that name nor arguments.
  void addMark(const FoundSite& found, int site) {
    const std::string name(source_[found.first].text);
    if (!name.starts_with("__")) {
      const bool cluster = found.operation == Operation::SyncCluster;
      edits_.replacements.push_back(
          {found.first, found.last, call(cluster ? "synccluster" : "syncthreads") + ")", site});
      return;
    }
    const bool withoutArguments = found.last == found.first + 2;
    edits_.replacements.push_back({found.first, found.first, "", -1});
    edits_.replacements.push_back(
        {found.first + 1, found.first + 1, call(name.substr(2)) + (withoutArguments ? "" : ", "), site});
  }
  static std::string call(const std::string& name) { return "clocking::" + name + "(" + kClock + ", %"; }

  // Those with marks of their own, and those that call one of them.
  void findFunctionsThatMark() {
    const auto& functions = variables_.functions();
    gets_.assign(functions.size(), false);
    for (const FoundSite& found : sites_)
      if (const int function = variables_.functionAt(found.first); marks(found.operation) && function >= 0)
        gets_[std::size_t(function)] = true;
    for (bool more = true; more;) {
      more = false;
      for (int i = 0; i < source_.size(); ++i) {
        const auto callee = functionNamed(i);
        const int caller = variables_.functionAt(i);
        if (!callee || caller < 0 || !gets_[std::size_t(callee->function)] || gets_[std::size_t(caller)])
          continue;
        gets_[std::size_t(caller)] = more = true;
      }
    }
  }

  // A function's name in a call or a declaration; the kernel has the clock.
  std::optional<FunctionName> functionNamed(int i) const {
    const auto named = variables_.functionNamed(i);
    return named && !variables_.functions()[std::size_t(named->function)].isKernel ? named : std::nullopt;
  }

  void giveClock(int name, int open) {
    const bool called = statements_.inFunction[std::size_t(name)];
    const bool more = source_.partnerOf(open) > open + 1;
    insertAfter(open, std::string(called ? "" : "clocking::Clock& ") + kClock + (more ? ", " : ""));
  }

  void insertAfter(int token, std::string text) {
    edits_.wraps.push_back({token, token, "", std::move(text)});
  }

  const Source& source_;
  const Statements& statements_;
  const Variables& variables_;
  const std::vector<FoundSite>& sites_;
  Edits edits_;
  std::vector<bool> gets_;  // one a function of the text: whether it is given the clock
};

Edits asDeviceFunction(const Source& source) {
  Edits edits;
  for (int i = 0; i < source.size(); ++i) {
    if (source.is(i, "__global__")) edits.replacements.push_back({i, i, "__device__ __forceinline__", -1});
    if (source.is(i, "__launch_bounds__") && source.is(i + 1, "("))
      edits.replacements.push_back({i, source.partnerOf(i + 1), "", -1});
  }
  return edits;
}

// The edits that make the text with marks, which is such a function, too. Functions that mark are given the
// kernel's clock as a parameter more.
Edits findClockMarks(const Source& source, const Statements& statements, const Variables& variables,
                     const std::vector<FoundSite>& sites) {
  return ClockMarks(source, statements, variables, sites).find();
}

}  // namespace

tl::expected<Instrumented, Refusal> instrument(std::string_view kernelText, Preamble preamble) {
  auto reading = readText(kernelText, preamble);
  if (!reading) return tl::unexpected(reading.error());
  auto& [source, directives, types, declarations, groups, statements, signature] = *reading;
  auto shared = readSharedArrays(source, declarations, statements);
  if (!shared) return tl::unexpected(shared.error());

  const Expressions expressions(source, declarations, statements);
  Findings findings;
  Variables variables(source, types, declarations, statements, expressions);
  const OwnArrays ownArrays(source, declarations, statements);
  if (auto found = findAccesses(source, declarations, expressions, ownArrays, *shared, findings); !found)
    return tl::unexpected(found.error());
  findOperations(source, expressions, findings);
  findGroupOperations(source, groups, findings);
  const auto elementType =
      preamble == Preamble::None ? elementTypeOf(source, variables) : std::optional<model::ElementType>();
  if (elementType) markElements(source, expressions, findings, *elementType, variables);
  findAssignments(source, declarations, expressions, variables, findings);
  const auto lateTargets = fixOrder(source, declarations, expressions, variables, findings);
  if (!lateTargets) return tl::unexpected(lateTargets.error());
  // Last: a condition's wrap goes round an access's.
  findBranches(source, statements, findings);
  if (findings.sites.size() > recording::kMaxSites)
    return refuse(source.tokens[static_cast<std::size_t>(findings.sites[recording::kMaxSites].first)],
                  "Only " + std::to_string(recording::kMaxSites) +
                      " accesses and branches can be recorded. Use loops.");
  for (Replacement& replacement : shared->replacements)
    findings.edits.replacements.push_back(std::move(replacement));

  NumberedSites table = numberSites(source, statements, *lateTargets, findings.sites);
  model::KernelModel model =
      buildModel(source, declarations, statements, expressions, variables, findings, *lateTargets, table);
  const int close = source.partnerOf(signature.open);
  ClockedText clocked{
      .marked = applyEdits(source, findClockMarks(source, statements, variables, findings.sites), table.idOf),
      .plain = applyEdits(source, asDeviceFunction(source), table.idOf),
      .parameters = std::string(source.slice(signature.open + 1, close - 1))};
  return Instrumented{.text = applyEdits(source, std::move(findings.edits), table.idOf),
                      .clocked = std::move(clocked),
                      .sites = std::move(table.sites),
                      .model = std::move(model),
                      .shared = std::move(shared->declarations),
                      .kernel = std::move(signature.kernel),
                      .parameters = std::move(signature.parameters),
                      .includes = std::move(directives.includes),
                      .elementType = elementType};
}

model::KernelModel modelFor(std::string_view kernelText, const std::vector<recording::Site>& sites) {
  const auto now = instrument(kernelText);
  if (!now) return {};
  constexpr int kMissing = -1;
  std::vector<int> idOf(now->sites.size(), kMissing);  // by site of the text pass: its id in `sites`
  std::size_t next = 0;
  for (const recording::Site& site : now->sites) {
    if (next == sites.size()) break;
    const recording::Site& wanted = sites[next];
    if (site.kind == wanted.kind && site.line == wanted.line && site.column == wanted.column &&
        site.length == wanted.length)
      idOf[static_cast<std::size_t>(site.id)] = static_cast<int>(next++);
  }
  if (next != sites.size()) return {};
  const auto given = [&](int id) { return id < 0 ? kMissing : idOf[static_cast<std::size_t>(id)]; };

  model::KernelModel model = now->model;
  model.sites.clear();
  for (std::size_t id = 0; id < idOf.size(); ++id)
    if (idOf[id] != kMissing) model.sites.push_back(now->model.sites[id]);
  for (model::KernelCall& call : model.calls) {
    const auto end = idOf.begin() + call.sitesBefore;
    call.sitesBefore = static_cast<int>(std::count_if(idOf.begin(), end, [](int id) { return id >= 0; }));
    call.loop = given(call.loop);
  }
  std::erase_if(model.operands, [&](const model::SiteOperand& operand) {
    return given(operand.site) == kMissing || (operand.source >= 0 && given(operand.source) == kMissing);
  });
  for (model::SiteOperand& operand : model.operands) {
    operand.site = given(operand.site);
    operand.source = given(operand.source);
  }
  return model;
}

void addMemoryOrders(model::KernelModel& model, std::string_view kernelText,
                     const std::vector<recording::Site>& sites) {
  const model::KernelModel now = modelFor(kernelText, sites);
  if (now.sites.size() != model.sites.size()) return;
  for (std::size_t id = 0; id < now.sites.size(); ++id) {
    model.sites[id].order = now.sites[id].order;
    model.sites[id].scope = now.sites[id].scope;
  }
}

}  // namespace stridescope::instrument
