// Programs that mean harm, each compiled and run as a person's operator is. What they try to reach is a
// Scene; what it tells afterwards must be nothing, the run must end in time with a sentence or a harmless
// result, and the engine must live on. That the same programs do harm where nothing confines them, and that
// the scene tells of it, is held, too, as far as it can be tried without harm to the machine. What all of
// them include, and the operator that each engine runs afterwards, are compiled once, before the others:
// CTest runs HostileParts first. A program that finds no such parts compiles them itself.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "engine/sandbox/combine_worker.h"
#include "hostile_programs.h"
#include "scene.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::sandbox {

void PrintTo(const Hostile& hostile, std::ostream* stream) { *stream << hostile.name; }

namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::IsEmpty;

// A compiler's time, a trial's and two runs', beside other work.
constexpr auto kPatience = std::chrono::seconds(90);
// Eight programs take all of a trial's and a run's time.
#if defined(__SANITIZE_ADDRESS__)
constexpr CustomEngineOptions::Duration kTrial{2'000}, kRun{8'000};
#else
constexpr CustomEngineOptions::Duration kTrial{1'000}, kRun{4'000};
#endif

const std::filesystem::path kParts = STRIDESCOPE_HOSTILE_PARTS;
const std::filesystem::path kPlain = kParts / "plain.so";  // a + b + 0
const std::filesystem::path kPrelude = kParts / "prelude.h";
const std::filesystem::path kCompiledPrelude = kParts / "prelude.h.gch";  // one file for each set of options
constexpr const char* kUnconfinedOptions = " -std=c++20 -O1 -fwrapv -w -fPIC ";
constexpr const char* kPlainText = "a + b + 0";

std::string preludeText() {
  return "#ifndef HOSTILE_PRELUDE\n#define HOSTILE_PRELUDE\n#include \"cuda_functions.h\"\n" +
         std::string(kHostilePrelude) + "\n#endif\n";
}

std::string sourceOf(const Hostile& hostile, const Scene& scene) {
  return scene.placed(preludeText() + "using T = int;\n" + hostile.outside +
                      "\nextern \"C\" __attribute__((visibility(\"default\"))) T "
                      "stridescope_combine([[maybe_unused]] T a, [[maybe_unused]] T b) {\n" +
                      hostile.inside + "\nreturn " + hostile.value + ";\n}\n");
}

// Options with which a compiler takes the compiled prelude in place of its text, which it passes over then.
std::string preludeOptions() {
  if (!std::filesystem::exists(kCompiledPrelude)) return "";
  return " -iquote . -include '" + kPrelude.native() + "' ";
}

std::string quotedCompiler() { return "'" + findCompiler().value().front() + "'"; }

// What CXX is for a compiler that is this script, and may read the parts.
std::string scriptIn(const std::filesystem::path& folder, const std::string& body) {
  const auto script = folder / "compiler";
  std::ofstream(script) << "#!/bin/sh\n" << body << "\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return script.native() + " -I" + kParts.native();
}

// A compiler that compiles this source, whatever it is given. The text's own checks are not what contains
// anything.
std::string compilerOf(const std::string& source, const std::filesystem::path& folder) {
  std::ofstream(folder / "hostile.cpp") << source;
  return scriptIn(folder, "cat '" + (folder / "hostile.cpp").native() + "' > operator.cpp\nexec " +
                              quotedCompiler() + preludeOptions() + " \"$@\"");
}

// A compiler that has compiled kPlainText already.
std::string compilerOfPlainText(const std::filesystem::path& folder) {
  return scriptIn(folder, "while [ \"$1\" != -o ]; do shift; done\nexec cp '" + kPlain.native() + "' \"$2\"");
}

std::string contentOf(const std::filesystem::path& file) {
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  return content.str();
}

std::string wordsOf(const model::Trace& trace) {
  std::string words = trace.result + trace.expected + trace.checkNote + trace.trial.whyNotTried;
  for (const model::TrialFinding& finding : trace.trial.findings) words += finding.sentence;
  for (const model::LaunchTrace& launch : trace.launches)
    for (const model::Problem& problem : launch.recorded().problems) words += problem.text;
  return words;
}

// A part takes the place of an older one at once.
void keep(const std::filesystem::path& file, const std::filesystem::path& part) {
  const std::filesystem::path unfinished = part.native() + ".new";
  std::filesystem::copy_file(file, unfinished, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::rename(unfinished, part);
}

TEST(HostileParts, AreCompiledOnce) {
  if (!sandboxSupport().isComplete()) GTEST_SKIP() << sandboxSupport().sentence();
  std::filesystem::create_directories(kCompiledPrelude);
  std::ofstream(kPrelude) << preludeText();
  JobControl job;
  const auto compiled = [&] {
    return compileCombine({.combine = kPlainText, .identity = "0"}, model::ElementType::Int, job);
  };
  const auto plain = compiled();
  ASSERT_TRUE(plain) << plain.error().sentence << plain.error().details;
  keep(plain->path(), kPlain);

  // With the options that the program gives each compiler, and with those of what nothing confines.
  const auto folder = *PrivateFolder::make();
  const std::string takesPrelude = "cat '" + kPrelude.native() + "' > operator.cpp\n",
                    intoHeader = " -x c++-header -o \"$object\" operator.cpp",
                    readsOptions =
                        "all=$*\nobject=${all##* -o }\nobject=${object% *}\nown=${all#* -x c++ }\n";
  for (const auto& [name, options] : {std::pair{"confined", std::string(" ${own%% -shared*}")},
                                      std::pair{"unconfined", std::string(kUnconfinedOptions)}}) {
    const Variable compiler("CXX", scriptIn(folder->path(), takesPrelude + readsOptions + "exec " +
                                                                quotedCompiler() + options + intoHeader));
    const auto header = compiled();
    ASSERT_TRUE(header) << name << ": " << header.error().sentence << header.error().details;
    keep(header->path(), kCompiledPrelude / name);
  }
  // Clang wants the files that it was made of, which are gone: the programs then have the text itself.
  const Variable compiler("CXX", compilerOf(preludeText() + "int unused;\n", folder->path()));
  if (!compiled()) std::filesystem::remove_all(kCompiledPrelude);
}

class HostileProgram : public testing::TestWithParam<Hostile> {
 protected:
  // What the run gave, or the sentence of its error.
  struct Outcome {
    std::string result, sentence;
    Error error{};
  };
  Outcome runOf(Engine& engine, const Hostile& hostile) {
    JobControl job;
    job.progress = [&](float, const std::string& doing) { scene_.hear(doing); };
    std::optional<Variable> compiler;
    if (hostile.text.empty())
      compiler.emplace("CXX", compilerOf(sourceOf(hostile, scene_), scene_.workshop()));
    const auto trace = engine.record(custom(hostile.text.empty() ? "a + b" : hostile.text, "0"), job);
    if (trace) {
      scene_.hear(wordsOf(*trace));
      return {.result = trace->result, .sentence = ""};
    }
    scene_.hear(trace.error().sentence + trace.error().details);
    return {.result = "", .sentence = trace.error().sentence, .error = trace.error()};
  }
  Scene scene_;
};

TEST_P(HostileProgram, IsContained) {
  const SandboxSupport support = sandboxSupport();
  if (!support.isComplete()) GTEST_SKIP() << support.sentence();
  const Hostile& hostile = GetParam();
#if defined(__SANITIZE_ADDRESS__)
  if (hostile.needsMemoryLimit)
    GTEST_SKIP() << "No limit of address space can be set beside the sanitizer's shadow.";
#endif
  auto engine = makeCustomEngine(host::makeHostEngine(), support::trustInAll(),
                                 {.program = STRIDESCOPE_COMBINE_CHILD, .trial = kTrial, .run = kRun});
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = runOf(*engine, hostile);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience);
  RecordProperty("outcome", outcome.sentence.empty() ? outcome.result : outcome.sentence);
  if (outcome.sentence.empty())
    EXPECT_EQ(outcome.result, hostile.gives);
  else if (hostile.says.empty())
    ADD_FAILURE() << outcome.sentence;
  else
    EXPECT_THAT(outcome.sentence, ContainsRegex(hostile.says));
  EXPECT_TRUE(std::ranges::all_of(outcome.sentence, [](char c) { return c >= 0x20 && c < 0x7f; }))
      << outcome.sentence;
  EXPECT_NE(outcome.error.cause, ErrorCause::UntrustedCode) << "is asked by this program alone";
  EXPECT_NE(outcome.error.kind, ErrorKind::Cancelled);
  std::optional<Variable> compiler;
  if (std::filesystem::exists(kPlain)) compiler.emplace("CXX", compilerOfPlainText(scene_.workshop()));
  const auto next = record(*engine, custom(kPlainText, "0"));
  ASSERT_TRUE(next) << "The engine does not live on: " << next.error().sentence;
  EXPECT_EQ(next->result, "2016");
  engine.reset();
  EXPECT_THAT(scene_.harm(), IsEmpty());
}

std::string nameOfTest(const testing::TestParamInfo<Hostile>& test) { return test.param.name; }

// Each takes a compiler, a trial and two runs: .ci/nightly tries them all.
INSTANTIATE_TEST_SUITE_P(Known, HostileProgram, testing::ValuesIn(support::someOf(knownHostiles())),
                         nameOfTest);
INSTANTIATE_TEST_SUITE_P(ThoughtOfAfterwards, HostileProgram,
                         testing::ValuesIn(support::someOf(furtherHostiles())), nameOfTest);

// The same program, loaded by a process that nothing confines.
class UnconfinedHostile : public testing::TestWithParam<Hostile> {
 protected:
  int shell(const std::string& command) { return std::system(command.c_str()); }
  void TearDown() override {
    for (const pid_t process : processesOf(library_)) ::kill(process, SIGKILL);
    std::filesystem::remove(library_);
  }
  Scene scene_;
  const std::filesystem::path library_ = scene_.temporary() / "control.so";
};

TEST_P(UnconfinedHostile, DoesItsHarm) {
  const Hostile& hostile = GetParam();
  const auto source = scene_.workshop() / "hostile.cpp", words = scene_.workshop() / "words";
  std::ofstream(source) << sourceOf(hostile, scene_);
  const std::string heard = " > '" + words.native() + "' 2>&1 < /dev/null";
  const int compiled = shell("exec " + quotedCompiler() + kUnconfinedOptions + preludeOptions() +
                             "-shared -I '" STRIDESCOPE_FUNCTIONS_FOLDER "' -o '" + library_.native() +
                             "' '" + source.native() + "'" + heard);
  scene_.hear(contentOf(words));
  if (compiled == 0) {
    // The child's parent is this process: the shell becomes it.
    shell("exec '" STRIDESCOPE_COMBINE_CHILD "' unconfined '" + library_.native() + "'" + heard);
    scene_.hear(contentOf(words));
  }
  EXPECT_THAT(scene_.harm(), Contains(hostile.harm));
}

std::vector<Hostile> thoseThatCanBeTried() {
  std::vector<Hostile> all;
  for (const auto& list : {knownHostiles(), furtherHostiles()})
    for (const Hostile& hostile : list)
      if (!hostile.harm.empty()) all.push_back(hostile);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, UnconfinedHostile, testing::ValuesIn(support::someOf(thoseThatCanBeTried())),
                         nameOfTest);

}  // namespace
}  // namespace stridescope::engine::sandbox
