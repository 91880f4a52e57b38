#include "engine/sandbox/object_compiler.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <sstream>
#include <string_view>
#include <system_error>

#include "engine/sandbox/confinement.h"

namespace stridescope::engine::sandbox {
namespace {

constexpr std::string_view kObjectFile = "object.so";

// What every compiler reads: the system's programs, libraries and headers; the two last are other systems'
// for that.
constexpr const char* kSystemFolders[] = {"/usr",   "/bin",    "/sbin",      "/lib",      "/lib32",
                                          "/lib64", "/libx32", "/nix/store", "/gnu/store"};
constexpr const char* kLinkersFiles[] = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"};

constexpr std::string_view kCompilersVariables[] = {
    "PATH",  "LD_LIBRARY_PATH", "LIBRARY_PATH",       "COMPILER_PATH",      "GCC_EXEC_PREFIX",
    "CPATH", "C_INCLUDE_PATH",  "CPLUS_INCLUDE_PATH", "CONDA_BUILD_SYSROOT"};

bool isProgram(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Where $PATH has the program; empty: nowhere. A name with a slash is a path already.
std::string programPath(const std::string& name) {
  if (name.find('/') != std::string::npos) return isProgram(name) ? std::filesystem::absolute(name) : "";
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto path = std::filesystem::path(folder) / name; path.is_absolute() && isProgram(path))
      return path;
  return {};
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

// Passes on those of this process's variables by which compilers find their own files.
std::vector<std::string> environmentIn(const std::filesystem::path& place) {
  // A cache is a person's: ccache compiles without it, though not without a home.
  std::vector<std::string> all{"TMPDIR=" + place.native(), "HOME=" + place.native(), "LC_ALL=C",
                               "CCACHE_DISABLE=1"};
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view name = std::string_view(*each).substr(0, std::string_view(*each).find('='));
    if (std::ranges::find(kCompilersVariables, name) != std::end(kCompilersVariables) ||
        name.starts_with("NIX_"))
      all.emplace_back(*each);
  }
  return all;
}

// A folder that holds more than a compiler: what is allowed of it is allowed of all that is below.
bool isOthersToo(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto isAbove = [&](const std::filesystem::path& other) {
    const auto place = std::filesystem::weakly_canonical(other, ignored);
    return !other.empty() &&
           std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
  };
  return isAbove(variable("HOME")) || isAbove(std::filesystem::temp_directory_path(ignored));
}

// The program itself, what lies beside it, and, if that is the bin/ of a compiler's own tree, the tree's
// other folders.
void allowProgram(const std::filesystem::path& program, std::vector<AllowedFiles>& allowed) {
  allowed.push_back({program, FileAccess::ReadAndRun});
  const auto folder = program.parent_path();
  if (isOthersToo(folder)) return;
  allowed.push_back({folder, FileAccess::ReadAndRun});
  if (folder.filename() != "bin") return;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder.parent_path(), ignored)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("lib") || name == "include" ||
        name.find("-linux-") != std::string::npos)  // x86_64-linux-gnu
      allowed.push_back({entry.path(), FileAccess::ReadAndRun});
  }
}

// What the compiler may open: the system's files, its own, and the paths that its command names, as in
// CXX='g++ --sysroot=/opt/root'; and `place`, where it works. No file of a person's is among them.
std::vector<AllowedFiles> filesOf(const std::vector<std::string>& command,
                                  const std::filesystem::path& place) {
  std::vector<AllowedFiles> allowed{{place, FileAccess::Change}, {"/dev/null", FileAccess::Change}};
  for (const char* folder : kSystemFolders) allowed.push_back({folder, FileAccess::ReadAndRun});
  for (const char* file : kLinkersFiles) allowed.push_back({file, FileAccess::Read});
  for (const std::string& word : command) {
    const auto slash = word.find('/');
    std::error_code absent;
    const auto named = std::filesystem::canonical(
        slash == std::string::npos ? programPath(word) : word.substr(slash), absent);
    if (absent) continue;
    if (isProgram(named))
      allowProgram(named, allowed);
    else if (!isOthersToo(named))
      allowed.push_back({named, FileAccess::ReadAndRun});
  }
  return allowed;
}

std::string firstLineWith(const std::string& output, std::string_view what) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find(what) != std::string::npos) return line;
  return {};
}

// The line and column of the text's file that such a piece of a message begins with: "k.cu:2:9: ...".
std::optional<std::pair<unsigned, unsigned>> placeAt(std::string_view piece, const std::string& textFile) {
  if (!piece.starts_with(textFile + ":")) return std::nullopt;
  unsigned row = 0, column = 1;
  char colon = 0;
  std::istringstream place{std::string(piece.substr(textFile.size() + 1, 32))};
  if (!(place >> row)) return std::nullopt;
  if (!(place >> colon >> column) || colon != ':') column = 1;
  return std::pair(row, column);
}

// Where the text comes to an error that a header of ours tells: by a template ("required from here") or by an
// #include, of which compilers tell no column.
std::optional<std::pair<unsigned, unsigned>> placeThatLeadsTo(const std::string& output,
                                                              const std::string& textFile) {
  constexpr std::string_view kIncluded = "In file included from ";
  std::istringstream lines(output);
  std::optional<std::pair<unsigned, unsigned>> included;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("./")) line.erase(0, 2);
    const bool isInstance = line.find("required from here") != std::string::npos ||
                            line.find("in instantiation of") != std::string::npos;
    if (isInstance)
      if (const auto place = placeAt(line, textFile)) return place;
    if (!included && line.starts_with(kIncluded)) {
      std::string_view from = std::string_view(line).substr(kIncluded.size());
      if (from.starts_with("./")) from.remove_prefix(2);
      included = placeAt(from, textFile);
    }
  }
  return included;
}

// What our own headers say stands in quotes: #error "...", or static assertion failed: ...
std::string sentenceIn(std::string what) {
  for (const std::string_view before : {"#error ", "static assertion failed: "})
    if (what.starts_with(before)) what.erase(0, before.size());
  const auto quote = what.find("static_assert failed") == 0 || what.find("static assertion failed") == 0
                         ? what.find(" \"")
                         : std::string::npos;
  if (quote != std::string::npos) what.erase(0, quote + 1);
  if (what.size() > 1 && what.starts_with('"') && what.ends_with('"')) what = what.substr(1, what.size() - 2);
  return what;
}

// "combine:1:9: error: 'c' was not declared" as "'c' was not declared (line 1, column 9)"; behind the last of
// the text's `lines` stands what is ours, where the compiler misses what should end the text.
std::string firstFault(const std::string& output, const std::string& textFile, unsigned lines) {
  constexpr std::string_view kMark = "error: ";
  std::string line = firstLineWith(output, "undefined reference");  // the linker's error says less
  if (line.empty()) line = firstLineWith(output, kMark);
  if (line.starts_with("./")) line.erase(0, 2);  // clang++ has a file that is included so
  if (line.empty()) return output.substr(0, output.find('\n'));
  const auto mark = line.find(kMark);
  std::string what = mark == std::string::npos ? line.substr(line.find("undefined reference"))
                                               : line.substr(mark + kMark.size());
  auto place = placeAt(line.substr(0, mark), textFile);
  if (!place && mark != std::string::npos && (place = placeThatLeadsTo(output, textFile)))
    what = sentenceIn(std::move(what));
  if (what.ends_with('.')) what.pop_back();  // our own headers say sentences
  if (place) {
    const auto [row, column] = *place;
    return row > lines ? what + " (at its end)"
                       : what + " (line " + std::to_string(row) + ", column " + std::to_string(column) + ")";
  }
  return what;
}

// Whether the compiler, or what it starts, found no room for its files.
bool ranOutOfRoom(const std::string& output) {
  return output.find("No space left on device") != std::string::npos ||
         output.find("Disk quota exceeded") != std::string::npos;
}

// Whether a line of the compiler's own, and not one that quotes the person's text, has one of these.
bool saysItself(const std::string& output, const std::string& textFile,
                std::initializer_list<std::string_view> pieces) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(textFile + ":") || line.starts_with(' ')) continue;
    for (const std::string_view piece : pieces)
      if (line.find(piece) != std::string::npos) return true;
  }
  return false;
}

// As GCC, Clang, their assembler and linker, the loader, and the kernel of the system have it.
bool ranOutOfMemory(const std::string& output, const std::string& textFile) {
  return saysItself(output, textFile,
                    {"out of memory", "memory exhausted", "Cannot allocate memory", "bad_alloc",
                     "failed to map segment", "Killed signal terminated", "not enough memory"});
}
bool crashed(const std::string& output, const std::string& textFile) {
  return saysItself(output, textFile, {"signal terminated program", "PLEASE submit a bug report"});
}

tl::unexpected<Error> noRoomIn(const std::filesystem::path& place, const std::string& what,
                               const std::string& details) {
  return unavailable("The disk is full: " + what + " could not be compiled in " +
                         place.parent_path().native() +
                         ". Make room there, or name another folder in TMPDIR.",
                     details);
}

tl::unexpected<Error> didNotCompile(const ProcessEnd& end, const ObjectRequest& request,
                                    const std::filesystem::path& place) {
  const std::string& what = request.what;
  const std::string& textFile = request.textFile;
  const ProcessLimits& limits = request.limits;
  if (end.timedOut)
    return limitMet(what + " was not compiled within " + std::to_string(limits.time.count()) +
                        " s, and the compiler was stopped. Write it more simply.",
                    end.output);
  if (ranOutOfRoom(end.output)) return noRoomIn(place, what, end.output);
  if (ranOutOfMemory(end.output, textFile))
    return limitMet("The C++ compiler ran out of memory while it compiled " + what + "; it may use at most " +
                        std::to_string(limits.memoryBytes >> 20) +
                        " MiB. Close other programs, or write it more simply.",
                    end.output);
  if (saysItself(end.output, textFile, {"File size limit exceeded", "File too large"}))
    return limitMet(what + " was not compiled: the compiler may write at most " +
                        std::to_string(limits.fileBytes >> 20) + " MiB into a file. Write it more simply.",
                    end.output);
  if (crashed(end.output, textFile))
    return unavailable("The C++ compiler crashed while it compiled " + what +
                           ". Write it in another way, or name another compiler in CXX.",
                       end.output);
  const std::string fault = firstFault(end.output, textFile, request.textLines);
  if (fault.empty())
    return limitMet(what +
                        " was not compiled: the compiler ended without a word, perhaps at a limit of memory, "
                        "time or output. Write it more simply.",
                    {});
  const bool refused = end.output.find("Permission denied") != std::string::npos;
  return tl::unexpected(
      Error{ErrorKind::Usage,
            what + " does not compile: " + fault +
                (refused ? ". The compiler may read the system's files, its own, and what CXX "
                           "names, and no others."
                         : ". Fix its text."),
            end.output, request.cause});
}

bool writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  return bool(stream);
}

}  // namespace

std::filesystem::path ObjectFile::path() const { return folder->path() / kObjectFile; }

Result<std::vector<std::string>> findCompiler(const std::string& what) {
  std::vector<std::string> chosen = words(variable("CXX"));
  if (!chosen.empty()) {
    const std::string path = programPath(chosen.front());
    if (path.empty())
      return unavailable("The C++ compiler that CXX names, '" + chosen.front() +
                         "', was not found. Unset CXX, or name one that is there.");
    chosen.front() = path;
    return chosen;
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (std::string path = programPath(name); !path.empty()) return std::vector{std::move(path)};
  return unavailable(
      "There is no C++ compiler to compile " + what +
      " with for the CPU. Install g++ (Debian: apt install g++), or name a compiler in CXX, or step it on a "
      "GPU.");
}

struct CompiledHeaders::Kept {
  std::mutex mutex;
  std::string of;                         // the command and the texts that it was compiled from
  std::unique_ptr<PrivateFolder> folder;  // null: not yet, or the compiler cannot
};

CompiledHeaders::CompiledHeaders() : kept_(std::make_unique<Kept>()) {}
CompiledHeaders::~CompiledHeaders() = default;

// Puts the compiled first header where g++ looks for it. Where that fails, the header is compiled as it is.
class HeaderCompiler {
 public:
  HeaderCompiler(const ObjectRequest& request, const std::vector<std::string>& command)
      : request_(request), command_(command) {}

  void placeIn(const std::filesystem::path& place, const CallFilter& calls, const JobControl& job) const {
    if (!request_.headers || request_.firstHeader.empty() || !isGcc()) return;
    CompiledHeaders::Kept& kept = *request_.headers->kept_;
    const std::scoped_lock lock(kept.mutex);
    std::string of;
    for (const std::string& word : command_) of += word + '\n';
    for (const CompiledFile& file : request_.files)
      if (!isPersons(file)) of += file.name + '\n' + file.text;
    if (of != kept.of) {
      kept.folder = compiled(calls, job);
      if (job.cancel) return;
      kept.of = of;
    }
    if (!kept.folder) return;
    const std::string name = request_.firstHeader + ".gch";
    std::error_code failed;
    std::filesystem::create_hard_link(kept.folder->path() / name, place / name, failed);
  }

 private:
  bool isGcc() const {
    std::error_code failed;
    const auto program = std::filesystem::canonical(command_.front(), failed).filename().native();
    return program.find("g++") != std::string::npos && program.find("clang") == std::string::npos;
  }
  bool isPersons(const CompiledFile& file) const {
    return file.name == request_.textFile || file.name == request_.source;
  }

  std::unique_ptr<PrivateFolder> compiled(const CallFilter& calls, const JobControl& job) const {
    auto folder = PrivateFolder::make();
    if (!folder) return nullptr;
    const std::filesystem::path& place = (*folder)->path();
    const auto files = FileRules::make(filesOf(command_, place));
    if (!files) return nullptr;
    for (const CompiledFile& one : request_.files) {
      if (isPersons(one)) continue;
      std::error_code failed;
      std::filesystem::create_directories((place / one.name).parent_path(), failed);
      if (!writeText(place / one.name, one.text)) return nullptr;
    }
    std::vector<std::string> command = command_;
    for (const std::string& word : {std::string("-x"), std::string("c++-header"), request_.firstHeader,
                                    std::string("-o"), request_.firstHeader + ".gch"})
      command.push_back(word);
    const auto end = runLimited({.command = std::move(command),
                                 .environment = environmentIn(place),
                                 .folder = place,
                                 .files = *files,
                                 .calls = calls,
                                 .doing = "compiling " + request_.firstHeader,
                                 .limits = request_.limits},
                                job);
    return end && end->succeeded() ? *std::move(folder) : nullptr;
  }

  const ObjectRequest& request_;
  const std::vector<std::string>& command_;
};

Result<ObjectFile> compileObject(const ObjectRequest& request, const JobControl& job) {
  auto command = findCompiler(request.what);
  if (!command) return tl::unexpected(command.error());
  auto folder = PrivateFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  ObjectFile file{std::move(*folder)};
  const std::filesystem::path& place = file.folder->path();
  const auto files = FileRules::make(filesOf(*command, place));
  if (!files) return tl::unexpected(files.error());
  static const auto calls = compilingFilter();
  if (!calls) return tl::unexpected(calls.error());
  for (const CompiledFile& one : request.files) {
    std::error_code failed;
    std::filesystem::create_directories((place / one.name).parent_path(), failed);
    if (!writeText(place / one.name, one.text)) return noRoomIn(place, request.what, {});
  }
  command->emplace_back("-std=c++20");
  command->insert(command->end(), request.options.begin(), request.options.end());
  for (const char* option :
       {"-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
        "-Werror=return-type", "-fdiagnostics-color=never", "-pipe", "-fPIC"})
    command->emplace_back(option);
  HeaderCompiler(request, *command).placeIn(place, *calls, job);
  for (const char* option :
       {"-x", "c++", "-shared", "-Wl,-z,defs", "-Wl,-z,noexecstack", "-Wl,--as-needed", "-o"})
    command->emplace_back(option);
  command->push_back(file.path());
  command->emplace_back(request.source);
  command->insert(command->end(), request.libraries.begin(), request.libraries.end());
  // What the compiler leaves when it is stopped is removed with the folder.
  const auto end = runLimited({.command = std::move(*command),
                               .environment = environmentIn(place),
                               .folder = place,
                               .files = *files,
                               .calls = *calls,
                               .doing = "compiling " + request.what,
                               .limits = request.limits},
                              job);
  if (!end) return tl::unexpected(end.error());
  if (!end->succeeded()) return didNotCompile(*end, request, place);
  return file;
}

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::make() {
  std::error_code failed;
  const std::filesystem::path named = std::filesystem::temp_directory_path(failed);
  // Whole, as TMPDIR may not be: what runs in the folder is told its path, too.
  const std::filesystem::path parent = std::filesystem::absolute(failed ? "/tmp" : named);
  TemporaryEntry entry = makeTemporaryFolder(parent);
  if (entry.systemError != 0)
    return unavailable("No temporary folder could be made in " + parent.native() + ": " +
                       std::generic_category().message(entry.systemError) +
                       ". Make room there, or name another folder in TMPDIR.");
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(entry)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path(), ignored);
}

}  // namespace stridescope::engine::sandbox
