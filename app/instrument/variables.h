// The functions of a kernel's text, its variables and their scopes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "instrument/declarations.h"
#include "instrument/findings.h"
#include "instrument/instrument.h"
#include "instrument/statements.h"
#include "model/kernel_model.h"

namespace stridescope::instrument {

struct Function {
  int name = 0;     // its token
  TokenRange body;  // with its braces
  bool isKernel = false;
};

struct Variable {
  int token = 0;       // the token of its name
  TokenRange scope{};  // the tokens in which the name may stand for it; from its own on
  model::VariableKind kind{};
  std::string type{};  // without specifiers: "T", "unsigned", "Pack"
  int dimensions = 0;
  bool pointer = false;
  int function = -1;  // index of a Function
  // One value of the element type T, whose address is never taken: every change of it is seen in the text.
  bool element = false;
  bool fixed = false;  // constexpr or static
};

// A function's name before its arguments.
struct FunctionName {
  int function = 0;  // its place in functions()
  int open = 0;      // the parenthesis of the arguments, behind a template list where there is one
};

class Variables {
 public:
  Variables(const Source& source, const TypeNames& types, const Declarations& declarations,
            const Statements& statements, const Expressions& expressions);

  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Variable>& all() const { return variables_; }  // in the order of the text

  // The function in whose body token i stands; -1: none.
  int functionAt(int i) const;
  // The function that token i names in a call or a declaration; nullopt: none of the text.
  std::optional<FunctionName> functionNamed(int i) const;
  // The variable that the name at token i stands for; nullopt: a member's name, a function's, or unknown.
  std::optional<int> variableAt(int i) const;
  // Whether it is one value, neither shared nor fixed, whose address is never taken.
  bool isPlainValue(int variable) const;
  void setElement(int variable, bool element) { variables_[std::size_t(variable)].element = element; }

 private:
  void findFunctions(const Declarations& declarations);
  std::optional<Variable> read(const DeclaredName& name, const Statements& statements,
                               const std::vector<int>& enclosing) const;
  void findThoseWithAddresses(const Expressions& expressions);

  const Source& source_;
  std::vector<Function> functions_;
  std::vector<Variable> variables_;
  std::unordered_map<std::string_view, std::vector<int>> byName_;  // indices, in the order of the text
  std::unordered_set<int> withAddress_;                            // indices of those whose address is taken
};

// The one kernel of a text: its name and its parameters.

struct Signature {
  std::string kernel;
  int open = 0;  // the token of the parenthesis before its parameters
  std::vector<std::string> parameters;
};

// Refuses a text with no kernel, with several, with one that is a template, or with parameters it cannot
// read.
Accepted<Signature> readSignature(const Source& source, const Declarations& declarations);

// The __shared__ arrays and variables of a kernel's text.

struct SharedArrays {
  std::vector<SharedDeclaration> declarations;
  std::unordered_set<std::string_view> variables;  // those that are no arrays: __shared__ bool last;
  std::vector<Replacement> replacements;
  std::vector<bool> replacedTokens;  // one a token of the text
};

// Refuses variables whose name something else has too, pointers as elements, initializers, alignment, more
// arrays than can be recorded, more than one dynamic array, and declarations that are not written on one
// line.
Accepted<SharedArrays> readSharedArrays(const Source& source, const Declarations& declarations,
                                        const Statements& statements);

}  // namespace stridescope::instrument
