// Texts that were typed and not saved, kept in a folder of the program's own, so that they survive whatever
// ends it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope::session {

struct Draft {
  std::string path;  // the file whose text it would be
  std::string text;
};

class Drafts {
 public:
  explicit Drafts(std::string folder) : folder_(std::move(folder)) {}  // empty: nothing is kept

  Result<std::monostate> keep(const Draft& draft) const;
  void remove(const std::string& path) const;
  // One that nobody has answered for gives way to another of its file, and stays in the folder under another
  // name.
  void setAside(const std::string& path) const;
  std::optional<Draft> find(const std::string& path) const;
  std::vector<Draft> all() const;  // the newest first

 private:
  std::string fileOf(const std::string& path) const;

  std::string folder_;
};

// Where a text of a person's own kernel is at fault, as a compiler says it.

// What a compiler found, by the person's own lines.
struct TextFault {
  int line = 0, column = 0;  // 1-based; 0: unknown
  std::string what;
};

// Those in what a compiler printed of the file, else the place that the sentence names. Empty: it is about no
// line.
std::vector<TextFault> faultsOf(const Error& error, const std::string& fileName);

}  // namespace stridescope::session
