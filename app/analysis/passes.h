// The passes of a round, and what each thread works with in each. A round that holds several steps has
// several passes: one for each trip of a loop that has accesses and, in straight-line code, one for each step
// that combines operands and stores what they became (model::SiteModel). Passes are in the order of the
// program: two loops one after the other give the passes of the first, then those of the second.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// One element that a thread read or wrote, a value that it received in a word, or what a variable of its
// held.
struct Operand {
  bool shared = true;       // else in a buffer
  std::uint32_t array = 0;  // index into LaunchTrace::shared or ::buffers
  std::uint64_t element = 0;
  std::uint64_t bits = 0;  // its value
  std::uint32_t site = 0;
  bool inRegister = false;  // the value was kept in a register; the element is where it stands in memory, too
  bool placed = true;       // false: it stands in no memory; array and element mean nothing
  // What the passes before left there in the round, if the thread read something else: it ran before others
  // had finished theirs, or after they had gone on. Set by PassViewer alone.
  std::optional<std::uint64_t> left{};
  // The thread read what the passes before left, but the store that left it changed nothing: whether the
  // thread read before it or after it, the value is the same. Set by PassViewer alone.
  bool orderUnknown = false;
  // Which bytes of the element they are, where it is more than one number.
  std::uint32_t within = 0, width = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

// Both stand in memory, in the same place.
inline bool sameElement(const Operand& x, const Operand& y) {
  return x.placed && y.placed && x.shared == y.shared && x.array == y.array && x.element == y.element;
}

// What one thread did in a pass: up to a store, from it to the next, and behind the last one.
struct PassWork {
  std::uint32_t thread = 0;
  // The elements that it read and the variables that it brought with it; variables first, then in the order
  // of the program. Empty: it stored something else.
  std::vector<Operand> operands{};
  // What they became: the element that was stored, else the last value that was combined, else the last that
  // was assigned; as recorded. nullopt: nothing was recorded.
  std::optional<Operand> result{};
  // It is of the pass's own loop or step. Else it stands before or behind that; Pass::work has it only for
  // threads that have no other in the pass.
  bool inPass = true;
  // The work is about elements. Else it is about counters, flags or lists' numbers, and its thread touches no
  // elements in the pass.
  bool ofElements = false;
};

struct Pass {
  unsigned activeLanes = 0;    // threads with an access of the pass's own loop or step
  std::vector<PassWork> work;  // by thread, then in the order of the program
};

// Requires rounds of this launch, as analyse() gives them. A round with very many passes is read in parts,
// one after another.
class PassReader {
 public:
  PassReader(const model::Trace& trace, const model::LaunchTrace& launch);

  // What one thread did in one pass: at least one entry, those of the pass's own loop or step first.
  using Visit = std::function<void(std::uint32_t pass, std::vector<PassWork>& work)>;
  // Thread after thread, each thread's passes in their order.
  void visit(const Round& round, const Visit& visit) const;

  // Whether each trip of the loop may be a pass: it has accesses.
  bool isPassLoop(std::uint32_t site) const { return loopHasAccesses_[site]; }

  // `count` passes from `first` on, as far as the round has them.
  std::vector<Pass> read(const Round& round, std::uint32_t first = 0, std::uint32_t count = ~0u) const;

 private:
  friend class ThreadPasses;

  bool holdsElements(const model::Event& access) const;

  const model::Trace& trace_;
  const model::LaunchTrace& launch_;
  std::vector<std::vector<model::SiteOperand>> operandsOf_;  // per site
  std::vector<bool> loopHasAccesses_;                        // per site
  std::vector<bool> takesElements_;  // per function: it has a parameter of the element type
};

}  // namespace stridescope::analysis
