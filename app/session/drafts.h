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

}  // namespace stridescope::session
