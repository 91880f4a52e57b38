// What a compiler may do. Compilers that mean harm are shell scripts here, with a Scene to do it to; and real
// ones in odd places still work.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "engine/sandbox/combine_worker.h"
#include "scene.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void writeScript(const std::filesystem::path& path, const std::string& body) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

std::string realCompiler() { return findCompiler().value().front(); }

Result<ObjectFile> compiled(const std::string& combine, const ProcessLimits& limits = {}) {
  JobControl job;
  return compileCombine({.combine = combine, .identity = "0"}, model::ElementType::Int, job, limits);
}

std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const auto bracket = text.rfind(')');
    if (bracket != std::string::npos &&
        std::atoi(text.c_str() + std::min(bracket + 4, text.size())) == parent)
      children.push_back(std::atoi(entry.path().filename().c_str()));
  }
  return children;
}

class CompilerSandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandboxSupport().isComplete()) GTEST_SKIP() << sandboxSupport().sentence();
  }
  // With a script for a compiler: its sentence and its words.
  std::string wordsOf(const std::filesystem::path& script, const ProcessLimits& limits = {}) {
    const Variable named("CXX", script);
    const auto file = compiled("a", limits);
    if (file) return {};
    scene_.hear(file.error().sentence + file.error().details);
    return file.error().sentence + file.error().details;
  }
  Scene scene_;
};

struct BadCompiler {
  const char* name;
  const char* body;
  const char* harm;
};
void PrintTo(const BadCompiler& compiler, std::ostream* stream) { *stream << compiler.name; }

class ABadCompiler : public CompilerSandbox, public testing::WithParamInterface<BadCompiler> {};

TEST_P(ABadCompiler, IsContained) {
  const auto script = scene_.workshop() / "compiler";
  writeScript(script, scene_.placed(GetParam().body) + "\necho done; exit 1");
  EXPECT_THAT(wordsOf(script), HasSubstr("done"));
  EXPECT_THAT(scene_.harm(), IsEmpty());
}

TEST_P(ABadCompiler, DoesItsHarmUnconfined) {
  const auto script = scene_.workshop() / "compiler", words = scene_.workshop() / "words";
  writeScript(script, scene_.placed(GetParam().body));
  (void)!std::system(("exec '" + script.native() + "' > '" + words.native() + "' 2>&1 < /dev/null").c_str());
  std::ostringstream heard;
  heard << std::ifstream(words).rdbuf();
  scene_.hear(heard.str());
  EXPECT_THAT(scene_.harm(), Contains(GetParam().harm));
  for (const pid_t process : processesOf(scene_.temporary())) ::kill(process, SIGKILL);
}

constexpr BadCompiler kBadCompilers[] = {
    {"ReadsASecret", "cat $SECRET", "the secret was told"},
    {"ReadsByTheProgramsDescriptor", "cat /proc/$PARENT/fd/$OPEN", "the secret was told"},
    {"TellsItsEnvironment", "env", "the secret was told"},
    {"WritesElsewhere", "echo x > $NEW", "files changed"},
    {"Appends", "echo x >> $KEEP", "files changed"},
    {"Removes", "rm -f $KEEP", "files changed"},
    {"Moves", "mv $KEEP $NEW", "files changed"},
    {"MakesAFolder", "mkdir $NEW", "files changed"},
    {"Links", "ln -s $SECRET $NEW", "files changed"},
    {"ChangesPermissions", "chmod 777 $SECRET", "files changed"},
    {"Truncates", "truncate -s 1 $KEEP", "files changed"},
    {"SignalsTheProgram", "kill -USR1 $PARENT", "this process was signalled"},
    {"ConnectsByTcp", "bash -c 'echo x > /dev/tcp/127.0.0.1/$TCP'", "a TCP connection came"},
    {"SendsByUdp", "bash -c 'echo x > /dev/udp/127.0.0.1/$UDP'", "a UDP datagram came"},
    {"LimitsTheProgram", "prlimit --pid $PARENT --nofile=70:4096", "this process's limits changed"},
    {"LeavesAProcess", "sh -c \"sleep 60; : $TMPDIR\" &", "a process was left"},
    {"LeavesAProcessInASession", "setsid sh -c \"sleep 60; : $TMPDIR\" &", "a process was left"},
    {"LeavesAGrandchild",
     "setsid sh -c \"trap '' TERM INT HUP; setsid sh -c 'sleep 60; : $TMPDIR' & exit\" & wait; sleep 0.1",
     "a process was left"},
    {"LeavesMany",
     "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sh -c \"for i in 1 2 3 4 5; do setsid sh -c 'sleep 60; : "
     "$TMPDIR' & done\" "
     "& done; wait; sleep 0.1",
     "a process was left"},
};
INSTANTIATE_TEST_SUITE_P(All, ABadCompiler, testing::ValuesIn(kBadCompilers),
                         [](const auto& test) { return test.param.name; });

TEST_F(CompilerSandbox, AtItsLimitNothingOfItIsLeft) {
  const auto script = scene_.workshop() / "compiler";
  writeScript(script,
              "trap '' TERM INT HUP\nsetsid sh -c \"trap '' TERM INT HUP; sleep 60; : $TMPDIR\" &\nsleep 60");
  EXPECT_THAT(wordsOf(script, {.time = std::chrono::seconds(1)}), HasSubstr("within 1 s"));
  EXPECT_THAT(scene_.harm(), IsEmpty());
}

// What looks after the compiler and ends it in time may be stopped itself, by a debugger or by a person. Its
// processes are this test's grandchildren and all below.
TEST_F(CompilerSandbox, WhatLooksAfterItIsKilledWithItWhereItIsStopped) {
  const auto script = scene_.workshop() / "compiler";
  writeScript(script,
              "trap '' TERM INT HUP\nsetsid sh -c \"trap '' TERM INT HUP; sleep 60; : $TMPDIR\" &\nsleep 60");
  const Variable named("CXX", script);
  for (const bool isCancelled : {false, true}) {
    JobControl job;
    std::atomic<bool> isStopped{false};
    std::thread stopping([&] {
      while (processesOf("trap '' TERM INT HUP; sleep 60; : " + scene_.temporary().native()).empty())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      for (const pid_t process : childrenOf(::getpid())) isStopped = ::kill(process, SIGSTOP) == 0;
      job.cancel = isCancelled;
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto file = compileCombine({.combine = "a", .identity = "0"}, model::ElementType::Int, job,
                                     {.time = std::chrono::seconds(isCancelled ? 60 : 2)});
    stopping.join();
    EXPECT_TRUE(isStopped);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().kind, isCancelled ? ErrorKind::Cancelled : ErrorKind::Limit)
        << file.error().sentence;
    EXPECT_THAT(childrenOf(::getpid()), IsEmpty());
    EXPECT_THAT(scene_.harm(), IsEmpty());
  }
}

TEST_F(CompilerSandbox, ItIsToldOfEverySecond) {
  const auto script = scene_.workshop() / "compiler";
  writeScript(script, "sleep 60");
  const Variable named("CXX", script);
  std::vector<std::string> told;
  JobControl job;
  job.progress = [&](float, const std::string& doing) { told.push_back(doing); };
  EXPECT_FALSE(compileCombine({.combine = "a", .identity = "0"}, model::ElementType::Int, job,
                              {.time = std::chrono::seconds(3)}));
  ASSERT_FALSE(told.empty());
  EXPECT_THAT(told.front(), testing::MatchesRegex("compiling combine, [0-9] s of at most 3 s"));
}

// As a tool chain that somebody unpacked has it: bin/, include/ and others.
TEST_F(CompilerSandbox, OneInAnOddPlaceFindsItsOwnFilesAndNoOthers) {
  const auto tree = scene_.workshop() / "tree";
  writeScript(tree / "bin" / "c++", "exec " + realCompiler() + " -include '" +
                                        (tree / "include" / "three.h").native() + "' \"$@\"");
  std::filesystem::create_directories(tree / "include");
  std::filesystem::create_directories(tree / "work");
  std::ofstream(tree / "include" / "three.h") << "#define THREE 3\n";
  std::ofstream(tree / "work" / "notes.h") << "#define FOUR 4\n";
  const Variable named("CXX", tree / "bin" / "c++");
  EXPECT_TRUE(compiled("a + THREE"));
  const auto others = compiled("a;\n#include \"" + (tree / "work" / "notes.h").native() + "\"\nreturn FOUR");
  ASSERT_FALSE(others);
  EXPECT_THAT(others.error().sentence, ContainsRegex("notes.h: Permission denied .*The compiler may read"));
}

TEST_F(CompilerSandbox, FoldersThatItsCommandNamesAreItsOwn) {
  const auto folder = scene_.workshop() / "headers";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "three.h") << "#define THREE 3\n";
  const Variable named("CXX", realCompiler() + " -I" + folder.native() + " -include three.h");
  EXPECT_TRUE(compiled("a + THREE"));
}

// A script in the home folder itself does not open the home folder.
TEST_F(CompilerSandbox, OneInTheHomeFolderMayReadItselfAlone) {
  const auto home = scene_.workshop() / "home";
  writeScript(home / "c++",
              "cat '" + (home / "notes").native() + "' 2>&1\nexec " + realCompiler() + " \"$@\"");
  std::ofstream(home / "notes") << "private notes\n";
  const Variable moved("HOME", home), named("CXX", home / "c++");
  EXPECT_TRUE(compiled("a + b"));
  const auto fault = compiled("a + c");
  ASSERT_FALSE(fault);
  EXPECT_THAT(fault.error().details,
              testing::AllOf(HasSubstr("notes: Permission denied"), Not(HasSubstr("private"))));
}

class OtherCompiler : public CompilerSandbox, public testing::WithParamInterface<const char*> {};

TEST_P(OtherCompiler, Works) {
  const Variable named("CXX", GetParam());
  if (!findCompiler()) GTEST_SKIP() << GetParam() << " is not installed.";
  const auto file = compiled("a + b");
  EXPECT_TRUE(file) << file.error().sentence << file.error().details;
}
INSTANTIATE_TEST_SUITE_P(All, OtherCompiler,
                         testing::Values("g++", "clang++", "ccache g++", "/usr/lib/ccache/c++"),
                         [](const auto& test) { return "Number" + std::to_string(test.index); });

}  // namespace
}  // namespace stridescope::engine::sandbox
