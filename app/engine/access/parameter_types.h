// What debug information says of types, and of a function's parameters: what numbers they are made of.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/access/kernel_types.h"

namespace stridescope::engine::access {

std::string nameOfDie(Dwarf_Die& die);  // empty: it has none
// The type behind names for it and its qualifiers.
std::optional<Dwarf_Die> typeOfDie(Dwarf_Die& die);
std::optional<Dwarf_Word> wordOfDie(Dwarf_Die& die, unsigned name);

// What the elements are that such a pointer points to, or that such an array has.
ParameterType elementOf(Dwarf_Die type);

std::vector<ParameterType> parametersOf(Dwarf_Die& function);

}  // namespace stridescope::engine::access
