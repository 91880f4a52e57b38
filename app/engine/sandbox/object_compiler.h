// Compiles a person's text into a shared object by the machine's C++ compiler, which the kernel confines.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/pending_file.h"
#include "base/result.h"
#include "engine/sandbox/limited_process.h"

namespace stridescope::engine::sandbox {

// A folder that nobody else may enter, removed with everything in it when the object goes; should the program
// be killed, when it starts again (base/pending_file.h).

class PrivateFolder {
 public:
  static Result<std::unique_ptr<PrivateFolder>> make();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return entry_.path; }  // absolute

 private:
  explicit PrivateFolder(TemporaryEntry entry) : entry_(std::move(entry)) {}
  TemporaryEntry entry_;
};

// The compiler's command: $CXX if it is set, else c++, g++ or clang++ in $PATH. The error says what to do;
// `what` is to be compiled: "combine".
Result<std::vector<std::string>> findCompiler(const std::string& what = "combine");

struct CompiledFile {
  std::string name;  // may lie in a folder: "cooperative_groups/reduce.h"
  std::string text;
};

// Headers that several compilations begin with, compiled once: g++ then takes a third of the time. Any thread
// may use it.
class CompiledHeaders {
 public:
  CompiledHeaders();
  ~CompiledHeaders();
  CompiledHeaders(const CompiledHeaders&) = delete;
  CompiledHeaders& operator=(const CompiledHeaders&) = delete;

 private:
  friend class HeaderCompiler;
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

struct ObjectRequest {
  std::string what;                      // as sentences have it: "combine"
  std::string textFile;                  // which of the files has the person's text ...
  unsigned textLines = 0;                // ... of so many lines
  std::vector<CompiledFile> files;       // all that is not the system's
  std::string source;                    // which of them is compiled
  std::vector<std::string> options;      // beside those for a shared object
  std::vector<std::string> libraries{};  // behind the source
  ErrorCause cause{};                    // of a text that does not compile
  ProcessLimits limits{};
  // The file that the source includes before all else, where it is worth keeping compiled; empty: none is.
  std::string firstHeader{};
  std::shared_ptr<CompiledHeaders> headers{};  // where it is kept; null: it is compiled each time
};

// A shared object. The file goes with the object.
struct ObjectFile {
  std::unique_ptr<PrivateFolder> folder;
  std::filesystem::path path() const;
};

// The error quotes the first thing that the compiler found fault with, by the line and column of the person's
// text; details have all of its words. The text may come from anybody: as far as sandboxSupport() goes, the
// compiler opens no file of a person's, writes into its own folder alone, and reaches no network and no other
// process. Blocking: a second or less, at most the limits' time.
Result<ObjectFile> compileObject(const ObjectRequest& request, const JobControl& job);

}  // namespace stridescope::engine::sandbox
