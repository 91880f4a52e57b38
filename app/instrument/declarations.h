// What each token is to the declarations of a kernel's text: this is what tells `T * p` (a declaration) from
// `n * p` (a product) and `T v[4]` from an access.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "instrument/tokens.h"

namespace stridescope::instrument {

// The type names and templates that a kernel's text introduces. With them every declaration can be told from
// an expression, because a text without #include has no other types than these and CUDA's own.

struct TypeNames {
  std::unordered_set<std::string_view> types;  // struct, class, enum, using, template parameters; and CUDA's
  std::unordered_set<std::string_view> constants;  // enums' enumerators
  Preamble preamble = Preamble::Variant;

  bool isType(std::string_view word) const;
};

// Reads them and, in `source`, matches the < > of template lists. `withGroups`: the types and templates of
// cooperative groups are there too. Refuses aliases that hide a pointer, an array or a reference.
Accepted<TypeNames> readTypeNames(Source& source, bool withGroups);

enum class Role : unsigned char {
  Expression,
  Type,          // part of a type or a specifier
  Pointer,       // the * of T* p
  Name,          // the name that is declared
  ArrayBracket,  // the [ of T v[4]
  Attribute,     // part of [[...]]
};

struct DeclaredName {
  int token = 0;
  int type = -1;         // the first token of its specifiers and type; -1: it has none
  int dimensions = 0;    // how many an array or a pointer to rows has
  bool pointer = false;  // T* p, T (*p)[33]
};

struct Declarations {
  std::vector<Role> roles;                               // one a token
  std::unordered_set<std::string_view> names;            // everything declared, wherever
  std::vector<DeclaredName> declared;                    // functions too, in the order of the text
  std::unordered_map<std::string_view, int> dimensions;  // how many arrays and pointers to arrays have

  Role roleOf(int i) const { return roles[static_cast<std::size_t>(i)]; }
};

// Refuses references, pointers to pointers, function pointers, structured bindings and operators that would
// hide an access.
Accepted<Declarations> readDeclarations(const Source& source, const TypeNames& types);

}  // namespace stridescope::instrument
