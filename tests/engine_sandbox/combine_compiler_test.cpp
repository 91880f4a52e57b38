// The machine's C++ compiler: found, limited, its words told, nothing left behind. Compilers that misbehave
// are shell scripts here.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "custom_support.h"
#include "engine/sandbox/combine_worker.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

model::CustomOperator text(const std::string& combine) { return {.combine = combine, .identity = "0"}; }

Error errorOf(const std::string& combine, const ProcessLimits& limits = {}) {
  JobControl job;
  auto file = compileCombine(text(combine), model::ElementType::Int, job, limits);
  EXPECT_FALSE(file) << combine;
  return file ? Error{} : file.error();
}

// Temporary files go into a folder of the test's own, which must be empty again.
class CombineCompiler : public testing::Test {
 protected:
  std::string script(const std::string& body) {
    const auto path = place_->path() / "compiler";
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  void TearDown() override { EXPECT_EQ(entriesOf(temporary_->path()), 0u) << "left in the temporary folder"; }

  std::unique_ptr<PrivateFolder> place_ = *PrivateFolder::make(), temporary_ = *PrivateFolder::make();
  Variable folder_{"TMPDIR", temporary_->path()};
  Variable cxx_{"CXX", std::nullopt};
};

// Not that the text is wrong. The compiler's words with LC_ALL=C, which is set for it.
TEST_F(CombineCompiler, AFullTemporaryFolderIsToldAsSuch) {
  for (const char* words : {"/usr/bin/ld: final link failed: No space left on device",
                            "combine:1:1: fatal error: error writing to /tmp/x.o: Disk quota exceeded"}) {
    const Variable cxx("CXX", script("echo '" + std::string(words) + "' >&2; exit 1"));
    const Error fault = errorOf("a + b");
    EXPECT_EQ(fault.kind, ErrorKind::Unavailable);
    EXPECT_THAT(fault.sentence, AllOf(HasSubstr("The disk is full"), HasSubstr(temporary_->path().native()),
                                      HasSubstr("TMPDIR")));
    EXPECT_THAT(fault.details, HasSubstr(words));
  }
}

// Nor is the text wrong where the compiler had no memory.
TEST_F(CombineCompiler, ACompilerWithoutMemoryIsToldAsSuch) {
  for (const char* words :
       {"virtual memory exhausted: Cannot allocate memory",
        "cc1plus: out of memory allocating 65536 bytes after a total of 2147479552 bytes",
        "/usr/lib/gcc/cc1plus: error while loading shared libraries: libgmp.so.10: failed to map segment "
        "from "
        "shared object",
        "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.",
        "/usr/bin/ld: final link failed: memory exhausted",
        "terminate called after throwing an instance of std::bad_alloc", "LLVM ERROR: out of memory"}) {
    const Variable cxx("CXX", script("printf '" + std::string(words) + "\\n' >&2; exit 1"));
    const Error fault = errorOf("a + b");
    EXPECT_EQ(fault.kind, ErrorKind::Limit) << words;
    EXPECT_EQ(fault.cause, ErrorCause::Other) << words;
    EXPECT_THAT(fault.sentence, AllOf(HasSubstr("The C++ compiler ran out of memory"), HasSubstr("2048 MiB"),
                                      Not(HasSubstr("Fix"))));
  }
  const Variable cxx(
      "CXX",
      script("echo 'g++: internal compiler error: Segmentation fault signal terminated program cc1plus'"
             " >&2; exit 4"));
  EXPECT_THAT(errorOf("a + b").sentence, HasSubstr("The C++ compiler crashed"));
}

TEST_F(CombineCompiler, ATextThatOnlySpeaksOfMemoryIsToldOfItsFault) {
  const Variable cxx("CXX", script("echo 'combine:1:1: error: static assertion failed: out of memory' >&2; "
                                   "echo '    1 | out of memory: Cannot allocate memory' >&2; exit 1"));
  const Error fault = errorOf("a + b");
  EXPECT_EQ(fault.kind, ErrorKind::Usage);
  EXPECT_THAT(fault.sentence, HasSubstr("static assertion failed"));
}

// The compiler that is here, with less and less memory.
TEST_F(CombineCompiler, HasLittleMemoryAndBlamesNobody) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "A sanitized library is no program's of a compiler; the rest takes long.";
#endif
  bool wasShort = false;
  for (std::uint64_t megabytes = 96; megabytes >= 6; megabytes /= 2) {
    JobControl job;
    const auto file =
        compileCombine(text("a + b"), model::ElementType::Int, job, {.memoryBytes = megabytes << 20});
    if (file) continue;
    wasShort = true;
    EXPECT_NE(file.error().kind, ErrorKind::Usage) << megabytes << " MiB: " << file.error().sentence;
    EXPECT_EQ(file.error().cause, ErrorCause::Other) << file.error().sentence;
  }
  EXPECT_TRUE(wasShort);
}

// The largest size that a file may have stands in for it.
TEST_F(CombineCompiler, ATextThatCannotBeWrittenIsToldAsSuch) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{16, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  JobControl job;
  const auto file = compileCombine(text("a + b"), model::ElementType::Int, job);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().sentence, HasSubstr("The disk is full: combine could not be compiled in"));
}

TEST_F(CombineCompiler, GivesAFileThatGoesWithTheObject) {
  JobControl job;
  std::filesystem::path path;
  {
    const auto file = compileCombine(text("min(a, b) + __popc(a)"), model::ElementType::Int, job);
    ASSERT_TRUE(file) << file.error().sentence << file.error().details;
    path = file->path();
    EXPECT_TRUE(std::filesystem::is_regular_file(path));
    EXPECT_EQ(std::filesystem::status(path.parent_path()).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(CombineCompiler, WritesWhereARelativePathLeads) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(temporary_->path());
  {
    const Variable relative("TMPDIR", ".");
    JobControl job;
    const auto file = compileCombine(text("a + b"), model::ElementType::Int, job);
    EXPECT_TRUE(file) << file.error().sentence << file.error().details;
    if (file) {
      EXPECT_TRUE(std::filesystem::is_regular_file(file->path()));
    }
  }
  std::filesystem::current_path(before);
}

TEST_F(CombineCompiler, TellsTheFirstFaultByThePersonsLineAndColumn) {
  const Error wrong = errorOf("a + c");
  EXPECT_EQ(wrong.kind, ErrorKind::Usage);
  EXPECT_THAT(wrong.sentence,
              AllOf(HasSubstr("does not compile"), HasSubstr("c"), HasSubstr("line 1, column 5")));
  EXPECT_THAT(wrong.details, AllOf(HasSubstr("a + c"), Not(HasSubstr("pragma"))));
  EXPECT_THAT(errorOf("T c = a;\nreturn d;").sentence, HasSubstr("line 2, column 8"));
  const std::string unfinished = errorOf("a +").sentence;  // the compiler misses it on our next line
  EXPECT_THAT(unfinished, AllOf(HasSubstr("(at its end)"), Not(HasSubstr("line 2"))));
  EXPECT_THAT(errorOf("T c = a; if (a) return c;").sentence, HasSubstr("control reaches end"));
  EXPECT_THAT(errorOf("T f(T); return f(a);").sentence, HasSubstr("undefined reference"));
}

TEST_F(CombineCompiler, SaysWhatToDoWithoutACompiler) {
  const Variable path("PATH", "");
  const Error none = errorOf("a");
  EXPECT_EQ(none.kind, ErrorKind::Unavailable);
  EXPECT_THAT(none.sentence, AllOf(HasSubstr("no C++ compiler"), HasSubstr("Install g++"), HasSubstr("GPU")));
  const Variable named("CXX", "no-such-compiler -m64");
  EXPECT_THAT(errorOf("a").sentence, HasSubstr("'no-such-compiler'"));
}

TEST_F(CombineCompiler, TakesTheOneThatIsNamedWithItsArguments) {
  const auto found = findCompiler();
  ASSERT_TRUE(found);
  const Variable named("CXX", found->front() + " -DTHREE=3");
  JobControl job;
  EXPECT_TRUE(compileCombine(text("a + THREE"), model::ElementType::Int, job));
}

TEST_F(CombineCompiler, IsStoppedWhenItIsLate) {
  const Variable named("CXX", script("sleep 60 & sleep 60"));
  const auto begin = std::chrono::steady_clock::now();
  const Error late = errorOf("a", {.time = std::chrono::seconds(1)});
  EXPECT_THAT(late.sentence, AllOf(HasSubstr("within 1 s"), HasSubstr("stopped")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(CombineCompiler, MayWriteNoMoreThanItIsAllowed) {
  const Variable named("CXX", script("yes 'combine:1:1: error: much' 2>/dev/null; exit 1"));
  const Error much = errorOf("a", {.outputBytes = 4096});
  EXPECT_THAT(much.sentence, HasSubstr("much (line 1, column 1)"));
  EXPECT_LE(much.details.size(), 4096u);
  EXPECT_GT(much.details.size(), 1000u);
}

TEST_F(CombineCompiler, MayMakeNoHugeFile) {
  const Error huge = errorOf("static T x[1 << 20] = {1}; return x[a];", {.fileBytes = 1 << 20});
  EXPECT_THAT(huge.sentence, testing::AnyOf(HasSubstr("not compiled"), HasSubstr("does not compile")));
}

// Killed, the program can end nothing itself.
TEST_F(CombineCompiler, EndsWithTheProgram) {
  // The compiler may write in its own folder alone, which is somewhere in the temporary one.
  const Variable named("CXX", script("echo $$ > unnamed; mv unnamed number; exec sleep 60"));
  const auto started = [this] {
    for (const auto& folder : std::filesystem::directory_iterator(temporary_->path()))
      if (std::filesystem::exists(folder.path() / "number")) return folder.path() / "number";
    return std::filesystem::path();
  };
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    JobControl job;
    (void)compileCombine(text("a"), model::ElementType::Int, job, {.time = std::chrono::seconds(60)});
    ::_exit(0);
  }
  while (started().empty() && ::waitpid(program, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  pid_t compiler = 0;
  ASSERT_TRUE(std::ifstream(started()) >> compiler);
  const auto runs = [&] {  // its number may be left, for its parent to collect
    std::string number, name, state;
    std::ifstream file("/proc/" + std::to_string(compiler) + "/stat");
    return file >> number >> name >> state && state != "Z";
  };
  for (int i = 0; i < 2000 && runs(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(runs());
  for (const auto& left : std::filesystem::directory_iterator(temporary_->path()))
    std::filesystem::remove_all(left);  // nobody was there to do it
}

TEST_F(CombineCompiler, EndsWithTheJob) {
  const Variable named("CXX", script("sleep 60"));
  JobControl job;
  job.cancel = true;
  const auto file = compileCombine(text("a"), model::ElementType::Int, job);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::Cancelled);
}

}  // namespace
}  // namespace stridescope::engine::sandbox
