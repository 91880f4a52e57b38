// The kernels of a person's text, as they are declared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::access {

struct KernelParameter {
  std::string name;       // one without a name is called by its place: "arg1", "arg2"
  std::string type;       // as in the text, without the name: "const float *"
  std::string otherwise;  // its default argument; empty: it has none
  int line = 1;
};

struct KernelDeclaration {
  std::string name;       // "k"
  std::string qualified;  // "ns::k"; the same where it stands in no named namespace
  bool isTemplate = false;
  std::string templateHead;  // "template <class T, int N>"
  int line = 1;
  std::vector<KernelParameter> parameters;

  std::string signature() const;  // "k(const float *, int)"
  // A template's arguments may all be left out.
  bool hasDefaults() const { return templateHead.find('=') != std::string::npos; }
};

// The __global__ functions that have a body, in order. Usage: what cannot be read, with its line.
Result<std::vector<KernelDeclaration>> kernelsIn(const std::string& fileName, std::string_view text);

}  // namespace stridescope::engine::access
