// What the accesses of a person's own kernel read and store, as far as its text tells: the type to which the
// pointer at an access's place points, by its declaration or by a cast.
#pragma once

#include <string>
#include <vector>

#include "model/trace.h"

namespace stridescope::narration {

// Numbers of one kind, one after another: one float, the four of a float4.
struct AccessType {
  std::string name{};                        // "float", "float4"
  std::vector<model::MemberType> numbers{};  // by offset; empty: the type is not known
  unsigned bytes() const { return numbers.empty() ? 0 : numbers.back().offset + numbers.back().bytes; }
};

class AccessTypes {
 public:
  explicit AccessTypes(const model::Trace& trace);

  // What so many bytes are that an instruction at the site accesses: a part of a vector type is so many of
  // its numbers. Nothing: the text does not tell, or its type is not as wide as that.
  AccessType of(std::uint32_t site, unsigned width) const;

 private:
  std::vector<AccessType> types_;  // by site
};

// Whether the text declares an array of that name without a size, as it does dynamic shared memory: "raw[]".
bool isDeclaredWithoutSize(const std::string& text, const std::string& name);

}  // namespace stridescope::narration
