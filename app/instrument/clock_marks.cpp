#include "instrument/clock_marks.h"

namespace stridescope::instrument {
namespace {

using model::Operation;

constexpr const char* kClock = "clocking_clock";  // the text's name for it

bool marks(Operation operation) {
  switch (operation) {
    case Operation::SyncThreads:
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
      edits_.replacements.push_back({found.first, found.last, call("syncthreads") + ")", site});
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

}  // namespace

Edits asDeviceFunction(const Source& source) {
  Edits edits;
  for (int i = 0; i < source.size(); ++i) {
    if (source.is(i, "__global__")) edits.replacements.push_back({i, i, "__device__ __forceinline__", -1});
    if (source.is(i, "__launch_bounds__") && source.is(i + 1, "("))
      edits.replacements.push_back({i, source.partnerOf(i + 1), "", -1});
  }
  return edits;
}

Edits findClockMarks(const Source& source, const Statements& statements, const Variables& variables,
                     const std::vector<FoundSite>& sites) {
  return ClockMarks(source, statements, variables, sites).find();
}

}  // namespace stridescope::instrument
