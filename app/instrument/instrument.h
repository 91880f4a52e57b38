// The text pass: puts a recording call round every access, branch, barrier and warp operation of a kernel's
// text, and in a second text marks of the clock. A tokenizer, not a parser. Lines stay where they are. What
// it cannot handle it refuses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/kernel.h"
#include "model/kernel_model.h"
#include "recording/site.h"

namespace stridescope::instrument {

// What a text finds declared in front of it.
enum class Preamble : unsigned char {
  Variant,  // T, combine, identity, blockSize and the hardware's forms of combine
  // Nothing but CUDA's own: a person's file. Plain headers may be included, which are left there, and there
  // may be several __global__ functions.
  None,
};

struct SharedDeclaration {
  std::string name, elementType;
  std::string extent;  // as written, "[8][33]"; empty for a dynamic array and for a single variable
  int line = 0;
  bool dynamic = false;
  friend bool operator==(const SharedDeclaration&, const SharedDeclaration&) = default;
};

// The kernel as a function for the device, in two forms: with marks of the SM's clock, and as it is. A
// program has both, and a kernel of its own that calls the one or the other (clocking/clock.h): so a mark
// costs the blocks that are not clocked nothing.
struct ClockedText {
  std::string marked, plain;
  std::string parameters;  // the kernel's, as written between its parentheses
};

struct Instrumented {
  std::string text;
  ClockedText clocked;
  std::vector<recording::Site> sites;  // indexed by id
  model::KernelModel model;
  std::vector<SharedDeclaration> shared;  // in order; at most recording::kMaxSharedArrays
  std::string kernel;                     // the name of the first __global__ function
  std::vector<std::string> parameters;    // its parameters' names, in order
  std::vector<std::string> includes;      // CUDA's headers that the text includes: "cooperative_groups.h"
  // With Preamble::None, the type that takes the place of T: that of the arrays the kernel works on. nullopt:
  // they have another.
  std::optional<model::ElementType> elementType;
};

// Where and why a text cannot be instrumented. Line and column are 1-based, the column in bytes.
struct Refusal {
  int line = 0, column = 0;
  std::string reason;  // a sentence that names the construct and what to write instead
};

tl::expected<Instrumented, Refusal> instrument(std::string_view kernelText,
                                               Preamble preamble = Preamble::Variant);

// The model of a text of which only some sites are recorded: an older text pass did not record assignments.
// Its sites are `sites`, in the order of the text pass. Empty if the text is refused, or has not all of them.
model::KernelModel modelFor(std::string_view kernelText, const std::vector<recording::Site>& sites);

// Sets the memory orders and scopes of a model that was read from a recording, which does not have them.
// Changes nothing if the text pass does not find the sites in the text.
void addMemoryOrders(model::KernelModel& model, std::string_view kernelText,
                     const std::vector<recording::Site>& sites);

// The conditions of a text's branches and loops as expressions, and the names in them. `sites` are those of a
// trace of it. Without any where the text is refused.
model::KernelExpressions readExpressions(std::string_view kernelText,
                                         const std::vector<recording::Site>& sites,
                                         Preamble preamble = Preamble::Variant);

}  // namespace stridescope::instrument
